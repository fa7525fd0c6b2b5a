//! Without value and raw text, memory is bounded by depth, by the keys of the open objects and by
//! what is held, however long the stream.

use patchwire::{Event, Format, Limit, Limits, PatchOp, Spec, TagSet};
use testkit::hostile::{self, Shape};
use testkit::reading_modes::{everything, presets};

use crate::measure::{cost, read};

const SIZE: usize = 200_000;
/// The bound on what is held.
const HELD: u64 = 4 << 10;

/// The memory of any reading: its buffers, and held bytes with fixed bounds.
const FIXED: u64 = 160 << 10;
// The following bounds count a doubling vector twice, because old and new memory exist at once.
/// For each level: its step, its container, its keys.
const LEVEL: u64 = 4 * 100;
/// For each key of an open object: eight bytes of hash and a node, in a table half full.
const KEY: u64 = 4 * 32;
/// For each byte of text outside the payload, which the answer has.
const TEXT: u64 = 4;
/// For each text that an element parts.
const PART: u64 = 4 * 64;
/// For each notice that the answer has, its path not counted.
const NOTICE: u64 = 4 * 64;

/// The most memory that a reading kept.
#[derive(Debug, Default)]
struct Needed {
    depth: u64,
    keys: u64,
    text: u64,
    /// Texts that something parts: each is remembered as one.
    parts: u64,
    notices: u64,
    /// Members that are complete in each open container, and in all of them.
    open: Vec<u64>,
    open_keys: u64,
}

impl Needed {
    fn of(spec: &Spec, input: &[u8]) -> Self {
        let mut needed = Self { depth: brackets(input), ..Self::default() };
        // However it ends: what came until then had to be remembered.
        drop(read(spec, input, 9, |event| needed.see(event)));
        needed
    }

    fn see(&mut self, event: &Event<'_>) {
        match event {
            Event::Patch(patch) => {
                let depth = patch.path.len();
                self.depth = self.depth.max(depth as u64);
                self.open_keys -= self.open.drain(depth.min(self.open.len())..).sum::<u64>();
                self.open.resize(depth, 0);
                if let Some(members) = self.open.last_mut()
                    && patch.op == PatchOp::Done
                {
                    *members += 1;
                    self.open_keys += 1;
                }
                // Besides those that are complete, each level has the one that it is at.
                self.keys = self.keys.max(self.open_keys + depth as u64);
            }
            Event::Text(text) => self.text += text.delta.len() as u64,
            Event::Reasoning(text) => self.text += text.delta.len() as u64,
            Event::ElementOpen(_) | Event::ElementClose { .. } => self.parts += 1,
            Event::Notice(_) => self.notices += 1,
            _ => {}
        }
    }

    fn most(&self) -> u64 {
        let Self { depth, keys, text, parts, notices, .. } = self;
        let notices = NOTICE * notices.min(&1_000);
        FIXED + 4 * HELD + LEVEL * depth + KEY * keys + TEXT * text + PART * parts + notices
    }
}

/// The deepest possible nesting, in the payload or in a skipped value.
fn brackets(input: &[u8]) -> u64 {
    let (mut depth, mut most) = (0_u64, 0);
    for byte in input {
        match byte {
            b'{' | b'[' | b'(' => depth += 1,
            b'}' | b']' | b')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        most = most.max(depth);
    }
    most
}

fn bounded(spec: &Spec, shapes: &[Shape], wrong: &mut Vec<String>) {
    for shape in shapes {
        let input = (shape.make)(SIZE);
        let needed = Needed::of(spec, &input);
        let (peak, most) = (cost(spec, &input, 9).info.bytes_max, needed.most());
        if peak > most {
            wrong.push(format!("{}: {peak} bytes, not {most}", shape.name));
        }
    }
}

#[test]
fn without_value_and_raw_text_memory_is_bounded() {
    let limits = hostile::wide().with(Limit::Held, HELD).with(Limit::Key, HELD);
    let mut wrong = Vec::new();
    bounded(&bare(limits), &hostile::all(), &mut wrong);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Of closed elements only their text is kept, and where it is separated.
#[test]
fn so_it_is_with_elements() {
    let limits = hostile::wide().with(Limit::Held, HELD).with(Limit::Key, HELD);
    let mut wrong = Vec::new();
    for (tags, format) in [
        (presets(), Format::Text),
        (everything(), Format::Text),
        (everything(), Format::Json),
        (TagSet::scratchpad(), Format::Json),
    ] {
        let builder = Spec::builder().without_value().without_raw().limits(limits.clone());
        let spec = builder.format(format).tags(tags).build().expect("the settings agree");
        bounded(&spec, hostile::tags::SHAPES, &mut wrong);
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Of complete fields only their names are kept.
#[test]
fn so_it_is_with_fields() {
    let limits = hostile::wide().with(Limit::Held, HELD).with(Limit::Key, HELD);
    let limits = limits.with(Limit::Deferred, HELD);
    let mut wrong = Vec::new();
    for (format, shapes) in [
        (Format::XmlField, hostile::xml_field::SHAPES),
        (Format::Hybrid, hostile::sections::SHAPES),
        (Format::Markdown, hostile::sections::SHAPES),
        (Format::YamlLiteral, hostile::yaml::SHAPES),
    ] {
        let schema = patchwire::schema::object().field("a", patchwire::schema::str(""));
        let schema = schema.field("j", patchwire::schema::any(""));
        let builder = || Spec::builder().format(format).without_value().without_raw();
        for builder in [builder().schema(schema), builder()] {
            let builder = builder.without_tags().limits(limits.clone());
            bounded(&builder.build().expect("the settings agree"), shapes, &mut wrong);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A payload of any length in the memory of a small one.
#[test]
fn a_long_payload_takes_no_more_memory_than_a_short_one() {
    let spec = bare(Limits::default());
    for name in ["long_string", "escapes", "numbers", "hills", "empty_lists", "missing_commas"] {
        let shape = hostile::named(name).expect("a shape of that name");
        let [short, long] = [50_000, 1_000_000].map(|size| {
            let ended = cost(&spec, &(shape.make)(size), 11);
            assert_eq!(ended.outcome, Ok(()), "{name}");
            ended.info.bytes_max
        });
        assert_eq!(short, long, "{name}");
    }
}

fn bare(limits: Limits) -> Spec {
    let builder = Spec::builder().without_value().without_raw().limits(limits);
    builder.build().expect("the settings agree")
}
