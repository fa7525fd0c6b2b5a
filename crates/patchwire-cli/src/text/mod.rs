//! A model's text on a terminal: as signs that move and colour nothing, in lines of so many columns.

mod glyph;
mod wrap;

pub(crate) use glyph::printable;
pub(crate) use glyph::{columns, fit};
pub(crate) use wrap::Wrap;
