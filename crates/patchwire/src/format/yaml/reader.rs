//! Reads one document: the indent of its lines, the boundaries, and which part of the document a line is.

use super::bounds::YamlBounds;
use super::deferred::DeferredLine;
use super::emitter::YamlEmitter;
use super::frame::FrameStep;
use super::line::is_line_end;
use super::scalars::OpenScalar;
use super::seek::{BOM, LONGEST_MARKER};
use super::state::{LinePlace, SignRole, YamlDocument};
use crate::codes::{Code, SkipReason};
use crate::error::Error;
use crate::format::fields::{EnvelopeName, FieldOptions};
use crate::format::json::JsonOptions;
use crate::held::{Held, HeldBy};
use crate::lex::yaml::{BlockLine, DocumentBoundary, DocumentMarker, MarkerStep, is_blank};
use crate::lex::{Input, TokenKind};
use crate::span::Span;

/// Reads one document.
///
/// The parts of the document decide about their own text: its frame, its open collections, and its open
/// scalar. The reader moves between them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct DocumentReader {
    /// The name in the markers.
    pub(super) name: EnvelopeName,
    pub(super) bounds: YamlBounds,
    pub(super) document: YamlDocument,
    pub(super) emitter: YamlEmitter,
    /// Whether the last marker was read: what follows is text.
    pub(super) closed: bool,
}

impl DocumentReader {
    pub(super) fn new(names: &FieldOptions, options: &JsonOptions) -> Self {
        Self {
            name: names.document.clone(),
            bounds: YamlBounds::new(&options.limits),
            document: YamlDocument::default(),
            emitter: YamlEmitter::new(options),
            closed: false,
        }
    }

    /// Whether no text waits to be read again.
    pub(super) const fn is_drained(&self) -> bool {
        self.document.held.again.is_done()
    }

    /// Whether the next text, up to a line end, belongs to a block scalar.
    pub(super) const fn is_in_block_text(&self) -> bool {
        matches!(
            (&self.document.scalar, &self.document.at),
            (OpenScalar::Block(_), LinePlace::Text)
        )
    }

    /// The records of held text at this offset.
    pub(super) fn held(&self, end: u64) -> Vec<Held> {
        let scalar = match &self.document.scalar {
            OpenScalar::Deferred(deferred) => Some(deferred.held()),
            OpenScalar::Plain(plain) => {
                plain.held().map(|(start, text)| Held::new(HeldBy::YamlWord, start, text))
            }
            OpenScalar::None | OpenScalar::Quoted(_) | OpenScalar::Block(_) => None,
        };
        let line = &self.document.held.text;
        let line = (!line.is_empty()).then(|| Held::up_to(HeldBy::YamlLine, end, line));
        scalar.into_iter().chain(line).collect()
    }

    /// Reads held text again, as something else. Returns whether there was any.
    pub(super) fn read_again(&mut self) -> Result<bool, Error> {
        if self.is_drained() {
            return Ok(false);
        }
        let again = core::mem::take(&mut self.document.held.again);
        let mut input = again.input();
        self.read(&mut input)?;
        self.document.held.again.append(&again, input.pos);
        Ok(true)
    }

    /// Reads text of the document.
    pub(super) fn read(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        let document = &mut self.document;
        if document.line.read_line_feed(input) {
            return Ok(());
        }
        match document.at {
            LinePlace::Lead => self.read_lead(input),
            LinePlace::Candidate(marker) => self.read_candidate(marker, input),
            LinePlace::Dashes => self.read_dashes(input),
            LinePlace::Node => self.read_node(input),
            LinePlace::Sign { role, read } => self.read_sign(role, read, input),
            LinePlace::Property => self.read_property(input),
            LinePlace::Alias => self.read_behind_alias(input),
            LinePlace::Probe(probe, role) => self.read_probe(probe, role, input),
            LinePlace::Header(header) => self.read_header(header, input),
            LinePlace::Text => self.read_text(input),
            LinePlace::QuoteKey => self.read_quote_key(input),
            LinePlace::Behind { blank } => {
                self.read_behind_quote(blank, input);
                Ok(())
            }
            LinePlace::Rest => {
                if document.line.skip(input) {
                    self.begin_line();
                }
                Ok(())
            }
        }
    }

    /// The line ends here.
    pub(super) fn take_line_end(&mut self, input: &mut Input<'_>) {
        self.document.line.end(input);
        self.begin_line();
    }

    fn begin_line(&mut self) {
        let document = &mut self.document;
        document.at = LinePlace::Lead;
        document.held.text.clear();
        document.nests.next_line();
    }

    fn read_lead(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        while let Some(char) = input.peek_char() {
            let document = &mut self.document;
            let line = &mut document.line;
            let tab_is_text =
                char == '\t' && document.scalar.takes_tabs(line.spaces, &document.nests);
            match char {
                ' ' if line.tabs == 0 => {
                    input.pos += 1;
                    line.spaces += 1;
                    if self.meets_space(input.offset()) {
                        return Ok(());
                    }
                }
                '\t' if line.tabs == 0 && tab_is_text => return self.first(char, input),
                ' ' | '\t' => {
                    input.pos += 1;
                    line.tabs += 1;
                }
                BOM if !document.frame.begun && line.column() == 0 => {
                    let start = input.offset();
                    input.pos += char.len_utf8();
                    line.start = input.offset();
                    self.emitter.notice(Code::Bom, Span::new(start, input.offset()));
                }
                '\n' | '\r' => {
                    self.blank_line(input);
                    return Ok(());
                }
                _ => return self.first(char, input),
            }
        }
        Ok(())
    }

    /// Counts one more leading space. Returns whether the line of a block scalar has so many spaces that
    /// they are emitted before the next character.
    fn meets_space(&mut self, end: u64) -> bool {
        let line = self.document.line;
        let OpenScalar::Block(block) = &mut self.document.scalar else { return false };
        let mut out = String::new();
        block.spaces(line.spaces, &mut out);
        let flooded = block.blanks_of(line.spaces).filter(|text| *text > self.bounds.held);
        if let Some(text) = flooded {
            self.emitter.notice(Code::HoldCap, Span::at(end));
            block.begin(true, &mut out);
            out.extend((0..text).map(|_| ' '));
            self.document.at = LinePlace::Text;
        }
        self.emitter.string_text(&out, if flooded.is_some() { end } else { line.start });
        flooded.is_some()
    }

    /// A line of only whitespace ended.
    fn blank_line(&mut self, input: &mut Input<'_>) {
        let (line, at) = (self.document.line, input.offset());
        self.take_line_end(input);
        let document = &mut self.document;
        if line.tabs > 0 && document.scalar.notes_tab(line.spaces, &document.nests) {
            self.emitter.notice(Code::YamlTab, Span::at(at));
        }
        let mut out = String::new();
        if document.scalar.blank_line(&line, self.bounds.held, &mut out) {
            self.emitter.notice(Code::HoldCap, Span::at(at));
        }
        self.emitter.string_text(&out, input.offset());
    }

    /// The first visible character of a line.
    fn first(&mut self, char: char, input: &mut Input<'_>) -> Result<(), Error> {
        let document = &mut self.document;
        let scope = document.frame.scope(self.name.read());
        match DocumentMarker::begin(char, document.line.column() == 0, &scope) {
            Some(marker) => {
                document.held.begin(char);
                document.at = LinePlace::Candidate(marker);
                input.pos += 1;
                Ok(())
            }
            None => self.dispatch(char, input.offset()),
        }
    }

    fn read_candidate(
        &mut self,
        marker: DocumentMarker,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        let mut marker = marker;
        while let Some(char) = input.peek_char() {
            let document = &mut self.document;
            let room = document.held.text.len() < LONGEST_MARKER;
            let next = (!is_line_end(char)).then_some(char);
            let scope = document.frame.scope(self.name.read());
            match if room { marker.push(next, &scope) } else { MarkerStep::Refuted } {
                MarkerStep::More(more) => {
                    marker = more;
                    document.at = LinePlace::Candidate(marker);
                    document.held.text.push(char);
                    input.pos += char.len_utf8();
                }
                MarkerStep::Whole(boundary, own) => {
                    input.pos += if own { char.len_utf8() } else { 0 };
                    return self.boundary(boundary, input.offset());
                }
                MarkerStep::Refuted => {
                    let first = document.held.first().unwrap_or(char);
                    let start = input.offset() - document.held.text.len() as u64;
                    document.held.read_again(input.offset());
                    return self.dispatch(first, start);
                }
            }
        }
        Ok(())
    }

    /// The line begins or ends a document.
    pub(super) fn boundary(&mut self, boundary: DocumentBoundary, end: u64) -> Result<(), Error> {
        let document = &mut self.document;
        document.held.text.clear();
        document.at = LinePlace::Rest;
        match document.frame.boundary(boundary) {
            FrameStep::Opened => {}
            FrameStep::Dashes => document.at = LinePlace::Dashes,
            FrameStep::Another => {
                self.end_document()?;
                if self.document.frame.stop_before_another() {
                    self.emitter.notice(Code::YamlMultiDocument, Span::at(end));
                }
            }
            FrameStep::Stop => {
                self.end_document()?;
                self.document.frame.stop();
            }
            FrameStep::Close => {
                if document.line.tabs > 0 && !document.frame.is_over() {
                    self.emitter.notice(Code::YamlTab, Span::at(end));
                }
                self.end_document()?;
                self.emitter.out.push(TokenKind::Skipped(SkipReason::Fence), end);
                self.closed = true;
            }
        }
        Ok(())
    }

    /// After `---`: text other than a comment begins a document that is not a mapping.
    fn read_dashes(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        let Some(char) = input.peek_char() else { return Ok(()) };
        match char {
            ' ' | '\t' => input.pos += 1,
            '#' | '\n' | '\r' => self.document.at = LinePlace::Rest,
            _ => {
                self.document.held.text = "--- ".to_owned();
                self.document.held.start = self.document.line.start;
                self.defer_document();
            }
        }
        Ok(())
    }

    /// The first character of a line decides between the open scalar and a new entry.
    fn dispatch(&mut self, char: char, at: u64) -> Result<(), Error> {
        if self.document.frame.is_over() {
            self.document.at = LinePlace::Rest;
            return Ok(());
        }
        self.document.held.start = at;
        match self.document.scalar {
            OpenScalar::None => self.structure(char, at),
            OpenScalar::Block(_) => self.block_line(char, at),
            OpenScalar::Plain(_) => self.plain_line(char, at),
            OpenScalar::Quoted(_) => {
                self.quoted_line(char, at);
                Ok(())
            }
            OpenScalar::Deferred(_) => self.deferred_line(char, at),
        }
    }

    fn block_line(&mut self, char: char, at: u64) -> Result<(), Error> {
        let line = self.document.line;
        let OpenScalar::Block(block) = &mut self.document.scalar else { return Ok(()) };
        let found = block.line(line.column(), line.tabs > 0, char);
        let (blanks, code) = match found {
            BlockLine::Text(blanks) => (blanks, None),
            BlockLine::Lower => (0, Some(Code::YamlLeadingSpaces)),
            BlockLine::Under => (0, Some(Code::YamlUnderindented)),
            BlockLine::Comment | BlockLine::EarlyComment | BlockLine::Outside => {
                if found == BlockLine::EarlyComment {
                    self.emitter.notice(Code::YamlUnderindented, Span::at(at));
                }
                self.end_scalar()?;
                return self.structure(char, at);
            }
        };
        let mut out = String::new();
        block.begin(blanks > 0 || is_blank(char), &mut out);
        out.extend((0..blanks).map(|_| ' '));
        if line.tabs > 0 {
            self.emitter.notice(Code::YamlTab, Span::at(at));
        }
        if let Some(code) = code {
            self.emitter.notice(code, Span::at(at));
        }
        self.emitter.string_text(&out, at);
        self.document.at = LinePlace::Text;
        Ok(())
    }

    fn plain_line(&mut self, char: char, at: u64) -> Result<(), Error> {
        let document = &mut self.document;
        if document.nests.is_inside(document.line.column()) && char != '#' {
            document.at = LinePlace::Text;
            self.note_tab(at);
            return Ok(());
        }
        self.end_scalar()?;
        self.structure(char, at)
    }

    fn quoted_line(&mut self, char: char, at: u64) {
        let document = &mut self.document;
        let column = document.line.column();
        let under = !document.nests.is_inside(column);
        let root = document.nests.open.first().map(|nest| nest.column);
        let is_at_root = under && root == Some(column);
        if is_at_root && self.emitter.is_missing_beginning(char.encode_utf8(&mut [0; 4])) {
            document.at = LinePlace::QuoteKey;
            document.held.text.clear();
            return;
        }
        document.at = LinePlace::Text;
        if under {
            self.note_low_quote(at);
        } else {
            self.note_tab(at);
        }
    }

    /// Decides by the first character of a line whether the kept value continues.
    fn deferred_line(&mut self, char: char, at: u64) -> Result<(), Error> {
        let document = &mut self.document;
        let OpenScalar::Deferred(deferred) = &mut document.scalar else { return Ok(()) };
        if document.line.tabs > 0 {
            self.emitter.notice(Code::YamlTab, Span::at(at));
        }
        let spaces = document.line.spaces;
        match deferred.line(char, spaces, document.nests.last()) {
            DeferredLine::Kept => {
                if char == '\t' && !document.nests.is_inside(spaces) {
                    self.emitter.notice(Code::YamlTab, Span::at(at));
                }
                deferred.push_spaces(spaces);
                document.at = LinePlace::Text;
            }
            DeferredLine::Sign => {
                document.at = LinePlace::Sign { role: SignRole::Kept, read: false };
            }
            DeferredLine::Over => {
                self.end_scalar()?;
                return self.structure(char, at);
            }
        }
        Ok(())
    }

    /// Notes a tab in place of an indent of spaces.
    fn note_tab(&mut self, at: u64) {
        let document = &self.document;
        let low = document.nests.parent().is_none_or(|parent| document.line.spaces <= parent);
        if document.line.tabs > 0 && low {
            self.emitter.notice(Code::YamlTab, Span::at(at));
        }
    }

    /// Handles a line outside scalars.
    pub(super) fn structure(&mut self, char: char, at: u64) -> Result<(), Error> {
        let document = &mut self.document;
        let column = document.line.column();
        if char == '#' || char == '%' && column == 0 && !document.frame.begun {
            document.at = LinePlace::Rest;
            return Ok(());
        }
        if document.line.tabs > 0 {
            self.emitter.notice(Code::YamlTab, Span::at(at));
        }
        if let (Some(_), Some(nest)) = (&document.nests.expect, document.nests.last()) {
            if column > nest.column {
                document.at = LinePlace::Node;
                return Ok(());
            }
            if !nest.list && column == nest.column && char == '-' {
                document.at = LinePlace::Sign { role: SignRole::Node, read: false };
                return Ok(());
            }
            self.nothing();
        }
        if matches!(char, '-' | '?' | ':') {
            self.document.at = LinePlace::Sign { role: SignRole::Entry, read: false };
            return Ok(());
        }
        self.entry(char, false, at)
    }
}
