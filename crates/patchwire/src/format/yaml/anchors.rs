//! Values with a name, and what stands for them elsewhere.
//!
//! While a value with an anchor is read, what is emitted of it is written down, scalars as they are
//! written: an alias in a field of another type may mean another value. What aliases stand for is
//! bounded in nodes and bytes, each time anew: a few of them can name billions.

use core::ops::Bound;
use std::collections::BTreeMap;

use crate::limits::{Limit, Limits};

/// One thing that was emitted of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Object,
    List,
    Close,
    Key,
    Scalar { plain: bool },
}

/// Bytes that a part takes beside its text, and a name beside its own.
const PART: usize = 16;
const NAME: usize = 64;

/// A value that is being written down.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Open {
    name: String,
    start: usize,
    depth: usize,
}

/// The anchors of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Anchors {
    /// Values that aliases may stand for, in all.
    most_nodes: usize,
    /// Bytes that are written down, and bytes of text that aliases may stand for.
    most_bytes: usize,
    /// Each with the end of its text.
    parts: Vec<(Part, usize)>,
    text: String,
    known: BTreeMap<String, (usize, usize)>,
    open: Vec<Open>,
    /// Bytes of names.
    names: usize,
    /// What aliases stood for so far.
    nodes: usize,
    bytes: usize,
}

impl Anchors {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            most_nodes: limits.size(Limit::Aliases),
            most_bytes: limits.size(Limit::Deferred),
            parts: Vec::new(),
            text: String::new(),
            known: BTreeMap::new(),
            open: Vec::new(),
            names: 0,
            nodes: 0,
            bytes: 0,
        }
    }

    /// The next value, at this depth, has a name, if there is room for it.
    pub(super) fn begin(&mut self, name: &str, depth: usize) {
        self.known.remove(name);
        self.names += name.len() + NAME;
        if self.is_full() {
            return;
        }
        self.open.push(Open { name: name.to_owned(), start: self.parts.len(), depth });
    }

    /// A value at this depth is whole.
    pub(super) fn end(&mut self, depth: usize) {
        while let Some(open) = self.open.pop_if(|open| open.depth == depth) {
            self.known.insert(open.name, (open.start, self.parts.len()));
        }
    }

    /// Whether a value is being written down.
    pub(super) const fn is_open(&self) -> bool {
        !self.open.is_empty()
    }

    /// Something is emitted, with its text or the first piece of it.
    pub(super) fn add(&mut self, part: Part, text: &str) {
        if self.open.is_empty() {
            return;
        }
        self.text.push_str(text);
        self.parts.push((part, self.text.len()));
        self.bound();
    }

    /// The scalar that was emitted last grows.
    pub(super) fn grow(&mut self, text: &str) {
        if self.open.is_empty() {
            return;
        }
        self.text.push_str(text);
        if let Some((_, end)) = self.parts.last_mut() {
            *end = self.text.len();
        }
        self.bound();
    }

    /// What is too long has no name.
    fn bound(&mut self) {
        if self.is_full() {
            self.open.clear();
        }
    }

    fn is_full(&self) -> bool {
        self.text.len() + PART * self.parts.len() + self.names > self.most_bytes
    }

    pub(super) fn is_known(&self, name: &str) -> bool {
        self.known.contains_key(name)
    }

    /// Whether a known name begins so.
    pub(super) fn begins(&self, start: &str) -> bool {
        let from = (Bound::Included(start), Bound::Unbounded);
        let next = self.known.range::<str, _>(from).next();
        next.is_some_and(|(name, _)| name.starts_with(start))
    }

    /// The text of a known value that is a scalar.
    pub(super) fn scalar(&self, name: &str) -> Option<&str> {
        let (start, end) = *self.known.get(name)?;
        match self.part(start) {
            (Part::Scalar { .. }, text) if end == start + 1 => Some(text),
            _ => None,
        }
    }

    /// The parts of a value, if aliases may still stand for so many.
    pub(super) fn take(&mut self, name: &str) -> Option<(usize, usize)> {
        let (start, end) = *self.known.get(name)?;
        self.charge(start, end).then_some((start, end))
    }

    fn charge(&mut self, start: usize, end: usize) -> bool {
        let nodes = end - start;
        let bytes = self.text_before(end) - self.text_before(start);
        if self.nodes + nodes > self.most_nodes || self.bytes + bytes > self.most_bytes {
            return false;
        }
        self.nodes += nodes;
        self.bytes += bytes;
        true
    }

    /// Where the text of the parts before this one ends.
    fn text_before(&self, at: usize) -> usize {
        at.checked_sub(1).map_or(0, |before| self.parts[before].1)
    }

    /// A part, and its text.
    pub(super) fn part(&self, at: usize) -> (Part, &str) {
        let (part, end) = self.parts[at];
        (part, &self.text[self.text_before(at)..end])
    }

    /// Just past the value that begins with this part.
    pub(super) fn end_of(&self, start: usize) -> usize {
        let mut depth = 0_usize;
        for (at, (part, _)) in self.parts.iter().enumerate().skip(start) {
            match part {
                Part::Object | Part::List => depth += 1,
                Part::Close => depth = depth.saturating_sub(1),
                Part::Key | Part::Scalar { .. } => {}
            }
            if depth == 0 && *part != Part::Key {
                return at + 1;
            }
        }
        self.parts.len()
    }
}
