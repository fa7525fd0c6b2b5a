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
}

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
        Self { wire: choice.wire, adapter }
    }

    pub(crate) const fn is_own(&self) -> bool {
        matches!(self.wire, Wire::Own)
    }

    /// Writes an event. Returns how many bytes it has.
    pub(crate) fn event(&mut self, event: &ResponseEvent, out: &mut VecDeque<WireEvent>) -> usize {
        let mut bytes = 0;
        self.adapter.feed(event.into(), &mut |message| {
            bytes += message.as_str().len();
            out.push_back(framed(message));
        });
        bytes
    }

    /// Writes an event that only the gateway has, if the protocol has a place for it.
    pub(crate) fn own(&self, event: Option<WireEvent>, out: &mut VecDeque<WireEvent>) {
        out.extend(event.filter(|_| self.wire.has_own_events()));
    }

    /// Writes the error that ends the answer.
    pub(crate) fn fail(&mut self, failure: &Failure<'_>, out: &mut VecDeque<WireEvent>) {
        if !self.is_own() {
            self.adapter.fail(failure, &mut |message| out.push_back(framed(message)));
        }
        // JSON Patch has no errors, and the gateway's own events have an error of their own.
        if matches!(self.wire, Wire::Own | Wire::JsonPatch) {
            out.push_back(self.wire.error(&failure.code, &failure.message));
        }
    }

    /// Whether a string has grown since it was sent.
    pub(crate) fn is_behind(&self) -> bool {
        self.adapter.is_behind()
    }

    /// Sends a string that has grown.
    pub(crate) fn catch_up(&mut self, out: &mut VecDeque<WireEvent>) {
        self.adapter.catch_up(&mut |message| out.push_back(framed(message)));
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
