//! Our own form: one JSON object an event.

use patchwire::wire::IncludeValues;
use serde::Serialize;

use crate::message::Message;
use crate::protocol::{Failure, Protocol};
use crate::text::json;
use crate::told::Told;

/// Events in our own form, as the command prints them: lines of NDJSON, or the data of a numbered
/// [`Sse`](crate::Sse) stream, whose `event:` is the name of the event.
#[derive(Debug, Clone, Default)]
pub struct Own {
    values: IncludeValues,
}

impl Own {
    /// With the value so far on more patches; those of an owned event are as by default.
    #[must_use]
    pub const fn with_values(values: IncludeValues) -> Self {
        Self { values }
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

impl Protocol for Own {
    fn feed(&mut self, event: Told<'_>, sink: &mut dyn FnMut(Message)) {
        sink(Message::new(event.line(self.values)).with_name(event.name()));
    }

    fn fail(&mut self, failure: &Failure<'_>, sink: &mut dyn FnMut(Message)) {
        let Failure { code, message, offset } = failure;
        let error = Error { event: "error", code, offset: *offset, message };
        sink(Message::new(json(&error)).with_name("error"));
    }
}
