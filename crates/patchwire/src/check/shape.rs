//! Checks the shape of a schema: types, required keys, and in its exact form no undeclared keys.

use super::{Failure, FailureKind, Failures, MemberLookup, fit};
use crate::document::ValueRef;
use crate::path::Segment;
use crate::schema::tree::{Object, Others, Shape};
use crate::schema::{Schema, SchemaId};

type TypedValue<'v> = (ValueRef<'v>, SchemaId);

/// What is checked.
#[derive(Debug, Clone, Copy)]
pub(super) struct ShapeRules {
    /// Types and required keys.
    pub(super) types: bool,
    /// Keys that the schema does not declare, although it does not forbid them.
    pub(super) exact: bool,
}

/// The shape that a schema asks for.
#[derive(Debug, Clone, Copy)]
pub(super) struct ShapeCheck<'s> {
    pub(super) schema: &'s Schema,
    pub(super) rules: ShapeRules,
}

impl ShapeCheck<'_> {
    /// Finds every value that the schema does not declare, or declares with another type.
    pub(super) fn check(self, root: ValueRef<'_>, found: &mut Failures) {
        let mut open = vec![(root, self.schema.root())];
        while let Some((value, id)) = open.pop() {
            if found.is_full() {
                return;
            }
            let Some(id) = fit::alternative(self.schema, id, value) else {
                if self.rules.types {
                    let wanted = self.schema.type_name(id);
                    found.add(|| Failure::new(FailureKind::WrongType { wanted }, value));
                }
                continue;
            };
            let first = open.len();
            match &self.schema.node(id).shape {
                Shape::Object(object) => {
                    if self.rules.types {
                        self.missing(value, id, found);
                    }
                    self.members(value, object, &mut open, found);
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
    pub(super) fn check_closed(self, value: ValueRef<'_>, id: SchemaId, found: &mut Failures) {
        let fit = match fit::alternative(self.schema, id, value) {
            Some(fit) => fit,
            None if !self.rules.types => return,
            None => {
                let wanted = self.schema.type_name(id);
                found.add(|| Failure::new(FailureKind::WrongType { wanted }, value));
                return;
            }
        };
        let faults = |id: SchemaId| {
            let mut faults = Failures::default();
            if let Shape::Object(object) = &self.schema.node(id).shape {
                self.missing(value, id, &mut faults);
                self.members(value, object, &mut Vec::new(), &mut faults);
            }
            faults.list
        };
        // A value that another alternative allows has no fault, however well that one fits.
        let is_free = |leaf: &SchemaId| faults(*leaf).is_empty();
        match &self.schema.node(id).shape {
            Shape::Union(union)
                if fit::objects(self.schema, id, union, value).iter().any(is_free) => {}
            _ => faults(fit).into_iter().for_each(|fault| found.add(|| fault)),
        }
    }

    /// Checks the keys of an object, and puts its members on the stack.
    fn members<'v>(
        self,
        value: ValueRef<'v>,
        object: &Object,
        open: &mut Vec<TypedValue<'v>>,
        found: &mut Failures,
    ) {
        for (key, child) in value.entries() {
            let key = key.unwrap_or_default();
            match (object.field(key), object.others) {
                (Some(field), _) => open.push((child, field.slot.schema)),
                (None, Others::Each(slot)) => open.push((child, slot.schema)),
                (None, _) if self.refuses(object, key) => {
                    found.add(|| Failure::new(FailureKind::Undeclared, child));
                }
                (None, _) => {}
            }
        }
    }

    /// Finds the members that an object of this type lacks.
    fn missing(self, value: ValueRef<'_>, id: SchemaId, found: &mut Failures) {
        let Shape::Object(object) = &self.schema.node(id).shape else { return };
        if self.schema.has_required(id, value) {
            return;
        }
        let mut members = MemberLookup::of(value, object);
        for field in object.required() {
            if found.is_full() {
                return;
            }
            if members.get(&field.name).is_none() {
                let step = Segment::Key(&field.name);
                found.add(|| Failure::below(FailureKind::Missing, value, step));
            }
        }
    }

    /// Whether an object may not have a member of this name, which it does not declare.
    fn refuses(self, object: &Object, key: &str) -> bool {
        match object.others {
            Others::Each(_) => false,
            Others::Forbidden => !is_allowed(self.schema, object, key),
            // An object that declares nothing and forbids nothing may have any member.
            Others::Allowed => {
                let says_nothing = object.fields().is_empty() && object.patterns.is_empty();
                let is_closed = self.rules.exact && !says_nothing && !object.is_open;
                is_closed && !is_allowed(self.schema, object, key)
            }
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
