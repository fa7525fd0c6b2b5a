//! Schemas from text.

use crate::schema::{Schema, SchemaErrorKind, SchemaForm, bool, int, list, object, str};

const JSON: &str = r#"{"title": ["str", "one line: short", true], "steps": [{"do": ["str"], "n": "int"}],
    "done": {"$type": "bool", "$desc": "whether 1 is left", "$ensure": "not_null"}}"#;

fn expected() -> Schema {
    let step = object().field("do", str("")).field("n", int(""));
    let done = bool("whether 1 is left").required();
    let title = str("one line: short").required();
    object().field("title", title).field("steps", list(step)).field("done", done).into()
}

#[test]
fn json_is_read() {
    assert_eq!(Schema::from_text(JSON), Ok(expected()));
    assert_eq!(Schema::from_output_dsl_text(JSON), Ok(expected()));
    let text = r#"{"type":"object","properties":{"a":{"type":"string"}}}"#;
    assert_eq!(Schema::from_text(text), Ok(object().field("a", str("")).into()));
    let fields = object()
        .field("type", str(""))
        .field("properties", object().field("a", object().field("type", str(""))));
    assert_eq!(
        Schema::from_output_dsl_text(&text.replace("\"object\"", "\"str\"")),
        Ok(fields.into())
    );
    assert_eq!(
        Schema::from_text_in(SchemaForm::JsonSchema, r#"{"title": ["str"]}"#)
            .map(|schema| schema.unsupported().len()),
        Ok(0)
    );
}

#[test]
fn flaws_of_json_have_their_own_errors() {
    for text in ["{\"a\": [\"str\"", "[\"str\" \"d\"", ""] {
        let error = Schema::from_text(text).expect_err(text);
        assert!(
            matches!(error.kind, SchemaErrorKind::NotJson(_) | SchemaErrorKind::NotAType),
            "{error}"
        );
    }
}

#[cfg(feature = "yaml")]
mod yaml {
    use super::{JSON, expected};
    use crate::schema::{Schema, SchemaErrorKind, SchemaForm, any, object, str};

    const YAML: &str = "\
# A comment.
title: [str, 'one line: short', true]
steps:
  - do: [str]
    n: int
done:
  $type: bool
  $desc: whether 1 is left
  $ensure: not_null
";

    #[test]
    fn yaml_gives_what_json_gives() {
        assert_eq!(Schema::from_text(YAML), Ok(expected()));
        assert_eq!(Schema::from_text(&format!("---\n{YAML}...\n")), Schema::from_text(JSON));
        let text = "type: object\nproperties:\n  a: {type: string}\nrequired: [a]\n";
        assert_eq!(Schema::from_text(text), Ok(object().field("a", str("").present()).into()));
        assert_eq!(Schema::from_text_in(SchemaForm::JsonSchema, "true"), Ok(any("").into()));
    }

    /// What follows is another document, and no part of the schema.
    #[test]
    fn only_the_first_document_counts() {
        let wanted = Ok(object().field("a", str("")).into());
        for text in ["a: str\n---\nb: int\n", "---\na: str\n...\n---\n- b\n", "a: str\n...\n"] {
            assert_eq!(Schema::from_text(text), wanted, "{text}");
        }
    }

    #[test]
    fn scalars_are_those_of_the_core_schema() {
        let text =
            "type: object\nproperties: {a: {enum: [yes, 0x10, '1', ~, 1.50, true, !!str 2]}}";
        let json = r#"{"properties":{"a":{"enum":["yes",16,"1",null,1.50,true,"2"]}}}"#;
        assert_eq!(Schema::from_text(text), Schema::from_text(json));
    }

    #[test]
    fn flaws_say_where() {
        use SchemaErrorKind as Kind;
        for (text, kind, path) in [
            ("a: [str, d\nb: int", Kind::NotYaml { line: 2, column: 2 }, ""),
            ("a: &x str\nb: *x", Kind::YamlAlias { line: 2, column: 4 }, ""),
            ("a: str\nb: int\na: int", Kind::RepeatedKey { line: 3, column: 1 }, ""),
            ("? [a, b]\n: str", Kind::KeyNotText { line: 1, column: 3 }, ""),
            ("a: str\nb: 1", Kind::NotAType, "/b"),
            ("a:\n  b: [str, d, maybe]", Kind::InvalidEnsure, "/a/b/2"),
        ] {
            let error = Schema::from_text(text).expect_err(text);
            assert_eq!((error.kind, error.path.as_str()), (kind, path), "{text}");
        }
    }

    #[test]
    fn depth_has_a_bound() {
        let deep = format!("a: {}{}", "[".repeat(100_000), "]".repeat(100_000));
        let error = Schema::from_text(&deep).expect_err("too deep");
        assert!(matches!(error.kind, SchemaErrorKind::NotYaml { .. }), "{error}");
    }
}
