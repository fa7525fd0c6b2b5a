//! Selects the alternative of a union that fits a value best.

use crate::document::{ValueKind, ValueRef};
use crate::order;
use crate::schema::tree::{Shape, Union};
use crate::schema::{Schema, SchemaId};

/// The alternative that fits a value: among those of its kind, the first with the fewest members that are
/// missing, undeclared or of another kind. None if no alternative is of its kind.
///
/// Of a union with many objects, only those are compared that are near the value.
pub(crate) fn alternative(schema: &Schema, id: SchemaId, value: ValueRef<'_>) -> Option<SchemaId> {
    let Shape::Union(union) = &schema.node(id).shape else {
        return is_of(schema, id, value).then_some(id);
    };
    if value.kind() != ValueKind::Object {
        return match schema.union_index(id) {
            Some(index) => index.first(value).map(|at| union.leaves[at]),
            None => union.leaves.iter().copied().find(|leaf| is_of(schema, *leaf, value)),
        };
    }
    objects(schema, id, union, value).into_iter().min_by_key(|leaf| misfits(schema, *leaf, value))
}

/// The alternatives that an object may be, in order.
pub(super) fn objects(
    schema: &Schema,
    id: SchemaId,
    union: &Union,
    value: ValueRef<'_>,
) -> Vec<SchemaId> {
    let Some(index) = schema.union_index(id) else {
        return union.leaves.iter().copied().filter(|leaf| is_of(schema, *leaf, value)).collect();
    };
    let mut found = index.objects(value);
    found.extend(index.first(value));
    order::sort(&mut found);
    found.into_iter().map(|at| union.leaves[at]).collect()
}

/// Whether a value is of a type that is no union. Its members and items are not checked.
pub(super) fn is_of(schema: &Schema, id: SchemaId, value: ValueRef<'_>) -> bool {
    match &schema.node(id).shape {
        Shape::Int => value.number_text().is_some_and(|text| schema.matches_number(id, text)),
        Shape::Choices(choices) => choices.contains(value),
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
    let missing = schema.required_count(id) - schema.required_in(id, value).count();
    wrong.count() + missing
}

/// Whether a value may be of a type. Its members and items are not checked.
fn may_be(schema: &Schema, id: SchemaId, value: ValueRef<'_>) -> bool {
    let Shape::Union(union) = &schema.node(id).shape else { return is_of(schema, id, value) };
    match schema.union_index(id) {
        _ if value.kind() == ValueKind::Object => schema.matches_kind(id, ValueKind::Object),
        Some(index) => index.first(value).is_some(),
        None => union.leaves.iter().any(|leaf| is_of(schema, *leaf, value)),
    }
}
