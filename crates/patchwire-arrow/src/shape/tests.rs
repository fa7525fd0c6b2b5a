use arrow_schema::DataType;
use patchwire::Schema;

use super::{DEEPEST, JSON_KEY, MOST, Shape};

/// The type as Rust's Arrow prints it, with `json` for JSON text.
fn shown(shape: &Shape) -> String {
    match shape {
        Shape::Bool => "bool".to_owned(),
        Shape::Integer => "integer".to_owned(),
        Shape::Float => "float".to_owned(),
        Shape::Text => "text".to_owned(),
        Shape::Json => "json".to_owned(),
        Shape::List(item) => format!("[{}]", shown(item)),
        Shape::Struct(members) => {
            let members = members.fields.iter().zip(&members.shapes);
            let members: Vec<String> = members
                .map(|(field, shape)| format!("{}: {}", field.name(), shown(shape)))
                .collect();
            format!("{{{}}}", members.join(", "))
        }
    }
}

fn of(schema: &str) -> String {
    shown(&Shape::of(Some(&Schema::from_text(schema).expect("it is a schema"))))
}

#[test]
fn types_of_a_schema() {
    for (schema, shape) in [
        (r#"{"type": "string"}"#, "text"),
        (r#"{"type": "integer"}"#, "integer"),
        (r#"{"type": "number"}"#, "float"),
        (r#"{"type": "boolean"}"#, "bool"),
        (r#"{"type": ["string", "null"]}"#, "text"),
        (r#"{"type": ["integer", "number", "null"]}"#, "float"),
        (
            r#"{"anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}]}"#,
            "[integer]",
        ),
        (r#"{"enum": ["a", "b"]}"#, "text"),
        (r#"{"enum": ["a", null]}"#, "text"),
        (r#"{"enum": [1, 2]}"#, "integer"),
        (r#"{"enum": [1, 2.5, null]}"#, "float"),
        (r#"{"const": true}"#, "bool"),
        (
            r#"{"type": "array", "items": {"type": "array", "items": {"type": "string"}}}"#,
            "[[text]]",
        ),
        (
            r#"{"type": "object", "properties": {"b": {"type": "integer"}, "a": {"type": "string"}}}"#,
            "{b: integer, a: text}",
        ),
        // What has no single type.
        (r#"{"type": "null"}"#, "json"),
        (r#"{"type": ["string", "integer"]}"#, "json"),
        (r#"{"enum": ["a", 1]}"#, "json"),
        (r#"{"type": "object"}"#, "json"),
        (r#"{"type": "object", "additionalProperties": {"type": "integer"}}"#, "json"),
        (r#"{"type": "array"}"#, "[json]"),
        (r#"{"type": "object", "properties": {"any": {}}}"#, "{any: json}"),
        (
            r#"{"title": "str", "rows": [{"sku": "str", "count": "int"}]}"#,
            "{title: text, rows: [{sku: text, count: integer}]}",
        ),
    ] {
        assert_eq!(of(schema), shape, "{schema}");
    }
    assert_eq!(shown(&Shape::of(None)), "json");
}

#[test]
fn a_recursive_type_is_json_where_it_meets_itself() {
    let tree = r##"{"type": "object", "properties": {"name": {"type": "string"}, "below": {"type": "array", "items": {"$ref": "#"}}}}"##;
    assert_eq!(of(tree), "{name: text, below: [json]}");
    let apart = r##"{"$defs": {"node": {"type": "object", "properties": {"next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}}}},
        "type": "object", "properties": {"head": {"$ref": "#/$defs/node"}, "tail": {"$ref": "#/$defs/node"}}}"##;
    assert_eq!(of(apart), "{head: {next: json}, tail: {next: json}}");
}

/// Ten levels, each of which has two members of the level below.
#[test]
fn shared_types_do_not_multiply_without_end() {
    let level = |at: u32| {
        format!(
            r##""d{at}": {{"type": "object", "properties": {{"a": {{"$ref": "#/$defs/d{0}"}}, "b": {{"$ref": "#/$defs/d{0}"}}}}}}"##,
            at + 1
        )
    };
    let levels: Vec<String> = (0..20).map(level).collect();
    let schema = format!(
        r##"{{"$ref": "#/$defs/d0", "$defs": {{{}, "d20": {{"type": "string"}}}}}}"##,
        levels.join(", ")
    );
    assert!(of(&schema).len() < 100_000);
    let mut deep = r#"{"type": "string"}"#.to_owned();
    for _ in 0..60 {
        deep = format!(r#"{{"type": "array", "items": {deep}}}"#);
    }
    let shape = of(&deep);
    assert!(shape.contains("[json]") && shape.len() < 80, "{shape}");
}

#[test]
fn json_text_is_marked() {
    let shape = Shape::of(Some(
        &Schema::from_text(
            r#"{"type": "object", "properties": {"any": {}, "text": {"type": "string"}}}"#,
        )
        .expect("it is a schema"),
    ));
    let DataType::Struct(fields) = shape.data_type() else { panic!("it is a struct") };
    assert_eq!(fields[0].metadata().get(JSON_KEY).map(String::as_str), Some("json"));
    assert!(fields[1].metadata().is_empty() && fields[0].is_nullable());
}

/// How many lists may lie around a type until its text is JSON.
fn most_lists(inner: &str) -> usize {
    let node = r##""$defs": {"node": {"type": "object", "properties": {"name": {"type": "string"}, "next": {"anyOf": [{"$ref": "#/$defs/node"}, {"type": "null"}]}}}}"##;
    let has_text = |lists: &usize| {
        let (open, close) = (r#"{"type": "array", "items": "#.repeat(*lists), "}".repeat(*lists));
        let schema = format!("{open}{inner}{close}");
        of(&format!("{{{node}, {}", &schema[1..])).contains("text")
    };
    (0..60).take_while(has_text).last().expect("without lists there is a text")
}

#[test]
fn each_step_is_a_level() {
    assert_eq!(most_lists(r#"{"type": "string"}"#), DEEPEST);
    assert_eq!(
        most_lists(r#"{"type": "object", "properties": {"a": {"type": "string"}}}"#),
        DEEPEST - 1
    );
    let or_null =
        r#"{"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "null"}]}"#;
    assert_eq!(most_lists(or_null), DEEPEST - 2);
    assert_eq!(most_lists(r##"{"$ref": "#/$defs/node"}"##), DEEPEST - 2);
}

#[test]
fn types_beyond_their_most_are_json() {
    let members: Vec<String> =
        (0..MOST + 5).map(|at| format!(r#""k{at}": {{"type": "string"}}"#)).collect();
    let shape = of(&format!(r#"{{"type": "object", "properties": {{{}}}}}"#, members.join(", ")));
    // The object is one of them.
    assert_eq!(shape.matches("text").count(), MOST - 1);
    assert_eq!(shape.matches("json").count(), 6);
}
