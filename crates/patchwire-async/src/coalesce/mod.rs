//! Joins deltas, for readers that need only a few updates a second.

mod held;

use core::fmt;
use core::future::poll_fn;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::{FusedStream, Stream};

use crate::error::Error;
use crate::event::ResponseEvent;
use held::Held;
pub(crate) use held::delta_mut;

/// The limit of joined bytes, independent of ticks.
const MOST_JOINED: usize = 64 << 10;
/// How many missed ticks are skipped in one poll.
const MISSED_TICKS: usize = 64;

/// Joins neighbouring deltas between ticks. Made by [`Response::coalesce`](crate::Response::coalesce)
/// and [`SharedEvents::coalesce`](crate::SharedEvents::coalesce).
///
/// A delta is held until a tick, until 64 KiB are joined, or until an event comes that does not continue
/// it. Other events are returned at once, in order. After the end of the ticks, only deltas that are
/// ready at the same time are joined.
pub struct Coalesced<S: Stream, T> {
    events: S,
    ticks: Option<Pin<Box<T>>>,
    held: Option<Held>,
    /// The event that ended the held text. It is returned after it.
    after: Option<S::Item>,
    ended: bool,
}

impl<S: Stream, T> Coalesced<S, T> {
    pub(crate) fn new(events: S, ticks: T) -> Self {
        Self { events, ticks: Some(Box::pin(ticks)), held: None, after: None, ended: false }
    }

    /// The inner stream, such as the response.
    pub const fn get_ref(&self) -> &S {
        &self.events
    }

    /// Returns the inner stream at its current position. A held delta is dropped.
    pub fn into_inner(self) -> S {
        self.events
    }
}

impl<S, T, E> Coalesced<S, T>
where
    S: Stream<Item = Result<ResponseEvent, Error<E>>> + Unpin,
    T: Stream,
{
    /// The next event; none after the end. Can be dropped at any time without losing one.
    pub async fn next(&mut self) -> Option<S::Item> {
        poll_fn(|cx| self.poll_joined(cx)).await
    }

    fn poll_joined(&mut self, cx: &mut Context<'_>) -> Poll<Option<S::Item>> {
        let ticked = self.poll_ticks(cx);
        if ticked && let Some(held) = self.held.take() {
            return Poll::Ready(Some(Ok(held.join())));
        }
        loop {
            if let Some(after) = self.after.take() {
                return Poll::Ready(Some(after));
            }
            if self.ended {
                return Poll::Ready(None);
            }
            let Poll::Ready(next) = Pin::new(&mut self.events).poll_next(cx) else {
                return self.idle();
            };
            if let Some(event) = self.take(next) {
                return Poll::Ready(Some(event));
            }
        }
    }

    /// No event is ready. Without ticks, nothing is held.
    fn idle(&mut self) -> Poll<Option<S::Item>> {
        match (&self.ticks, self.held.take()) {
            (None, Some(held)) => Poll::Ready(Some(Ok(held.join()))),
            (_, held) => {
                self.held = held;
                Poll::Pending
            }
        }
    }

    /// Whether there was a tick.
    fn poll_ticks(&mut self, cx: &mut Context<'_>) -> bool {
        let mut ticked = false;
        for _ in 0..MISSED_TICKS {
            let Some(ticks) = &mut self.ticks else { return ticked };
            match ticks.as_mut().poll_next(cx) {
                Poll::Ready(Some(_)) => ticked = true,
                Poll::Ready(None) => self.ticks = None,
                Poll::Pending => return ticked,
            }
        }
        // There may be more ticks. The next poll takes them.
        cx.waker().wake_by_ref();
        ticked
    }

    /// Takes an item of the inner stream. Returns the item to return now, if there is one.
    fn take(&mut self, next: Option<S::Item>) -> Option<S::Item> {
        let next = match next {
            Some(Ok(event)) => match self.hold(event) {
                Ok(out) => return out.map(Ok),
                Err(event) => Some(Ok(event)),
            },
            Some(error) => Some(error),
            None => {
                self.ended = true;
                None
            }
        };
        match self.held.take() {
            Some(held) => {
                self.after = next;
                Some(Ok(held.join()))
            }
            None => next,
        }
    }

    /// Holds a delta. Returns any other event as an error.
    fn hold(&mut self, event: ResponseEvent) -> Result<Option<ResponseEvent>, ResponseEvent> {
        if let Some(held) = &mut self.held
            && held.is_continued_by(&event)
        {
            held.push(&event);
            let full = held.len() >= MOST_JOINED;
            return Ok(if full { self.held.take().map(Held::join) } else { None });
        }
        let fresh = Held::new(event)?;
        Ok(self.held.replace(fresh).map(Held::join))
    }
}

impl<S: Stream + Unpin, T> Unpin for Coalesced<S, T> {}

impl<S, T, E> Stream for Coalesced<S, T>
where
    S: Stream<Item = Result<ResponseEvent, Error<E>>> + Unpin,
    T: Stream,
{
    type Item = S::Item;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<S::Item>> {
        self.poll_joined(cx)
    }
}

impl<S, T, E> FusedStream for Coalesced<S, T>
where
    S: Stream<Item = Result<ResponseEvent, Error<E>>> + Unpin,
    T: Stream,
{
    fn is_terminated(&self) -> bool {
        self.ended && self.held.is_none() && self.after.is_none()
    }
}

impl<S: Stream + fmt::Debug, T> fmt::Debug for Coalesced<S, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Coalesced").field("events", &self.events).finish_non_exhaustive()
    }
}
