//! Sections behind a fence that was never closed: to the stream they were code.

use crate::document::{Document, NodeId, ValueRef};
use crate::finalize::part::Part;
use crate::finalize::reread;
use crate::spec::Settings;

/// Where the field that swallowed others ends, and what it swallowed.
pub(super) struct Swallowed {
    pub(super) node: NodeId,
    /// Bytes of its text that are its own.
    pub(super) len: usize,
    pub(super) more: Document,
}

/// Reads the sections again that the machine says were hidden. None where their text is not the end of
/// the last field's: something between them was no text of the payload.
pub(super) fn find(
    raw: &[u8],
    part: &Part,
    streamed: ValueRef<'_>,
    settings: &Settings,
) -> Option<Swallowed> {
    let (start, machine) = part.hidden.as_ref()?;
    let rest = String::from_utf8_lossy(raw.get(usize::try_from(*start).ok()?..)?);
    let tail = rest.replace("\r\n", "\n");
    let tail = tail.trim_end_matches([' ', '\t', '\r', '\n']);
    let last = streamed.entries().filter_map(|(_, value)| value.as_str().map(|_| value)).last()?;
    let own = last.as_str()?.strip_suffix(tail)?;
    let read = reread::root_of(machine.clone(), (&rest, *start), settings)?;
    let is_new = |key: Option<&str>| key.is_some_and(|key| streamed.get(key).is_none());
    let any_new = read.document.value().entries().any(|(key, _)| is_new(key));
    any_new.then_some(Swallowed {
        node: last.node()?,
        len: own.trim_end_matches([' ', '\t', '\r', '\n']).len(),
        more: read.document,
    })
}
