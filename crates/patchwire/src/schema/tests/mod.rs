//! Schemas from every source form.

mod builder;
mod choices;
mod form;
mod json_schema;
mod output_dsl;
mod union_index;
mod written;

use super::{Schema, SchemaError};
use crate::document::sample;

/// The schema of a JSON Schema text.
fn read(text: &str) -> Result<Schema, SchemaError> {
    Schema::from_json_schema(sample::document(text).value())
}

/// The unsupported keywords, as `path keyword`.
fn left_out(schema: &Schema) -> Vec<String> {
    schema.unsupported().iter().map(|it| format!("{} {}", it.path, it.keyword)).collect()
}

/// What no check uses is listed for itself, next to what streams do not use.
#[cfg(feature = "validate")]
#[test]
fn keywords_that_finished_values_are_not_checked_by() {
    let said = |it: &super::UnsupportedKeyword| format!("{} {}", it.path, it.keyword);
    let schema = read(r#"{"minimum": 3, "format": "unheard-of", "items": {"shape": 1}}"#);
    let schema = schema.expect("a schema");
    let unchecked: Vec<String> = schema.unchecked().iter().map(said).collect();
    assert_eq!(unchecked, [" format", "/items shape"]);
    assert_eq!(left_out(&schema), [" minimum", " format", "/items shape"]);
}
