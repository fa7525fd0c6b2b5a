//! Pieces of JSON text.

use core::fmt::Write as _;
use std::fmt::Display;

use patchwire::wire::append_json_string;
use serde::Serialize;
use serde_json::value::RawValue;

/// A text as a JSON string.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    append_json_string(text, &mut out);
    out
}

/// Appends a text as the inside of a JSON string.
pub(crate) fn append_escaped(text: &str, out: &mut String) {
    let quoted = quoted(text);
    out.push_str(&quoted[1..quoted.len() - 1]);
}

/// Appends what is printed.
pub(crate) fn append(printed: impl Display, out: &mut String) {
    // Writing to a string does not fail.
    let _ = write!(out, "{printed}");
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
