//! What the parts of a value can be before it is known which alternative of a union the value is.
//!
//! `{"kind": "cat"}` and `{"kind": "dog"}` differ in one member, and a stream reads that member before it
//! can decide. So a union with several objects has one joined object: each member is of any type that an
//! alternative declares for it. Lists are joined in the same way. The finalizer, which knows the whole value,
//! selects one alternative and does not use the joined types.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::budget::{Budget, UsedUp};
use super::tree::{Field, Object, Others, Presence, SchemaId, SchemaNode, Shape, Slot};
use super::tree::{SharedUnions, Union, UnsettledUnion, common_choices};
use super::union_index::UnionIndex;

/// The joined types of one schema have at most this many alternatives together. Alternatives that contain
/// each other have as many joined types as a set has subsets. Beyond the bound, a part has the type that the
/// first alternative declares.
const JOINED_MAX: usize = 1 << 16;

/// Adds the joined types of every union. Leaves and choices have to be computed.
///
/// # Errors
/// The union at which the budget is used up.
pub(super) fn join_unions(
    nodes: &mut Vec<SchemaNode>,
    budget: &mut Budget,
) -> Result<(), UnsettledUnion> {
    let mut joiner = Joiner { known: HashMap::new(), left: JOINED_MAX, budget };
    let mut joined = SharedUnions::default();
    let mut at = 0;
    // Joined types are unions too, added at the end.
    while at < nodes.len() {
        if let Shape::Union(union) = &nodes[at].shape {
            let union = Arc::clone(union);
            let new = match joined.get(&union) {
                Some(known) => known,
                None => {
                    let used_up = |_: UsedUp| UnsettledUnion::UsedUp(SchemaId::nth(at));
                    let new = joiner.joined(nodes, Union::clone(&union)).map_err(used_up)?;
                    let new = Arc::new(new);
                    joined.insert(union, &new);
                    new
                }
            };
            nodes[at].shape = Shape::Union(new);
        }
        at += 1;
    }
    Ok(())
}

struct Joiner<'b> {
    /// The joined types, by their alternatives.
    known: HashMap<Vec<SchemaId>, SchemaId>,
    /// How many more alternatives joined types may have.
    left: usize,
    budget: &'b mut Budget,
}

impl Joiner<'_> {
    fn joined(&mut self, nodes: &mut Vec<SchemaNode>, mut union: Union) -> Result<Union, UsedUp> {
        let (objects, lists) = parts(nodes, &union.leaves);
        if objects.len() > 1 {
            let fields = objects.iter().map(|object| object.fields().len()).sum();
            self.budget.take(fields)?;
            union.object = Some(self.object(nodes, &objects)?);
        }
        if lists.len() > 1 {
            union.item = self.slot(nodes, &lists, lists.len())?;
        }
        Ok(union)
    }

    fn object(
        &mut self,
        nodes: &mut Vec<SchemaNode>,
        objects: &[Arc<Object>],
    ) -> Result<Arc<Object>, UsedUp> {
        let mut places: HashMap<&str, usize> = HashMap::new();
        let mut members: Vec<(&str, Vec<Slot>)> = Vec::new();
        for field in objects.iter().flat_map(|object| object.fields()) {
            let at = *places.entry(&field.name).or_insert(members.len());
            if at == members.len() {
                members.push((&field.name, Vec::new()));
            }
            members[at].1.push(field.slot);
        }
        let mut fields = Vec::with_capacity(members.len());
        for (name, slots) in members {
            if let Some(slot) = self.slot(nodes, &slots, objects.len())? {
                fields.push(Field { name: name.into(), slot });
            }
        }
        let each: Vec<Slot> = objects.iter().filter_map(|object| each(object)).collect();
        let others = self.slot(nodes, &each, objects.len())?.map_or(Others::Allowed, Others::Each);
        Ok(Arc::new(Object::of(fields, others)))
    }

    /// The joined type of a part that some of `alternatives` declare. What one of them does not need is not
    /// needed.
    fn slot(
        &mut self,
        nodes: &mut Vec<SchemaNode>,
        slots: &[Slot],
        alternatives: usize,
    ) -> Result<Option<Slot>, UsedUp> {
        let Some(first) = slots.first() else { return Ok(None) };
        let weakest = slots.iter().map(|slot| slot.presence).min().unwrap_or_default();
        let presence = if slots.len() < alternatives { Presence::Optional } else { weakest };
        let schema = self.schema(nodes, slots)?.unwrap_or(first.schema);
        Ok(Some(Slot { schema, presence }))
    }

    /// The joined type; none if it is the type of the first.
    fn schema(
        &mut self,
        nodes: &mut Vec<SchemaNode>,
        slots: &[Slot],
    ) -> Result<Option<SchemaId>, UsedUp> {
        let mut ids = slots.iter().map(|slot| slot.schema);
        // No value outside a guard's choices may be emitted.
        if let Some(guarded) = ids.clone().find(|id| nodes[id.index()].shape.fallback().is_some()) {
            return Ok(Some(guarded));
        }
        let Some(first) = ids.next() else { return Ok(None) };
        let first = &nodes[first.index()].shape;
        if ids.all(|id| is_same_scalar(first, &nodes[id.index()].shape)) {
            return Ok(None);
        }
        let mut seen = HashSet::new();
        let all = slots.iter().flat_map(|slot| match &nodes[slot.schema.index()].shape {
            Shape::Union(union) => union.leaves.as_slice(),
            _ => core::slice::from_ref(&slot.schema),
        });
        let leaves: Vec<SchemaId> = all.copied().filter(|leaf| seen.insert(*leaf)).collect();
        self.budget.take(leaves.len())?;
        if let [only] = leaves[..] {
            return Ok(Some(only));
        }
        if let Some(known) = self.known.get(&leaves) {
            return Ok(Some(*known));
        }
        let Some(left) = self.left.checked_sub(leaves.len()) else { return Ok(None) };
        self.left = left;
        let id = SchemaId::nth(nodes.len());
        self.known.insert(leaves.clone(), id);
        let choices = common_choices(nodes, &leaves, self.budget)?;
        self.budget.take(UnionIndex::parts(nodes, &leaves))?;
        let union = Union { alternatives: leaves.clone(), leaves, choices, ..Union::default() };
        nodes.push(SchemaNode::plain(Shape::Union(Arc::new(union))));
        Ok(Some(id))
    }
}

/// The objects among the leaves, and the items of the lists among them.
fn parts(nodes: &[SchemaNode], leaves: &[SchemaId]) -> (Vec<Arc<Object>>, Vec<Slot>) {
    let mut objects = Vec::new();
    let mut lists = Vec::new();
    for leaf in leaves {
        match &nodes[leaf.index()].shape {
            Shape::Object(object) => objects.push(Arc::clone(object)),
            Shape::List(item) => lists.push(*item),
            _ => {}
        }
    }
    (objects, lists)
}

fn each(object: &Object) -> Option<Slot> {
    match object.others {
        Others::Each(slot) => Some(slot),
        Others::Allowed | Others::Forbidden => None,
    }
}

fn is_same_scalar(a: &Shape, b: &Shape) -> bool {
    let is_scalar = matches!(a, Shape::Any | Shape::Null | Shape::Bool)
        || matches!(a, Shape::Int | Shape::Number | Shape::String);
    is_scalar && core::mem::discriminant(a) == core::mem::discriminant(b)
}
