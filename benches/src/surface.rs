//! The forms in which programs take the events of one stream, from the cheapest to the one with the most in it.
//!
//! All of them read the same document with the same settings, those of [`Spec::json`]: the value is kept, and so is the
//! text. What differs is what is made of an event.

use core::hint::black_box;
use core::pin::pin;
use std::sync::LazyLock;

use ::bytes::Bytes;
use futures_executor::block_on;
use futures_util::stream::{self, Stream, StreamExt as _};
use patchwire::event::Recorder;
use patchwire::wire::{IncludeValues, LineWriter};
use patchwire::{Event, OwnedEvent, Schema, Spec, schema};
use patchwire_async::TokenStreamExt as _;
use patchwire_wire::{AgUi, Compact, JsonPatch, Ops, Protocol, UiMessage};

/// A document in chunks.
#[derive(Debug, Clone)]
pub struct Document {
    chunks: Vec<Bytes>,
    /// The number of bytes.
    pub len: usize,
}

impl Document {
    /// Cuts a text into chunks of so many bytes.
    #[must_use]
    pub fn new(text: &str, size: usize) -> Self {
        let whole = Bytes::copy_from_slice(text.as_bytes());
        let ends = (0..whole.len()).step_by(size);
        let chunks = ends.map(|at| whole.slice(at..whole.len().min(at + size))).collect();
        Self { chunks, len: whole.len() }
    }

    /// The number of chunks.
    #[must_use]
    pub fn count(&self) -> usize {
        self.chunks.len()
    }

    /// The chunks as a stream that never waits.
    fn stream(&self) -> impl Stream<Item = Bytes> + '_ {
        stream::iter(self.chunks.iter().cloned())
    }
}

/// One form, and what is done to get it.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Surface {
    /// The name in tables.
    pub name: &'static str,
    /// Reads a document to its end. Returns a checksum.
    pub run: fn(&Document) -> u64,
    /// Whether the time of the stream itself is no part of the figure.
    pub over_source: bool,
}

impl Surface {
    /// The form that the others are compared with: borrowed events.
    pub const BORROWED: Self = engine("borrowed events", borrowed);
    /// A stream that is only read to its end.
    pub const SOURCE: Self = engine("the stream alone", source);

    /// All forms, in the order of the table.
    pub const ALL: &'static [Self] = &[
        Self::BORROWED,
        engine("borrowed events, with a schema", with_schema),
        engine("borrowed events, with checks", with_checks),
        engine("owned events (`to_owned`)", owned),
        engine("owned events (`Recorder`)", recorded),
        engine("lines of JSON (`LineWriter`)", lines),
        engine("`Compact`", compact),
        engine("`Ops`", ops),
        engine("JSON Patch", json_patch),
        engine("AG-UI", ag_ui),
        engine("UI messages", ui_messages),
        over_source("`next()` of a response", next),
        over_source("`text(path)`", text),
        over_source("`coalesce`", coalesce),
        over_source("shared by three readers", shared),
    ];
}

const fn engine(name: &'static str, run: fn(&Document) -> u64) -> Surface {
    Surface { name, run, over_source: false }
}

const fn over_source(name: &'static str, run: fn(&Document) -> u64) -> Surface {
    Surface { name, run, over_source: true }
}

/// The settings. They are made once, as programs do.
fn json() -> &'static Spec {
    static SPEC: LazyLock<Spec> = LazyLock::new(Spec::json);
    &SPEC
}

// The engine.

fn borrowed(document: &Document) -> u64 {
    feed(json(), document, |event| length(&event))
}

fn with_schema(document: &Document) -> u64 {
    static SPEC: LazyLock<Spec> = LazyLock::new(|| spec(&[]));
    feed(&SPEC, document, |event| length(&event))
}

fn with_checks(document: &Document) -> u64 {
    const NEEDED: [&str; 3] = ["title", "sections[*].heading", "conclusion"];
    static SPEC: LazyLock<Spec> = LazyLock::new(|| spec(&NEEDED));
    feed(&SPEC, document, |event| length(&event))
}

fn owned(document: &Document) -> u64 {
    feed_bytes(document, |event| length_of_owned(black_box(&event.to_owned())))
}

fn recorded(document: &Document) -> u64 {
    let mut recorder = Recorder::default();
    feed_bytes(document, |event| length_of_owned(black_box(&recorder.own(&event))))
}

fn lines(document: &Document) -> u64 {
    let (mut writer, mut line) = (LineWriter::default(), String::new());
    feed(json(), document, |event| {
        line.clear();
        writer.append(&event, IncludeValues::Leaf, &mut line);
        black_box(&line).len() as u64
    })
}

/// Feeds a document, and adds up what is made of its events.
fn feed(spec: &Spec, document: &Document, mut take: impl FnMut(Event<'_>) -> u64) -> u64 {
    let (mut parser, mut sum) = (spec.parser(), 0);
    for chunk in &document.chunks {
        parser.feed(chunk, |event| sum += take(event)).expect("a valid document");
    }
    parser.finish(|event| sum += take(event)).expect("a whole document");
    sum
}

/// [`feed`], with deltas that share the buffer of their chunk.
fn feed_bytes(document: &Document, mut take: impl FnMut(Event<'_>) -> u64) -> u64 {
    let (mut parser, mut sum) = (json().parser(), 0);
    for chunk in &document.chunks {
        parser.feed_bytes(chunk.clone(), |event| sum += take(event)).expect("a valid document");
    }
    parser.finish(|event| sum += take(event)).expect("a whole document");
    sum
}

fn length(event: &Event<'_>) -> u64 {
    match black_box(event) {
        Event::Patch(patch) => (patch.delta.len() + patch.path.len()) as u64,
        _ => 1,
    }
}

fn length_of_owned(event: &OwnedEvent) -> u64 {
    match event {
        OwnedEvent::Patch(patch) => (patch.delta.len() + patch.path.len()) as u64,
        _ => 1,
    }
}

/// The settings of a schema for the report, and of needed paths.
fn spec(needed: &[&str]) -> Spec {
    let section = schema::object()
        .field("heading", schema::str(""))
        .field("text", schema::str(""))
        .field("weight", schema::number(""))
        .field("keywords", schema::list(schema::str("")));
    let report = Schema::object()
        .field("title", schema::str(""))
        .field("written_by", schema::str(""))
        .field("summary", schema::str(""))
        .field("sections", schema::list(section))
        .field("conclusion", schema::str(""))
        .field("final", schema::bool(""));
    let spec = Spec::builder().schema(report).build().expect("a schema");
    spec.ensure_all(needed.iter().copied()).expect("paths of the schema")
}

// The protocols.

fn compact(document: &Document) -> u64 {
    messages(document, Compact::default())
}

fn ops(document: &Document) -> u64 {
    messages(document, Ops::default())
}

fn json_patch(document: &Document) -> u64 {
    messages(document, JsonPatch::default())
}

fn ag_ui(document: &Document) -> u64 {
    messages(document, AgUi::new("thread", "run"))
}

fn ui_messages(document: &Document) -> u64 {
    messages(document, UiMessage::default())
}

fn messages(document: &Document, mut protocol: impl Protocol) -> u64 {
    feed(json(), document, |event| {
        let mut sum = 0;
        protocol
            .feed((&event).into(), &mut |message| sum += black_box(message).as_str().len() as u64);
        sum
    })
}

// Responses.

fn source(document: &Document) -> u64 {
    block_on(async {
        let (mut stream, mut sum) = (pin!(document.stream()), 0);
        while let Some(chunk) = stream.next().await {
            sum += black_box(chunk).len() as u64;
        }
        sum
    })
}

fn next(document: &Document) -> u64 {
    block_on(async {
        let (mut response, mut sum) = (document.stream().fields(json().clone()), 0);
        while let Some(event) = response.next().await {
            sum += patch_length(event.expect("a whole document").as_patch());
        }
        sum
    })
}

fn text(document: &Document) -> u64 {
    block_on(async {
        let (mut response, mut sum) = (document.stream().fields(json().clone()), 0);
        let mut summary = response.text("conclusion");
        while let Some(delta) = summary.next().await {
            sum += black_box(delta.expect("a whole document")).len() as u64;
        }
        sum
    })
}

fn coalesce(document: &Document) -> u64 {
    block_on(async {
        // A tick at every eighth poll that finds nothing else.
        let ticks = stream::repeat(());
        let mut response = document.stream().fields(json().clone()).coalesce(ticks);
        let mut sum = 0;
        while let Some(event) = response.next().await {
            sum += patch_length(event.expect("a whole document").as_patch());
        }
        sum
    })
}

fn shared(document: &Document) -> u64 {
    block_on(async {
        let shared = document.stream().fields(json().clone()).share(64 << 10);
        let mut readers = [shared.events(), shared.events(), shared.events()];
        let mut sum = 0;
        loop {
            let mut ended = 0;
            for reader in &mut readers {
                match reader.next().await {
                    Some(event) => sum += patch_length(event.expect("a whole document").as_patch()),
                    None => ended += 1,
                }
            }
            if ended == readers.len() {
                return sum;
            }
        }
    })
}

fn patch_length(patch: Option<&patchwire::OwnedPatch>) -> u64 {
    patch.map_or(1, |patch| (black_box(patch).delta.len() + patch.path.len()) as u64)
}

#[cfg(test)]
mod tests {
    use super::{Document, Surface};
    use crate::input::report;

    #[test]
    fn every_form_reads_the_whole_document() {
        let document = Document::new(&report(2_000), 4);
        let borrowed = (Surface::BORROWED.run)(&document);
        for surface in Surface::ALL {
            assert!((surface.run)(&document) > 0, "{}", surface.name);
        }
        for same in ["owned events (`to_owned`)", "owned events (`Recorder`)"] {
            let surface = Surface::ALL.iter().find(|surface| surface.name == same);
            assert_eq!(surface.map(|surface| (surface.run)(&document)), Some(borrowed), "{same}");
        }
    }
}
