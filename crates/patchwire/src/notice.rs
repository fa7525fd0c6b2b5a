//! Notices: records of what was skipped, repaired or guessed.

pub use crate::codes::{Code, Severity};
use crate::path::Path;
use crate::span::Span;

/// One thing that was noticed, where it was noticed.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Notice<'a> {
    /// What.
    pub code: Code,
    /// The value it concerns, if one was open or just closed.
    pub path: Path<'a>,
    /// The bytes it concerns. Points; does not take part in the tiling of the input.
    pub span: Span,
}

/// A notice kept for the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OwnedNotice {
    /// What.
    pub code: Code,
    /// The value it concerns, as its path prints.
    pub path: String,
    /// The bytes it concerns.
    pub span: Span,
}

impl OwnedNotice {
    /// A notice about no bytes: from layers above the parser.
    #[must_use]
    pub const fn of(code: Code) -> Self {
        Self { code, path: String::new(), span: Span::new(0, 0) }
    }
}

impl Notice<'_> {
    /// The notice on its own, with its path printed.
    #[must_use]
    pub fn to_owned(&self) -> OwnedNotice {
        OwnedNotice { code: self.code, path: self.path.to_string(), span: self.span }
    }
}
