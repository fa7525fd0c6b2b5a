//! Text that may become a marker: bytes kept from earlier chunks, and what the input still has.

use super::routed::Routed;
use crate::lex::Input;
use crate::span::Span;

/// The bytes from the oldest candidate on that have left the input.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct HeldText {
    held: String,
    /// Stream offset of the first held byte.
    base: u64,
    /// Bytes that were held and turned out to be text.
    released: String,
}

impl HeldText {
    pub(super) fn as_str(&self) -> &str {
        &self.held
    }

    pub(super) fn is_empty(&self) -> bool {
        self.held.is_empty()
    }

    pub(super) fn released(&self) -> &str {
        &self.released
    }

    /// Calls `read` with the released text, and with the rest of the router unborrowed.
    pub(super) fn take_released(&mut self) -> String {
        core::mem::take(&mut self.released)
    }

    pub(super) fn put_released(&mut self, released: String) {
        self.released = released;
    }

    /// Drops what does not influence later results.
    pub(super) fn canonicalize(&mut self) {
        self.released.clear();
        if self.held.is_empty() {
            self.base = 0;
        }
    }

    /// Keeps the rest of an input that is about to be dropped.
    pub(super) fn absorb(&mut self, input: &mut Input<'_>) {
        if input.is_done() {
            return;
        }
        if self.held.is_empty() {
            self.base = input.offset();
        }
        self.held.push_str(input.rest());
        input.pos = input.text().len();
    }

    /// Gives out the text before an offset. Held text comes first and may end earlier.
    pub(super) fn give(&mut self, input: &Input<'_>, until: u64) -> Routed {
        if self.held.is_empty() {
            return Routed::Clear(input.position_of(until));
        }
        self.release(until.min(self.end()))
    }

    /// Gives out the held text before an offset.
    pub(super) fn release(&mut self, end: u64) -> Routed {
        let len = (end - self.base) as usize;
        self.released.clear();
        self.released.push_str(&self.held[..len]);
        self.held.drain(..len);
        self.base = end;
        Routed::Released { end }
    }

    /// Gives out all held text, if there is any.
    pub(super) fn release_all(&mut self) -> Option<Routed> {
        (!self.held.is_empty()).then(|| self.release(self.end()))
    }

    /// Consumes the bytes of a marker that ends at an offset.
    pub(super) fn eat(&mut self, input: &mut Input<'_>, until: u64) {
        if !self.held.is_empty() && until < self.end() {
            self.held.drain(..(until - self.base) as usize);
            self.base = until;
            return;
        }
        self.held.clear();
        if until > input.offset() {
            input.pos = input.position_of(until);
        }
    }

    /// Stream offset just past the held text.
    pub(super) fn end(&self) -> u64 {
        self.base + self.held.len() as u64
    }

    /// Stream offset of the first undecided byte.
    pub(super) fn front(&self, input: &Input<'_>) -> u64 {
        if self.held.is_empty() { input.offset() } else { self.base }
    }

    /// Stream offset of the first byte that may be read again; `next` is the offset of the input.
    pub(super) fn front_before(&self, next: u64) -> u64 {
        if self.held.is_empty() { next } else { self.base }
    }

    /// The held bytes from an offset on, if the offset lies in the held text.
    pub(super) fn from(&self, offset: u64) -> Option<&[u8]> {
        // Without held text its end lies before the input.
        (offset < self.end()).then(|| &self.held.as_bytes()[(offset - self.base) as usize..])
    }

    pub(super) fn byte(&self, input: &Input<'_>, at: u64) -> Option<u8> {
        let held = at.checked_sub(self.base).filter(|_| !self.held.is_empty());
        if let Some(&byte) = held.and_then(|at| self.held.as_bytes().get(at as usize)) {
            return Some(byte);
        }
        let at = input.pos + usize::try_from(at.checked_sub(input.offset())?).ok()?;
        input.text().as_bytes().get(at).copied()
    }

    pub(super) fn text(&self, input: &Input<'_>, span: Span) -> String {
        let bytes = (span.start..span.end).filter_map(|at| self.byte(input, at)).collect();
        String::from_utf8(bytes).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::{HeldText, Routed};
    use crate::lex::Input;
    use crate::span::Span;

    /// Holds `<th` of a chunk that began at offset 10, with `ink>x` as the next chunk.
    fn held() -> (HeldText, Input<'static>) {
        let mut held = HeldText::default();
        held.absorb(&mut Input::new("<th", 10));
        (held, Input::new("ink>x", 13))
    }

    #[test]
    fn text_and_bytes_cross_the_chunk_boundary() {
        let (held, input) = held();
        assert_eq!(held.text(&input, Span::new(10, 17)), "<think>");
        let bytes = [9, 10, 12, 13, 17, 18].map(|at| held.byte(&input, at));
        assert_eq!(bytes, [None, Some(b'<'), Some(b'h'), Some(b'i'), Some(b'x'), None]);
        assert_eq!((held.front(&input), held.end()), (10, 13));
        assert_eq!((held.from(11), held.from(13)), (Some(&b"th"[..]), None));
    }

    #[test]
    fn text_before_an_offset_is_released_from_the_held_bytes_first() {
        for (until, routed, released, rest) in [
            (11, Routed::Released { end: 11 }, "<", "th"),
            (13, Routed::Released { end: 13 }, "<th", ""),
            (16, Routed::Released { end: 13 }, "<th", ""),
        ] {
            let (mut held, input) = held();
            assert_eq!(held.give(&input, until), routed);
            assert_eq!((held.released(), held.as_str()), (released, rest));
        }
        let (mut held, input) = (HeldText::default(), Input::new("abc", 4));
        assert_eq!(held.give(&input, 6), Routed::Clear(2));
        assert_eq!(held.release_all(), None);
    }

    #[test]
    fn a_marker_is_eaten_from_both_sides() {
        for (until, rest, pos) in [(12, "h", 0), (13, "", 0), (17, "", 4)] {
            let (mut held, mut input) = held();
            held.eat(&mut input, until);
            assert_eq!((held.as_str(), input.pos), (rest, pos), "{until}");
        }
    }

    #[test]
    fn canonical_state_has_no_offset_without_held_text() {
        let (mut held, input) = held();
        held.give(&input, 13);
        held.canonicalize();
        assert_eq!(held, HeldText::default());
    }
}
