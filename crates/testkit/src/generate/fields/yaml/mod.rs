//! YAML documents between markers or in a fence, in all equivalent notations.
//!
//! [`strings`] writes a string in any style that can represent it, [`folds`] breaks strings into lines, and
//! [`nodes`] writes collections.

pub mod folds;
pub mod nodes;
pub mod strings;

use super::texts::{self, Lone, Use};
use super::{Rng, Sample, order, schema, with_crlf};
use crate::oracle::Json;
use crate::oracle::fields::Type;
use nodes::Writer;

/// What documents may contain besides block collections and scalars.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct YamlShape {
    /// Collections in brackets.
    pub flow: bool,
    /// Anchors, aliases and tags.
    pub references: bool,
}

impl YamlShape {
    /// Only block style, so that nothing is deferred.
    pub const BLOCKS: Self = Self { flow: false, references: false };
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::BLOCKS,
        Self { flow: true, references: false },
        Self { flow: false, references: true },
        Self { flow: true, references: true },
    ];
}

/// A well-formed text.
pub fn sample(rng: &mut Rng, shape: YamlShape) -> Sample {
    let schema = schema(rng);
    let crlf = rng.once_in(4);
    let indent = rng.pick(&[0, 0, 0, 0, 1, 3]);
    let declared = Type::Any;
    let mut writer = Writer { rng, shape, out: String::new(), anchors: Vec::new(), declared };
    let mut fields = Vec::new();
    let chosen = order(writer.rng, &schema);
    for (name, kind) in chosen {
        writer.between(indent);
        if writer.rng.once_in(8) {
            writer.unknown(indent);
        }
        let value = value(writer.rng, shape, kind);
        writer.declared = kind;
        let value = writer.entry(&name, value, indent);
        fields.push((name, value));
    }
    writer.between(indent);
    let body = writer.out;
    let text = wrapped(rng, &body);
    let text = if crlf { with_crlf(&text) } else { text };
    Sample { schema, text, fields }
}

/// The document between markers, or in a fence.
fn wrapped(rng: &mut Rng, body: &str) -> String {
    let before = rng.pick(&["", "", "Sure:\n", "\n"]);
    let start = rng.pick(&["", "", "", "---\n", "%YAML 1.2\n---\n", "# head\n"]);
    let behind = rng.pick(&["", "\n", "\nbye\n", "\na: no\n"]);
    let end = rng.pick(&["", "", "", "...\n", "...\nrubbish: [\n", "--- # next\na: no\n"]);
    let inner = format!("{start}{body}{end}");
    match rng.below(6) {
        0 => format!("{before}```yaml\n{inner}```{behind}"),
        1 => format!("{before}```YML  \n{inner}``` {behind}"),
        2 => {
            let (open, close) = ("  <<< begin  agently_yaml >>> ", "  <<<end ANSWER_YAML>>>");
            format!("{before}{open}\n{inner}{close}{behind}")
        }
        _ => format!("{before}<<<BEGIN ANSWER_YAML>>>\n{inner}<<<END ANSWER_YAML>>>{behind}"),
    }
}

/// A value of a type.
fn value(rng: &mut Rng, shape: YamlShape, kind: Type) -> Json {
    match kind {
        Type::Str => Json::String(text(rng)),
        Type::Int => number(rng, &["0", "-7", "12", "9007199254740993"]),
        Type::Float => number(rng, &["0", "-7.25", "1.10", "3e5", "1E-7", "0.5"]),
        Type::Bool => Json::Bool(rng.once_in(2)),
        Type::List => list(rng, shape, 3),
        Type::Dict => dict(rng, shape, 3),
        Type::Any => any(rng, shape, 3),
    }
}

fn number(rng: &mut Rng, from: &[&str]) -> Json {
    Json::Number(rng.pick(from).to_owned())
}

fn any(rng: &mut Rng, shape: YamlShape, depth: usize) -> Json {
    match rng.below(if depth == 0 { 6 } else { 10 }) {
        0 => Json::Null,
        1 => value(rng, shape, Type::Bool),
        2 => value(rng, shape, Type::Int),
        3 => value(rng, shape, Type::Float),
        4 | 5 => value(rng, shape, Type::Str),
        6 | 7 => list(rng, shape, depth - 1),
        _ => dict(rng, shape, depth - 1),
    }
}

fn list(rng: &mut Rng, shape: YamlShape, depth: usize) -> Json {
    let len = count(rng, shape);
    Json::List((0..len).map(|_| any(rng, shape, depth)).collect())
}

fn dict(rng: &mut Rng, shape: YamlShape, depth: usize) -> Json {
    let from = rng.below(KEYS.len());
    let names = (0..count(rng, shape)).map(|at| KEYS[(from + at) % KEYS.len()].to_owned());
    Json::Object(names.map(|name| (name, any(rng, shape, depth))).collect())
}

/// The number of children. Without brackets a collection cannot be empty.
fn count(rng: &mut Rng, shape: YamlShape) -> usize {
    if shape.flow { rng.below(4) } else { 1 + rng.below(3) }
}

const KEYS: [&str; 9] = ["k", "a b", "true", "12", "it's", "x: y", "# z", "- n", "<<< e"];

/// A string, sometimes with line ends or whitespace at its ends.
fn text(rng: &mut Rng) -> String {
    let mut text = texts::lines(rng, Use::Any, Lone::Allowed).join("\n");
    if rng.once_in(3) {
        text.push_str(rng.pick(&["\n", "\n", "\n\n", " ", "\n\n\n", "\t"]));
    }
    if rng.once_in(6) {
        text.insert_str(0, rng.pick(&["\n", " ", "\n\n", "\n  ", "\t"]));
    }
    if rng.once_in(12) {
        text.push_str(rng.pick(&["\u{0}", "\u{7f}", "\u{85}", "\u{a0}", "\u{feff}", "\"", "\\"]));
    }
    text
}
