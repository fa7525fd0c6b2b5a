//! The protocols in which the events of an answer are sent.

use std::collections::VecDeque;

use patchwire_async::ResponseEvent;
use patchwire_wire::{
    AgUi, Compact, Failure, JsonEvents, JsonPatch, Message, Ops, Protocol as Adapter, UiMessage,
};
use serde_json::json;

use crate::wire_event::WireEvent;

/// A protocol of `patchwire-wire`, by its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Wire {
    /// patchwire's own events.
    #[default]
    Own,
    Compact,
    Ops,
    JsonPatch,
    AgUi,
    UiMessage,
}

/// The protocols and their names.
const NAMES: [(&str, Wire); 6] = [
    ("own", Wire::Own),
    ("compact", Wire::Compact),
    ("ops", Wire::Ops),
    ("json-patch", Wire::JsonPatch),
    ("ag-ui", Wire::AgUi),
    ("ui-message", Wire::UiMessage),
];

impl Wire {
    /// # Errors
    /// No protocol has the name. The error says which there are.
    pub(crate) fn named(name: &str) -> Result<Self, String> {
        let found = NAMES.iter().find(|(own, _)| *own == name);
        found.map(|(_, wire)| *wire).ok_or_else(|| {
            let known = NAMES.map(|(name, _)| name).join(", ");
            format!("`wire` is one of {known}, not `{name}`")
        })
    }

    pub(crate) fn name(self) -> &'static str {
        NAMES.iter().find(|(_, wire)| *wire == self).map_or("own", |(name, _)| name)
    }

    /// Whether events that only the gateway has are part of the protocol: raw text and facts.
    pub(crate) const fn has_own_events(self) -> bool {
        matches!(self, Self::Own | Self::Compact)
    }

    /// Whether growing strings are repeated.
    pub(crate) const fn repeats(self) -> bool {
        matches!(self, Self::JsonPatch | Self::AgUi)
    }

    /// An error that ends a stream, whatever was sent before.
    pub(crate) fn error(self, code: &str, message: &str) -> WireEvent {
        let (name, data) = match self {
            Self::AgUi => ("", json!({"type": "RUN_ERROR", "message": message, "code": code})),
            Self::UiMessage => ("", json!({"type": "error", "errorText": message})),
            Self::Own | Self::Compact | Self::Ops | Self::JsonPatch => {
                ("error", json!({"event": "error", "code": code, "message": message}))
            }
        };
        WireEvent { name, data: data.to_string() }
    }
}

/// A protocol, and what a stream in it needs to know.
#[derive(Debug, Clone, Default)]
pub(crate) struct WireChoice {
    pub(crate) wire: Wire,
    /// The thread and the run of AG-UI, as the client named them.
    pub(crate) thread: Option<String>,
    pub(crate) run: Option<String>,
}

/// Writes the events of one answer.
pub(crate) struct EventWriter {
    wire: Wire,
    adapter: Box<dyn Adapter + Send>,
    /// How many events are left out, because the client has them.
    skip: u64,
}

/// What an event costs that is left out, as bytes: a batch of such events has an end, too.
const SKIPPED: usize = 8;

impl EventWriter {
    pub(crate) fn new(choice: &WireChoice) -> Self {
        let name = |given: &Option<String>, own: &str| given.clone().unwrap_or_else(|| own.into());
        let adapter: Box<dyn Adapter + Send> = match choice.wire {
            Wire::Own => Box::new(JsonEvents::default()),
            Wire::Compact => Box::new(Compact::default()),
            Wire::Ops => Box::new(Ops::default()),
            Wire::JsonPatch => Box::new(JsonPatch::default()),
            Wire::AgUi => {
                let (thread, run) = (name(&choice.thread, "patchwire"), name(&choice.run, "run-1"));
                Box::new(AgUi::new(thread, run))
            }
            Wire::UiMessage => Box::new(UiMessage::default()),
        };
        Self { wire: choice.wire, adapter, skip: 0 }
    }

    /// Leaves out so many events.
    pub(crate) const fn skip(&mut self, events: u64) {
        self.skip = events;
    }

    /// How many events are still left out.
    pub(crate) const fn skipped(&self) -> u64 {
        self.skip
    }

    /// Writes an event that is ready.
    pub(crate) fn push(&mut self, event: WireEvent, out: &mut VecDeque<WireEvent>) {
        push(&mut self.skip, event, out);
    }

    pub(crate) const fn is_own(&self) -> bool {
        matches!(self.wire, Wire::Own)
    }

    /// Writes an event. Returns how many bytes it has.
    pub(crate) fn event(&mut self, event: &ResponseEvent, out: &mut VecDeque<WireEvent>) -> usize {
        let mut bytes = 0;
        if self.skip > 0 && self.is_own() {
            self.skip -= 1;
            return SKIPPED;
        }
        self.adapter.feed(event.into(), &mut |message| {
            bytes += message.as_str().len();
            push(&mut self.skip, framed(message), out);
        });
        bytes
    }

    /// Writes an event that only the gateway has, if the protocol has a place for it.
    pub(crate) fn own(&mut self, event: Option<WireEvent>, out: &mut VecDeque<WireEvent>) {
        if let Some(event) = event.filter(|_| self.wire.has_own_events()) {
            self.push(event, out);
        }
    }

    /// Writes the error that ends the answer.
    pub(crate) fn fail(&mut self, failure: &Failure<'_>, out: &mut VecDeque<WireEvent>) {
        if !self.is_own() {
            self.adapter.fail(failure, &mut |message| push(&mut self.skip, framed(message), out));
        }
        // JSON Patch has no errors, and the gateway's own events have an error of their own.
        if matches!(self.wire, Wire::Own | Wire::JsonPatch) {
            self.stop(&failure.code, &failure.message, out);
        }
    }

    /// Writes an error that ends the stream, whatever was sent before.
    pub(crate) fn stop(&mut self, code: &str, message: &str, out: &mut VecDeque<WireEvent>) {
        self.push(self.wire.error(code, message), out);
    }

    /// Whether a string has grown since it was sent.
    pub(crate) fn is_behind(&self) -> bool {
        self.adapter.is_behind()
    }

    /// Sends a string that has grown.
    pub(crate) fn catch_up(&mut self, out: &mut VecDeque<WireEvent>) {
        self.adapter.catch_up(&mut |message| push(&mut self.skip, framed(message), out));
    }
}

fn push(skip: &mut u64, event: WireEvent, out: &mut VecDeque<WireEvent>) {
    match skip.checked_sub(1) {
        Some(less) => *skip = less,
        None => out.push_back(event),
    }
}

fn framed(message: Message) -> WireEvent {
    WireEvent { name: message.name().unwrap_or_default(), data: message.into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn protocols_have_names() {
        for (name, wire) in NAMES {
            assert_eq!((Wire::named(name), wire.name()), (Ok(wire), name));
        }
        let error = Wire::named("agui").unwrap_err();
        assert!(error.contains("ag-ui") && error.contains("`agui`"), "{error}");
    }
}
