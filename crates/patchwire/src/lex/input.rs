//! The input of a machine: a run of text with a position.

use crate::span::Span;

/// A run of text, a position in it, and its offset in the stream.
///
/// A machine moves [`pos`](Self::pos) forward past the text that it has read. `pos` is always a code point
/// boundary. A machine keeps the text that it holds back, because the input is dropped after the run.
#[derive(Debug)]
pub struct Input<'a> {
    text: &'a str,
    /// The position, in bytes of the text.
    pub pos: usize,
    base: u64,
    /// The number of stream bytes of the run, if it is U+FFFD in place of invalid bytes.
    replaced: Option<u64>,
}

impl<'a> Input<'a> {
    /// A run of the stream that begins at the offset `base`.
    #[must_use]
    pub const fn new(text: &'a str, base: u64) -> Self {
        Self { text, pos: 0, base, replaced: None }
    }

    /// One U+FFFD in place of `len` bytes of the stream.
    pub(crate) const fn replaced(text: &'a str, base: u64, len: u8) -> Self {
        Self { text, pos: 0, base, replaced: Some(len as u64) }
    }

    /// Text in place of this span of the stream.
    pub(crate) const fn of_span(text: &'a str, span: Span) -> Self {
        let len = span.end - span.start;
        let replaced = if len == text.len() as u64 { None } else { Some(len) };
        Self { text, pos: 0, base: span.start, replaced }
    }

    pub(crate) const fn is_replaced(&self) -> bool {
        self.replaced.is_some()
    }

    /// The stream offset of the position.
    #[must_use]
    pub const fn offset(&self) -> u64 {
        self.offset_of(self.pos)
    }

    /// The stream offset of another position of the text.
    #[must_use]
    pub const fn offset_of(&self, pos: usize) -> u64 {
        match self.replaced {
            None => self.base + pos as u64,
            Some(len) => self.base + if pos == 0 { 0 } else { len },
        }
    }

    /// The position of a stream offset, at most the end of the run.
    pub(crate) fn position_of(&self, offset: u64) -> usize {
        match self.replaced {
            Some(_) => self.text.len(),
            None => usize::try_from(offset - self.base).unwrap_or(usize::MAX).min(self.text.len()),
        }
    }

    /// The run up to `end`.
    pub(crate) fn up_to(&self, end: usize) -> Self {
        Self { text: &self.text[..end], pos: self.pos, base: self.base, replaced: self.replaced }
    }

    /// The whole run.
    #[must_use]
    pub const fn text(&self) -> &'a str {
        self.text
    }

    /// The unread text.
    #[must_use]
    pub fn rest(&self) -> &'a str {
        &self.text[self.pos..]
    }

    /// The unread bytes.
    #[must_use]
    pub fn bytes(&self) -> &'a [u8] {
        &self.text.as_bytes()[self.pos..]
    }

    /// The next byte.
    #[must_use]
    pub fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.pos).copied()
    }

    /// Whether all text is read.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        self.pos >= self.text.len()
    }

    /// The next code point.
    #[must_use]
    pub fn peek_char(&self) -> Option<char> {
        self.rest().chars().next()
    }
}
