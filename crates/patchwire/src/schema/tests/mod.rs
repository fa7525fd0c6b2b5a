//! Schemas from every source form.

mod builder;
mod choices;
mod form;
mod json_schema;
mod output_dsl;
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
