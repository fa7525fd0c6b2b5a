//! Checks that required values exist and are not empty.
//!
//! A member that must not be empty makes its containers required too, up to the root or to a type that
//! contains itself: a list without items has no item that could be filled. A member that only has to be
//! *present* is required only where its object exists.

use core::cell::OnceCell;
use std::collections::{BTreeMap, HashSet};

use super::{Failure, FailureKind, Failures, MemberLookup, emptiness, fit};
use crate::document::{ValueKind, ValueRef};
use crate::order;
use crate::path::Segment;
use crate::schema::facts;
use crate::schema::tree::{Field, Object, Others, Shape, Slot};
use crate::schema::{Presence, Schema, SchemaId};

/// Finds every required value that is missing or empty.
pub(super) fn check(root: ValueRef<'_>, schema: &Schema, found: &mut Failures) {
    if !schema.wants_anything() {
        return;
    }
    let slot = Slot { schema: schema.root(), presence: schema.presence() };
    let mut types = TypesAround::default();
    let mut open = vec![WalkStep::In(root, slot)];
    while let Some(step) = open.pop() {
        match step {
            WalkStep::Out => types.leave(),
            WalkStep::In(value, slot) => {
                let above = || types.all();
                let mut check = PlaceCheck { schema, found, above: &above, known: OnceCell::new() };
                if let Some(id) = check.run(value, slot).filter(|_| !value.is_empty()) {
                    types.enter(id);
                    open.push(WalkStep::Out);
                    descend(value, id, schema, &mut open);
                }
            }
        }
        if found.is_full() {
            return;
        }
    }
}

/// The types on the way down, and how often each occurs: nesting may be deeper than a schema has types.
#[derive(Default)]
struct TypesAround {
    way: Vec<SchemaId>,
    counts: BTreeMap<SchemaId, usize>,
}

impl TypesAround {
    fn enter(&mut self, id: SchemaId) {
        self.way.push(id);
        *self.counts.entry(id).or_default() += 1;
    }

    fn all(&self) -> Vec<SchemaId> {
        self.counts.iter().filter(|(_, times)| **times > 0).map(|(id, _)| *id).collect()
    }

    fn leave(&mut self) {
        let Some(id) = self.way.pop() else { return };
        if let Some(times) = self.counts.get_mut(&id) {
            *times -= 1;
        }
    }
}

enum WalkStep<'v> {
    In(ValueRef<'v>, Slot),
    /// All values of the last type on the way down were checked.
    Out,
}

/// Puts the values in a value of this type on the stack, the first on top.
fn descend<'v>(value: ValueRef<'v>, id: SchemaId, schema: &Schema, open: &mut Vec<WalkStep<'v>>) {
    let first = open.len();
    match &schema.node(id).shape {
        Shape::List(item) => open.extend(value.entries().map(|(_, it)| WalkStep::In(it, *item))),
        Shape::Object(object) => {
            // The declared members in their order, of each name the first; then the others.
            let mut declared = Vec::new();
            let mut others = Vec::new();
            for (key, child) in value.entries() {
                match (object.index(key.unwrap_or_default()), object.others) {
                    (Some(at), _) => declared.push((at, child)),
                    (None, Others::Each(each)) => others.push(WalkStep::In(child, each)),
                    (None, Others::Allowed | Others::Forbidden) => {}
                }
            }
            order::sort_by_key(&mut declared, |(at, _)| *at);
            declared.dedup_by_key(|(at, _)| *at);
            let slot = |at: usize| object.fields()[at].slot;
            open.extend(declared.into_iter().map(|(at, child)| WalkStep::In(child, slot(at))));
            open.append(&mut others);
        }
        _ => {}
    }
    open[first..].reverse();
}

/// Checks one value that just closed, in containers of the types `above`. The values in it were checked
/// before.
pub(super) fn check_closed(
    value: ValueRef<'_>,
    slot: Slot,
    above: &dyn Fn() -> Vec<SchemaId>,
    schema: &Schema,
    found: &mut Failures,
) {
    PlaceCheck { schema, found, above, known: OnceCell::new() }.run(value, slot);
}

/// The check of one place.
struct PlaceCheck<'l> {
    schema: &'l Schema,
    found: &'l mut Failures,
    /// Computes the types of the containers around the place. Called only if something is missing.
    above: &'l dyn Fn() -> Vec<SchemaId>,
    /// The result of `above`, once computed.
    known: OnceCell<Vec<SchemaId>>,
}

impl PlaceCheck<'_> {
    /// Checks a value, but not the values in it. Returns its type if those are to be checked next.
    fn run(&mut self, value: ValueRef<'_>, slot: Slot) -> Option<SchemaId> {
        if let Some(kind) = emptiness(value).filter(|_| slot.presence == Presence::Meaningful) {
            self.found.add(|| Failure::new(kind, value));
            return None;
        }
        let Some(id) = fit::alternative(self.schema, slot.schema, value) else {
            self.wrong_type(value, slot.schema);
            return None;
        };
        match &self.schema.node(id).shape {
            Shape::List(item) if value.is_empty() => self.none_of(*item, id, value),
            Shape::Object(object) => {
                self.members(value, id, object);
                if let Others::Each(each) = object.others
                    && object.fields().is_empty()
                    && value.is_empty()
                {
                    self.none_of(each, id, value);
                }
            }
            _ => {}
        }
        Some(id)
    }

    /// Finds the members that an object of this type lacks.
    fn members(&mut self, value: ValueRef<'_>, id: SchemaId, object: &Object) {
        let mut members = MemberLookup::of(value, object);
        for field in self.schema.wanted_fields(id, object) {
            if self.found.is_full() {
                return;
            }
            if members.get(&field.name).is_none() {
                self.missing(value, id, field);
            }
        }
    }

    /// A value of none of the types lacks everything that should be in it.
    fn wrong_type(&mut self, value: ValueRef<'_>, id: SchemaId) {
        if self.is_needed(None, id) {
            let wanted = self.schema.type_name(id);
            let kind = match value.kind() {
                ValueKind::Null => FailureKind::Null,
                _ => FailureKind::WrongType { wanted },
            };
            self.found.add(|| Failure::new(kind, value));
        }
    }

    /// A list or map of this type has no children, of which each should be this.
    fn none_of(&mut self, each: Slot, id: SchemaId, value: ValueRef<'_>) {
        let wanted = each.presence == Presence::Meaningful && !self.is_in(Some(id), each.schema);
        if wanted || self.is_needed(Some(id), each.schema) {
            self.found.add(|| Failure::new(FailureKind::Empty, value));
        }
    }

    /// An object of this type has no such member.
    fn missing(&mut self, object: ValueRef<'_>, id: SchemaId, field: &Field) {
        let slot = field.slot;
        if slot.presence != Presence::Optional || self.is_needed(Some(id), slot.schema) {
            let step = Segment::Key(&field.name);
            self.found.add(|| Failure::below(FailureKind::Missing, object, step));
        }
    }

    /// Whether the place has this type or lies in a container of it.
    fn is_in(&self, own: Option<SchemaId>, id: SchemaId) -> bool {
        own == Some(id) || self.known.get_or_init(self.above).contains(&id)
    }

    /// Whether a value of this type contains, at any depth, a value that must not be empty.
    fn is_needed(&self, own: Option<SchemaId>, id: SchemaId) -> bool {
        if !self.schema.may_need(id) {
            return false;
        }
        let above = self.known.get_or_init(self.above);
        let mut seen: HashSet<SchemaId> = above.iter().copied().chain(own).collect();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            for slot in facts::slots(&self.schema.node(id).shape) {
                if slot.presence == Presence::Meaningful && !self.is_in(own, slot.schema) {
                    return true;
                }
                if self.schema.may_need(slot.schema) {
                    open.push(slot.schema);
                }
            }
        }
        false
    }
}
