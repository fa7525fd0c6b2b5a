//! The key or string that is being read.

use super::escape::JsonEscape;
use super::quote::JsonQuote;
use super::window::InnerQuotes;

/// The current text, or the last one. Its characters are emitted or kept elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CurrentText {
    pub(super) quote: JsonQuote,
    /// Whether it has any text yet. Three opening quotes require that it has none.
    pub(super) started: bool,
    /// The quotes inside it.
    pub(super) inner: InnerQuotes,
    /// The escape that is being read, or the last one.
    pub(super) escape: JsonEscape,
    /// The notices that were emitted for it, of those that each text gets once.
    pub(super) noted: NotedOnce,
    /// Whether a key of this root had two quotes on each side: values then have them, too.
    pub(super) has_doubled_quotes: bool,
}

/// Notices that are emitted once per text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct NotedOnce {
    pub(super) control: bool,
    pub(super) escape: bool,
}

impl CurrentText {
    pub(super) fn new() -> Self {
        Self {
            quote: JsonQuote::Double,
            started: false,
            inner: InnerQuotes::NONE,
            escape: JsonEscape::default(),
            noted: NotedOnce::default(),
            has_doubled_quotes: false,
        }
    }

    /// Begins a text with this quote.
    pub(super) fn begin(&mut self, quote: JsonQuote) {
        self.quote = quote;
        self.started = false;
        self.inner = InnerQuotes::NONE;
        self.noted = NotedOnce::default();
    }

    /// Prepares for another root.
    pub(super) fn restart(&mut self) {
        self.escape = JsonEscape::default();
        self.has_doubled_quotes = false;
    }

    /// Whether the text is in `"` and has no quotes inside so far, as in valid JSON.
    #[inline(always)]
    pub(super) const fn is_plain(&self) -> bool {
        matches!(self.quote, JsonQuote::Double) && !self.inner.is_any()
    }

    /// Notes more text of a [plain](Self::is_plain) string. It is not empty.
    #[inline(always)]
    pub(super) fn see_plain(&mut self, text: &str) {
        self.started = true;
        self.inner.see_plain(text);
    }

    /// Notes more text.
    #[inline(always)]
    pub(super) fn see(&mut self, text: &str) {
        self.started = true;
        self.inner.see(text);
    }
}

#[cfg(test)]
mod tests {
    use super::{CurrentText, InnerQuotes, JsonQuote, NotedOnce};

    #[test]
    fn a_new_text_knows_nothing_of_the_last_one() {
        let mut string = CurrentText::new();
        string.see("a [");
        string.inner.add(JsonQuote::Double, Some('b'));
        string.noted = NotedOnce { control: true, escape: true };
        string.has_doubled_quotes = true;
        string.begin(JsonQuote::Single);
        let fresh = CurrentText { quote: JsonQuote::Single, ..CurrentText::new() };
        assert_eq!(string, CurrentText { has_doubled_quotes: true, ..fresh });
        assert_eq!(string.inner, InnerQuotes::NONE);
        string.restart();
        assert_eq!(string, fresh);
    }
}
