//! A failure: a place of an answer that breaks a rule, and why.

use core::fmt;

use crate::document::ValueRef;
use crate::path::{PathBuf, Segment};

/// Why an answer fails at a place.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum FailureKind {
    /// There is no value.
    NoValue,
    /// The value is missing.
    Missing,
    /// The value is null.
    Null,
    /// The value is a string of whitespace, or an empty one.
    Blank,
    /// The value is a list or map without children.
    Empty,
    /// The value is not of the type that the schema declares.
    WrongType {
        /// The declared type, as prompts write it.
        wanted: String,
    },
    /// The schema does not declare the value.
    Undeclared,
}

impl FailureKind {
    /// The name in the wire form.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::NoValue => "no_value",
            Self::Missing => "missing",
            Self::Null => "null",
            Self::Blank => "blank",
            Self::Empty => "empty",
            Self::WrongType { .. } => "wrong_type",
            Self::Undeclared => "undeclared",
        }
    }
}

impl fmt::Display for FailureKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoValue => f.write_str("no value could be read"),
            Self::Missing => f.write_str("is missing"),
            Self::Null => f.write_str("is null"),
            Self::Blank => f.write_str("is blank"),
            Self::Empty => f.write_str("is empty"),
            Self::WrongType { wanted } => write!(f, "should be {wanted}"),
            Self::Undeclared => f.write_str("is not in the schema"),
        }
    }
}

/// A failure of an answer, and its place. `Display` prints `items[2].sku is blank`.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// Why the answer fails.
    pub kind: FailureKind,
    /// Where the answer fails. The path of the root is empty.
    pub path: PathBuf,
    /// What the text lacks in which no value was found; empty if there is nothing to say.
    pub(crate) lacks: &'static str,
}

impl Failure {
    /// A failure of this value.
    pub(super) fn new(kind: FailureKind, at: ValueRef<'_>) -> Self {
        Self { kind, path: at.path(), lacks: "" }
    }

    /// A failure of a child that this value should have.
    pub(super) fn below(kind: FailureKind, at: ValueRef<'_>, step: Segment<'_>) -> Self {
        Self { kind, path: at.path().child(step), lacks: "" }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.kind, self.path.is_empty()) {
            (FailureKind::NoValue, _) => write!(f, "{}{}", self.kind, self.lacks),
            (kind, true) => write!(f, "the answer {kind}"),
            (kind, false) => write!(f, "{} {kind}", self.path),
        }
    }
}
