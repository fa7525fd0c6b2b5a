//! The validator's verdicts, and what it refuses.

use super::{SchemaText, TOO_DEEP};
use crate::document::sample::document;

fn judged(schema: &str, value: &str) -> Vec<String> {
    let (text, _) = SchemaText::read(document(schema).value());
    text.compile().unwrap_or_else(|error| panic!("{schema}: {error}"));
    let found = text.judge(document(value).value(), 64);
    found.iter().map(|it| format!("{} {} {:?}", it.path, it.keyword, it.fault)).collect()
}

fn left_out(schema: &str) -> Vec<String> {
    let (_, unchecked) = SchemaText::read(document(schema).value());
    unchecked.iter().map(|it| format!("{} {}", it.path, it.keyword)).collect()
}

#[test]
fn patterns_of_names_are_checked_if_they_can_be_run() {
    let schema = r#"{"patternProperties": {"^a": {"type": "null"}, "(?<!x)b": false}}"#;
    assert_eq!(judged(schema, r#"{"ab": 1, "b": 2}"#), [r#"ab type WrongType { wanted: "null" }"#]);
    assert_eq!(left_out(schema), ["/patternProperties (?<!x)b"]);
}

#[test]
fn what_is_wrong_and_where() {
    for (schema, value, wanted) in [
        (r#"{"minimum": 3}"#, "2", r#" minimum Invalid { wanted: "be at least 3" }"#),
        (
            r#"{"items": {"maxLength": 1}}"#,
            r#"["a", "bc"]"#,
            r#"[1] maxLength Invalid { wanted: "have at most 1 character" }"#,
        ),
        (r#"{"required": ["a/b"]}"#, "{}", r#"["a/b"] required Missing"#),
        (r#"{"additionalProperties": false}"#, r#"{"x": 1}"#, "x additionalProperties Undeclared"),
        (
            r#"{"properties": {"a": {"type": ["string", "null"]}}}"#,
            r#"{"a": 1}"#,
            r#"a type WrongType { wanted: "null or a string" }"#,
        ),
        (
            r#"{"const": {"a": [1]}}"#,
            r#"{"a": []}"#,
            r#" const WrongType { wanted: "{\"a\":[1]}" }"#,
        ),
        (
            r#"{"uniqueItems": true}"#,
            "[1, 1.0]",
            r#" uniqueItems Invalid { wanted: "have no item twice" }"#,
        ),
        (
            r#"{"oneOf": [{"minimum": 1}, {"maximum": 5}]}"#,
            "3",
            r#" oneOf Invalid { wanted: "fit only one of the alternatives" }"#,
        ),
        (
            r#"{"anyOf": [{"type": "string"}, {"const": 1}]}"#,
            "2",
            r#" anyOf WrongType { wanted: "a string or 1" }"#,
        ),
        (
            r#"{"format": "date"}"#,
            r#""2020-13-01""#,
            r#" format Invalid { wanted: "be a valid date" }"#,
        ),
    ] {
        assert_eq!(judged(schema, value), [wanted], "{schema} {value}");
    }
}

/// The alternative whose constants are right is the one whose errors are reported.
#[test]
fn errors_are_those_of_the_alternative_that_was_meant() {
    let schema = r#"{"anyOf": [
        {"type": "object", "properties": {"kind": {"const": "cat"}, "n": {"type": "integer"}}, "required": ["kind"]},
        {"type": "object", "properties": {"kind": {"const": "dog"}, "b": {"type": "string"}, "c": {"type": "string"}},
         "required": ["kind", "b", "c"]}]}"#;
    let found = judged(schema, r#"{"kind": "dog"}"#);
    assert_eq!(found, ["b required Missing", "c required Missing"]);
}

#[test]
fn references_inside_the_text() {
    let by_id = r##"{"$id": "https://x.test/root", "items": {"$ref": "leaf"},
        "$defs": {"l": {"$id": "leaf", "$ref": "#/$defs/in", "$defs": {"in": {"type": "string"}}}}}"##;
    assert_eq!(judged(by_id, "[1]"), [r#"[0] type WrongType { wanted: "a string" }"#]);
    assert_eq!(left_out(by_id), [""; 0]);
    let by_anchor =
        r##"{"items": {"$ref": "#leaf"}, "$defs": {"l": {"$anchor": "leaf", "type": "string"}}}"##;
    assert_eq!(judged(by_anchor, "[1]").len(), 1);
    let meta = r#"{"$ref": "https://json-schema.org/draft/2020-12/schema"}"#;
    assert_eq!(judged(meta, r#"{"minLength": -1}"#).len(), 1);
}

#[test]
fn what_cannot_be_checked_is_left_out_and_listed() {
    for (schema, listed, value) in [
        (r#"{"$ref": "https://x.test/other.json"}"#, vec![" $ref"], "1"),
        (r#"{"items": {"$ref": "other.json#/a"}}"#, vec!["/items $ref"], "[1]"),
        (r#"{"pattern": "a(?=b)"}"#, vec![" pattern"], r#""x""#),
        (r#"{"pattern": "(a)\\1"}"#, vec![" pattern"], r#""x""#),
        (r#"{"anyOf": [{"pattern": "(a)\\1"}, true]}"#, vec!["/anyOf/0 pattern"], r#""x""#),
        (r#"{"allOf": [true, {"format": "unheard-of"}]}"#, vec!["/allOf/1 format"], r#""x""#),
        (
            r#"{"patternProperties": {"(?<!a)b": false}}"#,
            vec!["/patternProperties (?<!a)b"],
            r#"{"b": 1}"#,
        ),
        (r#"{"format": "unheard-of"}"#, vec![" format"], r#""x""#),
        (r#"{"properties": {"a": {"shape": 1}}}"#, vec!["/properties/a shape"], "{}"),
        (
            r#"{"$id": "https://x.test/a", "items": {"$ref": "none"}, "$defs": {"b": {"$id": "b"}}}"#,
            vec!["/items $ref"],
            "[1]",
        ),
        (r#"{"properties": {"a": {"required": true}}}"#, vec!["/properties/a required"], "{}"),
        (r#"{"$schema": "https://x.test/own"}"#, vec![" $schema"], "{}"),
    ] {
        assert_eq!(left_out(schema), listed, "{schema}");
        assert!(judged(schema, value).is_empty(), "{schema}");
    }
}

#[test]
fn older_drafts_and_openapi() {
    assert_eq!(
        judged(r#"{"items": [{"type": "string"}], "additionalItems": false}"#, r#"["a", 1]"#).len(),
        1
    );
    assert_eq!(judged(r#"{"minimum": 1, "exclusiveMinimum": true}"#, "1").len(), 1);
    let nullable = r#"{"type": "string", "enum": ["a"], "nullable": true}"#;
    assert!(judged(nullable, "null").is_empty());
    assert_eq!(judged(nullable, r#""b""#).len(), 1);
}

#[test]
fn depth_is_bounded_on_a_small_stack() {
    let nested = |open: &str, close: &str, count: usize| {
        format!("{}{{}}{}", open.repeat(count), close.repeat(count))
    };
    let test = move || {
        for (count, compiles) in [(255, Ok(())), (256, Ok(())), (257, Err(TOO_DEEP))] {
            let deep = nested(r#"{"not":"#, "}", count);
            let (text, _) = SchemaText::read(document(&deep).value());
            assert_eq!(text.compile(), compiles, "{count}");
            text.judge(document("1").value(), 64);
        }
        let deeper = nested(r#"{"not":"#, "}", 100_000);
        let (text, _) = SchemaText::read(document(&deeper).value());
        assert_eq!(text.compile(), Err(TOO_DEEP));

        let list = r##"{"items": {"$ref": "#"}, "maxItems": 1}"##;
        assert!(judged(list, &nested("[", "]", 256)).is_empty());
        assert_eq!(judged(list, &nested("[", "]", 257)), [r#"  TooDeep"#]);
        assert_eq!(judged(list, &nested("[", "]", 300)), [r#"  TooDeep"#]);
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(test).expect("a thread");
    thread.join().expect("no overflow");
}

#[test]
fn long_chains_of_references_are_refused() {
    let chain = |count: usize, keyword: &str| {
        let link = |at: usize| format!(r##""d{at}": {{"{keyword}": "#/$defs/d{}"}}"##, at + 1);
        let links: Vec<String> = (0..count).map(link).collect();
        let links = links.join(",");
        format!(r##"{{"$defs": {{{links}, "d{count}": {{}}}}, "{keyword}": "#/$defs/d0"}}"##)
    };
    let compiled = |schema: &str| {
        let (text, _) = SchemaText::read(document(schema).value());
        text.compile().map_err(str::to_owned)
    };
    for keyword in ["$ref", "$dynamicRef"] {
        assert_eq!(compiled(&chain(400, keyword)), Ok(()));
        assert_eq!(compiled(&chain(511, keyword)), Ok(()));
        for count in [512, 600, 20_000] {
            let refused = compiled(&chain(count, keyword));
            assert_eq!(refused, Err(TOO_DEEP.to_owned()), "{count} {keyword}");
        }
    }
    let root = r##"{"$schema": "https://json-schema.org/draft/2019-09/schema",
        "items": {"$recursiveRef": "#"}, "maxItems": 1}"##;
    assert_eq!(judged(root, "[[1, 2]]").len(), 1);
    // Schemas that apply each other to one value without end.
    let cycle = r##"{"$defs": {"a": {"allOf": [{"$ref": "#/$defs/b"}]}, "b": {"anyOf": [{"$ref": "#/$defs/a"}]}}, "$ref": "#/$defs/a"}"##;
    judged(cycle, "1");
}

/// A schema that applies itself twice to each item takes twice as long with each level, by whatever keywords it does.
#[test]
fn schemas_that_multiply_are_refused() {
    let nested = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
    for twice in [
        r##""allOf": [{"$ref": "#"}, {"$ref": "#"}]"##,
        r##""if": {"$ref": "#"}, "then": {"$ref": "#"}"##,
        r##""not": {"$ref": "#"}, "else": {"$ref": "#"}"##,
    ] {
        let schema = format!("{{\"items\": {{{twice}}}}}");
        assert_eq!(judged(&schema, &nested(60)), ["  TooDeep"], "{schema}");
    }
}
