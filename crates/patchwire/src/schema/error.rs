//! Why a JSON Schema could not be read, and what of it was left out.

use core::fmt;

use crate::error::Error;

/// A JSON Schema that cannot be used, and where in its text the reason is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind} at `#{path}` of the schema")]
#[non_exhaustive]
pub struct SchemaError {
    /// Why.
    pub kind: SchemaErrorKind,
    /// Where, as a JSON Pointer into the schema; empty for its root.
    pub path: String,
}

impl SchemaError {
    pub(crate) fn new(kind: SchemaErrorKind, path: impl Into<String>) -> Self {
        Self { kind, path: path.into() }
    }
}

/// Why a JSON Schema cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaErrorKind {
    /// The text is not strict JSON, or reaches a default limit of the parser.
    #[error("the schema could not be read as JSON ({0})")]
    NotJson(Error),
    /// A schema was expected: an object, `true` or `false`.
    #[error("expected a schema: an object, `true` or `false`")]
    NotASchema,
    /// A keyword that is understood has a value of the wrong kind.
    #[error("a keyword with a value it cannot have")]
    InvalidKeyword,
    /// `$ref` points into this text, but nothing is there.
    #[error("a reference to nothing")]
    UnresolvedRef,
    /// References lead back here without ever saying what a value is: `{"$ref": "#"}`.
    #[error("a reference that only leads back to itself")]
    EndlessRef,
    /// More than 128 schemas inside one another.
    #[error("nested deeper than 128 schemas")]
    TooDeep,
    /// More than 4,096 alternatives in one `anyOf` or `oneOf`, those of its alternatives included.
    #[error("more than 4096 alternatives")]
    TooManyAlternatives,
}

/// A keyword of a JSON Schema that the [`Schema`](super::Schema) read from it does not carry.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct UnsupportedKeyword {
    /// The schema the keyword stands in, as a JSON Pointer; empty for the root.
    pub path: String,
    /// The keyword.
    pub keyword: String,
}

impl fmt::Display for UnsupportedKeyword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` at `#{}`", self.keyword, self.path)
    }
}
