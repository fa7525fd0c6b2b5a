//! Values and schemas as `serde_json` has them.

use jsonschema::Draft;
use serde_json::{Map, Number, Value as Json};

use crate::document::{ValueKind, ValueRef};

/// The value. Recurses: the depth has to be bounded.
///
/// A number beyond 64 bits becomes the nearest `f64`, and one beyond `f64` the largest.
pub(super) fn json(value: ValueRef<'_>) -> Json {
    match value.kind() {
        ValueKind::Null => Json::Null,
        ValueKind::Bool => Json::Bool(value.as_bool() == Some(true)),
        ValueKind::Number => Json::Number(number(value.number_text().unwrap_or_default())),
        ValueKind::String => Json::String(value.as_str().unwrap_or_default().to_owned()),
        ValueKind::List => value.entries().map(|(_, item)| json(item)).collect(),
        ValueKind::Object => {
            let mut members = Map::new();
            for (key, child) in value.entries() {
                members.insert(key.unwrap_or_default().to_owned(), json(child));
            }
            Json::Object(members)
        }
    }
}

fn number(text: &str) -> Number {
    if let Ok(number) = text.parse::<Number>() {
        return number;
    }
    let nearest = text.parse::<f64>().unwrap_or_default();
    Number::from_f64(nearest.clamp(f64::MIN, f64::MAX)).unwrap_or_else(|| Number::from(0))
}

/// The draft that a schema is written in: the one it names, or else 2020-12, or else the last draft that has
/// its keywords.
pub(super) fn draft(schema: &Json) -> Draft {
    if let Some(name) = schema.get("$schema").and_then(Json::as_str) {
        let named = Draft::default().detect(&serde_json::json!({ "$schema": name }));
        if named != Draft::Unknown {
            return named;
        }
    }
    older(schema).unwrap_or(Draft::Draft202012)
}

/// The draft of a schema without `$schema` that 2020-12 does not allow: a list at `items` is of draft 7, a
/// bool at `exclusiveMinimum` of draft 4.
fn older(schema: &Json) -> Option<Draft> {
    let mut found = None;
    let mut open = vec![schema];
    while let Some(value) = open.pop() {
        match value {
            Json::Object(members) => {
                let is =
                    |keyword: &str, test: fn(&Json) -> bool| members.get(keyword).is_some_and(test);
                if is("exclusiveMinimum", Json::is_boolean)
                    || is("exclusiveMaximum", Json::is_boolean)
                {
                    return Some(Draft::Draft4);
                }
                if is("items", Json::is_array) {
                    found = Some(Draft::Draft7);
                }
                open.extend(members.values());
            }
            Json::Array(items) => open.extend(items),
            _ => {}
        }
    }
    found
}
