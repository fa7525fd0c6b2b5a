//! Errors in schemas, and the parts of a schema that were left out.

use core::fmt;

use crate::error::Error;

/// A schema that cannot be used, with the reason and its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{kind} at `#{path}` of the schema")]
#[non_exhaustive]
pub struct SchemaError {
    /// The reason.
    pub kind: SchemaErrorKind,
    /// The place, as a JSON Pointer into the schema; empty for its root.
    pub path: String,
}

impl SchemaError {
    pub(crate) fn new(kind: SchemaErrorKind, path: impl Into<String>) -> Self {
        Self { kind, path: path.into() }
    }
}

/// Why a schema cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SchemaErrorKind {
    /// The text is not strict JSON, or reaches a default limit of the parser.
    #[error("the schema could not be read as JSON ({0})")]
    NotJson(Error),
    /// A schema was expected: an object, `true` or `false`.
    #[error("expected a schema: an object, `true` or `false`")]
    NotASchema,
    /// A known keyword has a value of the wrong kind.
    #[error("a keyword with an invalid value")]
    InvalidKeyword,
    /// `$ref` points to a place that does not exist in this text.
    #[error("a reference to a place that does not exist")]
    UnresolvedRef,
    /// References form a cycle without a type: `{"$ref": "#"}`.
    #[error("a reference that only leads back to itself")]
    EndlessRef,
    /// Schemas are nested more than 128 levels deep.
    #[error("nested deeper than 128 schemas")]
    TooDeep,
    /// The schema is too large, with all that its references repeat.
    #[error(
        "more than 1000000 members, alternatives, choices and types, with all that references repeat: leave some out"
    )]
    TooLarge,
    /// More than 4,096 alternatives in one `anyOf` or `oneOf`, nested alternatives included.
    #[error("more than 4096 alternatives")]
    TooManyAlternatives,
    /// The text is neither JSON nor YAML.
    #[error("the schema could not be read as YAML (line {line}, column {column})")]
    NotYaml {
        /// From 1.
        line: usize,
        /// From 1, in characters.
        column: usize,
    },
    /// An alias of YAML, which a schema cannot have.
    #[error("an alias, `*name`, in YAML (line {line}, column {column}): write its value out")]
    YamlAlias {
        /// From 1.
        line: usize,
        /// From 1, in characters.
        column: usize,
    },
    /// A mapping of YAML has a key twice.
    #[error("a repeated key (line {line}, column {column}): leave one of the two out")]
    RepeatedKey {
        /// From 1.
        line: usize,
        /// From 1, in characters.
        column: usize,
    },
    /// A key of YAML is a list or a mapping.
    #[error("a key that is not text (line {line}, column {column})")]
    KeyNotText {
        /// From 1.
        line: usize,
        /// From 1, in characters.
        column: usize,
    },
    /// Output DSL: a number, a bool or null where a type is expected.
    #[error(
        "expected a type: a name, `[type, description, ensure]`, `[prototype]` or an object of fields"
    )]
    NotAType,
    /// Output DSL: the name of the type is unknown.
    #[error(
        "no type has this name: write str, int, number, bool, null, any, list or object, or \
         several with `|` between them"
    )]
    UnknownType,
    /// Output DSL: a list with more than one prototype.
    #[error(
        "more than one prototype: a list is `[prototype]`, and the second place of \
         `[type, description, ensure]` is a text or null"
    )]
    SeveralPrototypes,
    /// Output DSL: a leaf with more than three parts.
    #[error("a part too many: a leaf is `[type, description, ensure]`")]
    SurplusPart,
    /// Output DSL: a description that is not a string.
    #[error("a description has to be a string or null")]
    InvalidDescription,
    /// Output DSL: an unknown value of `ensure`.
    #[error("ensure has to be `true`, `\"not_null\"`, `false` or null")]
    InvalidEnsure,
    /// Output DSL: an unknown key next to `$type`, `$desc` and `$ensure`.
    #[error("not a part of a leaf: `$type`, `$desc` and `$ensure` allow no other keys beside them")]
    UnknownDirective,
    /// Output DSL: `$desc` or `$ensure` without `$type`.
    #[error("a leaf without `$type`: add its type, such as `\"$type\": \"str\"`")]
    MissingType,
}

/// A keyword of a JSON Schema that the resulting [`Schema`](super::Schema) does not represent.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct UnsupportedKeyword {
    /// The schema that contains the keyword, as a JSON Pointer; empty for the root.
    pub path: String,
    /// The keyword.
    pub keyword: String,
}

impl fmt::Display for UnsupportedKeyword {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` at `#{}`", self.keyword, self.path)
    }
}
