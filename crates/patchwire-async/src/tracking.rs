//! Sub-streams: something that picks what it wants from the events, until it has all of it.

use core::task::{Poll, ready};

use patchwire::{OwnedEvent, ValueRef, document::DataError, path::PatternError};

use crate::error::{Error, Next};
use crate::reading::Reading;

/// Picks from events.
pub(crate) trait Track: Sized {
    type Item;

    /// What was told before: all of the answer that does not wait in the queue.
    fn catch_up(&mut self, reading: &Reading);

    /// One event; `answer` is the value after it or later.
    fn take(&mut self, event: &OwnedEvent, answer: ValueRef<'_>);

    /// What was picked and not given out yet.
    fn pop(&mut self) -> Option<Result<Self::Item, DataError>>;

    /// Whether there will be no more.
    fn is_closed(&self) -> bool;
}

/// A sub-stream's state.
pub(crate) struct Tracking<K, E> {
    /// None after the end.
    track: Option<K>,
    /// The path was none.
    refused: Option<Error<E>>,
}

impl<K: Track, E> Tracking<K, E> {
    pub(crate) fn new(track: Result<K, PatternError>) -> Self {
        match track {
            Ok(track) => Self { track: Some(track), refused: None },
            Err(error) => Self { track: None, refused: Some(error.into()) },
        }
    }

    pub(crate) fn catch_up(mut self, reading: &Reading) -> Self {
        self.track.iter_mut().for_each(|track| track.catch_up(reading));
        self
    }

    /// The next item. `read` takes one event in; it gives none after the last.
    pub(crate) fn poll(
        &mut self,
        mut read: impl FnMut(&mut K) -> Poll<Next<(), E>>,
    ) -> Poll<Next<K::Item, E>> {
        if let Some(error) = self.refused.take() {
            return Poll::Ready(Some(Err(error)));
        }
        while let Some(track) = &mut self.track {
            if let Some(item) = track.pop() {
                return Poll::Ready(Some(item.map_err(Error::Data)));
            }
            let next = if track.is_closed() { None } else { ready!(read(track)) };
            match next {
                Some(Ok(())) => continue,
                Some(Err(error)) => {
                    self.track = None;
                    return Poll::Ready(Some(Err(error)));
                }
                None => self.track = None,
            }
        }
        Poll::Ready(None)
    }
}

impl<K, E> Tracking<K, E> {
    pub(crate) const fn is_ended(&self) -> bool {
        self.track.is_none() && self.refused.is_none()
    }
}
