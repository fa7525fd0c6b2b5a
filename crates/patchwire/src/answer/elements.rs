//! The elements of an answer: what lay between markers, in order, as a tree.

use core::fmt;
use std::borrow::Cow;

use crate::document::{DocId, ValueRef};
use crate::element::{CloseReason, ElementId, Params};
use crate::span::Span;
use crate::transcript::{Item, Record};

use super::Answer;

/// An element of the tag set, as it came.
#[derive(Clone, Copy)]
pub struct Element<'a> {
    answer: &'a Answer,
    id: u32,
    record: &'a Record,
}

/// What stands in an element, or outside all of them.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Node<'a> {
    /// Text.
    Text {
        /// Where the tag set routes it.
        channel: &'a str,
        /// The text, up to the next element or marker.
        text: &'a str,
    },
    /// A comment.
    Comment(&'a str),
    /// An element.
    Element(Element<'a>),
}

impl<'a> Element<'a> {
    pub(super) fn new(answer: &'a Answer, id: u32) -> Option<Self> {
        let record = answer.0.transcript.element(id)?;
        Some(Self { answer, id, record })
    }

    /// Its number.
    #[must_use]
    pub const fn id(&self) -> ElementId {
        ElementId(self.id)
    }

    /// Comments are kept as elements, but are none.
    pub(super) fn is_comment(&self) -> bool {
        self.answer.0.transcript.is_comment(self.record)
    }

    /// The element it lies in.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        Self::new(self.answer, self.record.parent)
    }

    /// The family's name.
    #[must_use]
    pub fn name(&self) -> &'a str {
        self.answer.0.transcript.name(self.record)
    }

    /// Where its text goes.
    #[must_use]
    pub fn channel(&self) -> &'a str {
        self.answer.0.transcript.channel(self.record.route)
    }

    /// What its opener says beside its name.
    #[must_use]
    pub fn params(&self) -> Params<'a> {
        Params::new(&self.record.params)
    }

    /// What closed it.
    #[must_use]
    pub fn reason(&self) -> CloseReason {
        self.record.reason.unwrap_or(CloseReason::EndOfInput)
    }

    /// Whether a closer ended it.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        matches!(self.reason(), CloseReason::Observed | CloseReason::Mismatched)
    }

    /// From its opener's first byte to its closer's last.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.record.span
    }

    /// Its own text, without that of elements in it.
    #[must_use]
    pub fn text(&self) -> Cow<'a, str> {
        let mut pieces = self.nodes().filter_map(|node| match node {
            Node::Text { text, .. } => Some(text),
            _ => None,
        });
        let first = pieces.next().unwrap_or("");
        match pieces.next() {
            None => Cow::Borrowed(first),
            Some(second) => {
                let all = [first, second].into_iter().chain(pieces);
                Cow::Owned(all.collect())
            }
        }
    }

    /// The bytes between its markers, unless the parser was emitted not to keep them.
    #[must_use]
    pub fn raw(&self) -> Option<&'a [u8]> {
        let Span { start, end } = self.record.inside;
        let (start, end) = (usize::try_from(start).ok()?, usize::try_from(end).ok()?);
        self.answer.raw()?.get(start..end)
    }

    /// The number of the document that is its body; none if the body is text. A body with several roots
    /// has the number of the first.
    #[must_use]
    pub const fn document(&self) -> Option<DocId> {
        self.record.document
    }

    /// The value of its body, where that is a document.
    #[must_use]
    pub fn value(&self) -> Option<ValueRef<'a>> {
        let value = self.answer.document(self.document()?)?;
        value.exists().then_some(value)
    }

    /// What stands in it, in order.
    #[must_use]
    pub fn nodes(&self) -> Nodes<'a> {
        let items = &self.record.items;
        Nodes { answer: self.answer, at: items.start + 1, end: items.end }
    }

    /// The elements directly in it.
    pub fn children(&self) -> impl Iterator<Item = Self> {
        self.nodes().filter_map(|node| match node {
            Node::Element(element) => Some(element),
            _ => None,
        })
    }
}

impl fmt::Debug for Element<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Element")
            .field("id", &self.id)
            .field("name", &self.name())
            .field("span", &self.span())
            .finish_non_exhaustive()
    }
}

/// What stands in an element, in order. Made by [`Element::nodes`] and [`Answer::nodes`].
#[derive(Debug, Clone)]
pub struct Nodes<'a> {
    answer: &'a Answer,
    at: usize,
    end: usize,
}

impl<'a> Nodes<'a> {
    pub(super) fn all(answer: &'a Answer) -> Self {
        Self { answer, at: 0, end: answer.0.transcript.items.len() }
    }
}

impl<'a> Iterator for Nodes<'a> {
    type Item = Node<'a>;

    fn next(&mut self) -> Option<Node<'a>> {
        let transcript = &self.answer.0.transcript;
        while self.at < self.end {
            let item = &transcript.items[self.at];
            self.at += 1;
            match item {
                Item::Text { route, text, .. } => {
                    let (channel, text) = (transcript.channel(*route), transcript.slice(text));
                    return Some(Node::Text { channel, text });
                }
                Item::Comment { text, .. } => return Some(Node::Comment(transcript.slice(text))),
                Item::Open(id) => {
                    let element = Element::new(self.answer, *id)?;
                    if !element.is_comment() {
                        self.at = element.record.items.end + 1;
                        return Some(Node::Element(element));
                    }
                }
                Item::Close(_) | Item::Break => {}
            }
        }
        None
    }
}
