//! How deep schemas and values may be for code that recurses.
//!
//! Measured in an unoptimised build on a stack of 2 MiB: compiling overflows between 256 and 512 schemas in
//! each other, judging between 512 and 1,024 steps, where a step is one schema applied to one value.

use super::effort::Applied;
use crate::document::ValueRef;

/// The deepest nesting of lists and objects in the text of a schema.
pub(super) const SCHEMA_MAX: usize = 256;
/// Values in each other, times schemas that apply to one value.
pub(super) const STEPS_MAX: usize = 512;

/// How many containers lie in each other.
pub(super) fn of_value(value: ValueRef<'_>) -> usize {
    let mut deepest = 0;
    let mut open = vec![(value, 1)];
    while let Some((value, depth)) = open.pop() {
        if value.is_empty() {
            continue;
        }
        deepest = deepest.max(depth);
        open.extend(value.entries().map(|(_, child)| (child, depth + 1)));
    }
    deepest
}

/// The longest chain of schemas that apply to one value through each other. If schemas contain each other so,
/// all may be in the chain.
pub(super) fn chain(applied: &[Applied]) -> usize {
    const NEW: usize = usize::MAX;
    const OPEN: usize = usize::MAX - 1;
    let mut heights = vec![NEW; applied.len()];
    for start in 0..applied.len() {
        let mut open = vec![start];
        while let Some(&at) = open.last() {
            if heights[at] == NEW {
                heights[at] = OPEN;
                for &next in &applied[at].same {
                    match heights[next] {
                        NEW => open.push(next),
                        OPEN => return applied.len(),
                        _ => {}
                    }
                }
                continue;
            }
            open.pop();
            if heights[at] == OPEN {
                let below = applied[at].same.iter().map(|&next| heights[next].saturating_add(1));
                heights[at] = below.max().unwrap_or(0);
            }
        }
    }
    heights.into_iter().max().unwrap_or(0)
}
