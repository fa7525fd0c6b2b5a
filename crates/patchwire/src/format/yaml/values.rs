//! The open scalar: where it begins, its lines, and its end. The end of the document and of the input.

use super::deferred::{BehindProperty, Deferred, DeferredEnd};
use super::line::{is_line_end, piece};
use super::nests::Expect;
use super::reader::DocumentReader;
use super::scalars::{OpenScalar, PlainScalar, QuotedText};
use super::state::{LinePlace, SignRole, YamlDocument};
use crate::codes::{Code, SkipReason};
use crate::error::Error;
use crate::lex::yaml::{BlockHeader, BlockScalar, KeyFound, MarkerStep, QuotedStop, is_blank};
use crate::lex::{Input, TokenKind};
use crate::span::Span;

impl DocumentReader {
    /// Begins a plain scalar with this character.
    pub(super) fn begin_plain(&mut self, first: char, start: u64) {
        let plain = PlainScalar::begin(first, start, &mut self.emitter);
        self.begin_scalar(OpenScalar::Plain(plain));
    }

    /// Begins a quoted scalar after its quote.
    pub(super) fn begin_quoted(&mut self, quote: char, end: u64) {
        let quoted = QuotedText::begin(quote, end, &mut self.emitter);
        self.begin_scalar(OpenScalar::Quoted(quoted));
    }

    fn begin_scalar(&mut self, scalar: OpenScalar) {
        self.document.nests.take_expected();
        self.document.scalar = scalar;
        self.document.at = LinePlace::Text;
    }

    /// The first line of a block scalar.
    pub(super) fn read_header(
        &mut self,
        header: BlockHeader,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        let mut header = header;
        while let Some(char) = input.peek_char() {
            if is_line_end(char) {
                self.begin_block(header, input.offset());
                self.take_line_end(input);
                return Ok(());
            }
            let held = &mut self.document.held;
            let room = held.text.len() as u64 <= self.bounds.held;
            if !room || !header.push(char) {
                self.emitter.notice(Code::YamlBadBlockHeader, Span::at(held.start));
                self.begin_held(input.offset());
                return Ok(());
            }
            if !header.is_certain() {
                held.text.push(char);
            }
            input.pos += char.len_utf8();
            self.document.at = LinePlace::Header(header);
        }
        Ok(())
    }

    /// Begins a block scalar after its header.
    fn begin_block(&mut self, header: BlockHeader, end: u64) {
        let document = &mut self.document;
        document.nests.take_expected();
        self.emitter.string_open(end);
        let parent = document.nests.parent().unwrap_or_default();
        document.scalar = OpenScalar::Block(BlockScalar::new(header.says, parent));
    }

    /// A line of the open scalar.
    pub(super) fn read_text(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        let text = piece(input);
        if text.is_empty() {
            return self.end_line(input);
        }
        let ends = match &mut self.document.scalar {
            OpenScalar::None => {
                self.document.at = LinePlace::Rest;
                false
            }
            OpenScalar::Plain(plain) => plain.read(text, input, &self.bounds, &mut self.emitter)?,
            OpenScalar::Quoted(quoted) => {
                if quoted.read(text, input, self.bounds.held, &mut self.emitter) {
                    self.leave_quoted();
                }
                false
            }
            OpenScalar::Block(_) => {
                input.pos += text.len();
                self.emitter.string_text(text, input.offset());
                false
            }
            OpenScalar::Deferred(deferred) => deferred.read(text, input, &self.emitter)?,
        };
        if ends {
            self.document.at = LinePlace::Rest;
            self.end_scalar()?;
        }
        Ok(())
    }

    /// Ends a line of the open scalar.
    fn end_line(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        let at = input.offset();
        match &mut self.document.scalar {
            OpenScalar::Deferred(deferred) => {
                if deferred.is_closed() {
                    self.end_scalar()?;
                } else {
                    deferred.end_line();
                }
                self.take_line_end(input);
                return Ok(());
            }
            OpenScalar::Quoted(quoted) => match quoted.before_line_end(at, &mut self.emitter) {
                QuotedStop::Noted(_) => return Ok(()),
                QuotedStop::Closed => {
                    self.leave_quoted();
                    return Ok(());
                }
                QuotedStop::More | QuotedStop::Capped => {}
            },
            OpenScalar::Plain(plain) => plain.before_line_end(at, &mut self.emitter),
            OpenScalar::None | OpenScalar::Block(_) => {}
        }
        self.take_line_end(input);
        let mut out = String::new();
        // One line end may always be held.
        self.document.scalar.end_line(self.bounds.held, &mut out);
        self.emitter.string_text(&out, input.offset());
        Ok(())
    }

    /// The quoted scalar closed.
    fn leave_quoted(&mut self) {
        self.document.scalar = OpenScalar::None;
        self.document.at = LinePlace::Behind { blank: false };
    }

    /// After a quoted scalar: only a comment may follow.
    pub(super) fn read_behind_quote(&mut self, blank: bool, input: &mut Input<'_>) {
        let Some(char) = input.peek_char() else { return };
        if is_blank(char) {
            input.pos += 1;
            self.document.at = LinePlace::Behind { blank: true };
            return;
        }
        let comment = blank && char == '#';
        if !is_line_end(char) && !comment {
            self.emitter.notice(Code::YamlTrailingAfterQuote, Span::at(input.offset()));
        }
        self.document.at = LinePlace::Rest;
    }

    /// Reads a line in a quoted scalar that may be a declared key. If it is one, the scalar was left open.
    pub(super) fn read_quote_key(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        while let Some(char) = input.peek_char() {
            let held = &mut self.document.held;
            let (start, line) = (held.start, &mut held.text);
            let name = line.strip_suffix(':').filter(|_| is_blank(char) || is_line_end(char));
            if name.is_some_and(|name| self.emitter.is_missing(name)) {
                let first = held.first().unwrap_or(char);
                self.emitter.notice(Code::YamlUnterminatedQuote, Span::at(start));
                held.read_again(input.offset());
                self.end_scalar()?;
                return self.structure(first, start);
            }
            line.push(char);
            let may = self.emitter.is_missing_beginning(line)
                || line.strip_suffix(':').is_some_and(|name| self.emitter.is_missing(name));
            if is_line_end(char) || !may {
                line.pop();
                held.read_again(input.offset());
                self.document.at = LinePlace::Text;
                self.note_low_quote(start);
                return Ok(());
            }
            input.pos += char.len_utf8();
        }
        Ok(())
    }

    /// Notes a line of a quoted scalar with too little indent.
    pub(super) fn note_low_quote(&mut self, at: u64) {
        if let OpenScalar::Quoted(quoted) = &mut self.document.scalar {
            quoted.note_low(at, &mut self.emitter);
        }
    }

    /// Adds the line of the held indicator to the kept value.
    pub(super) fn keep_sign(&mut self) {
        let document = &mut self.document;
        if let OpenScalar::Deferred(deferred) = &mut document.scalar {
            deferred.push_sign(document.line.spaces, &document.held.text, document.held.start);
        }
        document.at = LinePlace::Text;
    }

    /// At the end of the input, adds the held text of the line to the kept value, if there is one.
    fn keep_held(&mut self) {
        let document = &mut self.document;
        if let OpenScalar::Deferred(deferred) = &mut document.scalar {
            deferred.push_held(document.line.spaces, &document.held.text);
            document.at = LinePlace::Text;
        }
    }

    /// Ends the open scalar.
    pub(super) fn end_scalar(&mut self) -> Result<(), Error> {
        match core::mem::take(&mut self.document.scalar) {
            OpenScalar::None => {}
            OpenScalar::Plain(plain) => plain.close(&mut self.emitter),
            OpenScalar::Quoted(_) => self.emitter.string_close(),
            OpenScalar::Block(mut block) => {
                let mut out = String::new();
                block.close(&mut out);
                self.emitter.string_text(&out, self.emitter.end());
                self.emitter.string_close();
            }
            OpenScalar::Deferred(deferred) => self.emit_deferred(&deferred, true)?,
        }
        Ok(())
    }

    /// Reads and emits a kept value. `whole` is false if the input ended inside it.
    fn emit_deferred(&mut self, deferred: &Deferred, whole: bool) -> Result<(), Error> {
        let column = self.document.nests.parent().unwrap_or_default();
        match deferred.emit(whole, column, &mut self.emitter)? {
            DeferredEnd::Emitted => Ok(()),
            DeferredEnd::Refused(behind) => self.read_without_property(deferred, behind, whole),
        }
    }

    /// Reads a value whose anchor or tag the library refuses, without its anchor and tag.
    fn read_without_property(
        &mut self,
        deferred: &Deferred,
        behind: BehindProperty,
        whole: bool,
    ) -> Result<(), Error> {
        let (text, start) = deferred.behind(behind);
        let expect = Expect { end: start, ..behind.expect };
        let inner = self.document.without_property(start.saturating_sub(behind.column), expect);
        let outer = core::mem::replace(&mut self.document, inner);
        let mut input = Input::new(text, start);
        while !input.is_done() {
            self.read(&mut input)?;
            while self.read_again()? {}
        }
        if whole {
            self.end_scalar()?;
            self.nothing();
            self.close_down_to(outer.nests.open.len())?;
        } else {
            self.cut(input.offset())?;
        }
        self.document = outer;
        Ok(())
    }

    /// Closes the innermost collections until this number is left.
    pub(super) fn close_down_to(&mut self, left: usize) -> Result<(), Error> {
        while self.document.nests.open.len() > left {
            self.document.nests.open.pop();
            self.emitter.close()?;
        }
        Ok(())
    }

    /// The document ended: closes its scalar and collections.
    pub(super) fn end_document(&mut self) -> Result<(), Error> {
        if self.document.frame.is_over() {
            return Ok(());
        }
        if let OpenScalar::Quoted(_) = self.document.scalar {
            let end = Span::at(self.emitter.end());
            self.emitter.notice(Code::YamlUnterminatedQuote, end);
        }
        self.end_scalar()?;
        self.nothing();
        self.close_down_to(0)?;
        self.emitter.end_document();
        Ok(())
    }

    /// The input ended in the document: held text is decided, and open values stay open.
    pub(super) fn end_of_input(&mut self, end: u64) -> Result<(), Error> {
        self.cut(end)?;
        self.emitter.emit_missing();
        if self.closed {
            return Ok(());
        }
        if !self.emitter.is_rooted() {
            self.emitter.notice(Code::Truncated, Span::at(end));
        }
        if !self.emitter.is_open() {
            self.emitter.out.push(TokenKind::Skipped(SkipReason::Truncated), end);
        }
        Ok(())
    }

    /// Decides the held text of the line and the open scalar at the end of the input.
    fn cut(&mut self, end: u64) -> Result<(), Error> {
        self.cut_line(end)?;
        self.cut_scalar(end)
    }

    fn cut_line(&mut self, end: u64) -> Result<(), Error> {
        let document = &self.document;
        match document.at {
            LinePlace::Candidate(marker) => {
                let scope = document.frame.scope(self.name.read());
                if let MarkerStep::Whole(boundary, _) = marker.push(None, &scope) {
                    self.boundary(boundary, end)?;
                } else if marker.is_run() {
                    self.keep_held();
                }
            }
            LinePlace::Probe(mut probe, role) => match (probe.push(None), role) {
                (KeyFound::Key, _) => self.key(probe.is_quoted(), role, end)?,
                (_, SignRole::Node) => {
                    self.begin_held(end);
                    while self.read_again()? {}
                }
                _ => {}
            },
            LinePlace::Sign { role: SignRole::Node, read: true } if document.held.text == "-" => {
                self.item(self.document.held.start)?;
            }
            LinePlace::Property if self.is_alias() => self.emit_alias()?,
            LinePlace::Sign { role: SignRole::Kept, read: true } => self.keep_sign(),
            LinePlace::Alias => self.emit_alias()?,
            LinePlace::Header(header) => self.begin_block(header, end),
            _ => {}
        }
        Ok(())
    }

    fn cut_scalar(&mut self, end: u64) -> Result<(), Error> {
        let YamlDocument { at, line, scalar, .. } = &mut self.document;
        let (spaces, most) = (line.spaces, self.bounds.held);
        match core::mem::take(scalar) {
            OpenScalar::None => {}
            OpenScalar::Plain(plain) => plain.cut(&mut self.emitter),
            OpenScalar::Quoted(quoted) => quoted.cut(end, &mut self.emitter),
            OpenScalar::Block(mut block) => {
                let mut out = String::new();
                match at {
                    LinePlace::Text => drop(block.end_line(most, &mut out)),
                    LinePlace::Lead => block.end_of_input(spaces, most, &mut out),
                    _ => {}
                }
                block.close(&mut out);
                self.emitter.string_text(&out, end);
            }
            OpenScalar::Deferred(mut deferred) => {
                if *at == LinePlace::Lead {
                    deferred.push_spaces(spaces);
                }
                self.emit_deferred(&deferred, false)?;
            }
        }
        Ok(())
    }
}
