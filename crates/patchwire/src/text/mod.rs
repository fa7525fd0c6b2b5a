//! UTF-8 decoding: code points that a chunk boundary cut, and bytes that are not UTF-8.

mod append;
pub(crate) mod escape;
mod number;
pub(crate) mod percent;
mod short;
pub(crate) mod text_path;
mod utf8;
mod whitespace;

pub(crate) use append::{append, append_bytes};
pub(crate) use number::write_number;
pub(crate) use short::{as_text, as_text_soon};
pub(crate) use utf8::{Carry, Piece};
pub(crate) use whitespace::{
    BOM, WHITESPACE, is_unicode_space, is_whitespace, is_whitespace_byte, whitespace_len,
};
