//! A closer of a raw element waits for what may follow it: the opener of a sibling, a closer of the
//! element around, or the end of the input.

use super::set::{TagSet, closer, opener};
use super::stack::{Found, Open};
use crate::lex::marker::{Automaton, Mask, Walk};

/// Blanks and line breaks that may stand between, at most.
pub(super) const MOST_BETWEEN: u16 = 64;

/// The closer that waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Follow {
    pub(super) closer: Found,
    followers: Mask,
    blanks: u16,
    /// In the follower, if it has begun.
    walk: Option<Walk>,
}

/// What a byte behind the closer says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Not yet known.
    Wait,
    /// It was the closer.
    Closer,
    /// It was content.
    Content,
}

impl Follow {
    /// What has to follow a closer here; none where it counts anyhow.
    pub(super) fn behind(
        tags: &TagSet,
        stack: &[Open],
        closes: usize,
        found: &Found,
    ) -> Option<Self> {
        let element = tags.family(stack[closes].family);
        let parent = stack[..closes].last().filter(|_| !element.within.is_empty())?;
        let around = tags.family(parent.family);
        let mut followers = Mask::NONE;
        for other in tags.numbers() {
            if tags.family(other).within.contains(&around.name) {
                followers = followers.with(opener(other));
            }
            if stack[..closes].iter().any(|open| tags.may_close(other, open.family)) {
                followers = followers.with(closer(other));
            }
        }
        Some(Self { closer: found.clone(), followers, blanks: 0, walk: None })
    }

    /// One byte behind the closer.
    pub(super) fn step(&mut self, automaton: &Automaton, byte: u8) -> Verdict {
        let Some(walk) = self.walk else {
            if matches!(byte, b' ' | b'\t' | b'\r' | b'\n') {
                self.blanks += 1;
                return if self.blanks > MOST_BETWEEN { Verdict::Content } else { Verdict::Wait };
            }
            return self.go(automaton, Walk::START, byte);
        };
        self.go(automaton, walk, byte)
    }

    fn go(&mut self, automaton: &Automaton, walk: Walk, byte: u8) -> Verdict {
        let walk = automaton.go(walk, byte);
        if !automaton.reaches(walk.at).meets(&self.followers) {
            return Verdict::Content;
        }
        self.walk = Some(walk);
        match automaton.accept(walk.at, &self.followers) {
            Some(_) => Verdict::Closer,
            None => Verdict::Wait,
        }
    }

    /// Whether a marker has begun behind it.
    pub(super) const fn is_in_follower(&self) -> bool {
        self.walk.is_some()
    }
}
