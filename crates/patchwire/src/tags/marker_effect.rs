//! The effect of a marker on the open elements.

use super::acts::{Act, ActQueue};
use super::code_guard::CodeGuard;
use super::element_stack::{ElementStack, FoundMarker, OpenElement, equal_params};
use super::family::{Channel, InReasoning, OnReopen};
use super::tag_set::{MarkerSide, TagSet, closer};
use crate::codes::Code;
use crate::element::{CloseReason, ElementId};
use crate::lex::marker::{MarkerParams, Mask};
use crate::span::Span;

/// Applies markers to the open elements.
pub(super) struct MarkerEffect<'r> {
    pub(super) tags: &'r TagSet,
    pub(super) stack: &'r mut ElementStack,
    /// The code around the text. A marker replaces it by the code of the new place.
    pub(super) guard: &'r mut CodeGuard,
    pub(super) acts: &'r mut ActQueue,
}

impl MarkerEffect<'_> {
    /// Opens or closes elements as a marker demands.
    pub(super) fn take(&mut self, found: FoundMarker) {
        match MarkerSide::of(found.first) {
            MarkerSide::Open(family) => self.opener(family, found),
            MarkerSide::Close(family) => self.closer(family, &found),
        }
    }

    fn opener(&mut self, number: u16, found: FoundMarker) {
        let Span { start, end } = found.span;
        let family = self.tags.family(number);
        if family.policy.inside == InReasoning::Interrupt && family.channel != Channel::Reasoning {
            while self.stack.open.last().is_some_and(|open| open.reasoning) {
                self.pop(CloseReason::Interrupted { by: ElementId(self.stack.count + 1) }, start);
            }
        }
        let again =
            self.stack.open.iter().rposition(|open| self.tags.is_grouped(number, open.family));
        let reopens = again.is_some() && family.same() == OnReopen::Restart;
        match (again, family.same()) {
            (Some(at), OnReopen::Restart) => self.close_to(at, CloseReason::Reopened, start, start),
            (Some(at), OnReopen::Sibling) if at + 1 == self.stack.open.len() => {
                self.pop(CloseReason::SiblingOpener, start);
            }
            _ => {}
        }
        self.stack.opened = self.stack.opened.with(number);
        self.stack.mentioned = self.stack.mentioned.minus(Mask::NONE.with(number));
        self.forget_continued(number);
        if reopens && family.channel == Channel::Answer {
            self.stack.continued = self.stack.continued.with(number);
        }
        self.push(number, found.params, found.span);
        if family.is_void() || found.empty {
            self.pop(CloseReason::Observed, end);
        }
    }

    /// Opens an element of a family at a marker.
    fn push(&mut self, family: u16, params: MarkerParams, marker: Span) {
        self.stack.count += 1;
        let (id, parent) = (self.stack.count, self.stack.open.last().map(|open| open.id));
        self.acts.push(Act::Open { id, parent, family, params: params.clone(), end: marker.end });
        let reasoning = self.stack.is_reasoning(self.tags, family);
        let (guard, from) = (*self.guard, marker.start);
        self.stack.open.push(OpenElement {
            family,
            id,
            params,
            guard,
            from,
            reasoning,
            by_marker: true,
        });
        *self.guard = CodeGuard::ELEMENT;
    }

    fn closer(&mut self, number: u16, found: &FoundMarker) {
        let Span { start, end } = found.span;
        let at = self.stack.closes(self.tags, found);
        let Some(at) = at else { return self.stray(number, found.span) };
        let own = found.markers.contains(closer(self.stack.open[at].family));
        let differ = !own || !equal_params(&self.stack.open[at], &found.params);
        if differ {
            self.acts.push(Act::Notice(Code::MismatchedMarker, found.span));
        }
        let reason = if differ { CloseReason::Mismatched } else { CloseReason::Observed };
        let inside = self.stack.parallel(self.tags, at);
        self.close_to(at, reason, start, end);
        for OpenElement { family, params, .. } in inside {
            self.push(family, params, Span::at(end));
        }
    }

    /// No element of this family's group that ended before its closer goes on.
    fn forget_continued(&mut self, number: u16) {
        for family in self.tags.numbers().filter(|&other| self.tags.is_grouped(number, other)) {
            self.stack.continued = self.stack.continued.minus(Mask::NONE.with(family));
        }
    }

    /// Closes the element at a place of the stack, after all elements inside.
    fn close_to(&mut self, at: usize, reason: CloseReason, start: u64, end: u64) {
        while self.stack.open.len() > at + 1 {
            self.pop(CloseReason::CloseThrough, start);
        }
        self.pop(reason, end);
    }

    fn pop(&mut self, reason: CloseReason, end: u64) {
        let Some(open) = self.stack.open.pop() else { return };
        *self.guard = open.guard;
        if matches!(reason, CloseReason::Interrupted { .. }) {
            self.stack.continued = self.stack.continued.with(open.family);
        }
        if !self.tags.family(open.family).comment {
            self.stack.region = end;
        }
        if !matches!(reason, CloseReason::Observed | CloseReason::Mismatched) {
            self.acts.push(Act::Notice(Code::UnclosedElement, Span::at(end)));
        }
        self.acts.push(Act::Close { id: open.id, reason, end });
    }

    /// Closes the innermost element at the end of the input. Returns false if none was open.
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
            // The element began before the stream did.
            self.stack.opened = self.stack.opened.with(number);
            self.forget_continued(number);
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
