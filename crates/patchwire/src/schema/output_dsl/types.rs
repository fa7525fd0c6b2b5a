//! The names of types.

use std::sync::Arc;

use super::DslReader;
use crate::schema::tree::{Object, Shape};

/// A type that has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NamedTypes {
    String,
    Int,
    Number,
    Bool,
    Null,
    Any,
    List,
    Object,
}

/// The types of a name: a name of this engine, of JSON Schema or of Python.
pub(super) fn named(name: &str) -> Option<NamedTypes> {
    Some(match name {
        "str" | "string" | "text" => NamedTypes::String,
        "int" | "integer" => NamedTypes::Int,
        "number" | "float" => NamedTypes::Number,
        "bool" | "boolean" => NamedTypes::Bool,
        "null" | "none" | "None" => NamedTypes::Null,
        "any" | "Any" => NamedTypes::Any,
        "list" | "array" => NamedTypes::List,
        "object" | "dict" => NamedTypes::Object,
        _ => return None,
    })
}

impl NamedTypes {
    /// A list or an object that is only named may contain anything.
    pub(super) fn shape(self, reader: &mut DslReader<'_>) -> Shape {
        match self {
            Self::String => Shape::String,
            Self::Int => Shape::Int,
            Self::Number => Shape::Number,
            Self::Bool => Shape::Bool,
            Self::Null => Shape::Null,
            Self::Any => Shape::Any,
            Self::List => reader.list_of_any(),
            Self::Object => Shape::Object(Arc::new(Object::default())),
        }
    }
}
