//! A closer of a raw element counts only before what may follow it: the opener of a sibling, a closer
//! of the element around, or the end of the input.

use super::element_stack::{FoundMarker, OpenElement};
use super::tag_set::{MAX_BETWEEN, TagSet, closer, opener};
use crate::lex::marker::{Automaton, Mask, Walk};

/// A closer whose follower is not yet known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PendingCloser {
    pub(super) closer: FoundMarker,
    followers: Mask,
    /// Whitespace since the closer, in bytes.
    whitespace: u16,
    /// The position in the follower, if one has begun.
    walk: Option<Walk>,
}

/// What a byte after the closer decides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CloserVerdict {
    Undecided,
    /// The marker closes the element.
    Closer,
    /// The marker is content of the element.
    Content,
}

impl PendingCloser {
    /// The pending closer of the element at `closes`. None if the closer needs no follower.
    pub(super) fn new(
        tags: &TagSet,
        stack: &[OpenElement],
        closes: usize,
        found: &FoundMarker,
    ) -> Option<Self> {
        let element = tags.family(stack[closes].family);
        // A closer further out may be content of the innermost element, as in a text about markers.
        let is_outer = closes + 1 < stack.len();
        let is_placed = is_outer || !element.policy.within.is_empty();
        let parent = stack[..closes].last().filter(|_| is_placed)?;
        let around = tags.family(parent.family);
        let mut followers = Mask::NONE;
        for other in tags.numbers() {
            let is_sibling = is_outer && other == stack[closes].family;
            if is_sibling || tags.family(other).policy.within.contains(&around.name) {
                followers = followers.with(opener(other));
            }
            if stack[..closes].iter().any(|open| tags.may_close(other, open.family)) {
                followers = followers.with(closer(other));
            }
        }
        Some(Self { closer: found.clone(), followers, whitespace: 0, walk: None })
    }

    /// Reads one byte after the closer.
    pub(super) fn step(&mut self, automaton: &Automaton, byte: u8) -> CloserVerdict {
        let Some(walk) = self.walk else {
            if matches!(byte, b' ' | b'\t' | b'\r' | b'\n') {
                self.whitespace += 1;
                return if self.whitespace > MAX_BETWEEN {
                    CloserVerdict::Content
                } else {
                    CloserVerdict::Undecided
                };
            }
            return self.go(automaton, Walk::START, byte);
        };
        self.go(automaton, walk, byte)
    }

    fn go(&mut self, automaton: &Automaton, walk: Walk, byte: u8) -> CloserVerdict {
        let walk = automaton.go(walk, byte);
        if !automaton.reaches(walk.at).meets(&self.followers) {
            return CloserVerdict::Content;
        }
        self.walk = Some(walk);
        match automaton.accept(walk.at, &self.followers) {
            Some(_) => CloserVerdict::Closer,
            None => CloserVerdict::Undecided,
        }
    }

    /// Whether a follower has begun.
    pub(super) const fn is_in_follower(&self) -> bool {
        self.walk.is_some()
    }
}
