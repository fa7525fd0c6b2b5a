//! Ways to cut an input into chunks: whole, byte by byte, in two, at seeded random offsets.

use core::fmt;

/// The longest input whose cuttings are all enumerated (2¹⁷ of them).
pub const BRUTE_MAX: usize = 18;

/// The positions at which an input is cut, in order. A repeated position makes an empty chunk.
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

    /// Cuts after each byte.
    #[must_use]
    pub fn bytewise(len: usize) -> Self {
        Self::every(1, len)
    }

    /// Cuts into chunks of `size` bytes.
    #[must_use]
    pub fn every(size: usize, len: usize) -> Self {
        Self((1..len).filter(|at| at % size == 0).collect())
    }

    /// Cuts into random chunks of 1 to `most` bytes, and some empty ones.
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

    /// Splits `input` into its chunks.
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

/// Every cut in two, including those with an empty half.
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

/// A pseudorandom sequence (splitmix64) that depends on its seed alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Random(u64);

impl Random {
    /// Starts a sequence. Print the seed with every failure.
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

    /// The next number below `bound`. `bound` is not 0.
    pub const fn below(&mut self, bound: usize) -> usize {
        (self.next_number() % bound as u64) as usize
    }
}
