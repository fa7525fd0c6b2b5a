//! Checks the shape of a schema: types, required keys, and in its exact form no undeclared keys.

use super::{Failure, FailureKind, Failures, MemberLookup, fit};
use crate::document::ValueRef;
use crate::path::Segment;
use crate::schema::tree::{Object, Others, Shape};
use crate::schema::{Presence, Schema, SchemaId};

type TypedValue<'v> = (ValueRef<'v>, SchemaId);

/// What is checked.
#[derive(Debug, Clone, Copy)]
pub(super) struct ShapeRules {
    /// Types and required keys.
    pub(super) types: bool,
    /// Keys that the schema does not declare, although it does not forbid them.
    pub(super) exact: bool,
}

/// Finds every value that the schema does not declare, or declares with another type.
pub(super) fn check(root: ValueRef<'_>, rules: ShapeRules, schema: &Schema, found: &mut Failures) {
    let mut open = vec![(root, schema.root())];
    while let Some((value, id)) = open.pop() {
        if found.is_full() {
            return;
        }
        let Some(id) = fit::alternative(schema, id, value) else {
            if rules.types {
                let wanted = schema.type_name(id);
                found.add(|| Failure::new(FailureKind::WrongType { wanted }, value));
            }
            continue;
        };
        let first = open.len();
        match &schema.node(id).shape {
            Shape::Object(object) => {
                if rules.types {
                    missing(value, object, found);
                }
                members((value, object), rules, schema, &mut open, found);
            }
            Shape::List(item) => {
                open.extend(value.entries().map(|(_, child)| (child, item.schema)));
            }
            _ => {}
        }
        open[first..].reverse();
    }
}

/// Checks one value that just closed. The values in it were checked before. Without `rules.types` the
/// finalizer may still change its type.
pub(super) fn check_closed(
    (value, id): (ValueRef<'_>, SchemaId),
    rules: ShapeRules,
    schema: &Schema,
    found: &mut Failures,
) {
    let fit = match fit::alternative(schema, id, value) {
        Some(fit) => fit,
        None if !rules.types => return,
        None => {
            let wanted = schema.type_name(id);
            found.add(|| Failure::new(FailureKind::WrongType { wanted }, value));
            return;
        }
    };
    let faults = |id: SchemaId| {
        let mut faults = Failures::default();
        if let Shape::Object(object) = &schema.node(id).shape {
            missing(value, object, &mut faults);
            members((value, object), rules, schema, &mut Vec::new(), &mut faults);
        }
        faults.list
    };
    // A value that another alternative allows has no fault, however well that one fits.
    let is_free = |leaf: &SchemaId| fit::is_of(schema, *leaf, value) && faults(*leaf).is_empty();
    match &schema.node(id).shape {
        Shape::Union(union) if union.leaves.iter().any(is_free) => {}
        _ => faults(fit).into_iter().for_each(|fault| found.add(|| fault)),
    }
}

fn missing(value: ValueRef<'_>, object: &Object, found: &mut Failures) {
    let mut members = MemberLookup::of(value, object);
    for field in object.fields() {
        let needed = field.slot.presence != Presence::Optional;
        if needed && members.get(&field.name).is_none() {
            let step = Segment::Key(&field.name);
            found.add(|| Failure::below(FailureKind::Missing, value, step));
        }
    }
}

/// Checks the keys of an object, and puts its members on the stack.
fn members<'v>(
    (value, object): (ValueRef<'v>, &Object),
    rules: ShapeRules,
    schema: &Schema,
    open: &mut Vec<TypedValue<'v>>,
    found: &mut Failures,
) {
    let is_refused = |key: &str| match object.others {
        Others::Each(_) => false,
        Others::Forbidden => !is_allowed(schema, object, key),
        // An object that declares nothing and forbids nothing may have any member.
        Others::Allowed => {
            let says_nothing = object.fields().is_empty() && object.patterns.is_empty();
            rules.exact && !says_nothing && !object.is_open && !is_allowed(schema, object, key)
        }
    };
    for (key, child) in value.entries() {
        let key = key.unwrap_or_default();
        match (object.field(key), object.others) {
            (Some(field), _) => open.push((child, field.slot.schema)),
            (None, Others::Each(slot)) => open.push((child, slot.schema)),
            (None, _) if is_refused(key) => {
                found.add(|| Failure::new(FailureKind::Undeclared, child));
            }
            (None, _) => {}
        }
    }
}

/// Whether the patterns of the schema allow a member of this name. Patterns take the feature `validate`;
/// without it they allow all.
fn is_allowed(schema: &Schema, object: &Object, key: &str) -> bool {
    #[cfg(feature = "validate")]
    if let Some(text) = schema.text() {
        return text.matches_name(&object.patterns, key);
    }
    let _ = (schema, key);
    !object.patterns.is_empty()
}
