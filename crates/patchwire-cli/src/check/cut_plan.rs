//! The cuttings of a stream that `check` tries.

use crate::chunk_sizes::{ChunkSizes, SplitMix};

/// One way to cut a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cutting {
    /// At one byte.
    InTwo(usize),
    /// Into single bytes.
    Bytes,
    /// As it was recorded.
    Recorded,
    /// At random, as `--chunk-seed` does.
    Random(u64),
}

/// The cuttings that are tried for one stream.
///
/// To cut a stream in two at every byte reads its length squared, so this kind and the random kind
/// have a limit on the bytes they read. Invariant: `in_two` ascends and lies inside the stream.
pub(crate) struct CutPlan {
    len: usize,
    recorded: Vec<usize>,
    in_two: Vec<usize>,
    seeds: Vec<u64>,
}

/// How many bytes the cuts in two of one stream may read. Up to 4,096 bytes, every cut is tried.
const IN_TWO_BYTES: usize = 16 << 20;
/// How many bytes the random cuttings of one stream may read, without `--random`.
const RANDOM_BYTES: usize = 16 << 20;
/// The default number of random cuttings.
const RANDOM: usize = 100;
/// The least number of cuttings of each kind.
const LEAST: usize = 4;

impl CutPlan {
    /// The plan for a stream of `len` bytes that was recorded with the cuts `recorded`.
    pub(crate) fn new(len: usize, recorded: Vec<usize>, random: Option<u32>, seed: u64) -> Self {
        let affordable = |bytes: usize| (bytes / len.max(1)).max(LEAST);
        let random = match random {
            Some(random) => random as usize,
            None => RANDOM.min(affordable(RANDOM_BYTES)),
        };
        let random = if len > 1 { random as u64 } else { 0 };
        Self {
            len,
            recorded,
            in_two: spread(len, affordable(IN_TWO_BYTES), seed),
            seeds: (0..random).map(|number| seed.wrapping_add(number)).collect(),
        }
    }

    pub(crate) fn cuttings(&self) -> impl Iterator<Item = Cutting> {
        let recorded = (!self.recorded.is_empty()).then_some(Cutting::Recorded);
        let bytes = (self.len > 1).then_some(Cutting::Bytes);
        let in_two = self.in_two.iter().map(|cut| Cutting::InTwo(*cut));
        let random = self.seeds.iter().map(|seed| Cutting::Random(*seed));
        bytes.into_iter().chain(recorded).chain(in_two).chain(random)
    }

    /// The offsets of a cutting.
    pub(crate) fn cuts(&self, cutting: &Cutting) -> Vec<usize> {
        match cutting {
            Cutting::InTwo(cut) => vec![*cut],
            Cutting::Bytes => (1..self.len).collect(),
            Cutting::Recorded => self.recorded.clone(),
            Cutting::Random(seed) => ChunkSizes::tokens(*seed).cuts(self.len),
        }
    }

    /// How many cuts in two are tried, and how many exist.
    pub(crate) fn in_two(&self) -> (usize, usize) {
        (self.in_two.len(), self.len.saturating_sub(1))
    }

    pub(crate) fn random(&self) -> usize {
        self.seeds.len()
    }
}

/// Every offset inside a text, or a random one in each of `most` equal parts.
fn spread(len: usize, most: usize, seed: u64) -> Vec<usize> {
    let places = len.saturating_sub(1);
    if places <= most {
        return (1..len).collect();
    }
    let mut random = SplitMix::new(seed);
    let start = |stretch: usize| (places as u128 * stretch as u128 / most as u128) as usize;
    let place = |stretch| 1 + start(stretch) + random.below(start(stretch + 1) - start(stretch));
    (0..most).map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_streams_are_cut_everywhere() {
        let plan = CutPlan::new(1_000, vec![3], None, 0);
        assert_eq!(plan.in_two(), (999, 999));
        assert_eq!(plan.random(), 100);
        assert_eq!(plan.cuttings().count(), 1 + 1 + 999 + 100);
        assert_eq!(plan.cuts(&Cutting::Bytes).len(), 999);
    }

    #[test]
    fn long_streams_are_cut_in_every_part() {
        let plan = CutPlan::new(1 << 20, vec![], None, 7);
        assert_eq!(plan.in_two(), (16, (1 << 20) - 1));
        assert_eq!(plan.random(), 16);
        assert!(plan.in_two.is_sorted_by(|one, next| one < next));
        assert!(plan.in_two.iter().all(|cut| (1..1 << 20).contains(cut)));
        assert!(plan.in_two[15] > (1 << 20) / 16 * 15);
        assert_eq!(CutPlan::new(1 << 30, vec![], None, 7).in_two().0, LEAST);
        assert_eq!(CutPlan::new(1 << 20, vec![], Some(5_000), 7).random(), 5_000);
    }

    #[test]
    fn there_is_nothing_to_cut_in_one_byte() {
        assert_eq!(CutPlan::new(1, vec![], None, 0).cuttings().count(), 0);
        assert_eq!(CutPlan::new(0, vec![], Some(9), 0).cuttings().count(), 0);
    }
}
