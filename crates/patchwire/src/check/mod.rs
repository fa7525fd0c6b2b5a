//! Checks of an answer: paths that must exist, values that must not be empty, and the exact shape of the
//! schema.
//!
//! A value is checked against a schema place by place, without backtracking. Of the alternatives of a
//! union, only the one that fits the value best at first sight is checked.

mod ensure;
mod failure;
pub(crate) mod fit;
mod shape;
mod walk;

pub use failure::{Failure, FailureKind};

use std::collections::HashMap;

use crate::document::{Entries, ValueKind, ValueRef};
use crate::path::{Path, Pattern, PatternError};
use crate::schema::tree::{Object, Slot};
use crate::schema::{Presence, Schema, SchemaId};

/// At most this many failures are listed.
const MAX_FAILURES: usize = 64;

/// The checks of an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Checks {
    /// Paths that the caller needs, whatever the schema says.
    ensures: Vec<(Pattern, Presence)>,
    /// The value must have exactly the shape of the schema.
    strict_shape: bool,
}

impl Checks {
    pub(crate) const fn new(strict_shape: bool) -> Self {
        Self { ensures: Vec::new(), strict_shape }
    }

    /// Adds a path that must lead to values.
    pub(crate) fn ensure(&mut self, path: &str, presence: Presence) -> Result<(), PatternError> {
        self.ensures.push((path.parse()?, presence));
        Ok(())
    }

    /// Whether any check can fail.
    pub(crate) fn check_anything(&self, schema: Option<&Schema>) -> bool {
        let by_schema = schema.is_some_and(|schema| schema.wants_anything() || self.strict_shape);
        by_schema || !self.ensures.is_empty()
    }

    /// Checks a value that just closed, but not the values in it: those closed before. Adds to the failures
    /// found so far.
    pub(crate) fn check_closed(&self, place: &ClosedValue<'_>, found: &mut Failures) {
        if found.is_exhausted() {
            return;
        }
        if let Some((schema, slot)) = place.schema {
            if self.strict_shape {
                let may_align = place.may_align;
                shape::check_closed((place.value, slot.schema), may_align, schema, found);
            }
            if schema.wants_anything() {
                walk::check_closed((place.value, slot), place.types_around, schema, found);
            }
        }
        for (pattern, presence) in &self.ensures {
            ensure::check_closed((place.value, place.path), pattern, *presence, found);
        }
    }

    /// The failures of a value, each place and reason once.
    pub(crate) fn failures(&self, value: ValueRef<'_>, schema: Option<&Schema>) -> Vec<Failure> {
        if !value.exists() {
            return vec![Failure::new(FailureKind::NoValue, value)];
        }
        let mut found = Failures::default();
        if let Some(schema) = schema {
            if self.strict_shape {
                shape::check(value, schema, &mut found);
            }
            walk::check(value, schema, &mut found);
        }
        for (pattern, presence) in &self.ensures {
            ensure::check(value, pattern, *presence, &mut found);
        }
        found.list
    }
}

/// A value that just closed, and its place.
pub(crate) struct ClosedValue<'a> {
    pub(crate) value: ValueRef<'a>,
    pub(crate) path: Path<'a>,
    /// What the schema says about the place.
    pub(crate) schema: Option<(&'a Schema, Slot)>,
    /// The types of the containers around it.
    pub(crate) types_around: &'a dyn Fn() -> Vec<SchemaId>,
    /// Whether the finalizer may change the type of a value.
    pub(crate) may_align: bool,
}

/// Failures found so far, without duplicates.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Failures {
    list: Vec<Failure>,
    /// How many failures were added, duplicates included. Each costs as much as its place is deep.
    added: usize,
}

impl Failures {
    /// Adds a failure, unless it is known or the list is full.
    fn add(&mut self, failure: impl FnOnce() -> Failure) {
        if self.is_full() {
            return;
        }
        self.added += 1;
        let failure = failure();
        if !self.list.contains(&failure) {
            self.list.push(failure);
        }
    }

    const fn is_full(&self) -> bool {
        self.list.len() >= MAX_FAILURES
    }

    /// Whether a stream has failed often enough, counting repeated failures of one place.
    const fn is_exhausted(&self) -> bool {
        self.is_full() || self.added >= 4 * MAX_FAILURES
    }

    /// The failures, in order.
    pub(crate) fn list(&self) -> &[Failure] {
        &self.list
    }
}

/// Finds the members of an object by name. Names in the order of the object need no search.
struct MemberLookup<'v> {
    object: ValueRef<'v>,
    /// The next member in order.
    ahead: Option<(&'v str, ValueRef<'v>)>,
    rest: Entries<'v>,
    /// All members, once a search over many is needed.
    all: Option<HashMap<&'v str, ValueRef<'v>>>,
    are_many: bool,
}

impl<'v> MemberLookup<'v> {
    /// Prepares a lookup of the members that this type declares.
    fn of(object: ValueRef<'v>, declared: &Object) -> Self {
        let are_many = declared.fields().len() > FEW_NAMES;
        let mut members = Self { object, ahead: None, rest: object.entries(), all: None, are_many };
        members.advance();
        members
    }

    fn get(&mut self, name: &str) -> Option<ValueRef<'v>> {
        match self.ahead {
            Some((next, value)) if next == name => {
                self.advance();
                Some(value)
            }
            _ => self.search(name),
        }
    }

    fn advance(&mut self) {
        let next = self.rest.next();
        self.ahead = next.and_then(|(key, value)| Some((key?, value)));
    }

    fn search(&mut self, name: &str) -> Option<ValueRef<'v>> {
        if !self.are_many {
            return self.object.get(name);
        }
        let all = self.all.get_or_insert_with(|| {
            let mut all = HashMap::new();
            for (key, child) in self.object.entries() {
                all.entry(key.unwrap_or_default()).or_insert(child);
            }
            all
        });
        all.get(name).copied()
    }
}

/// Up to this many names are searched one by one.
const FEW_NAMES: usize = 8;

/// Why a value that must not be empty is empty.
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
