//! Model text on a terminal: characters that are safe to print, and line wrapping.

mod glyph;
#[cfg(feature = "watch")]
mod wrap;

pub(crate) use glyph::printable;
#[cfg(feature = "watch")]
pub(crate) use glyph::{columns, fit};
#[cfg(feature = "watch")]
pub(crate) use wrap::Wrap;
