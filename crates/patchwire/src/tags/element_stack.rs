//! The open elements.

use super::code_guard::CodeGuard;
use super::family::{Channel, OnMismatch, OnStray};
use super::tag_set::{TagSet, closer};
use crate::lex::marker::{MarkerParams, Mask};
use crate::span::Span;

/// An open element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OpenElement {
    pub(super) family: u16,
    pub(super) id: u32,
    pub(super) params: MarkerParams,
    /// The code around the element. Text after the element continues in it.
    pub(super) guard: CodeGuard,
    /// Stream offset of the opener.
    pub(super) from: u64,
    /// Whether the text of the element is reasoning.
    pub(super) reasoning: bool,
    /// Whether a marker opened the element. If not, the stream began inside.
    pub(super) by_marker: bool,
}

/// A complete marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FoundMarker {
    /// The markers that match. Closers of one group may share a text.
    pub(super) markers: Mask,
    pub(super) first: u16,
    pub(super) params: MarkerParams,
    /// Whether it ends in `/>`.
    pub(super) empty: bool,
    pub(super) span: Span,
}

impl OpenElement {
    /// Whether the stream began in the element, and an opener of this family may repeat the prompt's.
    pub(super) fn is_repeated_by(&self, tags: &TagSet, family: u16) -> bool {
        !self.by_marker && tags.is_grouped(family, self.family)
    }
}

/// The open elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ElementStack {
    pub(super) open: Vec<OpenElement>,
    pub(super) count: u32,
    /// Families whose markers opened an element.
    pub(super) opened: Mask,
    /// Stream offset where the last element ended, or the last reclassified text.
    pub(super) region: u64,
}

impl ElementStack {
    pub(super) const fn new() -> Self {
        Self { open: Vec::new(), count: 0, opened: Mask::NONE, region: 0 }
    }

    /// The stream begins inside an element.
    pub(super) fn start_in(&mut self, tags: &TagSet, family: u16) {
        let reasoning = self.is_reasoning(tags, family);
        self.count += 1;
        let (id, guard) = (self.count, CodeGuard::ELEMENT);
        self.opened = self.opened.with(family);
        self.open.push(OpenElement {
            family,
            id,
            params: MarkerParams::new(),
            guard,
            from: 0,
            reasoning,
            by_marker: false,
        });
    }

    /// The open element that a closer closes. An element of its own family with equal parameters comes
    /// first, then one of its family, then one of its group.
    pub(super) fn closes(&self, tags: &TagSet, found: &FoundMarker) -> Option<usize> {
        let own = |open: &OpenElement| found.markers.contains(closer(open.family));
        let exact = |open: &OpenElement| own(open) && equal_params(open, &found.params);
        let other = |open: &OpenElement| {
            own(open) && tags.family(open.family).policy.mismatch == OnMismatch::Close
        };
        let grouped = |open: &OpenElement| {
            let closes = |family| {
                found.markers.contains(closer(family)) && tags.is_grouped(family, open.family)
            };
            !own(open) && tags.numbers().any(closes)
        };
        let last = |ends: &dyn Fn(&OpenElement) -> bool| self.open.iter().rposition(ends);
        last(&exact).or_else(|| last(&other)).or_else(|| last(&grouped))
    }

    /// Records that something other than a fence came first, so that no fence wraps the answer.
    pub(super) fn pass_first(&mut self) {
        for open in &mut self.open {
            open.guard.pass_first();
        }
    }

    /// Whether an element of a family is reasoning if it opens now.
    pub(super) fn is_reasoning(&self, tags: &TagSet, family: u16) -> bool {
        match tags.family(family).channel {
            Channel::Reasoning => true,
            Channel::Parent => self.open.last().is_some_and(|open| open.reasoning),
            _ => false,
        }
    }

    /// Whether a stray closer moves the text before it to its channel.
    pub(super) fn reclassifies(&self, tags: &TagSet, number: u16) -> bool {
        if self.open.iter().any(|open| open.by_marker) {
            return false;
        }
        let family = tags.family(number);
        match tags.stray(number) {
            OnStray::Reclassify => true,
            OnStray::Auto => {
                let known = matches!(family.channel, Channel::Reasoning | Channel::Answer);
                let opened = |other| self.opened.contains(other) && tags.is_grouped(number, other);
                known && !tags.numbers().any(opened)
            }
            OnStray::Drop | OnStray::Literal => false,
        }
    }
}

pub(super) fn equal_params(open: &OpenElement, params: &MarkerParams) -> bool {
    // An element that the stream began in has no opener to compare with.
    !open.by_marker
        || params.iter().all(|(name, value)| {
            open.params.iter().any(|(own, other)| own == name && other == value)
        })
}
