//! Bytes that may become a marker.

use super::code_guard::{CodeGuard, MarkerRule};
use super::marker_place::MarkerPlace;
use crate::lex::marker::{Automaton, StateIndex, Walk};

/// Bytes that may become a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MarkerCandidate {
    /// Stream offset of the first byte.
    pub(super) start: u64,
    pub(super) walk: Walk,
    pub(super) rule: MarkerRule,
    /// Whether only whitespace precedes on the line.
    pub(super) fresh: bool,
    /// The code around the first byte.
    pub(super) guard: CodeGuard,
    /// The longest complete marker so far: the state of the automaton, and the offset of its end.
    pub(super) whole: Option<(StateIndex, u64)>,
    /// Whether no longer marker is possible.
    pub(super) done: bool,
}

impl MarkerCandidate {
    /// Reads a byte. `end` is the offset behind it if a marker may end with it.
    pub(super) fn step(
        &mut self,
        automaton: &Automaton,
        place: &MarkerPlace,
        byte: u8,
        end: Option<u64>,
    ) {
        if self.done {
            return;
        }
        let counts = place.seen(self.rule, self.fresh);
        let walk = automaton.go(self.walk, byte);
        let at = walk.at;
        if !automaton.reaches(at).meets(&counts) {
            self.done = true;
            return;
        }
        self.walk = walk;
        if automaton.accept(at, &counts).is_some() {
            if let Some(end) = end {
                self.whole = Some((at, end));
            }
            self.done = !automaton.goes_on(at, &counts);
        }
    }
}

/// Length of the character that a byte begins. 1 for a byte that begins none.
pub(super) const fn char_len(byte: u8) -> u64 {
    match byte {
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xFF => 4,
        _ => 1,
    }
}
