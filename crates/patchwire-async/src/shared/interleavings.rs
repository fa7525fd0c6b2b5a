//! Readers of one response on several threads, in thousands of interleavings that `shuttle` chooses. A reader that
//! is never woken is a deadlock, which `shuttle` reports.
//!
//! `cargo test -p patchwire-async --features _shuttle --lib interleavings`

use core::convert::Infallible;
use core::pin::Pin;
use core::task::{Context, Poll, Waker};
use std::collections::VecDeque;
use std::sync::{Arc, PoisonError};

use futures_core::Stream;
use patchwire::Spec;
use shuttle::future::block_on;
use shuttle::thread;

use super::{Shared, SharedEvents};
use crate::input::TextOnly;
use crate::request::Once;
use crate::source::TokenStreamExt as _;
use crate::sync::{Mutex, MutexGuard};

/// How many interleavings are tried.
const TIMES: usize = 3000;
/// How many changes of threads `shuttle` places on purpose, in half of the tests.
const CHANGES: usize = 3;

/// A source that another thread feeds.
#[derive(Clone, Default)]
struct Fed(Arc<Mutex<Feed>>);

#[derive(Default)]
struct Feed {
    pieces: VecDeque<&'static str>,
    is_over: bool,
    waker: Option<Waker>,
}

impl Fed {
    fn lock(&self) -> MutexGuard<'_, Feed> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Feed)) {
        let mut feed = self.lock();
        change(&mut feed);
        let waker = feed.waker.take();
        drop(feed);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl Stream for Fed {
    type Item = Result<&'static str, Infallible>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut feed = self.lock();
        if let Some(piece) = feed.pieces.pop_front() {
            return Poll::Ready(Some(Ok(piece)));
        }
        if feed.is_over {
            return Poll::Ready(None);
        }
        feed.waker = Some(cx.waker().clone());
        Poll::Pending
    }
}

type Response = Shared<Once<Fed>, TextOnly>;

const PIECES: [&str; 4] = ["{\"a\": \"x", "y\", \"b\"", ": [1, ", "2]}"];

fn feed(source: Fed) {
    for piece in PIECES {
        source.change(|feed| feed.pieces.push_back(piece));
    }
    source.change(|feed| feed.is_over = true);
}

/// All events of a reader, as text.
fn read(mut events: SharedEvents<Once<Fed>, TextOnly>) -> Vec<String> {
    block_on(async {
        let mut all = Vec::new();
        while let Some(event) = events.next().await {
            all.push(event.expect("the source has no errors").to_string());
        }
        all
    })
}

/// Two readers of all events, each on a thread of its own.
fn two_readers(shared: &Response) -> [thread::JoinHandle<Vec<String>>; 2] {
    [(); 2].map(|()| {
        let events = shared.events();
        thread::spawn(move || read(events))
    })
}

fn shared(replay_bytes: usize) -> (Fed, Response) {
    let source = Fed::default();
    (source.clone(), source.fields(Spec::json()).share(replay_bytes))
}

fn check(test: impl Fn() + Send + Sync + Clone + 'static) {
    shuttle::check_random(test.clone(), TIMES);
    shuttle::check_pct(test, TIMES, CHANGES);
}

#[test]
fn every_reader_gets_every_event() {
    check(|| {
        let (source, shared) = shared(1 << 20);
        let feeder = thread::spawn(move || feed(source));
        let readers = two_readers(&shared);
        let answer = block_on(shared.answer()).expect("an answer");
        assert_eq!(answer.value().to_string(), r#"{"a":"xy","b":[1,2]}"#);
        let read = readers.map(|reader| reader.join().unwrap());
        assert_eq!(read[0], read[1]);
        assert!(read[0].last().unwrap().starts_with("{\"event\":\"final\""));
        feeder.join().unwrap();
    });
}

/// The reader that polled the source last, and whose waker it has, goes away.
#[test]
fn a_reader_that_leaves_does_not_leave_others_asleep() {
    check(|| {
        let (source, shared) = shared(1 << 20);
        let (mut leaves, stays) = (shared.events(), shared.events());
        let leaver = thread::spawn(move || {
            block_on(async {
                leaves.next().await;
            });
            drop(leaves);
        });
        let reader = thread::spawn(move || read(stays));
        feed(source);
        assert!(reader.join().unwrap().last().unwrap().starts_with("{\"event\":\"final\""));
        leaver.join().unwrap();
    });
}

/// Nothing is kept for slow readers: each still ends with the answer, and with the values of its end.
#[test]
fn readers_behind_the_log_end_with_the_answer() {
    check(|| {
        let (source, shared) = shared(0);
        let feeder = thread::spawn(move || feed(source));
        let readers = two_readers(&shared);
        for reader in readers {
            let all = reader.join().unwrap();
            let last = all.last().unwrap();
            assert!(last.contains(r#""value":{"a":"xy","b":[1,2]}"#), "{last}");
        }
        feeder.join().unwrap();
    });
}
