//! Paths that the caller wants, with wildcards: each place that they lead to is looked at.

use super::{Failure, FailureKind, Failures, emptiness};
use crate::document::{ValueKind, ValueRef};
use crate::path::{Path, Pattern, Segment};
use crate::schema::Presence;

/// A step of a path; none is a wildcard.
type Step<'p> = Option<Segment<'p>>;

/// Finds every place of a pattern that is not there, or says nothing.
pub(super) fn check(
    root: ValueRef<'_>,
    pattern: &Pattern,
    presence: Presence,
    found: &mut Failures,
) {
    let steps: Vec<Step<'_>> = pattern.steps().collect();
    let mut open = vec![(root, 0_usize)];
    while let Some((value, at)) = open.pop() {
        if found.is_full() {
            return;
        }
        let step = steps.get(at).copied();
        if let Some(fault) = fault(value, step, presence) {
            found.add(|| fault.failure(value));
            continue;
        }
        let first = open.len();
        match step {
            None => {}
            Some(Some(step)) => open.extend(child(value, step).map(|child| (child, at + 1))),
            Some(None) => open.extend(value.entries().map(|(_, child)| (child, at + 1))),
        }
        open[first..].reverse();
    }
}

/// The same of one place, at this path, whose value is whole.
pub(super) fn check_closed(
    (value, path): (ValueRef<'_>, Path<'_>),
    pattern: &Pattern,
    presence: Presence,
    found: &mut Failures,
) {
    if pattern.leads_to(path)
        && let Some(fault) = fault(value, pattern.steps().nth(path.len()), presence)
    {
        found.add(|| fault.failure(value));
    }
}

/// Why a path does not go on from a value; at its end, why the value says nothing.
enum Fault<'p> {
    /// The value itself.
    Here(FailureKind),
    /// What it should have.
    Missing(Segment<'p>),
    /// It holds nothing that the path could go on with.
    NoContainer,
}

impl Fault<'_> {
    fn failure(self, value: ValueRef<'_>) -> Failure {
        match self {
            Self::Here(kind) => Failure::new(kind, value),
            Self::Missing(step) => Failure::below(FailureKind::Missing, value, step),
            Self::NoContainer => {
                let wanted = "a list or an object".to_owned();
                Failure::new(FailureKind::WrongType { wanted }, value)
            }
        }
    }
}

fn fault<'p>(value: ValueRef<'_>, step: Option<Step<'p>>, presence: Presence) -> Option<Fault<'p>> {
    let says = presence == Presence::Meaningful;
    match step {
        None => emptiness(value).filter(|_| says).map(Fault::Here),
        Some(Some(step)) => child(value, step).is_none().then_some(Fault::Missing(step)),
        Some(None) => match value.kind() {
            ValueKind::List | ValueKind::Object => {
                // Where nothing is, nothing is said.
                (value.is_empty() && says).then_some(Fault::Here(FailureKind::Empty))
            }
            _ => Some(Fault::NoContainer),
        },
    }
}

fn child<'v>(value: ValueRef<'v>, step: Segment<'_>) -> Option<ValueRef<'v>> {
    match step {
        Segment::Key(key) => value.get(key),
        Segment::Index(index) => value.item(index as usize),
    }
}
