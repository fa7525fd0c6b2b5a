//! Prints events in the protocol of `--wire`.

use std::io::{self, Write};

use patchwire::Event;
use patchwire_async::ResponseEvent;
use patchwire_wire::{
    AgUi, Compact, Failure, JsonEvents, JsonPatch, Message, Ops, Protocol, Sse, UiMessage,
};
use serde_json::{Map, Value as Json, json};

use crate::args::{Documents, Values, Wire, WireArgs};
use crate::settings::SettingsError;
use crate::sink::Sink;

/// Prints the events of one stream after another. Output is flushed after each chunk.
pub(crate) struct ProtocolOutput<W> {
    out: W,
    wire: Wire,
    documents: patchwire_wire::Documents,
    values: patchwire::wire::IncludeValues,
    protocol: Box<dyn Protocol>,
    /// Frames of server-sent events, for protocols that use them.
    sse: Option<Sse>,
    /// How many streams have ended.
    ended: u32,
}

impl<W: Write> ProtocolOutput<W> {
    pub(crate) fn new(out: W, args: &WireArgs, values: Values) -> Result<Self, SettingsError> {
        let sse = match args.wire {
            Wire::Own | Wire::Compact | Wire::Ops | Wire::JsonPatch => None,
            Wire::Sse => Some(Sse::numbered()),
            Wire::AgUi | Wire::UiMessage => Some(Sse::plain()),
        };
        if values != Values::default() && !matches!(args.wire, Wire::Own | Wire::Sse) {
            return Err(SettingsError::Values);
        }
        let documents = match args.documents {
            Documents::Answer => patchwire_wire::Documents::Answer,
            Documents::All => patchwire_wire::Documents::All,
        };
        let (wire, values) = (args.wire, values.into());
        let protocol = protocol(wire, documents, values, 0);
        Ok(Self { out, wire, documents, values, protocol, sse, ended: 0 })
    }

    /// Ends a stream, with its failure if it has one. Another stream may follow.
    pub(crate) fn end(&mut self, failure: Option<Failure<'_>>) -> io::Result<()> {
        if let Some(failure) = failure {
            self.tell(|protocol, sink| protocol.fail(&failure, sink))?;
        }
        self.ended += 1;
        self.protocol = protocol(self.wire, self.documents, self.values, self.ended);
        self.out.flush()
    }

    fn tell(
        &mut self,
        tell: impl FnOnce(&mut dyn Protocol, &mut dyn FnMut(Message)),
    ) -> io::Result<()> {
        let Self { out, protocol, sse, .. } = self;
        let mut written = Ok(());
        tell(protocol.as_mut(), &mut |message| {
            if written.is_ok() {
                written = match sse {
                    Some(sse) => out.write_all(sse.frame(&message).as_bytes()),
                    None => writeln!(out, "{message}"),
                };
            }
        });
        written
    }
}

impl<W: Write> Sink for ProtocolOutput<W> {
    fn event(&mut self, event: Event<'_>) -> io::Result<()> {
        self.tell(|protocol, sink| protocol.feed(event.into(), sink))
    }

    fn owned(&mut self, event: &ResponseEvent) -> io::Result<()> {
        self.tell(|protocol, sink| protocol.feed(event.into(), sink))
    }

    /// Only the engine's own wire form has an event for facts; the gateway uses it too.
    fn facts(&mut self, facts: &Map<String, Json>) -> io::Result<()> {
        if facts.is_empty() || !matches!(self.wire, Wire::Own | Wire::Compact | Wire::Sse) {
            return Ok(());
        }
        let line = json!({"event": "facts", "facts": facts}).to_string();
        self.tell(|_, sink| sink(Message::new(line).with_name("facts")))
    }

    fn chunk_done(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn protocol(
    wire: Wire,
    documents: patchwire_wire::Documents,
    values: patchwire::wire::IncludeValues,
    stream: u32,
) -> Box<dyn Protocol> {
    match wire {
        Wire::Own | Wire::Sse => Box::new(JsonEvents::with_values(values)),
        Wire::Compact => Box::new(Compact::default()),
        Wire::Ops => Box::new(Ops::with_documents(documents)),
        Wire::JsonPatch => Box::new(JsonPatch::with_documents(documents)),
        Wire::AgUi => {
            let run = format!("run-{}", stream + 1);
            Box::new(AgUi::new("patchwire", run).with_documents(documents))
        }
        Wire::UiMessage => Box::new(UiMessage::default().with_documents(documents)),
    }
}
