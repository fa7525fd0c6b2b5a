//! Sizes of the chunks that a text is cut into.

use std::num::NonZeroUsize;

/// A sequence of chunk sizes. Equal settings give equal sizes on every machine.
#[derive(Debug, Clone)]
pub(crate) enum ChunkSizes {
    /// Every chunk has this many bytes.
    Fixed(NonZeroUsize),
    /// Chunks as long as a model's tokens.
    Tokens(SplitMix),
    /// From one byte up to this many.
    UpTo(NonZeroUsize, SplitMix),
}

/// Token lengths in bytes, each as often as it occurs.
const TOKENS: [usize; 16] = [1, 1, 2, 2, 3, 3, 3, 4, 4, 4, 5, 5, 6, 7, 9, 12];

impl ChunkSizes {
    /// The sizes for `--chunk-bytes` and `--chunk-seed`; `None` without either.
    pub(crate) fn new(bytes: Option<NonZeroUsize>, seed: Option<u64>) -> Option<Self> {
        match (bytes, seed) {
            (None, None) => None,
            (Some(bytes), None) => Some(Self::Fixed(bytes)),
            (None, Some(seed)) => Some(Self::tokens(seed)),
            (Some(bytes), Some(seed)) => Some(Self::UpTo(bytes, SplitMix::new(seed))),
        }
    }

    /// Sizes as long as a model's tokens.
    pub(crate) fn tokens(seed: u64) -> Self {
        Self::Tokens(SplitMix::new(seed))
    }

    pub(crate) fn next_size(&mut self) -> usize {
        match self {
            Self::Fixed(bytes) => bytes.get(),
            Self::Tokens(random) => TOKENS[random.below(TOKENS.len())],
            Self::UpTo(bytes, random) => 1 + random.below(bytes.get()),
        }
    }

    /// The offsets at which these sizes cut a text of `len` bytes, without 0 and `len`.
    pub(crate) fn cuts(mut self, len: usize) -> Vec<usize> {
        let mut cuts = Vec::new();
        let mut at = self.next_size();
        while at < len {
            cuts.push(at);
            at = at.saturating_add(self.next_size());
        }
        cuts
    }
}

/// A pseudorandom generator: SplitMix64 (Steele, Lea and Flood, 2014).
#[derive(Debug, Clone)]
pub(crate) struct SplitMix(u64);

impl SplitMix {
    pub(crate) const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// A number below `end`, which must not be 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next_number()) * end as u128) >> 64) as usize
    }

    fn next_number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut number = self.0;
        number = (number ^ (number >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        number ^ (number >> 31)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cuts_lie_inside_the_text_and_rise() {
        for seed in 0..50 {
            let cuts = ChunkSizes::tokens(seed).cuts(100);
            assert!(cuts.iter().all(|cut| (1..100).contains(cut)), "{cuts:?}");
            assert!(cuts.is_sorted_by(|one, next| one < next), "{cuts:?}");
        }
        assert!(ChunkSizes::tokens(7).cuts(0).is_empty());
        assert_eq!(ChunkSizes::Fixed(NonZeroUsize::MIN).cuts(4), [1, 2, 3]);
    }

    #[test]
    fn a_seed_says_it_all() {
        assert_eq!(ChunkSizes::tokens(1).cuts(24), ChunkSizes::tokens(1).cuts(24));
        assert_ne!(ChunkSizes::tokens(1).cuts(99), ChunkSizes::tokens(2).cuts(99));
        // From the reference implementation, for seed 1234567.
        assert_eq!(SplitMix::new(1_234_567).next_number(), 6_457_827_717_110_365_317);
    }
}
