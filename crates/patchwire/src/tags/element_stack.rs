//! The open elements.

use super::code_guard::CodeGuard;
use super::family::{Channel, OnMismatch, OnReopen, OnStray};
use super::tag_set::{TagSet, closer, opener};
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
    /// Families whose last element ended before its closer, which may still come: reasoning that was interrupted, and an
    /// answer that was opened again.
    pub(super) continued: Mask,
    /// Families whose opener was last a mention, so that the closer that follows is one too.
    pub(super) mentioned: Mask,
    /// Stream offset where the last element ended, or the last reclassified text.
    pub(super) region: u64,
}

impl ElementStack {
    pub(super) const fn new() -> Self {
        Self {
            open: Vec::new(),
            count: 0,
            opened: Mask::NONE,
            continued: Mask::NONE,
            mentioned: Mask::NONE,
            region: 0,
        }
    }

    /// The stream begins inside an element.
    pub(super) fn start_in(&mut self, tags: &TagSet, family: u16) {
        let reasoning = self.is_reasoning(tags, family);
        self.count += 1;
        let (id, guard) = (self.count, CodeGuard::TOP);
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

    /// The elements inside the one at a place that go on after it, because they are parallel to it and not parts of it.
    pub(super) fn parallel(&self, tags: &TagSet, at: usize) -> Vec<OpenElement> {
        let around = &self.open[at];
        let is_parallel = tags.family(around.family).same() == OnReopen::Parallel;
        let inside = self.open[at + 1..].iter();
        inside.filter(|open| is_parallel && open.family == around.family).cloned().collect()
    }

    /// Notes a marker that turned out to be text. A mention of reasoning or of an answer says nothing about the closer
    /// that follows, because the prompt may have opened the element.
    pub(super) fn mention(&mut self, tags: &TagSet, marker: &FoundMarker) {
        let family = marker.first / 2;
        let is_known = matches!(tags.family(family).channel, Channel::Reasoning | Channel::Answer);
        if marker.first == opener(family) && !is_known {
            self.mentioned = self.mentioned.with(family);
        }
    }

    /// Notes an opener that is mentioned together with its closer: the next closer of its family is text too.
    pub(super) fn mention_pair(&mut self, opener: &FoundMarker) {
        self.mentioned = self.mentioned.with(opener.first / 2);
    }

    /// Whether a closer belongs to a mention. It is the only one that does.
    pub(super) fn is_mentioned(&mut self, tags: &TagSet, closes: &FoundMarker) -> bool {
        let belongs = |&family: &u16| {
            self.mentioned.contains(family) && closes.markers.contains(closer(family))
        };
        let family = tags.numbers().find(belongs);
        if let Some(family) = family {
            self.mentioned = self.mentioned.minus(Mask::NONE.with(family));
        }
        family.is_some()
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
                let grouped = |mask: Mask| {
                    let has = |other| mask.contains(other) && tags.is_grouped(number, other);
                    tags.numbers().any(has)
                };
                known && (!grouped(self.opened) || grouped(self.continued))
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
