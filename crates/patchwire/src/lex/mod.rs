//! Resumable lexers. They know no paths and no schema.

pub(crate) mod attributes;
pub(crate) mod fence_line;
pub(crate) mod heading;
mod input;
pub(crate) mod json;
pub(crate) mod marker;
mod token;
pub(crate) mod xml;
pub(crate) mod yaml;

pub use input::Input;
pub(crate) use token::Queue;
pub use token::{Scalar, Slice, Token, TokenKind};
