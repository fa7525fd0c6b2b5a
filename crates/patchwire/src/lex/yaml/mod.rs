//! The grammar areas of YAML 1.2 (<https://yaml.org/spec/1.2.2/>), each a small resumable machine: block
//! scalars, plain and quoted scalars and how their lines fold, keys, brackets, and the lines that begin
//! and end a document. Whoever reads a document counts the columns and says which of them is open.

mod block;
mod brackets;
mod folding;
mod header;
mod marker;
mod number;
mod plain;
mod probe;
mod quoted;
mod word;

pub(crate) use block::{Block, Line};
pub(crate) use brackets::Brackets;
pub(crate) use header::Header;
pub(crate) use marker::{Boundary, Marker, Scope, Step};
pub(crate) use number::to_json;
pub(crate) use plain::{Plain, Run, is_reserved};
pub(crate) use probe::{Found, Probe};
pub(crate) use quoted::{Quoted, Read, decode};
pub(crate) use word::{Resolved, Word, resolve};

/// Whether this is a blank within a line.
pub(crate) const fn is_blank(char: char) -> bool {
    matches!(char, ' ' | '\t')
}
