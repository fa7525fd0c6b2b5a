//! What is known about each type of a schema, so that a value is compared with none of its parts in turn.

use std::collections::HashMap;
use std::sync::Arc;

use super::tree::{Object, Others, Presence, SchemaId, SchemaNode, Shape, Slot, Union};
use super::union_index::UnionIndex;
use crate::document::ValueKind;

/// A set of kinds of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct KindSet(u8);

impl KindSet {
    const ALL: Self = Self(0b11_1111);

    /// This set and one more kind.
    pub(super) const fn with(self, kind: ValueKind) -> Self {
        Self(self.0 | 1 << kind as u8)
    }

    const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) const fn has(self, kind: ValueKind) -> bool {
        self.0 & 1 << kind as u8 != 0
    }
}

/// What is known about one type. Where it is a union: about its leaves together.
#[derive(Debug, Clone, Default)]
pub(super) struct NodeFacts {
    /// The kinds of values that may fit.
    pub(super) kinds: KindSet,
    /// Every value fits.
    pub(super) is_any: bool,
    /// Whole numbers fit.
    pub(super) has_int: bool,
    /// Numbers fit, whole or not.
    pub(super) has_number: bool,
    /// The first type that is an object.
    pub(super) object: Option<SchemaId>,
    /// The first type that is a list.
    pub(super) list: Option<SchemaId>,
    /// Values in it may have to be filled, at some depth.
    pub(super) needs: bool,
    /// The positions of the members that have to exist, or may have to because of what is in them. None: those
    /// that have to exist.
    pub(super) wanted: Option<Box<[u32]>>,
    /// How an alternative is found among many.
    pub(super) index: Option<Arc<UnionIndex>>,
}

/// The facts about all nodes.
pub(super) fn of(nodes: &[SchemaNode]) -> Vec<NodeFacts> {
    let mut facts: Vec<NodeFacts> =
        (0..nodes.len()).map(|at| own(nodes, SchemaId::nth(at))).collect();
    let mut known: HashMap<*const Union, NodeFacts> = HashMap::new();
    for at in 0..nodes.len() {
        let Shape::Union(union) = &nodes[at].shape else { continue };
        let new = known.entry(Arc::as_ptr(union)).or_insert_with(|| {
            let index = UnionIndex::of(nodes, union).map(Arc::new);
            NodeFacts { index, ..joined(union.leaves.iter().map(|leaf| &facts[leaf.index()])) }
        });
        facts[at] = new.clone();
    }
    mark_needs(nodes, &mut facts);
    facts
}

fn own(nodes: &[SchemaNode], id: SchemaId) -> NodeFacts {
    let mut facts = NodeFacts::default();
    let kinds = |kind| KindSet::default().with(kind);
    facts.kinds = match &nodes[id.index()].shape {
        Shape::Any => KindSet::ALL,
        Shape::Null => kinds(ValueKind::Null),
        Shape::Bool => kinds(ValueKind::Bool),
        Shape::Int | Shape::Number => kinds(ValueKind::Number),
        Shape::String => kinds(ValueKind::String),
        Shape::Choices(choices) => choices.kinds(),
        Shape::Object(_) => kinds(ValueKind::Object),
        Shape::List(_) => kinds(ValueKind::List),
        Shape::Union(_) => KindSet::default(),
    };
    let shape = &nodes[id.index()].shape;
    facts.is_any = matches!(shape, Shape::Any);
    facts.has_int = matches!(shape, Shape::Int);
    facts.has_number = !facts.has_int && facts.kinds.has(ValueKind::Number);
    facts.object = matches!(shape, Shape::Object(_)).then_some(id);
    facts.list = matches!(shape, Shape::List(_)).then_some(id);
    facts
}

fn joined<'f>(leaves: impl Iterator<Item = &'f NodeFacts>) -> NodeFacts {
    leaves.fold(NodeFacts::default(), |all, leaf| NodeFacts {
        kinds: all.kinds.and(leaf.kinds),
        is_any: all.is_any || leaf.is_any,
        has_int: all.has_int || leaf.has_int,
        has_number: all.has_number || leaf.has_number,
        object: all.object.or(leaf.object),
        list: all.list.or(leaf.list),
        ..all
    })
}

/// The places in a type that hold values of other types. Of an object with named members the others do not count.
fn slots(shape: &Shape) -> Box<dyn Iterator<Item = Slot> + '_> {
    match shape {
        Shape::List(item) => Box::new(core::iter::once(*item)),
        Shape::Object(object) => {
            let each = match object.others {
                Others::Each(each) if object.fields().is_empty() => Some(each),
                _ => None,
            };
            Box::new(object.fields().iter().map(|field| field.slot).chain(each))
        }
        _ => Box::new(core::iter::empty()),
    }
}

/// Marks the types with values that must be filled, and the members that matter for it. Nothing is marked where
/// no value must be filled, as in any schema that was read from JSON Schema.
fn mark_needs(nodes: &[SchemaNode], facts: &mut [NodeFacts]) {
    let has_filled =
        |node: &SchemaNode| slots(&node.shape).any(|slot| slot.presence == Presence::Meaningful);
    let mut open: Vec<usize> = (0..nodes.len()).filter(|at| has_filled(&nodes[*at])).collect();
    if open.is_empty() {
        return;
    }
    let mut users: Vec<Vec<u32>> = vec![Vec::new(); nodes.len()];
    for (at, node) in (0..).zip(nodes) {
        slots(&node.shape).for_each(|slot| users[slot.schema.index()].push(at));
    }
    while let Some(at) = open.pop() {
        if !core::mem::replace(&mut facts[at].needs, true) {
            open.extend(users[at].iter().map(|user| *user as usize));
        }
    }
    for at in 0..nodes.len() {
        if let Shape::Object(object) = &nodes[at].shape
            && facts[at].needs
        {
            facts[at].wanted = Some(wanted(object, facts));
        }
    }
}

fn wanted(object: &Object, facts: &[NodeFacts]) -> Box<[u32]> {
    let fields = (0..).zip(object.fields());
    let may_be = fields.filter(|(_, field)| {
        field.slot.presence != Presence::Optional || facts[field.slot.schema.index()].needs
    });
    may_be.map(|(at, _)| at).collect()
}
