//! Sections after a fence that was never closed: the stream read them as code.

use crate::document::{Document, NodeId, ValueRef};
use crate::finalize::reread::{self, OffsetText};
use crate::finalize::text_part::TextPart;
use crate::spec::Settings;
use crate::text::WHITESPACE;

/// A field that swallowed others.
pub(super) struct SwallowedFields {
    pub(super) node: NodeId,
    /// How many bytes of the field's text are its own.
    pub(super) len: usize,
    /// The fields that it swallowed.
    pub(super) more: Document,
}

/// Reads hidden sections again. None if their text is not the end of the last field's text: then other
/// text lies between them.
pub(super) fn find(
    raw: &[u8],
    part: &TextPart,
    streamed: ValueRef<'_>,
    settings: &Settings,
) -> Option<SwallowedFields> {
    let (start, machine) = part.hidden.as_ref()?;
    let rest = String::from_utf8_lossy(raw.get(usize::try_from(*start).ok()?..)?);
    let tail = rest.replace("\r\n", "\n");
    let tail = tail.trim_end_matches(WHITESPACE);
    let last = streamed.entries().filter_map(|(_, value)| value.as_str().map(|_| value)).last()?;
    let own = last.as_str()?.strip_suffix(tail)?;
    let read =
        reread::root_of(machine.clone(), OffsetText { text: &rest, start: *start }, settings)?;
    let is_new = |key: Option<&str>| key.is_some_and(|key| streamed.get(key).is_none());
    let any_new = read.document.value().entries().any(|(key, _)| is_new(key));
    any_new.then_some(SwallowedFields {
        node: last.node()?,
        len: own.trim_end_matches(WHITESPACE).len(),
        more: read.document,
    })
}
