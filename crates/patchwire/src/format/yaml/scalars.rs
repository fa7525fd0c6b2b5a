//! Scalars that are emitted while they are read.

use super::YamlFormat;
use super::emitter::PlainWant;
use super::lines::{is_line_end, piece};
use super::state::{LinePlace, OpenScalar, PlainScalar};
use crate::codes::Code;
use crate::error::{Error, ErrorKind};
use crate::lex::Input;
use crate::lex::yaml::{
    BlockHeader, BlockScalar, CoreValue, CoreWord, PlainLines, PlainStop, QuotedScalar, QuotedStop,
    is_blank, is_reserved, resolve,
};
use crate::limits::Limit;
use crate::span::Span;

impl YamlFormat {
    /// A plain scalar begins there with this character.
    pub(super) fn begin_plain(&mut self, first: char, start: u64) {
        self.take_expected();
        if is_reserved(first) {
            self.emitter.notice(Code::YamlReserved, Span::at(start));
        }
        let want = self.emitter.want();
        let word = Some(CoreWord::new(want == PlainWant::TextOrNull));
        let (plain, text) = (PlainLines::new(first), String::new());
        self.document.scalar =
            OpenScalar::Plain(PlainScalar { plain, want, word, text, start, end: start });
        self.document.at = LinePlace::Text;
    }

    /// A quoted scalar begins, its quote ends there.
    pub(super) fn begin_quoted(&mut self, quote: char, end: u64) {
        self.take_expected();
        self.emitter.string_open(end);
        self.document.scalar =
            OpenScalar::Quoted { quoted: QuotedScalar::new(quote == '"'), noted: false };
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
            let room = self.document.held.len() as u64 <= self.most_held;
            if !room || !header.push(char) {
                self.emitter.notice(Code::YamlBadBlockHeader, Span::at(self.document.start));
                self.begin_held(input.offset());
                return Ok(());
            }
            if !header.is_certain() {
                self.document.held.push(char);
            }
            input.pos += char.len_utf8();
            self.document.at = LinePlace::Header(header);
        }
        Ok(())
    }

    /// A block scalar begins, its header ends there.
    pub(super) fn begin_block(&mut self, header: BlockHeader, end: u64) {
        self.take_expected();
        self.emitter.string_open(end);
        let parent = self.document.parent().unwrap_or_default();
        self.document.scalar = OpenScalar::Block(BlockScalar::new(header.says, parent));
    }

    /// A line of the open scalar.
    pub(super) fn read_text(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        let text = piece(input);
        if text.is_empty() {
            return self.end_line(input);
        }
        match &mut self.document.scalar {
            OpenScalar::None => {
                self.document.at = LinePlace::Rest;
                Ok(())
            }
            OpenScalar::Plain(_) => self.read_plain(text, input),
            OpenScalar::Quoted { .. } => {
                self.read_quoted(text, input);
                Ok(())
            }
            OpenScalar::Block(_) => {
                input.pos += text.len();
                self.emitter.string_text(text, input.offset());
                Ok(())
            }
            OpenScalar::Deferred(_) => self.read_deferred(text, input),
        }
    }

    /// The line of the open scalar ends here.
    fn end_line(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        let (at, most) = (input.offset(), self.most_held);
        let mut out = String::new();
        match &mut self.document.scalar {
            OpenScalar::Deferred(_) => return self.end_deferred_line(input),
            OpenScalar::Quoted { quoted, .. } => {
                let read = quoted.before_line_end(&mut out);
                self.emitter.string_text(&out, at);
                match read {
                    QuotedStop::Noted(code) => {
                        self.emitter.notice(code, Span::at(at));
                        return Ok(());
                    }
                    QuotedStop::Closed => {
                        self.close_quoted(at);
                        return Ok(());
                    }
                    QuotedStop::More | QuotedStop::Capped => out.clear(),
                }
            }
            OpenScalar::Plain(scalar) => {
                if let Some(code) = scalar.plain.meets_blank().and_then(code_of) {
                    self.emitter.notice(code, Span::at(at));
                }
            }
            _ => {}
        }
        self.take_line_end(input);
        let full = match &mut self.document.scalar {
            OpenScalar::Quoted { quoted, .. } => quoted.line_end(most, &mut out),
            OpenScalar::Plain(scalar) => scalar.plain.line_end(most, &mut out),
            OpenScalar::Block(block) => block.end_line(most, &mut out),
            _ => false,
        };
        self.emitter.string_text(&out, input.offset());
        if full {
            self.emitter.notice(Code::HoldCap, Span::at(at));
        }
        Ok(())
    }

    fn read_plain(&mut self, text: &str, input: &mut Input<'_>) -> Result<(), Error> {
        let OpenScalar::Plain(scalar) = &mut self.document.scalar else { return Ok(()) };
        let mut out = String::new();
        let (read, certain, run) = scalar.plain.read(text, self.most_held, &mut out);
        let end = input.offset_of(input.pos + certain);
        input.pos += read;
        self.plain_text(&out, end)?;
        let at = Span::at(input.offset());
        if let Some(code) = code_of(run) {
            self.emitter.notice(code, at);
        }
        if run == PlainStop::Comment {
            self.end_scalar()?;
            self.document.at = LinePlace::Rest;
        }
        Ok(())
    }

    /// Emits certain text of a plain scalar, unless the scalar may still be null, a bool or a
    /// number.
    fn plain_text(&mut self, text: &str, end: u64) -> Result<(), Error> {
        let OpenScalar::Plain(scalar) = &mut self.document.scalar else { return Ok(()) };
        if text.is_empty() {
            return Ok(());
        }
        scalar.end = end;
        let Some(mut word) = scalar.word else {
            self.emitter.string_text(text, end);
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
        self.emitter.string_open(scalar.start);
        self.emitter.string_text(&text, end);
        Ok(())
    }

    fn read_quoted(&mut self, text: &str, input: &mut Input<'_>) {
        let OpenScalar::Quoted { quoted, .. } = &mut self.document.scalar else { return };
        let mut out = String::new();
        let (read, certain, end) = quoted.read(text, self.most_held, &mut out);
        let emitted = input.offset_of(input.pos + certain);
        input.pos += read;
        self.emitter.string_text(&out, emitted);
        let at = input.offset();
        match end {
            QuotedStop::More => {}
            QuotedStop::Closed => self.close_quoted(at),
            QuotedStop::Capped => self.emitter.notice(Code::HoldCap, Span::at(at)),
            QuotedStop::Noted(code) => self.emitter.notice(code, Span::at(at)),
        }
    }

    /// The quoted scalar ends there.
    fn close_quoted(&mut self, end: u64) {
        self.emitter.reach(end);
        self.emitter.string_close();
        self.document.scalar = OpenScalar::None;
        self.document.at = LinePlace::Behind { blank: false };
    }

    /// Behind a quoted scalar: a comment may follow, and nothing else.
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

    /// A line in a quoted scalar that may be a declared key: then the scalar was left open.
    pub(super) fn read_quote_key(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        while let Some(char) = input.peek_char() {
            let held = &mut self.document.held;
            let name = held.strip_suffix(':').filter(|_| is_blank(char) || is_line_end(char));
            if name.is_some_and(|name| self.emitter.missing().any(|missing| missing == name)) {
                let first = held.chars().next().unwrap_or(char);
                let start = self.document.start;
                self.emitter.notice(Code::YamlUnterminatedQuote, Span::at(start));
                self.read_held_again(input.offset());
                self.end_scalar()?;
                return self.structure(first, start);
            }
            held.push(char);
            let may = |name: &str| {
                let begun = held.strip_suffix(':');
                name.starts_with(held.as_str()) || begun == Some(name)
            };
            if is_line_end(char) || !self.emitter.missing().any(may) {
                held.pop();
                let start = self.document.start;
                self.read_held_again(input.offset());
                self.document.at = LinePlace::Text;
                self.note_low_quote(start);
                return Ok(());
            }
            input.pos += char.len_utf8();
        }
        Ok(())
    }

    /// A line of a quoted scalar has too little indent.
    pub(super) fn note_low_quote(&mut self, at: u64) {
        if let OpenScalar::Quoted { noted, .. } = &mut self.document.scalar
            && !core::mem::replace(noted, true)
        {
            self.emitter.notice(Code::YamlUnderindentedQuote, Span::at(at));
        }
    }

    /// The open scalar is over.
    pub(super) fn end_scalar(&mut self) -> Result<(), Error> {
        match core::mem::take(&mut self.document.scalar) {
            OpenScalar::None => {}
            OpenScalar::Plain(scalar) => self.end_plain(&scalar),
            OpenScalar::Quoted { .. } => self.emitter.string_close(),
            OpenScalar::Block(mut block) => {
                let mut out = String::new();
                block.close(&mut out);
                self.emitter.string_text(&out, self.emitter.end());
                self.emitter.string_close();
            }
            OpenScalar::Deferred(deferred) => self.emit_deferred(deferred, true)?,
        }
        Ok(())
    }

    fn end_plain(&mut self, scalar: &PlainScalar) {
        match scalar.word {
            Some(_) => self.emitter.plain(&scalar.text, scalar.want, scalar.end),
            None => self.emitter.string_close(),
        }
    }

    /// The input ends in a plain scalar: half a word that is none is text, and stays open.
    pub(super) fn cut_plain(&mut self, scalar: &PlainScalar) {
        if scalar.word.is_none() {
            return;
        }
        let nulls = scalar.want == PlainWant::TextOrNull;
        if resolve(&scalar.text, nulls) != CoreValue::Text {
            self.emitter.plain(&scalar.text, scalar.want, scalar.end);
        } else if self.emitter.takes_text() {
            self.emitter.string_open(scalar.start);
            self.emitter.string_text(&scalar.text, scalar.end);
        } else {
            self.emitter.notice(Code::TruncatedScalar, Span::new(scalar.start, scalar.end));
        }
    }
}

/// The notice for the end of a run.
const fn code_of(run: PlainStop) -> Option<Code> {
    match run {
        PlainStop::More => None,
        PlainStop::Colon => Some(Code::YamlColonInPlain),
        PlainStop::Sign => Some(Code::YamlReserved),
        PlainStop::Capped => Some(Code::HoldCap),
        PlainStop::Comment => Some(Code::YamlCommentTruncated),
    }
}
