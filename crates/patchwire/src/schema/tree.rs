//! The nodes of a schema.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::budget::{Budget, UsedUp};
use super::choices::{Choices, Literal};
use super::join::join_unions;
pub(crate) use super::object::{Field, Object, Others};
use super::union_index::UnionIndex;

/// A node of one schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SchemaId(pub(super) u32);

impl SchemaId {
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The id of the node that will be number `count`.
    pub(super) const fn nth(count: usize) -> Self {
        Self(count as u32)
    }
}

/// The presence that a value needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
#[expect(clippy::exhaustive_enums, reason = "the checks know these three grades and no more")]
pub enum Presence {
    /// The value may be absent.
    #[default]
    Optional,
    /// The key must exist, with any value.
    Present,
    /// The value must exist, and must not be null, blank text or an empty list.
    Meaningful,
}

/// A use of a type: the type, and the presence that its value needs.
///
/// For a list's items and a map's values, the presence applies to each of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Slot {
    pub(crate) schema: SchemaId,
    pub(crate) presence: Presence,
}

/// A type with its description.
#[derive(Debug, Clone)]
pub(crate) struct SchemaNode {
    pub(crate) description: Option<Box<str>>,
    /// What prompts say beside the type.
    pub(crate) limits: Option<Arc<str>>,
    /// The types of the first items of a list, by position. Only prompts show them.
    pub(crate) tuple: Arc<[SchemaId]>,
    pub(crate) shape: Shape,
}

/// The shape of a value. Cloning is cheap: a described reference shares the shape it refers to.
#[derive(Debug, Clone)]
pub(crate) enum Shape {
    Any,
    Null,
    Bool,
    Int,
    Number,
    String,
    /// One of the given scalars. With no scalar, no value fits.
    Choices(Arc<Choices>),
    /// Members by name. A map is an object without declared members.
    Object(Arc<Object>),
    List(Slot),
    Union(Arc<Union>),
}

/// A value of any of several types.
#[derive(Debug, Clone, Default)]
pub(crate) struct Union {
    /// The alternatives as written, for prompts.
    pub(crate) alternatives: Vec<SchemaId>,
    /// The alternatives without unions: unions in unions are replaced by their leaves.
    pub(crate) leaves: Vec<SchemaId>,
    /// All choices, if every leaf is a choice of strings or null.
    pub(crate) choices: Option<Choices>,
    /// The [joined](super::join) object, if several leaves are objects.
    pub(crate) object: Option<Arc<Object>>,
    /// The joined item, if several leaves are lists.
    pub(crate) item: Option<Slot>,
}

impl SchemaNode {
    pub(super) fn plain(shape: Shape) -> Self {
        Self { description: None, limits: None, tuple: Arc::default(), shape }
    }
}

impl Shape {
    /// Whether any value in the shape is required.
    pub(super) fn wants(&self) -> bool {
        let needed = |slot: &Slot| slot.presence != Presence::Optional;
        match self {
            Self::List(item) => needed(item),
            Self::Object(object) => {
                let others = matches!(&object.others, Others::Each(each) if needed(each));
                others || object.required().len() > 0
            }
            _ => false,
        }
    }

    /// Replaces every id in the shape. Only for shapes whose unions are not settled.
    pub(super) fn renumber(&mut self, to: impl Fn(SchemaId) -> SchemaId) {
        let renew = |slot: &mut Slot| slot.schema = to(slot.schema);
        match self {
            Self::List(item) => renew(item),
            Self::Object(object) => {
                Arc::make_mut(object).slots_mut().for_each(renew);
            }
            Self::Union(union) => {
                let union = Arc::make_mut(union);
                union.alternatives.iter_mut().for_each(|id| *id = to(*id));
            }
            _ => {}
        }
    }

    pub(super) fn union_of(alternatives: Vec<SchemaId>) -> Self {
        Self::Union(Arc::new(Union { alternatives, ..Union::default() }))
    }
}

/// Why the unions of a schema cannot be settled, and the union.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum UnsettledUnion {
    /// It has too many leaves.
    ManyLeaves(SchemaId),
    /// The unions up to this one have too many parts together.
    UsedUp(SchemaId),
}

/// Computes the leaves, the choices and the joined types of every union, so that reading never searches. A
/// union that several nodes share is computed once.
///
/// # Errors
/// The first union with more than `at_most` leaves, or the one at which the budget is used up.
pub(super) fn settle_unions(
    nodes: &mut Vec<SchemaNode>,
    at_most: usize,
    budget: &mut Budget,
) -> Result<(), UnsettledUnion> {
    let mut settled = SharedUnions::default();
    for at in 0..nodes.len() {
        let Shape::Union(union) = &nodes[at].shape else { continue };
        let union = Arc::clone(union);
        if let Some(known) = settled.get(&union) {
            nodes[at].shape = Shape::Union(known);
            continue;
        }
        let id = SchemaId::nth(at);
        let leaves = leaves(nodes, id, at_most).ok_or(UnsettledUnion::ManyLeaves(id))?;
        let used_up = |_: UsedUp| UnsettledUnion::UsedUp(id);
        budget.take(leaves.len() + UnionIndex::parts(nodes, &leaves)).map_err(used_up)?;
        let choices = common_choices(nodes, &leaves, budget).map_err(used_up)?;
        let new = Arc::new(Union { leaves, choices, ..Union::clone(&union) });
        settled.insert(union, &new);
        nodes[at].shape = Shape::Union(new);
    }
    join_unions(nodes, budget)
}

/// What became of unions that several nodes share.
#[derive(Default)]
pub(super) struct SharedUnions {
    /// By the address of the union, which is kept so that no other has it.
    all: HashMap<*const Union, (Arc<Union>, Arc<Union>)>,
}

impl SharedUnions {
    /// What became of a union.
    pub(super) fn get(&self, union: &Arc<Union>) -> Option<Arc<Union>> {
        self.all.get(&Arc::as_ptr(union)).map(|(_, new)| Arc::clone(new))
    }

    pub(super) fn insert(&mut self, union: Arc<Union>, new: &Arc<Union>) {
        self.all.insert(Arc::as_ptr(&union), (union, Arc::clone(new)));
    }
}

/// The leaves of a union, in written order. A union inside itself adds nothing. `None` if there are more
/// than `at_most`.
fn leaves(nodes: &[SchemaNode], union: SchemaId, at_most: usize) -> Option<Vec<SchemaId>> {
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut open = vec![union];
    while let Some(id) = open.pop() {
        if !seen.insert(id) {
            continue;
        }
        if seen.len() > at_most {
            return None;
        }
        match &nodes[id.index()].shape {
            Shape::Union(inner) => open.extend(inner.alternatives.iter().rev()),
            _ => found.push(id),
        }
    }
    Some(found)
}

/// All choices of these leaves, if each is a choice of strings or null.
pub(super) fn common_choices(
    nodes: &[SchemaNode],
    leaves: &[SchemaId],
    budget: &mut Budget,
) -> Result<Option<Choices>, UsedUp> {
    let mut all = Vec::new();
    for leaf in leaves {
        match &nodes[leaf.index()].shape {
            Shape::Null => all.push(Literal::NULL),
            Shape::Choices(choices) => {
                budget.take(choices.parts())?;
                all.extend(choices.literals().iter().cloned());
            }
            _ => return Ok(None),
        }
    }
    Ok(Some(Choices::new(all)).filter(Choices::is_text))
}
