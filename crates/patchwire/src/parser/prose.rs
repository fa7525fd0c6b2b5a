//! The short way of text: a chunk in which no marker may begin is emitted as it is.

use bytestring::ByteString;

use super::Parser;
use super::elements::Sink;
use crate::event::{Event, Flow, ReasoningEvent, Text, TextEvent};
use crate::fold::EmissionKind;
use crate::span::Span;
use crate::spec::Format;
use crate::text::as_text;
use crate::transcript::Route;

/// What came of a chunk on the short way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Passed {
    EmissionKind,
    /// The sink wants no more.
    Stopped,
    /// A marker may begin in it, or it is not whole text.
    No,
}

impl Parser {
    /// The channel of the text that comes, if nothing but a marker can interrupt it and none has
    /// begun.
    pub(super) fn text_lane(&self) -> Option<Route> {
        let plain = match self.sink() {
            Sink::Format => self.spec.0.format == Format::Text && self.spec.0.machine.is_none(),
            Sink::Text(emitted) => emitted != EmissionKind::Comment,
            Sink::Body => false,
        };
        let looking = self.router.as_ref().is_some_and(|router| !router.is_clear());
        (plain && !looking).then(|| self.route())
    }

    /// Tells a chunk as one text.
    // Apart from the lane of payloads: within it there are not enough registers for both.
    #[inline(never)]
    pub(super) fn feed_text<R: Flow>(
        &mut self,
        chunk: &[u8],
        route: Route,
        buffer: Option<&ByteString>,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Passed {
        let Some(text) = as_text(chunk) else { return Passed::No };
        if text.is_empty() {
            return Passed::EmissionKind;
        }
        let (start, end) = (self.offset, self.offset + text.len() as u64);
        if let Some(router) = &mut self.router
            && !router.passes(text, start)
        {
            return Passed::No;
        }
        self.fed += chunk.len() as u64;
        if let Some(raw) = &mut self.raw {
            raw.extend_from_slice(chunk);
        }
        self.offset = end;
        let span = Span::new(self.fold.outbox.last_end, end);
        self.fold.outbox.last_end = end;
        self.transcript.emit(self.open_elements.last().copied().unwrap_or(0), route, text, span);
        let (element, delta) = (self.element(), Text::new(text, buffer));
        let event = match route {
            Route::Reasoning => Event::Reasoning(ReasoningEvent { element, delta, span }),
            _ => {
                let channel = self.transcript.channel(route);
                Event::Text(TextEvent { channel, element, delta, span })
            }
        };
        if on_event(event).goes_on() { Passed::EmissionKind } else { Passed::Stopped }
    }
}
