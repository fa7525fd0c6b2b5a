//! A model's text on a terminal: as signs that move and colour nothing, in lines of so many columns.

mod glyph;
mod wrap;

pub(super) use glyph::{columns, fit, shown};
pub(super) use wrap::Wrap;
