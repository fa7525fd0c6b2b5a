//! Numbers (RFC 8259 §6), literals (§3), and words that models write in their place.
//!
//! A word waits for its delimiter: `1` may become `12`, `tr` may become `true`. A word that can no
//! longer become a scalar is text without quotes, and streams.

use super::number;
use super::{
    Code, Error, ErrorKind, Input, JsonContainer, JsonLexer, JsonState, Leniencies, Leniency,
    Limit, Slice, Span, SyntaxError, TokenKind,
};
use crate::lex::token::Scalar;

/// What a whole word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JsonWord {
    /// A number or literal of RFC 8259.
    Standard(Scalar),
    /// One of another language.
    Foreign(Scalar, Leniency, Code),
    /// A number in another notation, to be rewritten.
    ForeignNumber,
    /// None of these.
    Text,
}

/// A literal: its spelling, its value, and the slip it is to write it so.
type Literal = (&'static str, Scalar, Option<(Leniency, Code)>);

/// Literals, those of RFC 8259 first.
const LITERALS: [Literal; 27] = {
    const FOREIGN: Option<(Leniency, Code)> =
        Some((Leniency::ForeignLiterals, Code::ForeignLiteral));
    const NON_FINITE: Option<(Leniency, Code)> = Some((Leniency::NonFinite, Code::NonFinite));
    [
        ("true", Scalar::True, None),
        ("false", Scalar::False, None),
        ("null", Scalar::Null, None),
        ("True", Scalar::True, FOREIGN),
        ("TRUE", Scalar::True, FOREIGN),
        ("False", Scalar::False, FOREIGN),
        ("FALSE", Scalar::False, FOREIGN),
        ("Null", Scalar::Null, FOREIGN),
        ("NULL", Scalar::Null, FOREIGN),
        ("None", Scalar::Null, FOREIGN),
        ("none", Scalar::Null, FOREIGN),
        ("NONE", Scalar::Null, FOREIGN),
        ("nil", Scalar::Null, FOREIGN),
        ("undefined", Scalar::Null, FOREIGN),
        ("NaN", Scalar::Null, NON_FINITE),
        ("nan", Scalar::Null, NON_FINITE),
        ("NAN", Scalar::Null, NON_FINITE),
        ("-NaN", Scalar::Null, NON_FINITE),
        ("Infinity", Scalar::Null, NON_FINITE),
        ("infinity", Scalar::Null, NON_FINITE),
        ("-Infinity", Scalar::Null, NON_FINITE),
        ("-infinity", Scalar::Null, NON_FINITE),
        ("+Infinity", Scalar::Null, NON_FINITE),
        ("inf", Scalar::Null, NON_FINITE),
        ("-inf", Scalar::Null, NON_FINITE),
        ("Inf", Scalar::Null, NON_FINITE),
        ("-Inf", Scalar::Null, NON_FINITE),
    ]
};

/// The value of a literal of any of the languages.
pub(super) fn literal(word: &str) -> Option<Scalar> {
    LITERALS.iter().find(|(name, ..)| *name == word).map(|(_, scalar, _)| *scalar)
}

/// The scalar of RFC 8259 that the word is.
pub(crate) fn standard(word: &str) -> Option<Scalar> {
    match word {
        "true" => Some(Scalar::True),
        "false" => Some(Scalar::False),
        "null" => Some(Scalar::Null),
        _ => number::is_standard(word.as_bytes()).then_some(Scalar::Number),
    }
}

/// Whether these bytes begin a scalar of RFC 8259, as far as a look at each of them emits. Those
/// before `from` are known to.
pub(super) fn may_go_on(word: &[u8], from: usize) -> bool {
    let of_number = |byte: &u8| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
    match word.first() {
        Some(b'-' | b'0'..=b'9') => word[from..].iter().all(of_number),
        Some(b't') => b"true".starts_with(word),
        Some(b'f') => b"false".starts_with(word),
        Some(b'n') => b"null".starts_with(word),
        _ => false,
    }
}

/// Literals that begin so and are allowed.
pub(super) fn literals(word: &str, rules: Leniencies) -> impl Iterator<Item = &'static str> {
    let allowed = move |slip: Option<(Leniency, Code)>| slip.is_none_or(|(it, _)| rules.allow(it));
    let begins_so = LITERALS.iter().filter(move |(name, ..)| name.starts_with(word));
    begins_so.filter(move |(.., slip)| allowed(*slip)).map(|(name, ..)| *name)
}

/// Whether a name without quotes may begin so.
pub(super) fn is_name_start(char: char) -> bool {
    char.is_alphabetic() || matches!(char, '_' | '$')
}

/// Whether a name without quotes may go on so.
pub(super) fn is_name_char(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | '$' | '-' | '.')
}

impl JsonLexer {
    /// Begins at the position; nothing is eaten yet.
    pub(super) fn begin_word(&mut self, input: &Input<'_>) -> Result<(), Error> {
        self.word.clear();
        self.held_from = input.offset();
        self.state = JsonState::Word;
        Ok(())
    }

    pub(super) fn scan_word(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        let start = input.pos;
        if self.was_comment(input) {
            return self.end_before_slash(input.offset());
        }
        let Some(len) = self.word_end(input.bytes()) else {
            input.pos = input.text().len();
            return self.carry_word(start, input);
        };
        input.pos += len;
        self.check_word_length(len, start, input)?;
        if self.word.is_empty() {
            let text = &input.text()[start..input.pos];
            return self.end_of_word(text, Slice::input(start, input.pos), input.offset());
        }
        self.word.push_str(&input.text()[start..input.pos]);
        self.end_carried_word(input.offset())
    }

    fn end_carried_word(&mut self, end: u64) -> Result<(), Error> {
        let word = core::mem::take(&mut self.word);
        let slice = self.keep(&word);
        let result = self.end_of_word(&word, slice, end);
        self.word = word;
        self.word.clear();
        result
    }

    /// Whether the word is a scalar and the slash of a comment that goes on here.
    fn was_comment(&self, input: &Input<'_>) -> bool {
        matches!(input.peek(), Some(b'/' | b'*')) && self.may_be_commented()
    }

    /// The word ends before the slash that was taken into it; the slash is read again.
    fn end_before_slash(&mut self, offset: u64) -> Result<(), Error> {
        self.word.pop();
        self.replay.push('/');
        self.end_carried_word(offset - 1)
    }

    /// The chunk ended in the word.
    fn carry_word(&mut self, start: usize, input: &Input<'_>) -> Result<(), Error> {
        let text = &input.text()[start..];
        self.word.push_str(text);
        // The slash of a comment is no part of the word.
        let commented = self.may_be_commented();
        self.word.truncate(self.word.len() - text.len());
        self.check_word_length(text.len() - usize::from(commented), start, input)?;
        self.word.push_str(text);
        if self.is_strict() || commented || may_become_scalar(&self.word) {
            return Ok(());
        }
        self.end_carried_word(input.offset())
    }

    /// Whether the word is a scalar and a slash: a comment may follow.
    fn may_be_commented(&self) -> bool {
        self.word.strip_suffix('/').is_some_and(|word| self.classify(word) != JsonWord::Text)
    }

    fn check_word_length(&self, more: usize, start: usize, input: &Input<'_>) -> Result<(), Error> {
        if self.word.len() + more <= self.word_limit {
            return Ok(());
        }
        // Text without quotes may be as long as it likes, however little of it came at a time.
        let mut last = start + self.word_limit.saturating_sub(self.word.len());
        while !input.text().is_char_boundary(last) {
            last -= 1;
        }
        let known = self.word.get(..self.word_limit).unwrap_or(&self.word);
        let fits = format!("{known}{}", &input.text()[start..last]);
        if !self.is_strict() && !may_become_scalar(&fits) {
            return Ok(());
        }
        let end = input.offset_of(input.text().len());
        let limit = input.offset_of(start) + self.word_limit as u64;
        Err(Error::new(ErrorKind::Limit(Limit::Number), (limit - self.word.len() as u64).min(end)))
    }

    /// Length of what belongs to the word, if its delimiter is there.
    fn word_end(&self, bytes: &[u8]) -> Option<usize> {
        if self.is_strict() {
            let belongs =
                |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
            return bytes.iter().position(|byte| !belongs(byte));
        }
        let tuple = self.top() == Some(JsonContainer::Tuple);
        // Once it cannot become a scalar any more, it need not be looked at again.
        let mut hopeless = false;
        let mut ends_scalar = |at: usize| {
            let whole = if hopeless { None } else { self.word_with(&bytes[..at]) };
            hopeless = whole.as_deref().is_none_or(|whole| !may_become_scalar(whole));
            whole.is_some_and(|whole| self.classify(&whole) != JsonWord::Text)
        };
        bytes.iter().enumerate().position(|(at, byte)| match byte {
            b' ' | b'\t' | b'\n' | b'\r' | b',' | b'}' | b']' => true,
            b')' => tuple,
            // A comment or a quote ends a scalar, but is part of text without quotes.
            b'/' if matches!(bytes.get(at + 1), Some(b'/' | b'*')) => ends_scalar(at),
            b'"' | b'\'' | b'#' => ends_scalar(at),
            _ => false,
        })
    }

    /// The word and these bytes.
    fn word_with(&self, more: &[u8]) -> Option<String> {
        Some(format!("{}{}", self.word, core::str::from_utf8(more).ok()?))
    }

    fn classify(&self, word: &str) -> JsonWord {
        if number::is_standard(word.as_bytes()) {
            return JsonWord::Standard(Scalar::Number);
        }
        if let Some((_, scalar, slip)) = LITERALS.iter().find(|(name, ..)| *name == word) {
            return match *slip {
                None => JsonWord::Standard(*scalar),
                Some((leniency, code)) => JsonWord::Foreign(*scalar, leniency, code),
            };
        }
        match number::rewrite(word) {
            Some(_) => JsonWord::ForeignNumber,
            None => JsonWord::Text,
        }
    }

    /// The word is whole.
    fn end_of_word(&mut self, word: &str, slice: Slice, end: u64) -> Result<(), Error> {
        let span = Span::new(self.held_from, end);
        match self.classify(word) {
            JsonWord::Standard(scalar) => self.emit_text(TokenKind::Scalar(scalar), slice, end),
            JsonWord::Foreign(scalar, leniency, code) if self.allows(leniency) => {
                self.note_next(code, span);
                self.emit_text(TokenKind::Scalar(scalar), slice, end);
            }
            JsonWord::ForeignNumber if self.allows(Leniency::ForeignNumbers) => {
                let Some((text, code)) = number::rewrite(word) else { return Ok(()) };
                self.note_next(code, span);
                let slice = self.keep(&text);
                self.emit_text(TokenKind::Scalar(Scalar::Number), slice, end);
            }
            _ if self.allows(Leniency::UnquotedValues) => {
                self.note_next(Code::UnquotedValue, Span::at(span.start));
                self.emit(TokenKind::StringOpen, span.start);
                self.emit_text(TokenKind::StringText, slice, end);
                self.held.clear();
                self.state = JsonState::Unquoted { capped: false };
                return Ok(());
            }
            _ => return Err(Self::syntax(not_a_word(word), span.start)),
        }
        self.after_value();
        Ok(())
    }

    /// The input ended in the word: a whole scalar stands, half of one gives no value.
    pub(super) fn end_word(&mut self, end: u64) -> Result<(), Error> {
        if self.is_strict() {
            return self.end_carried_word(end);
        }
        let whole = self.classify(&self.word) != JsonWord::Text && !self.word.ends_with('.');
        if whole {
            return self.end_carried_word(end);
        }
        self.note_next(Code::TruncatedScalar, Span::new(self.held_from, end));
        self.word.clear();
        self.state = JsonState::After;
        Ok(())
    }

    /// Text without quotes ends at `,` `}` `]` or the line end; blanks before that are not part of
    /// it, unless there are too many to hold.
    pub(super) fn scan_unquoted(
        &mut self,
        capped: bool,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        let start = input.pos;
        match input.peek() {
            Some(b',' | b'}' | b']' | b'\n') => self.close_unquoted(input.offset()),
            Some(b')') if self.top() == Some(JsonContainer::Tuple) => {
                self.close_unquoted(input.offset());
            }
            Some(b' ' | b'\t' | b'\r') => {
                let blanks = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r');
                let len = input.bytes().iter().take_while(|byte| blanks(byte)).count();
                self.hold_blanks((len, capped), input);
            }
            _ => {
                input.pos += self.unquoted_run(input.bytes());
                self.release_blanks(input.offset_of(start));
                let slice = Slice::input(start, input.pos);
                self.emit_text(TokenKind::StringText, slice, input.offset());
                self.state = JsonState::Unquoted { capped: false };
            }
        }
        Ok(())
    }

    /// Length of the run that is neither blank nor an end.
    fn unquoted_run(&self, bytes: &[u8]) -> usize {
        let tuple = self.top() == Some(JsonContainer::Tuple);
        let stops = |byte: &u8| match byte {
            b',' | b'}' | b']' | b'\n' | b' ' | b'\t' | b'\r' => true,
            b')' => tuple,
            _ => false,
        };
        let len = bytes.iter().skip(1).position(stops);
        len.map_or(bytes.len(), |len| len + 1)
    }

    /// Blanks that may be the text's end. At the cap they are text, and so is the rest of their run.
    fn hold_blanks(&mut self, (len, capped): (usize, bool), input: &mut Input<'_>) {
        let room = (self.held_limit + 1).saturating_sub(self.held.len());
        let taken = if capped { len } else { len.min(room) };
        self.held.push_str(&input.rest()[..taken]);
        input.pos += taken;
        if capped {
            self.release_blanks(input.offset());
        } else if self.held.len() > self.held_limit {
            self.note(Code::HoldCap, Span::at(input.offset()));
            self.release_blanks(input.offset());
            self.state = JsonState::Unquoted { capped: true };
        }
    }

    fn release_blanks(&mut self, end: u64) {
        if !self.held.is_empty() {
            let held = core::mem::take(&mut self.held);
            let slice = self.keep(&held);
            self.emit_text(TokenKind::StringText, slice, end);
        }
    }

    pub(super) fn close_unquoted(&mut self, end: u64) {
        self.emit(TokenKind::StringClose, end - self.held.len() as u64);
        self.held.clear();
        self.after_value();
    }

    pub(super) fn scan_bare_key(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        let rest = input.rest();
        let len = rest.find(|c| !is_name_char(c)).unwrap_or(rest.len());
        let span = Span::new(input.offset(), input.offset_of(input.pos + len));
        self.push_key(&rest[..len], span)?;
        input.pos += len;
        if !input.is_done() {
            let end = input.offset();
            self.note_text(
                super::StringRole::Key,
                Code::UnquotedKey,
                Span::new(self.held_from, end),
            );
            self.emit_key(end);
            self.state = JsonState::Colon;
        }
        Ok(())
    }
}

/// What strict reading says of a word it does not know.
fn not_a_word(word: &str) -> SyntaxError {
    match word.as_bytes().first() {
        Some(b'-' | b'0'..=b'9') => SyntaxError::Number,
        _ => SyntaxError::Literal,
    }
}

/// Whether more characters could make a scalar of the word.
fn may_become_scalar(word: &str) -> bool {
    let begins_so = |(name, ..): &Literal| {
        // Most differ in the first byte: no call for those.
        name.as_bytes().first() == word.as_bytes().first() && name.starts_with(word)
    };
    number::may_become(word) || LITERALS.iter().any(begins_so)
}
