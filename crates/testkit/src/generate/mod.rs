//! Documents, schemas and slips from a seed. They depend on the seed alone.

pub mod answer;
pub mod broken;
pub mod fields;
pub mod json;
pub mod parts;
pub mod schema;
pub mod slip;
pub mod spoilt;
pub mod tags;
pub mod xml;

/// A small random number generator (splitmix64).
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// Starts a sequence.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number.
    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// The next number below `bound`. `bound` is not 0.
    pub const fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// True once in `in_how_many` calls, on average.
    pub const fn once_in(&mut self, in_how_many: usize) -> bool {
        self.below(in_how_many) == 0
    }

    /// A random element.
    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    /// Random positions to cut a text of `len` bytes at, in order.
    pub fn cuts(&mut self, len: usize) -> Vec<usize> {
        let mean = self.pick(&[1, 2, 4, 9, 40]);
        let mut cuts = Vec::new();
        let mut at = 0;
        loop {
            at += 1 + self.below(2 * mean);
            if at >= len {
                return cuts;
            }
            cuts.push(at);
        }
    }
}
