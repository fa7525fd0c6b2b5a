//! Ways to cut an input into chunks: whole, byte by byte, in two, at seeded random offsets.

use core::fmt;

/// Longest input whose cuttings are all enumerated: 2¹⁷ of them.
pub const BRUTE_MAX: usize = 18;

/// Positions at which an input is cut, in order. A position that comes twice makes an empty chunk.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Cuts(Vec<usize>);

impl Cuts {
    /// No cut: the whole input is one chunk.
    #[must_use]
    pub const fn none() -> Self {
        Self(Vec::new())
    }

    /// Cuts at these positions.
    #[must_use]
    pub fn at(positions: impl IntoIterator<Item = usize>) -> Self {
        let mut positions: Vec<usize> = positions.into_iter().collect();
        positions.sort_unstable();
        Self(positions)
    }

    /// Chunks of these lengths.
    #[must_use]
    pub fn lengths(lengths: impl IntoIterator<Item = usize>) -> Self {
        let mut end = 0;
        let mut ends: Vec<usize> = lengths
            .into_iter()
            .map(|len| {
                end += len;
                end
            })
            .collect();
        ends.pop();
        Self(ends)
    }

    /// Byte by byte.
    #[must_use]
    pub fn bytewise(len: usize) -> Self {
        Self::every(1, len)
    }

    /// Chunks of `size` bytes.
    #[must_use]
    pub fn every(size: usize, len: usize) -> Self {
        Self((1..len).filter(|at| at % size == 0).collect())
    }

    /// Chunks of 1 to `most` bytes, and now and then an empty one.
    #[must_use]
    pub fn random(len: usize, most: usize, random: &mut Random) -> Self {
        let mut cuts = Vec::new();
        let mut at = 0;
        while at < len {
            cuts.push(at);
            at += random.below(most + 1);
        }
        Self(cuts)
    }

    /// The chunks of `input`.
    pub fn chunks<'a>(&'a self, input: &'a [u8]) -> impl Iterator<Item = &'a [u8]> {
        let starts = core::iter::once(0).chain(self.0.iter().copied());
        let ends = self.0.iter().copied().chain([input.len()]);
        starts.zip(ends).map(|(start, end)| &input[start..end])
    }
}

impl fmt::Display for Cuts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0[..] {
            [] => f.write_str("uncut"),
            all if all.len() > 1 && all.windows(2).all(|pair| pair[1] == pair[0] + 1) => {
                write!(f, "cut bytewise from {} to {}", all[0], all[all.len() - 1])
            }
            all => write!(f, "cut at {all:?}"),
        }
    }
}

/// Every cut in two, the empty halves included.
pub fn in_two(len: usize) -> impl Iterator<Item = Cuts> {
    (0..=len).map(|at| Cuts(vec![at]))
}

/// All 2ⁿ⁻¹ cuttings of an input of at most [`BRUTE_MAX`] bytes.
///
/// # Panics
/// If the input is longer.
pub fn all(len: usize) -> impl Iterator<Item = Cuts> {
    assert!(len <= BRUTE_MAX, "{len} bytes have too many cuttings");
    let inner = len.saturating_sub(1);
    (0_u32..1 << inner).map(move |mask| {
        Cuts((0..inner).filter(|bit| mask >> bit & 1 == 1).map(|bit| bit + 1).collect())
    })
}

/// Numbers that look random and are the same for the same seed (splitmix64).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Random(u64);

impl Random {
    /// From a seed, which whoever reports a failure must print.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub const fn next_number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// A number below `bound`, which is not 0.
    pub const fn below(&mut self, bound: usize) -> usize {
        (self.next_number() % bound as u64) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::{Cuts, Random, all, in_two};

    fn joined(cuts: &Cuts, input: &[u8]) -> Vec<u8> {
        cuts.chunks(input).flatten().copied().collect()
    }

    #[test]
    fn chunks_join_to_the_input() {
        let input = b"0123456789";
        let mut random = Random::new(1);
        let some = (0..50).map(|_| Cuts::random(10, 4, &mut random));
        let others =
            [Cuts::none(), Cuts::bytewise(10), Cuts::every(3, 10), Cuts::lengths([0, 4, 0, 6])];
        for cuts in in_two(10).chain(all(10)).chain(some).chain(others) {
            assert_eq!(joined(&cuts, input), input, "{cuts}");
        }
    }

    #[test]
    fn all_cuttings_are_distinct_and_all_there() {
        let cuttings: Vec<Cuts> = all(6).collect();
        assert_eq!(cuttings.len(), 32);
        for (at, cuts) in cuttings.iter().enumerate() {
            assert!(!cuttings[..at].contains(cuts));
        }
        assert_eq!(all(0).count(), 1);
        assert_eq!(Cuts::bytewise(3).chunks(b"abc").count(), 3);
    }

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        let numbers = |seed| {
            let mut random = Random::new(seed);
            [random.next_number(), random.next_number(), random.next_number()]
        };
        assert_eq!(numbers(7), numbers(7));
        assert_ne!(numbers(7), numbers(8));
    }
}
