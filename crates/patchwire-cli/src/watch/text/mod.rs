//! A model's text on a terminal: as signs that move and colour nothing, in lines of so many columns.

mod glyph;
mod wrap;

pub(crate) use glyph::shown;
pub(super) use glyph::{columns, fit};
pub(super) use wrap::Wrap;
