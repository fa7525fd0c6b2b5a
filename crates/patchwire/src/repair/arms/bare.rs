//! Numbers, literals, and text without quotes.

use super::super::costs::Slip;
use super::super::source::{LOOK, is_blank, is_unicode_blank};
use super::super::stack::Container;
use super::super::state::{Bare, Reading, State};
use super::super::trace::{Range, RepairEvent};
use super::super::word::{self, LONGEST_NUMBER, Word};
use super::RepairMachine;

/// The doubt about a comma between digits that has no space behind it, where others have one.
const TIGHT_COMMA: u32 = 30;
/// Openers that are counted inside.
const DEEPEST: u8 = 20;

impl RepairMachine<'_> {
    /// A text without quotes begins. If its first word is a scalar, it costs nothing yet.
    pub(super) fn open_bare(&mut self, reading: Reading, char: char) {
        let start = self.at as u32;
        let is_scalar = self.scalar_ahead().is_some();
        let depth = u8::from(char == '(');
        let has = |slip: Slip| reading.habits & slip.habit() != 0;
        let is_habit = has(Slip::BareValue) && !has(Slip::MissingOpener);
        let is_round = char == '(';
        let bare = Bare { start, depth, is_round, is_scalar, has_words: false, is_habit };
        let state = State::Bare(bare);
        if is_scalar {
            self.go(reading, char.len_utf8(), state);
        } else if self.is_ellipsis(char) {
            // What was left out is no text.
            let charged = self.slip(reading, Slip::BareScalar);
            if let Some(reading) = charged {
                self.go_with(reading, Slip::BareValue, char.len_utf8(), state);
            }
        } else {
            self.go_with(reading, Slip::BareValue, char.len_utf8(), state);
        }
    }

    /// Whether an ellipsis stands here by itself. Both spellings have three bytes.
    fn is_ellipsis(&self, char: char) -> bool {
        let dots = char == '…' || self.source.has(self.at, "...");
        let is_allowed = Slip::Ellipsis.is_allowed(self.options.leniencies);
        dots && is_allowed
            && !self.source.byte(self.at + 3).is_some_and(|byte| byte.is_ascii_alphanumeric())
    }

    /// The scalar at the position, as far as a look reaches.
    pub(super) fn scalar_ahead(&self) -> Option<Word> {
        let ends = |byte: u8| b" \t\r\n,{}[])\"'`;/#<\\".contains(&byte);
        let digit = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
        let stops = |len: &usize| match self.source.byte(self.at + len) {
            None => true,
            Some(b'.') => *len > 0 && self.is_full_stop_at(self.at + len),
            Some(0x80..) => self.source.char(self.at + len).is_some_and(is_unicode_blank),
            Some(byte) => ends(byte) || (*len >= LOOK && !digit(byte)),
        };
        let len = (0..LONGEST_NUMBER).find(stops)?;
        word::classify(
            self.source.slice(self.at as u32, (self.at + len) as u32),
            self.options.leniencies,
        )
    }

    /// In a text without quotes.
    pub(super) fn bare(&mut self, reading: Reading, bare: Bare, char: char) {
        let len = char.len_utf8();
        let deep = bare.depth > 0;
        match char {
            ',' | '，' => self.bare_comma(reading, bare, char),
            '}' | ']' | ')' => self.bare_closer(reading, bare, char),
            '{' | '[' | '(' => {
                if char != '(' {
                    self.end_bare(reading, bare, 0);
                }
                let depth = (bare.depth + 1).min(DEEPEST);
                let is_round = if deep { bare.is_round } else { char == '(' };
                let inside = Bare { depth, is_round, ..bare };
                match char {
                    '(' => self.more(reading, inside, None),
                    _ if bare.is_scalar => self.more(reading, inside, Some(Slip::BareBracket)),
                    _ => self.more(reading, inside, Some(Slip::BareOpener)),
                }
            }
            '\n' => {
                self.end_bare(reading, bare, 0);
                let in_object = self.stacks.top(reading.stack).is_some_and(|it| it.has_members());
                let slip = match in_object {
                    _ if deep => Slip::BareGroup,
                    _ if bare.is_scalar => Slip::BareScalar,
                    true => Slip::BareLine,
                    false => Slip::BareLineItem,
                };
                self.more(reading, bare, Some(slip));
            }
            ' ' | '\t' | '\r' => self.bare_blank(reading, bare),
            c if is_unicode_blank(c) => self.bare_blank(reading, bare),
            '"' | '”' if self.opens_quote(char) => self.bare_quote(reading, bare, len),
            ':' => self.bare_colon(reading, bare),
            ';' => {
                self.end_bare(reading, bare, 0);
                self.more(reading, bare, Some(Slip::BareGroup));
            }
            '\\' if bare.is_scalar || self.is_escaped_once(reading) => {
                self.end_bare(reading, bare, 0);
                self.more(reading, bare, None);
            }
            '/' | '#' | '`' | '<' if !deep => {
                let after_blank = self.source.char_before(self.at).is_some_and(is_blank);
                if bare.is_scalar || char == '`' || (after_blank && char != '<') {
                    self.end_bare(reading, bare, 0);
                }
                self.more(reading, bare, None);
            }
            '.' if bare.is_scalar && self.is_full_stop_at(self.at) => {
                self.end_bare(reading, bare, 0);
                self.more(reading, bare, None);
            }
            _ => self.more(reading, bare, None),
        }
    }

    /// Whether the document was escaped once, so that a backslash begins a quote or a line end.
    fn is_escaped_once(&self, reading: Reading) -> bool {
        reading.habits & (Slip::EscapedQuotes.habit() | Slip::EscapedBlank.habit()) != 0
    }

    /// The character belongs to the text. Where a scalar ended, it is none any more.
    fn more(&mut self, reading: Reading, bare: Bare, slip: Option<Slip>) {
        let Some(char) = self.source.char(self.at) else { return };
        let in_scalar = bare.is_scalar && self.is_inside_scalar(char);
        let mut next = Some(reading);
        if bare.is_scalar && !in_scalar {
            next = self.slip(reading, Slip::BareValue);
        }
        if let (Some(reading), Some(slip)) = (next, slip) {
            next = self.slip(reading, slip);
        }
        if let Some(reading) = next {
            let state = State::Bare(Bare { is_scalar: in_scalar, ..bare });
            self.go(reading, char.len_utf8(), state);
        }
    }

    fn is_inside_scalar(&self, char: char) -> bool {
        char.is_ascii_alphanumeric() || matches!(char, '+' | '-' | '.' | '_')
    }

    fn bare_comma(&mut self, reading: Reading, bare: Bare, char: char) {
        let in_list = self.stacks.top(reading.stack) == Some(Container::List);
        let thousands = char == ',' && bare.is_scalar && self.is_thousands();
        if bare.depth == 0 {
            let is_tight = thousands && in_list && self.is_tight_among_loose(bare);
            let ended = if is_tight { reading.doubting(TIGHT_COMMA) } else { reading };
            self.end_bare(ended, bare, 0);
        }
        if thousands {
            // The digits behind the comma are part of the scalar.
            return self.go_with(reading, Slip::Thousands, 1, State::Bare(bare));
        }
        let prose = self.source.byte(self.at + 1) == Some(b' ')
            && self.source.char(self.at + 2).is_some_and(char::is_lowercase);
        let slip = match () {
            () if bare.depth > 0 => Slip::BareGroup,
            () if bare.is_scalar && in_list => Slip::BareScalar,
            () if bare.has_words && prose => Slip::BareCommaProse,
            () => Slip::BareComma,
        };
        self.more(reading, bare, Some(slip));
    }

    /// Whether the comma at the position stands between digits as one of thousands.
    fn is_thousands(&self) -> bool {
        let digit = |at: usize| self.source.byte(at).is_some_and(|byte| byte.is_ascii_digit());
        self.at > 0
            && digit(self.at - 1)
            && (1..4).all(|ahead| digit(self.at + ahead))
            && !digit(self.at + 4)
    }

    /// Whether the comma at the position has no space behind it, as the commas around it have.
    fn is_tight_among_loose(&self, bare: Bare) -> bool {
        let before = self.source.char_before(bare.start as usize);
        before.is_some_and(is_blank) || self.source.has(self.at + 4, ", ")
    }

    fn bare_closer(&mut self, reading: Reading, bare: Bare, char: char) {
        if bare.depth > 0 {
            let outside = Bare { depth: bare.depth - 1, ..bare };
            let is_wrong = bare.depth == 1 && bare.is_round && char != ')';
            self.more(reading, outside, is_wrong.then_some(Slip::BareCloser));
            if let Some(reading) = self.slip(reading, Slip::BareOpener) {
                self.end_bare(reading, bare, 0);
            }
            return;
        }
        let in_tuple = self.stacks.top(reading.stack) == Some(Container::Tuple);
        if char != ')' || in_tuple {
            self.end_bare(reading, bare, 0);
        }
        let slip = if char == ')' { Slip::BareGroup } else { Slip::BareCloser };
        self.more(reading, bare, Some(slip));
    }

    fn bare_blank(&mut self, reading: Reading, bare: Bare) {
        let is_space = |char| is_blank(char) || is_unicode_blank(char);
        if !self.source.char_before(self.at).is_some_and(is_space) {
            if bare.is_scalar {
                self.end_bare(reading, bare, 0);
            } else if let Some(reading) = self.slip(reading, Slip::BareBlankEnd) {
                self.end_bare(reading, bare, 0);
            }
        }
        let slip = bare.is_scalar.then_some(Slip::BareScalar);
        self.more(reading, Bare { has_words: true, ..bare }, slip);
    }

    /// A quote: the closing one of a string without an opening one, the next string, or text.
    fn bare_quote(&mut self, reading: Reading, bare: Bare, len: usize) {
        if bare.is_scalar {
            self.end_bare(reading, bare, 0);
        }
        let charged =
            if bare.is_scalar { self.slip(reading, Slip::BareValue) } else { Some(reading) };
        let missing = if bare.is_habit { Slip::MissingOpenerAgain } else { Slip::MissingOpener };
        let closed = charged.and_then(|reading| self.slip(reading, missing));
        if let Some(closed) = closed {
            self.end_bare(closed, bare, len);
        }
        let slip = if bare.depth > 0 { Slip::BareOpener } else { Slip::BareQuote };
        self.more(reading, bare, Some(slip));
    }

    fn bare_colon(&mut self, reading: Reading, bare: Bare) {
        let digit = |byte: Option<u8>| byte.is_some_and(|byte| byte.is_ascii_digit());
        let next = self.source.byte(self.at + 1);
        let in_time = digit(next) && self.at > 0 && digit(self.source.byte(self.at - 1));
        let slip = match next {
            _ if in_time => None,
            Some(b'/') => Some(Slip::BareGroup),
            _ if bare.depth > 0 => Some(Slip::BareGroup),
            _ => Some(Slip::BareColon),
        };
        self.more(reading, bare, slip);
    }

    /// The text ends here; the reading goes on after `len` bytes.
    fn end_bare(&mut self, reading: Reading, bare: Bare, len: usize) {
        let end = self.source.trimmed_end(bare.start as usize, self.at);
        let text = self.source.slice(bare.start, end as u32);
        let range = Range { start: bare.start, end: end as u32 };
        let unclosed = u32::from(bare.depth > 0 && text.starts_with('('));
        let Some(reading) = self.slips(reading, Slip::BareUnclosed, unclosed) else { return };
        let reading = match (bare.is_scalar, word::classify(text, self.options.leniencies)) {
            (_, Some(word)) => match word.slip() {
                Some(slip) => self.slip(reading, slip),
                None => Some(reading),
            },
            (true, None) => self.slip(reading, Slip::BareValue),
            (false, None) if text.chars().any(char::is_alphanumeric) => Some(reading),
            (false, None) => self.slip(reading, Slip::JunkBracket),
        };
        if let Some(reading) = reading {
            let reading = self.event(reading, RepairEvent::Bare(range));
            self.end_value(reading, len, State::AFTER);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_NUMBER, LOOK, RepairMachine, Word};
    use crate::lex::Scalar;
    use crate::repair::SearchOptions;

    /// Digits are followed to their end, and other text as far as a look reaches.
    #[test]
    fn scalars_that_stand_at_the_position() {
        let number = Some(Word::Standard(Scalar::Number));
        let digits = |count: usize| "1".repeat(count);
        for (text, word) in [
            ("", None),
            ("12", number.clone()),
            ("12,", number.clone()),
            ("true}", Some(Word::Standard(Scalar::True))),
            ("-1.5e+3 x", number.clone()),
            ("12x", None),
            ("x12", None),
            ("1.5.", None),
            ("1.5. \"x", number.clone()),
            ("1.5\u{a0}x", number.clone()),
            ("1.5\u{e9}", None),
            (&digits(LOOK + 9), number.clone()),
            (&(digits(LOOK - 1) + "x"), None),
            (&(digits(LOOK) + "x"), number.clone()),
            (&(digits(LOOK - 2) + ".5x"), number.clone()),
            (&digits(LONGEST_NUMBER - 1), number),
            (&digits(LONGEST_NUMBER), None),
        ] {
            let machine = RepairMachine::new(text, SearchOptions::default());
            assert_eq!(machine.scalar_ahead(), word, "{text:?}");
        }
    }
}
