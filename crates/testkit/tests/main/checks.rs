//! Failures of an answer, compared with a slow implementation of the same rules: every place that must have
//! content is written as a path with wildcards and searched for level by level.

use std::collections::BTreeSet;

use patchwire::schema::{self, Node};
use patchwire::{Event, Schema, Spec, check::FailureKind};
use serde_json::Value;
use testkit::generate::Rng;
use testkit::laws;

const SEED: u64 = 20_261_122;
const NAMES: [&str; 4] = ["a", "b", "c d", "e"];

/// A type, as the test sees it.
#[derive(Debug, Clone)]
enum Type {
    Text,
    Int,
    Bool,
    Listed,
    List(Box<Slot>),
    Map(Box<Slot>),
    Object(Vec<(&'static str, Slot)>),
}

#[derive(Debug, Clone)]
struct Slot {
    kind: Type,
    /// 0 is optional, 1 is present, 2 is required to have content.
    need: usize,
}

fn slot(rng: &mut Rng, depth: usize) -> Slot {
    let kind = match rng.below(if depth == 0 { 4 } else { 8 }) {
        0 => Type::Text,
        1 => Type::Int,
        2 => Type::Bool,
        3 => Type::Listed,
        4 => Type::List(Box::new(slot(rng, depth - 1))),
        5 => Type::Map(Box::new(slot(rng, depth - 1))),
        _ => object(rng, depth - 1),
    };
    Slot { kind, need: rng.below(5).saturating_sub(2) }
}

fn object(rng: &mut Rng, depth: usize) -> Type {
    let count = 1 + rng.below(NAMES.len());
    Type::Object(NAMES[..count].iter().map(|name| (*name, slot(rng, depth))).collect())
}

fn node(slot: &Slot) -> Node {
    let node = match &slot.kind {
        Type::Text => schema::str(""),
        Type::Int => schema::int(""),
        Type::Bool => schema::bool(""),
        Type::Listed => schema::one_of(["x", "y"]),
        Type::List(item) => schema::list(node(item)),
        Type::Map(each) => schema::map(node(each)),
        Type::Object(fields) => {
            let object = schema::object();
            fields.iter().fold(object, |object, (name, slot)| object.field(name, node(slot))).into()
        }
    };
    match slot.need {
        0 => node,
        1 => node.present(),
        _ => node.required(),
    }
}

/// A value that nearly fits.
fn value(rng: &mut Rng, slot: &Slot) -> Value {
    if rng.once_in(12) {
        return [Value::Null, "x".into(), 3.into(), Value::Array(Vec::new())][rng.below(4)].clone();
    }
    match &slot.kind {
        Type::Text => ["", " \n", "t"][rng.below(3)].into(),
        Type::Int => [0, 7][rng.below(2)].into(),
        Type::Bool => rng.once_in(2).into(),
        Type::Listed => ["x", "y", "z"][rng.below(3)].into(),
        Type::List(item) => (0..rng.below(3)).map(|_| value(rng, item)).collect(),
        Type::Map(each) => {
            let names = NAMES[..rng.below(3)].iter();
            names.map(|name| ((*name).to_owned(), value(rng, each))).collect()
        }
        Type::Object(fields) => {
            let mut members = serde_json::Map::new();
            for (name, slot) in fields {
                if !rng.once_in(6) {
                    members.insert((*name).to_owned(), value(rng, slot));
                }
            }
            if rng.once_in(8) {
                members.insert("more".to_owned(), 1.into());
            }
            members.into()
        }
    }
}

/// One step of a path; none is a wildcard.
type Steps = Vec<Option<String>>;

/// The paths that must have content.
fn wanted(slot: &Slot, path: &Steps, out: &mut Vec<Steps>) {
    if slot.need == 2 {
        out.push(path.clone());
    }
    let below = |step: Option<&str>| [path.clone(), vec![step.map(str::to_owned)]].concat();
    match &slot.kind {
        Type::List(inner) | Type::Map(inner) => wanted(inner, &below(None), out),
        Type::Object(fields) => {
            fields.iter().for_each(|(name, slot)| wanted(slot, &below(Some(name)), out));
        }
        _ => {}
    }
}

fn fits(kind: &Type, value: &Value) -> bool {
    match kind {
        Type::Text => value.is_string(),
        Type::Int => value.is_i64(),
        Type::Bool => value.is_boolean(),
        Type::Listed => value == "x" || value == "y",
        Type::List(_) => value.is_array(),
        Type::Map(_) | Type::Object(_) => value.is_object(),
    }
}

/// Whether every place that a path leads to has content.
fn says(value: &Value, path: &[Option<String>]) -> bool {
    match path.split_first() {
        None => match value {
            Value::Null => false,
            Value::String(text) => !text.trim().is_empty(),
            Value::Array(items) => !items.is_empty(),
            _ => true,
        },
        Some((Some(name), rest)) => value.get(name).is_some_and(|below| says(below, rest)),
        Some((None, rest)) => {
            let all: Vec<&Value> = match value {
                Value::Array(items) => items.iter().collect(),
                Value::Object(members) => members.values().collect(),
                _ => Vec::new(),
            };
            !all.is_empty() && all.into_iter().all(|below| says(below, rest))
        }
    }
}

/// Whether every member that has to be present is, where its object is.
fn is_present(slot: &Slot, value: &Value) -> bool {
    match (&slot.kind, value) {
        (Type::List(item), Value::Array(items)) => items.iter().all(|it| is_present(item, it)),
        (Type::Map(each), Value::Object(members)) => {
            members.values().all(|it| is_present(each, it))
        }
        (Type::Object(fields), Value::Object(members)) => {
            fields.iter().all(|(name, slot)| match members.get(*name) {
                Some(value) => is_present(slot, value),
                None => slot.need == 0,
            })
        }
        _ => true,
    }
}

fn is_exact(slot: &Slot, value: &Value) -> bool {
    let inside = match (&slot.kind, value) {
        (Type::List(item), Value::Array(items)) => items.iter().all(|it| is_exact(item, it)),
        (Type::Map(each), Value::Object(members)) => members.values().all(|it| is_exact(each, it)),
        (Type::Object(fields), Value::Object(members)) => {
            let declared = |name: &String| fields.iter().find(|(known, _)| known == name);
            members
                .iter()
                .all(|(name, it)| declared(name).is_some_and(|(_, slot)| is_exact(slot, it)))
        }
        _ => true,
    };
    fits(&slot.kind, value) && inside
}

#[test]
fn failures_are_what_a_slow_reading_finds() {
    let mut rng = Rng::new(SEED);
    let (mut failed, mut passed) = (0, 0);
    for at in 0..30_000 {
        let root = Slot { kind: object(&mut rng, 3), need: 0 };
        let (schema, value) = (Schema::from(node(&root)), value(&mut rng, &root));
        let (text, mut paths) = (value.to_string(), Vec::new());
        wanted(&root, &Vec::new(), &mut paths);
        let name = format!("{at} of seed {SEED}: {text}\n{root:?}");

        let spec = Spec::builder().schema(schema.clone()).without_alignment().build().unwrap();
        let answer = spec.parse(&text).unwrap();
        if !answer.value().exists() {
            continue;
        }
        let found = answer.failures();
        let expected = paths.iter().all(|path| says(&value, path)) && is_present(&root, &value);
        assert_eq!(found.is_empty(), expected, "{found:?}\n{name}");
        (failed, passed) = (failed + usize::from(!expected), passed + usize::from(expected));

        let strict = Spec::builder().schema(schema).strict_shape(true).without_alignment().build();
        let strict = strict.unwrap().parse(&text).unwrap();
        let exact = expected && is_exact(&root, &value);
        assert_eq!(strict.failures().is_empty(), exact, "{:?}\n{name}", strict.failures());
        let kinds = strict.failures().iter().map(|failure| failure.kind.name());
        let kinds: BTreeSet<_> = kinds.collect();
        assert!(!kinds.contains("no_value"), "{name}");

        // The same paths, given by the caller.
        let path = |steps: &Steps| {
            let mut text = String::new();
            for step in steps {
                match step {
                    Some(step) => text.push_str(&format!("[{}]", Value::from(&**step))),
                    None => text.push_str("[*]"),
                }
            }
            text
        };
        let mut builder = Spec::builder();
        for steps in &paths {
            builder = builder.ensure(path(steps));
        }
        let ensured = builder.build().unwrap().parse(&text).unwrap();
        let expected = paths.iter().all(|path| says(&value, path));
        assert_eq!(ensured.failures().is_empty(), expected, "{:?}\n{name}", ensured.failures());
    }
    assert!(failed > 5_000 && passed > 2_000, "{failed} and {passed}");
}

fn failures(spec: &Spec, text: &str) -> Vec<String> {
    let answer = spec.parse(text).unwrap();
    answer.failures().iter().map(ToString::to_string).collect()
}

#[test]
fn what_is_wanted_says_where_it_is_not() {
    let spec = |paths: &[&str]| {
        let builder = Spec::builder();
        paths.iter().fold(builder, |builder, path| builder.ensure(*path)).build().unwrap()
    };
    for (path, text, expected) in [
        ("title", r#"{"title": "x"}"#, None),
        ("title", r#"{"title": " "}"#, Some("title is blank")),
        ("title", r#"{"title": null}"#, Some("title is null")),
        ("title", "{}", Some("title is missing")),
        ("title", "[]", Some("title is missing")),
        ("n", r#"{"n": 0}"#, None),
        ("n", r#"{"n": false}"#, None),
        ("n", r#"{"n": {}}"#, None),
        ("n", r#"{"n": []}"#, Some("n is empty")),
        ("items[*].sku", r#"{"items": []}"#, Some("items is empty")),
        ("items[*].sku", r#"{"items": [{"sku": "a"}, {}]}"#, Some("items[1].sku is missing")),
        ("items[*].sku", r#"{"items": 3}"#, Some("items should be a list or an object")),
        ("m[*][*]", r#"{"m": {"x": [1, null]}}"#, Some("m.x[1] is null")),
        ("", "{}", None),
    ] {
        let found = failures(&spec(&[path]), text);
        assert_eq!(found.first().map(String::as_str), expected, "{path} of {text}");
    }
    let present = Spec::builder().ensure_present("a").ensure_present("l[*].x").build().unwrap();
    assert_eq!(failures(&present, r#"{"a": null, "l": []}"#), [""; 0]);
    assert_eq!(failures(&present, r#"{"l": [{}]}"#), ["a is missing", "l[0].x is missing"]);
    assert_eq!(failures(&spec(&["a"]), "no value here"), ["no value could be read"]);
    let error = Spec::builder().ensure("a[").build().unwrap_err();
    assert_eq!(
        error.to_string(),
        "`a[` is not a path at byte 1: write `a.b[0]`, `a[*].b` or `[\"odd key\"]`"
    );
}

/// A list in a type that contains itself may be empty, whatever its items need.
#[test]
fn types_that_contain_themselves_need_no_end_of_items() {
    let text = r##"{"type": "object", "required": ["name"], "properties": {
        "name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#"}}}}"##;
    let schema = Schema::from_json_schema_text(text).unwrap();
    let spec = Spec::builder().schema(schema).build().unwrap();
    let whole = r#"{"name": "a", "children": [{"name": "b", "children": []}]}"#;
    assert_eq!(failures(&spec, whole), [""; 0]);
    let short = r#"{"name": "a", "children": [{"children": []}]}"#;
    assert_eq!(failures(&spec, short), ["children[0].name is missing"]);
}

/// A verdict comes on the byte that closes what falls short, once, wherever chunks end.
#[test]
fn a_verdict_comes_with_the_byte_that_closes_what_falls_short() {
    let item = schema::object().field("sku", schema::str("").required());
    let schema = schema::object()
        .field("title", schema::str("").required())
        .field("items", schema::list(item))
        .field("count", schema::int("").present());
    let spec = Spec::builder().schema(schema).ensure("note").build().unwrap();
    let text = r#"{"title": " ", "items": [{"sku": "a"}, {"sku": null}, {}], "note": []} end"#;
    let expected = [
        // Its quote was the last one if another key follows.
        (text.find("items").unwrap(), "title is blank"),
        (text.find("}, {}").unwrap(), "items[1].sku is null"),
        (text.find("], \"note").unwrap(), "items[2].sku is missing"),
        (text.find("} end").unwrap(), "note is empty"),
        (text.find(" end").unwrap(), "count is missing"),
    ];
    let mut parser = spec.parser();
    let mut emitted = Vec::new();
    for (at, byte) in text.bytes().enumerate() {
        let mut verdict = |event: Event<'_>| {
            if let Event::Verdict(failure) = event {
                emitted.push((at + 1, failure.to_string()));
            }
        };
        parser.feed([byte], &mut verdict).unwrap();
    }
    let emitted: Vec<(usize, &str)> =
        emitted.iter().map(|(at, what)| (*at, what.as_str())).collect();
    // `null` ends at the next byte.
    let expected = expected.map(|(at, what)| (at + usize::from(what.ends_with("null")), what));
    assert_eq!(emitted, expected);
    let answer = parser.finish(|_| {}).unwrap();
    let mut last: Vec<String> = answer.failures().iter().map(ToString::to_string).collect();
    let mut all: Vec<String> = emitted.iter().map(|(_, what)| (*what).to_owned()).collect();
    last.sort();
    all.sort();
    assert_eq!(all, last);
    laws::all(&spec, text.as_bytes()).unwrap();
}

/// Verdicts obey the laws that all events obey.
#[test]
fn verdicts_obey_the_laws() {
    let mut rng = Rng::new(SEED + 2);
    for at in 0..150 {
        let root = Slot { kind: object(&mut rng, 2), need: 0 };
        let text = value(&mut rng, &root).to_string();
        let cut = rng.below(text.len() + 1);
        let text = if rng.once_in(3) && text.is_char_boundary(cut) { &text[..cut] } else { &text };
        let spec =
            Spec::builder().schema(node(&root)).strict_shape(true).ensure("a").ensure("b[*]");
        let found = laws::all(&spec.build().unwrap(), text.as_bytes());
        found.unwrap_or_else(|why| panic!("{at} of seed {SEED}: {why}"));
    }
}

/// For texts that arrive whole, the streamed failures equal those at the end.
#[test]
fn verdicts_are_the_failures_of_the_end() {
    let mut rng = Rng::new(SEED + 1);
    let mut seen = 0;
    for at in 0..6_000 {
        let root = Slot { kind: object(&mut rng, 3), need: 0 };
        let value = value(&mut rng, &root);
        let strict = rng.once_in(2);
        let spec = Spec::builder().schema(node(&root)).strict_shape(strict).without_alignment();
        let spec = spec.roots(patchwire::spec::Roots::First).build().unwrap();
        let text = value.to_string();
        let (mut emitted, mut parser) = (Vec::new(), spec.parser());
        parser
            .feed(&text, |event| {
                if let Event::Verdict(failure) = event {
                    emitted.push(failure.to_string());
                }
            })
            .unwrap();
        let answer = parser.finish(|_| {}).unwrap();
        if !value.is_object() || !answer.value().exists() {
            continue;
        }
        seen += emitted.len();
        let found: BTreeSet<String> = answer.failures().iter().map(ToString::to_string).collect();
        assert_eq!(emitted.len(), emitted.iter().collect::<BTreeSet<_>>().len(), "{emitted:?}");
        let emitted: BTreeSet<String> = emitted.into_iter().collect();
        assert_eq!(emitted, found, "{at} of seed {SEED}: {text}\n{root:?}");
    }
    assert!(seen > 3_000, "{seen}");
}

/// Of several alternatives the one that fits best counts.
#[test]
fn an_alternative_is_chosen_by_what_is_there() {
    let say = schema::object()
        .field("kind", schema::literal("say"))
        .field("text", schema::str("").required());
    let leave = schema::object().field("kind", schema::literal("leave"));
    let event = schema::union([say, leave]);
    let schema = schema::object().field("events", schema::list(event));
    let spec = Spec::builder().schema(schema).strict_shape(true).build().unwrap();
    let text = r#"{"events": [{"kind": "leave"}, {"kind": "say"}, {"kind": "say", "text": "x"}]}"#;
    assert_eq!(failures(&spec, text), ["events[1].text is missing"]);
}

#[test]
fn no_more_failures_are_listed_than_are_read() {
    let item = schema::object().field("sku", schema::str("").required());
    let schema = schema::object().field("items", schema::list(item));
    let spec = Spec::builder().schema(schema).build().unwrap();
    let text = format!("{{\"items\": [{}{{}}]}}", "{},".repeat(50_000));
    let answer = spec.parse(text).unwrap();
    assert_eq!(answer.failures().len(), 64);
    let last = answer.failures().last().unwrap();
    assert_eq!(
        (&last.kind, last.path.to_string()),
        (&FailureKind::Missing, "items[63].sku".into())
    );
}
