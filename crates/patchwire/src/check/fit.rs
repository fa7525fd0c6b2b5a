//! Selects the alternative of a union that fits a value best.

use super::MemberLookup;
use crate::document::{ValueKind, ValueRef};
use crate::schema::tree::{Field, Shape};
use crate::schema::{Presence, Schema, SchemaId};

/// The alternative that fits a value: among those of its kind, the first with the fewest members that are
/// missing, undeclared or of another kind. None if no alternative is of its kind.
pub(crate) fn alternative(schema: &Schema, id: SchemaId, value: ValueRef<'_>) -> Option<SchemaId> {
    let Shape::Union(union) = &schema.node(id).shape else {
        return is_of(schema, id, value).then_some(id);
    };
    let fitting = union.leaves.iter().copied().filter(|leaf| is_of(schema, *leaf, value));
    if value.kind() != ValueKind::Object {
        return { fitting }.next();
    }
    fitting.min_by_key(|leaf| misfits(schema, *leaf, value))
}

/// Whether a value is of a type that is no union. Its members and items are not checked.
pub(super) fn is_of(schema: &Schema, id: SchemaId, value: ValueRef<'_>) -> bool {
    match &schema.node(id).shape {
        Shape::Int => value.number_text().is_some_and(|text| schema.matches_number(id, text)),
        Shape::Choices(choices) => choices.literals().iter().any(|literal| literal.is(value)),
        _ => schema.matches_kind(id, value.kind()),
    }
}

/// How many members of an object are undeclared, missing, or of another kind.
fn misfits(schema: &Schema, id: SchemaId, value: ValueRef<'_>) -> usize {
    let Shape::Object(object) = &schema.node(id).shape else { return 0 };
    let closed = object.is_closed();
    let wrong =
        value.entries().filter(|(key, child)| match key.and_then(|key| schema.member(id, key)) {
            Some(member) => !may_be(schema, member, *child),
            None => closed,
        });
    let needed = |field: &&Field| field.slot.presence != Presence::Optional;
    let mut members = MemberLookup::of(value, object);
    let missing = object.fields().iter().filter(needed);
    wrong.count() + missing.filter(|field| members.get(&field.name).is_none()).count()
}

/// Whether a value may be of a type. Its members and items are not checked.
fn may_be(schema: &Schema, id: SchemaId, value: ValueRef<'_>) -> bool {
    match &schema.node(id).shape {
        Shape::Union(union) => union.leaves.iter().any(|leaf| is_of(schema, *leaf, value)),
        _ => is_of(schema, id, value),
    }
}
