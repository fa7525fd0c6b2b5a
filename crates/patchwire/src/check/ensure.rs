//! Paths that the caller wants, with wildcards: each place that they lead to is looked at.

use super::{Failure, FailureKind, Found, emptiness};
use crate::document::{ValueKind, ValueRef};
use crate::path::{Pattern, Segment};
use crate::schema::Presence;

/// Finds every place of a pattern that is not there, or says nothing.
pub(super) fn check(root: ValueRef<'_>, pattern: &Pattern, presence: Presence, found: &mut Found) {
    let steps: Vec<Option<Segment<'_>>> = pattern.steps().collect();
    let says = presence == Presence::Meaningful;
    let mut open = vec![(root, 0_usize)];
    while let Some((value, at)) = open.pop() {
        if found.is_full() {
            return;
        }
        match steps.get(at) {
            None => {
                if let Some(kind) = emptiness(value).filter(|_| says) {
                    found.add(Failure::new(kind, value));
                }
            }
            Some(Some(step)) => {
                let next = match step {
                    Segment::Key(key) => value.get(key),
                    Segment::Index(index) => value.item(*index as usize),
                };
                match next {
                    Some(next) => open.push((next, at + 1)),
                    None => found.add(Failure::below(FailureKind::Missing, value, *step)),
                }
            }
            Some(None) => {
                let first = open.len();
                open.extend(value.entries().map(|(_, child)| (child, at + 1)));
                open[first..].reverse();
                // Where nothing is, nothing is said.
                let is_container = matches!(value.kind(), ValueKind::List | ValueKind::Object);
                if open.len() == first && (says || !is_container) {
                    let kind = if is_container { FailureKind::Empty } else { not_a_container() };
                    found.add(Failure::new(kind, value));
                }
            }
        }
    }
}

fn not_a_container() -> FailureKind {
    FailureKind::WrongType { wanted: "a list or an object".to_owned() }
}
