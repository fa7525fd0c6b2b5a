//! Finds markers in text, and says which text lies in which element.

use super::set::{Marker, TagSet};
use crate::held::{Held, HeldBy};
use crate::lex::Input;
use crate::lex::marker::Position;

/// What was found at the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Routed {
    /// The input is free of markers up to this position. Nothing was eaten.
    Clear(usize),
    /// Bytes that were held are text after all: they lie in [`Router::released`], and ended in the
    /// stream at this offset.
    Released { end: u64 },
    /// A marker; its last byte was eaten.
    Marker(Marker),
}

/// The position among markers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Router {
    tags: TagSet,
    /// The family of the open element.
    inside: Option<u16>,
    at: Position,
    /// The bytes of the oldest live candidate, as they came.
    held: String,
    released: String,
}

impl Router {
    pub(crate) fn new(tags: TagSet) -> Self {
        let (held, released) = (String::new(), String::new());
        Self { tags, inside: None, at: Position::default(), held, released }
    }

    pub(crate) const fn tags(&self) -> &TagSet {
        &self.tags
    }

    pub(crate) fn enter(&mut self, family: u16) {
        self.inside = Some(family);
    }

    pub(crate) fn leave(&mut self) {
        self.inside = None;
    }

    pub(crate) fn released(&self) -> &str {
        &self.released
    }

    /// What may be a marker, if anything; it ends at `end`.
    pub(crate) fn held(&self, end: u64) -> Option<Held> {
        let held = Held::up_to(HeldBy::Marker, end, &self.held);
        (!self.held.is_empty()).then(|| held.or(self.tags.begun(self.inside, &self.held)))
    }

    /// Forgets what was released: it was told.
    pub(crate) fn forget(&mut self) {
        self.released.clear();
    }

    /// Looks on from the position. The input is not at its end.
    pub(crate) fn step(&mut self, input: &mut Input<'_>) -> Option<Routed> {
        let automaton = self.tags.automaton(self.inside);
        if self.at.is_start() {
            let bytes = input.bytes();
            let clear = automaton.find_start(bytes).unwrap_or(bytes.len());
            if clear > 0 {
                return Some(Routed::Clear(input.pos + clear));
            }
        }
        while let Some(char) = input.peek_char() {
            let next = self.through(char);
            let automaton = self.tags.automaton(self.inside);
            let depth = automaton.depth(next);
            if depth == 0 {
                // The character is part of no candidate: it is looked at on its own.
                self.at = Position::default();
                if self.held.is_empty() {
                    return Some(Routed::Clear(input.pos + char.len_utf8()));
                }
                return Some(self.release(self.held.len(), input.offset()));
            }
            self.held.push(char);
            input.pos += char.len_utf8();
            self.at = next;
            if let Some(marker) = automaton.marker(next) {
                self.held.clear();
                self.at = Position::default();
                return Some(Routed::Marker(Marker::of(marker)));
            }
            if self.held.len() > depth {
                let end = input.offset() - depth as u64;
                return Some(self.release(self.held.len() - depth, end));
            }
        }
        None
    }

    /// The automaton's position after all bytes of a character: a candidate begins and ends with one.
    fn through(&self, char: char) -> Position {
        let automaton = self.tags.automaton(self.inside);
        let mut bytes = [0; 4];
        let bytes = char.encode_utf8(&mut bytes).as_bytes();
        bytes.iter().fold(self.at, |at, &byte| automaton.step(at, byte))
    }

    fn release(&mut self, len: usize, end: u64) -> Routed {
        self.released.clear();
        self.released.push_str(&self.held[..len]);
        self.held.drain(..len);
        Routed::Released { end }
    }

    /// The input ended: what is held is text.
    pub(crate) fn finish(&mut self, end: u64) -> Option<Routed> {
        self.at = Position::default();
        (!self.held.is_empty()).then(|| self.release(self.held.len(), end))
    }
}
