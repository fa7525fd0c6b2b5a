//! Readers that want the whole text: the chunks are collected, and read at the end.

use std::borrow::Cow;

use serde::de::IgnoredAny;
use serde_json::Value;
use simd_json::prelude::{ValueAsArray as _, ValueAsObject as _};
use sonic_rs::{JsonContainerTrait as _, Value as SonicValue};

use super::{Contender, Found, Manner};
use crate::chunks::chunks;

/// All of the input out of its chunks; the input itself if it is one chunk.
pub(super) fn gather(input: &str, size: usize) -> Cow<'_, [u8]> {
    if size >= input.len() {
        return Cow::Borrowed(input.as_bytes());
    }
    let mut text = Vec::new();
    for chunk in chunks(input.as_bytes(), size) {
        text.extend_from_slice(chunk);
    }
    Cow::Owned(text)
}

/// Items or members of the root.
pub(super) fn tree_len(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
        _ => 1,
    }
}

/// serde_json's tree.
#[derive(Debug, Clone, Copy)]
pub struct SerdeTree;

/// serde_json, reading everything and keeping nothing.
#[derive(Debug, Clone, Copy)]
pub struct SerdeIgnored;

/// simd-json's borrowed tree; it writes into its input, so the input is copied.
#[derive(Debug, Clone, Copy)]
pub struct SimdJson;

/// sonic-rs's tree.
#[derive(Debug, Clone, Copy)]
pub struct SonicRs;

macro_rules! waits {
    ($type:ty, $name:literal, $gives:literal, $root:expr) => {
        impl Contender for $type {
            fn name(&self) -> &'static str {
                $name
            }

            fn gives(&self) -> &'static str {
                $gives
            }

            fn manner(&self) -> Manner {
                Manner::Waits
            }

            fn read(&self, input: &str, size: usize) -> Found {
                let mut found = Found::default();
                found.tell(0, $root(gather(input, size)));
                found
            }
        }
    };
}

waits!(SerdeTree, "serde_json tree", "one value, at the end", serde_tree);
waits!(SerdeIgnored, "serde_json, ignored", "that it is JSON", serde_ignored);
waits!(SimdJson, "simd-json tree", "one value, at the end", simd_json);
waits!(SonicRs, "sonic-rs tree", "one value, at the end", sonic_rs);

fn serde_tree(text: Cow<'_, [u8]>) -> usize {
    let value: Value = serde_json::from_slice(&text).expect("inputs are valid JSON");
    tree_len(&value)
}

fn serde_ignored(text: Cow<'_, [u8]>) -> usize {
    let _: IgnoredAny = serde_json::from_slice(&text).expect("inputs are valid JSON");
    text.len()
}

fn simd_json(text: Cow<'_, [u8]>) -> usize {
    let mut text = text.into_owned();
    let value = ::simd_json::to_borrowed_value(&mut text).expect("inputs are valid JSON");
    let members = value.as_object().map_or(0, |members| members.len());
    members + value.as_array().map_or(0, Vec::len)
}

fn sonic_rs(text: Cow<'_, [u8]>) -> usize {
    let value: SonicValue = ::sonic_rs::from_slice(&text).expect("inputs are valid JSON");
    let members = value.as_object().map_or(0, |members| members.len());
    members + value.as_array().map_or(0, |items| items.len())
}
