//! The readers of one response, one after another: all events, parts, the answer, and what is asked in between.

use std::fmt::Write as _;
use std::pin::Pin;
use std::task::{Context, Poll};

use futures_util::Stream;
use futures_util::stream::FusedStream as _;
use patchwire::document::DocId;
use patchwire_async::verbs::{Each, Text, Values};
use patchwire_async::{Answer, Error, Part as Reading, Response, ResponseEvent, Split};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;

use super::played::{Model, Part, Read, Splits, response};
use super::shared::{Random, compare};
use super::{note, wait};

/// Paths, with and without a value behind them.
pub(super) const PATHS: [&str; 26] = [
    "title",
    "title",
    "n",
    "items",
    "items",
    "items[0]",
    "items[*].sku",
    "items[1].n",
    "items[*]",
    "items[0].sku",
    "items.*",
    "deep",
    "deep.a",
    "deep.a.b",
    "deep.c[0]",
    "deep.a[*].b",
    "tags",
    "tags[0]",
    "tags[1][0]",
    "nope",
    "deep.nope",
    "",
    "*",
    "items[",
    "[1].sku",
    "items[9].sku",
];

#[derive(Debug, Deserialize)]
#[expect(dead_code, reason = "it is shown")]
pub(super) struct Row {
    sku: String,
    n: Option<u8>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Draft {
    title: Option<String>,
    n: Option<f64>,
    tags: Vec<Option<String>>,
}

/// An event as its line, and now and then in its other forms.
pub(super) fn event(
    event: &Result<ResponseEvent, Error<impl std::fmt::Display>>,
    random: &mut Random,
    out: &mut String,
) {
    match event {
        Ok(event) => {
            writeln!(out, "{event} {:?}", event.span()).unwrap();
            if random.one_of(8) {
                writeln!(out, "{:?}", serde_json::to_string(event).unwrap()).unwrap();
            }
            if let Some(patch) = event.as_patch() {
                writeln!(out, "{:?} {}", patch.origin, patch.document.index()).unwrap();
            }
        }
        Err(error) => failure(error, out),
    }
}

pub(super) fn failure<E: std::fmt::Display>(error: &Error<E>, out: &mut String) {
    writeln!(out, "error {error}").unwrap();
    if let Error::Rejected { attempts, rejection, .. } = error {
        let raised = error.raised().map(ToString::to_string);
        writeln!(out, "{attempts} {rejection} {rejection:?} {raised:?}").unwrap();
        answer(error.rejected().unwrap(), out);
    }
    writeln!(out, "{}", error.source_failure().is_some()).unwrap();
}

pub(super) fn answer(answer: &Answer, out: &mut String) {
    let outcome = answer.outcome().name();
    writeln!(out, "{outcome} {} {:?} {:?}", answer.value(), answer.facts(), answer.text()).unwrap();
    for call in answer.calls() {
        let (id, name, text) = (call.id(), call.name(), call.is_text());
        let (number, own) = (call.document().index(), call.answer().outcome().name());
        writeln!(out, "call {number} {id:?} {name:?} {text} {} {own}", call.arguments()).unwrap();
        note(call.data::<Json>().map_err(|error| error.to_string()), out);
    }
    for number in 0..4 {
        let document = answer.document(DocId::from_number(number));
        writeln!(out, "{:?}", document.map(|it| it.to_string())).unwrap();
    }
}

/// What a response says between two polls.
fn ask_between<X: Split<Part>>(read: &Response<Model, X>, out: &mut String) {
    let value = read.value();
    writeln!(out, "so far {value} {:?} {:?}", read.facts().collect::<Vec<_>>(), read.warnings())
        .unwrap();
    for call in read.calls() {
        let (number, own) = (call.document().index(), call.answer().outcome().name());
        writeln!(out, "{call:?} {number} {own} {}", call.is_text()).unwrap();
    }
    for number in 0..3 {
        let document = read.document(DocId::from_number(number));
        writeln!(out, "{:?}", document.map(|it| it.to_string())).unwrap();
    }
    writeln!(out, "{read:?} {}", read.get_ref().is_some()).unwrap();
}

/// The result of a question, an error as its text.
fn result<T: std::fmt::Debug, E: std::fmt::Display>(result: Result<T, Error<E>>, out: &mut String) {
    match result {
        Ok(value) => note(value, out),
        Err(error) => failure(&error, out),
    }
}

/// Some items of a stream, or all.
fn items<S, T, E>(mut stream: S, most: usize, out: &mut String)
where
    S: Stream<Item = Result<T, Error<E>>> + Unpin,
    T: std::fmt::Debug,
    E: std::fmt::Display,
{
    for _ in 0..most {
        let next = wait(std::future::poll_fn(|cx| Pin::new(&mut stream).poll_next(cx)), out);
        match next {
            Some(item) => result(item, out),
            None => return out.push_str("no more\n"),
        }
    }
}

fn each<T: DeserializeOwned + std::fmt::Debug>(
    read: &mut Read,
    path: &str,
    most: usize,
    out: &mut String,
) {
    let part: Reading<'_, _, _, Each<T>> = read.each(path);
    items(part, most, out);
}

/// One question to the response.
fn question(read: &mut Read, random: &mut Random, out: &mut String) {
    let path = random.pick(&PATHS);
    let most = random.pick(&[1, 2, 5, usize::MAX, usize::MAX]);
    let kind = random.below(17);
    writeln!(out, "\n-- {kind} {path} {most}").unwrap();
    match kind {
        0 | 1 => {
            let mut part: Reading<'_, _, _, Text> = read.text(path);
            items(&mut part, most, out);
            writeln!(out, "{} {part:?}", part.is_terminated()).unwrap();
        }
        2 | 3 => {
            let mut part: Reading<'_, _, _, Values> = read.values(path);
            items(&mut part, most, out);
            writeln!(out, "{}", part.is_terminated()).unwrap();
        }
        4 => each::<Json>(read, path, most, out),
        5 => each::<Row>(read, path, most, out),
        6 => each::<String>(read, path, most, out),
        7 => result(wait(read.get::<Json>(path), out), out),
        8 => result(wait(read.get::<Option<String>>(path), out), out),
        9 => result(wait(read.get::<Vec<Row>>(path), out), out),
        10 => items(read.drafts::<Draft>(), most, out),
        11 => items(read.drafts::<Json>(), most, out),
        12 => events(read, most, random, out),
        13 if random.one_of(2) => {
            read.allow_partial();
        }
        14 => match wait(read.unchecked(), out) {
            Ok(found) => answer(&found, out),
            Err(error) => failure(&error, out),
        },
        15 => result(wait(read.data::<Draft>(), out), out),
        16 if random.one_of(2) => {
            read.validate(|answer, _| answer.value().len() != 2);
        }
        _ => ask_between(read, out),
    }
}

fn events<X: Split<Part>>(
    read: &mut Response<Model, X>,
    most: usize,
    random: &mut Random,
    out: &mut String,
) {
    for _ in 0..most {
        match wait(read.next(), out) {
            Some(next) => event(&next, random, out),
            None => break,
        }
        if random.one_of(12) {
            ask_between(read, out);
        }
    }
    writeln!(out, "{}", read.is_terminated()).unwrap();
}

fn end<X: Split<Part>>(read: &mut Response<Model, X>, out: &mut String) {
    match wait(read.answer(), out) {
        Ok(found) => answer(&found, out),
        Err(error) => failure(&error, out),
    }
    result(wait(read.data::<Json>(), out), out);
    result(wait(read.get::<Json>("title"), out), out);
    ask_between(read, out);
}

/// All events, and then what they left.
fn all(random: &mut Random) -> String {
    let mut out = String::new();
    let (mut read, asked) = response(random, &mut out);
    events(&mut read, usize::MAX, random, &mut out);
    end(&mut read, &mut out);
    out + &asked.lock().unwrap()
}

#[test]
fn events_and_the_answer() {
    compare("events", 40, all);
}

#[test]
fn questions() {
    compare("questions", 80, |random| {
        let mut out = String::new();
        let (mut read, asked) = response(random, &mut out);
        for _ in 0..=random.below(4) {
            question(&mut read, random, &mut out);
        }
        end(&mut read, &mut out);
        out + &asked.lock().unwrap()
    });
}

/// Parts that begin when events of an item were taken, and others of it wait.
#[test]
fn parts_that_begin_late() {
    compare("late", 60, |random| {
        let mut out = String::new();
        let (mut read, _) = response(random, &mut out);
        let most = random.below(9);
        events(&mut read, most, random, &mut out);
        let path = random.pick(&["title", "title", "items", "items", "tags", "n", "deep.a.b"]);
        writeln!(out, "-- {path}").unwrap();
        match random.below(4) {
            0 => items(read.values(path), usize::MAX, &mut out),
            1 => each::<Json>(&mut read, path, usize::MAX, &mut out),
            _ => items(read.text(path), usize::MAX, &mut out),
        }
        out
    });
}

/// Ticks that a seed chooses: of three polls one has a tick. They may end.
pub(super) struct Ticks(u64);

impl Ticks {
    pub(super) fn new(random: &mut Random) -> Self {
        Self(random.below(1 << 20) as u64)
    }
}

impl Stream for Ticks {
    type Item = ();

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<()>> {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        match (self.0 >> 33) % 24 {
            0 => Poll::Ready(None),
            1..=7 => Poll::Ready(Some(())),
            _ => {
                cx.waker().wake_by_ref();
                Poll::Pending
            }
        }
    }
}

#[test]
fn joined_deltas() {
    compare("joined", 40, |random| {
        let mut out = String::new();
        let (read, _) = response(random, &mut out);
        let mut joined = read.coalesce(Ticks::new(random));
        let most = random.pick(&[3, 9, usize::MAX]);
        for _ in 0..most {
            match wait(joined.next(), &mut out) {
                Some(next) => event(&next, random, &mut out),
                None => break,
            }
        }
        writeln!(out, "{} {joined:?}", joined.is_terminated()).unwrap();
        let mut read: Response<Model, Splits> = joined.into_inner();
        end(&mut read, &mut out);
        out
    });
}

/// The error loses its type at some moment.
#[test]
fn erased() {
    compare("erased", 20, |random| {
        let mut out = String::new();
        let (mut read, asked) = response(random, &mut out);
        events(&mut read, random.pick(&[0, 1, 3, 9, usize::MAX]), random, &mut out);
        let mut erased = read.erase_error();
        while let Some(next) = wait(erased.next(), &mut out) {
            event(&next, random, &mut out);
        }
        match wait(erased.answer(), &mut out) {
            Ok(found) => answer(&found, &mut out),
            Err(error) => failure(&error, &mut out),
        }
        out + &asked.lock().unwrap()
    });
}
