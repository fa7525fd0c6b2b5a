//! A parser reads what a prompt describes: filled-in skeletons give their values back.

use patchwire::schema::{
    Node, any, bool, int, list, map, null, number, object, one_of, str, union,
};
use patchwire::{Format, Outcome, Spec};
use serde_json::Value;
use testkit::generate::Rng;

const FORMATS: [Format; 5] =
    [Format::Json, Format::XmlField, Format::Hybrid, Format::Markdown, Format::YamlLiteral];
const NAMES: [&str; 8] = ["title", "Reply_To", "steps", "n2", "größe", "notes", "why", "last"];
/// Texts with what means something in one of the formats.
const TEXTS: [&str; 12] = [
    "plain",
    "two\nlines",
    "with \"quotes\" and a \\ backslash",
    "colon: here # and no comment",
    "- no item\n- none either",
    "a </field> in a line, and <b>more</b>",
    "é ✓ 漢字",
    "first\n\n    indented\nlast",
    "{\"not\": \"json\"}",
    "null",
    "12",
    "```rust\nfn main() {}\n```",
];

fn node(rng: &mut Rng, depth: usize) -> Node {
    let shape = rng.below(if depth == 0 { 8 } else { 12 });
    let node = match shape {
        0 | 1 => str("some text"),
        2 => int(""),
        3 => number("in euros"),
        4 => bool("whether it is so"),
        5 => one_of(["low", "in progress", "high"]),
        6 => int("").nullable(),
        7 => {
            [str("").nullable(), any(""), union([bool(""), int("")]), null()][rng.below(4)].clone()
        }
        8 => list(node(rng, depth - 1)),
        9 => map(node(rng, depth - 1)),
        10 => union([Node::from(members(rng, depth - 1)), null()]),
        _ => members(rng, depth - 1).into(),
    };
    if rng.once_in(3) { node.required() } else { node }
}

fn members(rng: &mut Rng, depth: usize) -> patchwire::schema::ObjectNode {
    let from = rng.below(NAMES.len());
    let count = 1 + rng.below(4);
    let names = (0..count).map(|at| NAMES[(from + at) % NAMES.len()]);
    names.fold(object().closed(), |object, name| object.field(name, node(rng, depth)))
}

/// A skeleton with a value for each placeholder; the n-th is the same in every format.
fn filled(skeleton: &str, seed: u64) -> String {
    let (mut out, mut rest, mut count) = (String::new(), skeleton, 0);
    while let Some(at) = rest.find('<') {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        let Some(kinds) = from.find('>').and_then(|end| kinds(&from[1..end])) else {
            out.push('<');
            rest = &from[1..];
            continue;
        };
        count += 1;
        let mut rng = Rng::new(seed.wrapping_add(count * 7919));
        rest = &from[from.find('>').unwrap() + 1..];
        let quoted = out.ends_with('"') && rest.starts_with('"');
        let value = value(&mut rng, &kinds);
        match &value {
            Value::String(text) if quoted => {
                let text = Value::from(text.as_str()).to_string();
                out.push_str(&text[1..text.len() - 1]);
            }
            Value::String(text) if kinds.iter().all(|kind| is_text(kind)) => {
                // Text unchanged, each line at the indent of the first one.
                let line = out.rfind('\n').map_or(0, |at| at + 1);
                let indent = out[line..].to_owned();
                assert!(indent.trim().is_empty() || kinds == ["name"], "{indent:?}");
                out.push_str(&text.replace('\n', &format!("\n{indent}")));
            }
            other => out.push_str(&other.to_string()),
        }
    }
    out + rest
}

fn is_text(kind: &str) -> bool {
    matches!(kind, "string" | "name" | "low" | "in progress" | "high")
}

/// The kinds that a placeholder names; none if it is something else.
fn kinds(inside: &str) -> Option<Vec<&str>> {
    let known = |kind: &&str| {
        is_text(kind)
            || matches!(*kind, "integer" | "number" | "true" | "false" | "null" | "any JSON value")
    };
    let kinds: Vec<&str> = inside.split(" | ").collect();
    kinds.iter().all(known).then_some(kinds)
}

fn value(rng: &mut Rng, kinds: &[&str]) -> Value {
    // Not every format can write null in place of a text.
    let may_be_null = !kinds.contains(&"string");
    let kinds: Vec<&&str> = kinds.iter().filter(|kind| may_be_null || **kind != "null").collect();
    match *kinds[rng.below(kinds.len())] {
        "string" => rng.pick(&TEXTS).into(),
        "name" => "some_name".into(),
        "integer" => (rng.below(100) as u64).into(),
        "number" => 2.5.into(),
        "true" => true.into(),
        "false" => false.into(),
        "null" => Value::Null,
        "any JSON value" => serde_json::json!({"x": [1, "y"]}),
        choice => choice.into(),
    }
}

#[test]
fn skeletons_filled_in_come_back_as_their_values() {
    let mut read = 0;
    for seed in 0..300 {
        let schema = members(&mut Rng::new(seed), 3);
        let mut expected: Option<Value> = None;
        for format in FORMATS {
            let spec = Spec::builder().format(format).schema(schema.clone()).build().unwrap();
            let text = filled(spec.prompt().skeleton(), seed);
            let expected = &*expected.get_or_insert_with(|| {
                serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"))
            });
            for size in [text.len(), 1] {
                let mut parser = spec.parser();
                for chunk in text.as_bytes().chunks(size) {
                    parser.feed(chunk, |_| {}).unwrap();
                }
                let answer = parser.finish(|_| {}).unwrap();
                let got: Value = serde_json::from_str(&answer.value().to_string()).unwrap();
                assert_eq!(&got, expected, "{format:?}, {seed}:\n{text}");
                let mut codes = answer.notices().iter().map(|notice| notice.code.name());
                // In YAML, values in brackets are read when they are complete.
                let noted = codes.find(|code| *code != "deferred");
                assert_eq!((answer.outcome(), noted), (Outcome::Complete, None), "{seed}:\n{text}");
            }
            read += 1;
        }
    }
    assert_eq!(read, 300 * FORMATS.len());
}

/// A rule about JSON is only given if the form contains JSON, or if a value may have any type.
#[test]
fn rules_speak_of_json_where_there_is_some() {
    let (mut with, mut without) = ([0; 3], [0; 3]);
    for seed in 0..300 {
        let schema = members(&mut Rng::new(seed), 2);
        let formats = [
            (Format::Markdown, "```json\n", "Lists and objects are JSON in a json fence."),
            (Format::Hybrid, "```json\n", "A json fence holds one JSON value."),
            (Format::XmlField, "type=\"json\"", "A field of type json holds one JSON value."),
        ];
        for (at, (format, shown, rule)) in formats.into_iter().enumerate() {
            let spec = Spec::builder().format(format).schema(schema.clone()).build().unwrap();
            let prompt = spec.prompt();
            let some = prompt.skeleton().contains(shown) || prompt.skeleton().contains("<any JSON");
            assert_eq!(prompt.as_str().contains(rule), some, "{format:?}, {seed}:\n{prompt}");
            if some { with[at] += 1 } else { without[at] += 1 }
        }
    }
    assert!(with.into_iter().chain(without).all(|count| count > 5), "{with:?}, {without:?}");
}

const LIMITS: &str = r#"{"type": "object", "description": "A person", "required": ["age"], "properties": {
    "age": {"type": "integer", "minimum": 1, "maximum": 99, "default": 7, "description": "in years"},
    "born": {"anyOf": [{"type": "string", "format": "date"}, {"type": "null"}]},
    "code": {"type": "string", "pattern": "^[A-Z]{2}$", "minLength": 2},
    "point": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]},
    "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1, "uniqueItems": true},
    "pet": {"oneOf": [{"type": "object", "properties": {"kind": {"const": "cat"}}, "description": "it purrs"},
        {"type": "object", "properties": {"kind": {"const": "dog"}}}]}}}"#;

fn prompt(format: Format, schema: &str) -> String {
    let schema = patchwire::schema::Schema::from_text(schema).unwrap();
    Spec::builder().format(format).schema(schema).build().unwrap().prompt().to_string()
}

/// What JSON Schema says beside the types is in every prompt, once.
#[test]
fn limits_defaults_and_alternatives_are_shown_once() {
    for format in FORMATS {
        let text = prompt(format, LIMITS);
        for said in [
            "A person",
            "1 to 99",
            "default 7",
            "in years",
            "date",
            "at least 2 characters",
            "matching ^[A-Z]{2}$",
            "at least 1 item",
            "no item twice",
            "cat",
            "dog",
            "it purrs",
        ] {
            assert_eq!(text.matches(said).count(), 1, "{format:?}, {said}:\n{text}");
        }
        assert!(!text.contains("passed over"), "{text}");
    }
}

#[test]
fn a_prompt_in_json() {
    let want = r#"Reply with JSON only:
It is: A person

{
  "age": <integer, 1 to 99, default 7: in years>,
  "born": <string | null, date, optional>,
  "code": "<at least 2 characters, matching ^[A-Z]{2}$, optional>",
  "point": ["<string>", <integer>] /* optional */,
  "tags": ["<string>", ...] /* at least 1 item, no item twice, optional */,
  "pet": /* optional */ {"kind": "cat"} /* it purrs */ | {"kind": "dog"}
}
"#;
    assert_eq!(prompt(Format::Json, LIMITS), want);
}

/// Fields of text formats that are texts cannot be null, so no prompt says that they can.
#[test]
fn no_null_is_offered_where_a_text_cannot_be_null() {
    let schema = r#"{"type": "object", "properties": {"owner": {"type": ["string", "null"]}}}"#;
    for format in [Format::XmlField, Format::Hybrid, Format::Markdown] {
        let text = prompt(format, schema);
        assert!(!text.contains("null"), "{format:?}:\n{text}");
    }
    assert!(prompt(Format::Json, schema).contains("<string | null>"));
}

/// Without descriptions and limits, the form of a prompt is its skeleton, up to white space and `...`.
#[test]
fn the_form_is_the_skeleton() {
    for schema in [
        r#"{"a": "str", "b": "int", "c": {"d": ["str"], "e": {"f": "bool", "g": "number"}}}"#,
        r#"{"list": [{"x": "str", "inner": [{"y": "int"}]}], "last": "any"}"#,
    ] {
        for format in [Format::Json, Format::XmlField, Format::Hybrid, Format::Markdown] {
            let schema = patchwire::schema::Schema::from_text(schema).unwrap();
            let spec = Spec::builder().format(format).schema(schema).build().unwrap();
            let prompt = spec.prompt();
            let dense =
                |text: &str| text.split_whitespace().collect::<String>().replace(",...", "");
            let (form, skeleton) = (dense(prompt.as_str()), dense(prompt.skeleton()));
            assert!(form.contains(&skeleton), "{format:?}:\n{prompt}");
        }
    }
}
