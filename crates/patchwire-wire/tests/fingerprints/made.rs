//! Texts of models, and the settings that read them.

use patchwire::spec::Roots;
use patchwire::{Format, Limit, Limits, Schema, Spec, SpecBuilder, TagSet};

use super::numbers::Random;

/// Keys that pointers escape or that JavaScript guards, and plain ones.
const KEYS: [&str; 16] = [
    "a",
    "b",
    "c",
    "title",
    "__proto__",
    "constructor",
    "prototype",
    "a/b",
    "~",
    "~1",
    "é\\\"",
    "",
    "0",
    "1",
    "n",
    "x",
];
const STRINGS: [&str; 12] = [
    "",
    "x",
    "some words, as models write them",
    "é\\n\\\"q\\\"",
    "\\ud83d\\ude00 and \\u0001",
    "long text that goes on and on, so that it is sent several times before it ends; and then it does",
    "</output>",
    "```",
    "1",
    "a \"b\" c, with quotes of \"its own\" inside",
    "two\nlines\tthat are raw\u{1}",
    "an \\escape that is none",
];
const SCALARS: [&str; 8] =
    ["0", "-1.50", "1e400", "true", "false", "null", "12345678901234567890", "7"];
const SLIPS: [&str; 14] =
    ["\"", "'", "{", "}", "[", "]", ",", ":", "\n", "\\", "// no\n", "1", "```json\n", "None"];

/// A JSON text.
pub(super) fn json(random: &mut Random) -> String {
    let mut out = String::new();
    let depth = 1 + random.below(3);
    container(&mut out, depth, random);
    out
}

fn value(out: &mut String, depth: usize, random: &mut Random) {
    match random.below(if depth == 0 { 5 } else { 8 }) {
        0 | 1 => out.push_str(random.pick(&SCALARS)),
        2..=4 => *out += &format!("\"{}\"", random.pick(&STRINGS)),
        _ => container(out, depth, random),
    }
}

fn container(out: &mut String, depth: usize, random: &mut Random) {
    let is_object = random.below(3) > 0;
    out.push(if is_object { '{' } else { '[' });
    for at in 0..random.below(5) {
        if at > 0 {
            out.push_str(random.pick(&[", ", ","]));
        }
        if is_object {
            *out += &format!("\"{}\": ", random.pick(&KEYS));
        }
        value(out, depth.saturating_sub(1), random);
    }
    out.push(if is_object { '}' } else { ']' });
}

/// A text with slips, more often than without.
fn with_slips(mut text: String, random: &mut Random) -> String {
    for _ in 0..random.below(3) {
        let places: Vec<usize> = (0..=text.len()).filter(|at| text.is_char_boundary(*at)).collect();
        let at = random.below(places.len());
        let end = (at + random.below(3)).min(places.len() - 1);
        let piece = random.pick(&SLIPS);
        text.replace_range(places[at]..places[end], if random.below(2) == 0 { piece } else { "" });
    }
    text
}

/// Prose, reasoning, elements and values, one after another.
fn mixed(random: &mut Random) -> String {
    let pieces = [
        "Sure: ",
        "\n\n",
        " ",
        "<think>so</think>",
        "<think>",
        "</think>",
        "<output>",
        "</output>",
        "<scratch_pad>hm</scratch_pad>",
        "<scratch_pad>",
        "<tool_call>{\"name\": \"f\", \"arguments\": {\"x\": [1]}}</tool_call>",
        "```json\n",
        "\n```\n",
        "That is it.",
    ];
    let mut text = String::new();
    for _ in 0..1 + random.below(6) {
        if random.below(3) == 0 {
            text += &json(random);
        } else {
            text += random.pick(&pieces);
        }
    }
    text
}

/// Fields under headings, in elements or in lines.
fn fields(format: Format, random: &mut Random) -> String {
    let mut text = String::new();
    for name in ["title", "n", "rows"] {
        let content = match random.below(4) {
            0 => json(random),
            1 => "1".to_owned(),
            2 => "- one\n- two".to_owned(),
            _ => "Some words.\nAnd more.".to_owned(),
        };
        text += &match format {
            Format::XmlField => format!("<{name}>{content}</{name}>\n"),
            Format::YamlLiteral => format!("{name}: |\n  {}\n", content.replace('\n', "\n  ")),
            _ => format!("## {name}\n{content}\n\n"),
        };
    }
    text
}

fn schema() -> Schema {
    Schema::from_text(r#"{"title": "str", "n": "int", "rows": ["str"], "a": {"b": "float"}}"#)
        .expect("it is a schema")
}

/// How a text is read, and the text.
pub(super) fn reading(random: &mut Random) -> (Spec, String) {
    let mut spec = Spec::builder();
    let text = match random.below(10) {
        0..=2 => json(random),
        3 | 4 => mixed(random),
        5 => {
            spec = spec.tags(TagSet::scratchpad());
            mixed(random)
        }
        6 => {
            let tags = random.pick(&["ubik", "hermes", "hermes-json", "scratchpad"]);
            spec = spec.format(Format::Text).tags(TagSet::preset(tags).expect("a preset"));
            mixed(random) + "<<STEP_START>>\nLook\n<<STEP_END>>"
        }
        7 => {
            let formats = [Format::XmlField, Format::Hybrid, Format::Markdown, Format::YamlLiteral];
            let format = random.pick(&formats);
            spec = spec.format(format).schema(schema());
            fields(format, random)
        }
        8 => {
            spec = spec.schema(schema());
            format!("{{\"title\": \"x\", \"n\": \"1\", \"a\": {}, \"more\": [1]}}", json(random))
        }
        _ => format!("{} or rather {}", json(random), json(random)),
    };
    let text = if random.below(2) == 0 { with_slips(text, random) } else { text };
    // Some settings exclude others.
    (varied(spec, random).build().unwrap_or_else(|_| Spec::json()), text)
}

fn varied(spec: SpecBuilder, random: &mut Random) -> SpecBuilder {
    let limits = Limits::default();
    match random.below(14) {
        0 => spec.roots(Roots::Last),
        1 => spec.roots(Roots::Concatenated),
        2 => spec.roots(Roots::First),
        3 => spec.limits(limits.with(Limit::Total, random.below(120) as u64)),
        4 => spec.limits(limits.with(Limit::Depth, 2)),
        5 => spec.without_value(),
        6 => spec.without_alignment(),
        7 => spec.strictness(patchwire::Strictness::Strict),
        _ => spec,
    }
}
