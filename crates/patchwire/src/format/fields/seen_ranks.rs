//! Which names of a sorted list have occurred.

use std::collections::BTreeMap;

use core::ops::Range;

/// Positions in a sorted list, as runs without a gap: the end of each by its start.
///
/// Invariant: runs neither overlap nor touch.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct SeenRanks {
    runs: BTreeMap<usize, usize>,
}

impl SeenRanks {
    pub(super) fn insert(&mut self, rank: usize) {
        if self.end_of_run(rank) > rank {
            return;
        }
        let end = self.runs.remove(&(rank + 1)).unwrap_or(rank + 1);
        match self.runs.range_mut(..rank).next_back() {
            Some((_, before)) if *before == rank => *before = end,
            _ => {
                self.runs.insert(rank, end);
            }
        }
    }

    /// Whether all positions of a range were inserted.
    pub(super) fn contain_all(&self, range: Range<usize>) -> bool {
        range.is_empty() || self.end_of_run(range.start) >= range.end
    }

    /// The end of the run that a position is in, or the position itself.
    fn end_of_run(&self, rank: usize) -> usize {
        let before = self.runs.range(..=rank).next_back();
        before.map_or(rank, |(_, end)| rank.max(*end))
    }
}

#[cfg(test)]
mod tests {
    use super::SeenRanks;

    #[test]
    fn ranges_are_seen_as_a_list_of_flags_sees_them() {
        const COUNT: usize = 9;
        // Each order of insertion is a permutation that a multiplier makes.
        for step in [1, 2, 4, 5, 7, 8] {
            let mut ranks = SeenRanks::default();
            let mut flags = [false; COUNT];
            for at in 0..COUNT {
                let rank = at * step % COUNT;
                ranks.insert(rank);
                ranks.insert(rank);
                flags[rank] = true;
                for start in 0..=COUNT {
                    for end in start..=COUNT {
                        let all = flags[start..end].iter().all(|it| *it);
                        assert_eq!(ranks.contain_all(start..end), all, "{start}..{end} {ranks:?}");
                    }
                }
                let gaps = flags.windows(2).filter(|it| it[0] && !it[1]).count();
                let runs = gaps + usize::from(flags[COUNT - 1]);
                assert_eq!(ranks.runs.len(), runs, "{ranks:?}");
            }
        }
    }
}
