//! Numbers (RFC 8259 §6), literals (§3), and words that models write instead.
//!
//! A word is held back until its delimiter, because `1` may become `12` and `tr` may become `true`. A word
//! that can no longer become a scalar is unquoted text, and streams.

use super::bare::BareText;
use super::number;
use super::{
    Code, Error, ErrorKind, Input, JsonContainer, JsonLexer, JsonState, Leniencies, Leniency,
    Limit, Slice, Span, SyntaxError, TokenKind,
};
use crate::lex::token::Scalar;

/// The kind of a complete word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JsonWord {
    /// A number or literal of RFC 8259.
    Standard(Scalar),
    /// A literal of another language.
    Foreign(Scalar, Leniency, Code),
    /// A number in another notation, which is rewritten.
    ForeignNumber,
    /// Items that were left out.
    Ellipsis,
    /// Unquoted text.
    Text,
}

/// A literal: its spelling, its value, and the slip of writing it.
type Literal = (&'static str, Scalar, Option<(Leniency, Code)>);

/// All literals, those of RFC 8259 first.
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

/// Signs for items that were left out.
const ELLIPSES: [&str; 2] = ["...", "…"];

/// The value of a literal in any of the languages.
pub(super) fn literal(word: &str) -> Option<Scalar> {
    LITERALS.iter().find(|(name, ..)| *name == word).map(|(_, scalar, _)| *scalar)
}

/// The literal of another language that the word is, and what allows it.
pub(crate) fn foreign_literal(word: &str) -> Option<(Scalar, Leniency)> {
    let (.., scalar, slip) = LITERALS.iter().find(|(name, ..)| *name == word)?;
    slip.map(|(leniency, _)| (*scalar, leniency))
}

/// A number in another notation, as RFC 8259 writes it.
pub(crate) fn foreign_number(word: &str) -> Option<String> {
    number::rewrite(word).map(|(text, _)| text)
}

/// The scalar, if the word is one of RFC 8259.
#[cfg_attr(target_family = "wasm", inline)]
pub(crate) fn standard(word: &str) -> Option<Scalar> {
    match word {
        "true" => Some(Scalar::True),
        "false" => Some(Scalar::False),
        "null" => Some(Scalar::Null),
        _ => number::is_standard(word.as_bytes()).then_some(Scalar::Number),
    }
}

/// Whether the bytes may begin a scalar of RFC 8259. A number is only checked byte by byte, and only from
/// `from` on.
#[cfg_attr(target_family = "wasm", inline)]
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

/// The allowed literals that begin with `word`.
pub(super) fn literals(word: &str, rules: Leniencies) -> impl Iterator<Item = &'static str> {
    let allowed = move |slip: Option<(Leniency, Code)>| slip.is_none_or(|(it, _)| rules.allow(it));
    let begins_so = LITERALS.iter().filter(move |(name, ..)| name.starts_with(word));
    begins_so.filter(move |(.., slip)| allowed(*slip)).map(|(name, ..)| *name)
}

/// Whether an unquoted name may begin with this character.
pub(super) fn is_name_start(char: char) -> bool {
    char.is_alphabetic() || matches!(char, '_' | '$')
}

/// Whether an unquoted name may contain this character after its first.
pub(super) fn is_name_char(char: char) -> bool {
    char.is_alphanumeric() || matches!(char, '_' | '$' | '-' | '.')
}

impl JsonLexer {
    /// Begins a word at the position. Reads nothing yet.
    pub(super) fn begin_word(&mut self, input: &Input<'_>) -> Result<(), Error> {
        self.word.clear();
        self.held.from = input.offset();
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
        let slice = self.output.keep(&word);
        let result = self.end_of_word(&word, slice, end);
        self.word = word;
        self.word.clear();
        result
    }

    /// Whether the word is a scalar and a slash, and a comment begins with that slash.
    fn was_comment(&self, input: &Input<'_>) -> bool {
        matches!(input.peek(), Some(b'/' | b'*')) && self.may_be_commented()
    }

    /// Ends the word before its slash, which is read again.
    fn end_before_slash(&mut self, offset: u64) -> Result<(), Error> {
        self.word.pop();
        self.replay.push("/");
        self.end_carried_word(offset - 1)
    }

    /// Keeps the part of a word before a chunk boundary.
    fn carry_word(&mut self, start: usize, input: &Input<'_>) -> Result<(), Error> {
        let text = &input.text()[start..];
        self.word.push_str(text);
        // The slash of a comment is not part of the word.
        let commented = self.may_be_commented();
        self.word.truncate(self.word.len() - text.len());
        self.check_word_length(text.len() - usize::from(commented), start, input)?;
        self.word.push_str(text);
        if self.settings.is_strict() || commented || may_become_scalar(&self.word) {
            return Ok(());
        }
        self.end_carried_word(input.offset())
    }

    /// Whether the word is a scalar and a slash, so that a comment may follow.
    fn may_be_commented(&self) -> bool {
        self.word.strip_suffix('/').is_some_and(|word| self.classify(word) != JsonWord::Text)
    }

    fn check_word_length(&self, more: usize, start: usize, input: &Input<'_>) -> Result<(), Error> {
        if self.word.len() + more <= self.settings.word {
            return Ok(());
        }
        // Unquoted text has no limit, even if it arrives in small pieces.
        let mut last = start + self.settings.word.saturating_sub(self.word.len());
        while !input.text().is_char_boundary(last) {
            last -= 1;
        }
        let known = self.word.get(..self.settings.word).unwrap_or(&self.word);
        let fits = format!("{known}{}", &input.text()[start..last]);
        if !self.settings.is_strict() && !may_become_scalar(&fits) {
            return Ok(());
        }
        let end = input.offset_of(input.text().len());
        let limit = input.offset_of(start) + self.settings.word as u64;
        Err(Error::new(ErrorKind::Limit(Limit::Number), (limit - self.word.len() as u64).min(end)))
    }

    /// The length of the word's part in `bytes`, if its delimiter is there.
    fn word_end(&self, bytes: &[u8]) -> Option<usize> {
        if self.settings.is_strict() {
            let belongs =
                |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
            return bytes.iter().position(|byte| !belongs(byte));
        }
        let tuple = self.top() == Some(JsonContainer::Tuple);
        // A word that cannot become a scalar is not checked again.
        let mut hopeless = false;
        let mut ends_scalar = |at: usize| {
            let whole = if hopeless { None } else { self.word_with(&bytes[..at]) };
            hopeless = whole.as_deref().is_none_or(|whole| !may_become_scalar(whole));
            whole.is_some_and(|whole| self.classify(&whole) != JsonWord::Text)
        };
        bytes.iter().enumerate().position(|(at, byte)| match byte {
            b' ' | b'\t' | b'\n' | b'\r' | b',' | b'}' | b']' => true,
            b')' => tuple,
            // A comment or a quote ends a scalar, but is part of unquoted text.
            b'/' if matches!(bytes.get(at + 1), Some(b'/' | b'*')) => ends_scalar(at),
            b'\'' | b'#' | b';' => ends_scalar(at),
            // Quotes and brackets inside text are counted there.
            b'"' => at + self.word.len() > 0,
            b'{' | b'[' => at + self.word.len() > 0 && !ends_scalar(at),
            0x80.. => self.separator_begins(&bytes[at..]) && ends_scalar(at),
            _ => false,
        })
    }

    /// Whether a space of Unicode or a full-width comma comes next.
    fn separator_begins(&self, bytes: &[u8]) -> bool {
        let first = &bytes[..bytes.len().min(3)];
        let chunk = first.utf8_chunks().next();
        let char = chunk.and_then(|chunk| chunk.valid().chars().next());
        char.is_some_and(|char| {
            self.settings.is_foreign_space(char) || self.settings.is_foreign_comma(char)
        })
    }

    /// The word with more bytes.
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
            None if ELLIPSES.contains(&word) && self.skips_items() => JsonWord::Ellipsis,
            Some(_) => JsonWord::ForeignNumber,
            None => JsonWord::Text,
        }
    }

    /// Whether an ellipsis would stand for items here.
    fn skips_items(&self) -> bool {
        matches!(self.top(), Some(JsonContainer::List | JsonContainer::Tuple))
            && self.settings.allow(Leniency::Ellipses)
    }

    /// Emits a complete word.
    fn end_of_word(&mut self, word: &str, slice: Slice, end: u64) -> Result<(), Error> {
        let span = Span::new(self.held.from, end);
        match self.classify(word) {
            JsonWord::Standard(scalar) => {
                self.output.emit_text(TokenKind::Scalar(scalar), slice, end)
            }
            JsonWord::Foreign(scalar, leniency, code) if self.settings.allow(leniency) => {
                self.output.note_next(code, span);
                self.output.emit_text(TokenKind::Scalar(scalar), slice, end);
            }
            JsonWord::ForeignNumber if self.settings.allow(Leniency::ForeignNumbers) => {
                let Some((text, code)) = number::rewrite(word) else { return Ok(()) };
                self.output.note_next(code, span);
                let slice = self.output.keep(&text);
                self.output.emit_text(TokenKind::Scalar(Scalar::Number), slice, end);
            }
            JsonWord::Ellipsis => self.output.note(Code::Ellipsis, span),
            _ if self.settings.allow(Leniency::UnquotedValues) => {
                self.output.note_next(Code::UnquotedValue, Span::at(span.start));
                self.output.emit(TokenKind::StringOpen, span.start);
                self.output.emit_text(TokenKind::StringText, slice, end);
                self.held.text.clear();
                self.state = JsonState::Unquoted(BareText::START);
                return Ok(());
            }
            _ => return Err(Self::syntax(not_a_word(word), span.start)),
        }
        self.after_value();
        Ok(())
    }

    /// The input ended in the word. A complete scalar counts, and of a number that was cut its whole digits.
    /// Half a literal gives no value.
    pub(super) fn end_word(&mut self, end: u64) -> Result<(), Error> {
        if self.settings.is_strict() {
            return self.end_carried_word(end);
        }
        let whole = self.classify(&self.word) != JsonWord::Text && !self.word.ends_with('.');
        if whole {
            return self.end_carried_word(end);
        }
        self.output.note_next(Code::TruncatedScalar, Span::new(self.held.from, end));
        let Some(len) = number::whole_part(&self.word).map(str::len) else {
            self.state = JsonState::After;
            return Ok(());
        };
        self.word.truncate(len);
        self.end_carried_word(end)
    }
}

/// The error of strict reading for an unknown word.
fn not_a_word(word: &str) -> SyntaxError {
    match word.as_bytes().first() {
        Some(b'-' | b'0'..=b'9') => SyntaxError::Number,
        _ => SyntaxError::Literal,
    }
}

/// Whether more characters could turn the word into a scalar.
fn may_become_scalar(word: &str) -> bool {
    let begins_so = |(name, ..): &Literal| {
        // Most differ in the first byte: this avoids a call.
        name.as_bytes().first() == word.as_bytes().first() && name.starts_with(word)
    };
    number::may_become(word) || ELLIPSES.contains(&word) || LITERALS.iter().any(begins_so)
}

#[cfg(test)]
mod tests {
    use super::super::window::QuoteJudge;
    use super::{
        JsonContainer, JsonLexer, JsonWord, Leniencies, literals, may_become_scalar, may_go_on,
    };
    use crate::caps::Caps;
    use crate::limits::Limits;

    fn lexer(rules: Leniencies) -> JsonLexer {
        JsonLexer::new(rules, &Limits::default(), Caps::STANDARD, QuoteJudge::NEVER_ENDS)
    }

    #[test]
    fn complete_words_and_their_kinds() {
        for (word, kind) in [
            ("12", "Standard(Number)"),
            ("null", "Standard(Null)"),
            ("True", "Foreign(True, ForeignLiterals, ForeignLiteral)"),
            ("-Infinity", "Foreign(Null, NonFinite, NonFinite)"),
            ("0x1", "ForeignNumber"),
            ("tru", "Text"),
            ("yes", "Text"),
            ("1a", "Text"),
            ("...", "Text"),
            ("", "Text"),
        ] {
            assert_eq!(format!("{:?}", lexer(Leniencies::ALL).classify(word)), kind, "{word}");
        }
        let mut list = lexer(Leniencies::ALL);
        list.stack.push(JsonContainer::List);
        for (word, kind) in [
            ("..", JsonWord::Text),
            ("...", JsonWord::Ellipsis),
            ("…", JsonWord::Ellipsis),
            ("....", JsonWord::Text),
        ] {
            assert_eq!(list.classify(word), kind, "{word}");
        }
    }

    /// The length of a word in a list, in a tuple, and under strict reading; none without its delimiter.
    #[test]
    fn words_end_at_their_delimiters() {
        for (text, list, tuple, strict) in [
            ("12,", Some(2), Some(2), Some(2)),
            ("12", None, None, None),
            ("12)", None, Some(2), Some(2)),
            ("true\"x", Some(4), Some(4), Some(4)),
            ("say\"x ", Some(3), Some(3), Some(3)),
            ("1//c", Some(1), Some(1), Some(1)),
            ("a//c ", Some(4), Some(4), Some(1)),
            ("1/2 ", Some(3), Some(3), Some(1)),
            ("a:b\n", Some(3), Some(3), Some(1)),
            ("1\u{A0}b ", Some(1), Some(1), Some(1)),
            ("a\u{A0}b ", Some(4), Some(4), Some(1)),
            ("1é ", Some(3), Some(3), Some(1)),
        ] {
            let end = |rules, around| {
                let mut lexer = lexer(rules);
                lexer.stack.push(around);
                lexer.word_end(text.as_bytes())
            };
            assert_eq!(end(Leniencies::ALL, JsonContainer::List), list, "{text:?}");
            assert_eq!(end(Leniencies::ALL, JsonContainer::Tuple), tuple, "{text:?}");
            assert_eq!(end(Leniencies::NONE, JsonContainer::List), strict, "{text:?}");
        }
    }

    /// The beginning of a word, whether it may become a scalar of any language, and one of RFC 8259.
    #[test]
    fn beginnings_of_scalars() {
        for (word, any, standard) in [
            ("t", true, true),
            ("tru", true, true),
            ("trx", false, false),
            ("fals", true, true),
            ("nul", true, true),
            ("T", true, false),
            ("-", true, true),
            ("-I", true, false),
            ("1", true, true),
            ("0x", true, false),
            ("y", false, false),
            ("…", true, false),
            ("…x", false, false),
        ] {
            assert_eq!(may_become_scalar(word), any, "{word}");
            assert_eq!(may_go_on(word.as_bytes(), 0), standard, "{word}");
        }
        assert!(may_go_on(b"1x2", 2), "bytes before the second argument are not checked");
    }

    #[test]
    fn literals_by_their_beginning() {
        let list = |word, rules| literals(word, rules).collect::<Vec<_>>();
        assert_eq!(list("n", Leniencies::ALL), ["null", "none", "nil", "nan"]);
        assert_eq!(list("n", Leniencies::NONE), ["null"]);
        assert!(list("x", Leniencies::ALL).is_empty());
    }
}
