//! Quotes whose meaning takes more than the next visible byte.
//!
//! No valid document has such bytes: either they fit no separator, or the string has quotes inside already.
//! Then the quote and up to 32 visible characters after it are held, and a [`QuoteJudge`] compares the two
//! readings: the string ends here, or the quote belongs to it. The judge sees the held text and nothing of
//! chunks, so cuts do not matter.

use super::look::{LookPhase, LookVerdict, QuoteLook};
use super::{JsonContainer, JsonLexer, JsonQuote, StringRole};
use crate::leniency::Leniencies;

/// Open containers that a judge sees.
const CONTAINERS: usize = 8;
/// Bytes of a window for each visible character that it may have.
const BYTES: usize = 4;

/// A quote and what surrounds it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct QuoteWindow<'a> {
    /// The innermost open containers, the outermost of them first.
    pub(crate) containers: &'a [JsonContainer],
    pub(crate) is_key: bool,
    pub(crate) quote: JsonQuote,
    pub(crate) inner: InnerQuotes,
    /// Two characters before the quote, the quote, and the text after it.
    pub(crate) text: &'a str,
    /// The position of the quote.
    pub(crate) at: usize,
    pub(crate) rules: Leniencies,
    /// Whether the judge must decide, and whether it sees the end of the input.
    pub(crate) is_last: bool,
    pub(crate) is_end: bool,
}

/// Decides whether the quote ends its text. None if more text may change the decision.
#[derive(Debug, Clone, Copy)]
pub(crate) struct QuoteJudge(pub(crate) fn(&QuoteWindow<'_>) -> Option<bool>);

#[cfg(test)]
impl QuoteJudge {
    /// Makes each quote in question part of its text.
    pub(crate) const NEVER_ENDS: Self = Self(|_| Some(false));
}

/// All lexers of a program have one judge: it does not tell their states apart.
impl PartialEq for QuoteJudge {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// The windows of a root.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct QuoteWindows {
    /// Decides quotes that the next visible byte does not.
    pub(super) judge: QuoteJudge,
    /// Windows that the root may still open.
    pub(super) left: u16,
}

/// What is known of the text before a quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct InnerQuotes {
    /// Quotes in the text: exact up to four, then 5 or 6 by parity.
    pub(crate) count: u8,
    /// Brackets that opened since the first of them, less those that closed.
    pub(crate) balance: i8,
    /// The last byte of the text, or of its opener.
    last: u8,
}

impl InnerQuotes {
    pub(super) const NONE: Self = Self { count: 0, balance: 0, last: b'"' };

    #[inline(always)]
    pub(super) const fn is_any(self) -> bool {
        self.count > 0
    }

    /// Notes more text of a string without quotes inside.
    #[inline(always)]
    pub(super) fn see_plain(&mut self, text: &str) {
        if let Some(last) = text.as_bytes().last() {
            self.last = *last;
        }
    }

    /// Notes more text of the string.
    #[inline(always)]
    pub(super) fn see(&mut self, text: &str) {
        if let Some(last) = text.as_bytes().last() {
            self.last = *last;
        }
        if self.is_any() {
            self.count_brackets(text);
        }
    }

    fn count_brackets(&mut self, text: &str) {
        for byte in text.bytes() {
            match byte {
                b'{' | b'[' => self.balance = (self.balance + 1).min(30),
                b'}' | b']' => self.balance = (self.balance - 1).max(-30),
                _ => {}
            }
        }
    }

    /// Whether a single quote before this character is an apostrophe: between letters.
    fn is_apostrophe(self, quote: JsonQuote, after: Option<char>) -> bool {
        let single = !matches!(quote, JsonQuote::Double | JsonQuote::SmartDouble);
        let after_word = self.last.is_ascii_alphanumeric() || !self.last.is_ascii();
        single && after_word && after.is_some_and(char::is_alphanumeric)
    }

    /// Notes a quote that is part of the text, and the character after it.
    pub(super) fn add(&mut self, quote: JsonQuote, after: Option<char>) {
        if self.is_apostrophe(quote, after) {
            return;
        }
        let opens = self.count.is_multiple_of(2);
        // `5"` is a size, and no quote of a pair.
        let inches = opens && self.last.is_ascii_digit();
        if inches && !after.is_some_and(char::is_alphanumeric) {
            return;
        }
        if self.count == 0 {
            self.balance = i8::from(matches!(self.last, b'{' | b'['));
        }
        self.count = if self.count == 6 { 5 } else { self.count + 1 };
    }

    /// The last two characters, as far as they matter. A digit ends a number, and no name.
    const fn last_chars(self) -> [char; 2] {
        match self.last {
            digit @ b'0'..=b'9' => [' ', digit as char],
            byte @ 0..0x80 => ['x', byte as char],
            _ => ['x', 'é'],
        }
    }
}

impl JsonLexer {
    /// Whether a window opens at the character, which does not follow a quote that ends its text.
    pub(super) fn opens_window(&self, look: QuoteLook, char: char) -> bool {
        let apostrophe =
            look.is_fresh() && self.string.inner.is_apostrophe(self.string.quote, Some(char));
        let decided = matches!(look.phase, LookPhase::Repeated | LookPhase::Window);
        self.windows.left > 0 && !decided && !apostrophe
    }

    /// Opens a window over the held bytes.
    pub(super) fn open_window(&mut self) -> QuoteLook {
        self.windows.left -= 1;
        let visible =
            self.held.text.chars().skip(1).filter(|char| !self.settings.is_blank(*char)).count();
        QuoteLook::window(visible.min(usize::from(u8::MAX)) as u8)
    }

    /// In a window, at a character that is not held yet.
    pub(super) fn in_window(
        &self,
        role: StringRole,
        look: &mut QuoteLook,
        char: char,
    ) -> LookVerdict {
        look.len = look.len.saturating_add(u8::from(!self.settings.is_blank(char)));
        let is_last = usize::from(look.len) >= self.settings.caps.window
            || self.held.text.len() >= BYTES * self.settings.caps.window;
        if !is_last && !decides(char) {
            return LookVerdict::Hold;
        }
        match self.judge_window(role, Some(char), is_last) {
            Some(true) => LookVerdict::Ends,
            Some(false) => LookVerdict::Content,
            None => LookVerdict::Hold,
        }
    }

    /// What the judge says of the held bytes and one more character, or the end of the input.
    pub(super) fn judge_window(
        &self,
        role: StringRole,
        next: Option<char>,
        is_last: bool,
    ) -> Option<bool> {
        let mut text = String::with_capacity(self.held.text.len() + 8);
        text.extend(self.string.inner.last_chars());
        let at = text.len();
        text.push_str(&self.held.text);
        text.extend(next);
        let first = self.stack.len().saturating_sub(CONTAINERS);
        (self.windows.judge.0)(&QuoteWindow {
            containers: &self.stack[first..],
            is_key: role == StringRole::Key,
            quote: self.string.quote,
            inner: self.string.inner,
            text: &text,
            at,
            rules: self.settings.rules,
            is_last,
            is_end: next.is_none(),
        })
    }
}

/// Whether a character may change which of the readings is cheaper.
const fn decides(char: char) -> bool {
    matches!(char, '"' | '\'' | '”' | ',' | ':' | '{' | '}' | '[' | ']' | '\n')
}

#[cfg(test)]
mod tests {
    use super::{InnerQuotes, JsonQuote, decides};

    #[test]
    fn quotes_inside_are_counted_with_the_brackets_behind_them() {
        let mut inner = InnerQuotes::NONE;
        inner.see("is {");
        inner.add(JsonQuote::Double, Some('b'));
        assert_eq!((inner.count, inner.balance), (1, 1));
        inner.see("b} [");
        assert_eq!((inner.count, inner.balance), (1, 1));
        for count in [2, 3, 4, 5, 6, 5] {
            inner.add(JsonQuote::Double, Some('x'));
            assert_eq!(inner.count, count);
        }
    }

    #[test]
    fn inches_are_no_quotes_of_a_pair() {
        for (before, after, count) in [("5", Some(' '), 0), ("5", Some('x'), 1), ("a", None, 1)] {
            let mut inner = InnerQuotes::NONE;
            inner.see(before);
            inner.add(JsonQuote::Double, after);
            assert_eq!(inner.count, count, "{before}");
        }
    }

    #[test]
    fn apostrophes_are_no_quotes() {
        for (quote, before, after, count) in [
            (JsonQuote::Single, "it", Some('s'), 0),
            (JsonQuote::SmartSingle, "é", Some('s'), 0),
            (JsonQuote::Single, "it", Some(' '), 1),
            (JsonQuote::Single, " ", Some('s'), 1),
            (JsonQuote::Double, "it", Some('s'), 1),
        ] {
            let mut inner = InnerQuotes::NONE;
            inner.see(before);
            inner.add(quote, after);
            assert_eq!(inner.count, count, "{before} {after:?}");
        }
    }

    #[test]
    fn only_structure_changes_what_is_cheaper() {
        let found: String = "ab \",:}]x\n”é".chars().filter(|char| decides(*char)).collect();
        assert_eq!(found, "\",:}]\n”");
    }
}
