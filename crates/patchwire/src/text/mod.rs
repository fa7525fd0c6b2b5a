//! Bytes to text: code points that a chunk cut, and bytes that are not UTF-8.

pub(crate) mod escape;
mod utf8;

pub(crate) use utf8::{Carry, Piece};
