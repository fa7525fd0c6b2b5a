//! `yaml_literal`: one YAML mapping between markers or in a fence, emitted while it is written.
//!
//! ```text
//! <<<BEGIN ANSWER_YAML>>>
//! title: Hello          a key, and a plain scalar
//! body: |               a block scalar: its lines are emitted as they come
//!   text
//! steps:
//!   - name: one         steps[0].name
//! tags: [a, b]          emitted when its brackets close
//! <<<END ANSWER_YAML>>>
//! ```
//!
//! The small machines of `lex::yaml` read the text of a line. This module counts columns and decides the
//! structure. Some values cannot be emitted while they are written: collections in brackets, values with an
//! anchor or a tag, keys other than plain or quoted scalars, merge keys, and documents other than mappings.
//! They are kept as text, and a YAML library reads them when they are complete.

mod anchors;
mod bounds;
mod compose;
mod deferred;
mod emitter;
mod frame;
mod levels;
mod line;
mod nests;
mod nodes;
mod reader;
mod row;
mod scalars;
mod seek;
mod skeleton;
mod state;
mod values;

use super::fields::{FieldOptions, has_either};
use super::json::JsonOptions;
use super::{Machine, Payloads, Position, Region, TextRun};
use crate::error::Error;
use crate::held::{Held, HeldBy};
use crate::lex::{Input, Token};
use reader::DocumentReader;
pub(crate) use row::YamlRow;
use seek::Seek;

/// The part of the stream around the position.
#[derive(Debug, Clone, PartialEq, Eq)]
enum YamlStage {
    /// Before the document.
    Seek(Seek),
    /// In the document.
    Inside,
    /// After the document.
    After,
}

/// The machine of YAML answers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct YamlFormat {
    stage: YamlStage,
    reader: DocumentReader,
    /// The input ended.
    ended: bool,
}

impl YamlFormat {
    pub(crate) fn new(names: &FieldOptions, options: &JsonOptions) -> Self {
        let stage = YamlStage::Seek(Seek::default());
        Self { stage, reader: DocumentReader::new(names, options), ended: false }
    }

    /// A machine at the start of a document, for one without markers.
    pub(crate) fn in_document(names: &FieldOptions, options: &JsonOptions) -> Self {
        Self { stage: YamlStage::Inside, ..Self::new(names, options) }
    }

    /// Reads text, first the text that is read again. Returns whether there was any.
    fn advance(&mut self, input: &mut Input<'_>) -> Result<bool, Error> {
        if self.reader.read_again()? {
            self.leave_closed();
            return Ok(true);
        }
        if input.is_done() {
            return Ok(false);
        }
        let reader = &mut self.reader;
        match &mut self.stage {
            YamlStage::Seek(seek) => {
                if let Some(document) =
                    seek.read(input, reader.name.read(), &mut reader.emitter.out)
                {
                    reader.document = document;
                    self.stage = YamlStage::Inside;
                }
            }
            YamlStage::Inside => {
                reader.read(input)?;
                self.leave_closed();
            }
            YamlStage::After => seek::pass(input, &mut reader.emitter.out),
        }
        Ok(true)
    }

    /// Reads the text after the document from now on, if the last marker was read.
    fn leave_closed(&mut self) {
        if self.reader.closed {
            self.stage = YamlStage::After;
        }
    }

    /// The input ended at this offset.
    fn end_of_input(&mut self, end: u64) -> Result<(), Error> {
        while self.reader.read_again()? {}
        match &mut self.stage {
            YamlStage::Seek(seek) => {
                seek.flush(end, &mut self.reader.emitter.out);
                self.reader.emitter.emit_missing();
            }
            YamlStage::Inside => self.reader.end_of_input(end)?,
            YamlStage::After => self.reader.emitter.emit_missing(),
        }
        self.leave_closed();
        Ok(())
    }
}

impl Machine for YamlFormat {
    fn step(&mut self, input: &mut Input<'_>) -> Result<Option<Token>, Error> {
        loop {
            if let Some(token) = self.reader.emitter.out.pop() {
                return Ok(Some(token));
            }
            if !self.advance(input)? {
                return Ok(None);
            }
        }
    }

    fn text_run(&mut self, chunk: &str, end: u64, _scratch: &mut String) -> Option<TextRun> {
        debug_assert!(self.position().takes_runs, "callers check the position first");
        let is_text = !has_either(chunk, b'\n', b'\r') && self.reader.emitter.pass_text(chunk, end);
        is_text.then_some(TextRun::whole(chunk))
    }

    fn pass_prose(&mut self, end: u64) {
        self.reader.emitter.pass_prose(end);
    }

    fn prose_run(&mut self, prose: &str, end: u64, _scratch: &mut String) -> Option<TextRun> {
        self.reader.emitter.pass_prose(end);
        Some(TextRun::whole(prose))
    }

    fn finish(&mut self, end: u64) -> Result<Option<Token>, Error> {
        if !core::mem::replace(&mut self.ended, true) {
            self.end_of_input(end)?;
        }
        Ok(self.reader.emitter.out.pop())
    }

    fn interrupt(&mut self, end: u64) -> Option<Token> {
        if let YamlStage::Seek(seek) = &mut self.stage {
            seek.flush(end, &mut self.reader.emitter.out);
        }
        self.reader.emitter.out.pop()
    }

    fn buffer(&self) -> &str {
        self.reader.emitter.out.buffer()
    }

    fn canonicalize(&mut self) {
        self.reader.emitter.canonicalize();
    }

    fn position(&self) -> Position {
        let empty = self.reader.emitter.out.is_empty();
        let drained = empty && self.reader.is_drained();
        let region = match self.stage {
            YamlStage::Seek(_) => Region::Outside,
            YamlStage::Inside => Region::Payload,
            // Pending tokens of the document come before the search for another one.
            YamlStage::After if empty => Region::Outside,
            YamlStage::After => Region::Payload,
        };
        let in_text = self.stage == YamlStage::Inside && self.reader.is_in_block_text();
        let takes_runs = in_text && drained;
        let begun = u32::from(!matches!(self.stage, YamlStage::Seek(_)));
        let payloads = Some(Payloads { begun, fence: None });
        Position { region, drained, takes_runs, payloads }
    }

    fn leave(&mut self) {
        if self.stage == YamlStage::Inside {
            self.stage = YamlStage::After;
        }
    }

    fn own_pending_text(&mut self, input: &str) {
        self.reader.emitter.out.own_pending_text(input);
    }

    fn held(&self, _emitted: u64, end: u64) -> Vec<Held> {
        if let YamlStage::Seek(seek) = &self.stage {
            let line = (!seek.held().is_empty()).then(|| seek.held());
            return line.map(|line| Held::up_to(HeldBy::YamlLine, end, line)).into_iter().collect();
        }
        self.reader.held(end)
    }
}

#[cfg(test)]
mod tests;
