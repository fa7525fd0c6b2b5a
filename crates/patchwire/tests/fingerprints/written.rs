//! Answers that a seed writes, read in the format that they are written in or in another one.

use patchwire::internals::{Explorer, XmlBody, XmlCaps, readings};
use patchwire::{Format, Schema, Spec, SpecBuilder, TagSet};

use super::numbers::{Random, compare_seeded};
use super::settings::vary_much;
use super::{asking, made};

/// How many numbers stand in a line.
const NUMBERS: u64 = 16;

/// Compares so many lines of readings that a seed chooses.
fn compare_written(file: &str, lines: u64, read: impl Fn(&mut Random) -> String) {
    compare_seeded(["written", file], [lines, NUMBERS], read);
}

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

#[test]
fn json() {
    compare_written("json", 60, |random| {
        let text = made::json(random);
        reading(spec(Format::Json, random), &text, random)
    });
}

/// All cheap readings of a text with slips, and what the search finds.
#[test]
fn repairs() {
    compare_written("repairs", 30, |random| {
        let text = made::json(random);
        let spec = Spec::json();
        let streamed = spec.parse(&text).unwrap();
        let found = readings(&spec, &text, streamed.value(), 6);
        format!("{text:?} {:?} {found:?}", Explorer::found(&text))
    });
}

#[test]
fn sections() {
    compare_written("sections", 60, |random| {
        let text = made::sections(random);
        let format = random.pick(&[Format::Hybrid, Format::Markdown]);
        reading(spec(format, random), &text, random)
    });
}

#[test]
fn yaml() {
    compare_written("yaml", 80, |random| {
        let text = made::yaml(random);
        reading(spec(Format::YamlLiteral, random), &text, random)
    });
}

#[test]
fn fields_in_tags() {
    compare_written("fields", 40, |random| {
        let text = made::fields(random);
        reading(spec(Format::XmlField, random), &text, random)
    });
}

#[test]
fn bodies() {
    compare_written("bodies", 40, |random| {
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
    });
}

/// Calls in the syntax of a language, alone and in the tags of a preset.
#[test]
fn calls() {
    compare_written("calls", 40, |random| {
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
    });
}

#[test]
fn tag_sets() {
    compare_written("tag sets", 50, |random| {
        let (data, text) = made::tag_set(random);
        let set = match made::read_set(&data) {
            Ok(set) => set,
            Err(error) => return format!("{data} {error}"),
        };
        let held = (set.max_held(), set.prefixes());
        let format = random.pick(&[Format::Text, Format::Text, Format::Json, Format::Hybrid]);
        let spec = spec(format, random).tags(set);
        format!("{data} {held:?}\n{}", reading(spec, &text, random))
    });
}

/// What is written in one format and read as another one.
#[test]
fn in_another_format() {
    compare_written("otherwise", 40, |random| {
        let text = match random.below(5) {
            0 => made::json(random),
            1 => made::yaml(random),
            2 => made::fields(random),
            3 => made::body(random),
            _ => made::sections(random),
        };
        let format = random.pick(&Format::ALL);
        reading(spec(format, random), &text, random)
    });
}
