//! What all adapters are.

use std::borrow::Cow;

use crate::message::Message;
use crate::told::Told;

/// A protocol in which events are told.
///
/// An adapter takes the events of one stream, in order, and gives messages; it decides nothing and
/// keeps no more than its protocol makes it repeat. The last event is either `Final`, which ends the
/// protocol's stream too, or there is none, and [`fail`](Self::fail) ends it.
pub trait Protocol {
    /// Takes the next event.
    fn feed(&mut self, event: Told<'_>, sink: &mut dyn FnMut(Message));

    /// The stream broke: nothing more comes.
    fn fail(&mut self, failure: &Failure<'_>, sink: &mut dyn FnMut(Message));
}

/// Why a stream broke.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure<'f> {
    /// For programs: `limit_depth`.
    pub code: Cow<'f, str>,
    /// For people.
    pub message: Cow<'f, str>,
    /// At which byte of the input, where that is known.
    pub offset: Option<u64>,
}

impl<'f> Failure<'f> {
    /// A failure that is not the parser's: of the model's stream, of a request.
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
    fn feed(&mut self, event: Told<'_>, sink: &mut dyn FnMut(Message)) {
        (**self).feed(event, sink);
    }

    fn fail(&mut self, failure: &Failure<'_>, sink: &mut dyn FnMut(Message)) {
        (**self).fail(failure, sink);
    }
}
