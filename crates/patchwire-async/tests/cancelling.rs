//! Whatever is dropped, and whenever: nothing is lost but what was dropped.

use std::future::Future;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use patchwire::Spec;
use patchwire_async::{REPLAY_BYTES, TokenStreamExt as _};

use crate::source::{Script, all, pieces};

const TEXT: &str = "<think>hm</think>{\"reply\": \"Hello there\", \"rows\": [1, 2, 3], \"n\": 4}";

/// Polls a future once and drops it.
fn poll_once<F: Future>(future: F) -> Option<F::Output> {
    let mut cx = Context::from_waker(Waker::noop());
    match pin!(future).poll(&mut cx) {
        Poll::Ready(output) => Some(output),
        Poll::Pending => None,
    }
}

#[tokio::test]
async fn next_dropped_at_every_wait_loses_nothing() {
    let expected = all(&mut Script::of(pieces(TEXT, 3)).fields(Spec::json())).await.unwrap();
    let mut response = Script::slow(pieces(TEXT, 3)).0.fields(Spec::json());
    let (mut events, mut waits) = (Vec::new(), 0);
    loop {
        match poll_once(response.next()) {
            None => waits += 1,
            Some(None) => break,
            Some(Some(event)) => events.push(event.unwrap()),
        }
    }
    assert_eq!(events, expected);
    assert_eq!(waits, pieces(TEXT, 3).len());
}

#[test]
fn the_answer_dropped_at_every_wait_is_the_answer() {
    let mut response = Script::slow(pieces(TEXT, 3)).0.fields(Spec::json());
    let answer = loop {
        if let Some(answer) = poll_once(response.data::<serde_json::Value>()) {
            break answer.unwrap();
        }
    };
    assert_eq!(answer["reply"], "Hello there");
}

#[test]
fn sub_streams_dropped_at_every_wait_lose_nothing() {
    let mut response = Script::slow(pieces(TEXT, 2)).0.fields(Spec::json());
    let mut reply = String::new();
    let mut field = response.text("reply");
    loop {
        match poll_once(field.next()) {
            None => {}
            Some(None) => break,
            Some(Some(delta)) => reply.push_str(&delta.unwrap()),
        }
    }
    assert_eq!(reply, "Hello there");
    let mut rows = Vec::new();
    loop {
        // A new sub-stream each time catches up: it gives all rows again.
        let mut items = response.each::<u32>("rows");
        rows.clear();
        let ended = loop {
            match poll_once(items.next()) {
                None => break false,
                Some(None) => break true,
                Some(Some(item)) => rows.push(item.unwrap().value),
            }
        };
        if ended {
            break;
        }
    }
    assert_eq!(rows, [1, 2, 3]);
    // The future of `get` holds nothing: one that was dropped is asked for again.
    let mut response = Script::slow(pieces(TEXT, 2)).0.fields(Spec::json());
    let mut waits = 0;
    let n = loop {
        match poll_once(response.get::<u8>("n")) {
            None => waits += 1,
            Some(n) => break n.unwrap(),
        }
    };
    assert!(n == 4 && waits > 20);
}

#[test]
fn a_response_dropped_at_any_poll_drops_its_source_at_once() {
    let polls_in_all = pieces(TEXT, 3).len() * 2 + 1;
    for most in 0..=polls_in_all {
        let (source, counts) = Script::slow(pieces(TEXT, 3));
        let mut response = source.fields(Spec::json());
        while counts.polls() < most {
            if let Some(None) = poll_once(response.next()) {
                break;
            }
        }
        let polls = counts.polls();
        assert!(polls >= most && counts.drops() == 0);
        drop(response);
        assert_eq!((counts.polls(), counts.drops()), (polls, 1));
    }
}

#[test]
fn the_last_handle_of_a_shared_response_drops_its_source() {
    let (source, counts) = Script::slow(pieces(TEXT, 3));
    let shared = source.fields(Spec::json()).share(REPLAY_BYTES);
    let mut events = shared.events();
    assert!(poll_once(events.next()).is_none());
    drop(shared);
    assert_eq!(counts.drops(), 0);
    assert!((0..3).any(|_| poll_once(events.next()).is_some()));
    drop(events);
    assert_eq!(counts.drops(), 1);
}
