//! Short runs of ASCII as text.

use ascii::{AsciiChar, AsciiStr, ToAsciiChar as _};

use super::HIGHS;

/// Room for a text of one to eight ASCII characters.
///
/// Checked in place, bytes become text by a call into another crate. A check with a copy is a few instructions, which
/// every build inlines.
#[derive(Debug)]
pub(crate) struct ShortText([AsciiChar; 8]);

impl ShortText {
    #[inline(always)]
    pub(crate) const fn new() -> Self {
        Self([AsciiChar::Null; 8])
    }

    /// Copies one to eight bytes, if all are ASCII and `stops` sets no high bit. It gets the bytes as a little-endian word
    /// with spaces behind them.
    #[inline(always)]
    pub(crate) fn copy(&mut self, bytes: &[u8], stops: impl Fn(u64) -> u64) -> Option<&str> {
        // A constant length removes the loops.
        match bytes.len() {
            1 => self.copy_len::<1>(bytes, stops),
            2 => self.copy_len::<2>(bytes, stops),
            3 => self.copy_len::<3>(bytes, stops),
            4 => self.copy_len::<4>(bytes, stops),
            5 => self.copy_len::<5>(bytes, stops),
            6 => self.copy_len::<6>(bytes, stops),
            7 => self.copy_len::<7>(bytes, stops),
            8 => self.copy_len::<8>(bytes, stops),
            _ => None,
        }
    }

    #[inline(always)]
    fn copy_len<const N: usize>(
        &mut self,
        bytes: &[u8],
        stops: impl Fn(u64) -> u64,
    ) -> Option<&str> {
        let mut padded = [b' '; 8];
        padded[..N].copy_from_slice(bytes.first_chunk::<N>()?);
        let word = u64::from_le_bytes(padded);
        if (stops(word) | word) & HIGHS != 0 {
            return None;
        }
        self.0 = ascii(word);
        Some(<&AsciiStr>::from(&self.0[..N]).as_str())
    }
}

/// The characters of eight bytes of ASCII.
// Written out: the compiler calls a function for `map`, and its checks of each byte stay.
#[inline(always)]
fn ascii(word: u64) -> [AsciiChar; 8] {
    // The mask changes nothing. The compiler sees by it that no character is replaced.
    let [a, b, c, d, e, f, g, h] = (word & !HIGHS).to_le_bytes();
    [char(a), char(b), char(c), char(d), char(e), char(f), char(g), char(h)]
}

#[inline(always)]
fn char(byte: u8) -> AsciiChar {
    byte.to_ascii_char().unwrap_or(AsciiChar::Space)
}
