//! The text of a field that should have been JSON and may be a string instead.

use crate::lex::Scalar;
use crate::text::{WHITESPACE, is_whitespace};

/// The text of a field without JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Prose {
    /// The text, from its first visible character on.
    pub(super) text: String,
    /// The largest number of its bytes.
    most: usize,
    /// Whether the text, or the text of its last fence, is not JSON.
    pub(super) is_stray: bool,
}

impl Prose {
    pub(super) const fn new(most: usize) -> Self {
        Self { text: String::new(), most, is_stray: false }
    }

    /// Adds one more character. None if the text becomes too long.
    pub(super) fn push(mut self, char: char) -> Option<Self> {
        let blank = is_whitespace(char);
        if !self.text.is_empty() || !blank {
            self.text.push(char);
        }
        (self.text.len() <= self.most).then_some(self)
    }

    /// The text as a text field would emit it.
    pub(super) fn emitted(&self) -> String {
        self.text.trim_end_matches(WHITESPACE).replace("\r\n", "\n")
    }
}

/// The literal of Python that is all of a text.
pub(super) fn foreign_literal(text: &str) -> Option<Scalar> {
    match text.trim_end_matches(WHITESPACE) {
        "True" => Some(Scalar::True),
        "False" => Some(Scalar::False),
        "None" => Some(Scalar::Null),
        _ => None,
    }
}
