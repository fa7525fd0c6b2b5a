//! The state that the handles of a shared response share.

use core::fmt;
use core::task::{Context, Poll, Waker, ready};
use std::collections::VecDeque;
use std::sync::{Arc, PoisonError};

use patchwire::{Spec, Value};

use super::log::Log;
use super::wakers::{Reader, Wakers};
use crate::answer::Answer;
use crate::error::{Error, Next};
use crate::event::ResponseEvent;
use crate::input::Split;
use crate::request::Request;
use crate::response::Response;
use crate::sync::{AtomicU64, Mutex, MutexGuard, Ordering};
use crate::tracking::View;

pub(super) struct Hub<R: Request, X> {
    state: Mutex<State<R, X>>,
    wakers: Arc<Wakers>,
    readers: AtomicU64,
}

/// Invariant: between calls the queue of the response is empty, so the documents are at the end of the log.
struct State<R: Request, X> {
    response: Response<R, X>,
    log: Log,
}

/// The position of a reader.
#[derive(Debug)]
pub(super) struct Cursor {
    reader: Reader,
    /// The number of its next event.
    at: u64,
    /// The events that replace those it missed.
    instead: VecDeque<ResponseEvent>,
    /// The last attempt that it saw.
    attempt: u32,
    error_returned: bool,
}

/// The result of driving the response.
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
        Cursor { reader: self.reader(), at: 0, instead, attempt: 1, error_returned: false }
    }

    /// The reader's next event, with the parsers as they are at that event or later. At the end of a response with an
    /// answer, `visit` gets no event.
    pub(super) fn poll_next<T>(
        &self,
        cursor: &mut Cursor,
        cx: &Context<'_>,
        visit: impl FnOnce(Option<&ResponseEvent>, View<'_>) -> T,
    ) -> Poll<Next<T, R::Error>> {
        loop {
            let mut state = self.lock();
            if state.catch_up(cursor) {
                let State { response, log } = &*state;
                let parsers = &response.parsers;
                return Poll::Ready(match cursor.instead.pop_front() {
                    Some(event) => {
                        let more_waits = !cursor.instead.is_empty() || log.get(cursor.at).is_some();
                        Some(Ok(visit(Some(&event), View { parsers, more_waits })))
                    }
                    None => log.get(cursor.at).map(|event| {
                        cursor.pass(event);
                        let more_waits = log.get(cursor.at).is_some();
                        Ok(visit(Some(event), View { parsers, more_waits }))
                    }),
                });
            }
            let progress = ready!(self.drive(&mut state, cursor.reader, cx));
            let error =
                state.response.end.result.as_ref().and_then(|end| end.as_ref().err()).cloned();
            if matches!(progress, Progress::Ended) && error.is_none() {
                visit(None, View { parsers: &state.response.parsers, more_waits: false });
                drop(state);
                self.wakers.wake_others(cursor.reader);
                return Poll::Ready(None);
            }
            drop(state);
            self.wakers.wake_others(cursor.reader);
            if matches!(progress, Progress::Ended) {
                let returned = core::mem::replace(&mut cursor.error_returned, true);
                return Poll::Ready(error.filter(|_| !returned).map(Err));
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

    pub(super) fn spec(&self) -> Spec {
        self.lock().response.spec.clone()
    }

    pub(super) fn allows_partial(&self) -> bool {
        self.lock().response.allows_partial
    }

    pub(super) fn snapshot(&self) -> Value {
        self.lock().response.value().to_value()
    }

    /// Drives the response, for a reader at the end of the log.
    fn drive(&self, state: &mut State<R, X>, reader: Reader, cx: &Context<'_>) -> Poll<Progress> {
        // Registered before the poll, because the source may wake at once.
        self.wakers.register(reader, cx.waker());
        let all = Waker::from(Arc::clone(&self.wakers));
        state.drive(&mut Context::from_waker(&all))
    }
}

impl<R: Request, X> Hub<R, X> {
    /// A number for a new reader.
    pub(super) fn reader(&self) -> Reader {
        Reader(self.readers.fetch_add(1, Ordering::Relaxed))
    }

    /// A panic in a source or a type's `Deserialize` leaves the state as it was.
    fn lock(&self) -> MutexGuard<'_, State<R, X>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Cursor {
    fn pass(&mut self, event: &ResponseEvent) {
        self.at += 1;
        if let ResponseEvent::Reset { attempt } = event {
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

    /// Moves the queue into the log. Returns whether there was an event.
    fn record(&mut self) -> bool {
        let queue = &mut self.response.parsers.queue;
        let any = !queue.is_empty();
        queue.drain().for_each(|event| self.log.push(event));
        any
    }

    /// Whether there is an event for the reader. A reader behind the log gets snapshots first.
    fn catch_up(&self, cursor: &mut Cursor) -> bool {
        if cursor.at < self.log.first() {
            let parsers = &self.response.parsers;
            let attempt = parsers.attempt();
            let reset = (cursor.attempt != attempt).then_some(ResponseEvent::Reset { attempt });
            cursor.instead = reset.into_iter().chain(parsers.snapshots()).collect();
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
