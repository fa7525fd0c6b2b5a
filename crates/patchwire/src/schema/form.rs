//! The two forms of a schema text, and how a text's form is found.

use super::json_schema;
use super::output_dsl;
use crate::document::{ValueKind, ValueRef};

/// The form of a schema text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SchemaForm {
    /// JSON Schema: `{"type": "object", "properties": {…}}`.
    JsonSchema,
    /// The output DSL, which looks like the value: `{"title": ["str", "one line", true]}`.
    OutputDsl,
}

impl SchemaForm {
    /// Finds the form of a schema.
    ///
    /// These are JSON Schema: `true`, `false` and `{}`; an object with `$schema`, or with a string at
    /// `$ref`; an object with the name of a JSON Schema type at `type` and an object at `properties`; and
    /// an object that only has keywords of JSON Schema, at least one of which (`type`, `properties`,
    /// `items`, `anyOf`, `enum`, …) has a value of the right kind. All other values are the DSL, for
    /// example an object whose fields are called `title`, `description` or `items`.
    #[must_use]
    pub fn of(value: ValueRef<'_>) -> Self {
        if is_json_schema(value) { Self::JsonSchema } else { Self::OutputDsl }
    }
}

fn is_json_schema(value: ValueRef<'_>) -> bool {
    if value.as_bool().is_some() {
        return true;
    }
    if value.kind() != ValueKind::Object {
        return false;
    }
    let at = |keyword: &str| value.get(keyword);
    let is_text = |value: ValueRef<'_>| value.kind() == ValueKind::String;
    if at("$schema").is_some() || at("$ref").is_some_and(is_text) || value.is_empty() {
        return true;
    }
    let is_object = |value: ValueRef<'_>| value.kind() == ValueKind::Object;
    if at("type").is_some_and(json_schema::names_types) && at("properties").is_some_and(is_object) {
        return true;
    }
    is_made_of_keywords(value)
        && value.entries().any(|(name, part)| fits(name.unwrap_or_default(), part))
}

/// Whether the keyword has a value that JSON Schema allows and a field of the DSL cannot have.
fn fits(keyword: &str, value: ValueRef<'_>) -> bool {
    let schemas = |value: ValueRef<'_>| {
        !value.is_empty() && value.entries().all(|(_, one)| may_be_schema(one))
    };
    match keyword {
        "type" => json_schema::names_types(value),
        "properties" | "$defs" | "definitions" | "patternProperties" => {
            value.kind() == ValueKind::Object && schemas(value)
        }
        "items" | "additionalProperties" => may_be_schema(value),
        "anyOf" | "oneOf" | "allOf" => value.kind() == ValueKind::List && schemas(value),
        "enum" => value.kind() == ValueKind::List && !begins_with_a_type(value),
        "const" => !matches!(value.kind(), ValueKind::List | ValueKind::Object),
        _ => false,
    }
}

/// Whether the list begins with the name of a type, as a leaf of the DSL does.
fn begins_with_a_type(list: ValueRef<'_>) -> bool {
    list.item(0).and_then(ValueRef::as_str).is_some_and(output_dsl::is_type)
}

fn may_be_schema(value: ValueRef<'_>) -> bool {
    value.as_bool().is_some() || (value.kind() == ValueKind::Object && is_made_of_keywords(value))
}

fn is_made_of_keywords(object: ValueRef<'_>) -> bool {
    object.entries().all(|(name, _)| {
        let name = name.unwrap_or_default();
        json_schema::UNDERSTOOD.contains(&name) || OTHERS.contains(&name)
    })
}

/// Keywords that are known but not read.
#[rustfmt::skip]
const OTHERS: &[&str] = &[
    "$id", "id", "$anchor", "$vocabulary", "$dynamicRef", "$dynamicAnchor",
    "format", "pattern", "minLength", "maxLength", "contentEncoding", "contentMediaType", "contentSchema",
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
    "minItems", "maxItems", "uniqueItems", "contains", "minContains", "maxContains",
    "prefixItems", "additionalItems", "unevaluatedItems",
    "minProperties", "maxProperties", "patternProperties", "propertyNames", "unevaluatedProperties",
    "dependentRequired", "dependentSchemas", "dependencies", "discriminator",
    "not", "if", "then", "else",
];
