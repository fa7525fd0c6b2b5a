//! Finds the alternatives of a large union that a value may be, without a look at each.

use std::collections::HashMap;

use super::choices::{Choices, Literal, ScalarKey};
use super::tree::{Object, SchemaId, SchemaNode, Shape, Union};
use crate::document::{ValueKind, ValueRef};
use crate::order;

/// Unions with fewer leaves are searched one by one.
const FEW: usize = 32;

/// At most this many objects are compared with one value.
const COMPARED_MAX: usize = 64;

/// The leaves of a large union, by what they accept. Positions count in the leaves of the union.
#[derive(Debug)]
pub(crate) struct UnionIndex {
    /// For each kind of value, the first leaf that accepts all values of the kind.
    whole_kinds: [Option<u32>; 6],
    /// The first leaf that accepts whole numbers.
    int: Option<u32>,
    /// The leaves with a choice.
    choices: ScalarPositions,
    /// All choices together, to find the one that a text means.
    spelled: Choices,
    /// The first leaves that are no choices.
    plain: Vec<u32>,
    /// The leaves that are objects.
    objects: Vec<u32>,
    members: HashMap<Box<str>, MemberUse>,
}

/// The objects that declare a member of one name.
#[derive(Debug, Default)]
struct MemberUse {
    /// With any value.
    plain: Vec<u32>,
    /// With one of a few scalars.
    choices: ScalarPositions,
}

/// Positions by scalars.
#[derive(Debug, Default)]
struct ScalarPositions {
    /// By scalar and then by position.
    all: Vec<(Literal, u32)>,
}

impl ScalarPositions {
    fn sort(&mut self) {
        // Stable: the positions were added in order.
        order::sort_by(&mut self.all, |(a, _), (b, _)| a.key().cmp(&b.key()));
    }

    fn of(&self, key: Option<ScalarKey<'_>>) -> &[(Literal, u32)] {
        let Some(key) = key else { return &[] };
        let first = self.all.partition_point(|(literal, _)| literal.key() < key);
        let rest = &self.all[first..];
        &rest[..rest.partition_point(|(literal, _)| literal.key() == key)]
    }
}

impl UnionIndex {
    /// How much of a budget the index of these leaves takes.
    pub(super) fn parts(nodes: &[SchemaNode], leaves: &[SchemaId]) -> usize {
        if leaves.len() < FEW {
            return 0;
        }
        let shape = |id: &SchemaId| &nodes[id.index()].shape;
        let choices = |shape: &Shape| match shape {
            Shape::Choices(choices) => choices.parts(),
            _ => 0,
        };
        let parts = |leaf: &SchemaId| match shape(leaf) {
            Shape::Object(object) => {
                let fields = object.fields().iter();
                fields.map(|field| 1 + choices(shape(&field.slot.schema))).sum()
            }
            leaf => choices(leaf),
        };
        leaves.iter().map(parts).sum()
    }

    /// None for a union with few leaves.
    pub(super) fn of(nodes: &[SchemaNode], union: &Union) -> Option<Self> {
        if union.leaves.len() < FEW {
            return None;
        }
        let mut index = Self {
            whole_kinds: [None; 6],
            int: None,
            choices: ScalarPositions::default(),
            spelled: Choices::new::<Literal>([]),
            plain: Vec::new(),
            objects: Vec::new(),
            members: HashMap::new(),
        };
        for (at, leaf) in (0..).zip(&union.leaves) {
            index.add(nodes, at, *leaf);
        }
        index.spelled = Choices::new(index.choices.all.iter().map(|(literal, _)| literal.clone()));
        index.choices.sort();
        index.members.values_mut().for_each(|uses| uses.choices.sort());
        Some(index)
    }

    fn add(&mut self, nodes: &[SchemaNode], at: u32, leaf: SchemaId) {
        let is_choice = matches!(&nodes[leaf.index()].shape, Shape::Choices(_));
        if !is_choice && self.plain.len() < COMPARED_MAX {
            self.plain.push(at);
        }
        let mut whole = |kind: ValueKind| {
            self.whole_kinds[kind as usize].get_or_insert(at);
        };
        match &nodes[leaf.index()].shape {
            Shape::Null => whole(ValueKind::Null),
            Shape::Bool => whole(ValueKind::Bool),
            Shape::Number => whole(ValueKind::Number),
            Shape::String => whole(ValueKind::String),
            Shape::List(_) => whole(ValueKind::List),
            Shape::Any => {
                use ValueKind::{Bool, List, Null, Number, Object, String};
                [Null, Bool, Number, String, List, Object].into_iter().for_each(whole);
            }
            Shape::Int => {
                self.int.get_or_insert(at);
            }
            Shape::Choices(choices) => {
                let literals = choices.literals().iter().cloned();
                self.choices.all.extend(literals.map(|literal| (literal, at)));
            }
            Shape::Object(object) => self.add_object(nodes, at, object),
            // The leaves of a union are not unions.
            Shape::Union(_) => {}
        }
    }

    fn add_object(&mut self, nodes: &[SchemaNode], at: u32, object: &Object) {
        self.objects.push(at);
        for field in object.fields() {
            let uses = self.members.entry(field.name.clone()).or_default();
            match &nodes[field.slot.schema.index()].shape {
                Shape::Choices(choices) => {
                    let literals = choices.literals().iter().cloned();
                    uses.choices.all.extend(literals.map(|literal| (literal, at)));
                }
                _ => uses.plain.push(at),
            }
        }
    }

    /// The first leaf that a value is of. Of objects only the leaf that accepts all of them.
    pub(crate) fn first(&self, value: ValueRef<'_>) -> Option<usize> {
        let whole = self.whole_kinds[value.kind() as usize].filter(|_| value.exists());
        let choice = self.choices.of(ScalarKey::of(value)).first().map(|(_, at)| *at);
        let is_whole = || value.number_text().is_some_and(super::read::is_whole);
        let int = self.int.filter(|_| is_whole());
        let first = [whole, choice, int].into_iter().flatten().min();
        first.map(|at| at as usize)
    }

    /// The leaves that a value may become, in order: those with the choice that it spells, and the first of the
    /// others.
    pub(crate) fn becoming(&self, spelled: impl Fn(&Choices) -> Option<Literal>) -> Vec<usize> {
        let literal = spelled(&self.spelled);
        let choices = self.choices.of(literal.as_ref().map(Literal::key)).iter().map(|(_, at)| *at);
        let mut found: Vec<usize> =
            choices.chain(self.plain.iter().copied()).map(|at| at as usize).collect();
        order::sort(&mut found);
        found
    }

    /// The objects to compare with a value, in order: those with its members, the rarest members first.
    pub(crate) fn objects(&self, value: ValueRef<'_>) -> Vec<usize> {
        let mut found: Vec<u32> = Vec::new();
        if self.objects.len() <= COMPARED_MAX {
            found.extend(&self.objects);
        } else {
            self.nearest(value, &mut found);
        }
        found.into_iter().map(|at| at as usize).collect()
    }

    fn nearest(&self, value: ValueRef<'_>, found: &mut Vec<u32>) {
        let uses = |(key, child): (Option<&str>, _)| {
            let uses = self.members.get(key.unwrap_or_default())?;
            Some((uses, uses.choices.of(ScalarKey::of(child))))
        };
        let mut uses: Vec<_> = value.entries().filter_map(uses).collect();
        order::sort_by_key(&mut uses, |(uses, choices)| uses.plain.len() + choices.len());
        let named = uses.iter().flat_map(|(uses, choices)| {
            choices.iter().map(|(_, at)| *at).chain(uses.plain.iter().copied())
        });
        // Where none is near, the first ones count.
        let all = named.chain(self.objects.iter().copied());
        for at in all.take(4 * COMPARED_MAX) {
            if found.len() < COMPARED_MAX && !found.contains(&at) {
                found.push(at);
            }
        }
        order::sort(found);
    }
}
