//! Reads JSON Schema; `write` writes it.
//!
//! Every schema in the text becomes one draft, however many references lead to it. Drafts are read from a
//! list of pending ones, not by recursion, so cyclic references need no special care. [`link`] then turns
//! the drafts into nodes.
//!
//! A schema with several restrictions requires all of them. [`all_of`] merges what stands in `allOf` and beside
//! `$ref`. The tree has no other "and": of `properties` and `anyOf`, the first of these is used, and the others
//! are listed as unsupported: `const`, `enum`, the content of a container, `anyOf`, `oneOf`, `type`.

mod all_of;
mod container;
mod limits;
mod link;
mod pointer;
mod types;
mod write;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

pub(super) use self::link::ALTERNATIVES_MAX;
use self::link::{Draft, DraftShape};
use self::pointer::{Places, SchemaSpot};
use self::types::{JsonType, is_of_draft_3};
pub(super) use self::write::{Members, write};
use super::budget::Budget;
use super::choices::{Choices, Literal};
use super::tree::{Presence, SchemaId, Shape, Slot};
use super::{Schema, SchemaError, SchemaErrorKind, UnsupportedKeyword};
use crate::document::{NodeId, ValueKind, ValueRef};

/// The largest nesting of schemas, counted from the root or from the target of a reference.
const DEPTH_MAX: usize = 128;

/// At most so many unsupported keywords are listed, with places of so many bytes in all.
const LISTED_MAX: usize = 1_000;
const LISTED_BYTES: usize = 256 << 10;

/// Whether `type` can have this value.
pub(super) fn names_types(value: ValueRef<'_>) -> bool {
    JsonType::names(value).is_some_and(|types| !types.is_empty())
}

pub(super) fn read(text: ValueRef<'_>) -> Result<Schema, SchemaError> {
    let mut reader = JsonSchemaReader::new(text);
    let root = reader.schema(SchemaSpot::root(text))?;
    reader.read_pending()?;
    let (nodes, root) = link::link(reader.drafts, root, &mut reader.budget)?;
    let root = Slot { schema: root, presence: Presence::Optional };
    let schema = Schema::new(nodes, root, reader.unsupported).with_parts(reader.budget);
    #[cfg(feature = "validate")]
    let schema = schema.with_text(text);
    Ok(schema)
}

/// Invariant: every draft is pending or complete.
struct JsonSchemaReader<'v> {
    places: Places<'v>,
    drafts: Vec<Draft>,
    /// The drafts of the text's schemas, by their place.
    known: HashMap<NodeId, SchemaId>,
    /// The drafts to read; the last is next.
    pending: Vec<(SchemaId, SchemaSpot<'v>)>,
    unsupported: Vec<UnsupportedKeyword>,
    /// The bytes of the places in `unsupported`.
    unsupported_bytes: usize,
    /// What is left of the parts that a schema may have.
    budget: Budget,
    /// The types that a schema clearly allows.
    types: HashMap<NodeId, Arc<[JsonType]>>,
    /// Whether a schema inside the text has an identifier of its own, so that references in it do not count
    /// from the root.
    has_inner_ids: bool,
    /// The schemas whose unknown keywords are listed.
    noted: HashSet<NodeId>,
}

impl<'v> JsonSchemaReader<'v> {
    fn new(text: ValueRef<'v>) -> Self {
        let (drafts, pending, unsupported) = (Vec::new(), Vec::new(), Vec::new());
        let has_inner_ids = pointer::has_inner_ids(text);
        let (known, noted) = (HashMap::new(), HashSet::new());
        let places = Places::new(text);
        let (budget, types) = (Budget::of_text(text), HashMap::new());
        let unsupported_bytes = 0;
        Self {
            places,
            drafts,
            known,
            pending,
            unsupported,
            unsupported_bytes,
            budget,
            types,
            has_inner_ids,
            noted,
        }
    }

    /// Whether a reference has to lead to a place in the text.
    fn is_known(&self, reference: &str) -> bool {
        pointer::local(reference).is_some() && !self.has_inner_ids
    }

    fn read_pending(&mut self) -> Result<(), SchemaError> {
        while let Some((id, spot)) = self.pending.pop() {
            let found = self.pending.len();
            let limits = limits::read(spot.value);
            let (description, shape) = self.read(&spot)?;
            let tuple = self.tuple(&spot)?;
            // In the order of the text, because unsupported keywords are listed in that order.
            self.pending[found..].reverse();
            let draft = &mut self.drafts[id.index()];
            draft.description = description;
            draft.limits = limits;
            draft.tuple = tuple;
            draft.shape = shape;
        }
        Ok(())
    }

    /// The draft of the schema at `spot`, which becomes pending.
    fn schema(&mut self, spot: SchemaSpot<'v>) -> Result<SchemaId, SchemaError> {
        let Some(place) = spot.value.node() else {
            return Err(spot.error(SchemaErrorKind::NotASchema, ""));
        };
        if spot.depth > DEPTH_MAX {
            return Err(spot.error(SchemaErrorKind::TooDeep, ""));
        }
        if let Some(id) = self.known.get(&place) {
            return Ok(*id);
        }
        let id = self.draft(&spot, DraftShape::Is(Shape::Any))?;
        self.known.insert(place, id);
        self.pending.push((id, spot));
        Ok(id)
    }

    /// Makes a draft that the schema at `spot` needs.
    fn draft(&mut self, spot: &SchemaSpot<'v>, shape: DraftShape) -> Result<SchemaId, SchemaError> {
        self.budget.take(1).map_err(|it| it.at(&spot.path))?;
        let id = SchemaId::nth(self.drafts.len());
        let (tuple, path) = (Box::default(), spot.path.clone());
        self.drafts.push(Draft { description: None, limits: None, tuple, shape, path });
        Ok(id)
    }

    /// Lists a keyword, unless the list is full.
    fn note(&mut self, spot: &SchemaSpot<'v>, keyword: &str) {
        let bytes = self.unsupported_bytes + spot.path.len() + keyword.len();
        if self.unsupported.len() >= LISTED_MAX || bytes > LISTED_BYTES {
            return;
        }
        self.unsupported_bytes = bytes;
        let (path, keyword) = (spot.path.to_string(), keyword.to_owned());
        self.unsupported.push(UnsupportedKeyword { path, keyword });
    }

    /// Lists keywords that were left out in favour of another one.
    fn note_present(&mut self, spot: &SchemaSpot<'v>, keywords: &[&str]) {
        for keyword in keywords.iter().filter(|keyword| spot.value.get(keyword).is_some()) {
            self.note(spot, keyword);
        }
    }

    /// Lists the keywords of a schema that are not read, once.
    fn note_unknown(&mut self, spot: &SchemaSpot<'v>) {
        if !spot.value.node().is_some_and(|node| self.noted.insert(node)) {
            return;
        }
        for (key, value) in spot.value.entries() {
            let keyword = key.unwrap_or_default();
            // Inside the text, it would change the meaning of references.
            let is_root_id = matches!(keyword, "$id" | "id") && spot.path.is_root();
            let understood = UNDERSTOOD.contains(&keyword) || is_root_id;
            if !understood || is_of_draft_3(keyword, value) {
                self.note(spot, keyword);
            }
        }
    }

    fn read(
        &mut self,
        spot: &SchemaSpot<'v>,
    ) -> Result<(Option<Box<str>>, DraftShape), SchemaError> {
        match (spot.value.kind(), spot.value.as_bool()) {
            (_, Some(true)) => Ok((None, DraftShape::Is(Shape::Any))),
            (_, Some(false)) => {
                Ok((None, DraftShape::Is(Shape::Choices(Arc::new(Choices::new::<Literal>([]))))))
            }
            (ValueKind::Object, _) => self.read_object(spot),
            _ => Err(spot.error(SchemaErrorKind::NotASchema, "")),
        }
    }

    fn read_object(
        &mut self,
        spot: &SchemaSpot<'v>,
    ) -> Result<(Option<Box<str>>, DraftShape), SchemaError> {
        self.note_unknown(spot);
        let description = match spot.value.get("description") {
            Some(text) => Some(text.as_str().ok_or_else(|| spot.invalid("description"))?),
            None => None,
        };
        let types = JsonType::read(spot)?;
        let shape = self.shape(spot, types.as_deref())?;
        let shape = self.nullable(spot, types.as_deref(), shape)?;
        Ok((description.filter(|text| !text.is_empty()).map(Into::into), shape))
    }

    /// `nullable` of OpenAPI.
    fn nullable(
        &mut self,
        spot: &SchemaSpot<'v>,
        types: Option<&[JsonType]>,
        shape: DraftShape,
    ) -> Result<DraftShape, SchemaError> {
        let wanted = match spot.value.get("nullable") {
            Some(value) => value.as_bool().ok_or_else(|| spot.invalid("nullable"))?,
            None => false,
        };
        if !wanted || types.is_some_and(|types| types.contains(&JsonType::Null)) {
            return Ok(shape);
        }
        let value = self.draft(spot, shape)?;
        let null = self.draft(spot, DraftShape::Is(Shape::Null))?;
        Ok(DraftShape::Is(Shape::union_of(vec![value, null])))
    }

    fn shape(
        &mut self,
        spot: &SchemaSpot<'v>,
        types: Option<&[JsonType]>,
    ) -> Result<DraftShape, SchemaError> {
        if let Some(shape) = self.all_of(spot)? {
            return Ok(shape);
        }
        if let Some(shape) = self.reference(spot)? {
            return Ok(shape);
        }
        if let Some(choices) = self.choices(spot, types)? {
            self.note_present(spot, COMPOSITIONS);
            return Ok(DraftShape::Is(choices));
        }
        if JsonType::implied(spot.value).is_empty()
            && let Some(shape) = self.composition(spot, types)?
        {
            return Ok(shape);
        }
        self.note_present(spot, COMPOSITIONS);
        self.typed(spot, types).map(DraftShape::Is)
    }

    /// The schema that this one refers to, if it says nothing else.
    fn reference(&mut self, spot: &SchemaSpot<'v>) -> Result<Option<DraftShape>, SchemaError> {
        let Some(reference) = spot.value.get("$ref") else {
            return Ok(None);
        };
        let reference = reference.as_str().ok_or_else(|| spot.invalid("$ref"))?;
        match self.target(spot, reference)? {
            Some(target) => self.schema(target).map(DraftShape::Alias).map(Some),
            None => Ok(None),
        }
    }

    fn choices(
        &mut self,
        spot: &SchemaSpot<'v>,
        types: Option<&[JsonType]>,
    ) -> Result<Option<Shape>, SchemaError> {
        let listed: Vec<ValueRef<'v>> = match (spot.value.get("const"), spot.value.get("enum")) {
            (Some(value), _) => vec![value],
            (None, Some(list)) if list.kind() == ValueKind::List => {
                list.entries().map(|(_, value)| value).collect()
            }
            (None, Some(_)) => return Err(spot.invalid("enum")),
            (None, None) => return Ok(None),
        };
        // Without the values that are not scalars, the rest would allow too little.
        let Some(literals) = listed.iter().copied().map(literal).collect::<Option<Vec<_>>>() else {
            self.note_present(spot, SCALARS);
            return Ok(None);
        };
        for literal in &literals {
            self.budget.take_text(literal.len()).map_err(|it| it.at(&spot.path))?;
        }
        if spot.value.get("const").is_some() {
            self.note_present(spot, &["enum"]);
        }
        let allowed = literals.into_iter().zip(listed).filter(|(_, value)| {
            types.is_none_or(|types| types.iter().any(|it| it.includes(JsonType::of(*value))))
        });
        Ok(Some(Shape::Choices(Arc::new(Choices::new(allowed.map(|(literal, _)| literal))))))
    }

    /// The first of `allOf` with one part, `anyOf` and `oneOf`, unless the tree cannot represent it.
    fn composition(
        &mut self,
        spot: &SchemaSpot<'v>,
        types: Option<&[JsonType]>,
    ) -> Result<Option<DraftShape>, SchemaError> {
        let present = |keyword: &'static str| Some((keyword, spot.value.get(keyword)?));
        let Some((keyword, parts)) = COMPOSITIONS.iter().copied().find_map(present) else {
            return Ok(None);
        };
        if parts.kind() != ValueKind::List || parts.is_empty() {
            return Err(spot.invalid(keyword));
        }
        self.budget.take(parts.len()).map_err(|it| it.at(&spot.path))?;
        let mut narrows = |types| parts.entries().any(|(_, part)| !self.stays_within(types, part));
        if types.is_some_and(&mut narrows) {
            return Ok(None);
        }
        let others: Vec<&str> = COMPOSITIONS.iter().copied().filter(|it| *it != keyword).collect();
        self.note_present(spot, &others);
        let alternatives = (0..)
            .zip(parts.entries())
            .map(|(at, (_, part))| self.schema(spot.item(keyword, at, part)))
            .collect::<Result<Vec<_>, _>>()?;
        Ok(Some(match alternatives[..] {
            [only] => DraftShape::Alias(only),
            _ => DraftShape::Is(Shape::union_of(alternatives)),
        }))
    }

    /// Whether a schema clearly allows no types but these, so that `type` adds no restriction to it.
    fn stays_within(&mut self, types: &[JsonType], schema: ValueRef<'v>) -> bool {
        let value = self.places.follow(schema);
        let found = match value.node() {
            Some(node) => Arc::clone(self.types.entry(node).or_insert_with(|| clear_types(value))),
            None => clear_types(value),
        };
        !found.is_empty() && found.iter().all(|it| types.iter().any(|one| one.includes(*it)))
    }

    fn typed(
        &mut self,
        spot: &SchemaSpot<'v>,
        types: Option<&[JsonType]>,
    ) -> Result<Shape, SchemaError> {
        let implied = JsonType::implied(spot.value);
        match types.unwrap_or(&implied) {
            [] => Ok(Shape::Any),
            [one] => self.shape_of(spot, *one),
            several => {
                let mut alternatives = Vec::with_capacity(several.len());
                for one in several {
                    let shape = self.shape_of(spot, *one)?;
                    alternatives.push(self.draft(spot, DraftShape::Is(shape))?);
                }
                Ok(Shape::union_of(alternatives))
            }
        }
    }

    fn shape_of(&mut self, spot: &SchemaSpot<'v>, one: JsonType) -> Result<Shape, SchemaError> {
        Ok(match one {
            JsonType::Null => Shape::Null,
            JsonType::Bool => Shape::Bool,
            JsonType::Int => Shape::Int,
            JsonType::Number => Shape::Number,
            JsonType::String => Shape::String,
            JsonType::Object => self.object(spot)?,
            JsonType::List => self.list(spot)?,
        })
    }
}

/// The types that a schema clearly allows, each once; none if it does not say.
fn clear_types(value: ValueRef<'_>) -> Arc<[JsonType]> {
    let mut found: Vec<JsonType> = Vec::new();
    let mut add = |one: JsonType| {
        if !found.contains(&one) {
            found.push(one);
        }
    };
    if let Some(names) = value.get("type") {
        JsonType::names(names).unwrap_or_default().into_iter().for_each(&mut add);
    } else if let Some(constant) = value.get("const") {
        add(JsonType::of(constant));
    } else if let Some(choices) = value.get("enum") {
        choices.entries().for_each(|(_, choice)| add(JsonType::of(choice)));
    } else {
        JsonType::implied(value).into_iter().for_each(&mut add);
    }
    found.into()
}

fn literal(value: ValueRef<'_>) -> Option<Literal> {
    Some(match value.kind() {
        ValueKind::Null => Literal::NULL,
        ValueKind::Bool => value.as_bool()?.into(),
        ValueKind::Number => Literal::number(value.number_text()?),
        ValueKind::String => value.as_str()?.into(),
        ValueKind::List | ValueKind::Object => return None,
    })
}

const SCALARS: &[&str] = &["const", "enum"];
const MEMBERS: &[&str] = &["properties", "required", "additionalProperties"];
const ITEMS: &[&str] = &["items", "prefixItems"];
const COMPOSITIONS: &[&str] = &["allOf", "anyOf", "oneOf"];
/// What a schema may say beside `allOf` or `$ref`.
#[rustfmt::skip]
const CONTENT: &[&str] = &[
    "type", "const", "enum", "properties", "required", "additionalProperties", "items", "prefixItems", "anyOf", "oneOf",
];

/// The keywords that are read, those that only contain schemas, and those that do not restrict values.
#[rustfmt::skip]
pub(super) const UNDERSTOOD: &[&str] = &[
    "$ref", "const", "enum", "allOf", "anyOf", "oneOf", "type", "nullable", "description",
    "properties", "required", "additionalProperties", "items",
    "$defs", "definitions",
    "$schema", "$comment", "title", "default", "examples", "example", "deprecated", "readOnly", "writeOnly",
];
