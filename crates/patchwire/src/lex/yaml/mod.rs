//! The grammar areas of YAML 1.2 (<https://yaml.org/spec/1.2.2/>), each a small resumable machine: block
//! scalars, plain and quoted scalars and how their lines fold, keys, brackets, and the lines that begin
//! and end a document. The format counts columns and knows which collections are open.

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

pub(crate) use block::{BlockLine, BlockScalar};
pub(crate) use brackets::FlowBrackets;
pub(crate) use header::BlockHeader;
pub(crate) use marker::{DocumentBoundary, DocumentMarker, MarkerScope, MarkerStep};
pub(crate) use number::to_json;
pub(crate) use plain::{PlainLines, PlainStop, is_reserved};
pub(crate) use probe::{KeyFound, KeyProbe};
pub(crate) use quoted::{QuotedScalar, QuotedStop, decode};
pub(crate) use word::{CoreValue, CoreWord, resolve};

/// Whether this is a space or a tab (section 5.5, `s-white`).
pub(crate) const fn is_blank(char: char) -> bool {
    matches!(char, ' ' | '\t')
}
