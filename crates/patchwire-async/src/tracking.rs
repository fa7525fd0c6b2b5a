//! Parts of a response: a verb picks what it needs from the events, until it has everything.

use core::task::{Poll, ready};

use patchwire::schema::UndeclaredPath;
use patchwire::{OwnedEvent, Pattern, Schema, document::DataError};

use crate::error::{Error, Next};
use crate::event::ResponseEvent;
use crate::parser_set::ParserSet;
use crate::path_error::PathError;

/// Picks items from events.
pub trait Verb: Sized {
    /// What the part of the response consists of.
    type Item;

    /// Picks from the part of the answer whose events were taken before. Events in the queue follow.
    fn catch_up(&mut self, parsers: &ParserSet);

    /// Picks from one event. The parsers are as they are at this event or a later one.
    fn take(&mut self, event: &ResponseEvent, view: View<'_>);

    /// The response ended, and its answer stands.
    fn end(&mut self, parsers: &ParserSet);

    /// The next item that was picked and not returned yet.
    fn pop(&mut self) -> Option<Result<Self::Item, PartError>>;

    /// Whether no more items follow.
    fn is_closed(&self) -> bool;
}

/// What a verb sees beside an event.
#[derive(Clone, Copy)]
pub struct View<'a> {
    pub(crate) parsers: &'a ParserSet,
    /// Whether another event waits, so that the state of the parsers is that of a later event.
    pub(crate) more_waits: bool,
}

/// Why a part of a response has no item in this place.
#[derive(Debug)]
pub enum PartError {
    /// The path leads to no value.
    Path(PathError),
    /// The value does not fit the type.
    Data(DataError),
}

impl<E> From<PartError> for Error<E> {
    fn from(error: PartError) -> Self {
        match error {
            PartError::Path(error) => Self::Path(error),
            PartError::Data(error) => Self::Data(error),
        }
    }
}

/// Checks a path against the schema, if there is one.
pub(crate) fn located(path: &Pattern, schema: Option<&Schema>) -> Result<(), UndeclaredPath> {
    schema.map_or(Ok(()), |schema| schema.locate(path))
}

/// Passes an event to a verb. A patch or snapshot of an earlier attempt is left out: it is void, and
/// its documents are gone. Only a reader that is behind meets one.
pub(crate) fn track(verb: &mut impl Verb, event: &ResponseEvent, view: View<'_>) {
    let origin = match event {
        ResponseEvent::Parsed(OwnedEvent::Patch(patch)) => Some(patch.origin),
        ResponseEvent::Snapshot { origin, .. } => Some(*origin),
        _ => None,
    };
    if origin.is_none_or(|origin| origin.attempt == view.parsers.attempt()) {
        verb.take(event, view);
    }
}

/// The state of a part.
pub(crate) struct Tracking<K, E> {
    /// None after the end.
    verb: Option<K>,
    /// The error of the path, until it is returned.
    path_error: Option<Error<E>>,
}

impl<K: Verb, E> Tracking<K, E> {
    pub(crate) fn new(verb: Result<K, PathError>) -> Self {
        match verb {
            Ok(verb) => Self { verb: Some(verb), path_error: None },
            Err(error) => Self { verb: None, path_error: Some(error.into()) },
        }
    }

    pub(crate) fn catch_up(mut self, parsers: &ParserSet) -> Self {
        self.verb.iter_mut().for_each(|verb| verb.catch_up(parsers));
        self
    }

    /// The next item. `read` passes one event to the verb, or the end of the response, and returns none after it.
    pub(crate) fn poll(
        &mut self,
        mut read: impl FnMut(&mut K) -> Poll<Next<(), E>>,
    ) -> Poll<Next<K::Item, E>> {
        if let Some(error) = self.path_error.take() {
            return Poll::Ready(Some(Err(error)));
        }
        let mut has_ended = false;
        while let Some(verb) = &mut self.verb {
            if let Some(item) = verb.pop() {
                return Poll::Ready(Some(item.map_err(Error::from)));
            }
            if verb.is_closed() || has_ended {
                self.verb = None;
                break;
            }
            match ready!(read(verb)) {
                Some(Ok(())) => {}
                Some(Err(error)) => {
                    self.verb = None;
                    return Poll::Ready(Some(Err(error)));
                }
                None => has_ended = true,
            }
        }
        Poll::Ready(None)
    }
}

impl<K, E> Tracking<K, E> {
    pub(crate) const fn is_ended(&self) -> bool {
        self.verb.is_none() && self.path_error.is_none()
    }
}
