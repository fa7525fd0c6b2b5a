//! Objects and lists in JSON Schema.

use std::sync::Arc;

use super::JsonSchemaReader;
use super::link::DraftShape;
use super::pointer::SchemaSpot;
use super::types::is_of_draft_3;
use crate::document::ValueKind;
use crate::schema::SchemaError;
use crate::schema::tree::{Object, Others, Presence, SchemaId, Shape, Slot};

impl<'v> JsonSchemaReader<'v> {
    pub(super) fn object(&mut self, spot: &SchemaSpot<'v>) -> Result<Shape, SchemaError> {
        let mut object = Object::default();
        if let Some(properties) = spot.value.get("properties") {
            if properties.kind() != ValueKind::Object {
                return Err(spot.invalid("properties"));
            }
            for (name, property) in properties.entries() {
                let name = name.unwrap_or_default();
                let schema = self.schema(spot.member("properties", name, property))?;
                object.declare(name, optional(schema));
            }
        }
        object.others = self.others(spot)?;
        self.required(spot, &mut object)?;
        Ok(Shape::Object(Arc::new(object)))
    }

    fn others(&mut self, spot: &SchemaSpot<'v>) -> Result<Others, SchemaError> {
        let Some(others) = spot.value.get("additionalProperties") else {
            return Ok(Others::Allowed);
        };
        match others.as_bool() {
            Some(true) => Ok(Others::Allowed),
            Some(false) => Ok(Others::Forbidden),
            None => self
                .schema(spot.child("additionalProperties", others))
                .map(optional)
                .map(Others::Each),
        }
    }

    /// Declares a key that is required but not declared: last, with the type of other keys.
    fn required(&mut self, spot: &SchemaSpot<'v>, object: &mut Object) -> Result<(), SchemaError> {
        let required = match spot.value.get("required") {
            None => return Ok(()),
            Some(required) if is_of_draft_3("required", required) => return Ok(()),
            Some(required) if required.kind() == ValueKind::List => required,
            Some(_) => return Err(spot.invalid("required")),
        };
        for (_, name) in required.entries() {
            let name = name.as_str().ok_or_else(|| spot.invalid("required"))?;
            let schema = match (object.field(name), object.others) {
                (Some(field), _) => field.slot.schema,
                (None, Others::Each(value)) => value.schema,
                (None, _) => self.draft(spot, DraftShape::Is(Shape::Any)),
            };
            object.declare(name, Slot { schema, presence: Presence::Present });
        }
        Ok(())
    }

    pub(super) fn list(&mut self, spot: &SchemaSpot<'v>) -> Result<Shape, SchemaError> {
        let item = match spot.value.get("items") {
            // With `prefixItems`, which is listed, `items` only describes the rest. As a list it is the
            // older form of `prefixItems`.
            Some(items) if is_tuple(spot) || items.kind() == ValueKind::List => {
                self.note(spot, "items");
                None
            }
            Some(items) => Some(self.schema(spot.child("items", items))?),
            None => None,
        };
        let item = item.unwrap_or_else(|| self.draft(spot, DraftShape::Is(Shape::Any)));
        Ok(Shape::List(optional(item)))
    }
}

fn is_tuple(spot: &SchemaSpot<'_>) -> bool {
    spot.value.get("prefixItems").is_some()
}

const fn optional(schema: SchemaId) -> Slot {
    Slot { schema, presence: Presence::Optional }
}
