//! A log of events that does not depend on chunk boundaries: neighbouring deltas are joined.

use core::fmt;
use std::io;

use patchwire::{
    Error, Event, OwnedEvent, PatchOp, PathBuf, Span,
    document::{DocId, NodeId},
    event::ElementId,
};
use patchwire_async::ResponseEvent;
use serde_json::{Map, Value as Json};

use crate::body::{Body, Fault};
use crate::envelope;
use crate::sink::Sink;

/// The events of one stream, in order; for a body also what is known at its end.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct EventLog(pub(crate) Vec<LogEntry>);

/// An event, or neighbouring deltas joined.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum LogEntry {
    /// Joined deltas of one text.
    Grown { field: GrownText, text: String, span: Span },
    /// Any other event. `final` includes the answer in the comparison.
    Event(ResponseEvent),
    /// The facts of a provider.
    Facts(Map<String, Json>),
    /// The envelope of a tool call.
    Call(String),
    /// What is wrong with a body.
    Broken(Fault),
    /// The error that stopped the parser.
    Stopped(Error),
}

/// Which text the deltas belong to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum GrownText {
    Patch { document: DocId, node: NodeId, path: PathBuf },
    Text { channel: String, element: Option<ElementId> },
    Reasoning { element: Option<ElementId> },
    Comment { element: Option<ElementId> },
}

impl EventLog {
    /// Adds an event. Joins a delta with the one before it.
    pub(crate) fn event(&mut self, event: ResponseEvent) {
        let Some((field, text, span)) = delta_of(&event) else {
            return self.0.push(LogEntry::Event(event));
        };
        if let Some(LogEntry::Grown { field: before, text: so_far, span: from }) = self.0.last_mut()
            && *before == field
        {
            so_far.push_str(text);
            from.end = span.end;
            return;
        }
        let text = text.to_owned();
        self.0.push(LogEntry::Grown { field, text, span });
    }

    /// Adds what is known at the end of a body.
    pub(crate) fn ended(&mut self, body: &Body) {
        self.0.extend(body.calls().iter().map(|call| LogEntry::Call(envelope::of_call(call))));
        self.0.extend(body.fault().cloned().map(LogEntry::Broken));
    }

    pub(crate) fn stopped(&mut self, error: Error) {
        self.0.push(LogEntry::Stopped(error));
    }
}

impl Sink for EventLog {
    fn event(&mut self, event: Event<'_>) -> io::Result<()> {
        self.event(event.to_owned().into());
        Ok(())
    }

    fn owned(&mut self, event: &ResponseEvent) -> io::Result<()> {
        self.event(event.clone());
        Ok(())
    }

    fn facts(&mut self, facts: &Map<String, Json>) -> io::Result<()> {
        self.0.push(LogEntry::Facts(facts.clone()));
        Ok(())
    }
}

/// The text, the field and the span of a delta; `None` for other events.
fn delta_of(event: &ResponseEvent) -> Option<(GrownText, &str, Span)> {
    Some(match event.as_parsed()? {
        OwnedEvent::Patch(patch) if patch.op == PatchOp::Delta => {
            let (document, node, path) = (patch.document, patch.node, patch.path.clone());
            (GrownText::Patch { document, node, path }, &patch.delta, patch.span)
        }
        OwnedEvent::Text { channel, element, delta, span, .. } => {
            (GrownText::Text { channel: channel.to_string(), element: *element }, delta, *span)
        }
        OwnedEvent::Reasoning { element, delta, span, .. } => {
            (GrownText::Reasoning { element: *element }, delta, *span)
        }
        OwnedEvent::Comment { element, delta, span, is_complete: false, .. } => {
            (GrownText::Comment { element: *element }, delta, *span)
        }
        _ => return None,
    })
}

/// Like the wire form, but shorter for deltas.
impl fmt::Display for LogEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grown { field, text, span } => {
                let text = serde_json::Value::from(text.as_str());
                write!(f, "{field} += {text}, bytes {}..{}", span.start, span.end)
            }
            Self::Event(event) => event.fmt(f),
            Self::Facts(facts) => write!(f, "facts: {}", Json::Object(facts.clone())),
            Self::Call(call) => write!(f, "call: {call}"),
            Self::Broken(fault) => fault.fmt(f),
            Self::Stopped(error) => error.wire().fmt(f),
        }
    }
}

impl fmt::Display for GrownText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Patch { path, .. } => write!(f, "`{path}`"),
            Self::Text { channel, .. } => f.write_str(channel),
            Self::Reasoning { .. } => f.write_str("reasoning"),
            Self::Comment { .. } => f.write_str("comment"),
        }
    }
}
