//! Reads the output DSL: a schema that looks like the value that it describes.
//!
//! A place is read in two steps. [`place`] separates the description and the presence of the value, and
//! [`types`] interprets type names. Nodes are read from a list of pending places, without recursion.

mod place;
mod types;

use std::sync::Arc;

use self::place::DslPlace;
use super::budget::Budget;
use super::json_schema::ALTERNATIVES_MAX;
use super::object::ObjectDraft;
use super::tree::{SchemaNode, Shape, Slot, UnsettledUnion, settle_unions};
use super::{Schema, SchemaError, SchemaErrorKind, SchemaId};
use crate::document::{ValueKind, ValueRef};

/// The largest nesting of types, counted from the root.
const DEPTH_MAX: usize = 128;

/// Whether a text names a type.
pub(super) fn is_type(text: &str) -> bool {
    text.split('|').all(|name| types::named(name.trim()).is_some())
}

pub(super) fn read(text: ValueRef<'_>) -> Result<Schema, SchemaError> {
    let budget = Budget::of_text(text);
    let mut reader = DslReader { budget, nodes: Vec::new(), pending: Vec::new() };
    let root = reader.slot(DslPlace::root(text))?;
    while let Some((id, place)) = reader.pending.pop() {
        let found = reader.pending.len();
        let shape = reader.shape(&place)?;
        // In the order of the text, so that the first error is reported.
        reader.pending[found..].reverse();
        reader.nodes[id.index()].shape = shape;
    }
    settle_unions(&mut reader.nodes, ALTERNATIVES_MAX, &mut reader.budget).map_err(|why| {
        let kind = match why {
            UnsettledUnion::ManyLeaves(_) => SchemaErrorKind::TooManyAlternatives,
            UnsettledUnion::UsedUp(_) => SchemaErrorKind::TooLarge,
        };
        SchemaError::new(kind, "")
    })?;
    Ok(Schema::new(reader.nodes, root, Vec::new()).with_parts(reader.budget))
}

/// Invariant: every node is pending or has its shape.
struct DslReader<'v> {
    budget: Budget,
    nodes: Vec<SchemaNode>,
    /// The places to read; the last is next.
    pending: Vec<(SchemaId, DslPlace<'v>)>,
}

impl<'v> DslReader<'v> {
    /// The description and presence of a place whose type is still pending.
    fn slot(&mut self, place: DslPlace<'v>) -> Result<Slot, SchemaError> {
        let said = place.unwrap()?;
        if said.place.depth > DEPTH_MAX {
            return Err(said.place.error(SchemaErrorKind::TooDeep));
        }
        self.budget.take(1).map_err(|_| said.place.error(SchemaErrorKind::TooLarge))?;
        let schema = self.node(Shape::Any);
        self.nodes[schema.index()].description = said.description.map(Into::into);
        self.pending.push((schema, said.place));
        Ok(Slot { schema, presence: said.presence })
    }

    fn node(&mut self, shape: Shape) -> SchemaId {
        let id = SchemaId::nth(self.nodes.len());
        self.nodes.push(SchemaNode::plain(shape));
        id
    }

    fn shape(&mut self, place: &DslPlace<'v>) -> Result<Shape, SchemaError> {
        match place.value.kind() {
            ValueKind::Object => self.object(place),
            ValueKind::List => self.list(place),
            _ => self.named(place),
        }
    }

    fn object(&mut self, place: &DslPlace<'v>) -> Result<Shape, SchemaError> {
        let mut object = ObjectDraft::default();
        for (name, value) in place.value.entries() {
            let name = name.unwrap_or_default();
            object.declare(name, self.slot(place.step(name, value))?);
        }
        Ok(Shape::Object(Arc::new(object.finish())))
    }

    /// A list; without a prototype, a list of anything.
    fn list(&mut self, place: &DslPlace<'v>) -> Result<Shape, SchemaError> {
        let mut items = place.value.entries();
        match (items.next(), items.next()) {
            (None, _) => Ok(self.list_of_any()),
            (Some((_, prototype)), None) => self.slot(place.step("0", prototype)).map(Shape::List),
            (Some(_), Some(_)) => Err(place.error(SchemaErrorKind::SeveralPrototypes)),
        }
    }

    /// The type of one name, or of several with `|` between them.
    fn named(&mut self, place: &DslPlace<'v>) -> Result<Shape, SchemaError> {
        let unknown = || place.error(SchemaErrorKind::UnknownType);
        let names = place.value.as_str().ok_or_else(|| place.error(SchemaErrorKind::NotAType))?;
        let mut shapes = Vec::new();
        for (count, name) in names.split('|').enumerate() {
            if count == ALTERNATIVES_MAX {
                return Err(place.error(SchemaErrorKind::TooManyAlternatives));
            }
            shapes.push(types::named(name.trim()).ok_or_else(unknown)?.shape(self));
        }
        if shapes.len() == 1 {
            return shapes.pop().ok_or_else(unknown);
        }
        Ok(Shape::union_of(shapes.into_iter().map(|shape| self.node(shape)).collect()))
    }

    fn list_of_any(&mut self) -> Shape {
        let schema = self.node(Shape::Any);
        Shape::List(Slot { schema, presence: super::Presence::Optional })
    }
}
