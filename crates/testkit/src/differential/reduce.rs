//! Reduces a text to a small one with the same kind of difference.

use super::{Difference, DifferentialCase, difference};

/// The smaller case, and its difference.
#[must_use]
pub fn reduced(case: &DifferentialCase, found: &Difference) -> (DifferentialCase, Difference) {
    let mut best = (case.clone(), found.clone());
    loop {
        let before = best.0.text.len();
        pass(&mut best);
        if best.0.text.len() == before {
            break;
        }
    }
    without_schema(&mut best);
    best
}

/// Removes pieces: halves of the text first, single characters last.
fn pass(best: &mut (DifferentialCase, Difference)) {
    let mut chars: Vec<char> = best.0.text.chars().collect();
    let mut size = chars.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        while at < chars.len() {
            let mut fewer = chars.clone();
            fewer.drain(at..(at + size).min(chars.len()));
            if keeps(best, |case| case.text = fewer.iter().collect()) {
                chars = fewer;
            } else {
                at += size;
            }
        }
        size /= 2;
    }
}

/// Removes the schema, or one field of it after another.
fn without_schema(best: &mut (DifferentialCase, Difference)) {
    if keeps(best, |case| case.schema = None) {
        return;
    }
    let mut at = 0;
    while best.0.schema.as_ref().is_some_and(|schema| at < schema.0.len()) {
        let remove = |case: &mut DifferentialCase| {
            if let Some(schema) = &mut case.schema {
                schema.0.remove(at);
            }
        };
        if !keeps(best, remove) {
            at += 1;
        }
    }
}

/// Changes a case if the changed case still has the difference.
fn keeps(
    best: &mut (DifferentialCase, Difference),
    change: impl FnOnce(&mut DifferentialCase),
) -> bool {
    let mut case = best.0.clone();
    change(&mut case);
    let Some(found) = difference(&case).filter(|found| found.is_like(&best.1)) else {
        return false;
    };
    *best = (case, found);
    true
}
