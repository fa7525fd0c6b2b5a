//! Sub-streams: a tracker picks what it needs from the events of a response, until it has everything.

use core::task::{Poll, ready};

use patchwire::{OwnedEvent, ValueRef, document::DataError, path::PatternError};

use crate::error::{Error, Next};
use crate::event::ResponseEvent;
use crate::parser_set::ParserSet;

/// Picks items from events.
pub(crate) trait Track: Sized {
    type Item;

    /// Picks from the part of the answer whose events were taken before. Events in the queue follow.
    fn catch_up(&mut self, parsers: &ParserSet);

    /// Picks from one event; `answer` is the value at this event or a later one.
    fn take(&mut self, event: &ResponseEvent, answer: ValueRef<'_>);

    /// The next item that was picked and not returned yet.
    fn pop(&mut self) -> Option<Result<Self::Item, DataError>>;

    /// Whether no more items follow.
    fn is_closed(&self) -> bool;
}

/// Passes an event to a tracker. A patch or snapshot of an earlier attempt is left out: it is void, and
/// its documents are gone. Only a reader that is behind meets one.
pub(crate) fn track(tracker: &mut impl Track, event: &ResponseEvent, parsers: &ParserSet) {
    let origin = match event {
        ResponseEvent::Parsed(OwnedEvent::Patch(patch)) => Some(patch.origin),
        ResponseEvent::Snapshot { origin, .. } => Some(*origin),
        _ => None,
    };
    if origin.is_none_or(|origin| origin.attempt == parsers.attempt()) {
        tracker.take(event, parsers.value());
    }
}

/// The state of a sub-stream.
pub(crate) struct Tracking<K, E> {
    /// None after the end.
    tracker: Option<K>,
    /// The error of a path that cannot be parsed, until it is returned.
    path_error: Option<Error<E>>,
}

impl<K: Track, E> Tracking<K, E> {
    pub(crate) fn new(tracker: Result<K, PatternError>) -> Self {
        match tracker {
            Ok(tracker) => Self { tracker: Some(tracker), path_error: None },
            Err(error) => Self { tracker: None, path_error: Some(error.into()) },
        }
    }

    pub(crate) fn catch_up(mut self, parsers: &ParserSet) -> Self {
        self.tracker.iter_mut().for_each(|tracker| tracker.catch_up(parsers));
        self
    }

    /// The next item. `read` passes one event to the tracker, and returns none after the last event.
    pub(crate) fn poll(
        &mut self,
        mut read: impl FnMut(&mut K) -> Poll<Next<(), E>>,
    ) -> Poll<Next<K::Item, E>> {
        if let Some(error) = self.path_error.take() {
            return Poll::Ready(Some(Err(error)));
        }
        while let Some(tracker) = &mut self.tracker {
            if let Some(item) = tracker.pop() {
                return Poll::Ready(Some(item.map_err(Error::Data)));
            }
            let next = if tracker.is_closed() { None } else { ready!(read(tracker)) };
            match next {
                Some(Ok(())) => continue,
                Some(Err(error)) => {
                    self.tracker = None;
                    return Poll::Ready(Some(Err(error)));
                }
                None => self.tracker = None,
            }
        }
        Poll::Ready(None)
    }
}

impl<K, E> Tracking<K, E> {
    pub(crate) const fn is_ended(&self) -> bool {
        self.tracker.is_none() && self.path_error.is_none()
    }
}
