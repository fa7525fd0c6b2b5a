//! What a marker does to the open elements, step by step.

use super::family::{Channel, InReasoning, OnReopen};
use super::guard::Guard;
use super::set::{Side, TagSet, closer};
use super::stack::{Act, Found, Open, Stack, equal_params};
use crate::codes::Code;
use crate::element::{CloseReason, ElementId};
use crate::span::Span;

/// A marker at work.
pub(super) struct Turn<'r> {
    pub(super) tags: &'r TagSet,
    pub(super) stack: &'r mut Stack,
    /// The code around the text: that of the place before, and of the new one afterwards.
    pub(super) guard: &'r mut Guard,
    pub(super) acts: &'r mut Vec<Act>,
}

impl Turn<'_> {
    /// Does what a marker says. The guard is that of the place; afterwards that of the new one.
    pub(super) fn take(&mut self, found: Found) {
        match Side::of(found.first) {
            Side::Open(family) => self.opener(family, found),
            Side::Close(family) => self.closer(family, &found),
        }
    }

    fn opener(&mut self, number: u16, found: Found) {
        let Span { start, end } = found.span;
        let family = self.tags.family(number);
        if family.inside == InReasoning::Interrupt && family.channel != Channel::Reasoning {
            while self.stack.open.last().is_some_and(|open| open.reasoning) {
                self.pop(CloseReason::Interrupted { by: ElementId(self.stack.count + 1) }, start);
            }
        }
        let again =
            self.stack.open.iter().rposition(|open| self.tags.is_grouped(number, open.family));
        match (again, family.same()) {
            (Some(at), OnReopen::Restart) => {
                self.close_to(at, CloseReason::Reopened, (start, start))
            }
            (Some(at), OnReopen::Sibling) if at + 1 == self.stack.open.len() => {
                self.pop(CloseReason::SiblingOpener, start);
            }
            _ => {}
        }
        self.stack.count += 1;
        let (id, parent) = (self.stack.count, self.stack.open.last().map(|open| open.id));
        self.stack.opened = self.stack.opened.with(number);
        self.acts.push(Act::Open { id, parent, family: number, params: found.params.clone(), end });
        let (params, reasoning) = (found.params, self.stack.is_reasoning(self.tags, number));
        self.stack.open.push(Open {
            family: number,
            id,
            params,
            guard: *self.guard,
            from: start,
            reasoning,
            by_marker: true,
        });
        *self.guard = Guard::ELEMENT;
        if family.is_void() || found.empty {
            self.pop(CloseReason::Observed, end);
        }
    }

    fn closer(&mut self, number: u16, found: &Found) {
        let Span { start, end } = found.span;
        let at = self.stack.closes(self.tags, found);
        let Some(at) = at else { return self.stray(number, found.span) };
        let own = found.markers.contains(closer(self.stack.open[at].family));
        let differ = !own || !equal_params(&self.stack.open[at], &found.params);
        if differ {
            self.acts.push(Act::Notice(Code::MismatchedMarker, found.span));
        }
        let reason = if differ { CloseReason::Mismatched } else { CloseReason::Observed };
        self.close_to(at, reason, (start, end));
    }

    /// Closes what is open inside the element at that place, and it.
    fn close_to(&mut self, at: usize, reason: CloseReason, (start, end): (u64, u64)) {
        while self.stack.open.len() > at + 1 {
            self.pop(CloseReason::CloseThrough, start);
        }
        self.pop(reason, end);
    }

    fn pop(&mut self, reason: CloseReason, end: u64) {
        let Some(open) = self.stack.open.pop() else { return };
        *self.guard = open.guard;
        if !self.tags.family(open.family).comment {
            self.stack.region = end;
        }
        if !matches!(reason, CloseReason::Observed | CloseReason::Mismatched) {
            self.acts.push(Act::Notice(Code::UnclosedElement, Span::at(end)));
        }
        self.acts.push(Act::Close { id: open.id, reason, end });
    }

    /// The input ended: closes what is innermost. Whether anything was open.
    pub(super) fn end(&mut self, end: u64) -> bool {
        if self.stack.open.is_empty() {
            return false;
        }
        self.pop(CloseReason::EndOfInput, end);
        true
    }

    /// A closer that closes nothing.
    fn stray(&mut self, number: u16, span: Span) {
        self.acts.push(Act::Notice(Code::StrayCloser, span));
        self.acts.push(Act::Stray { family: number, end: span.end });
        if self.stack.reclassifies(self.tags, number) {
            // It ends an element that nobody saw begin.
            self.stack.opened = self.stack.opened.with(number);
            if self.stack.region < span.start {
                self.acts.push(Act::Reclassify {
                    from: self.stack.region,
                    to: span.start,
                    family: number,
                });
            }
            self.stack.region = span.end;
        }
    }
}
