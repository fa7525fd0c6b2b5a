//! From emits to events, which borrow.

use bytestring::ByteString;

use super::Parser;
use crate::event::{Event, ReasoningEvent, Text, TextEvent};
use crate::fold::{Emit, Told};
use crate::notice::Notice;

/// Where text goes that lies in no element.
const TEXT_CHANNEL: &str = "text";

impl Parser {
    #[inline(never)]
    pub(super) fn event<'a>(
        &'a self,
        emit: &Emit,
        input: &'a str,
        buffer: Option<&'a ByteString>,
    ) -> Event<'a> {
        let span = emit.span;
        let delta = || Text::new(self.text_of(emit.text, input), buffer);
        match emit.what {
            Told::Patch(change) => Event::Patch(self.fold.patch(&change, delta(), span)),
            Told::Text => Event::Text(TextEvent {
                channel: TEXT_CHANNEL,
                element: None,
                delta: delta(),
                span,
            }),
            Told::ElementText => {
                let family = self.elements.family().and_then(|number| self.family(number));
                let channel = family.map_or(TEXT_CHANNEL, |family| family.channel.name());
                let element = self.elements.current();
                Event::Text(TextEvent { channel, element, delta: delta(), span })
            }
            Told::Reasoning => {
                let element = self.elements.current();
                Event::Reasoning(ReasoningEvent { element, delta: delta(), span })
            }
            Told::ReasoningDone => Event::ReasoningDone { span },
            Told::ElementOpen => Event::ElementOpen(self.element_open(span)),
            Told::ElementClose(reason) => {
                Event::ElementClose { id: self.elements.last(), reason, span }
            }
            Told::Stray(number) => {
                let name = self.family(number).map_or("", |family| &family.name);
                Event::Stray { name, span }
            }
            Told::Skipped(reason) => Event::Skipped { reason, span },
            Told::Notice(code, depth) => {
                Event::Notice(Notice { code, path: self.fold.path.path(depth as usize), span })
            }
            Told::RootComplete => {
                Event::RootComplete { document: self.fold.current(), offset: span.end }
            }
        }
    }
}
