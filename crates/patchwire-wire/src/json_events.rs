//! patchwire's own JSON form: one object an event.

use patchwire::wire::{IncludeValues, LineWriter};
use serde::Serialize;

use crate::event_ref::EventRef;
use crate::message::Message;
use crate::protocol::{Failure, Protocol};
use crate::text::json;

/// Events in patchwire's own JSON form, as the command prints them: as lines of NDJSON, or as the data of a
/// numbered [`Sse`](crate::Sse) stream whose `event:` is the name of the event.
#[derive(Debug, Clone, Default)]
pub struct JsonEvents {
    values: IncludeValues,
    lines: LineWriter,
}

impl JsonEvents {
    /// Sets which patches repeat the value so far. Owned events always use the default.
    #[must_use]
    pub fn with_values(values: IncludeValues) -> Self {
        Self { values, lines: LineWriter::default() }
    }
}

#[derive(Serialize)]
struct Error<'f> {
    event: &'static str,
    code: &'f str,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
    message: &'f str,
}

impl Protocol for JsonEvents {
    fn feed(&mut self, event: EventRef<'_>, sink: &mut dyn FnMut(Message)) {
        sink(Message::new(event.line(&mut self.lines, self.values)).with_name(event.name()));
    }

    fn fail(&mut self, failure: &Failure<'_>, sink: &mut dyn FnMut(Message)) {
        let Failure { code, message, offset } = failure;
        let error = Error { event: "error", code, offset: *offset, message };
        sink(Message::new(json(&error)).with_name("error"));
    }
}
