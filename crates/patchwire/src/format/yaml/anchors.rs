//! Values with a name, and what stands for them elsewhere.
//!
//! While a value with an anchor is read, what is told of it is written down, scalars as they are
//! written: an alias in a field of another type may mean another value. What aliases stand for is
//! bounded in nodes and bytes, each time anew: a few of them can name billions.

use core::ops::Bound;
use std::collections::BTreeMap;

/// One thing that was told of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Object,
    List,
    Close,
    Key,
    Scalar { plain: bool },
}

/// Values that aliases may stand for, in all.
const MOST_NODES: usize = 10_000;
/// Bytes of text that is written down, and that aliases may stand for.
const MOST_BYTES: usize = 1 << 20;
/// Parts that are written down.
const MOST_PARTS: usize = 1 << 16;

/// A value that is being written down.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Open {
    name: String,
    start: usize,
    depth: usize,
}

/// The anchors of a document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Anchors {
    /// Each with the end of its text.
    parts: Vec<(Part, usize)>,
    text: String,
    known: BTreeMap<String, (usize, usize)>,
    open: Vec<Open>,
    /// What aliases stood for so far.
    nodes: usize,
    bytes: usize,
}

impl Anchors {
    /// The next value, at this depth, has a name.
    pub(super) fn begin(&mut self, name: &str, depth: usize) {
        self.known.remove(name);
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

    /// Something is told, with its text or the first piece of it.
    pub(super) fn add(&mut self, part: Part, text: &str) {
        if self.open.is_empty() {
            return;
        }
        self.text.push_str(text);
        self.parts.push((part, self.text.len()));
        self.bound();
    }

    /// The scalar that was told last grows.
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
        if self.text.len() > MOST_BYTES || self.parts.len() > MOST_PARTS {
            self.open.clear();
        }
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

    /// The parts of a value, if aliases may still stand for so many.
    pub(super) fn take(&mut self, name: &str) -> Option<(usize, usize)> {
        let (start, end) = *self.known.get(name)?;
        self.charge(start, end).then_some((start, end))
    }

    fn charge(&mut self, start: usize, end: usize) -> bool {
        let nodes = end - start;
        let bytes = self.text_before(end) - self.text_before(start);
        if self.nodes + nodes > MOST_NODES || self.bytes + bytes > MOST_BYTES {
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
