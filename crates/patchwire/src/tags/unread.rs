//! What is held and what of the input is unread, as one text.

use super::router::{Routed, Router};
use crate::lex::Input;
use crate::span::Span;

impl Router {
    /// Keeps what is held of an input that is about to go.
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

    /// Gives out what lies before an offset: what is held first.
    pub(super) fn give(&mut self, input: &Input<'_>, until: u64) -> Routed {
        if self.held.is_empty() {
            return Routed::Clear(input.position_of(until));
        }
        self.release(until.min(self.base + self.held.len() as u64))
    }

    /// Gives out what is held before an offset.
    pub(super) fn release(&mut self, end: u64) -> Routed {
        let len = (end - self.base) as usize;
        self.released.clear();
        self.released.push_str(&self.held[..len]);
        self.held.drain(..len);
        self.base = end;
        Routed::Released { end }
    }

    /// Passes over the bytes of a marker.
    pub(super) fn eat(&mut self, input: &mut Input<'_>, until: u64) {
        let seam = self.base + self.held.len() as u64;
        if !self.held.is_empty() && until < seam {
            self.held.drain(..(until - self.base) as usize);
            self.base = until;
            return;
        }
        self.held.clear();
        if until > input.offset() {
            input.pos = input.position_of(until);
        }
    }

    /// Where what is neither text nor marker yet begins.
    pub(super) fn front(&self, input: &Input<'_>) -> u64 {
        if self.held.is_empty() { input.offset() } else { self.base }
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
