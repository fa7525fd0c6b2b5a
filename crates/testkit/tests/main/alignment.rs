//! Values written as another type than the schema wants: what they become, that nothing is lost on the
//! way, that each is named, and that what fits is never touched.

use std::collections::BTreeSet;

use patchwire::schema::{self, Node, bool, int, list, map, number, object, one_of, str, union};
use patchwire::{Answer, Code, Leniency, Schema, Spec};
use serde_json::{Value, json};
use testkit::event_log::{run_cut, run_whole};
use testkit::generate::Rng;

const SEED: u64 = 20_261_122;
const CODES: [Code; 5] =
    [Code::TextAsValue, Code::ValueAsText, Code::LoneItem, Code::Unwrapped, Code::EnumSpelling];

fn spec(schema: impl Into<Schema>) -> Spec {
    Spec::builder().schema(schema).build().unwrap()
}

fn json_of(answer: &Answer) -> Value {
    serde_json::from_str(&answer.value().to_string()).unwrap()
}

/// The codes of what was aligned, and where.
fn aligned(answer: &Answer) -> BTreeSet<(&'static str, String)> {
    let notices = answer.notices().iter().filter(|notice| CODES.contains(&notice.code));
    notices.map(|notice| (notice.code.name(), notice.path.clone())).collect()
}

#[test]
fn values_become_what_the_schema_wants() {
    let order = || object().field("sku", str("").present()).field("n", int(""));
    let cases: Vec<(Schema, &str, &str, &[&str])> = vec![
        (object().field("n", int("")).into(), r#"{"n": "3"}"#, r#"{"n":3}"#, &["text_as_value"]),
        (
            object().field("n", int("")).into(),
            r#"{"n": " -3.0 "}"#,
            r#"{"n":-3.0}"#,
            &["text_as_value"],
        ),
        (object().field("n", int("")).into(), r#"{"n": "3.7"}"#, r#"{"n":"3.7"}"#, &[]),
        (object().field("n", int("")).into(), r#"{"n": 3.7}"#, r#"{"n":3.7}"#, &[]),
        (object().field("n", int("")).into(), r#"{"n": "3 apples"}"#, r#"{"n":"3 apples"}"#, &[]),
        (object().field("n", int("")).into(), r#"{"n": "007"}"#, r#"{"n":"007"}"#, &[]),
        (object().field("n", int("")).into(), r#"{"n": ""}"#, r#"{"n":""}"#, &[]),
        (
            object().field("n", number("")).into(),
            r#"{"n": "1e400"}"#,
            r#"{"n":1e400}"#,
            &["text_as_value"],
        ),
        (
            object().field("b", bool("")).into(),
            r#"{"b": "True"}"#,
            r#"{"b":true}"#,
            &["text_as_value"],
        ),
        (object().field("b", bool("")).into(), r#"{"b": "yes"}"#, r#"{"b":"yes"}"#, &[]),
        (object().field("b", bool("")).into(), r#"{"b": 1}"#, r#"{"b":1}"#, &[]),
        (
            object().field("n", int("").nullable()).into(),
            r#"{"n": "None"}"#,
            r#"{"n":"None"}"#,
            &[],
        ),
        (
            object().field("n", int("").nullable()).into(),
            r#"{"n": "NULL"}"#,
            r#"{"n":null}"#,
            &["text_as_value"],
        ),
        (
            object().field("s", str("")).into(),
            r#"{"s": 1.10}"#,
            r#"{"s":"1.10"}"#,
            &["value_as_text"],
        ),
        (
            object().field("s", str("")).into(),
            r#"{"s": true}"#,
            r#"{"s":"true"}"#,
            &["value_as_text"],
        ),
        (object().field("s", str("")).into(), r#"{"s": null}"#, r#"{"s":null}"#, &[]),
        (
            object().field("l", list(str(""))).into(),
            r#"{"l": "x"}"#,
            r#"{"l":["x"]}"#,
            &["lone_item"],
        ),
        (
            object().field("l", list(int(""))).into(),
            r#"{"l": "3"}"#,
            r#"{"l":[3]}"#,
            &["lone_item", "text_as_value"],
        ),
        (
            object().field("l", list(int(""))).into(),
            r#"{"l": "[1, 2]"}"#,
            r#"{"l":[1,2]}"#,
            &["text_as_value"],
        ),
        (object().field("l", list(int(""))).into(), r#"{"l": null}"#, r#"{"l":null}"#, &[]),
        (
            object().field("l", list(order())).into(),
            r#"{"l": {"sku": 7}}"#,
            r#"{"l":[{"sku":"7"}]}"#,
            &["lone_item", "value_as_text"],
        ),
        (
            object().field("o", order()).into(),
            r#"{"o": "{\"sku\": \"a\"}"}"#,
            r#"{"o":{"sku":"a"}}"#,
            &["text_as_value"],
        ),
        (
            object().field("e", one_of(["low", "high"])).into(),
            r#"{"e": "\"Low\""}"#,
            r#"{"e":"low"}"#,
            &["enum_spelling"],
        ),
        (
            object().field("e", one_of(["low", "high"])).into(),
            r#"{"e": "lowish"}"#,
            r#"{"e":"lowish"}"#,
            &[],
        ),
        (
            object().field("e", one_of(1..=3)).into(),
            r#"{"e": "2"}"#,
            r#"{"e":2}"#,
            &["enum_spelling"],
        ),
        // A value that could become two values becomes neither.
        (
            object().field("u", union([int(""), list(int(""))])).into(),
            r#"{"u": "3"}"#,
            r#"{"u":"3"}"#,
            &[],
        ),
        (
            order().into(),
            r#"{"order": {"sku": "a", "n": "2"}}"#,
            r#"{"sku":"a","n":2}"#,
            &["text_as_value", "unwrapped"],
        ),
        (order().into(), r#"{"order": {"n": 2}}"#, r#"{"order":{"n":2}}"#, &[]),
        (order().into(), r#"{"sku": {"sku": "a"}}"#, r#"{"sku":{"sku":"a"}}"#, &[]),
        (order().into(), r#"{"a": {"sku": "a"}, "b": 1}"#, r#"{"a":{"sku":"a"},"b":1}"#, &[]),
        (
            list(int("")).into(),
            r#"{"items": [1, "2"]}"#,
            r#"[1,2]"#,
            &["text_as_value", "unwrapped"],
        ),
        (map(int("")).into(), r#"{"items": {"a": "2"}}"#, r#"{"items":{"a":"2"}}"#, &[]),
    ];
    for (schema, text, wanted, codes) in cases {
        let spec = spec(schema);
        let answer = spec.parse(text).unwrap();
        assert_eq!(answer.value().to_string(), wanted, "{text}");
        let found: BTreeSet<&str> = aligned(&answer).iter().map(|(code, _)| *code).collect();
        assert_eq!(found, codes.iter().copied().collect(), "{text}: {:?}", answer.notices());
        // The result is a fixed point, except that a wrapper is gone.
        let again = spec.parse(answer.value().to_string()).unwrap();
        assert_eq!(again.value().to_string(), wanted, "{text}, twice");
        assert!(aligned(&again).is_empty(), "{text}, twice");
        let whole = run_whole(&spec, text.as_bytes());
        for cut in 0..=text.len() {
            let run = run_cut(&spec, text.as_bytes(), &testkit::cuts::Cuts::at([cut]));
            assert_eq!(whole.difference(&run), None, "{text} at {cut}");
        }
    }
}

#[test]
fn each_kind_of_alignment_can_be_switched_off() {
    let schema = || {
        object()
            .field("n", int(""))
            .field("s", str(""))
            .field("l", list(str("")))
            .field("e", one_of(["low", "high"]))
    };
    let text = r#"{"n": "3", "s": 3, "l": "x", "e": "'low'"}"#;
    let whole = json!({"n": 3, "s": "3", "l": ["x"], "e": "low"});
    assert_eq!(json_of(&spec(schema()).parse(text).unwrap()), whole);
    for (slip, name, stays) in [
        (Leniency::TextValues, "n", json!("3")),
        (Leniency::ValueTexts, "s", json!(3)),
        (Leniency::LoneItems, "l", json!("x")),
    ] {
        let spec = Spec::builder().schema(schema()).forbid(slip).build().unwrap();
        assert_eq!(json_of(&spec.parse(text).unwrap())[name], stays, "{}", slip.name());
    }
    let spec = Spec::builder().schema(schema()).forbid(Leniency::Wrappers).build().unwrap();
    let wrapped = r#"{"answer": {"n": 3}}"#;
    assert_eq!(spec.parse(wrapped).unwrap().value().to_string(), r#"{"answer":{"n":3}}"#);
    let spec = Spec::builder().schema(schema()).without_alignment().build().unwrap();
    assert_eq!(json_of(&spec.parse(text).unwrap()), serde_json::from_str::<Value>(text).unwrap());
}

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

fn node(rng: &mut Rng, depth: usize) -> Node {
    match rng.below(if depth == 0 { 6 } else { 10 }) {
        0 | 1 => str(""),
        2 => int(""),
        3 => number("").nullable(),
        4 => bool(""),
        5 => one_of(["low", "in progress", "high"]),
        6 => list(node(rng, depth - 1)),
        7 => map(node(rng, depth - 1)),
        8 => union([node(rng, depth - 1), schema::null()]),
        _ => members(rng, depth - 1).into(),
    }
}

fn members(rng: &mut Rng, depth: usize) -> schema::ObjectNode {
    let count = 1 + rng.below(NAMES.len());
    NAMES[..count].iter().fold(object(), |object, name| object.field(name, node(rng, depth)))
}

/// Any value; often one that almost fits something.
fn value(rng: &mut Rng, depth: usize) -> Value {
    match rng.below(if depth == 0 { 9 } else { 13 }) {
        0 => json!("text"),
        1 => json!(["3", "-1.50", "1e3", " 7 ", "0x1"][rng.below(5)]),
        2 => json!(["true", "False", "null", "\"low\"", "In-Progress"][rng.below(5)]),
        3 => json!(rng.below(100)),
        4 => json!(2.5),
        5 => json!(rng.once_in(2)),
        6 => Value::Null,
        7 => json!(["[1, \"2\"]", "{\"a\": 1}", "[", "{}"][rng.below(4)]),
        8 => json!(""),
        9 | 10 => (0..rng.below(3)).map(|_| value(rng, depth - 1)).collect(),
        _ => {
            let count = rng.below(NAMES.len());
            let members =
                NAMES[..count].iter().map(|name| ((*name).to_owned(), value(rng, depth - 1)));
            members.collect::<serde_json::Map<_, _>>().into()
        }
    }
}

/// All scalars, as text without quotes, in order, through text that is JSON itself.
fn words(value: &Value, out: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| words(item, out)),
        Value::Object(members) => members.iter().for_each(|(key, value)| {
            out.push(format!("{key}:"));
            words(value, out);
        }),
        Value::String(text) => match serde_json::from_str::<Value>(text) {
            Ok(inner) => words(&inner, out),
            Err(_) => out.push(bare(text)),
        },
        scalar => out.push(bare(&scalar.to_string())),
    }
}

fn bare(text: &str) -> String {
    let text = text.trim().trim_matches('"').to_lowercase();
    text.replace([' ', '-', '_'], "_")
}

/// Nothing is lost, whatever the schema: the same scalars are there in the same order, what is not
/// named in a notice is as it was, and what the schema fits is never touched.
#[test]
fn nothing_is_lost_and_every_change_is_named() {
    let mut rng = Rng::new(SEED);
    let (mut changed, mut untouched) = (0, 0);
    for at in 0..30_000 {
        let schema = Schema::from(members(&mut rng, 3));
        let count = 1 + rng.below(NAMES.len());
        let mut member = |name: &&str| ((*name).to_owned(), value(&mut rng, 2));
        let members: serde_json::Map<_, _> = NAMES[..count].iter().map(&mut member).collect();
        let value = Value::from(members);
        let text = value.to_string();
        let name = format!("{at} of seed {SEED}: {text}\n{schema:?}");
        let answer = spec(schema.clone()).parse(&text).unwrap();
        if !answer.value().exists() {
            continue;
        }
        let (mut before, mut after) = (Vec::new(), Vec::new());
        let now = json_of(&answer);
        words(&value, &mut before);
        words(&now, &mut after);
        let unwrapped = aligned(&answer).iter().any(|(code, _)| *code == "unwrapped");
        if unwrapped {
            before.remove(0);
        }
        before.sort();
        after.sort();
        assert_eq!(before, after, "{now}\n{name}");
        let noticed = !aligned(&answer).is_empty();
        assert_eq!(noticed, now != value, "{now}\n{name}");
        changed += usize::from(noticed);

        // Values that fit exactly are not changed.
        let exact = Spec::builder().schema(schema).strict_shape(true).without_alignment();
        let exact = exact.build().unwrap().parse(&text).unwrap();
        if exact.failures().is_empty() {
            let spelled = aligned(&answer).iter().all(|(code, _)| *code == "enum_spelling");
            assert!(spelled, "{name}");
            untouched += 1;
        }
    }
    assert!(changed > 3_000 && untouched > 500, "{changed} and {untouched}");
}
