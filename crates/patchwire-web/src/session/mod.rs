//! Streams of events that a client can leave and resume.
//!
//! A [`Session`] has a source of events, a log of the last events, and a reader. The reader drives
//! it: without a reader, nothing is read from the source. Its [keeper] is a task that ends it from
//! outside: when the client does not return, when its time is over, or when the server stops.
//!
//! Locking: each session has one lock, which is held for one poll and never across an await.

mod event_log;
#[cfg(all(test, feature = "_shuttle"))]
mod interleavings;
mod keeper;
mod reader;
mod store;

use core::pin::Pin;
use core::task::{Context, Poll, Waker};
use std::sync::PoisonError;

use bytes::Bytes;
use futures_util::{Stream, StreamExt as _};
use serde_json::json;
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::Instant;

pub(crate) use event_log::Emitted;
use event_log::{EventLog, Found};
pub(crate) use reader::Reader;
pub(crate) use store::{Sessions, Slot};

use crate::sync::{Mutex, MutexGuard};
use crate::wire_event::WireEvent;

/// What the client of a session gets.
pub(crate) type EventStream = Pin<Box<dyn Stream<Item = Emitted> + Send>>;

/// The source of a stream of events.
pub(crate) fn events(source: impl Stream<Item = WireEvent> + Send + 'static) -> EventStream {
    Box::pin(source.map(Emitted::Event))
}

/// The source, with something that is dropped at its end.
pub(crate) fn counted(source: EventStream, guard: impl Send + 'static) -> EventStream {
    Box::pin(source.map(move |emitted| {
        let _held = &guard;
        emitted
    }))
}

/// How a stream says that it was ended from outside.
pub(crate) type LastWords = fn(Stop) -> Emitted;

/// Whether a session has a reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Presence {
    Attached,
    /// No reader since this moment.
    Away(Instant),
    /// No reader any more: the session is closed.
    Gone,
}

/// What a returning client finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Ahead {
    /// The event is stored, or may follow.
    More,
    /// The client has every event.
    Nothing,
    /// Events up to this number were dropped.
    Passed(u64),
    /// The event before it does not exist.
    NeverEmitted,
}

/// Why a stream is ended from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Stop {
    #[error("a stream may take {seconds} s, and this one did; ask for less, or raise the limit")]
    TimeLimit { seconds: u64 },
    #[error("the server is being stopped; send the request again when it is back")]
    ShuttingDown,
}

impl Stop {
    /// The code, for programs.
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::TimeLimit { .. } => "time_limit",
            Self::ShuttingDown => "shutting_down",
        }
    }

    fn event(self) -> Emitted {
        let data = json!({"event": "error", "code": self.code(), "message": self.to_string()});
        Emitted::Event(WireEvent { name: "error", data: data.to_string() })
    }
}

/// A stream of events that can be resumed.
pub(crate) struct Session {
    state: Mutex<State>,
    presence: watch::Sender<Presence>,
    /// Whether a client that left may come back.
    is_resumable: bool,
}

struct State {
    /// `None` when the source has ended, or was dropped.
    source: Option<EventStream>,
    /// Why the stream was ended, until the reader has the event for it.
    stop: Option<Stop>,
    last_words: Box<dyn Fn(Stop) -> Emitted + Send>,
    /// Whether the connection is to be broken off.
    is_broken: bool,
    log: EventLog,
    /// The number of the current reader. Earlier readers get no more events.
    reader: u64,
    waker: Option<Waker>,
    /// Released when the session is closed.
    slot: Option<OwnedSemaphorePermit>,
}

impl Session {
    fn new(
        source: EventStream,
        log: EventLog,
        slot: impl Into<Option<OwnedSemaphorePermit>>,
    ) -> Self {
        let state = State {
            source: Some(source),
            stop: None,
            last_words: Box::new(Stop::event),
            is_broken: false,
            log,
            reader: 0,
            waker: None,
            slot: slot.into(),
        };
        let presence = watch::Sender::new(Presence::Attached);
        Self { state: Mutex::new(state), presence, is_resumable: true }
    }

    /// This session for one reader: when it leaves, everything is freed.
    fn for_one_reader(self) -> Self {
        Self { is_resumable: false, ..self }
    }

    /// This session with other words about its end from outside.
    fn with_last_words(self, last_words: impl Fn(Stop) -> Emitted + Send + 'static) -> Self {
        self.lock().last_words = Box::new(last_words);
        self
    }

    /// Whether the body of this reader is to be broken off.
    fn is_broken(&self, reader: u64) -> bool {
        let state = self.lock();
        state.is_broken && state.reader == reader
    }

    /// A source that panics while it is polled leaves the state unchanged.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Attaches a new reader, and returns its number. The reader before it gets no more events.
    fn attach(&self) -> u64 {
        let mut state = self.lock();
        state.reader += 1;
        self.presence.send_replace(Presence::Attached);
        state.wake();
        state.reader
    }

    fn leave(&self, reader: u64) {
        let mut state = self.lock();
        if state.reader != reader {
            return;
        }
        state.waker = None;
        if self.is_resumable {
            self.presence.send_replace(Presence::Away(Instant::now()));
        } else {
            state.close();
            self.presence.send_replace(Presence::Gone);
        }
    }

    /// The event of this number; `None` at the end, or if another reader is attached.
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

    /// What a client finds that returns for the event of this number.
    fn ahead(&self, number: u64) -> Ahead {
        let state = self.lock();
        let is_over = state.source.is_none() && state.stop.is_none();
        match state.log.find(number) {
            Found::Event(_) => Ahead::More,
            Found::Passed => Ahead::Passed(state.log.passed()),
            Found::ToCome if number > state.log.last() + 1 => Ahead::NeverEmitted,
            Found::ToCome if is_over => Ahead::Nothing,
            Found::ToCome => Ahead::More,
        }
    }

    /// Ends the stream: drops its source, and gives its reader the reason. A reader that stops
    /// reading therefore keeps no resources of others.
    fn stop(&self, stop: Stop) {
        let mut state = self.lock();
        state.slot = None;
        if state.source.take().is_some() {
            state.stop = Some(stop);
            state.wake();
        }
    }

    /// Frees everything. The session cannot be resumed.
    fn close(&self) {
        self.lock().close();
    }

    /// Since when there is no reader, and whether the source has more events.
    fn away(&self) -> Option<(bool, Instant)> {
        let is_live = self.lock().source.is_some();
        match *self.presence.borrow() {
            Presence::Attached | Presence::Gone => None,
            Presence::Away(since) => Some((is_live, since)),
        }
    }
}

impl State {
    fn close(&mut self) {
        self.source = None;
        self.stop = None;
        self.slot = None;
        self.log.clear();
        self.wake();
    }

    fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }

    /// The bytes for the client; `None` if the body is broken off.
    fn emit(&mut self, emitted: Emitted) -> Option<Bytes> {
        match emitted {
            Emitted::Event(event) => Some(self.log.push(event)),
            Emitted::Bytes(bytes) => {
                self.log.keep(bytes.clone());
                Some(bytes)
            }
            Emitted::Broken => {
                self.source = None;
                self.is_broken = true;
                None
            }
        }
    }

    fn poll_source(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if let Some(stop) = self.stop.take() {
            return Poll::Ready(self.emit((self.last_words)(stop)));
        }
        let Some(source) = &mut self.source else { return Poll::Ready(None) };
        match source.as_mut().poll_next(cx) {
            Poll::Ready(Some(emitted)) => {
                if matches!(&emitted, Emitted::Event(event) if event.is_last()) {
                    // Freed before the client has read the event, which it may never do.
                    self.source = None;
                }
                Poll::Ready(self.emit(emitted))
            }
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

#[cfg(test)]
mod tests {
    use core::sync::atomic::{AtomicUsize, Ordering};
    use std::sync::Arc;
    use std::task::Wake;

    use futures_util::stream;

    use super::*;

    /// Counts how often a reader is woken.
    #[derive(Default)]
    struct Wakes(AtomicUsize);

    impl Wake for Wakes {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    type Ends = fn(&Session);

    /// Its source says nothing more, so nothing else would wake it.
    #[test]
    fn a_reader_that_waits_is_woken_when_it_gets_no_more_events() {
        let taken_over: Ends = |session| _ = session.attach();
        let ends = [
            (taken_over, None),
            (|session| session.close(), None),
            (|session| session.stop(Stop::ShuttingDown), Some("shutting_down")),
        ];
        for (end, says) in ends {
            let session = Session::new(Box::pin(stream::pending()), EventLog::new(1, 0), None);
            let reader = session.attach();
            let wakes = Arc::<Wakes>::default();
            let waker = Waker::from(Arc::clone(&wakes));
            let mut cx = Context::from_waker(&waker);
            assert_eq!(session.poll_event(reader, 1, &mut cx), Poll::Pending);
            end(&session);
            assert_eq!(wakes.0.load(Ordering::SeqCst), 1, "{says:?}");
            let Poll::Ready(last) = session.poll_event(reader, 1, &mut cx) else {
                panic!("it waits on: {says:?}");
            };
            let last = last.map(|event| String::from_utf8(event.into()).expect("UTF-8"));
            assert_eq!(last.is_some(), says.is_some());
            assert!(last.is_none_or(|last| last.contains(says.unwrap_or_default())));
        }
    }
}
