//! The members of an object.

use core::ops::Range;
use std::collections::HashMap;

use super::tree::{Presence, Slot};
use crate::order;

/// An object's declared fields, in order.
///
/// Invariant: `by_name` contains every index of `fields` once, sorted by the fields' names, which are unique;
/// `required` has the indexes of the fields that must exist, in order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Object {
    fields: Vec<Field>,
    by_name: Vec<u32>,
    required: Vec<u32>,
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
        self.index(name).map(|at| &self.fields[at])
    }

    /// The position of a field.
    pub(crate) fn index(&self, name: &str) -> Option<usize> {
        if self.fields.len() <= FEW {
            return self.fields.iter().position(|field| *field.name == *name);
        }
        self.rank(name).map(|rank| self.by_name[rank] as usize)
    }

    /// The position of a field. `place` is tried before a search.
    pub(crate) fn index_near(&self, name: &str, place: usize) -> Option<usize> {
        match self.fields.get(place) {
            Some(field) if *field.name == *name => Some(place),
            _ => self.index(name),
        }
    }

    /// The type of a member: that of the field at its place, or that of all members that are not declared.
    pub(crate) fn member(&self, place: Option<usize>) -> Option<Slot> {
        match (place, self.others) {
            (Some(place), _) => Some(self.fields[place].slot),
            (None, Others::Each(slot)) => Some(slot),
            (None, Others::Allowed | Others::Forbidden) => None,
        }
    }

    /// The position of a field in the order of the names.
    pub(crate) fn rank(&self, name: &str) -> Option<usize> {
        self.by_name.binary_search_by(|&at| (*self.fields[at as usize].name).cmp(name)).ok()
    }

    /// The positions, in the order of the names, of the fields with this beginning.
    pub(crate) fn ranks(&self, start: &str) -> Range<usize> {
        let name = |at: &u32| &*self.fields[*at as usize].name;
        let first = self.by_name.partition_point(|at| name(at) < start);
        let alike = &self.by_name[first..];
        first..first + alike.partition_point(|at| name(at).starts_with(start))
    }

    /// The fields that must exist, in order.
    pub(crate) fn required(&self) -> impl ExactSizeIterator<Item = &Field> {
        self.required.iter().map(|at| &self.fields[*at as usize])
    }

    /// Replaces the types of all fields.
    pub(super) fn slots_mut(&mut self) -> impl Iterator<Item = &mut Slot> {
        let each = match &mut self.others {
            Others::Each(each) => Some(each),
            Others::Allowed | Others::Forbidden => None,
        };
        self.fields.iter_mut().map(|field| &mut field.slot).chain(each)
    }

    /// An object of fields with different names.
    pub(super) fn of(fields: Vec<Field>, others: Others) -> Self {
        let all = 0..fields.len() as u32;
        let is_required = |at: &u32| fields[*at as usize].slot.presence != Presence::Optional;
        let required = all.clone().filter(is_required).collect();
        let mut by_name: Vec<u32> = all.collect();
        let name = |at: &u32| &fields[*at as usize].name;
        order::sort_by(&mut by_name, |a, b| name(a).cmp(name(b)));
        Self { fields, by_name, required, others, ..Self::default() }
    }
}

/// An object while its fields are declared.
#[derive(Debug, Clone, Default)]
pub(super) struct ObjectDraft {
    fields: Vec<Field>,
    places: HashMap<Box<str>, usize>,
    pub(super) others: Others,
    pub(super) is_open: bool,
    pub(super) patterns: Vec<Box<str>>,
}

impl ObjectDraft {
    /// Declares a field after the others. If the name exists, its declaration is replaced.
    pub(super) fn declare(&mut self, name: &str, slot: Slot) {
        if let Some(at) = self.places.get(name) {
            self.fields[*at].slot = slot;
            return;
        }
        self.places.insert(name.into(), self.fields.len());
        self.fields.push(Field { name: name.into(), slot });
    }

    pub(super) fn field(&self, name: &str) -> Option<&Field> {
        self.places.get(name).map(|at| &self.fields[*at])
    }

    pub(super) fn finish(self) -> Object {
        let object = Object::of(self.fields, self.others);
        Object { is_open: self.is_open, patterns: self.patterns, ..object }
    }
}
