//! What stands inside elements that are not text: each body is a document of its own.

mod json;

use crate::error::Error;
use crate::lex::{Input, Slice, Token};
pub(crate) use json::JsonBody;

/// The body of the open element.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Body {
    Json(Box<JsonBody>),
}

impl Body {
    /// The next token; none when the input is used up.
    pub(crate) fn step(&mut self, input: &mut Input<'_>) -> Result<Option<Token>, Error> {
        match self {
            Self::Json(json) => json.step(input),
        }
    }

    /// The next token that the end of the element makes.
    pub(crate) fn finish(&mut self, end: u64) -> Result<Option<Token>, Error> {
        match self {
            Self::Json(json) => json.finish(end),
        }
    }

    /// Whether markers are data here.
    pub(crate) fn hides(&self) -> bool {
        match self {
            Self::Json(json) => json.is_in_string(),
        }
    }

    /// Where the string began that is open.
    pub(crate) fn open_string(&self) -> Option<u64> {
        match self {
            Self::Json(json) => json.open_string(),
        }
    }

    pub(crate) fn resolve<'a>(&'a self, slice: Slice, input: &'a str) -> &'a str {
        match (slice, self) {
            (Slice::Empty, _) => "",
            (Slice::Input { start, end }, _) => &input[start as usize..end as usize],
            (Slice::Buffer { start, end }, Self::Json(json)) => {
                &json.buffer()[start as usize..end as usize]
            }
        }
    }

    pub(crate) fn forget(&mut self) {
        match self {
            Self::Json(json) => json.forget(),
        }
    }

    /// The input is about to go while tokens are left.
    pub(crate) fn settle(&mut self, input: &str) {
        match self {
            Self::Json(json) => json.settle(input),
        }
    }

    pub(crate) fn is_drained(&self) -> bool {
        match self {
            Self::Json(json) => json.is_drained(),
        }
    }
}
