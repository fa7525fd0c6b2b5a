//! Paths that the caller wants, with wildcards: each place that they lead to is looked at.

use super::{Failure, FailureKind, Found, emptiness};
use crate::document::{ValueKind, ValueRef};
use crate::path::{Path, Pattern, Segment};
use crate::schema::Presence;

/// A step of a path; none is a wildcard.
type Step<'p> = Option<Segment<'p>>;

/// Finds every place of a pattern that is not there, or says nothing.
pub(super) fn check(root: ValueRef<'_>, pattern: &Pattern, presence: Presence, found: &mut Found) {
    let steps: Vec<Step<'_>> = pattern.steps().collect();
    let mut open = vec![(root, 0_usize)];
    while let Some((value, at)) = open.pop() {
        if found.is_full() {
            return;
        }
        let step = steps.get(at).copied();
        if let Some(failure) = fault(value, step, presence) {
            found.add(failure);
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
pub(super) fn closing(
    (value, path): (ValueRef<'_>, Path<'_>),
    pattern: &Pattern,
    presence: Presence,
    found: &mut Found,
) {
    if pattern.leads_to(path) {
        let fault = fault(value, pattern.steps().nth(path.len()), presence);
        fault.into_iter().for_each(|failure| found.add(failure));
    }
}

/// Why a path does not go on from a value by this step; at its end, why the value says nothing.
fn fault(value: ValueRef<'_>, step: Option<Step<'_>>, presence: Presence) -> Option<Failure> {
    let says = presence == Presence::Meaningful;
    match step {
        None => emptiness(value).filter(|_| says).map(|kind| Failure::new(kind, value)),
        Some(Some(step)) => {
            let missing = child(value, step).is_none();
            missing.then(|| Failure::below(FailureKind::Missing, value, step))
        }
        Some(None) => match value.kind() {
            ValueKind::List | ValueKind::Object => {
                // Where nothing is, nothing is said.
                (value.is_empty() && says).then(|| Failure::new(FailureKind::Empty, value))
            }
            _ => {
                let wanted = "a list or an object".to_owned();
                Some(Failure::new(FailureKind::WrongType { wanted }, value))
            }
        },
    }
}

fn child<'v>(value: ValueRef<'v>, step: Segment<'_>) -> Option<ValueRef<'v>> {
    match step {
        Segment::Key(key) => value.get(key),
        Segment::Index(index) => value.item(index as usize),
    }
}
