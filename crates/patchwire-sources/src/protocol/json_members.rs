//! Members of the JSON objects that providers send.

use serde_json::Value as Json;

use crate::delta::Delta;

/// The text of a member, if it is a string and not empty.
pub(super) fn text<'j>(object: &'j Json, name: &str) -> Option<&'j str> {
    object.get(name)?.as_str().filter(|text| !text.is_empty())
}

/// A member that is not null.
pub(super) fn given<'j>(object: &'j Json, name: &str) -> Option<&'j Json> {
    object.get(name).filter(|value| !value.is_null())
}

/// The number of a call or block.
pub(super) fn index(object: &Json, name: &str) -> Option<u32> {
    object.get(name)?.as_u64().and_then(|index| u32::try_from(index).ok())
}

/// Emits a fact, unless the last fact had the same value.
pub(super) fn fact_if_new(
    (name, value): (&'static str, &Json),
    last: &mut Option<Json>,
    out: &mut dyn FnMut(Delta),
) {
    if last.as_ref() != Some(value) {
        *last = Some(value.clone());
        out(Delta::fact(name, value.clone()));
    }
}
