//! Checks the exact shape of a schema: types, required keys, and no undeclared keys.

use super::{Failure, FailureKind, Failures, MemberLookup, fit};
use crate::document::ValueRef;
use crate::path::Segment;
use crate::schema::tree::{Object, Others, Shape};
use crate::schema::{Presence, Schema, SchemaId};

type TypedValue<'v> = (ValueRef<'v>, SchemaId);

/// Finds every value that the schema does not declare, or declares with another type.
pub(super) fn check(root: ValueRef<'_>, schema: &Schema, found: &mut Failures) {
    let mut open = vec![(root, schema.root())];
    while let Some((value, id)) = open.pop() {
        if found.is_full() {
            return;
        }
        let Some(id) = fit::alternative(schema, id, value) else {
            let wanted = schema.type_name(id);
            found.add(|| Failure::new(FailureKind::WrongType { wanted }, value));
            continue;
        };
        let first = open.len();
        match &schema.node(id).shape {
            Shape::Object(object) => members((value, object), &mut open, found),
            Shape::List(item) => {
                open.extend(value.entries().map(|(_, child)| (child, item.schema)));
            }
            _ => {}
        }
        open[first..].reverse();
    }
}

/// Checks one value that just closed. The values in it were checked before. `may_align`: whether the
/// finalizer may still change its type.
pub(super) fn check_closed(
    (value, id): (ValueRef<'_>, SchemaId),
    may_align: bool,
    schema: &Schema,
    found: &mut Failures,
) {
    match fit::alternative(schema, id, value) {
        Some(id) => {
            if let Shape::Object(object) = &schema.node(id).shape {
                members((value, object), &mut Vec::new(), found);
            }
        }
        None if may_align => {}
        None => {
            let wanted = || schema.type_name(id);
            found.add(|| Failure::new(FailureKind::WrongType { wanted: wanted() }, value));
        }
    }
}

fn members<'v>(
    (value, object): (ValueRef<'v>, &Object),
    open: &mut Vec<TypedValue<'v>>,
    found: &mut Failures,
) {
    let mut members = MemberLookup::of(value, object);
    for field in object.fields() {
        let needed = field.slot.presence != Presence::Optional;
        if needed && members.get(&field.name).is_none() {
            let step = Segment::Key(&field.name);
            found.add(|| Failure::below(FailureKind::Missing, value, step));
        }
    }
    // An object that declares nothing and forbids nothing may have any member.
    let free = object.fields().is_empty() && object.others == Others::Allowed;
    for (key, child) in value.entries() {
        let declared = key.and_then(|key| object.field(key)).map(|field| field.slot);
        match (declared, object.others) {
            (Some(slot), _) | (None, Others::Each(slot)) => open.push((child, slot.schema)),
            (None, _) if free => {}
            (None, _) => found.add(|| Failure::new(FailureKind::Undeclared, child)),
        }
    }
}
