//! Notices: records of what was skipped, repaired or guessed.

pub use crate::codes::{Code, Severity};
use crate::path::Path;
use crate::span::Span;

/// A record of something that was skipped, repaired or guessed, borrowed from the parser.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Notice<'a> {
    /// What happened.
    pub code: Code,
    /// The path of the value that was open or had just closed; empty if there was none.
    pub path: Path<'a>,
    /// The bytes that the notice is about. It may overlap the spans of events, which tile the input.
    pub span: Span,
}

/// A notice with its path as text, as an answer keeps it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OwnedNotice {
    /// What happened.
    pub code: Code,
    /// The path of the value that was open or had just closed, as text.
    pub path: String,
    /// The bytes that the notice is about.
    pub span: Span,
}

impl OwnedNotice {
    /// A notice about no bytes, for layers above the parser.
    #[must_use]
    pub const fn of(code: Code) -> Self {
        Self { code, path: String::new(), span: Span::new(0, 0) }
    }
}

impl Notice<'_> {
    /// Copies the notice, with its path as text.
    #[must_use]
    pub fn to_owned(&self) -> OwnedNotice {
        OwnedNotice { code: self.code, path: self.path.to_string(), span: self.span }
    }
}
