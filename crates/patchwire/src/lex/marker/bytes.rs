//! Sets of bytes, and sets of markers.

/// A set of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub(crate) struct ByteSet([u64; 4]);

impl ByteSet {
    pub(crate) const EMPTY: Self = Self([0; 4]);
    pub(crate) const ALL: Self = Self([u64::MAX; 4]);

    pub(crate) fn of(bytes: &[u8]) -> Self {
        bytes.iter().fold(Self::EMPTY, |set, &byte| set.with(byte))
    }

    /// One byte. With `fold`, a letter in both cases.
    pub(crate) fn letter(byte: u8, fold: bool) -> Self {
        if fold {
            Self::of(&[byte.to_ascii_lowercase(), byte.to_ascii_uppercase()])
        } else {
            Self::of(&[byte])
        }
    }

    pub(crate) const fn with(self, byte: u8) -> Self {
        let Self(mut words) = self;
        words[byte as usize >> 6] |= 1 << (byte & 63);
        Self(words)
    }

    pub(crate) const fn without(self, byte: u8) -> Self {
        let Self(mut words) = self;
        words[byte as usize >> 6] &= !(1 << (byte & 63));
        Self(words)
    }

    /// All other bytes.
    pub(crate) fn except(bytes: &[u8]) -> Self {
        bytes.iter().fold(Self::ALL, |set, &byte| set.without(byte))
    }

    pub(crate) fn minus(self, other: Self) -> Self {
        Self(core::array::from_fn(|at| self.0[at] & !other.0[at]))
    }

    pub(crate) const fn contains(&self, byte: u8) -> bool {
        self.0[byte as usize >> 6] & (1 << (byte & 63)) != 0
    }

    pub(crate) fn is_empty(&self) -> bool {
        *self == Self::EMPTY
    }
}

/// A set of markers, by the numbers that the tag set gave them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Mask([u64; 4]);

impl Mask {
    pub(crate) const NONE: Self = Self([0; 4]);
    /// Numbers are below this.
    pub(crate) const MOST: u16 = 256;

    pub(crate) const fn with(self, number: u16) -> Self {
        let Self(mut words) = self;
        words[number as usize >> 6] |= 1 << (number & 63);
        Self(words)
    }

    pub(crate) const fn contains(&self, number: u16) -> bool {
        self.0[number as usize >> 6] & (1 << (number & 63)) != 0
    }

    pub(crate) fn union(self, other: Self) -> Self {
        Self(core::array::from_fn(|at| self.0[at] | other.0[at]))
    }

    pub(crate) fn minus(self, other: Self) -> Self {
        Self(core::array::from_fn(|at| self.0[at] & !other.0[at]))
    }

    pub(crate) const fn meets(&self, other: &Self) -> bool {
        let [a, b, c, d] = self.0;
        let [p, q, r, s] = other.0;
        (a & p) | (b & q) | (c & r) | (d & s) != 0
    }

    pub(crate) const fn is_empty(&self) -> bool {
        !self.meets(&Self([u64::MAX; 4]))
    }
}
