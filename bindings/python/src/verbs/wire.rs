//! The events in the form of a protocol.

use std::collections::VecDeque;

use patchwire::Answer;
use patchwire::document::DocId;
use patchwire::event::Event;
use patchwire_wire::{Failure, Message, Protocol, Sse};

use crate::patch::Place;

/// The events in the form of a protocol.
pub(crate) struct Wire {
    pub(super) protocol: Box<dyn Protocol + Send + Sync>,
    pub(super) frames: Option<Sse>,
    pub(super) queue: VecDeque<String>,
}

impl Wire {
    pub(crate) fn new(protocol: Box<dyn Protocol + Send + Sync>, frames: Option<Sse>) -> Self {
        Self { protocol, frames, queue: VecDeque::new() }
    }

    pub(super) fn take(&mut self, place: Place, event: &Event<'_>) {
        let Self { protocol, frames, queue } = self;
        let sink = &mut |message: Message| queue.push_back(framed(frames, &message));
        match event {
            Event::Patch(patch) => {
                let mut origin = *patch.origin;
                (origin.attempt, origin.call) = (place.attempt, place.call);
                let mut patch = *patch;
                patch.origin = &origin;
                patch.document = place.document.map_or(patch.document, DocId::from_number);
                protocol.feed(Event::Patch(patch).into(), sink);
            }
            // Of a call only the arguments are sent.
            _ if place.call.is_some() => {}
            event => protocol.feed(event.into(), sink),
        }
    }

    /// Sends an event that the engine does not have.
    pub(crate) fn send(&mut self, event: &patchwire_async::ResponseEvent) {
        let Self { protocol, frames, queue } = self;
        protocol.feed(event.into(), &mut |message| queue.push_back(framed(frames, &message)));
    }

    /// Sends the answer that ended the stream before the verb began.
    pub(crate) fn end(&mut self, answer: &Answer) {
        let Self { protocol, frames, queue } = self;
        let sink = &mut |message| queue.push_back(framed(frames, &message));
        protocol.feed(Event::Final(answer).into(), sink);
    }

    pub(crate) fn fail(&mut self, code: &str, message: &str) {
        let Self { protocol, frames, queue } = self;
        let failure = Failure::new(code, message);
        protocol.fail(&failure, &mut |message| queue.push_back(framed(frames, &message)));
    }

    pub(super) fn reset(&mut self, attempt: u32) {
        self.send(&patchwire_async::ResponseEvent::Reset { attempt });
    }
}

pub(super) fn framed(frames: &mut Option<Sse>, message: &Message) -> String {
    match frames {
        Some(frames) => frames.frame(message),
        None => format!("{message}\n"),
    }
}
