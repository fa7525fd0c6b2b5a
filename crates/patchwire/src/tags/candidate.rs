//! A place where a marker may have begun.

use super::guard::{Guard, Rule};
use super::place::Place;
use crate::lex::marker::{At, Automaton, Walk};

/// A place where a marker may have begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Candidate {
    pub(super) start: u64,
    pub(super) walk: Walk,
    pub(super) rule: Rule,
    /// Whether it begins a line.
    pub(super) fresh: bool,
    /// The code around its first byte.
    pub(super) guard: Guard,
    /// The longest marker so far that it is: where the automaton stood, and where that ended.
    pub(super) whole: Option<(At, u64)>,
    /// It may become no more than it is.
    pub(super) done: bool,
}

impl Candidate {
    /// One byte more, which stands at this offset, and where a marker may end or not.
    pub(super) fn step(
        &mut self,
        automaton: &Automaton,
        place: &Place,
        (byte, offset): (u8, u64),
        may_end: bool,
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
            if may_end {
                self.whole = Some((at, offset + 1));
            }
            self.done = !automaton.goes_on(at, &counts);
        }
    }
}

/// Bytes of the character that a byte begins; of one that begins none, the byte.
pub(super) const fn char_len(byte: u8) -> u64 {
    match byte {
        0xC0..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xFF => 4,
        _ => 1,
    }
}
