//! Scalars that are emitted as they come.

use super::YamlFormat;
use super::lines::{is_line_end, piece};
use super::state::{At, PlainScalar, Scalar};
use super::teller::Want;
use crate::codes::Code;
use crate::error::{Error, ErrorKind};
use crate::lex::Input;
use crate::lex::yaml::{
    Block, Header, Plain, Quoted, Read, Resolved, Run, Word, is_blank, is_reserved, resolve,
};
use crate::limits::Limit;
use crate::span::Span;

impl YamlFormat {
    /// A plain scalar begins there with this character.
    pub(super) fn begin_plain(&mut self, first: char, start: u64) {
        self.take_expected();
        if is_reserved(first) {
            self.teller.notice(Code::YamlReserved, Span::at(start));
        }
        let want = self.teller.want();
        let word = Some(Word::new(want == Want::TextOrNull));
        let (plain, text) = (Plain::new(first), String::new());
        self.document.scalar =
            Scalar::Plain(PlainScalar { plain, want, word, text, start, end: start });
        self.document.at = At::Text;
    }

    /// A quoted scalar begins, its quote ends there.
    pub(super) fn begin_quoted(&mut self, quote: char, end: u64) {
        self.take_expected();
        self.teller.string_open(end);
        self.document.scalar = Scalar::Quoted { quoted: Quoted::new(quote == '"'), noted: false };
        self.document.at = At::Text;
    }

    /// The first line of a block scalar.
    pub(super) fn read_header(
        &mut self,
        header: Header,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        let mut header = header;
        while let Some(char) = input.peek_char() {
            if is_line_end(char) {
                self.begin_block(header, input.offset());
                self.take_line_end(input);
                return Ok(());
            }
            let room = self.document.held.len() as u64 <= self.most_held;
            if !room || !header.push(char) {
                self.teller.notice(Code::YamlBadBlockHeader, Span::at(self.document.start));
                self.begin_held(input.offset());
                return Ok(());
            }
            if !header.is_certain() {
                self.document.held.push(char);
            }
            input.pos += char.len_utf8();
            self.document.at = At::Header(header);
        }
        Ok(())
    }

    /// A block scalar begins, its header ends there.
    pub(super) fn begin_block(&mut self, header: Header, end: u64) {
        self.take_expected();
        self.teller.string_open(end);
        let parent = self.document.parent().unwrap_or_default();
        self.document.scalar = Scalar::Block(Block::new(header.says, parent));
    }

    /// A line of the open scalar.
    pub(super) fn read_text(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        let text = piece(input);
        if text.is_empty() {
            return self.end_line(input);
        }
        match &mut self.document.scalar {
            Scalar::None => {
                self.document.at = At::Rest;
                Ok(())
            }
            Scalar::Plain(_) => self.read_plain(text, input),
            Scalar::Quoted { .. } => {
                self.read_quoted(text, input);
                Ok(())
            }
            Scalar::Block(_) => {
                input.pos += text.len();
                self.teller.string_text(text, input.offset());
                Ok(())
            }
            Scalar::Deferred(_) => self.read_deferred(text, input),
        }
    }

    /// The line of the open scalar ends here.
    fn end_line(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        let (at, most) = (input.offset(), self.most_held);
        let mut out = String::new();
        match &mut self.document.scalar {
            Scalar::Deferred(_) => return self.end_deferred_line(input),
            Scalar::Quoted { quoted, .. } => {
                let read = quoted.before_line_end(&mut out);
                self.teller.string_text(&out, at);
                match read {
                    Read::Noted(code) => {
                        self.teller.notice(code, Span::at(at));
                        return Ok(());
                    }
                    Read::Closed => {
                        self.close_quoted(at);
                        return Ok(());
                    }
                    Read::More | Read::Capped => out.clear(),
                }
            }
            Scalar::Plain(scalar) => {
                if let Some(code) = scalar.plain.meets_blank().and_then(code_of) {
                    self.teller.notice(code, Span::at(at));
                }
            }
            _ => {}
        }
        self.take_line_end(input);
        let full = match &mut self.document.scalar {
            Scalar::Quoted { quoted, .. } => quoted.line_end(most, &mut out),
            Scalar::Plain(scalar) => scalar.plain.line_end(most, &mut out),
            Scalar::Block(block) => block.end_line(most, &mut out),
            _ => false,
        };
        self.teller.string_text(&out, input.offset());
        if full {
            self.teller.notice(Code::HoldCap, Span::at(at));
        }
        Ok(())
    }

    fn read_plain(&mut self, text: &str, input: &mut Input<'_>) -> Result<(), Error> {
        let Scalar::Plain(scalar) = &mut self.document.scalar else { return Ok(()) };
        let mut out = String::new();
        let (read, certain, run) = scalar.plain.read(text, self.most_held, &mut out);
        let end = input.offset_of(input.pos + certain);
        input.pos += read;
        self.plain_text(&out, end)?;
        let at = Span::at(input.offset());
        if let Some(code) = code_of(run) {
            self.teller.notice(code, at);
        }
        if run == Run::Comment {
            self.end_scalar()?;
            self.document.at = At::Rest;
        }
        Ok(())
    }

    /// Text of a plain scalar is certain: it is emitted, unless it may still be something else.
    fn plain_text(&mut self, text: &str, end: u64) -> Result<(), Error> {
        let Scalar::Plain(scalar) = &mut self.document.scalar else { return Ok(()) };
        if text.is_empty() {
            return Ok(());
        }
        scalar.end = end;
        let Some(mut word) = scalar.word else {
            self.teller.string_text(text, end);
            return Ok(());
        };
        let mut chars = text.chars();
        let mut open = true;
        while open {
            let Some(char) = chars.next() else { break };
            scalar.text.push(char);
            open = word.push(&scalar.text);
            if open && scalar.text.len() as u64 > self.most_number {
                let offset = scalar.start + self.most_number;
                return Err(Error::new(ErrorKind::Limit(Limit::Number), offset));
            }
        }
        if open {
            scalar.word = Some(word);
            return Ok(());
        }
        scalar.word = None;
        scalar.text.push_str(chars.as_str());
        let text = core::mem::take(&mut scalar.text);
        self.teller.string_open(scalar.start);
        self.teller.string_text(&text, end);
        Ok(())
    }

    fn read_quoted(&mut self, text: &str, input: &mut Input<'_>) {
        let Scalar::Quoted { quoted, .. } = &mut self.document.scalar else { return };
        let mut out = String::new();
        let (read, certain, end) = quoted.read(text, self.most_held, &mut out);
        let emitted = input.offset_of(input.pos + certain);
        input.pos += read;
        self.teller.string_text(&out, emitted);
        let at = input.offset();
        match end {
            Read::More => {}
            Read::Closed => self.close_quoted(at),
            Read::Capped => self.teller.notice(Code::HoldCap, Span::at(at)),
            Read::Noted(code) => self.teller.notice(code, Span::at(at)),
        }
    }

    /// The quoted scalar ends there.
    fn close_quoted(&mut self, end: u64) {
        self.teller.reach(end);
        self.teller.string_close();
        self.document.scalar = Scalar::None;
        self.document.at = At::Behind { blank: false };
    }

    /// Behind a quoted scalar: a comment may follow, and nothing else.
    pub(super) fn read_behind_quote(&mut self, blank: bool, input: &mut Input<'_>) {
        let Some(char) = input.peek_char() else { return };
        if is_blank(char) {
            input.pos += 1;
            self.document.at = At::Behind { blank: true };
            return;
        }
        let comment = blank && char == '#';
        if !is_line_end(char) && !comment {
            self.teller.notice(Code::YamlTrailingAfterQuote, Span::at(input.offset()));
        }
        self.document.at = At::Rest;
    }

    /// A line in a quoted scalar that may be a declared key: then the scalar was left open.
    pub(super) fn read_quote_key(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        while let Some(char) = input.peek_char() {
            let held = &mut self.document.held;
            let name = held.strip_suffix(':').filter(|_| is_blank(char) || is_line_end(char));
            if name.is_some_and(|name| self.teller.missing().any(|missing| missing == name)) {
                let first = held.chars().next().unwrap_or(char);
                let start = self.document.start;
                self.teller.notice(Code::YamlUnterminatedQuote, Span::at(start));
                self.read_held_again(input.offset());
                self.end_scalar()?;
                return self.structure(first, start);
            }
            held.push(char);
            let may = |name: &str| {
                let begun = held.strip_suffix(':');
                name.starts_with(held.as_str()) || begun == Some(name)
            };
            if is_line_end(char) || !self.teller.missing().any(may) {
                held.pop();
                let start = self.document.start;
                self.read_held_again(input.offset());
                self.document.at = At::Text;
                self.note_low_quote(start);
                return Ok(());
            }
            input.pos += char.len_utf8();
        }
        Ok(())
    }

    /// A line of a quoted scalar has too little indent.
    pub(super) fn note_low_quote(&mut self, at: u64) {
        if let Scalar::Quoted { noted, .. } = &mut self.document.scalar
            && !core::mem::replace(noted, true)
        {
            self.teller.notice(Code::YamlUnderindentedQuote, Span::at(at));
        }
    }

    /// The open scalar is over.
    pub(super) fn end_scalar(&mut self) -> Result<(), Error> {
        match core::mem::take(&mut self.document.scalar) {
            Scalar::None => {}
            Scalar::Plain(scalar) => self.end_plain(&scalar),
            Scalar::Quoted { .. } => self.teller.string_close(),
            Scalar::Block(mut block) => {
                let mut out = String::new();
                block.close(&mut out);
                self.teller.string_text(&out, self.teller.end());
                self.teller.string_close();
            }
            Scalar::Deferred(deferred) => self.emit_deferred(deferred, true)?,
        }
        Ok(())
    }

    fn end_plain(&mut self, scalar: &PlainScalar) {
        match scalar.word {
            Some(_) => self.teller.plain(&scalar.text, scalar.want, scalar.end),
            None => self.teller.string_close(),
        }
    }

    /// The input ends in a plain scalar: half a word that is none is text, and stays open.
    pub(super) fn cut_plain(&mut self, scalar: &PlainScalar) {
        if scalar.word.is_none() {
            return;
        }
        let nulls = scalar.want == Want::TextOrNull;
        if resolve(&scalar.text, nulls) != Resolved::Text {
            self.teller.plain(&scalar.text, scalar.want, scalar.end);
        } else if self.teller.takes_text() {
            self.teller.string_open(scalar.start);
            self.teller.string_text(&scalar.text, scalar.end);
        } else {
            self.teller.notice(Code::TruncatedScalar, Span::new(scalar.start, scalar.end));
        }
    }
}

/// What is noticed of what ended a run.
const fn code_of(run: Run) -> Option<Code> {
    match run {
        Run::More => None,
        Run::Colon => Some(Code::YamlColonInPlain),
        Run::Sign => Some(Code::YamlReserved),
        Run::Capped => Some(Code::HoldCap),
        Run::Comment => Some(Code::YamlCommentTruncated),
    }
}
