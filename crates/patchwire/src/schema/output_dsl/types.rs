//! The names of types.

use std::sync::Arc;

use super::Reader;
use crate::schema::tree::{Object, Shape};

/// A type that a name can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
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
pub(super) fn named(name: &str) -> Option<Named> {
    Some(match name {
        "str" | "string" | "text" => Named::String,
        "int" | "integer" => Named::Int,
        "number" | "float" => Named::Number,
        "bool" | "boolean" => Named::Bool,
        "null" | "none" | "None" => Named::Null,
        "any" | "Any" => Named::Any,
        "list" | "array" => Named::List,
        "object" | "dict" => Named::Object,
        _ => return None,
    })
}

impl Named {
    /// Lists and objects that only a name asks for may hold anything.
    pub(super) fn shape(self, reader: &mut Reader<'_>) -> Shape {
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
