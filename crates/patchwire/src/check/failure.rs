//! A failure: a place of an answer that breaks a rule, and why.

use core::fmt;

use crate::document::ValueRef;
use crate::path::{PathBuf, Segment};
#[cfg(feature = "validate")]
use crate::validate::{Fault, Finding};

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
    /// The value breaks another rule of its JSON Schema, such as a range or a pattern.
    Invalid {
        /// What the value should be or do, behind "should": `be at least 3`.
        wanted: String,
    },
    /// The value is nested too deeply to be judged by its JSON Schema, or the verdict takes too long.
    Unchecked,
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
            Self::Invalid { .. } => "invalid",
            Self::Unchecked => "unchecked",
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
            Self::Invalid { wanted } => write!(f, "should {wanted}"),
            Self::Unchecked => f.write_str(
                "is nested too deeply, or its schema applies too often, to be checked by the schema",
            ),
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
    /// The keyword of the JSON Schema that the value breaks. None if the answer fails by a rule of patchwire: a
    /// path that is needed, or the exact shape, which allows no members beside the declared ones.
    pub keyword: Option<Box<str>>,
    /// Describes an answer without a value: the markers of its format, and the fields that it should have. Empty if there
    /// is nothing to say.
    pub(crate) lacks: Box<str>,
}

impl Failure {
    /// A failure of this value.
    pub(super) fn new(kind: FailureKind, at: ValueRef<'_>) -> Self {
        Self { kind, path: at.path(), keyword: None, lacks: Box::default() }
    }

    /// What the validator found.
    #[cfg(feature = "validate")]
    pub(super) fn found(finding: Finding) -> Self {
        let kind = match finding.fault {
            Fault::WrongType { wanted } => FailureKind::WrongType { wanted },
            Fault::Missing => FailureKind::Missing,
            Fault::Undeclared => FailureKind::Undeclared,
            Fault::Invalid { wanted } => FailureKind::Invalid { wanted },
            Fault::TooDeep => FailureKind::Unchecked,
        };
        let keyword = Some(finding.keyword).filter(|it| !it.is_empty()).map(Into::into);
        Self { kind, path: finding.path, keyword, lacks: Box::default() }
    }

    /// Whether another failure says the same of the same place.
    pub(super) fn repeats(&self, other: &Self) -> bool {
        self.kind.name() == other.kind.name() && self.path == other.path
    }

    /// A failure of a child that this value should have.
    pub(super) fn below(kind: FailureKind, at: ValueRef<'_>, step: Segment<'_>) -> Self {
        Self { kind, path: at.path().child(step), keyword: None, lacks: Box::default() }
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
