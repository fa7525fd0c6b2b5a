//! The events of a response.

mod json;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use bytestring::ByteString;
use patchwire::{OwnedEvent, OwnedPatch, Span, Value, document::DocId, event::Origin};

use crate::rejection::Rejection;

/// One event of a response: an event of the engine, or one that only a response has.
///
/// Printed, or serialized with serde, an event has the JSON form that [`OwnedEvent`] has: one object,
/// whose first member `event` is [`name`](Self::name).
///
/// ```
/// use patchwire::Spec;
/// use patchwire_async::TokenStreamExt as _;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), patchwire_async::Error<std::io::Error>> {
/// let tokens = tokio_stream::iter([Ok::<_, std::io::Error>("{\"title\": \"Hel"), Ok("lo\"}")]);
/// let mut response = tokens.fields(Spec::json());
/// let mut title = String::new();
/// while let Some(event) = response.next().await {
///     if let Some(patch) = event?.as_patch() {
///         title.push_str(&patch.delta);
///     }
/// }
/// assert_eq!(title, "Hello");
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ResponseEvent {
    /// An event of a parser: of the answer's parser, or of the parser of a tool call's arguments.
    Parsed(OwnedEvent),
    /// A tool call began, or its id or name arrived.
    ToolCall {
        /// The document that holds the arguments.
        document: DocId,
        /// The number of the call, as in [`Origin::call`].
        call: u32,
        /// The provider's id of the call.
        id: Option<ByteString>,
        /// The name of the tool.
        name: Option<ByteString>,
    },
    /// The whole value of a document so far, for a reader that missed events.
    Snapshot {
        /// The document.
        document: DocId,
        /// The document's element, root, attempt and call.
        origin: Origin,
        /// The value so far.
        value: Value,
    },
    /// The answer of an attempt was not accepted.
    Rejected(Arc<Rejection>),
    /// The request is repeated. [`Reset`](Self::Reset) follows.
    Retrying {
        /// The number of the attempt that begins.
        attempt: u32,
        /// Why the attempt before it failed.
        rejection: Arc<Rejection>,
    },
    /// Everything that earlier attempts emitted is void.
    Reset {
        /// The number of the attempt that is valid from now on.
        attempt: u32,
    },
}

impl ResponseEvent {
    /// The name of the event in its JSON form.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Parsed(event) => event.name(),
            Self::ToolCall { .. } => "tool_call",
            Self::Snapshot { .. } => "snapshot",
            Self::Rejected(rejection) => rejection.cause.event_name(),
            Self::Retrying { .. } => "retrying",
            Self::Reset { .. } => "reset",
        }
    }

    /// The bytes of the input that the event covers. None for events without text of their own.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.as_parsed().and_then(OwnedEvent::span)
    }

    /// The event of the engine, if it is one.
    #[must_use]
    pub const fn as_parsed(&self) -> Option<&OwnedEvent> {
        match self {
            Self::Parsed(event) => Some(event),
            _ => None,
        }
    }

    /// The change of a field, if the event is one.
    #[must_use]
    pub const fn as_patch(&self) -> Option<&OwnedPatch> {
        match self {
            Self::Parsed(OwnedEvent::Patch(patch)) => Some(patch),
            _ => None,
        }
    }

    /// The answer, if the event is the last one.
    #[must_use]
    pub const fn as_final(&self) -> Option<&patchwire::Answer> {
        match self {
            Self::Parsed(OwnedEvent::Final(answer)) => Some(answer),
            _ => None,
        }
    }
}

impl From<OwnedEvent> for ResponseEvent {
    fn from(event: OwnedEvent) -> Self {
        Self::Parsed(event)
    }
}
