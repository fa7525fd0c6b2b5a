//! Scalars that are emitted while they are read.

use super::bounds::YamlBounds;
use super::deferred::Deferred;
use super::emitter::{PlainWant, YamlEmitter};
use super::line::YamlLine;
use super::nests::Nests;
use crate::codes::Code;
use crate::error::{Error, ErrorKind};
use crate::lex::Input;
use crate::lex::yaml::{
    BlockScalar, CoreValue, CoreWord, PlainLines, PlainStop, QuotedScalar, QuotedStop, is_reserved,
    resolve,
};
use crate::limits::Limit;
use crate::span::Span;

/// The scalar or kept value that may continue on the next line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) enum OpenScalar {
    #[default]
    None,
    Plain(PlainScalar),
    Quoted(QuotedText),
    Block(BlockScalar),
    Deferred(Deferred),
}

impl OpenScalar {
    /// Whether a tab in the indent of this line is text.
    pub(super) fn takes_tabs(&self, spaces: u64, nests: &Nests) -> bool {
        match self {
            Self::Block(block) => block.is_text_at(spaces),
            Self::Deferred(deferred) => deferred.takes_all() || nests.is_inside(spaces),
            Self::None | Self::Plain(_) | Self::Quoted(_) => false,
        }
    }

    /// Whether a tab in a blank line with this indent is noted.
    pub(super) fn notes_tab(&self, spaces: u64, nests: &Nests) -> bool {
        match self {
            Self::Block(_) => true,
            Self::Quoted(_) => !nests.is_inside(spaces),
            Self::None | Self::Plain(_) | Self::Deferred(_) => false,
        }
    }

    /// Reads a line of only whitespace. Returns whether the bound on held text was reached.
    pub(super) fn blank_line(&mut self, line: &YamlLine, most: u64, out: &mut String) -> bool {
        match self {
            Self::Block(block) => block.blank(line.spaces, most, out),
            Self::Deferred(deferred) => {
                deferred.blank_line(line.spaces, line.tabs);
                false
            }
            scalar => scalar.end_line(most, out),
        }
    }

    /// Ends a line with text. Returns whether the bound on held text was reached.
    pub(super) fn end_line(&mut self, most: u64, out: &mut String) -> bool {
        match self {
            Self::Quoted(quoted) => quoted.scalar.line_end(most, out),
            Self::Plain(plain) => plain.lines.line_end(most, out),
            Self::Block(block) => block.end_line(most, out),
            Self::None | Self::Deferred(_) => false,
        }
    }
}

/// A plain scalar that is being read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PlainScalar {
    lines: PlainLines,
    want: PlainWant,
    /// The possible types of the text so far, if it may be something other than a string.
    word: Option<CoreWord>,
    /// The text so far, as long as its type is undecided.
    text: String,
    /// The offset at which it begins.
    start: u64,
    /// The offset at which its certain text ends.
    end: u64,
}

impl PlainScalar {
    /// Begins a plain scalar with this character.
    pub(super) fn begin(first: char, start: u64, emitter: &mut YamlEmitter) -> Self {
        if is_reserved(first) {
            emitter.notice(Code::YamlReserved, Span::at(start));
        }
        let want = emitter.want();
        let word = Some(CoreWord::new(want == PlainWant::TextOrNull));
        let (lines, text) = (PlainLines::new(first), String::new());
        Self { lines, want, word, text, start, end: start }
    }

    /// The offset and the text of a value whose type is undecided.
    pub(super) fn held(&self) -> Option<(u64, &str)> {
        self.word.map(|_| (self.start, self.text.as_str()))
    }

    /// Reads a part of a line. Returns whether a comment ended the scalar.
    ///
    /// # Errors
    /// If what may be a number is longer than its limit.
    pub(super) fn read(
        &mut self,
        text: &str,
        input: &mut Input<'_>,
        bounds: &YamlBounds,
        emitter: &mut YamlEmitter,
    ) -> Result<bool, Error> {
        let mut out = String::new();
        let (read, certain, run) = self.lines.read(text, bounds.held, &mut out);
        let end = input.offset_of(input.pos + certain);
        input.pos += read;
        self.emit(&out, end, bounds.number, emitter)?;
        if let Some(code) = code_of(run) {
            emitter.notice(code, Span::at(input.offset()));
        }
        Ok(run == PlainStop::Comment)
    }

    /// Emits certain text, unless the scalar may still be null, a bool or a number.
    fn emit(
        &mut self,
        text: &str,
        end: u64,
        most_number: u64,
        emitter: &mut YamlEmitter,
    ) -> Result<(), Error> {
        if text.is_empty() {
            return Ok(());
        }
        self.end = end;
        let Some(mut word) = self.word else {
            emitter.string_text(text, end);
            return Ok(());
        };
        let mut chars = text.chars();
        let mut open = true;
        while open {
            let Some(char) = chars.next() else { break };
            self.text.push(char);
            open = word.push(&self.text);
            if open && self.text.len() as u64 > most_number {
                let offset = self.start + most_number;
                return Err(Error::new(ErrorKind::Limit(Limit::Number), offset));
            }
        }
        if open {
            self.word = Some(word);
            return Ok(());
        }
        self.word = None;
        self.text.push_str(chars.as_str());
        let text = core::mem::take(&mut self.text);
        emitter.string_open(self.start);
        emitter.string_text(&text, end);
        Ok(())
    }

    /// Notes what the end of the line at this offset decides.
    pub(super) fn before_line_end(&mut self, at: u64, emitter: &mut YamlEmitter) {
        if let Some(code) = self.lines.meets_blank().and_then(code_of) {
            emitter.notice(code, Span::at(at));
        }
    }

    /// Completes the value.
    pub(super) fn close(&self, emitter: &mut YamlEmitter) {
        match self.word {
            Some(_) => emitter.plain(&self.text, self.want, self.end),
            None => emitter.string_close(),
        }
    }

    /// Ends the input inside the scalar. Half a word that has no value of its own is text, and stays open.
    pub(super) fn cut(&self, emitter: &mut YamlEmitter) {
        if self.word.is_none() {
            return;
        }
        let nulls = self.want == PlainWant::TextOrNull;
        if resolve(&self.text, nulls) != CoreValue::Text {
            emitter.plain(&self.text, self.want, self.end);
        } else if emitter.takes_text() {
            emitter.string_open(self.start);
            emitter.string_text(&self.text, self.end);
        } else {
            emitter.notice(Code::TruncatedScalar, Span::new(self.start, self.end));
        }
    }
}

/// A quoted scalar that is being read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct QuotedText {
    scalar: QuotedScalar,
    /// Whether a line with too little indent was noted.
    noted: bool,
}

impl QuotedText {
    /// Begins a quoted scalar after its quote, which ends at this offset.
    pub(super) fn begin(quote: char, end: u64, emitter: &mut YamlEmitter) -> Self {
        emitter.string_open(end);
        Self { scalar: QuotedScalar::new(quote == '"'), noted: false }
    }

    /// Reads a part of a line. Returns whether the scalar closed.
    pub(super) fn read(
        &mut self,
        text: &str,
        input: &mut Input<'_>,
        most: u64,
        emitter: &mut YamlEmitter,
    ) -> bool {
        let mut out = String::new();
        let (read, certain, stop) = self.scalar.read(text, most, &mut out);
        let emitted = input.offset_of(input.pos + certain);
        input.pos += read;
        emitter.string_text(&out, emitted);
        let at = input.offset();
        match stop {
            QuotedStop::More => {}
            QuotedStop::Closed => emitter.close_string_at(at),
            QuotedStop::Capped => emitter.notice(Code::HoldCap, Span::at(at)),
            QuotedStop::Noted(code) => emitter.notice(code, Span::at(at)),
        }
        stop == QuotedStop::Closed
    }

    /// Decides the held text before the line end at this offset.
    pub(super) fn before_line_end(&mut self, at: u64, emitter: &mut YamlEmitter) -> QuotedStop {
        let mut out = String::new();
        let stop = self.scalar.before_line_end(&mut out);
        emitter.string_text(&out, at);
        match stop {
            QuotedStop::Noted(code) => emitter.notice(code, Span::at(at)),
            QuotedStop::Closed => emitter.close_string_at(at),
            QuotedStop::More | QuotedStop::Capped => {}
        }
        stop
    }

    /// Notes a line with too little indent. Only once.
    pub(super) fn note_low(&mut self, at: u64, emitter: &mut YamlEmitter) {
        if !core::mem::replace(&mut self.noted, true) {
            emitter.notice(Code::YamlUnderindentedQuote, Span::at(at));
        }
    }

    /// Ends the input inside the scalar, at this offset.
    pub(super) fn cut(&self, end: u64, emitter: &mut YamlEmitter) {
        if self.scalar.is_closed_by_end() {
            emitter.close_string_at(end);
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

#[cfg(test)]
mod tests {
    use super::PlainScalar;
    use crate::format::json::JsonOptions;
    use crate::format::yaml::bounds::YamlBounds;
    use crate::format::yaml::emitter::YamlEmitter;
    use crate::lex::Input;
    use crate::limits::Limits;

    #[test]
    fn the_type_of_a_plain_scalar_is_open_until_a_character_decides_it() {
        let bounds = YamlBounds::new(&Limits::default());
        for (text, held, ends) in [
            ("tru", Some("tru"), false),
            ("true", Some("true"), false),
            ("truth", None, false),
            ("12", Some("12"), false),
            ("12 #", Some("12"), true),
            ("x", None, false),
            ("x #", None, true),
        ] {
            let mut emitter = YamlEmitter::new(&JsonOptions::standard());
            let first = text.chars().next().unwrap_or_default();
            let mut plain = PlainScalar::begin(first, 4, &mut emitter);
            let mut input = Input::new(text, 4);
            let found = plain.read(text, &mut input, &bounds, &mut emitter).unwrap();
            assert_eq!((plain.held(), found), (held.map(|text| (4, text)), ends), "{text:?}");
        }
    }
}
