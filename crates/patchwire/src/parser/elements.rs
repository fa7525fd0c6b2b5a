//! Elements of the tag set: which is open, and what its markers tell.

use super::Parser;
use crate::error::Error;
use crate::event::{CloseReason, ElementId, ElementOpen};
use crate::fold::Told;
use crate::notice::Code;
use crate::span::Span;
use crate::tags::{Channel, Family, Marker};

/// The elements so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Elements {
    count: u32,
    /// The open one's family, and whether its text is reasoning.
    open: Option<(u16, bool)>,
}

impl Elements {
    pub(super) const fn is_inside(&self) -> bool {
        self.open.is_some()
    }

    /// The element that opened last.
    pub(super) const fn last(&self) -> ElementId {
        ElementId(self.count)
    }

    pub(super) fn current(&self) -> Option<ElementId> {
        self.open.map(|_| self.last())
    }

    pub(super) fn family(&self) -> Option<u16> {
        self.open.map(|(family, _)| family)
    }

    /// What text inside the open element is.
    pub(super) const fn told(&self) -> Told {
        match self.open {
            Some((_, true)) => Told::Reasoning,
            _ => Told::ElementText,
        }
    }
}

impl Parser {
    /// A marker ended at `end`.
    pub(super) fn marker(&mut self, marker: Marker, end: u64) -> Result<(), Error> {
        match marker {
            Marker::Open(family) => self.open_element(family, end),
            Marker::Close(family) => match self.elements.family() {
                Some(open) => {
                    self.close_element(open, family, end);
                    Ok(())
                }
                None => self.stray_closer(family, end),
            },
        }
    }

    pub(super) fn family(&self, number: u16) -> Option<&Family> {
        self.router.as_ref().map(|router| router.tags().family(number))
    }

    fn open_element(&mut self, number: u16, end: u64) -> Result<(), Error> {
        let Some(family) = self.family(number) else { return Ok(()) };
        let reasoning = family.channel == Channel::Reasoning;
        let at = end - family.open.len() as u64;
        self.interrupt_format(at)?;
        self.elements.count += 1;
        self.elements.open = Some((number, reasoning));
        if let Some(router) = &mut self.router {
            router.enter(number);
        }
        self.tell(Told::ElementOpen, end);
        Ok(())
    }

    fn close_element(&mut self, open: u16, closer: u16, end: u64) {
        let reason = if open == closer {
            CloseReason::Observed
        } else {
            let len = self.family(closer).map_or(0, |family| family.close.len() as u64);
            self.fold.notice(Code::MismatchedMarker, Span::new(end - len, end));
            CloseReason::Mismatched
        };
        self.leave_element(reason, end);
    }

    /// The input ended inside an element.
    pub(super) fn close_unfinished(&mut self, end: u64) {
        self.fold.notice(Code::UnclosedElement, Span::at(end));
        self.leave_element(CloseReason::EndOfInput, end);
    }

    fn leave_element(&mut self, reason: CloseReason, end: u64) {
        let reasoning = self.elements.open.take().is_some_and(|(_, reasoning)| reasoning);
        if let Some(router) = &mut self.router {
            router.leave();
        }
        self.tell(Told::ElementClose(reason), end);
        if reasoning {
            self.tell(Told::ReasoningDone, end);
        }
    }

    fn stray_closer(&mut self, number: u16, end: u64) -> Result<(), Error> {
        let len = self.family(number).map_or(0, |family| family.close.len() as u64);
        self.interrupt_format(end - len)?;
        self.fold.notice(Code::StrayCloser, Span::new(end - len, end));
        self.tell(Told::Stray(number), end);
        Ok(())
    }

    pub(super) fn element_open(&self, span: Span) -> ElementOpen<'_> {
        let family = self.elements.family().and_then(|number| self.family(number));
        ElementOpen {
            id: self.elements.last(),
            parent: None,
            name: family.map_or("", |family| &family.name),
            channel: family.map_or("", |family| family.channel.name()),
            span,
        }
    }
}
