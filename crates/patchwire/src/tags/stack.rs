//! The open elements, and what a marker does to them.

use super::family::{Channel, OnMismatch, OnStray};
use super::guard::Guard;
use super::set::{TagSet, closer};
use crate::codes::Code;
use crate::element::CloseReason;
use crate::lex::marker::{Mask, Params};
use crate::span::Span;

/// An open element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Open {
    pub(super) family: u16,
    pub(super) id: u32,
    pub(super) params: Params,
    /// The code around it, where the text goes on after it.
    pub(super) guard: Guard,
    /// Where in the stream its opener began.
    pub(super) from: u64,
    /// Whether its text is reasoning.
    pub(super) reasoning: bool,
    /// Whether a marker opened it; else the stream began in it.
    pub(super) by_marker: bool,
}

/// What a marker did, step by step. Where it ends in the stream emits which step ate its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Act {
    Open { id: u32, parent: Option<u32>, family: u16, params: Params, end: u64 },
    Close { id: u32, reason: CloseReason, end: u64 },
    Stray { family: u16, end: u64 },
    Reclassify { from: u64, to: u64, family: u16 },
    Notice(Code, Span),
}

/// A marker that was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    /// What it may be, in this place: several closers of one group may look alike.
    pub(super) markers: Mask,
    pub(super) first: u16,
    pub(super) params: Params,
    /// It ends in `/>`.
    pub(super) empty: bool,
    pub(super) span: Span,
}

/// The open elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stack {
    pub(super) open: Vec<Open>,
    pub(super) count: u32,
    /// Families of which an element was opened by a marker.
    pub(super) opened: Mask,
    /// Where the last element, or what was made one afterwards, ended.
    pub(super) region: u64,
}

impl Stack {
    pub(super) const fn new() -> Self {
        Self { open: Vec::new(), count: 0, opened: Mask::NONE, region: 0 }
    }

    /// The stream begins inside an element.
    pub(super) fn start_in(&mut self, tags: &TagSet, family: u16) {
        let reasoning = self.is_reasoning(tags, family);
        self.count += 1;
        let (id, guard) = (self.count, Guard::ELEMENT);
        self.opened = self.opened.with(family);
        self.open.push(Open {
            family,
            id,
            params: Params::new(),
            guard,
            from: 0,
            reasoning,
            by_marker: false,
        });
    }

    /// The open element that a closer closes: its own, with the same parameters if there is one; else
    /// one of its group.
    pub(super) fn closes(&self, tags: &TagSet, found: &Found) -> Option<usize> {
        let own = |open: &Open| found.markers.contains(closer(open.family));
        let exact = |open: &Open| own(open) && equal_params(open, &found.params);
        let other =
            |open: &Open| own(open) && tags.family(open.family).mismatch == OnMismatch::Close;
        let grouped = |open: &Open| {
            let closes = |family| {
                found.markers.contains(closer(family)) && tags.is_grouped(family, open.family)
            };
            !own(open) && tags.numbers().any(closes)
        };
        let last = |ends: &dyn Fn(&Open) -> bool| self.open.iter().rposition(ends);
        last(&exact).or_else(|| last(&other)).or_else(|| last(&grouped))
    }

    /// The text outside the innermost element has begun with something else than a fence.
    pub(super) fn pass_first(&mut self) {
        for open in &mut self.open {
            open.guard.pass_first();
        }
    }

    /// Whether text of a family's elements is reasoning, where one opens now.
    pub(super) fn is_reasoning(&self, tags: &TagSet, family: u16) -> bool {
        match tags.family(family).channel {
            Channel::Reasoning => true,
            Channel::Parent => self.open.last().is_some_and(|open| open.reasoning),
            _ => false,
        }
    }

    /// Whether the text before a stray closer was of its element.
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

pub(super) fn equal_params(open: &Open, params: &Params) -> bool {
    // Nobody saw the opener of what the stream began in.
    !open.by_marker
        || params.iter().all(|(name, value)| {
            open.params.iter().any(|(own, other)| own == name && other == value)
        })
}
