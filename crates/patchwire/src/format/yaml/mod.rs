//! `yaml_literal`: one YAML mapping between markers or in a fence, emitted while it is written.
//!
//! ```text
//! <<<BEGIN AGENTLY_YAML>>>
//! title: Hello          a key, and a plain scalar
//! body: |               a block scalar: its lines are emitted as they come
//!   text
//! steps:
//!   - name: one         steps[0].name
//! tags: [a, b]          emitted when its brackets close
//! <<<END AGENTLY_YAML>>>
//! ```
//!
//! The small machines of `lex::yaml` read the text of a line. This module counts columns and
//! decides the structure. Values that cannot be emitted while they are written are kept as text,
//! and a YAML library reads them when they are whole: collections in brackets, values with an
//! anchor or a tag, keys that are no plain or quoted scalars, merge keys, and documents that are no
//! mapping.

mod anchors;
mod compose;
mod deferred;
mod emitter;
mod ending;
mod lines;
mod nodes;
mod scalars;
mod seek;
mod state;

use super::fields::FieldOptions;
use super::fields::has_either;
use super::json::JsonOptions;
use super::{Machine, Payloads, Position, Region, TextRun};
use crate::error::Error;
use crate::held::{Held, HeldBy};
use crate::lex::{Input, Token};
use crate::limits::Limit;
use emitter::YamlEmitter;
use seek::Seek;
use state::{LinePlace, OpenScalar, PlainScalar, YamlDocument};

/// Where the stream stands.
#[derive(Debug, Clone, PartialEq, Eq)]
enum YamlStage {
    /// Before the document.
    Seek(Seek),
    /// In it.
    Inside,
    /// Behind it.
    After,
}

/// The machine.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct YamlFormat {
    /// The name in the markers.
    name: String,
    /// Bytes that may be held back undecided.
    most_held: u64,
    /// Bytes of a number.
    most_number: u64,
    /// Bytes of a value that is kept as text.
    most_deferred: usize,
    stage: YamlStage,
    document: YamlDocument,
    emitter: YamlEmitter,
    /// The input ended.
    ended: bool,
}

impl YamlFormat {
    pub(crate) fn new(names: &FieldOptions, options: &JsonOptions) -> Self {
        Self {
            name: names.document.clone(),
            most_held: options.limits.get(Limit::Held),
            most_number: options.limits.get(Limit::Number),
            most_deferred: options.limits.size(Limit::Deferred),
            stage: YamlStage::Seek(Seek::default()),
            document: YamlDocument::default(),
            emitter: YamlEmitter::new(options),
            ended: false,
        }
    }

    /// A machine that stands at the start of a document already: for one without markers.
    pub(crate) fn in_document(names: &FieldOptions, options: &JsonOptions) -> Self {
        Self { stage: YamlStage::Inside, ..Self::new(names, options) }
    }

    /// Reads on, first in text that is read again. Returns whether there was anything to read.
    fn advance(&mut self, input: &mut Input<'_>) -> Result<bool, Error> {
        if self.read_again()? {
            return Ok(true);
        }
        if input.is_done() {
            return Ok(false);
        }
        match self.stage {
            YamlStage::Seek(_) => self.seek(input),
            YamlStage::Inside => self.read(input)?,
            YamlStage::After => seek::pass(input, &mut self.emitter.out),
        }
        Ok(true)
    }

    /// Reads on in held text that turned out to be something else. Returns whether there was any.
    fn read_again(&mut self) -> Result<bool, Error> {
        if self.document.again.is_done() {
            return Ok(false);
        }
        let again = core::mem::take(&mut self.document.again);
        let mut input = again.input();
        self.read(&mut input)?;
        self.document.again.append(&again, input.pos);
        Ok(true)
    }
}

impl Machine for YamlFormat {
    fn step(&mut self, input: &mut Input<'_>) -> Result<Option<Token>, Error> {
        loop {
            if let Some(token) = self.emitter.out.pop() {
                return Ok(Some(token));
            }
            if !self.advance(input)? {
                return Ok(None);
            }
        }
    }

    fn text_run(&mut self, chunk: &str, end: u64, _scratch: &mut String) -> Option<TextRun> {
        debug_assert!(self.position().takes_runs, "callers check the position first");
        let is_text = !has_either(chunk, b'\n', b'\r') && self.emitter.pass_text(chunk, end);
        is_text.then_some(TextRun { len: chunk.len(), in_scratch: false })
    }

    fn finish(&mut self, end: u64) -> Result<Option<Token>, Error> {
        if !core::mem::replace(&mut self.ended, true) {
            while self.read_again()? {}
            self.end_of_input(end)?;
        }
        Ok(self.emitter.out.pop())
    }

    fn interrupt(&mut self, end: u64) -> Option<Token> {
        if let YamlStage::Seek(seek) = &mut self.stage {
            seek.flush(end, &mut self.emitter.out);
        }
        self.emitter.out.pop()
    }

    fn buffer(&self) -> &str {
        self.emitter.out.buffer()
    }

    fn canonicalize(&mut self) {
        self.emitter.canonicalize();
    }

    fn position(&self) -> Position {
        let document = &self.document;
        let empty = self.emitter.out.is_empty();
        let drained = empty && document.again.is_done();
        let region = match self.stage {
            YamlStage::Seek(_) => Region::Outside,
            YamlStage::Inside => Region::Payload,
            // Pending tokens of the document come before the search for another one.
            YamlStage::After if empty => Region::Outside,
            YamlStage::After => Region::Payload,
        };
        let in_text =
            matches!((&document.scalar, &document.at), (OpenScalar::Block(_), LinePlace::Text));
        let takes_runs = self.stage == YamlStage::Inside && in_text && drained;
        let begun = u32::from(!matches!(self.stage, YamlStage::Seek(_)));
        let payloads = Some(Payloads { begun, fence: None });
        Position { region, drained, takes_runs, payloads }
    }

    fn leave(&mut self) {
        self.ended = false;
        if self.stage == YamlStage::Inside {
            self.stage = YamlStage::After;
        }
    }

    fn own_pending_text(&mut self, input: &str) {
        self.emitter.out.own_pending_text(input);
    }

    fn held(&self, _emitted: u64, end: u64) -> Vec<Held> {
        if let YamlStage::Seek(seek) = &self.stage {
            let line = (!seek.held().is_empty()).then(|| seek.held());
            return line.map(|line| Held::up_to(HeldBy::YamlLine, end, line)).into_iter().collect();
        }
        let document = &self.document;
        let line = (!document.held.is_empty()).then_some(&document.held);
        let mut held = match &document.scalar {
            OpenScalar::Deferred(deferred) => vec![deferred.held()],
            OpenScalar::Plain(PlainScalar { word: Some(_), text, start, .. }) => {
                vec![Held::new(HeldBy::YamlWord, *start, text)]
            }
            _ => Vec::new(),
        };
        held.extend(line.map(|line| Held::up_to(HeldBy::YamlLine, end, line)));
        held
    }
}

#[cfg(test)]
mod tests;
