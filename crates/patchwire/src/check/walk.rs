//! What the schema wants to be there.
//!
//! A member that has to say something makes what it stands in needed, up to the root or to a type
//! that contains itself: where no item is, none says anything. One that only has to be *present* is
//! wanted only where its object is.

use std::collections::HashSet;

use super::{Failure, FailureKind, Found, Members, emptiness, fit};
use crate::document::{ValueKind, ValueRef};
use crate::path::Segment;
use crate::schema::tree::{Others, Shape, Slot};
use crate::schema::{Presence, Schema, SchemaId};

/// Finds every place that is wanted and not there, or that says nothing.
pub(super) fn check(root: ValueRef<'_>, schema: &Schema, found: &mut Found) {
    if !schema.wants_anything() {
        return;
    }
    let slot = Slot { schema: schema.root(), presence: schema.presence() };
    let mut walk = Walk { schema, found, open: vec![Step::In(root, slot)], above: Vec::new() };
    while let Some(step) = walk.open.pop() {
        match step {
            Step::In(value, slot) => walk.place(value, slot),
            Step::Out => drop(walk.above.pop()),
        }
        if walk.found.is_full() {
            return;
        }
    }
}

/// The same of one place whose value is whole, and was looked at below. The types it stands in are
/// `above`.
pub(super) fn closing(
    (value, slot): (ValueRef<'_>, Slot),
    above: Vec<SchemaId>,
    schema: &Schema,
    found: &mut Found,
) {
    Walk { schema, found, open: Vec::new(), above }.place(value, slot);
}

enum Step<'v> {
    In(ValueRef<'v>, Slot),
    /// What the last type on the way down holds was all looked at.
    Out,
}

struct Walk<'w, 'v> {
    schema: &'w Schema,
    found: &'w mut Found,
    open: Vec<Step<'v>>,
    /// The types on the way down.
    above: Vec<SchemaId>,
}

impl<'v> Walk<'_, 'v> {
    fn place(&mut self, value: ValueRef<'v>, slot: Slot) {
        if let Some(kind) = emptiness(value).filter(|_| slot.presence == Presence::Meaningful) {
            return self.found.add(Failure::new(kind, value));
        }
        let Some(id) = fit::alternative(self.schema, slot.schema, value) else {
            return self.other(value, slot.schema);
        };
        let first = self.open.len();
        self.above.push(id);
        self.open.push(Step::Out);
        match &self.schema.node(id).shape {
            Shape::List(item) => self.items(value, *item),
            Shape::Object(object) => {
                let members = Members::of(value, object);
                for field in object.fields() {
                    self.member((value, &members), &field.name, field.slot);
                }
                if let Others::Each(each) = object.others {
                    let others = value
                        .entries()
                        .filter(|(key, _)| key.is_some_and(|key| object.field(key).is_none()));
                    let before = self.open.len();
                    self.open.extend(others.map(|(_, child)| Step::In(child, each)));
                    let none = self.open.len() == before;
                    if none && object.fields().is_empty() && self.is_wanted(each) {
                        self.found.add(Failure::new(FailureKind::Empty, value));
                    }
                }
            }
            _ => {}
        }
        self.open[first + 1..].reverse();
    }

    /// A value of none of the types: what should be in it is not.
    fn other(&mut self, value: ValueRef<'v>, id: SchemaId) {
        if self.is_needed(id) {
            let wanted = self.schema.type_name(id);
            let kind = match value.kind() {
                ValueKind::Null => FailureKind::Null,
                _ => FailureKind::WrongType { wanted },
            };
            self.found.add(Failure::new(kind, value));
        }
    }

    fn items(&mut self, list: ValueRef<'v>, item: Slot) {
        if list.is_empty() && self.is_wanted(item) {
            self.found.add(Failure::new(FailureKind::Empty, list));
        }
        self.open.extend(list.entries().map(|(_, child)| Step::In(child, item)));
    }

    fn member(&mut self, (object, members): (ValueRef<'v>, &Members<'v>), name: &str, slot: Slot) {
        match members.get(name) {
            Some(value) => self.open.push(Step::In(value, slot)),
            None if slot.presence != Presence::Optional || self.is_needed(slot.schema) => {
                let step = Segment::Key(name);
                self.found.add(Failure::below(FailureKind::Missing, object, step));
            }
            None => {}
        }
    }

    /// Whether there has to be one at least of these.
    fn is_wanted(&self, slot: Slot) -> bool {
        slot.presence == Presence::Meaningful && !self.above.contains(&slot.schema)
            || self.is_needed(slot.schema)
    }

    /// Whether something in a value of this type has to say something, wherever it stands.
    fn is_needed(&self, id: SchemaId) -> bool {
        let mut seen: HashSet<SchemaId> = self.above.iter().copied().collect();
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
                if slot.presence == Presence::Meaningful && !self.above.contains(&slot.schema) {
                    return true;
                }
                open.push(slot.schema);
            }
        }
        false
    }
}
