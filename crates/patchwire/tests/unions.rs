//! Unions of objects that a member tells apart: no notice for any of the alternatives, wherever the member stands.

use patchwire::schema::{bool, int, list, literal, object, one_of, str, union};
use patchwire::{Answer, Format, Outcome, Schema, Spec, Strictness};

/// Reads a text whole, byte by byte and cut in two at every place.
fn read(spec: &Spec, text: &str) -> Answer {
    let fed = |chunks: &[&[u8]]| {
        let mut parser = spec.parser();
        for chunk in chunks {
            parser.feed(chunk, |_| {}).unwrap();
        }
        parser.finish(|_| {}).unwrap()
    };
    let whole = fed(&[text.as_bytes()]);
    let same = |other: &Answer| {
        assert_eq!(whole.value().to_string(), other.value().to_string(), "{text:?}");
        assert_eq!(whole.notices(), other.notices(), "{text:?}");
        assert_eq!(whole.failures(), other.failures(), "{text:?}");
    };
    same(&fed(&text.as_bytes().chunks(1).collect::<Vec<_>>()));
    for cut in 0..text.len() {
        let (one, other) = text.as_bytes().split_at(cut);
        same(&fed(&[one, other]));
    }
    whole
}

fn codes(answer: &Answer) -> Vec<String> {
    let code = |it: &patchwire::notice::OwnedNotice| format!("{} {}", it.code.name(), it.path);
    answer.notices().iter().map(code).collect()
}

/// A list in an object of one member is taken out only where the object itself is not meant.
#[test]
fn an_object_of_the_type_is_no_wrapper_around_a_list() {
    let own = object().field("a", list(int("")).present());
    let schema = Schema::object().field("x", union([list(int("")), own.into()]));
    let spec = Spec::builder().schema(schema).build().unwrap();
    let answer = read(&spec, r#"{"x": {"a": [1, 2]}}"#);
    assert_eq!(answer.value().to_string(), r#"{"x":{"a":[1,2]}}"#);
    let spec = Spec::builder().schema(Schema::object().field("x", list(int("")))).build().unwrap();
    let answer = read(&spec, r#"{"x": {"a": [1, 2]}}"#);
    assert_eq!(answer.value().to_string(), r#"{"x":[1,2]}"#);
}

/// Two kinds of pets, each with two discriminators and a member that has another type in the other kind.
fn pet() -> patchwire::schema::Node {
    let cat = object()
        .field("kind", literal("cat").present())
        .field("size", one_of(["small", "large"]))
        .field("home", object().field("type", literal("box")).field("n", int("")));
    let dog = object()
        .field("kind", literal("dog").present())
        .field("size", one_of(["tiny", "huge"]))
        .field("home", object().field("type", literal("hut")).field("n", bool("")));
    union([cat, dog])
}

fn schema() -> Schema {
    object().field("name", str("")).field("pets", list(pet())).into()
}

const PETS: &str = r#"[{"kind": "dog", "size": "huge", "home": {"n": true, "type": "hut"}}, {"size": "small", "home": {"type": "box", "n": 1}, "kind": "cat"}]"#;

#[test]
fn every_alternative_is_complete_in_all_formats() {
    let yaml = "<<<BEGIN ANSWER_YAML>>>\nname: |-\n  x\npets:\n  - kind: dog\n    size: huge\n    home:\n      n: true\n      type: hut\n  - size: small\n    home:\n      type: box\n      n: 1\n    kind: cat\n<<<END ANSWER_YAML>>>\n";
    let texts = [
        (Format::Json, format!(r#"{{"name": "x", "pets": {PETS}}}"#)),
        (
            Format::XmlField,
            format!(
                "<answer_fields>\n<field name=\"name\" type=\"text\">\nx\n</field>\n<field name=\"pets\" type=\"json\">\n{PETS}\n</field>\n</answer_fields>"
            ),
        ),
        (Format::Hybrid, format!("### name\nx\n\n### pets\n```json\n{PETS}\n```\n")),
        (Format::Markdown, format!("### name\nx\n\n### pets\n{PETS}\n")),
        (Format::YamlLiteral, yaml.to_owned()),
    ];
    for (format, text) in texts {
        let spec = Spec::builder().format(format).schema(schema()).strict_shape(true);
        let answer = read(&spec.build().unwrap(), &text);
        assert_eq!(codes(&answer), [""; 0], "{text}");
        assert_eq!(answer.outcome(), Outcome::Complete, "{text}");
        assert!(answer.failures().is_empty(), "{text}: {:?}", answer.failures());
        assert_eq!(answer.value().at("pets[0].kind").unwrap().as_str(), Some("dog"));
    }
}

#[test]
fn strict_reading_has_no_notice_either() {
    let spec = Spec::builder().schema(schema()).strictness(Strictness::Strict).build().unwrap();
    let answer = read(&spec, &format!(r#"{{"name": "x", "pets": {PETS}}}"#));
    assert_eq!((codes(&answer).len(), answer.outcome()), (0, Outcome::Complete));
}

#[test]
fn what_no_alternative_has_is_still_noted() {
    let spec = Spec::builder().schema(schema()).build().unwrap();
    let read = |pets: &str| read(&spec, &format!(r#"{{"name": "x", "pets": [{pets}]}}"#));
    let cow = read(r#"{"kind": "cow"}"#);
    assert_eq!(codes(&cow), ["enum_mismatch pets[0].kind"]);
    let spelt = read(r#"{"kind": "Dog", "size": "HUGE"}"#);
    assert_eq!(codes(&spelt), ["enum_spelling pets[0].kind", "enum_spelling pets[0].size"]);
    assert_eq!(spelt.value().at("pets[0]").unwrap().to_string(), r#"{"kind":"dog","size":"huge"}"#);
}

/// Alternatives that contain each other have finitely many joined types.
#[test]
fn unions_of_lists_and_of_types_that_contain_themselves() {
    let json = r##"{"$defs": {
        "a": {"type": "object", "properties": {"t": {"const": "a"}, "next": {"$ref": "#/$defs/any"}}},
        "b": {"type": "object", "properties": {"t": {"const": "b"}, "next": {"$ref": "#/$defs/b"}}},
        "any": {"anyOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/b"},
            {"type": "array", "items": {"$ref": "#/$defs/a"}}, {"type": "array", "items": {"$ref": "#/$defs/b"}}]}
    }, "$ref": "#/$defs/any"}"##;
    let schema = Schema::from_json_schema_text(json).unwrap();
    let spec = Spec::builder().schema(schema).build().unwrap();
    let text = r#"{"t": "b", "next": {"t": "b", "next": {"t": "b"}}}"#;
    assert_eq!(codes(&read(&spec, text)), [""; 0]);
    assert_eq!(codes(&read(&spec, r#"[{"t": "b"}]"#)), [""; 0]);
}

/// The types of a union are found once. A reference with a description of its own is another place that has it.
#[test]
fn a_union_in_two_places_is_the_same_in_both() {
    let schema = r##"{
        "type": "object",
        "properties": {
            "one": {"$ref": "#/$defs/pet", "description": "the first"},
            "two": {"$ref": "#/$defs/pet", "description": "the second"}
        },
        "$defs": {
            "fish": {"type": "object", "properties": {"kind": {"const": "fish"}}, "required": ["kind"]},
            "dog": {
                "type": "object",
                "properties": {"kind": {"const": "dog"}, "age": {"type": "integer"}},
                "required": ["kind"]
            },
            "cat": {
                "type": "object",
                "properties": {"kind": {"const": "cat"}, "age": {"type": "string"}},
                "required": ["kind"]
            },
            "fur": {"anyOf": [{"$ref": "#/$defs/dog"}, {"$ref": "#/$defs/cat"}]},
            "pet": {"anyOf": [{"$ref": "#/$defs/fur"}, {"$ref": "#/$defs/fish"}]}
        }
    }"##;
    let spec = Spec::builder().schema(Schema::from_text(schema).unwrap()).build().unwrap();
    for place in ["one", "two"] {
        let text = format!(r#"{{"{place}": {{"kind": "dog", "age": "3"}}}}"#);
        let answer = read(&spec, &text);
        assert_eq!(
            answer.value().to_string(),
            text.replace("\"3\"", "3").replace(": ", ":").replace(", ", ",")
        );
        assert_eq!(codes(&answer), [format!("text_as_value {place}.age")]);
    }
}
