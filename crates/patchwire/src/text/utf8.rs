//! UTF-8 across chunk boundaries.

use crate::held::{Held, HeldBy};

/// A run of text, and its bytes in the input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece<'a> {
    /// Bytes of the chunk, unchanged.
    Run(&'a str),
    /// A code point that a chunk boundary cut, reassembled from `len` bytes of input.
    Joined { char: char, len: u8 },
    /// U+FFFD for `len` bytes that are not UTF-8 (one maximal subpart, Unicode §3.9).
    Replaced { len: u8 },
}

/// The bytes of an incomplete code point.
///
/// Invariant: `len <= 3`, and `bytes[..len]` is the beginning of a well-formed code point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Carry {
    bytes: [u8; 4],
    len: u8,
}

impl Carry {
    pub(crate) const fn is_empty(self) -> bool {
        self.len == 0
    }

    /// The carried bytes, if any; they begin at `from`.
    pub(crate) fn held(&self, from: u64) -> Option<Held> {
        let bytes = &self.bytes[..usize::from(self.len)];
        (!bytes.is_empty()).then(|| Held::new(HeldBy::CodePoint, from, bytes))
    }

    /// Takes the next run from the front of `rest`. `None` when `rest` is used up.
    pub(crate) fn next<'a>(&mut self, rest: &mut &'a [u8]) -> Option<Piece<'a>> {
        if self.len > 0 {
            return self.join(rest);
        }
        if rest.is_empty() {
            return None;
        }
        match core::str::from_utf8(rest) {
            Ok(text) => {
                *rest = &[];
                Some(Piece::Run(text))
            }
            Err(error) => self.split(rest, error),
        }
    }

    /// The end of the input: carried bytes can no longer be completed.
    pub(crate) fn finish(&mut self) -> Option<Piece<'static>> {
        let len = core::mem::take(self).len;
        (len > 0).then_some(Piece::Replaced { len })
    }

    fn split<'a>(&mut self, rest: &mut &'a [u8], error: core::str::Utf8Error) -> Option<Piece<'a>> {
        let (valid, after) = rest.split_at(error.valid_up_to());
        if !valid.is_empty() {
            *rest = after;
            return core::str::from_utf8(valid).ok().map(Piece::Run);
        }
        if let Some(len) = error.error_len() {
            *rest = &after[len..];
            return Some(Piece::Replaced { len: len as u8 });
        }
        self.bytes[..after.len()].copy_from_slice(after);
        self.len = after.len() as u8;
        *rest = &[];
        None
    }

    fn join<'a>(&mut self, rest: &mut &'a [u8]) -> Option<Piece<'a>> {
        while let Some((&byte, after)) = rest.split_first() {
            let len = usize::from(self.len);
            self.bytes[len] = byte;
            match core::str::from_utf8(&self.bytes[..=len]) {
                Ok(text) => {
                    let char = text.chars().next()?;
                    *rest = after;
                    *self = Self::default();
                    return Some(Piece::Joined { char, len: len as u8 + 1 });
                }
                Err(error) if error.error_len().is_none() => {
                    *rest = after;
                    self.len += 1;
                }
                // The byte does not continue the sequence: it is read again as a first byte.
                Err(_) => {
                    *self = Self::default();
                    return Some(Piece::Replaced { len: len as u8 });
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::{Carry, Piece};

    fn text(bytes: &[u8], cut: usize) -> String {
        let mut carry = Carry::default();
        let mut out = String::new();
        for chunk in [&bytes[..cut], &bytes[cut..]] {
            let mut rest = chunk;
            while let Some(piece) = carry.next(&mut rest) {
                push(&mut out, piece);
            }
        }
        if let Some(piece) = carry.finish() {
            push(&mut out, piece);
        }
        out
    }

    fn push(out: &mut String, piece: Piece<'_>) {
        match piece {
            Piece::Run(text) => out.push_str(text),
            Piece::Joined { char, .. } => out.push(char),
            Piece::Replaced { .. } => out.push('\u{FFFD}'),
        }
    }

    #[test]
    fn every_cut_reads_as_the_standard_library_reads_the_whole() {
        let samples: [&[u8]; 7] = [
            "aé漢😀z".as_bytes(),
            b"\xff\xfea",
            b"\xe2\x82",
            b"\xe2\x82a",
            b"\xf0\x9f\x98",
            b"\xf0\x80\x80\x80",
            b"\xed\xa0\x80x",
        ];
        for bytes in samples {
            for cut in 0..=bytes.len() {
                assert_eq!(text(bytes, cut), String::from_utf8_lossy(bytes), "{bytes:x?} at {cut}");
            }
        }
    }
}
