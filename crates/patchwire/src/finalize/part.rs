//! A text that may hold a payload: that of the stream outside elements, or that of an element.

use crate::document::{DocId, NodeId};
use crate::element::ElementId;
use crate::format::Format;
use crate::format::json::{Candidates, Roots};
use crate::span::Span;
use crate::spec::Settings;

/// A text that may hold a payload, as far as the finalizer decides on it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Part {
    /// The element whose text it is; none for the text outside.
    pub(crate) element: Option<ElementId>,
    /// The document that was streamed first; none if no root was found.
    pub(crate) document: Option<DocId>,
    /// Where it lies.
    pub(crate) span: Span,
    /// Where all of it that is not blank lies, if that is one run of text.
    pub(crate) alone: Option<Span>,
    /// Whether a payload of the format was found.
    pub(crate) found: bool,
    /// Sections that a fence hid to its end: where they begin, and what reads them.
    pub(crate) hidden: Option<(u64, Format)>,
    /// Other roots in it.
    pub(crate) candidates: Candidates,
    /// The string that it ended in.
    pub(crate) leaf: Option<(DocId, NodeId)>,
    /// Whether it ended inside the payload.
    pub(crate) truncated: bool,
}

/// The bytes up to the end of a part, to read in it again.
pub(super) struct Text<'a> {
    pub(super) raw: &'a [u8],
    pub(super) part: &'a Part,
    /// Texts outside elements that turned out to be reasoning, in order.
    pub(super) thoughts: &'a [Span],
}

impl Text<'_> {
    /// Whether what stands there is meant for somebody else.
    pub(super) fn is_thought(&self, at: u64) -> bool {
        let next = self.thoughts.partition_point(|thought| thought.end <= at);
        let holds = |thought: &Span| thought.start <= at;
        self.part.element.is_none() && self.thoughts.get(next).is_some_and(holds)
    }

    /// Whether the root that was streamed is. Where each root is an answer of its own, none is taken
    /// back.
    pub(super) fn is_disowned(&self, settings: &Settings) -> bool {
        let end = self.part.candidates.taken.and_then(|taken| taken.end);
        let kept = settings.json.roots == Roots::Concatenated;
        !kept && end.is_some_and(|end| self.is_thought(end.saturating_sub(1)))
    }
}
