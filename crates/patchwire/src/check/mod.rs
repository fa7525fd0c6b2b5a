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

use crate::document::{Entries, ValueKind, ValueRef};
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

    /// What is wrong with a value, at most so much as is listed; each place and reason once.
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
        found.failures
    }
}

/// A place whose value is whole.
pub(crate) struct ClosedValue<'a> {
    pub(crate) value: ValueRef<'a>,
    pub(crate) path: Path<'a>,
    /// What the schema says of it.
    pub(crate) schema: Option<(&'a Schema, Slot)>,
    /// The types that it stands in.
    pub(crate) types_around: &'a dyn Fn() -> Vec<SchemaId>,
    /// Whether values may yet become another type.
    pub(crate) may_align: bool,
}

/// What was found so far.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Failures {
    failures: Vec<Failure>,
    /// How often something was found, what was known before included: to name a place costs as much
    /// as it is deep.
    times: usize,
}

impl Failures {
    /// One more, if it is not known yet, nor the list full.
    fn add(&mut self, failure: impl FnOnce() -> Failure) {
        if self.is_full() {
            return;
        }
        self.times += 1;
        let failure = failure();
        if !self.failures.contains(&failure) {
            self.failures.push(failure);
        }
    }

    const fn is_full(&self) -> bool {
        self.failures.len() >= MOST
    }

    /// Whether a stream has said enough of what is wrong with it, were it of one place again and again.
    const fn is_exhausted(&self) -> bool {
        self.is_full() || self.times >= 4 * MOST
    }

    /// What was found, in order.
    pub(crate) fn list(&self) -> &[Failure] {
        &self.failures
    }
}

/// The members of an object by name. Who asks for them in the order in which they stand is answered
/// without a search.
struct Members<'v> {
    object: ValueRef<'v>,
    /// The first of those that were not asked for in order.
    ahead: Option<(&'v str, ValueRef<'v>)>,
    rest: Entries<'v>,
    /// All of them, where they have to be searched, and a search is much work.
    all: Option<HashMap<&'v str, ValueRef<'v>>>,
    are_many: bool,
}

impl<'v> Members<'v> {
    /// Those of a value, to find what this type declares.
    fn of(object: ValueRef<'v>, declared: &Object) -> Self {
        let are_many = declared.fields().len() > FEW;
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
