//! The open elements, and what a marker does to them.

use super::family::{Channel, Inside, Mismatch, Same, Stray};
use super::guard::Guard;
use super::set::{Side, TagSet, closer};
use crate::lex::marker::{Mask, Params};
use crate::notice::Code;
use crate::span::Span;

/// An open element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Open {
    pub(super) family: u16,
    pub(super) id: u32,
    params: Params,
    /// The code around it, where the text goes on after it.
    guard: Guard,
    /// Where in the stream its opener began.
    pub(super) from: u64,
    /// Whether its text is reasoning.
    pub(super) reasoning: bool,
    /// Whether a marker opened it; else the stream began in it.
    by_marker: bool,
}

/// What a marker did, step by step. Where it ends in the stream tells which step ate its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Act {
    Open { id: u32, parent: Option<u32>, family: u16, params: Params, end: u64 },
    Close { id: u32, family: u16, how: How, end: u64 },
    Stray { family: u16, end: u64 },
    Reclassify { from: u64, to: u64, family: u16 },
    Notice(Code, Span),
}

/// What closed an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum How {
    Observed,
    EndOfInput,
    Mismatched,
    Reopened,
    CloseThrough,
    SiblingOpener,
    Interrupted,
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
    count: u32,
    /// Families of which an element was opened by a marker.
    opened: Mask,
    /// Where the last element, or what was made one afterwards, ended.
    region: u64,
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

    /// Does what a marker says. The guard is that of the place; afterwards that of the new one.
    pub(super) fn take(
        &mut self,
        tags: &TagSet,
        found: Found,
        guard: &mut Guard,
        acts: &mut Vec<Act>,
    ) {
        match Side::of(found.first) {
            Side::Open(family) => self.opener(tags, family, found, guard, acts),
            Side::Close(family) => self.closer(tags, family, &found, guard, acts),
        }
    }

    fn opener(
        &mut self,
        tags: &TagSet,
        number: u16,
        found: Found,
        guard: &mut Guard,
        acts: &mut Vec<Act>,
    ) {
        let Span { start, end } = found.span;
        let family = tags.family(number);
        if family.inside == Inside::Interrupt && family.channel != Channel::Reasoning {
            while self.open.last().is_some_and(|open| open.reasoning) {
                self.pop(tags, How::Interrupted, start, guard, acts);
            }
        }
        let again = self.open.iter().rposition(|open| tags.is_grouped(number, open.family));
        match (again, family.same()) {
            (Some(at), Same::Restart) => {
                self.close_to(tags, at, How::Reopened, (start, start), guard, acts)
            }
            (Some(at), Same::Sibling) if at + 1 == self.open.len() => {
                self.pop(tags, How::SiblingOpener, start, guard, acts);
            }
            _ => {}
        }
        self.count += 1;
        let (id, parent) = (self.count, self.open.last().map(|open| open.id));
        self.opened = self.opened.with(number);
        acts.push(Act::Open { id, parent, family: number, params: found.params.clone(), end });
        let (params, reasoning) = (found.params, self.is_reasoning(tags, number));
        self.open.push(Open {
            family: number,
            id,
            params,
            guard: *guard,
            from: start,
            reasoning,
            by_marker: true,
        });
        *guard = Guard::ELEMENT;
        if family.is_void() || found.empty {
            self.pop(tags, How::Observed, end, guard, acts);
        }
    }

    fn closer(
        &mut self,
        tags: &TagSet,
        number: u16,
        found: &Found,
        guard: &mut Guard,
        acts: &mut Vec<Act>,
    ) {
        let Span { start, end } = found.span;
        let at = self.closes(tags, found);
        let Some(at) = at else { return self.stray(tags, number, found.span, acts) };
        let own = found.markers.contains(closer(self.open[at].family));
        let differ = !own || !equal_params(&self.open[at], &found.params);
        if differ {
            acts.push(Act::Notice(Code::MismatchedMarker, found.span));
        }
        let how = if differ { How::Mismatched } else { How::Observed };
        self.close_to(tags, at, how, (start, end), guard, acts);
    }

    /// The open element that a closer closes: its own, else one of its group.
    pub(super) fn closes(&self, tags: &TagSet, found: &Found) -> Option<usize> {
        let own = |open: &Open| found.markers.contains(closer(open.family));
        let exact = |open: &Open| own(open) && exact_params(tags, open, &found.params);
        let grouped = |open: &Open| {
            let closes = |family| {
                found.markers.contains(closer(family)) && tags.is_grouped(family, open.family)
            };
            !own(open) && tags.numbers().any(closes)
        };
        let last = |ends: &dyn Fn(&Open) -> bool| self.open.iter().rposition(ends);
        last(&exact).or_else(|| last(&grouped))
    }

    /// The text outside the innermost element has begun with something else than a fence.
    pub(super) fn pass_first(&mut self) {
        for open in &mut self.open {
            open.guard.pass_first();
        }
    }

    /// Closes what is open inside the element at that place, and it.
    fn close_to(
        &mut self,
        tags: &TagSet,
        at: usize,
        how: How,
        (start, end): (u64, u64),
        guard: &mut Guard,
        acts: &mut Vec<Act>,
    ) {
        while self.open.len() > at + 1 {
            self.pop(tags, How::CloseThrough, start, guard, acts);
        }
        self.pop(tags, how, end, guard, acts);
    }

    fn pop(&mut self, tags: &TagSet, how: How, end: u64, guard: &mut Guard, acts: &mut Vec<Act>) {
        let Some(open) = self.open.pop() else { return };
        *guard = open.guard;
        if !tags.family(open.family).comment {
            self.region = end;
        }
        if !matches!(how, How::Observed | How::Mismatched) {
            acts.push(Act::Notice(Code::UnclosedElement, Span::at(end)));
        }
        acts.push(Act::Close { id: open.id, family: open.family, how, end });
    }

    /// The input ended: closes what is innermost. Whether anything was open.
    pub(super) fn end(
        &mut self,
        tags: &TagSet,
        end: u64,
        guard: &mut Guard,
        acts: &mut Vec<Act>,
    ) -> bool {
        if self.open.is_empty() {
            return false;
        }
        self.pop(tags, How::EndOfInput, end, guard, acts);
        true
    }

    /// Whether text of a family's elements is reasoning, where one opens now.
    fn is_reasoning(&self, tags: &TagSet, family: u16) -> bool {
        match tags.family(family).channel {
            Channel::Reasoning => true,
            Channel::Parent => self.open.last().is_some_and(|open| open.reasoning),
            _ => false,
        }
    }

    /// A closer that closes nothing.
    fn stray(&mut self, tags: &TagSet, number: u16, span: Span, acts: &mut Vec<Act>) {
        acts.push(Act::Notice(Code::StrayCloser, span));
        acts.push(Act::Stray { family: number, end: span.end });
        if self.reclassifies(tags, number) {
            // It ends an element that nobody saw begin.
            self.opened = self.opened.with(number);
            if self.region < span.start {
                acts.push(Act::Reclassify { from: self.region, to: span.start, family: number });
            }
            self.region = span.end;
        }
    }

    /// Whether the text before a stray closer was of its element.
    fn reclassifies(&self, tags: &TagSet, number: u16) -> bool {
        if self.open.iter().any(|open| open.by_marker) {
            return false;
        }
        let family = tags.family(number);
        match tags.stray(number) {
            Stray::Reclassify => true,
            Stray::Auto => {
                let known = matches!(family.channel, Channel::Reasoning | Channel::Answer);
                let opened = |other| self.opened.contains(other) && tags.is_grouped(number, other);
                known && !tags.numbers().any(opened)
            }
            Stray::Drop | Stray::Literal => false,
        }
    }
}

/// Whether a closer with these parameters ends the element.
fn exact_params(tags: &TagSet, open: &Open, params: &Params) -> bool {
    equal_params(open, params) || tags.family(open.family).mismatch == Mismatch::Close
}

fn equal_params(open: &Open, params: &Params) -> bool {
    // Nobody saw the opener of what the stream began in.
    !open.by_marker
        || params.iter().all(|(name, value)| {
            open.params.iter().any(|(own, other)| own == name && other == value)
        })
}
