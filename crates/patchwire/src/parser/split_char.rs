//! A code point that a chunk boundary cut, reassembled; or U+FFFD in place of invalid bytes.

use crate::lex::Input;

/// A code point that is read separately from the chunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SplitChar {
    pub(super) text: [u8; 4],
    pub(super) len: u8,
    /// The number of stream bytes that it replaces.
    pub(super) raw: u8,
    /// Whether it is U+FFFD in place of invalid bytes.
    pub(super) replaced: bool,
    /// Whether the notice of invalid bytes was emitted.
    pub(super) noted: bool,
    /// The number of its bytes that were read. Events are pulled one at a time.
    pub(super) read: u8,
}

impl SplitChar {
    pub(super) fn new(char: char, raw: u8, replaced: bool) -> Self {
        let mut text = [0; 4];
        let len = char.encode_utf8(&mut text).len() as u8;
        Self { text, len, raw, replaced, noted: false, read: 0 }
    }

    pub(super) fn str(&self) -> &str {
        core::str::from_utf8(&self.text[..usize::from(self.len)]).unwrap_or("\u{FFFD}")
    }

    /// The code point as input at this offset of the stream.
    pub(super) fn input(&self, offset: u64) -> Input<'_> {
        if self.replaced {
            Input::replaced(self.str(), offset, self.raw)
        } else {
            Input::new(self.str(), offset)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SplitChar;

    #[test]
    fn its_length_in_the_stream_is_that_of_the_bytes_it_replaces() {
        for (char, raw, replaced) in [('é', 2, false), ('\u{FFFD}', 1, true), ('🚀', 4, false)] {
            let split = SplitChar::new(char, raw, replaced);
            let mut input = split.input(10);
            assert_eq!((input.text(), input.offset()), (split.str(), 10));
            input.pos = split.str().len();
            assert_eq!(input.offset(), 10 + u64::from(raw), "{char}");
        }
    }
}
