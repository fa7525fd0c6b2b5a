//! Schemas that a seed makes: what is read of them, the prompts for them, and answers that fit them more or less.

use std::fmt::Write;

use patchwire::{Format, Schema, Spec};

use super::damage::{Random, damaged};
use super::reading::read;

const NAMES: [&str; 8] = ["a", "b", "c", "kind", "first name", "tags", "n", "total_count"];

const SCALARS: [&str; 16] = [
    "null",
    "true",
    "false",
    "0",
    "7",
    "-3",
    "1.5",
    "1e3",
    "12.0",
    "\"\"",
    "\"x\"",
    "\"red\"",
    "\"7\"",
    "\"true\"",
    "\"2024-05-01\"",
    "\"two words\"",
];

const TYPES: [&str; 10] = [
    "\"string\"",
    "\"integer\"",
    "\"number\"",
    "\"boolean\"",
    "\"null\"",
    "\"array\"",
    "\"object\"",
    "[\"string\",\"null\"]",
    "[\"integer\",\"string\"]",
    "[\"object\",\"array\"]",
];

/// Keywords that describe a scalar or a whole schema, with their values.
const PLAIN: [&str; 30] = [
    "\"description\":\"what it is\"",
    "\"title\":\"T\"",
    "\"default\":1",
    "\"format\":\"date\"",
    "\"format\":\"uint8\"",
    "\"minimum\":0",
    "\"maximum\":10",
    "\"exclusiveMinimum\":0",
    "\"multipleOf\":2",
    "\"minLength\":1",
    "\"maxLength\":5",
    "\"pattern\":\"^a\"",
    "\"minItems\":1",
    "\"maxItems\":2",
    "\"uniqueItems\":true",
    "\"minProperties\":1",
    "\"additionalProperties\":false",
    "\"additionalProperties\":true",
    "\"required\":[\"a\"]",
    "\"required\":[\"a\",\"kind\"]",
    "\"nullable\":true",
    "\"const\":\"x\"",
    "\"const\":7",
    "\"enum\":[\"red\",\"green\"]",
    "\"enum\":[1,2,\"x\",null]",
    "\"enum\":[true]",
    "\"$ref\":\"#/$defs/a\"",
    "\"$ref\":\"#\"",
    "\"dependentRequired\":{\"a\":[\"b\"]}",
    "\"x-unknown\":1",
];

fn joined(count: usize, mut one: impl FnMut() -> String) -> String {
    (0..count).map(|_| one()).collect::<Vec<_>>().join(",")
}

fn name(random: &mut Random) -> &'static str {
    random.pick(&NAMES)
}

fn members(random: &mut Random, one: fn(&mut Random, usize) -> String, depth: usize) -> String {
    let count = random.below(5);
    let members = joined(count, || format!("{:?}:{}", name(random), one(random, depth)));
    format!("{{{members}}}")
}

/// A schema of JSON Schema.
fn schema(random: &mut Random, depth: usize) -> String {
    let mut keywords = Vec::new();
    if random.below(5) > 0 {
        keywords.push(format!("\"type\":{}", random.pick(&TYPES)));
    }
    for _ in 0..random.below(3) {
        keywords.push(random.pick(&PLAIN).to_owned());
    }
    let more = if depth == 0 { 0 } else { 1 + random.below(2) };
    for _ in 0..more {
        let below = depth - 1;
        keywords.push(match random.below(10) {
            0..=4 => format!("\"properties\":{}", members(random, schema, below)),
            5 | 6 => format!("\"items\":{}", schema(random, below)),
            7 => {
                let which = random.pick(&["anyOf", "oneOf", "allOf", "prefixItems"]);
                let count = 1 + random.below(3);
                format!("{which:?}:[{}]", joined(count, || schema(random, below)))
            }
            8 => {
                let which = random.pick(&[
                    "additionalProperties",
                    "not",
                    "contains",
                    "propertyNames",
                    "if",
                    "then",
                ]);
                format!("{which:?}:{}", schema(random, below))
            }
            _ => format!("\"$defs\":{}", members(random, schema, below)),
        });
    }
    format!("{{{}}}", keywords.join(","))
}

/// A value of JSON, with names that the schemas have.
fn value(random: &mut Random, depth: usize) -> String {
    match random.below(if depth == 0 { 2 } else { 6 }) {
        0 | 1 => random.pick(&SCALARS).to_owned(),
        2 => {
            let count = random.below(4);
            format!("[{}]", joined(count, || value(random, depth - 1)))
        }
        _ => members(random, value, depth - 1),
    }
}

/// A schema in the output DSL.
fn output_dsl(random: &mut Random, depth: usize) -> String {
    const WORDS: [&str; 10] = [
        "str",
        "int",
        "float",
        "bool",
        "any",
        "str?",
        "enum(a, b)",
        "list[str]",
        "one of red, green",
        "date",
    ];
    match random.below(if depth == 0 { 1 } else { 4 }) {
        0 => format!("{:?}", random.pick(&WORDS)),
        1 => format!("[{}]", output_dsl(random, depth - 1)),
        _ => members(random, output_dsl, depth - 1),
    }
}

/// What is read of the schema, and what two answers become.
pub(super) fn described(seed: u64) -> String {
    let mut random = Random::new(seed);
    let is_dsl = random.below(5) == 0;
    let text = if is_dsl { output_dsl(&mut random, 3) } else { schema(&mut random, 3) };
    let mut out = format!("{text}\n");
    let schema = match Schema::from_text(&text) {
        Ok(schema) => schema,
        Err(error) => return format!("{out}{error}"),
    };
    writeln!(out, "{}\n{}", schema.to_json_schema(), schema.to_closed_json_schema()).unwrap();
    for keyword in schema.unsupported() {
        writeln!(out, "{keyword}").unwrap();
    }
    for format in
        [Format::Json, Format::XmlField, Format::Hybrid, Format::Markdown, Format::YamlLiteral]
    {
        let spec = Spec::builder().format(format).schema(schema.clone());
        let spec = match spec.strict_shape(random.below(2) == 0).build() {
            Ok(spec) => spec,
            Err(error) => {
                writeln!(out, "{error}").unwrap();
                continue;
            }
        };
        writeln!(out, "{}", spec.prompt()).unwrap();
        // A skeleton is an answer, too.
        let answer = match format {
            Format::Json => value(&mut random, 3),
            _ => spec.prompt().skeleton().to_owned(),
        };
        let answer = if random.below(2) == 0 {
            damaged(answer.as_bytes(), &mut random)
        } else {
            answer.into_bytes()
        };
        out.push_str(&failures_sorted(&read(&spec, &answer, &mut random)));
    }
    out
}

/// The events with their failures in an order that does not depend on features of other crates: that of the members in
/// `serde_json` decides in which order JSON Schema judges them.
fn failures_sorted(events: &str) -> String {
    let sorted = |line: &str| {
        let mut parts: Vec<&str> = line.split("{\"kind\":").collect();
        parts.iter_mut().for_each(|part| *part = part.trim_end_matches([',', ']', '}']));
        parts[1..].sort_unstable();
        parts.join("\n")
    };
    events.lines().map(sorted).collect::<Vec<_>>().join("\n")
}
