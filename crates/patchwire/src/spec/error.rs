//! Settings that do not agree, or are too large.

use super::Format;
use crate::limits::Limit;
use crate::path::PatternError;

/// A conflict between settings.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecError {
    /// Strict input is one text of the format, without elements.
    #[error("strict reading allows no tag set: leave one of the two out")]
    StrictWithTags,
    /// `start_in` names a family that the tag set does not have.
    #[error("no family of the tag set is called `{0}`")]
    UnknownFamily(String),
    /// A path to check is invalid.
    #[error("`{path}` is {source}")]
    Path {
        /// The path as given.
        path: String,
        /// The error in the path.
        source: PatternError,
    },
    /// The format writes the fields of an object, and the schema's root is no object.
    #[error(
        "`{0}` writes the fields of an object, and the schema's root is none: use `json` or `auto`, or an \
         object around the value"
    )]
    RootIsNoObject(Format),
    /// The value is to be [valid](super::SpecBuilder::valid), and its JSON Schema cannot judge it: it is itself not
    /// valid, or nested too deeply.
    #[error("values cannot be judged by the schema: {0}")]
    InvalidSchema(String),
    /// There is more of something than its limit allows.
    #[error("{found} {}: at most {most} are allowed: leave some out, or raise the limit `{limit}`", what(*limit))]
    TooMany {
        /// The limit.
        limit: Limit,
        /// How many there are.
        found: u64,
        /// How many there may be.
        most: u64,
    },
    /// The paths to check have wildcards beside names at many steps of one path. With each such step twice as many
    /// paths lead to one place.
    #[error(
        "the paths to check have `*` beside names or indexes at more than {most} steps of one path: leave some out"
    )]
    Wildcards {
        /// How many steps there may be.
        most: usize,
    },
}

const fn what(limit: Limit) -> &'static str {
    match limit {
        Limit::Schema => "members, alternatives, choices and types of the schema",
        Limit::Paths => "paths to check",
        Limit::PathBytes => "bytes of paths to check",
        _ => "parts",
    }
}
