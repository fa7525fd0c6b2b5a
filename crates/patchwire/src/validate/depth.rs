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

/// Leaves out what leads a schema back to itself for the same value: a validator stops there.
pub(super) fn cut_circles(applied: &mut [Applied]) {
    #[derive(Clone, Copy, PartialEq)]
    enum Visit {
        New,
        Open,
        Done,
    }
    let mut visits = vec![Visit::New; applied.len()];
    for start in 0..applied.len() {
        // A schema, and which of the schemas that it applies comes next.
        let mut open = vec![(start, 0)];
        while let Some((at, next)) = open.last_mut() {
            if *next == 0 && visits[*at] == Visit::Done {
                open.pop();
                continue;
            }
            visits[*at] = Visit::Open;
            let Some(&to) = applied[*at].same.get(*next) else {
                visits[*at] = Visit::Done;
                open.pop();
                continue;
            };
            if visits[to] == Visit::Open {
                applied[*at].same.swap_remove(*next);
                continue;
            }
            *next += 1;
            if visits[to] == Visit::New {
                open.push((to, 0));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Applied, chain, cut_circles};

    #[test]
    fn circles_are_cut_and_nothing_else() {
        let of = |same: &[usize]| Applied { same: same.to_vec(), ..Applied::default() };
        let mut applied = [of(&[1, 2]), of(&[2]), of(&[0, 3, 2]), of(&[])];
        assert_eq!(chain(&applied), 4);
        cut_circles(&mut applied);
        let same: Vec<&[usize]> = applied.iter().map(|it| &it.same[..]).collect();
        assert_eq!(same, [&[1, 2][..], &[2], &[3], &[]]);
        assert_eq!(chain(&applied), 3);
    }

    /// What each schema applies, and what is left of it. A cut swaps the last one into its place.
    #[test]
    fn each_way_back_is_cut() {
        for (applied, left) in [
            (&[&[][..]][..], &[&[][..]][..]),
            (&[&[0]], &[&[]]),
            (&[&[0, 0]], &[&[]]),
            (&[&[1, 2], &[], &[0]], &[&[1, 2], &[], &[]]),
            (&[&[1, 1], &[]], &[&[1, 1], &[]]),
            (&[&[2, 1], &[0], &[1]], &[&[2, 1], &[], &[1]]),
            (&[&[], &[2, 1], &[1, 0]], &[&[], &[2], &[0]]),
            (&[&[1, 2, 3], &[], &[], &[0, 1]], &[&[1, 2, 3], &[], &[], &[1]]),
        ] {
            let of = |same: &&[usize]| Applied { same: same.to_vec(), ..Applied::default() };
            let mut all: Vec<Applied> = applied.iter().map(of).collect();
            cut_circles(&mut all);
            let same: Vec<&[usize]> = all.iter().map(|it| &it.same[..]).collect();
            assert_eq!(same, left, "{applied:?}");
            assert!(chain(&all) < all.len(), "{applied:?}");
        }
    }
}
