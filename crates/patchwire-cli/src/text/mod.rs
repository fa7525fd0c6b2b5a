//! Model text on a terminal: characters that are safe to print, and line wrapping.

mod glyph;
mod wrap;

pub(crate) use glyph::printable;
pub(crate) use glyph::{columns, fit};
pub(crate) use wrap::Wrap;
