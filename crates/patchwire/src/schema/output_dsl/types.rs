//! The names of types.

use std::sync::Arc;

use super::DslReader;
use crate::schema::tree::{Object, Shape};

/// A type that a name can say.
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

/// The type that a name stands for: names of this engine, of JSON Schema and of Python.
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
    /// Lists and objects that only a name asks for may hold anything.
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
