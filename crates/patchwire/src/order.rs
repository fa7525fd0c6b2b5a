//! Sorting, compiled once: the sorts of the standard library are compiled anew for each type and each order, at four
//! kilobytes each. Where a sort is in a hot loop, or of very many values, the standard library's is used.

use core::cmp::Ordering;

/// Sorts by a comparison. Equal items keep their order.
pub(crate) fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let mut ranks = ranks(items.len(), &mut |a, b| compare(&items[a], &items[b]));
    arrange(&mut ranks, &mut |a, b| items.swap(a, b));
}

/// Sorts by a key. Equal items keep their order.
pub(crate) fn sort_by_key<T, K: Ord>(items: &mut [T], mut key: impl FnMut(&T) -> K) {
    sort_by(items, |a, b| key(a).cmp(&key(b)));
}

/// Sorts. Equal items keep their order.
pub(crate) fn sort<T: Ord>(items: &mut [T]) {
    sort_by(items, T::cmp);
}

/// The items in order, each once.
pub(crate) fn distinct<T: Ord>(items: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut all: Vec<T> = items.into_iter().collect();
    sort(&mut all);
    all.dedup();
    all
}

/// The place that each item has in the order. Empty if all are in place.
#[inline(never)]
fn ranks(len: usize, compare: &mut dyn FnMut(usize, usize) -> Ordering) -> Vec<usize> {
    if (1..len).all(|at| compare(at - 1, at).is_le()) {
        return Vec::new();
    }
    let mut order: Vec<usize> = (0..len).collect();
    order.sort_by(|a, b| compare(*a, *b));
    let mut ranks = vec![0; len];
    for (rank, at) in order.into_iter().enumerate() {
        ranks[at] = rank;
    }
    ranks
}

/// Moves each item to its place. Each swap brings one there, so that there are fewer swaps than items.
#[inline(never)]
fn arrange(ranks: &mut [usize], swap: &mut dyn FnMut(usize, usize)) {
    for at in 0..ranks.len() {
        while ranks[at] != at {
            let to = ranks[at];
            swap(at, to);
            ranks.swap(at, to);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{distinct, sort_by_key};

    /// Every list of up to six items over three values, each item with its place.
    #[test]
    fn items_are_ordered_as_by_the_standard_library() {
        for len in 0..=6 {
            for number in 0..3_usize.pow(len) {
                let items: Vec<(usize, u32)> =
                    (0..len).map(|at| (number / 3_usize.pow(at) % 3, at)).collect();
                let (mut expected, mut found) = (items.clone(), items);
                expected.sort_by_key(|(value, _)| *value);
                sort_by_key(&mut found, |(value, _)| *value);
                assert_eq!(found, expected);
            }
        }
    }

    #[test]
    fn long_lists_are_ordered_too() {
        let items: Vec<u32> = (0..1000).map(|at| at * 7919 % 1000 / 2).collect();
        let mut expected = items.clone();
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(distinct(items), expected);
    }
}
