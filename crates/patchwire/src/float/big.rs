//! Whole numbers of any size, as much of them as reading a decimal takes.

use core::cmp::Ordering;

/// Digits in base 2^32, the lowest first, without zeros at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Big(Vec<u32>);

impl Big {
    /// The number with these decimal digits.
    pub(super) fn of(digits: &[u8]) -> Self {
        let mut all = Self(Vec::new());
        for digit in digits {
            all.grow(10, u32::from(*digit));
        }
        all
    }

    pub(super) const fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    /// Multiplies, and adds.
    fn grow(&mut self, factor: u32, more: u32) {
        let mut carry = u64::from(more);
        for limb in &mut self.0 {
            carry += u64::from(*limb) * u64::from(factor);
            *limb = carry as u32;
            carry >>= 32;
        }
        if carry > 0 {
            self.0.push(carry as u32);
        }
    }

    pub(super) fn times_ten_to(&mut self, power: u64) {
        for _ in 0..power {
            self.grow(10, 0);
        }
    }

    /// How many bits it has.
    pub(super) fn bits(&self) -> i64 {
        let last = self.0.last().map_or(0, |limb| 32 - limb.leading_zeros());
        i64::from(last) + 32 * (self.0.len() as i64 - 1).max(0)
    }

    pub(super) fn shift_left(&mut self, bits: u64) {
        for _ in 0..bits % 32 {
            self.grow(2, 0);
        }
        if !self.is_zero() {
            self.0.splice(0..0, core::iter::repeat_n(0, (bits / 32) as usize));
        }
    }

    /// The whole part of a quotient that has at most 65 bits. What is left is the remainder.
    pub(super) fn divide_by(&mut self, divisor: &Self) -> u128 {
        let mut quotient = 0;
        let mut part = divisor.clone();
        part.shift_left(65);
        for _ in 0..=65 {
            quotient <<= 1;
            if self.compare(&part).is_ge() {
                self.subtract(&part);
                quotient |= 1;
            }
            part.halve();
        }
        quotient
    }

    fn compare(&self, other: &Self) -> Ordering {
        let from_top = |big: &Self| big.0.clone().into_iter().rev();
        self.0.len().cmp(&other.0.len()).then_with(|| from_top(self).cmp(from_top(other)))
    }

    /// Subtracts what is not greater.
    fn subtract(&mut self, other: &Self) {
        let mut borrow = 0;
        for (at, limb) in self.0.iter_mut().enumerate() {
            let less = i64::from(*limb) - i64::from(other.0.get(at).copied().unwrap_or(0)) - borrow;
            *limb = less as u32;
            borrow = i64::from(less < 0);
        }
        self.trim();
    }

    fn halve(&mut self) {
        let mut above = 0;
        for limb in self.0.iter_mut().rev() {
            let low = *limb & 1;
            *limb = *limb >> 1 | above << 31;
            above = low;
        }
        self.trim();
    }

    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }
}
