//! Schemas, however they are written.

use crate::run::{Scratch, patchwire};

/// The same schema in both forms and both languages.
const SAME: [(&str, &str); 4] = [
    (
        "a.json",
        r#"{"type": "object", "properties": {"n": {"type": "string"}, "m": {"type": "integer"}}}"#,
    ),
    ("a.yaml", "type: object\nproperties:\n  n: {type: string}\n  m: {type: integer}\n"),
    ("b.json", r#"{"n": ["str", "a name", true], "m": "int"}"#),
    ("b.yaml", "n:\n  $type: str\n  $desc: a name\n  $ensure: true\nm: int\n"),
];
/// A header that no schema asks for, and a field that is an int by its schema alone.
const TEXT: &str = "### n\nx\n### other\ny\n### m\n7\n";

#[test]
fn both_forms_are_distinct() {
    for (name, text) in SAME {
        let schema = Scratch::new(name, text);
        let run = patchwire(&["final", "--format", "hybrid", "--schema", schema.path()], TEXT);
        assert_eq!(run.ok(), "{\"n\":\"x\\n### other\\ny\",\"m\":7}\n", "{name}");
    }
}

#[test]
fn which_it_is_can_be_said() {
    let schema = Scratch::new("c.json", r#"{"type": "string", "title": "string"}"#);
    let text = "### title\na\n### type\nb\n";
    let run = |form| {
        let shared = ["final", "--format", "markdown", "--schema", schema.path()];
        let args: Vec<&str> = shared.into_iter().chain(["--schema-form", form]).collect();
        patchwire(&args, text)
    };
    for form in ["output_dsl", "output-dsl"] {
        assert_eq!(run(form).ok(), "{\"type\":\"b\",\"title\":\"a\"}\n");
    }
    for form in ["json_schema", "json-schema", "auto"] {
        assert_ne!(run(form).out, run("output_dsl").out, "{form}");
    }
    assert_eq!(patchwire(&["final", "--schema-form", "auto"], text).status, Some(2));
}

#[test]
fn the_text_of_a_schema_is_no_name_of_a_file() {
    let run = patchwire(&["final", "--schema", r#"{"a": "str"}"#], "{}");
    let (status, _, err) = run.failed();
    assert_eq!(status, Some(2));
    assert!(err.contains(r#"a schema is the name of a file; put {"a": "str"} into one"#), "{err}");
}

#[test]
fn a_flaw_says_what_to_do_and_where() {
    for (text, emitted) in [
        (r#"{"a": ["str", 1]}"#, "one prototype"),
        (r#"{"a": {"b": "strr"}}"#, "at `#/a/b` of the schema"),
        (r#"{"a": ["str", "d", "maybe"]}"#, "at `#/a/2` of the schema"),
        (r#"{"a": {"$desc": "d"}}"#, "without `$type`"),
        ("{\"a\": ", "as JSON"),
        ("a: [str\nb: 1", "as YAML (line 2"),
        ("a: &x str\nb: *x", "alias"),
    ] {
        let schema = Scratch::new("flaw", text);
        let run = patchwire(&["final", "--schema", schema.path()], "{}");
        let (status, out, err) = run.failed();
        assert_eq!((status, out), (Some(2), ""), "{text}");
        assert!(err.contains(emitted), "{text}: {err}");
    }
}
