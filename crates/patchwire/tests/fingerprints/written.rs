//! Answers that a seed writes, read in the format that they are written in or in another one.

use patchwire::internals::{Explorer, XmlBody, XmlCaps, readings};
use patchwire::{Format, Schema, Spec, SpecBuilder, TagSet};

use super::numbers::{Random, compare_seeded};
use super::settings::vary_much;
use super::{asking, made};

/// How many numbers stand in a line.
const NUMBERS: u64 = 16;

/// What writes and reads an answer, by name.
pub(super) type Writer = fn(&mut Random) -> String;

pub(super) const WRITERS: [(&str, Writer); 9] = [
    ("json", json),
    ("repairs", repairs),
    ("sections", sections),
    ("yaml", yaml),
    ("fields", fields_in_tags),
    ("bodies", bodies),
    ("calls", calls),
    ("tag sets", tag_sets),
    ("otherwise", in_another_format),
];

/// The text and its reading: half of the time under other settings.
fn reading(mut spec: SpecBuilder, text: &str, random: &mut Random) -> String {
    let mut settings = String::new();
    if random.below(2) == 0 {
        (settings, spec) = vary_much(spec, text.as_bytes(), random);
    }
    let read = match spec.build() {
        Ok(spec) => asking::read(&spec, text.as_bytes(), random),
        Err(error) => error.to_string(),
    };
    format!("{settings}: {text:?}\n{read}")
}

/// A spec of the format, with a schema more often than without.
fn spec(format: Format, random: &mut Random) -> SpecBuilder {
    let spec = Spec::builder().format(format);
    if random.below(5) == 0 {
        return spec;
    }
    spec.schema(Schema::from_text(made::schema(random)).unwrap())
}

fn json(random: &mut Random) -> String {
    let text = made::json(random);
    reading(spec(Format::Json, random), &text, random)
}

/// All cheap readings of a text with slips, and what the search finds.
fn repairs(random: &mut Random) -> String {
    let text = made::json(random);
    let spec = Spec::json();
    let streamed = spec.parse(&text).unwrap();
    let found = readings(&spec, &text, streamed.value(), 6);
    format!("{text:?} {:?} {found:?}", Explorer::found(&text))
}

fn sections(random: &mut Random) -> String {
    let text = made::sections(random);
    let format = random.pick(&[Format::Hybrid, Format::Markdown]);
    reading(spec(format, random), &text, random)
}

fn yaml(random: &mut Random) -> String {
    let text = made::yaml(random);
    reading(spec(Format::YamlLiteral, random), &text, random)
}

fn fields_in_tags(random: &mut Random) -> String {
    let text = made::fields(random);
    reading(spec(Format::XmlField, random), &text, random)
}

fn bodies(random: &mut Random) -> String {
    let text = made::body(random);
    let body = match random.below(5) {
        0 => XmlBody::known(["a", "b", "item", "xs"]),
        1 => XmlBody::any().attributes([("k", "v"), ("k", "w")]),
        2 => XmlBody::of_schema(Schema::from_text(made::schema(random)).unwrap()),
        3 => XmlBody::any().caps(XmlCaps { tag: 8, attributes: 1, entity: 4, blanks: 2 }),
        _ => XmlBody::any(),
    };
    let body = if random.below(2) == 0 { body.whole() } else { body };
    let body = if random.below(3) == 0 { body.typed_by_content() } else { body };
    let tree = body.tree(&text).body().to_string();
    let spec = Spec::builder().machine(body.machine());
    format!("{tree}\n{}", reading(spec, &text, random))
}

/// Calls in the syntax of a language, alone and in the tags of a preset.
fn calls(random: &mut Random) -> String {
    let text = made::call(random);
    let (preset, open, close) = random.pick(&[
        ("llama4", "", ""),
        ("olmo3", "<function_calls>", "</function_calls>"),
        ("lfm2", "<|tool_call_start|>", "<|tool_call_end|>"),
        ("gemma4", "<|tool_call>", "<tool_call|>"),
    ]);
    let text = format!("{open}{text}{close}");
    let mut spec = Spec::builder().format(Format::Text).tags(TagSet::preset(preset).unwrap());
    if random.below(3) == 0 {
        spec = spec.tool("weather", Schema::from_text(made::schema(random)).unwrap());
    }
    reading(spec, &text, random)
}

fn tag_sets(random: &mut Random) -> String {
    let (data, text) = made::tag_set(random);
    let set = match made::read_set(&data) {
        Ok(set) => set,
        Err(error) => return format!("{data} {error}"),
    };
    let held = (set.max_held(), set.prefixes());
    let format = random.pick(&[Format::Text, Format::Text, Format::Json, Format::Hybrid]);
    let spec = spec(format, random).tags(set);
    format!("{data} {held:?}\n{}", reading(spec, &text, random))
}

/// What is written in one format and read as another one.
fn in_another_format(random: &mut Random) -> String {
    let text = match random.below(5) {
        0 => made::json(random),
        1 => made::yaml(random),
        2 => made::fields(random),
        3 => made::body(random),
        _ => made::sections(random),
    };
    let format = random.pick(&Format::ALL);
    reading(spec(format, random), &text, random)
}

mod numbers_of {
    use super::{NUMBERS, Writer, compare_seeded};

    /// Compares so many lines of readings that a seed chooses.
    fn compare(file: &str, lines: u64, writer: Writer) {
        compare_seeded(["written", file], [lines, NUMBERS], writer);
    }

    #[test]
    fn json() {
        compare("json", 60, super::json);
    }

    #[test]
    fn repairs() {
        compare("repairs", 30, super::repairs);
    }

    #[test]
    fn sections() {
        compare("sections", 60, super::sections);
    }

    #[test]
    fn yaml() {
        compare("yaml", 80, super::yaml);
    }

    #[test]
    fn fields_in_tags() {
        compare("fields", 40, super::fields_in_tags);
    }

    #[test]
    fn bodies() {
        compare("bodies", 40, super::bodies);
    }

    #[test]
    fn calls() {
        compare("calls", 40, super::calls);
    }

    #[test]
    fn tag_sets() {
        compare("tag sets", 50, super::tag_sets);
    }

    #[test]
    fn in_another_format() {
        compare("otherwise", 40, super::in_another_format);
    }
}
