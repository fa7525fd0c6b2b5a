//! The types of JSON Schema, named or implied.

use super::pointer::SchemaSpot;
use super::{ITEMS, MEMBERS};
use crate::document::{ValueKind, ValueRef};
use crate::schema::SchemaError;

/// A type of JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JsonType {
    Null,
    Bool,
    Int,
    Number,
    String,
    Object,
    List,
}

impl JsonType {
    /// The types in the keyword `type`, if it exists.
    pub(super) fn read(spot: &SchemaSpot<'_>) -> Result<Option<Vec<Self>>, SchemaError> {
        let Some(value) = spot.value.get("type") else {
            return Ok(None);
        };
        match Self::names(value) {
            Some(types) if !types.is_empty() => Ok(Some(types)),
            _ => Err(spot.invalid("type")),
        }
    }

    /// The types in one name or a list of names.
    pub(super) fn names(value: ValueRef<'_>) -> Option<Vec<Self>> {
        match value.kind() {
            ValueKind::String => Some(vec![Self::named(value)?]),
            ValueKind::List => value.entries().map(|(_, name)| Self::named(name)).collect(),
            _ => None,
        }
    }

    fn named(name: ValueRef<'_>) -> Option<Self> {
        Some(match name.as_str()? {
            "null" => Self::Null,
            "boolean" => Self::Bool,
            "integer" => Self::Int,
            "number" => Self::Number,
            "string" => Self::String,
            "object" => Self::Object,
            "array" => Self::List,
            _ => return None,
        })
    }

    /// The types that other keywords imply in a schema without `type`.
    pub(super) fn implied(schema: ValueRef<'_>) -> Vec<Self> {
        let there = |keyword: &&str| {
            schema.get(keyword).is_some_and(|value| !is_of_draft_3(keyword, value))
        };
        let speaks = |keywords: &[&str]| keywords.iter().any(there);
        let both = [(speaks(MEMBERS), Self::Object), (speaks(ITEMS), Self::List)];
        both.into_iter().filter_map(|(there, one)| there.then_some(one)).collect()
    }

    pub(super) fn of(value: ValueRef<'_>) -> Self {
        match value.kind() {
            ValueKind::Null => Self::Null,
            ValueKind::Bool => Self::Bool,
            ValueKind::Number if value.number_text().is_some_and(is_integer) => Self::Int,
            ValueKind::Number => Self::Number,
            ValueKind::String => Self::String,
            ValueKind::List => Self::List,
            ValueKind::Object => Self::Object,
        }
    }

    pub(super) fn includes(self, other: Self) -> bool {
        self == other || (self == Self::Number && other == Self::Int)
    }
}

/// Whether a number is an integer of JSON Schema, such as `1.0`. A number with an exponent counts as none;
/// enums do not contain such numbers.
fn is_integer(number: &str) -> bool {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    !whole.contains(['e', 'E']) && fraction.bytes().all(|byte| byte == b'0')
}

/// In draft 3, `required` is a bool in the property. It is listed as unsupported, and otherwise ignored.
pub(super) fn is_of_draft_3(keyword: &str, value: ValueRef<'_>) -> bool {
    keyword == "required" && value.kind() == ValueKind::Bool
}
