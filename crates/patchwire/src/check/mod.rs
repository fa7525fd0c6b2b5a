//! What an answer has to hold beside being readable: paths that must be there and say something, and
//! the exact shape of the schema.
//!
//! A value is checked against a schema place by place, without backtracking: of the alternatives of a
//! union that one counts which fits the value best at first sight.

mod ensure;
mod failure;
pub(crate) mod fit;
mod shape;
mod walk;

pub use failure::{Failure, FailureKind};

use std::collections::HashMap;

use crate::document::{ValueKind, ValueRef};
use crate::path::{Path, Pattern, PatternError};
use crate::schema::tree::{Object, Slot};
use crate::schema::{Presence, Schema, SchemaId};

/// Most failures that are listed.
const MOST: usize = 64;

/// What is checked of an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Checks {
    /// What the caller wants beside the schema.
    ensures: Vec<(Pattern, Presence)>,
    /// The value has to be of the schema's shape, and hold no more.
    strict_shape: bool,
}

impl Checks {
    pub(crate) const fn new(strict_shape: bool) -> Self {
        Self { ensures: Vec::new(), strict_shape }
    }

    /// Wants a path to be there.
    pub(crate) fn ensure(&mut self, path: &str, presence: Presence) -> Result<(), PatternError> {
        self.ensures.push((path.parse()?, presence));
        Ok(())
    }

    /// Whether anything can be wrong with a value.
    pub(crate) fn check_anything(&self, schema: Option<&Schema>) -> bool {
        let wants = schema.is_some_and(|schema| schema.wants_anything() || self.strict_shape);
        wants || !self.ensures.is_empty()
    }

    /// What is wrong with a value that is whole, beside what is wrong with the values in it. Added to
    /// what was found before.
    pub(crate) fn closing(&self, place: &Closing<'_>, found: &mut Vec<Failure>) {
        let mut all = Found { failures: core::mem::take(found) };
        if let Some((schema, slot)) = place.schema {
            if self.strict_shape {
                let may_align = place.may_align;
                shape::closing((place.value, slot.schema), may_align, schema, &mut all);
            }
            if schema.wants_anything() {
                walk::closing((place.value, slot), (place.above)(), schema, &mut all);
            }
        }
        for (pattern, presence) in &self.ensures {
            ensure::closing((place.value, place.path), pattern, *presence, &mut all);
        }
        *found = all.failures;
    }

    /// What is wrong with a value, at most so much as is listed; each place and reason once.
    pub(crate) fn failures(&self, value: ValueRef<'_>, schema: Option<&Schema>) -> Vec<Failure> {
        if !value.exists() {
            return vec![Failure::new(FailureKind::NoValue, value)];
        }
        let mut found = Found::default();
        if let Some(schema) = schema {
            if self.strict_shape {
                shape::check(value, schema, &mut found);
            }
            walk::check(value, schema, &mut found);
        }
        for (pattern, presence) in &self.ensures {
            ensure::check(value, pattern, *presence, &mut found);
        }
        found.failures
    }
}

/// A place whose value is whole.
pub(crate) struct Closing<'a> {
    pub(crate) value: ValueRef<'a>,
    pub(crate) path: Path<'a>,
    /// What the schema says of it.
    pub(crate) schema: Option<(&'a Schema, Slot)>,
    /// The types that it stands in.
    pub(crate) above: &'a dyn Fn() -> Vec<SchemaId>,
    /// Whether values may yet become another type.
    pub(crate) may_align: bool,
}

/// What was found so far.
#[derive(Default)]
struct Found {
    failures: Vec<Failure>,
}

impl Found {
    fn add(&mut self, failure: Failure) {
        if !self.is_full() && !self.failures.contains(&failure) {
            self.failures.push(failure);
        }
    }

    const fn is_full(&self) -> bool {
        self.failures.len() >= MOST
    }
}

/// The members of an object by name: looked for one by one where that is little work.
enum Members<'v> {
    Few(ValueRef<'v>),
    Many(HashMap<&'v str, ValueRef<'v>>),
}

impl<'v> Members<'v> {
    /// Those of a value, to find what this type declares.
    fn of(value: ValueRef<'v>, declared: &Object) -> Self {
        if declared.fields().len() <= FEW {
            return Self::Few(value);
        }
        let mut all = HashMap::new();
        for (key, child) in value.entries() {
            all.entry(key.unwrap_or_default()).or_insert(child);
        }
        Self::Many(all)
    }

    fn get(&self, name: &str) -> Option<ValueRef<'v>> {
        match self {
            Self::Few(object) => object.get(name),
            Self::Many(all) => all.get(name).copied(),
        }
    }
}

/// So many names are looked for one by one.
const FEW: usize = 8;

/// Why a value says nothing, where it has to say something.
fn emptiness(value: ValueRef<'_>) -> Option<FailureKind> {
    match value.kind() {
        ValueKind::Null => Some(FailureKind::Null),
        ValueKind::String => {
            let text = value.as_str().unwrap_or_default();
            text.trim().is_empty().then_some(FailureKind::Blank)
        }
        ValueKind::List => value.is_empty().then_some(FailureKind::Empty),
        ValueKind::Bool | ValueKind::Number | ValueKind::Object => None,
    }
}
