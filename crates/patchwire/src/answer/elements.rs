//! The elements of an answer, as a tree in the order of the stream.

use core::fmt;
use std::borrow::Cow;

use crate::document::{DocId, ValueRef};
use crate::element::{CloseReason, ElementId, Params};
use crate::limits::Limits;
use crate::span::Span;
use crate::tags::Family;
use crate::transcript::{ElementRecord, TranscriptItem};

use super::Answer;

/// An element of an answer: the region from a marker that opens to the marker that closes it.
#[derive(Clone, Copy)]
pub struct Element<'a> {
    answer: &'a Answer,
    id: u32,
    record: &'a ElementRecord,
}

/// A text, comment or element; a child of an element, or of the answer itself.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum AnswerNode<'a> {
    /// Text.
    Text {
        /// The channel to which the tag set sends the text.
        channel: &'a str,
        /// The text up to the next element or marker.
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

    /// The number of the element, as events carry it.
    #[must_use]
    pub const fn id(&self) -> ElementId {
        ElementId(self.id)
    }

    /// Whether this is a comment: the transcript keeps comments as elements.
    pub(super) fn is_comment(&self) -> bool {
        self.answer.0.transcript.is_comment(self.record)
    }

    /// The element around this one.
    #[must_use]
    pub fn parent(&self) -> Option<Self> {
        Self::new(self.answer, self.record.parent)
    }

    /// The name of the tag family.
    #[must_use]
    pub fn name(&self) -> &'a str {
        self.answer.0.transcript.name(self.record)
    }

    /// The channel of the element's text.
    #[must_use]
    pub fn channel(&self) -> &'a str {
        self.answer.0.transcript.channel(self.record.route)
    }

    /// The parameters of the opener.
    #[must_use]
    pub fn params(&self) -> Params<'a> {
        Params::new(&self.record.params)
    }

    /// What closed the element.
    #[must_use]
    pub fn reason(&self) -> CloseReason {
        self.record.reason.unwrap_or(CloseReason::EndOfInput)
    }

    /// Whether a closer ended the element.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        matches!(self.reason(), CloseReason::Observed | CloseReason::Mismatched)
    }

    /// The bytes from the opener's first to the closer's last.
    #[must_use]
    pub const fn span(&self) -> Span {
        self.record.span
    }

    /// The text of the element, without that of elements inside it.
    #[must_use]
    pub fn text(&self) -> Cow<'a, str> {
        let mut pieces = self.nodes().filter_map(|node| match node {
            AnswerNode::Text { text, .. } => Some(text),
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

    /// The family of the tag set it belongs to.
    pub(crate) fn family(&self) -> Option<&'a Family> {
        Some(self.answer.0.tags.as_ref()?.family(self.record.family))
    }

    /// Whether its body ended inside a string, or a string of it ran over markers.
    pub(crate) const fn is_cut_inside(&self) -> bool {
        self.record.is_cut || self.record.ran_over
    }

    /// Where its body is in the stream.
    pub(crate) const fn body(&self) -> Span {
        self.record.inside
    }

    /// The limits that the stream was read with.
    pub(crate) fn limits(&self) -> &'a Limits {
        &self.answer.0.limits
    }

    /// The bytes of its body without those of elements in it, unless the raw text was not kept.
    pub(crate) fn own_raw(&self) -> Option<Vec<u8>> {
        let (raw, start) = (self.raw()?, self.record.inside.start);
        let (mut own, mut from) = (Vec::new(), 0);
        for child in self.children() {
            let offset = |at: u64| (at.saturating_sub(start) as usize).clamp(from, raw.len());
            own.extend_from_slice(&raw[from..offset(child.span().start)]);
            from = offset(child.span().end);
        }
        own.extend_from_slice(&raw[from..]);
        Some(own)
    }

    /// The bytes between the markers, unless the spec was built
    /// [`without_raw`](crate::SpecBuilder::without_raw).
    #[must_use]
    pub fn raw(&self) -> Option<&'a [u8]> {
        let Span { start, end } = self.record.inside;
        let (start, end) = (usize::try_from(start).ok()?, usize::try_from(end).ok()?);
        self.answer.raw()?.get(start..end)
    }

    /// The number of the document in the body; none if the body is text. If the body has several roots,
    /// the number of the first.
    #[must_use]
    pub const fn document(&self) -> Option<DocId> {
        self.record.document
    }

    /// The value of the body, if the body is a document.
    #[must_use]
    pub fn value(&self) -> Option<ValueRef<'a>> {
        let value = self.answer.document(self.document()?)?;
        value.exists().then_some(value)
    }

    /// The values of the body, if it has several roots: `{"a": 1}` and `{"b": 2}` on two lines. The first is
    /// [`value`](Self::value).
    pub fn roots(&self) -> impl Iterator<Item = ValueRef<'a>> {
        let (content, own) = (&self.answer.0, Some(ElementId(self.id)));
        let documents = content.documents.iter().zip(&content.elements);
        let own = documents.filter(move |(_, element)| **element == own);
        own.map(|(document, _)| document.value()).filter(|value| value.exists())
    }

    /// The texts, comments and elements directly inside, in order.
    #[must_use]
    pub fn nodes(&self) -> AnswerNodes<'a> {
        let items = &self.record.items;
        AnswerNodes { answer: self.answer, at: items.start + 1, end: items.end }
    }

    /// The elements directly inside, in order.
    pub fn children(&self) -> impl Iterator<Item = Self> {
        self.nodes().filter_map(|node| match node {
            AnswerNode::Element(element) => Some(element),
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

/// Iterates over nodes in order. Made by [`Element::nodes`] and [`Answer::nodes`].
#[derive(Debug, Clone)]
pub struct AnswerNodes<'a> {
    answer: &'a Answer,
    at: usize,
    end: usize,
}

impl<'a> AnswerNodes<'a> {
    pub(super) fn all(answer: &'a Answer) -> Self {
        Self { answer, at: 0, end: answer.0.transcript.items.len() }
    }
}

impl<'a> Iterator for AnswerNodes<'a> {
    type Item = AnswerNode<'a>;

    fn next(&mut self) -> Option<AnswerNode<'a>> {
        let transcript = &self.answer.0.transcript;
        while self.at < self.end {
            let item = &transcript.items[self.at];
            self.at += 1;
            match item {
                TranscriptItem::Text { route, text, .. } => {
                    let (channel, text) = (transcript.channel(*route), transcript.slice(text));
                    return Some(AnswerNode::Text { channel, text });
                }
                TranscriptItem::Comment { text, .. } => {
                    return Some(AnswerNode::Comment(transcript.slice(text)));
                }
                TranscriptItem::Open(id) => {
                    let element = Element::new(self.answer, *id)?;
                    if !element.is_comment() {
                        self.at = element.record.items.end + 1;
                        return Some(AnswerNode::Element(element));
                    }
                }
                TranscriptItem::Close(_) | TranscriptItem::Break => {}
            }
        }
        None
    }
}
