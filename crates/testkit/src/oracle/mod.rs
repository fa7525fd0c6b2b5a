//! Oracles: the meaning of a text, computed without the engine, slowly and obviously right.
//!
//! [`strict`] reads RFC 8259 by recursive descent. [`expect`] computes the patches of a value. [`foreign`]
//! asks `serde_json`. [`observe`] runs the engine and records its events in a comparable form. [`table`]
//! reads cases. [`tags`] reads elements. [`fields`] reads the formats that write an object as fields.

pub mod expect;
pub mod fields;
pub mod foreign;
pub mod observe;
pub mod strict;
pub mod table;
pub mod tags;
pub mod xml;

use core::fmt;

use patchwire::{ValueKind, ValueRef};

/// A JSON value as written: members in order, repeated ones kept, numbers as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Json {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, as its text.
    Number(String),
    /// A string, decoded.
    String(String),
    /// A list.
    List(Vec<Self>),
    /// An object.
    Object(Vec<(String, Self)>),
}

impl Json {
    /// A copy of an engine's value.
    #[must_use]
    pub fn of(value: ValueRef<'_>) -> Self {
        match value.kind() {
            ValueKind::Null => Self::Null,
            ValueKind::Bool => Self::Bool(value.as_bool().unwrap_or_default()),
            ValueKind::Number => Self::Number(value.number_text().unwrap_or_default().to_owned()),
            ValueKind::String => Self::String(value.as_str().unwrap_or_default().to_owned()),
            ValueKind::List => {
                Self::List(value.entries().map(|(_, item)| Self::of(item)).collect())
            }
            ValueKind::Object => Self::Object(
                value
                    .entries()
                    .map(|(key, value)| (key.unwrap_or_default().to_owned(), Self::of(value)))
                    .collect(),
            ),
        }
    }

    /// The value for JSON libraries: of repeated members the last, at the position of the first.
    #[must_use]
    pub fn settled(&self) -> Self {
        match self {
            Self::List(items) => Self::List(items.iter().map(Self::settled).collect()),
            Self::Object(members) => {
                let mut settled: Vec<(String, Self)> = Vec::new();
                for (key, value) in members {
                    match settled.iter_mut().find(|(known, _)| known == key) {
                        Some((_, slot)) => *slot = value.settled(),
                        None => settled.push((key.clone(), value.settled())),
                    }
                }
                Self::Object(settled)
            }
            scalar => scalar.clone(),
        }
    }

    /// The value with the members of every object sorted by name.
    #[must_use]
    pub fn sorted(&self) -> Self {
        match self {
            Self::List(items) => Self::List(items.iter().map(Self::sorted).collect()),
            Self::Object(members) => {
                let mut sorted: Vec<_> =
                    members.iter().map(|(key, value)| (key.clone(), value.sorted())).collect();
                sorted.sort_by(|one, other| one.0.cmp(&other.0));
                Self::Object(sorted)
            }
            scalar => scalar.clone(),
        }
    }

    /// Whether this is a list or an object.
    #[must_use]
    pub const fn is_container(&self) -> bool {
        matches!(self, Self::List(_) | Self::Object(_))
    }

    /// The empty value of this kind, which an `Open` shows.
    #[must_use]
    pub fn emptied(&self) -> Self {
        match self {
            Self::String(_) => Self::String(String::new()),
            Self::List(_) => Self::List(Vec::new()),
            Self::Object(_) => Self::Object(Vec::new()),
            scalar => scalar.clone(),
        }
    }

    /// Whether this may be the value while `whole` is being written: it has nothing that `whole` lacks, no
    /// other kinds, and no part of a scalar that is emitted whole.
    #[must_use]
    pub fn is_part_of(&self, whole: &Self) -> bool {
        match (self, whole) {
            (Self::String(part), Self::String(whole)) => whole.starts_with(part.as_str()),
            (Self::List(part), Self::List(whole)) => {
                part.len() <= whole.len()
                    && part.iter().zip(whole).all(|(part, whole)| part.is_part_of(whole))
            }
            (Self::Object(part), Self::Object(whole)) => {
                part.len() <= whole.len()
                    && part.iter().zip(whole).all(|((part_key, part), (key, whole))| {
                        part_key == key && part.is_part_of(whole)
                    })
            }
            (part, whole) => part == whole,
        }
    }
}

/// Compact JSON.
impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Null => f.write_str("null"),
            Self::Bool(bool) => write!(f, "{bool}"),
            Self::Number(text) => f.write_str(text),
            Self::String(text) => f.write_str(&quoted(text)),
            Self::List(items) => {
                f.write_str("[")?;
                for (at, item) in items.iter().enumerate() {
                    let comma = if at > 0 { "," } else { "" };
                    write!(f, "{comma}{item}")?;
                }
                f.write_str("]")
            }
            Self::Object(members) => {
                f.write_str("{")?;
                for (at, (key, value)) in members.iter().enumerate() {
                    let comma = if at > 0 { "," } else { "" };
                    write!(f, "{comma}{}:{value}", quoted(key))?;
                }
                f.write_str("}")
            }
        }
    }
}

/// A string in JSON.
#[must_use]
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for char in text.chars() {
        match char {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            char if char < ' ' => out.push_str(&format!("\\u{:04x}", u32::from(char))),
            char => out.push(char),
        }
    }
    out.push('"');
    out
}
