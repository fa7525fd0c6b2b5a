//! Checks the paths that a caller needs, wildcards included, at each place that they lead to.

use super::{Failure, FailureKind, Failures, emptiness};
use crate::document::{ValueKind, ValueRef};
use crate::path::{Path, Pattern, Segment};
use crate::schema::Presence;

/// A step of a path; `None` is a wildcard.
type PatternStep<'p> = Option<Segment<'p>>;

/// Finds every place of a pattern that is missing or empty.
pub(super) fn check(
    root: ValueRef<'_>,
    pattern: &Pattern,
    presence: Presence,
    found: &mut Failures,
) {
    let steps: Vec<PatternStep<'_>> = pattern.steps().collect();
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

/// Checks one place, whose value just closed.
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

/// Why a path does not lead on from a value or, at its end, why the value does not count.
enum StepFault<'p> {
    /// The value itself fails.
    Here(FailureKind),
    /// The value lacks this child.
    Missing(Segment<'p>),
    /// The value is no container.
    NoContainer,
}

impl StepFault<'_> {
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

fn fault<'p>(
    value: ValueRef<'_>,
    step: Option<PatternStep<'p>>,
    presence: Presence,
) -> Option<StepFault<'p>> {
    let must_say = presence == Presence::Meaningful;
    match step {
        None => emptiness(value).filter(|_| must_say).map(StepFault::Here),
        Some(Some(step)) => child(value, step).is_none().then_some(StepFault::Missing(step)),
        Some(None) => match value.kind() {
            ValueKind::List | ValueKind::Object => {
                // An empty container has no place that could count.
                (value.is_empty() && must_say).then_some(StepFault::Here(FailureKind::Empty))
            }
            _ => Some(StepFault::NoContainer),
        },
    }
}

fn child<'v>(value: ValueRef<'v>, step: Segment<'_>) -> Option<ValueRef<'v>> {
    match step {
        Segment::Key(key) => value.get(key),
        Segment::Index(index) => value.item(index as usize),
    }
}
