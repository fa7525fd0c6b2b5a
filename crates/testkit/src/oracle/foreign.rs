//! `serde_json` as an oracle for strict JSON. It reads through `RawValue`, so that numbers stay text
//! and repeated members stay separate.
//!
//! There are no known differences to RFC 8259 here. `serde_json`'s depth limit of 128 has no effect,
//! because it skips a raw value without recursion and each level is read separately. Neither have its range
//! errors (`1e400`), because no number is converted.

use core::fmt;

use serde::Deserializer;
use serde::de::{MapAccess, Visitor};
use serde_json::value::RawValue;

use super::Json;

/// Reads one JSON text.
///
/// # Errors
/// If `serde_json` rejects the text.
pub fn read(bytes: &[u8]) -> Result<Json, String> {
    let text = core::str::from_utf8(bytes).map_err(|error| error.to_string())?;
    let raw: &RawValue = serde_json::from_str(text).map_err(|error| error.to_string())?;
    walk(raw).map_err(|error| error.to_string())
}

fn walk(raw: &RawValue) -> serde_json::Result<Json> {
    let text = raw.get();
    Ok(match text.as_bytes().first() {
        Some(b'{') => {
            let members = serde_json::Deserializer::from_str(text).deserialize_map(Members)?;
            let walked = members.into_iter().map(|(key, raw)| Ok((key, walk(raw)?)));
            Json::Object(walked.collect::<serde_json::Result<_>>()?)
        }
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(text)?;
            Json::List(items.into_iter().map(walk).collect::<serde_json::Result<_>>()?)
        }
        Some(b'"') => Json::String(serde_json::from_str(text)?),
        Some(b't' | b'f') => Json::Bool(serde_json::from_str(text)?),
        Some(b'n') => Json::Null,
        _ => Json::Number(text.to_owned()),
    })
}

/// All members in order, including repeated ones.
struct Members;

impl<'de> Visitor<'de> for Members {
    type Value = Vec<(String, &'de RawValue)>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut members = Vec::new();
        while let Some(member) = map.next_entry()? {
            members.push(member);
        }
        Ok(members)
    }
}
