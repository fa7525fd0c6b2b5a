//! In a quoted text: where it ends, and what a quote inside it costs.

use super::super::costs::Slip;
use super::super::source::{LOOK, is_blank};
use super::super::state::{Quote, Quoted, Reading, Role, State};
use super::super::trace::{Range, RepairEvent};
use super::RepairMachine;

/// The doubt about a space, another sign, and a further character in a long key.
const ODD_BLANK: u32 = 6;
const ODD_SIGN: u32 = 15;
const ODD_LENGTH: u32 = 3;
/// Characters of a key after which each further one is odd.
const LONG_KEY: usize = 40;

/// What may close a quoted text.
#[derive(Debug, Clone, Copy)]
struct TextCloser {
    /// Its length in bytes.
    len: usize,
    slip: Option<Slip>,
}

impl RepairMachine<'_> {
    /// In a quoted text.
    pub(super) fn quoted(&mut self, reading: Reading, text: Quoted, char: char) {
        if char == '\\' && text.quote != Quote::Fence {
            return self.escape(reading, text);
        }
        if text.quote == Quote::Nested && char == '"' {
            return self.quote_in_json(reading, text);
        }
        if let Some(closer) = self.closing(text.quote, char) {
            return self.closing_quote(reading, text, closer, char);
        }
        self.mixed_closer(reading, text, char);
        let is_value = text.role == Role::Value;
        let lines = text.quote.spans_lines();
        let balanced = |by: i8| {
            let balance = (text.balance + by).clamp(-30, 30);
            State::Quoted(Quoted { balance, ..text })
        };
        match char {
            '\n' => self.line_end(reading, text),
            ',' if is_value && (!lines || text.quote == Quote::Backtick) => {
                let members = self.stacks.top(reading.stack).is_some_and(|it| it.has_members());
                if (members || !lines)
                    && self.affords(reading, Slip::MissingQuoteComma)
                    && self.may_end_at_comma(reading)
                {
                    self.end_unclosed(reading, text, Slip::MissingQuoteComma);
                }
                self.go(reading, 1, reading.state);
            }
            '{' | '[' if is_value => self.go(reading, 1, balanced(1)),
            '}' | ']' if is_value => {
                let closer = self.stacks.top(reading.stack).map(|it| it.closer());
                if !lines && closer == Some(char) {
                    self.end_unclosed(reading, text, Slip::MissingQuoteCloser);
                }
                self.go(reading, 1, balanced(-1));
            }
            '"' if text.quote == Quote::Doubled => {
                self.go_with(reading, Slip::DoubledLone, 1, reading.state);
            }
            ':' if !is_value => {
                self.end_unclosed(reading, text, Slip::MissingQuoteKey);
                self.in_key(reading, text, char);
            }
            _ if !is_value => self.in_key(reading, text, char),
            _ => self.go(reading, char.len_utf8(), reading.state),
        }
    }

    /// A quote in a string that holds JSON: it ends the string behind the last closer, and only there.
    fn quote_in_json(&mut self, reading: Reading, text: Quoted) {
        if text.balance > 0 {
            return self.go_with(reading, Slip::NestedQuote, 1, reading.state);
        }
        if text.balance == 0 && matches!(self.source.visible_before(self.at), (Some('}' | ']'), _))
        {
            self.end_text(reading, text, 1, self.at);
        }
    }

    /// What closes such quotes at the position, and the slip it is.
    fn closing(&self, quote: Quote, char: char) -> Option<TextCloser> {
        let has = |what: &str| self.source.has(self.at, what);
        let (len, slip) = match (quote, char) {
            (Quote::Double | Quote::Csv, '"')
            | (Quote::Single, '\'')
            | (Quote::Backtick, '`' | '´')
            | (Quote::SmartDouble, '”' | '“' | '»' | '‟' | '＂' | '"')
            | (Quote::SmartSingle, '’' | '‘' | '´' | '\'' | '`') => (char.len_utf8(), None),
            (Quote::Double, '”') | (Quote::Single, '’') => {
                (char.len_utf8(), Some(Slip::SmartCloser))
            }
            (Quote::TripleDouble, '"') if has("\"\"\"") => (3, None),
            (Quote::TripleSingle, '\'') if has("'''") => (3, None),
            (Quote::Fence, '`') if has("```") => (3, None),
            (Quote::Doubled, '"') if has("\"\"") => (2, None),
            (Quote::DoubledSingle, '\'') if has("''") => (2, None),
            (Quote::Entity, '&') if has("&quot;") => (6, None),
            _ => return None,
        };
        Some(TextCloser { len, slip })
    }

    /// A quote of another kind than the opening one ends the text, where a separator follows and the quote is no
    /// second one of a pair.
    fn mixed_closer(&mut self, reading: Reading, text: Quoted, char: char) {
        let slip = match (text.quote, char) {
            (Quote::Double, '\'') | (Quote::Single, '"') => Slip::MixedQuotes,
            (Quote::Double | Quote::Single, '`') | (Quote::Backtick, '"' | '\'') => {
                Slip::MixedBackticks
            }
            _ => return,
        };
        let ends = self.ends_before(text.role, self.source.visible_from(self.at + 1));
        if !ends || self.has_before(text, |byte| char::from(byte) == char) {
            return;
        }
        if let Some(reading) = self.slip(reading, slip) {
            self.end_text(reading, text, 1, self.at);
        }
    }

    /// Whether a text of this role may end before a character.
    fn ends_before(&self, role: Role, next: Option<char>) -> bool {
        match role {
            Role::Key => matches!(next, Some(':')),
            Role::Value => matches!(next, Some(',' | '}' | ']')),
        }
    }

    /// Whether the text has such a byte before the position, as far as a look reaches.
    fn has_before(&self, text: Quoted, is_one: impl Fn(u8) -> bool) -> bool {
        let start = (text.start as usize).max(self.at.saturating_sub(LOOK));
        (start..self.at).any(|at| self.source.byte(at).is_some_and(&is_one))
    }

    fn closing_quote(&mut self, reading: Reading, text: Quoted, closer: TextCloser, char: char) {
        let ended = match closer.slip {
            Some(slip) => self.slip(reading, slip),
            None => Some(reading),
        };
        if let Some(ended) = ended {
            self.end_text(ended, text, closer.len, self.at);
            self.stray_quote(ended, text, closer.len);
        }
        if self.doubled_inside(reading, text) {
            return;
        }
        self.inner_quote(reading, text, closer, char);
    }

    /// A second quote right behind the closing one is left out.
    fn stray_quote(&mut self, reading: Reading, text: Quoted, len: usize) {
        let twice = matches!(text.quote, Quote::Double) && self.source.has(self.at, "\"\"");
        let next = self.source.visible_from(self.at + 2 * len);
        let was_empty = text.start as usize == self.at;
        if twice
            && !was_empty
            && text.inner == 0
            && matches!(next, Some(',' | '}' | ']' | ':'))
            && let Some(reading) = self.slip(reading, Slip::StrayQuote)
        {
            self.end_text(reading, text, 2 * len, self.at);
        }
    }

    /// Two quotes that stand for one, as in CSV. True if they are nothing else.
    fn doubled_inside(&mut self, reading: Reading, text: Quoted) -> bool {
        let is_first = text.start as usize == self.at;
        let slip = match text.quote {
            Quote::Double if text.inner == 0 && !is_first => Slip::CsvQuotes,
            Quote::Csv => Slip::CsvQuotesNext,
            _ => return false,
        };
        let is_pair = self.source.has(self.at, "\"\"");
        if is_pair && text.role == Role::Value {
            let inside = State::Quoted(Quoted { quote: Quote::Csv, ..text });
            self.go_with(reading, slip, 2, inside);
        }
        text.quote == Quote::Csv
    }

    /// The quote is part of the text.
    fn inner_quote(&mut self, reading: Reading, text: Quoted, closer: TextCloser, char: char) {
        let (len, is_slip) = (closer.len, closer.slip.is_some());
        let before = self.source.char_before(self.at);
        let after = self.source.char(self.at + len);
        let is_word = |char: Option<char>| char.is_some_and(char::is_alphanumeric);
        let odd_kind = is_slip || len != char.len_utf8();
        let single = !matches!(text.quote, Quote::Double | Quote::SmartDouble);
        if !odd_kind && single && is_word(before) && is_word(after) {
            return self.go_with(reading, Slip::Apostrophe, len, reading.state);
        }
        if !self.affords(reading, inner_slip(text.inner, odd_kind)) {
            return;
        }
        // `5"` is a size, and no quote of a pair.
        let opens = text.inner.is_multiple_of(2);
        let inches = opens && self.ends_number() && !is_word(after);
        let Some(mut reading) = self.slip(reading, inner_slip(text.inner, odd_kind)) else {
            return;
        };
        for slip in self.inner_surcharges(text, len).into_iter().flatten() {
            let Some(more) = self.slip(reading, slip) else { return };
            reading = more;
        }
        let inner = match (is_slip || inches, text.inner) {
            (true, inner) => inner,
            (_, 6) => 5,
            (_, inner) => inner + 1,
        };
        self.go(reading, len, State::Quoted(Quoted { inner, ..text }));
    }

    /// Whether a number of a few digits ends at the position, and no name.
    fn ends_number(&self) -> bool {
        let is_part = |byte: u8| byte.is_ascii_digit() || byte == b'.';
        let mut start = self.at;
        while self.at - start < 8 && start > 0 && self.source.byte(start - 1).is_some_and(is_part) {
            start -= 1;
        }
        start < self.at && !self.source.char_before(start).is_some_and(char::is_alphabetic)
    }

    /// What makes a quote inside a text less likely.
    fn inner_surcharges(&self, text: Quoted, len: usize) -> [Option<Slip>; 5] {
        let before = self.source.char_before(self.at);
        let after = self.source.char(self.at + len);
        let opens = text.inner.is_multiple_of(2);
        let odd_place = if opens {
            before.is_some_and(char::is_alphabetic) || after.is_some_and(is_blank)
        } else {
            before.is_some_and(is_blank) && !after.is_some_and(char::is_alphanumeric)
        };
        let next = self.source.visible_from(self.at + len);
        let (last, first_of_line) = self.source.visible_before(self.at);
        let after_colon = opens && last == Some(':');
        let colon = self.source.trimmed_end(text.start as usize, self.at).saturating_sub(1);
        let after_name =
            after_colon && self.source.char_before(colon).is_some_and(char::is_alphanumeric);
        [
            odd_place.then_some(Slip::InnerQuotePlace),
            (next == Some(':') || after_colon).then_some(Slip::InnerQuoteColon),
            after_name.then_some(Slip::InnerQuoteMember),
            (text.role == Role::Key).then_some(Slip::InnerQuoteKey),
            (first_of_line && next != Some(',')).then_some(Slip::InnerQuoteLine),
        ]
    }

    /// A backslash.
    fn escape(&mut self, reading: Reading, text: Quoted) {
        let has = |what: &str| self.source.has(self.at, what);
        if text.quote == Quote::Escaped {
            if has("\\\"") {
                self.end_text(reading, text, 2, self.at);
                if let Some(reading) = self.slip(reading, inner_slip(text.inner, false)) {
                    let inner = if text.inner == 6 { 5 } else { text.inner + 1 };
                    self.go(reading, 2, State::Quoted(Quoted { inner, ..text }));
                }
                return;
            }
            let len = if has("\\\\\\\"") {
                4
            } else if has("\\\\\"") {
                3
            } else {
                self.escape_len()
            };
            return self.go(reading, len, reading.state);
        }
        let known = match self.source.byte(self.at + 1) {
            None => true,
            Some(b'\'') => text.quote == Quote::Single,
            Some(byte) => b"\"\\/bfnrtu".contains(&byte),
        };
        let len = self.escape_len();
        if has("\\\"") && text.quote == Quote::Double {
            self.escaped_closer(reading, text);
        }
        if known {
            self.go(reading, len, reading.state);
        } else {
            self.go_with(reading, Slip::InvalidEscape, len, reading.state);
        }
    }

    /// The quote behind the backslash ends the text. The backslash belongs to the text if it is a path.
    fn escaped_closer(&mut self, reading: Reading, text: Quoted) {
        if self.ends_before(text.role, self.source.visible_from(self.at + 2))
            && let Some(reading) = self.slip(reading, Slip::EscapedCloser)
        {
            let is_path = self.has_before(text, |byte| matches!(byte, b'\\' | b':'));
            self.end_text(reading, text, 2, self.at + usize::from(is_path));
        }
    }

    /// The length of a backslash and what it escapes.
    fn escape_len(&self) -> usize {
        1 + self.source.char(self.at + 1).map_or(0, char::len_utf8)
    }

    fn line_end(&mut self, reading: Reading, text: Quoted) {
        let is_key = text.role == Role::Key;
        if text.quote.spans_lines() {
            return self.go(reading, 1, reading.state);
        }
        if !is_key {
            if self.source.has(self.at, "\n```") {
                self.end_at_fence(reading, text);
            }
            self.end_unclosed(reading, text, Slip::MissingQuoteLine);
            return self.go_with(reading, Slip::RawLine, 1, reading.state);
        }
        self.go_with(reading, Slip::KeyLine, 1, reading.state);
    }

    /// The text ran into the end of its fence: it and the root end there.
    fn end_at_fence(&mut self, reading: Reading, text: Quoted) {
        let Some(reading) = self.slip(reading, Slip::FenceInString) else { return };
        let times = self.hidden_closers(reading, text);
        let Some(reading) = self.slips(reading, Slip::EndCloser, times) else { return };
        let range = Range { start: text.start, end: self.at as u32 };
        let reading = self.event(reading, RepairEvent::Text(range, text.quote));
        if let Some(reading) = self.close_all(reading, Slip::EndOpen) {
            self.go(reading, 4, State::TAIL);
        }
    }

    /// Whether what follows the comma may follow a string that has no closing quote.
    fn may_end_at_comma(&self, reading: Reading) -> bool {
        let members = self.stacks.top(reading.stack).is_some_and(|it| it.has_members());
        if members {
            return self.source.may_be_key(self.at + 1);
        }
        let next = self.source.visible_from(self.at + 1);
        !next.is_some_and(char::is_alphabetic)
    }

    /// The text ends here without a closing quote.
    fn end_unclosed(&mut self, reading: Reading, text: Quoted, slip: Slip) {
        if let Some(reading) = self.slip(reading, slip) {
            let end = self.source.trimmed_end(text.start as usize, self.at);
            self.end_text(reading, text, 0, end);
        }
    }

    /// The text ends at `end`; the reading goes on after `len` bytes.
    fn end_text(&mut self, reading: Reading, text: Quoted, len: usize, end: usize) {
        let Some(reading) = self.text_surcharges(reading, text) else { return };
        let range = Range { start: text.start, end: end as u32 };
        match text.role {
            Role::Key => {
                let reading = self.event(reading, RepairEvent::Key(range, text.quote));
                self.go(reading, len, State::Colon { skipping: false });
            }
            Role::Value => {
                let reading = self.event(reading, RepairEvent::Text(range, text.quote));
                self.end_value(reading, len, State::AFTER_TEXT);
            }
        }
    }

    /// What makes the end of a text with quotes inside less likely.
    pub(super) fn text_surcharges(&mut self, reading: Reading, text: Quoted) -> Option<Reading> {
        let odd = u32::from(text.inner % 2 == 1 && text.role == Role::Value);
        let reading = self.slips(reading, Slip::InnerQuoteOdd, odd)?;
        let unbalanced = u32::from(text.inner > 0 && text.balance != 0);
        self.slips(reading, Slip::InnerQuoteUnbalanced, unbalanced)
    }

    /// A character of a key.
    fn in_key(&mut self, reading: Reading, text: Quoted, char: char) {
        let is_long = self.at - text.start as usize > LONG_KEY;
        let is_plain = matches!(char, '_' | '-' | '.' | '$' | '/' | '@' | '*');
        let odd = match char {
            ' ' => ODD_BLANK,
            _ if char.is_ascii_punctuation() && !is_plain => ODD_SIGN,
            _ => 0,
        };
        let doubt = odd + if is_long { ODD_LENGTH } else { 0 };
        self.go(reading.doubting(doubt), char.len_utf8(), reading.state);
    }
}

/// The slip that a quote inside a text is, after so many of them.
const fn inner_slip(before: u8, odd_kind: bool) -> Slip {
    match before {
        _ if odd_kind => Slip::InnerQuoteNext,
        0 => Slip::InnerQuote,
        1..=4 => Slip::InnerQuoteNext,
        _ => Slip::InnerQuoteMany,
    }
}
