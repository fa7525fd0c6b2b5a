//! jiter: a value of what there is, read from the start each time, or once at the end.

use jiter::{JsonValue, PartialMode};

use super::once::gather;
use super::{Contender, Found, Manner};
use crate::chunks::str_chunks;

/// jiter in partial mode, on all text so far after each chunk.
#[derive(Debug, Clone, Copy)]
pub struct JiterPrefix;

impl Contender for JiterPrefix {
    fn name(&self) -> &'static str {
        "jiter, all so far again"
    }

    fn gives(&self) -> &'static str {
        "a value after each chunk"
    }

    fn manner(&self) -> Manner {
        Manner::Rereads
    }

    fn read(&self, input: &str, size: usize) -> Found {
        let mut found = Found::default();
        let mut end = 0;
        for chunk in str_chunks(input, size) {
            end += chunk.len();
            let so_far = &input.as_bytes()[..end];
            let value = JsonValue::parse_with_config(so_far, false, PartialMode::TrailingStrings);
            found.tell(0, value.as_ref().map_or(0, len));
        }
        found
    }
}

/// jiter's value, once at the end.
#[derive(Debug, Clone, Copy)]
pub struct Jiter;

impl Contender for Jiter {
    fn name(&self) -> &'static str {
        "jiter"
    }

    fn gives(&self) -> &'static str {
        "one value, at the end"
    }

    fn manner(&self) -> Manner {
        Manner::Waits
    }

    fn read(&self, input: &str, size: usize) -> Found {
        let text = gather(input, size);
        let value = JsonValue::parse(&text, false).expect("inputs are valid JSON");
        let mut found = Found::default();
        found.tell(0, len(&value));
        found
    }
}

fn len(value: &JsonValue<'_>) -> usize {
    match value {
        JsonValue::Array(items) => items.len(),
        JsonValue::Object(members) => members.len(),
        _ => 1,
    }
}
