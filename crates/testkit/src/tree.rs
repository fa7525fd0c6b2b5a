//! A simple value type for comparisons; numbers are text.

use core::fmt;
use std::collections::BTreeMap;

use patchwire::{ValueKind, ValueRef};

/// A value. Comparison ignores the order of members.
///
/// Recursive, unlike the engine's values: only for values within the default depth limit.
#[derive(Clone)]
pub enum Tree {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as it was written.
    Number(String),
    /// A string.
    String(String),
    /// Items.
    List(Vec<Self>),
    /// Members, in order.
    Object(Vec<(String, Self)>),
}

impl Tree {
    /// A copy of the engine's value; `None` if there is no value.
    #[must_use]
    pub fn of(value: ValueRef<'_>) -> Option<Self> {
        value.exists().then(|| Self::of_value(value))
    }

    fn of_value(value: ValueRef<'_>) -> Self {
        match value.kind() {
            ValueKind::Null => Self::Null,
            ValueKind::Bool => Self::Bool(value.as_bool() == Some(true)),
            ValueKind::Number => Self::Number(value.number_text().unwrap_or_default().to_owned()),
            ValueKind::String => Self::String(value.as_str().unwrap_or_default().to_owned()),
            ValueKind::List => {
                Self::List(value.entries().map(|(_, item)| Self::of_value(item)).collect())
            }
            ValueKind::Object => Self::Object(
                value
                    .entries()
                    .map(|(key, member)| {
                        (key.unwrap_or_default().to_owned(), Self::of_value(member))
                    })
                    .collect(),
            ),
        }
    }

    /// The empty value of the kind of `value`, or the value itself if it is a number or bool.
    #[must_use]
    pub fn empty_of(value: ValueRef<'_>) -> Self {
        match value.kind() {
            ValueKind::String => Self::String(String::new()),
            ValueKind::List => Self::List(Vec::new()),
            ValueKind::Object => Self::Object(Vec::new()),
            _ => Self::of_value(value),
        }
    }

    /// Whether this is a list or an object.
    #[must_use]
    pub const fn is_container(&self) -> bool {
        matches!(self, Self::List(_) | Self::Object(_))
    }

    /// Whether this equals the engine's value, which is not a container. Copies nothing.
    #[must_use]
    pub fn is_leaf(&self, value: ValueRef<'_>) -> bool {
        match self {
            Self::Null => value.exists() && value.is_null(),
            Self::Bool(bool) => value.as_bool() == Some(*bool),
            Self::Number(text) => value.number_text() == Some(text),
            Self::String(text) => value.as_str() == Some(text),
            Self::List(_) | Self::Object(_) => false,
        }
    }

    /// The value for serde_json. `None` if it has a number that serde_json cannot hold.
    #[must_use]
    pub fn to_json(&self) -> Option<serde_json::Value> {
        use serde_json::Value;
        Some(match self {
            Self::Null => Value::Null,
            Self::Bool(bool) => Value::Bool(*bool),
            Self::Number(text) => Value::Number(text.parse().ok()?),
            Self::String(text) => Value::String(text.clone()),
            Self::List(items) => {
                Value::Array(items.iter().map(Self::to_json).collect::<Option<_>>()?)
            }
            Self::Object(members) => {
                let member = |(key, value): &(String, Self)| Some((key.clone(), value.to_json()?));
                Value::Object(members.iter().map(member).collect::<Option<_>>()?)
            }
        })
    }
}

impl PartialEq for Tree {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Null, Self::Null) => true,
            (Self::Bool(one), Self::Bool(other)) => one == other,
            (Self::Number(one), Self::Number(other)) | (Self::String(one), Self::String(other)) => {
                one == other
            }
            (Self::List(one), Self::List(other)) => one == other,
            (Self::Object(one), Self::Object(other)) => same_members(one, other),
            _ => false,
        }
    }
}

fn same_members(one: &[(String, Tree)], other: &[(String, Tree)]) -> bool {
    if one.len() != other.len() {
        return false;
    }
    let names: BTreeMap<&str, &Tree> = other.iter().map(|(key, value)| (&**key, value)).collect();
    names.len() == one.len() && one.iter().all(|(key, value)| names.get(&**key) == Some(&value))
}

impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(bool) => write!(f, "{bool}"),
            Self::Number(text) => f.write_str(text),
            Self::String(text) => write!(f, "{text:?}"),
            Self::List(items) => f.debug_list().entries(items).finish(),
            Self::Object(members) => {
                f.debug_map().entries(members.iter().map(|(key, value)| (key, value))).finish()
            }
        }
    }
}
