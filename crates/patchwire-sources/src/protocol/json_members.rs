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

/// A JSON text: servers send it as a string, or as the object itself. Empty for anything else.
pub(super) fn json_text(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        Json::Object(_) => value.to_string(),
        _ => String::new(),
    }
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
