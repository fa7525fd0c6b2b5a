//! The nodes of a schema.

use std::collections::HashSet;
use std::sync::Arc;

use super::choices::{Choices, Literal};
use super::join::join_unions;

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
    pub(crate) limits: Option<Box<str>>,
    /// The types of the first items of a list, by position. Only prompts show them.
    pub(crate) tuple: Box<[SchemaId]>,
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

/// An object's declared fields, in order.
///
/// Invariant: `by_name` contains every index of `fields` once, sorted by the fields' names, which are
/// unique.
#[derive(Debug, Clone, Default)]
pub(crate) struct Object {
    fields: Vec<Field>,
    by_name: Vec<u32>,
    pub(crate) others: Others,
    /// The schema says that there may be members that it does not declare.
    pub(crate) is_open: bool,
    /// The patterns of names that the schema allows beside those it declares.
    pub(crate) patterns: Vec<Box<str>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Field {
    pub(crate) name: Box<str>,
    pub(crate) slot: Slot,
}

/// The members that an object does not declare.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Others {
    #[default]
    Allowed,
    Forbidden,
    /// Each has this type.
    Each(Slot),
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
        Self { description: None, limits: None, tuple: Box::default(), shape }
    }
}

/// Up to this many fields a linear search is faster than an index.
const FEW: usize = 12;

impl Object {
    pub(crate) fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// Whether a member that is not declared is unexpected.
    pub(crate) fn is_closed(&self) -> bool {
        !matches!(self.others, Others::Each(_)) && !self.is_open && self.patterns.is_empty()
    }

    pub(crate) fn field(&self, name: &str) -> Option<&Field> {
        if self.fields.len() <= FEW {
            return self.fields.iter().find(|field| *field.name == *name);
        }
        let at = self.search(name).ok()?;
        Some(&self.fields[self.by_name[at] as usize])
    }

    /// An object of fields with different names.
    pub(super) fn of(fields: Vec<Field>, others: Others) -> Self {
        let mut by_name: Vec<u32> = (0..fields.len() as u32).collect();
        by_name.sort_unstable_by(|a, b| fields[*a as usize].name.cmp(&fields[*b as usize].name));
        Self { fields, by_name, others, ..Self::default() }
    }

    /// Declares a field after the others. If the name exists, its declaration is replaced.
    pub(super) fn declare(&mut self, name: &str, slot: Slot) {
        match self.search(name) {
            Ok(at) => self.fields[self.by_name[at] as usize].slot = slot,
            Err(at) => {
                self.by_name.insert(at, self.fields.len() as u32);
                self.fields.push(Field { name: name.into(), slot });
            }
        }
    }

    /// The position of `name` in `by_name`, or where it would be inserted.
    fn search(&self, name: &str) -> Result<usize, usize> {
        self.by_name.binary_search_by(|&at| (*self.fields[at as usize].name).cmp(name))
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
                others || object.fields.iter().any(|field| needed(&field.slot))
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
                let object = Arc::make_mut(object);
                object.fields.iter_mut().for_each(|field| renew(&mut field.slot));
                if let Others::Each(value) = &mut object.others {
                    renew(value);
                }
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

/// Computes the leaves, the choices and the joined types of every union, so that reading never searches.
///
/// # Errors
/// The first union with more than `at_most` leaves.
pub(super) fn settle_unions(nodes: &mut Vec<SchemaNode>, at_most: usize) -> Result<(), SchemaId> {
    for at in 0..nodes.len() {
        if !matches!(nodes[at].shape, Shape::Union(_)) {
            continue;
        }
        let id = SchemaId::nth(at);
        let leaves = leaves(nodes, id, at_most).ok_or(id)?;
        let choices = common_choices(nodes, &leaves);
        if let Shape::Union(union) = &mut nodes[at].shape {
            let union = Arc::make_mut(union);
            union.leaves = leaves;
            union.choices = choices;
        }
    }
    join_unions(nodes);
    Ok(())
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

pub(super) fn common_choices(nodes: &[SchemaNode], leaves: &[SchemaId]) -> Option<Choices> {
    let mut all = Vec::new();
    for leaf in leaves {
        match &nodes[leaf.index()].shape {
            Shape::Null => all.push(Literal::NULL),
            Shape::Choices(choices) => all.extend(choices.literals().iter().cloned()),
            _ => return None,
        }
    }
    Some(Choices::new(all)).filter(Choices::is_text)
}
