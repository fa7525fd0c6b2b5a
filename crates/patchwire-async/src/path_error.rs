//! Why a path leads to no value.

use core::fmt;

use patchwire::path::PatternError;
use patchwire::schema::UndeclaredPath;
use patchwire::{Value, ValueKind};

/// Why a path leads to no value, or to one that was not completed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum PathError {
    /// The path cannot be parsed.
    Syntax(PatternError),
    /// The schema does not declare the path. Nothing was read from the source.
    Undeclared(UndeclaredPath),
    /// The answer ended without a value at this path.
    #[non_exhaustive]
    Missing {
        /// The path.
        path: String,
        /// The names that the answer has in that place.
        names: Vec<String>,
    },
    /// The answer was cut, and the value at this path is not whole.
    #[non_exhaustive]
    Cut {
        /// The path.
        path: String,
        /// What arrived of the value.
        value: Value,
    },
    /// A text was asked for, and the value is none.
    #[non_exhaustive]
    NoText {
        /// The path.
        path: String,
        /// What the value is.
        kind: ValueKind,
    },
}

impl PathError {
    pub(crate) fn missing(path: &str) -> Self {
        Self::Missing { path: path.to_owned(), names: Vec::new() }
    }
}

/// Most names that a message lists.
const MOST_LISTED: usize = 8;

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(error) => error.fmt(f),
            Self::Undeclared(error) => error.fmt(f),
            Self::Missing { path, names } => {
                write!(f, "the answer has no `{path}`")?;
                for (at, name) in names.iter().take(MOST_LISTED).enumerate() {
                    write!(f, "{}`{name}`", if at == 0 { "; it has " } else { ", " })?;
                }
                match names.len().saturating_sub(MOST_LISTED) {
                    0 => Ok(()),
                    more => write!(f, " and {more} more"),
                }
            }
            Self::Cut { path, .. } if path.is_empty() => f.write_str("the answer was cut"),
            Self::Cut { path, .. } => write!(f, "the answer was cut before `{path}` was complete"),
            Self::NoText { path, kind } => {
                let kind = match kind {
                    ValueKind::List => "a list; `each` gives its items, `values` the list so far",
                    _ => "an object; `values` gives the object so far",
                };
                write!(f, "`{path}` is {kind}")
            }
        }
    }
}

impl std::error::Error for PathError {}

impl From<PatternError> for PathError {
    fn from(error: PatternError) -> Self {
        Self::Syntax(error)
    }
}

impl From<UndeclaredPath> for PathError {
    fn from(error: UndeclaredPath) -> Self {
        Self::Undeclared(error)
    }
}
