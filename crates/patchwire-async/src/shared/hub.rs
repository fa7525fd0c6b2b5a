//! What the handles of a shared response share.

use core::fmt;
use core::sync::atomic::{AtomicU64, Ordering};
use core::task::{Context, Poll, Waker, ready};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use patchwire::{Event, OwnedEvent, Value};

use super::log::Log;
use super::wakers::{Reader, Wakers};
use crate::answer::Answer;
use crate::error::{Error, Next};
use crate::input::Split;
use crate::reading::Reading;
use crate::request::Request;
use crate::response::Response;

pub(super) struct Hub<R: Request, X> {
    state: Mutex<State<R, X>>,
    wakers: Arc<Wakers>,
    readers: AtomicU64,
}

/// Invariant: between calls no event waits in the response, so that the end of the log is the state of
/// the documents.
struct State<R: Request, X> {
    response: Response<R, X>,
    log: Log,
}

/// How far a reader has come.
#[derive(Debug)]
pub(super) struct Cursor {
    reader: Reader,
    /// The number of its next event.
    at: u64,
    /// What it gets instead of what it missed.
    instead: VecDeque<OwnedEvent>,
    /// The attempt that it knows to have begun.
    attempt: u32,
    error_told: bool,
}

/// What driving the response gave.
enum Progress {
    Events,
    Ended,
}

impl<R: Request, X: Split<R::Item>> Hub<R, X> {
    pub(super) fn new(response: Response<R, X>, replay_bytes: usize) -> Self {
        let log = Log::new(replay_bytes, response.end.begun);
        let mut state = State { response, log };
        state.record();
        let (wakers, readers) = (Arc::default(), AtomicU64::new(0));
        Self { state: Mutex::new(state), wakers, readers }
    }

    pub(super) fn cursor(&self) -> Cursor {
        let instead = VecDeque::new();
        Cursor { reader: self.reader(), at: 0, instead, attempt: 1, error_told: false }
    }

    /// The reader's next event, seen together with the documents after it or later.
    pub(super) fn poll_next<T>(
        &self,
        cursor: &mut Cursor,
        cx: &Context<'_>,
        visit: impl FnOnce(&OwnedEvent, &Reading) -> T,
    ) -> Poll<Next<T, R::Error>> {
        loop {
            let mut state = self.lock();
            if state.catch_up(cursor) {
                let State { response, log } = &*state;
                let reading = &response.reading;
                return Poll::Ready(match cursor.instead.pop_front() {
                    Some(event) => Some(Ok(visit(&event, reading))),
                    None => log.get(cursor.at).map(|event| {
                        cursor.pass(event);
                        Ok(visit(event, reading))
                    }),
                });
            }
            let progress = ready!(self.drive(&mut state, cursor.reader, cx));
            let error =
                state.response.end.result.as_ref().and_then(|end| end.as_ref().err()).cloned();
            drop(state);
            self.wakers.wake_others(cursor.reader);
            if matches!(progress, Progress::Ended) {
                let told = core::mem::replace(&mut cursor.error_told, true);
                return Poll::Ready(error.filter(|_| !told).map(Err));
            }
        }
    }

    pub(super) fn poll_answer(
        &self,
        reader: Reader,
        cx: &Context<'_>,
    ) -> Poll<Result<Answer, Error<R::Error>>> {
        loop {
            let mut state = self.lock();
            if let Some(result) = &state.response.end.result {
                return Poll::Ready(result.clone());
            }
            ready!(self.drive(&mut state, reader, cx));
            drop(state);
            self.wakers.wake_others(reader);
        }
    }

    pub(super) fn snapshot(&self) -> Value {
        self.lock().response.value().to_value()
    }

    /// Reads on, for a reader that has had everything.
    fn drive(&self, state: &mut State<R, X>, reader: Reader, cx: &Context<'_>) -> Poll<Progress> {
        // Before the source is asked: it may call the waker at once.
        self.wakers.register(reader, cx.waker());
        let all = Waker::from(Arc::clone(&self.wakers));
        state.drive(&mut Context::from_waker(&all))
    }
}

impl<R: Request, X> Hub<R, X> {
    /// A number for a reader that waits.
    pub(super) fn reader(&self) -> Reader {
        Reader(self.readers.fetch_add(1, Ordering::Relaxed))
    }

    /// A panic in a source or a type's `Deserialize` leaves the state as it was.
    fn lock(&self) -> MutexGuard<'_, State<R, X>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Cursor {
    fn pass(&mut self, event: &OwnedEvent) {
        self.at += 1;
        if let OwnedEvent::Reset { attempt, .. } = event {
            self.attempt = *attempt;
        }
    }
}

impl<R: Request, X: Split<R::Item>> State<R, X> {
    fn drive(&mut self, cx: &mut Context<'_>) -> Poll<Progress> {
        if self.response.end.result.is_none() {
            self.log.trim();
        }
        ready!(self.response.poll_fill(cx));
        Poll::Ready(if self.record() { Progress::Events } else { Progress::Ended })
    }

    /// Moves what waits into the log. Whether there was anything.
    fn record(&mut self) -> bool {
        let queue = &mut self.response.reading.queue;
        let any = !queue.is_empty();
        queue.drain(..).for_each(|event| self.log.push(event));
        any
    }

    /// Whether there is something for the reader. One that is behind the log gets the documents.
    fn catch_up(&self, cursor: &mut Cursor) -> bool {
        if cursor.at < self.log.first() {
            let reading = &self.response.reading;
            let attempt = reading.attempt();
            let reset = (cursor.attempt != attempt).then(|| Event::Reset { attempt }.to_owned());
            cursor.instead = reset.into_iter().chain(reading.snapshots()).collect();
            cursor.attempt = attempt;
            cursor.at = self.log.resume();
        }
        !cursor.instead.is_empty() || self.log.get(cursor.at).is_some()
    }
}

impl<R: Request, X> fmt::Debug for Hub<R, X> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.lock();
        f.debug_struct("Hub")
            .field("response", &state.response)
            .field("log_bytes", &state.log.bytes())
            .finish_non_exhaustive()
    }
}
