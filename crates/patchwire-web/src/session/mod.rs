//! Streams of events that a client can leave and come back to.
//!
//! A [`Session`] is a source of events, the numbered events that were told last, and who reads. Nobody
//! drives it but its reader: while no one reads, nothing is asked of the source. Its
//! [keeper] waits beside it for what ends it from outside: a client that does not come back, the
//! time it may take, a server that stops.
//!
//! Lock order: there is one lock a session, held for one poll and never across an await.

mod event_log;
mod keeper;
mod reader;
mod store;

use core::pin::Pin;
use core::task::{Context, Poll, Waker};
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use futures_util::Stream;
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::Instant;

pub(crate) use event_log::WireEvent;
use event_log::{EventLog, Found};
pub(crate) use reader::Reader;
pub(crate) use store::Sessions;

/// Where a session's events come from.
pub(crate) type EventStream = Pin<Box<dyn Stream<Item = WireEvent> + Send>>;

/// Who reads a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Presence {
    Attached,
    /// Since when nobody does.
    Away(Instant),
}

/// What a client finds that comes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ahead {
    /// The event is there, or it may come.
    More,
    /// It had everything.
    Nothing,
    /// Events up to that number are kept no longer.
    Passed(u64),
    /// The event before it was never told.
    NeverTold,
}

/// What ends a stream from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Stop {
    #[error("a stream may take {seconds} s, and this one did; ask for less, or raise the limit")]
    TimeLimit { seconds: u64 },
    #[error("the server is being stopped; send the request again when it is back")]
    ShuttingDown,
}

impl Stop {
    fn told(self) -> WireEvent {
        let code = match self {
            Self::TimeLimit { .. } => "time_limit",
            Self::ShuttingDown => "shutting_down",
        };
        let data = json!({"event": "error", "code": code, "message": self.to_string()});
        WireEvent { name: "error", data: data.to_string() }
    }
}

/// A stream of events.
pub(crate) struct Session {
    state: Mutex<State>,
    presence: watch::Sender<Presence>,
}

struct State {
    /// Gone when it has told all, and when the stream was ended.
    source: Option<EventStream>,
    /// What is still to be told of the end.
    stop: Option<Stop>,
    log: EventLog,
    /// The number of the last reader; those before it read no more.
    reader: u64,
    waker: Option<Waker>,
    /// Given back when the session is closed.
    slot: Option<OwnedSemaphorePermit>,
}

impl Session {
    fn new(source: EventStream, log: EventLog, slot: OwnedSemaphorePermit) -> Self {
        let state = State {
            source: Some(source),
            stop: None,
            log,
            reader: 0,
            waker: None,
            slot: Some(slot),
        };
        Self { state: Mutex::new(state), presence: watch::Sender::new(Presence::Attached) }
    }

    /// A source that panicked while it was polled left its state as it was before.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A new reader's number. Whoever read so far reads no more.
    fn attach(&self) -> u64 {
        let mut state = self.lock();
        state.reader += 1;
        self.presence.send_replace(Presence::Attached);
        state.wake();
        state.reader
    }

    fn leave(&self, reader: u64) {
        let mut state = self.lock();
        if state.reader == reader {
            state.waker = None;
            self.presence.send_replace(Presence::Away(Instant::now()));
        }
    }

    /// The event of that number; none where there is no more, or where another reads now.
    fn poll_event(&self, reader: u64, number: u64, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let mut state = self.lock();
        if state.reader != reader {
            return Poll::Ready(None);
        }
        match state.log.find(number) {
            Found::Event(event) => Poll::Ready(Some(event)),
            Found::Passed => Poll::Ready(None),
            Found::ToCome => state.poll_source(cx),
        }
    }

    /// What a client finds that comes back for the event of that number.
    fn ahead(&self, number: u64) -> Ahead {
        let state = self.lock();
        let is_over = state.source.is_none() && state.stop.is_none();
        match state.log.find(number) {
            Found::Event(_) => Ahead::More,
            Found::Passed => Ahead::Passed(state.log.passed()),
            Found::ToCome if number > state.log.last() + 1 => Ahead::NeverTold,
            Found::ToCome if is_over => Ahead::Nothing,
            Found::ToCome => Ahead::More,
        }
    }

    /// Ends the stream: its source is dropped, and its reader is told why. A reader that reads no more
    /// keeps none of the streams that others could have.
    fn stop(&self, stop: Stop) {
        let mut state = self.lock();
        state.slot = None;
        if state.source.take().is_some() {
            state.stop = Some(stop);
            state.wake();
        }
    }

    /// Frees everything. Nobody can come back.
    fn close(&self) {
        let mut state = self.lock();
        state.source = None;
        state.stop = None;
        state.slot = None;
        state.log.clear();
        state.wake();
    }

    /// Since when nobody reads, and whether the source has more to tell.
    fn away(&self) -> Option<(bool, Instant)> {
        let is_live = self.lock().source.is_some();
        match *self.presence.borrow() {
            Presence::Attached => None,
            Presence::Away(since) => Some((is_live, since)),
        }
    }
}

impl State {
    fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    fn poll_source(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if let Some(stop) = self.stop.take() {
            return Poll::Ready(Some(self.log.push(&stop.told())));
        }
        let Some(source) = &mut self.source else { return Poll::Ready(None) };
        match source.as_mut().poll_next(cx) {
            Poll::Ready(Some(told)) => Poll::Ready(Some(self.log.push(&told))),
            Poll::Ready(None) => {
                self.source = None;
                Poll::Ready(None)
            }
            Poll::Pending => {
                self.waker = Some(cx.waker().clone());
                Poll::Pending
            }
        }
    }
}
