//! Pieces of JSON text.

use std::fmt::Display;

use serde::Serialize;
use serde_json::value::RawValue;

/// A text as a JSON string.
pub(crate) fn quoted(text: &str) -> String {
    json(&text)
}

/// A text as the inside of a JSON string.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = quoted(text);
    out.pop();
    out.remove(0);
    out
}

/// A type of this crate as JSON.
pub(crate) fn json(what: &impl Serialize) -> String {
    match serde_json::to_string(what) {
        Ok(json) => json,
        Err(error) => unreachable!("all keys are strings: {error}"),
    }
}

/// A value that prints as JSON, unchanged: numbers keep their text, and nothing recurses over nesting.
pub(crate) fn raw(printed: impl Display) -> Box<RawValue> {
    match RawValue::from_string(printed.to_string()) {
        Ok(raw) => raw,
        Err(error) => unreachable!("values print as JSON: {error}"),
    }
}
