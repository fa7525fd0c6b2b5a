//! partial-json-fixer: closes what is open in the text so far; serde_json then reads it.

use partial_json_fixer::fix_json;
use serde_json::Value;

use super::once::tree_len;
use super::{Contender, Found, Manner};
use crate::chunks::str_chunks;

/// The fixer and serde_json, on all text so far after each chunk.
#[derive(Debug, Clone, Copy)]
pub struct PartialJsonFixer;

impl Contender for PartialJsonFixer {
    fn name(&self) -> &'static str {
        "partial-json-fixer, serde_json"
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
            let value = serde_json::from_str::<Value>(&fix_json(&input[..end]));
            found.tell(0, value.as_ref().map_or(0, tree_len));
        }
        found
    }
}
