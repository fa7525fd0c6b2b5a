//! Objects and lists in JSON Schema.

use std::sync::Arc;

use super::JsonSchemaReader;
use super::link::DraftShape;
use super::pointer::SchemaSpot;
use super::types::is_of_draft_3;
use crate::document::{ValueKind, ValueRef};
use crate::schema::SchemaError;
use crate::schema::object::ObjectDraft;
use crate::schema::tree::{Others, Presence, SchemaId, Shape, Slot};

impl<'v> JsonSchemaReader<'v> {
    pub(super) fn object(&mut self, spot: &SchemaSpot<'v>) -> Result<Shape, SchemaError> {
        let mut object = ObjectDraft::default();
        self.properties(spot, &mut object)?;
        object.others = self.others(spot)?;
        self.required(spot, &mut object)?;
        Ok(Shape::Object(Arc::new(object.finish())))
    }

    /// Declares the members that a schema names, and notes whether it names the others, too. The first
    /// declaration of a name counts.
    pub(super) fn properties(
        &mut self,
        spot: &SchemaSpot<'v>,
        object: &mut ObjectDraft,
    ) -> Result<(), SchemaError> {
        let allows = |keyword: &str| {
            let value = spot.value.get(keyword);
            value.is_some_and(|value| value.as_bool() != Some(false))
        };
        object.is_open |= has_member_branches(spot.value)
            || allows("unevaluatedProperties")
            || spot.value.get("additionalProperties").and_then(ValueRef::as_bool) == Some(true);
        if let Some(patterns) = spot.value.get("patternProperties") {
            for name in patterns.entries().filter_map(|(name, _)| name) {
                self.budget.take_text(name.len()).map_err(|it| it.at(&spot.path))?;
                object.patterns.push(name.into());
            }
        }
        let Some(properties) = spot.value.get("properties") else { return Ok(()) };
        if properties.kind() != ValueKind::Object {
            return Err(spot.invalid("properties"));
        }
        for (name, property) in properties.entries() {
            let name = name.unwrap_or_default();
            self.budget.take_text(name.len()).map_err(|it| it.at(&spot.path))?;
            let schema = self.schema(spot.member("properties", name, property))?;
            if object.field(name).is_none() {
                object.declare(name, optional(schema));
            }
        }
        Ok(())
    }

    pub(super) fn others(&mut self, spot: &SchemaSpot<'v>) -> Result<Others, SchemaError> {
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
    pub(super) fn required(
        &mut self,
        spot: &SchemaSpot<'v>,
        object: &mut ObjectDraft,
    ) -> Result<(), SchemaError> {
        let required = match spot.value.get("required") {
            None => return Ok(()),
            Some(required) if is_of_draft_3("required", required) => return Ok(()),
            Some(required) if required.kind() == ValueKind::List => required,
            Some(_) => return Err(spot.invalid("required")),
        };
        for (_, name) in required.entries() {
            let name = name.as_str().ok_or_else(|| spot.invalid("required"))?;
            self.budget.take_text(name.len()).map_err(|it| it.at(&spot.path))?;
            let schema = match (object.field(name), object.others) {
                (Some(field), _) => field.slot.schema,
                (None, Others::Each(value)) => value.schema,
                (None, _) => self.draft(spot, DraftShape::Is(Shape::Any))?,
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
        let item = match item {
            Some(item) => item,
            None => self.draft(spot, DraftShape::Is(Shape::Any))?,
        };
        Ok(Shape::List(optional(item)))
    }

    /// The types of the first items, by position.
    pub(super) fn tuple(&mut self, spot: &SchemaSpot<'v>) -> Result<Box<[SchemaId]>, SchemaError> {
        let keywords = ["prefixItems", "items"].into_iter();
        let listed = keywords.filter_map(|it| Some((it, spot.value.get(it)?)));
        let Some((keyword, parts)) =
            listed.into_iter().find(|(_, parts)| parts.kind() == ValueKind::List)
        else {
            return Ok(Box::default());
        };
        self.budget.take(parts.len()).map_err(|it| it.at(&spot.path))?;
        let parts = (0..).zip(parts.entries());
        parts.map(|(at, (_, part))| self.schema(spot.item(keyword, at, part))).collect()
    }
}

/// Whether a part that only holds for some values declares members. Such parts are not in the tree.
fn has_member_branches(schema: ValueRef<'_>) -> bool {
    let declares = |part: ValueRef<'_>| {
        ["properties", "patternProperties", "$ref", "allOf"].iter().any(|it| part.get(it).is_some())
    };
    let lists = ["anyOf", "oneOf", "dependentSchemas"].into_iter().filter_map(|it| schema.get(it));
    let mut parts = lists.flat_map(|list| list.entries().map(|(_, part)| part));
    let mut single = ["if", "then", "else"].into_iter().filter_map(|it| schema.get(it));
    parts.any(declares) || single.any(declares)
}

fn is_tuple(spot: &SchemaSpot<'_>) -> bool {
    spot.value.get("prefixItems").is_some()
}

const fn optional(schema: SchemaId) -> Slot {
    Slot { schema, presence: Presence::Optional }
}
