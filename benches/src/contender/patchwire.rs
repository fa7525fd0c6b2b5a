//! patchwire, in four settings.

use core::hint::black_box;

use ::patchwire::event::Recorder;
use ::patchwire::schema::{self, Node, ObjectNode, object, str as text};
use ::patchwire::{
    Event, Format, Limit, Limits, OwnedEvent, Parser, Patch, Spec, SpecBuilder, Strictness, TagSet,
};

use super::{Contender, Found, Manner};
use crate::chunks::chunks;
use crate::input::{Layout, NAMES};

/// patchwire with one of its settings.
#[derive(Debug, Clone)]
pub struct Patchwire {
    name: &'static str,
    gives: &'static str,
    spec: Spec,
    takes: Takes,
}

/// What is done with an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Takes {
    /// It is read where it lies.
    Borrowed,
    /// It is read where it lies, and so is the value so far of its field.
    Values,
    /// It is made to outlive the parser.
    Owned,
}

impl Patchwire {
    /// Lenient reading; paths and deltas, no value, no raw text.
    #[must_use]
    pub fn lenient() -> Self {
        let spec = bare(Spec::builder());
        Self { name: "patchwire", gives: "path, delta", spec, takes: Takes::Borrowed }
    }

    /// Strict reading; paths and deltas, no value, no raw text.
    #[must_use]
    pub fn strict() -> Self {
        let spec = bare(Spec::builder().strictness(Strictness::Strict));
        Self { name: "patchwire, strict", gives: "path, delta", spec, takes: Takes::Borrowed }
    }

    /// Text without a payload, by the elements that are looked for in it.
    #[must_use]
    pub fn among_tags() -> [Self; 4] {
        let three = TagSet::builder().include(&TagSet::think()).include(&TagSet::scratchpad());
        let three = three.include(&TagSet::ubik()).build();
        let sets = [
            ("none", None),
            ("think", Some(TagSet::think())),
            ("think, scratchpad and ubik", three.ok()),
            ("harmony", Some(TagSet::harmony())),
        ];
        sets.map(|(name, tags)| {
            let builder = Spec::builder().format(Format::Text);
            let spec = match tags {
                Some(tags) => bare(builder.tags(tags)),
                None => bare(builder.without_tags()),
            };
            Self { name, gives: "text", spec, takes: Takes::Borrowed }
        })
    }

    /// Prose in fields, by the format that they are written in; first the prose alone.
    #[must_use]
    pub fn of_fields() -> [(Self, Layout); 5] {
        let formats = [
            ("text", Format::Text, Layout::Text),
            ("xml_field", Format::XmlField, Layout::Tags),
            ("hybrid", Format::Hybrid, Layout::Sections),
            ("markdown", Format::Markdown, Layout::Sections),
            ("yaml_literal", Format::YamlLiteral, Layout::Yaml),
        ];
        formats.map(|(name, format, layout)| {
            let names = NAMES.iter();
            let schema = names.fold(object(), |object, name| object.field(name, text("")));
            let builder = Spec::builder().format(format).schema(schema);
            let spec = bare(builder.without_tags());
            (Self { name, gives: "path, delta", spec, takes: Takes::Borrowed }, layout)
        })
    }

    /// Records whose value is kept, by what is checked of each as it closes.
    #[must_use]
    pub fn checked() -> [Self; 4] {
        let builders = [
            ("no schema", Spec::builder()),
            ("schema", Spec::builder().schema(schema::list(record(|node| node)))),
            ("all needed", Spec::builder().schema(schema::list(record(Node::required)))),
            (
                "all needed, exact",
                Spec::builder().schema(schema::list(record(Node::required))).strict_shape(true),
            ),
        ];
        builders.map(|(name, builder)| {
            let spec = build(builder);
            Self { name, gives: "path, delta, answer", spec, takes: Takes::Borrowed }
        })
    }

    /// What `Spec::json()` gives: lenient, the document folded, the raw text kept. The value so far
    /// is read at every event, and the answer's at the end.
    #[must_use]
    pub fn with_value() -> Self {
        let spec = build(Spec::builder());
        let gives = "path, delta, value so far, answer";
        Self { name: "patchwire, value", gives, spec, takes: Takes::Values }
    }

    /// Lenient reading without a value, and every event made to outlive the parser.
    #[must_use]
    pub fn owned() -> Self {
        let spec = bare(Spec::builder());
        Self { name: "patchwire, owned", gives: "owned path, delta", spec, takes: Takes::Owned }
    }

    /// Begins to read a stream.
    #[must_use]
    pub fn start(&self) -> Reading {
        Reading { takes: self.takes, parser: self.spec.parser(), recorder: Recorder::default() }
    }
}

/// A stream that is being read.
#[derive(Debug, Clone)]
pub struct Reading {
    takes: Takes,
    parser: Parser,
    recorder: Recorder,
}

impl Reading {
    /// Feeds chunks, and says what they told.
    pub fn feed<'c>(&mut self, chunks: impl Iterator<Item = &'c [u8]>) -> Found {
        let Self { takes, parser, recorder } = self;
        let mut found = Found::default();
        // One sink for each way, as a caller would write it: no event asks again which it is.
        match takes {
            Takes::Borrowed => feed(parser, chunks, |event| add(&mut found, &event)),
            Takes::Values => feed(parser, chunks, |event| add_value(&mut found, &event)),
            Takes::Owned => {
                feed(parser, chunks, |event| add_owned(&mut found, &recorder.own(&event)));
            }
        }
        found
    }

    /// Ends the stream, and adds what that told.
    fn finish(mut self, found: &mut Found) {
        let answer = self.parser.finish(|event| add(found, &event));
        let answer = answer.expect("inputs are valid JSON within the limits");
        found.other += answer.value().len() as u64;
    }
}

impl Contender for Patchwire {
    fn name(&self) -> &'static str {
        self.name
    }

    fn gives(&self) -> &'static str {
        self.gives
    }

    fn manner(&self) -> Manner {
        Manner::Streams
    }

    fn read(&self, input: &str, size: usize) -> Found {
        let mut reading = self.start();
        let mut found = reading.feed(chunks(input.as_bytes(), size));
        reading.finish(&mut found);
        found
    }
}

/// Limits that no input here reaches.
fn limits() -> Limits {
    Limits::default().with(Limit::Depth, 1 << 20)
}

/// Adds an event to what was found.
#[inline]
fn add(found: &mut Found, event: &Event<'_>) {
    match event {
        Event::Patch(patch) => found.tell(patch.delta.len(), patch.path.len() + scalar(patch)),
        Event::Text(text) => found.tell(text.delta.len(), 0),
        _ => found.tell(0, 0),
    }
}

/// Adds an event that stands alone.
#[inline]
fn add_owned(found: &mut Found, event: &OwnedEvent) {
    match black_box(event) {
        OwnedEvent::Patch(patch) => found.tell(patch.delta.len(), patch.path.len()),
        _ => found.tell(0, 0),
    }
}

/// Adds an event and reads the value so far.
#[inline]
fn add_value(found: &mut Found, event: &Event<'_>) {
    add(found, event);
    if let Event::Patch(patch) = event {
        found.other += patch.value.as_str().map_or_else(|| patch.value.len(), str::len) as u64;
    }
}

/// The length of a number; peers are asked for theirs too.
#[inline]
fn scalar(patch: &Patch<'_>) -> usize {
    if patch.is_complete() { patch.value.number_text().map_or(0, str::len) } else { 0 }
}

fn feed<'c>(
    parser: &mut Parser,
    chunks: impl Iterator<Item = &'c [u8]>,
    mut on_event: impl FnMut(Event<'_>),
) {
    for chunk in chunks {
        parser.feed(chunk, &mut on_event).expect("inputs are valid JSON within the limits");
    }
}

/// The schema of a record of [`Shape::Records`](crate::input::Shape::Records).
fn record(presence: fn(Node) -> Node) -> ObjectNode {
    let fields = [
        ("id", schema::int("")),
        ("site", text("")),
        ("floor", schema::int("")),
        ("load", schema::number("")),
        ("open", schema::bool("")),
        ("checked", schema::bool("")),
        ("parent", schema::int("").nullable()),
        ("drift", schema::int("")),
    ];
    // What may be null cannot have to say something.
    fields.into_iter().fold(object(), |object, (name, node)| {
        let node = if name == "parent" { node } else { presence(node) };
        object.field(name, node)
    })
}

fn bare(builder: SpecBuilder) -> Spec {
    build(builder.without_value().without_raw())
}

fn build(builder: SpecBuilder) -> Spec {
    builder.limits(limits()).build().expect("no tag set was named that strictness could refuse")
}
