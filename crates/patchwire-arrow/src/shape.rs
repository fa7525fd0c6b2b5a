//! The types of columns, from a schema.

use std::collections::HashMap;
use std::sync::Arc;

use arrow_schema::{DataType, Field, Fields};
use patchwire::{Schema, ValueKind, ValueRef};

/// The key of the metadata of fields that hold JSON as text. Its value is `json`.
pub const JSON_KEY: &str = "patchwire";

/// Levels of types. What is deeper is JSON as text.
const DEEPEST: usize = 32;
/// Columns of one value: shared types multiply. What is beyond is JSON as text.
const MOST: usize = 4_000;

/// The type of a column.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Shape {
    Bool,
    Integer,
    Float,
    Text,
    /// Any value, as JSON text.
    Json,
    List(Arc<Self>),
    Struct(Arc<Members>),
}

/// The members of an object, each a column.
#[derive(Debug)]
pub(crate) struct Members {
    pub(crate) fields: Fields,
    pub(crate) shapes: Vec<Shape>,
    places: HashMap<String, usize>,
}

impl PartialEq for Members {
    fn eq(&self, other: &Self) -> bool {
        self.fields == other.fields && self.shapes == other.shapes
    }
}

impl Members {
    fn new(members: Vec<(String, Shape)>) -> Self {
        let fields = members.iter().map(|(name, shape)| shape.field(name)).collect();
        let names = members.iter().map(|(name, _)| name.clone());
        let places = names.zip(0..).collect();
        Self { fields, shapes: members.into_iter().map(|(_, shape)| shape).collect(), places }
    }

    /// The place of the member of this name.
    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        self.places.get(name).copied()
    }
}

/// A struct of these members.
pub(crate) fn members(members: Vec<(String, Shape)>) -> Shape {
    Shape::Struct(Arc::new(Members::new(members)))
}

impl Shape {
    /// The type of the values of a schema.
    pub(crate) fn of(schema: Option<&Schema>) -> Self {
        let Some(schema) = schema else { return Self::Json };
        let text = schema.to_json_schema();
        let root = text.as_ref();
        let mut reader = SchemaReader { root, open: vec![WHOLE.to_owned()], left: MOST };
        reader.read(root, 0).unwrap_or(Self::Json)
    }

    pub(crate) fn data_type(&self) -> DataType {
        match self {
            Self::Bool => DataType::Boolean,
            Self::Integer => DataType::Int64,
            Self::Float => DataType::Float64,
            Self::Text | Self::Json => DataType::Utf8,
            Self::List(item) => DataType::List(Arc::new(item.field(ITEM))),
            Self::Struct(members) => DataType::Struct(members.fields.clone()),
        }
    }

    /// A column of this type, which may hold nulls.
    pub(crate) fn field(&self, name: &str) -> Field {
        let field = Field::new(name, self.data_type(), true);
        if *self != Self::Json {
            return field;
        }
        field.with_metadata(HashMap::from([(JSON_KEY.to_owned(), "json".to_owned())]))
    }

    /// The type of values that are of one of two types.
    fn or(self, other: Self) -> Self {
        match (self, other) {
            (one, other) if one == other => one,
            (Self::Integer | Self::Float, Self::Integer | Self::Float) => Self::Float,
            _ => Self::Json,
        }
    }
}

/// The name of the field of a list's items, as Arrow writes it.
pub(crate) const ITEM: &str = "item";

/// How a schema refers to itself.
const WHOLE: &str = "#";

/// Reads the JSON Schema that the engine writes: flat unions, and references for what is recursive.
struct SchemaReader<'s> {
    root: ValueRef<'s>,
    /// The references that are being followed: to meet one again is a recursion.
    open: Vec<String>,
    left: usize,
}

impl SchemaReader<'_> {
    /// The type at a place of the schema; none if only null fits.
    fn read(&mut self, at: ValueRef<'_>, depth: usize) -> Option<Shape> {
        if depth > DEEPEST || self.left == 0 {
            return Some(Shape::Json);
        }
        self.left -= 1;
        let word = |keyword: &str| at.get(keyword).and_then(ValueRef::as_str);
        if let Some(reference) = word("$ref") {
            return self.follow(reference, depth);
        }
        if let Some(alternatives) = at.get("anyOf") {
            let shapes = alternatives.entries().map(|(_, one)| self.read(one, depth + 1));
            return one_of(shapes.collect());
        }
        match word("type") {
            Some("string") => Some(Shape::Text),
            Some("integer") => Some(Shape::Integer),
            Some("number") => Some(Shape::Float),
            Some("boolean") => Some(Shape::Bool),
            Some("null") => None,
            Some("array") => {
                let item = at.get("items").and_then(|item| self.read(item, depth + 1));
                Some(Shape::List(Arc::new(item.unwrap_or(Shape::Json))))
            }
            Some("object") => Some(self.object(at, depth)),
            _ => literals(at),
        }
    }

    fn follow(&mut self, reference: &str, depth: usize) -> Option<Shape> {
        if self.open.iter().any(|open| open == reference) {
            return Some(Shape::Json);
        }
        let defs = self.root.get("$defs");
        let name = reference.strip_prefix("#/$defs/").unwrap_or_default();
        let Some(target) = defs.and_then(|defs| defs.get(name)) else { return Some(Shape::Json) };
        self.open.push(reference.to_owned());
        let shape = self.read(target, depth + 1);
        self.open.pop();
        shape
    }

    /// A struct of the declared members. Without any, the object is a map.
    fn object(&mut self, at: ValueRef<'_>, depth: usize) -> Shape {
        let Some(properties) = at.get("properties").filter(|it| !it.is_empty()) else {
            return Shape::Json;
        };
        let members = properties.entries().map(|(name, member)| {
            let shape = self.read(member, depth + 1).unwrap_or(Shape::Json);
            (name.unwrap_or_default().to_owned(), shape)
        });
        self::members(members.collect())
    }
}

/// The type of one of several literals, or of any value.
fn literals(at: ValueRef<'_>) -> Option<Shape> {
    let of = |literal: ValueRef<'_>| match literal.kind() {
        ValueKind::Null => None,
        ValueKind::Bool => Some(Shape::Bool),
        ValueKind::String => Some(Shape::Text),
        ValueKind::Number if literal.as_i64().is_some() => Some(Shape::Integer),
        ValueKind::Number => Some(Shape::Float),
        ValueKind::List | ValueKind::Object => Some(Shape::Json),
    };
    match (at.get("const"), at.get("enum")) {
        (Some(only), _) => of(only),
        (None, Some(all)) => one_of(all.entries().map(|(_, literal)| of(literal)).collect()),
        (None, None) => Some(Shape::Json),
    }
}

/// The type of one of several types; null counts as none.
fn one_of(shapes: Vec<Option<Shape>>) -> Option<Shape> {
    shapes.into_iter().flatten().reduce(Shape::or)
}

#[cfg(test)]
mod tests;
