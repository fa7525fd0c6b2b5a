//! A session, its readers and its end on several threads, in thousands of interleavings that `shuttle` chooses. A
//! reader that is never woken is a deadlock, which `shuttle` reports.
//!
//! `cargo test -p patchwire-web --features _shuttle --lib interleavings`

use core::future::poll_fn;
use core::pin::Pin;
use core::task::{Context, Poll, Waker};
use std::collections::VecDeque;
use std::sync::{Arc, PoisonError};

use bytes::Bytes;
use futures_util::Stream;
use shuttle::future::block_on;
use shuttle::thread;
use tokio::sync::Semaphore;

use super::event_log::EventLog;
use super::{Ahead, Emitted, Session, Stop};
use crate::sync::{Mutex, MutexGuard};
use crate::wire_event::WireEvent;

/// How many interleavings are tried.
const TIMES: usize = 3000;
/// How many changes of threads `shuttle` places on purpose, in half of the tests.
const CHANGES: usize = 3;
const EVENTS: usize = 4;

/// A source that another thread feeds.
#[derive(Clone, Default)]
struct Fed(Arc<Mutex<Feed>>);

#[derive(Default)]
struct Feed {
    waiting: VecDeque<WireEvent>,
    waker: Option<Waker>,
}

impl Fed {
    fn lock(&self) -> MutexGuard<'_, Feed> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, event: WireEvent) {
        let mut feed = self.lock();
        feed.waiting.push_back(event);
        let waker = feed.waker.take();
        drop(feed);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl Stream for Fed {
    type Item = Emitted;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Emitted>> {
        let mut feed = self.lock();
        if let Some(event) = feed.waiting.pop_front() {
            return Poll::Ready(Some(event.into()));
        }
        feed.waker = Some(cx.waker().clone());
        Poll::Pending
    }
}

fn event(number: usize) -> WireEvent {
    let name = if number == EVENTS { "final" } else { "text" };
    WireEvent { name, data: number.to_string() }
}

fn feed(source: &Fed) {
    (1..=EVENTS).for_each(|number| source.put(event(number)));
}

fn session() -> (Fed, Arc<Session>) {
    let source = Fed::default();
    let slot = Arc::new(Semaphore::new(1)).try_acquire_owned().expect("it is free");
    let session = Session::new(Box::pin(source.clone()), EventLog::new(1, 1 << 20), slot);
    (source, Arc::new(session))
}

/// The events of a reader from this number on, until its end.
fn read(session: &Session, reader: u64, from: u64) -> Vec<Bytes> {
    block_on(async {
        let mut all = Vec::new();
        while let Some(event) =
            poll_fn(|cx| session.poll_event(reader, from + all.len() as u64, cx)).await
        {
            all.push(event);
        }
        all
    })
}

/// The events are those of the source, from this number on.
fn assert_follows(events: &[Bytes], from: usize) {
    for (event, number) in events.iter().zip(from..) {
        let begin = format!("id: {number}\nevent: ");
        assert!(event.starts_with(begin.as_bytes()), "{event:?} for {number}");
    }
}

fn check(test: impl Fn() + Send + Sync + Clone + 'static) {
    shuttle::check_random(test.clone(), TIMES);
    shuttle::check_pct(test, TIMES, CHANGES);
}

#[test]
fn a_reader_gets_every_event_and_the_end() {
    check(|| {
        let (source, session) = session();
        let reader = session.attach();
        let feeder = thread::spawn(move || feed(&source));
        let events = read(&session, reader, 1);
        assert_eq!(events.len(), EVENTS);
        assert_follows(&events, 1);
        assert_eq!(session.ahead(EVENTS as u64 + 1), Ahead::Nothing);
        feeder.join().unwrap();
    });
}

/// A client comes back while its first connection is half dead and still reads.
#[test]
fn who_takes_a_stream_over_gets_exactly_the_rest() {
    check(|| {
        let (source, session) = session();
        let before = session.attach();
        let first = {
            let session = Arc::clone(&session);
            thread::spawn(move || {
                let events = read(&session, before, 1);
                session.leave(before);
                events
            })
        };
        let feeder = thread::spawn(move || feed(&source));
        // It has the first event, or says that it has none.
        let after = session.attach();
        let rest = read(&session, after, 1);
        assert_eq!(rest.len(), EVENTS);
        assert_follows(&rest, 1);
        let begin = first.join().unwrap();
        assert_eq!(begin, rest[..begin.len()]);
        feeder.join().unwrap();
    });
}

/// The server stops, or the time is over, while events come and are read.
#[test]
fn a_stream_that_is_stopped_ends_in_one_error_behind_its_events() {
    check(|| {
        let (source, session) = session();
        let reader = session.attach();
        let feeder = thread::spawn(move || feed(&source));
        let stopper = {
            let session = Arc::clone(&session);
            thread::spawn(move || session.stop(Stop::ShuttingDown))
        };
        let events = read(&session, reader, 1);
        assert_follows(&events, 1);
        let last = String::from_utf8(events.last().unwrap().to_vec()).unwrap();
        assert!(last.contains("event: final") || last.contains("shutting_down"), "{last}");
        let errors = events.iter().filter(|event| event.windows(5).any(|word| word == b"error"));
        assert!(errors.count() <= 1);
        stopper.join().unwrap();
        feeder.join().unwrap();
    });
}

/// A client cancels its stream, or another takes its place, while it is read.
#[test]
fn a_stream_that_is_closed_ends_for_its_reader() {
    check(|| {
        let (source, session) = session();
        let reader = session.attach();
        let feeder = thread::spawn(move || feed(&source));
        let closer = {
            let session = Arc::clone(&session);
            thread::spawn(move || session.close())
        };
        let events = read(&session, reader, 1);
        assert_follows(&events, 1);
        closer.join().unwrap();
        assert!(session.lock().slot.is_none());
        feeder.join().unwrap();
    });
}
