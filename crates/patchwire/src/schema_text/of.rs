//! Schemas of Rust types, derived from the JSON Schema that `schemars` makes.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use schemars::transform::{Transform, transform_subschemas};
use serde_json::{Map, Value};

use crate::schema::{Schema, SchemaError};

/// See [`Schema::of`].
pub(super) fn read<T: JsonSchema + ?Sized>() -> Result<Schema, SchemaError> {
    let mut schema = SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>();
    let defs = schema.get("$defs").and_then(Value::as_object).cloned().unwrap_or_default();
    Merge { defs }.transform(&mut schema);
    Schema::from_json_schema_text(&schema.as_value().to_string())
}

/// Handles a variant with its tag inside: it refers to its struct and declares the tag in addition. Both
/// apply, which the tree cannot represent, so the members of the struct are declared with the tag.
struct Merge {
    defs: Map<String, Value>,
}

impl Transform for Merge {
    fn transform(&mut self, schema: &mut schemars::Schema) {
        if let Some(object) = schema.as_object_mut() {
            self.merge(object);
        }
        transform_subschemas(self, schema);
    }
}

impl Merge {
    fn merge(&self, schema: &mut Map<String, Value>) -> Option<()> {
        let reference = schema.get("$ref")?.as_str()?;
        let target = self.defs.get(reference.strip_prefix("#/$defs/")?)?.as_object()?;
        let members = target.get("properties")?.as_object()?;
        let own = schema.get_mut("properties")?.as_object_mut()?;
        for (name, member) in members {
            own.entry(name).or_insert_with(|| member.clone());
        }
        let needed = target.get("required").and_then(Value::as_array).cloned().unwrap_or_default();
        if let Some(required) = schema.get_mut("required").and_then(Value::as_array_mut) {
            required.extend(needed);
        }
        schema.remove("$ref");
        for (keyword, value) in target {
            schema.entry(keyword).or_insert_with(|| value.clone());
        }
        Some(())
    }
}
