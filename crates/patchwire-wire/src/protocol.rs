//! The interface of all adapters.

use std::borrow::Cow;

use crate::event_ref::EventRef;
use crate::message::Message;

/// Writes the events of one stream in a protocol.
///
/// An adapter takes the events in order and emits messages. It keeps only what its protocol repeats. The
/// event `Final` ends the stream of the protocol. If a stream has no `Final`, [`fail`](Self::fail) ends
/// it.
pub trait Protocol {
    /// Takes the next event.
    fn feed(&mut self, event: EventRef<'_>, sink: &mut dyn FnMut(Message));

    /// Ends a stream that failed.
    fn fail(&mut self, failure: &Failure<'_>, sink: &mut dyn FnMut(Message));

    /// Whether a string has grown since it was sent. Only protocols that cannot append to a string are ever behind.
    fn is_behind(&self) -> bool {
        false
    }

    /// Sends what [is behind](Self::is_behind). Call it as often as a reader should see a growing string: adapters
    /// have no clock. Each call repeats the string, so many calls cost its length many times.
    ///
    /// ```
    /// use patchwire::Spec;
    /// use patchwire_wire::{JsonPatch, Protocol as _};
    ///
    /// let (mut parser, mut wire, mut lines) = (Spec::json().parser(), JsonPatch::default(), Vec::new());
    /// for chunk in ["{\"city\": \"Reykja", "v"] {
    ///     parser.feed(chunk, |event| wire.feed(event.into(), &mut |it| lines.push(it.to_string())))?;
    /// }
    /// assert!(wire.is_behind());
    /// wire.catch_up(&mut |it| lines.push(it.to_string()));
    /// assert_eq!(lines.last().unwrap(), r#"[{"op":"replace","path":"/city","value":"Reykjav"}]"#);
    /// # Ok::<(), patchwire::Error>(())
    /// ```
    fn catch_up(&mut self, _: &mut dyn FnMut(Message)) {}
}

/// Why a stream failed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure<'f> {
    /// The code for programs, such as `limit_depth`.
    pub code: Cow<'f, str>,
    /// The message for people.
    pub message: Cow<'f, str>,
    /// The offset in the input, if it is known.
    pub offset: Option<u64>,
}

impl<'f> Failure<'f> {
    /// A failure outside the parser, such as that of a model's stream or a request.
    #[must_use]
    pub fn new(code: impl Into<Cow<'f, str>>, message: impl Into<Cow<'f, str>>) -> Self {
        Self { code: code.into(), message: message.into(), offset: None }
    }
}

impl From<patchwire::Error> for Failure<'static> {
    fn from(error: patchwire::Error) -> Self {
        let offset = Some(error.offset);
        Self { offset, ..Self::new(error.kind.name(), error.kind.to_string()) }
    }
}

impl<P: Protocol + ?Sized> Protocol for Box<P> {
    fn feed(&mut self, event: EventRef<'_>, sink: &mut dyn FnMut(Message)) {
        (**self).feed(event, sink);
    }

    fn fail(&mut self, failure: &Failure<'_>, sink: &mut dyn FnMut(Message)) {
        (**self).fail(failure, sink);
    }

    fn is_behind(&self) -> bool {
        (**self).is_behind()
    }

    fn catch_up(&mut self, sink: &mut dyn FnMut(Message)) {
        (**self).catch_up(sink);
    }
}
