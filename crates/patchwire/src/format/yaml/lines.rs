//! Lines: their indent, the boundaries of the document, and the scalars that go on over lines.

use super::seek::{BOM, LONGEST_MARKER};
use super::state::{LinePlace, OpenScalar, SignRole};
use super::{YamlFormat, YamlStage};
use crate::codes::{Code, SkipReason};
use crate::error::Error;
use crate::lex::yaml::{
    BlockLine, DocumentBoundary, DocumentMarker, MarkerScope, MarkerStep, is_blank,
};
use crate::lex::{Input, TokenKind};
use crate::span::Span;

/// Most of a line that is looked at for its end at a time.
const WINDOW: usize = 4 << 10;

/// Whether a character ends a line.
pub(super) const fn is_line_end(char: char) -> bool {
    matches!(char, '\n' | '\r')
}

/// The next part of the line; empty at its end.
pub(super) fn piece<'a>(input: &Input<'a>) -> &'a str {
    let rest = input.rest();
    let most = (rest.len().min(WINDOW)..).find(|at| rest.is_char_boundary(*at));
    let most = &rest[..most.unwrap_or(rest.len())];
    let end = memchr::memchr2(b'\n', b'\r', most.as_bytes()).unwrap_or(most.len());
    &most[..end]
}

impl YamlFormat {
    /// Reads on in the document.
    pub(super) fn read(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        let document = &mut self.document;
        if core::mem::take(&mut document.cr) && input.peek() == Some(b'\n') {
            input.pos += 1;
            document.line = input.offset();
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
                self.read_rest(input);
                Ok(())
            }
        }
    }

    fn read_rest(&mut self, input: &mut Input<'_>) {
        let bytes = input.bytes();
        match memchr::memchr2(b'\n', b'\r', bytes) {
            None => input.pos += bytes.len(),
            Some(len) => {
                input.pos += len;
                self.take_line_end(input);
            }
        }
    }

    /// The line ends here.
    pub(super) fn take_line_end(&mut self, input: &mut Input<'_>) {
        let document = &mut self.document;
        document.cr = input.peek() == Some(b'\r');
        input.pos += 1;
        document.line = input.offset();
        (document.spaces, document.tabs) = (0, 0);
        document.at = LinePlace::Lead;
        document.held.clear();
        if let Some(expect) = &mut document.expect {
            (expect.fresh, expect.same_line, expect.tab) = (true, false, false);
        }
    }

    fn read_lead(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        while let Some(char) = input.peek_char() {
            let tab_is_text = char == '\t' && self.takes_tabs();
            let document = &mut self.document;
            match char {
                ' ' if document.tabs == 0 => {
                    input.pos += 1;
                    document.spaces += 1;
                    if self.meets_space(input.offset()) {
                        return Ok(());
                    }
                }
                '\t' if document.tabs == 0 && tab_is_text => return self.first(char, input),
                ' ' | '\t' => {
                    input.pos += 1;
                    document.tabs += 1;
                }
                BOM if !document.begun && document.column() == 0 => {
                    let start = input.offset();
                    input.pos += char.len_utf8();
                    document.line = input.offset();
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

    /// Whether a tab here is text.
    fn takes_tabs(&self) -> bool {
        match &self.document.scalar {
            OpenScalar::Block(block) => block.is_text_at(self.document.spaces),
            OpenScalar::Deferred(deferred) => {
                let parent = self.document.parent();
                deferred.takes_all() || parent.is_none_or(|parent| self.document.spaces > parent)
            }
            _ => false,
        }
    }

    /// Counts one more leading space. Returns whether the line of a block scalar has so many that
    /// they are emitted before the next character is known.
    fn meets_space(&mut self, end: u64) -> bool {
        let spaces = self.document.spaces;
        let OpenScalar::Block(block) = &mut self.document.scalar else { return false };
        let mut out = String::new();
        block.spaces(spaces, &mut out);
        let flooded = block.blanks_of(spaces).filter(|text| *text > self.most_held);
        if let Some(text) = flooded {
            self.emitter.notice(Code::HoldCap, Span::at(end));
            block.begin(true, &mut out);
            out.extend((0..text).map(|_| ' '));
            self.document.at = LinePlace::Text;
        }
        self.emitter.string_text(&out, if flooded.is_some() { end } else { self.document.line });
        flooded.is_some()
    }

    /// A line of only whitespace ended.
    fn blank_line(&mut self, input: &mut Input<'_>) {
        let (spaces, tabs, most) = (self.document.spaces, self.document.tabs, self.most_held);
        let at = input.offset();
        self.take_line_end(input);
        let mut out = String::new();
        let full = match &mut self.document.scalar {
            OpenScalar::Block(block) => {
                if tabs > 0 {
                    self.emitter.notice(Code::YamlTab, Span::at(at));
                }
                block.blank(spaces, most, &mut out)
            }
            OpenScalar::Plain(scalar) => scalar.plain.line_end(most, &mut out),
            OpenScalar::Quoted { quoted, .. } => {
                if tabs > 0 && self.document.nests.last().is_some_and(|nest| spaces <= nest.column)
                {
                    self.emitter.notice(Code::YamlTab, Span::at(at));
                }
                quoted.line_end(most, &mut out)
            }
            OpenScalar::Deferred(deferred) => {
                deferred.blank_line(spaces, tabs);
                false
            }
            OpenScalar::None => false,
        };
        if full {
            self.emitter.notice(Code::HoldCap, Span::at(at));
        }
        self.emitter.string_text(&out, input.offset());
    }

    /// The first visible character of a line.
    fn first(&mut self, char: char, input: &mut Input<'_>) -> Result<(), Error> {
        let at_start = self.document.column() == 0;
        match DocumentMarker::begin(char, at_start, &self.scope()) {
            Some(marker) => {
                self.document.held.clear();
                self.document.held.push(char);
                self.document.at = LinePlace::Candidate(marker);
                input.pos += 1;
                Ok(())
            }
            None => self.dispatch(char, input.offset()),
        }
    }

    /// The boundaries that may come here.
    pub(super) fn scope(&self) -> MarkerScope<'_> {
        let document = &self.document;
        let fresh = !document.begun && document.over.is_none();
        MarkerScope {
            begin: fresh && !document.marked,
            end: true,
            dashes: true,
            fence_open: fresh && !document.fenced,
            fence_close: document.fenced,
            name: &self.name,
        }
    }

    fn read_candidate(
        &mut self,
        marker: DocumentMarker,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        let mut marker = marker;
        while let Some(char) = input.peek_char() {
            let room = self.document.held.len() < LONGEST_MARKER;
            let next = (!is_line_end(char)).then_some(char);
            match if room { marker.push(next, &self.scope()) } else { MarkerStep::Refuted } {
                MarkerStep::More(more) => {
                    marker = more;
                    self.document.at = LinePlace::Candidate(marker);
                    self.document.held.push(char);
                    input.pos += char.len_utf8();
                }
                MarkerStep::Whole(boundary, own) => {
                    input.pos += if own { char.len_utf8() } else { 0 };
                    return self.boundary(boundary, input.offset());
                }
                MarkerStep::Refuted => {
                    let first = self.document.held.chars().next().unwrap_or(char);
                    let start = input.offset() - self.document.held.len() as u64;
                    self.read_held_again(input.offset());
                    return self.dispatch(first, start);
                }
            }
        }
        Ok(())
    }

    /// The held text, which ends at this offset, is something else: it is read again.
    pub(super) fn read_held_again(&mut self, end: u64) {
        let held = core::mem::take(&mut self.document.held);
        self.document.again = super::state::YamlHeldText::new(held, end);
    }

    /// The line begins or ends a document.
    pub(super) fn boundary(&mut self, boundary: DocumentBoundary, end: u64) -> Result<(), Error> {
        let document = &mut self.document;
        document.held.clear();
        document.at = LinePlace::Rest;
        match boundary {
            DocumentBoundary::Begin => document.marked = true,
            DocumentBoundary::FenceOpen => document.fenced = true,
            DocumentBoundary::Start if !document.begun && document.over.is_none() => {
                document.at = LinePlace::Dashes;
            }
            DocumentBoundary::Start => {
                self.end_document()?;
                if !self.document.over.replace(true).unwrap_or_default() {
                    self.emitter.notice(Code::YamlMultiDocument, Span::at(end));
                }
            }
            DocumentBoundary::Stop => {
                self.end_document()?;
                self.document.over.get_or_insert(false);
            }
            DocumentBoundary::End | DocumentBoundary::FenceClose => {
                if document.tabs > 0 && document.over.is_none() {
                    self.emitter.notice(Code::YamlTab, Span::at(end));
                }
                self.end_document()?;
                self.emitter.out.push(TokenKind::Skipped(SkipReason::Fence), end);
                self.stage = YamlStage::After;
            }
        }
        Ok(())
    }

    /// After `---`: text that is no comment begins a document that is no mapping.
    fn read_dashes(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        let Some(char) = input.peek_char() else { return Ok(()) };
        match char {
            ' ' | '\t' => input.pos += 1,
            '#' | '\n' | '\r' => self.document.at = LinePlace::Rest,
            _ => {
                self.document.held.clear();
                self.document.held.push_str("--- ");
                self.document.start = self.document.line;
                self.defer_document();
            }
        }
        Ok(())
    }

    /// The first character of a line decides between the open scalar and a new entry.
    fn dispatch(&mut self, char: char, at: u64) -> Result<(), Error> {
        if self.document.over.is_some() {
            self.document.at = LinePlace::Rest;
            return Ok(());
        }
        self.document.start = at;
        match self.document.scalar {
            OpenScalar::None => self.structure(char, at),
            OpenScalar::Block(_) => self.block_line(char, at),
            OpenScalar::Plain(_) => self.plain_line(char, at),
            OpenScalar::Quoted { .. } => {
                self.quoted_line(char, at);
                Ok(())
            }
            OpenScalar::Deferred(_) => self.deferred_line(char, at),
        }
    }

    fn block_line(&mut self, char: char, at: u64) -> Result<(), Error> {
        let column = self.document.column();
        let OpenScalar::Block(block) = &mut self.document.scalar else { return Ok(()) };
        let line = block.line(column, self.document.tabs > 0, char);
        let (blanks, code) = match line {
            BlockLine::Text(blanks) => (blanks, None),
            BlockLine::Lower => (0, Some(Code::YamlLeadingSpaces)),
            BlockLine::Under => (0, Some(Code::YamlUnderindented)),
            BlockLine::Comment | BlockLine::EarlyComment | BlockLine::Outside => {
                if line == BlockLine::EarlyComment {
                    self.emitter.notice(Code::YamlUnderindented, Span::at(at));
                }
                self.end_scalar()?;
                return self.structure(char, at);
            }
        };
        let mut out = String::new();
        block.begin(blanks > 0 || is_blank(char), &mut out);
        out.extend((0..blanks).map(|_| ' '));
        if self.document.tabs > 0 {
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
        let deeper = self.document.parent().is_none_or(|parent| self.document.column() > parent);
        if deeper && char != '#' {
            self.note_tab(at);
            self.document.at = LinePlace::Text;
            return Ok(());
        }
        self.end_scalar()?;
        self.structure(char, at)
    }

    fn quoted_line(&mut self, char: char, at: u64) {
        let document = &mut self.document;
        let under = document.parent().is_some_and(|parent| document.column() <= parent);
        let root = document.nests.first().map(|nest| nest.column);
        let begins = |name: &str| name.starts_with(char);
        if under && root == Some(document.column()) && self.emitter.missing().any(begins) {
            document.at = LinePlace::QuoteKey;
            document.held.clear();
            return;
        }
        document.at = LinePlace::Text;
        if under {
            self.note_low_quote(at);
        } else {
            self.note_tab(at);
        }
    }

    /// A tab stands where spaces should indent.
    pub(super) fn note_tab(&mut self, at: u64) {
        let document = &self.document;
        if document.tabs > 0 && document.parent().is_none_or(|parent| document.spaces <= parent) {
            self.emitter.notice(Code::YamlTab, Span::at(at));
        }
    }

    /// A line that belongs to no scalar.
    pub(super) fn structure(&mut self, char: char, at: u64) -> Result<(), Error> {
        let column = self.document.column();
        if char == '#' || char == '%' && column == 0 && !self.document.begun {
            self.document.at = LinePlace::Rest;
            return Ok(());
        }
        if self.document.tabs > 0 {
            self.emitter.notice(Code::YamlTab, Span::at(at));
        }
        if let (Some(_), Some(nest)) = (&self.document.expect, self.document.nests.last()) {
            if column > nest.column {
                self.document.at = LinePlace::Node;
                return Ok(());
            }
            if !nest.list && column == nest.column && char == '-' {
                self.document.at = LinePlace::Sign { role: SignRole::Node, read: false };
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
