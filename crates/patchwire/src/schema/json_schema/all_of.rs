//! Schemas that hold together: the parts of `allOf`, and what stands beside a `$ref`.
//!
//! Their types, members, needs and items are merged into one type, because prompts, typed fields and alignment
//! need one. Where two parts give the same member a schema, the tree has the first.

use std::collections::HashSet;
use std::sync::Arc;

use super::link::DraftShape;
use super::pointer::{self, SchemaSpot};
use super::types::JsonType;
use super::{CONTENT, JsonSchemaReader};
use crate::document::{NodeId, ValueKind, ValueRef};
use crate::schema::SchemaError;
use crate::schema::choices::{Choices, Literal};
use crate::schema::object::ObjectDraft;
use crate::schema::tree::{Others, Shape};

/// At most this many parts are merged into one type. Others are listed as unsupported: in a chain of parts
/// each type would contain all that follow.
const PARTS_MAX: usize = 64;

impl<'v> JsonSchemaReader<'v> {
    /// The type of a schema of several parts; none if it has only one.
    pub(super) fn all_of(
        &mut self,
        spot: &SchemaSpot<'v>,
    ) -> Result<Option<DraftShape>, SchemaError> {
        let has = |keyword| spot.value.get(keyword).is_some();
        let says = CONTENT.iter().any(|keyword| has(keyword));
        let merges = match spot.value.get("allOf") {
            Some(list) if list.kind() == ValueKind::List && !list.is_empty() => {
                says || has("$ref") || list.len() > 1
            }
            Some(_) => return Err(spot.invalid("allOf")),
            None => says && has("$ref"),
        };
        if !merges {
            return Ok(None);
        }
        let parts = self.parts(spot)?;
        if parts.iter().any(|part| part.value.as_bool() == Some(false)) {
            return Ok(Some(DraftShape::Is(nothing())));
        }
        self.merged(spot, &parts).map(Some)
    }

    /// The schema and its parts, those of parts included, in the order of the text.
    fn parts(&mut self, spot: &SchemaSpot<'v>) -> Result<Vec<SchemaSpot<'v>>, SchemaError> {
        let mut seen: HashSet<NodeId> = HashSet::new();
        let mut found: Vec<SchemaSpot<'v>> = Vec::new();
        let mut open = vec![spot.clone()];
        while let Some(part) = open.pop() {
            let is_new = part.value.node().is_some_and(|node| seen.insert(node));
            if !is_new {
                continue;
            }
            if found.len() == PARTS_MAX {
                self.note(spot, "allOf");
                break;
            }
            let first = open.len();
            if let Some(reference) = part.value.get("$ref") {
                let reference = reference.as_str().ok_or_else(|| part.invalid("$ref"))?;
                open.extend(self.target(&part, reference)?);
            }
            let list = part.value.get("allOf").into_iter().flat_map(ValueRef::entries);
            // The schema around the list is a part, too: so these are one more than count, to see that there are more.
            let list = list.take(PARTS_MAX);
            open.extend((0..).zip(list).map(|(at, (_, one))| part.item("allOf", at, one)));
            open[first..].reverse();
            self.note_unknown(&part);
            found.push(part);
        }
        Ok(found)
    }

    /// The place that a reference leads to; none if it leads out of the text, which is noted.
    pub(super) fn target(
        &mut self,
        spot: &SchemaSpot<'v>,
        reference: &str,
    ) -> Result<Option<SchemaSpot<'v>>, SchemaError> {
        let found = pointer::local(reference).and_then(|it| self.places.find(it));
        if found.is_some() || !self.is_known(reference) {
            if found.is_none() {
                self.note(spot, "$ref");
            }
            return Ok(found);
        }
        Err(spot.unresolved())
    }

    fn merged(
        &mut self,
        spot: &SchemaSpot<'v>,
        parts: &[SchemaSpot<'v>],
    ) -> Result<DraftShape, SchemaError> {
        let types = common_types(parts)?;
        for part in parts {
            if let Some(choices) = self.choices(part, types.as_deref())? {
                return Ok(DraftShape::Is(choices));
            }
        }
        let unions = |part: &&SchemaSpot<'v>| {
            ["anyOf", "oneOf"].into_iter().any(|keyword| part.value.get(keyword).is_some())
        };
        let of_several: Vec<&SchemaSpot<'v>> = parts.iter().filter(unions).collect();
        if types.is_none() {
            // What one part says of several types holds for the whole, if no other says more.
            if let [only] = of_several[..]
                && let Some(shape) = self.composition(only, None)?
            {
                return Ok(shape);
            }
            return Ok(DraftShape::Is(Shape::Any));
        }
        for part in &of_several {
            self.note_present(part, &["anyOf", "oneOf"]);
        }
        let types = types.unwrap_or_default();
        let mut shapes = Vec::with_capacity(types.len());
        for one in types {
            shapes.push(match one {
                JsonType::Object => self.merged_object(parts)?,
                JsonType::List => self.merged_list(parts)?,
                scalar => self.shape_of(spot, scalar)?,
            });
        }
        if shapes.len() == 1 {
            return Ok(DraftShape::Is(shapes.remove(0)));
        }
        let drafts = shapes.into_iter().map(|shape| self.draft(spot, DraftShape::Is(shape)));
        let alternatives = drafts.collect::<Result<Vec<_>, _>>()?;
        Ok(DraftShape::Is(if alternatives.is_empty() {
            nothing()
        } else {
            Shape::union_of(alternatives)
        }))
    }

    fn merged_object(&mut self, parts: &[SchemaSpot<'v>]) -> Result<Shape, SchemaError> {
        let mut object = ObjectDraft::default();
        for part in parts {
            self.properties(part, &mut object)?;
            let others = self.others(part)?;
            object.others = match (object.others, others) {
                (Others::Allowed, other) | (other, Others::Allowed) => other,
                (Others::Forbidden, _) | (_, Others::Forbidden) => Others::Forbidden,
                (each, Others::Each(_)) => each,
            };
        }
        for part in parts {
            self.required(part, &mut object)?;
        }
        Ok(Shape::Object(Arc::new(object.finish())))
    }

    fn merged_list(&mut self, parts: &[SchemaSpot<'v>]) -> Result<Shape, SchemaError> {
        let has_items = |part: &&SchemaSpot<'v>| part.value.get("items").is_some();
        let part = parts.iter().find(has_items).unwrap_or(&parts[0]);
        self.list(part)
    }
}

/// The types that all parts allow; none if no part says one. Of parts that only imply a type, the type
/// counts if another part does not say it.
fn common_types(parts: &[SchemaSpot<'_>]) -> Result<Option<Vec<JsonType>>, SchemaError> {
    let mut common: Option<Vec<JsonType>> = None;
    for part in parts {
        if let Some(types) = JsonType::read(part)? {
            common = Some(match common {
                None => types,
                Some(common) => narrowed(&common, &types),
            });
        }
    }
    if common.is_none() {
        let mut implied: Vec<JsonType> = Vec::new();
        for one in parts.iter().flat_map(|part| JsonType::implied(part.value)) {
            if !implied.contains(&one) {
                implied.push(one);
            }
        }
        common = Some(implied).filter(|types| !types.is_empty());
    }
    Ok(common)
}

/// The types of both lists; of a number and an integer, the integer.
fn narrowed(a: &[JsonType], b: &[JsonType]) -> Vec<JsonType> {
    let within = |one: &JsonType, list: &[JsonType]| list.iter().any(|it| it.includes(*one));
    let of_a = a.iter().filter(|one| within(one, b));
    let of_b = b.iter().filter(|one| within(one, a) && !a.contains(one));
    of_a.chain(of_b).copied().collect()
}

fn nothing() -> Shape {
    Shape::Choices(Arc::new(Choices::new::<Literal>([])))
}
