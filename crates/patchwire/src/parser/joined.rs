//! A code point that a chunk cut, or that stands for bytes that are none.

/// One code point that stands alone, and the bytes of the stream it stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Joined {
    pub(super) text: [u8; 4],
    pub(super) len: u8,
    /// Bytes of the stream.
    pub(super) raw: u8,
    pub(super) replaced: bool,
    /// Whether it was noted that it stands for bytes that are not UTF-8.
    pub(super) noted: bool,
    pub(super) read: u8,
}

impl Joined {
    pub(super) fn new(char: char, raw: u8, replaced: bool) -> Self {
        let mut text = [0; 4];
        let len = char.encode_utf8(&mut text).len() as u8;
        Self { text, len, raw, replaced, noted: false, read: 0 }
    }

    pub(super) fn str(&self) -> &str {
        core::str::from_utf8(&self.text[..usize::from(self.len)]).unwrap_or("\u{FFFD}")
    }
}
