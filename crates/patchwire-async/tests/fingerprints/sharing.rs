//! Several readers of one response, polled in an order that a seed chooses: what each gets, and who is woken.

use std::fmt::Write as _;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use futures_util::Stream as _;
use futures_util::stream::FusedStream;
use patchwire_async::verbs::{Drafts, Each, Text, Values};
use patchwire_async::{Coalesced, Error, REPLAY_BYTES, Shared, SharedEvents, SharedPart};
use serde_json::Value as Json;

use super::played::{Model, Splits, response};
use super::readers::{Draft, PATHS, Row, Ticks, answer, event, failure};
use super::shared::{Random, compare};
use super::{Bell, note, poll, wait};
use crate::source::Dead;

/// A reader of some kind.
enum Reader {
    Events(SharedEvents<Model, Splits>),
    Joined(Coalesced<SharedEvents<Model, Splits>, Ticks>),
    Text(SharedPart<Model, Splits, Text>),
    Values(SharedPart<Model, Splits, Values>),
    Each(SharedPart<Model, Splits, Each<Json>>),
    Rows(SharedPart<Model, Splits, Each<Row>>),
    Drafts(SharedPart<Model, Splits, Drafts<Draft>>),
}

/// What a poll of a reader gave.
enum Next {
    Item,
    Later,
    Ended,
}

impl Reader {
    fn new(shared: &Shared<Model, Splits>, random: &mut Random) -> Self {
        let path = random.pick(&PATHS);
        match random.below(8) {
            0 | 1 => Self::Events(shared.events()),
            2 => Self::Joined(shared.events().coalesce(Ticks::new(random))),
            3 => Self::Text(shared.text(path)),
            4 => Self::Values(shared.values(path)),
            5 => Self::Each(shared.each(path)),
            6 => Self::Rows(shared.each("items")),
            _ => Self::Drafts(shared.drafts()),
        }
    }

    fn poll(&mut self, bell: &Arc<Bell>, random: &mut Random, out: &mut String) -> Next {
        match self {
            Self::Events(events) => match poll(events.next(), bell) {
                Some(Some(next)) => {
                    event(&next, random, out);
                    Next::Item
                }
                Some(None) => Next::Ended,
                None => Next::Later,
            },
            Self::Joined(joined) => match poll(joined.next(), bell) {
                Some(Some(next)) => {
                    event(&next, random, out);
                    Next::Item
                }
                Some(None) => Next::Ended,
                None => Next::Later,
            },
            Self::Text(part) => polled(part, bell, out),
            Self::Values(part) => polled(part, bell, out),
            Self::Each(part) => polled(part, bell, out),
            Self::Rows(part) => polled(part, bell, out),
            Self::Drafts(part) => polled(part, bell, out),
        }
    }
}

fn polled<S, T>(part: &mut S, bell: &Arc<Bell>, out: &mut String) -> Next
where
    S: FusedStream<Item = Result<T, Error<Dead>>> + Unpin,
    T: std::fmt::Debug,
{
    let next = |cx: &mut Context<'_>| Pin::new(&mut *part).poll_next(cx);
    let next = match poll(poll_fn(next), bell) {
        None => Next::Later,
        Some(None) => Next::Ended,
        Some(Some(Ok(item))) => {
            note(item, out);
            Next::Item
        }
        Some(Some(Err(error))) => {
            failure(&error, out);
            Next::Item
        }
    };
    writeln!(out, "{}", part.is_terminated()).unwrap();
    next
}

/// Polls readers until all have ended, or were dropped.
fn read_all(shared: &Shared<Model, Splits>, random: &mut Random, out: &mut String) {
    let mut readers: Vec<Option<(Reader, Arc<Bell>)>> = (0..=random.below(3))
        .map(|_| Some((Reader::new(shared, random), Arc::default())))
        .collect();
    let favours = random.below(readers.len());
    for step in 0..4000 {
        let at = if random.one_of(3) { random.below(readers.len()) } else { favours };
        let at = if readers[at].is_some() { at } else { (at + 1) % readers.len() };
        if readers.iter().all(Option::is_none) {
            break;
        }
        let Some((reader, bell)) = &mut readers[at] else { continue };
        write!(out, "{at}: ").unwrap();
        let next = reader.poll(bell, random, out);
        let ends = match next {
            Next::Item => false,
            Next::Later => {
                out.push_str("later\n");
                false
            }
            Next::Ended => true,
        };
        let rung: Vec<_> = readers.iter().flatten().map(|(_, bell)| bell.rung()).collect();
        writeln!(out, "{ends} {rung:?}").unwrap();
        if ends || random.one_of(60) {
            readers[at] = None;
        }
        if random.one_of(60) && readers.len() < 6 {
            readers.push(Some((Reader::new(shared, random), Arc::default())));
        }
        if step % 16 == 0 {
            writeln!(out, "{} {shared:?}", shared.snapshot()).unwrap();
        }
    }
}

#[test]
fn several_readers() {
    compare("shared", 80, |random| {
        let mut out = String::new();
        let (mut read, asked) = response(random, &mut out);
        for _ in 0..random.pick(&[0, 0, 1, 6]) {
            if let Some(next) = wait(read.next(), &mut out) {
                event(&next, random, &mut out);
            }
        }
        let bound = random.pick(&[0, 0, 300, 1000, 2000, REPLAY_BYTES]);
        let shared = read.share(bound);
        read_all(&shared, random, &mut out);
        let also = shared.clone();
        match wait(also.answer(), &mut out) {
            Ok(found) => answer(&found, &mut out),
            Err(error) => failure(&error, &mut out),
        }
        let path = random.pick(&PATHS);
        note(wait(shared.get::<Json>(path), &mut out).map_err(|error| error.to_string()), &mut out);
        note(wait(shared.data::<Draft>(), &mut out).map_err(|error| error.to_string()), &mut out);
        // One who comes last.
        let mut last = shared.events();
        while let Some(next) = wait(poll_fn(|cx| Pin::new(&mut last).poll_next(cx)), &mut out) {
            event(&next, random, &mut out);
        }
        writeln!(out, "{} {:?}", last.is_terminated(), Poll::Ready(shared.snapshot())).unwrap();
        out + &asked.lock().unwrap()
    });
}
