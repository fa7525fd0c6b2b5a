//! What the schema wants to be there.
//!
//! A member that has to say something makes what it stands in needed, up to the root or to a type
//! that contains itself: where no item is, none says anything. One that only has to be *present* is
//! wanted only where its object is.

use core::cell::OnceCell;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashSet};

use super::{Failure, FailureKind, Failures, Members, emptiness, fit};
use crate::document::{ValueKind, ValueRef};
use crate::path::Segment;
use crate::schema::tree::{Field, Others, Shape, Slot};
use crate::schema::{Presence, Schema, SchemaId};

/// Finds every place that is wanted and not there, or that says nothing.
pub(super) fn check(root: ValueRef<'_>, schema: &Schema, found: &mut Failures) {
    if !schema.wants_anything() {
        return;
    }
    let slot = Slot { schema: schema.root(), presence: schema.presence() };
    let mut types = Types::default();
    let mut open = vec![Step::In(root, slot)];
    while let Some(step) = open.pop() {
        match step {
            Step::Out => types.leave(),
            Step::In(value, slot) => {
                let above = || types.of.keys().copied().collect();
                let mut look = Look { schema, found, above: &above, known: OnceCell::new() };
                if let Some(id) = look.place(value, slot).filter(|_| !value.is_empty()) {
                    types.enter(id);
                    open.push(Step::Out);
                    descend((value, id), schema, &mut open);
                }
            }
        }
        if found.is_full() {
            return;
        }
    }
}

/// The types on the way down, and how often each: nesting is deeper than a schema has types.
#[derive(Default)]
struct Types {
    way: Vec<SchemaId>,
    of: BTreeMap<SchemaId, usize>,
}

impl Types {
    fn enter(&mut self, id: SchemaId) {
        self.way.push(id);
        *self.of.entry(id).or_default() += 1;
    }

    fn leave(&mut self) {
        let Some(id) = self.way.pop() else { return };
        if let Entry::Occupied(mut times) = self.of.entry(id) {
            *times.get_mut() -= 1;
            if *times.get() == 0 {
                times.remove();
            }
        }
    }
}

enum Step<'v> {
    In(ValueRef<'v>, Slot),
    /// What the last type on the way down holds was all looked at.
    Out,
}

/// The values in one of this type, the first on top.
fn descend<'v>((value, id): (ValueRef<'v>, SchemaId), schema: &Schema, open: &mut Vec<Step<'v>>) {
    let first = open.len();
    match &schema.node(id).shape {
        Shape::List(item) => open.extend(value.entries().map(|(_, it)| Step::In(it, *item))),
        Shape::Object(object) => {
            let mut members = Members::of(value, object);
            let fields = object.fields().iter();
            open.extend(fields.filter_map(|it| Some(Step::In(members.get(&it.name)?, it.slot))));
            if let Others::Each(each) = object.others {
                let others = value
                    .entries()
                    .filter(|(key, _)| key.is_some_and(|key| object.field(key).is_none()));
                open.extend(others.map(|(_, child)| Step::In(child, each)));
            }
        }
        _ => {}
    }
    open[first..].reverse();
}

/// The same of one place whose value is whole, and was looked at below. It stands in the types
/// `above`.
pub(super) fn check_closed(
    (value, slot): (ValueRef<'_>, Slot),
    above: &dyn Fn() -> Vec<SchemaId>,
    schema: &Schema,
    found: &mut Failures,
) {
    Look { schema, found, above, known: OnceCell::new() }.place(value, slot);
}

/// A look at one place.
struct Look<'l> {
    schema: &'l Schema,
    found: &'l mut Failures,
    /// The types on the way down: asked for only where something is not there.
    above: &'l dyn Fn() -> Vec<SchemaId>,
    /// The same, once asked for.
    known: OnceCell<Vec<SchemaId>>,
}

impl Look<'_> {
    /// What is wrong with a value, the values in it aside. The type it is of, if these are to be
    /// looked at.
    fn place(&mut self, value: ValueRef<'_>, slot: Slot) -> Option<SchemaId> {
        if let Some(kind) = emptiness(value).filter(|_| slot.presence == Presence::Meaningful) {
            self.found.add(|| Failure::new(kind, value));
            return None;
        }
        let Some(id) = fit::alternative(self.schema, slot.schema, value) else {
            self.other(value, slot.schema);
            return None;
        };
        match &self.schema.node(id).shape {
            Shape::List(item) if value.is_empty() => self.none_of(*item, id, value),
            Shape::Object(object) => {
                let mut members = Members::of(value, object);
                for field in object.fields() {
                    if members.get(&field.name).is_none() {
                        self.missing(value, id, field);
                    }
                }
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

    /// A value of none of the types: what should be in it is not.
    fn other(&mut self, value: ValueRef<'_>, id: SchemaId) {
        if self.is_needed(None, id) {
            let wanted = self.schema.type_name(id);
            let kind = match value.kind() {
                ValueKind::Null => FailureKind::Null,
                _ => FailureKind::WrongType { wanted },
            };
            self.found.add(|| Failure::new(kind, value));
        }
    }

    /// A list or map of this type holds none of these.
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

    /// Whether the place is of, or stands in, this type.
    fn is_in(&self, own: Option<SchemaId>, id: SchemaId) -> bool {
        own == Some(id) || self.known.get_or_init(self.above).contains(&id)
    }

    /// Whether something in a value of this type has to say something, wherever it stands.
    fn is_needed(&self, own: Option<SchemaId>, id: SchemaId) -> bool {
        let above = self.known.get_or_init(self.above);
        let mut seen: HashSet<SchemaId> = above.iter().copied().chain(own).collect();
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let slots: Vec<Slot> = match &self.schema.node(id).shape {
                Shape::List(item) => vec![*item],
                Shape::Object(object) => {
                    let each = match object.others {
                        Others::Each(each) if object.fields().is_empty() => Some(each),
                        _ => None,
                    };
                    object.fields().iter().map(|field| field.slot).chain(each).collect()
                }
                _ => Vec::new(),
            };
            for slot in slots {
                if slot.presence == Presence::Meaningful && !self.is_in(own, slot.schema) {
                    return true;
                }
                open.push(slot.schema);
            }
        }
        false
    }
}
