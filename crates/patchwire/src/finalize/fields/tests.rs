//! Fields at the end of an answer, through the whole parser.

use crate::format::Format;
use crate::schema::{Schema, int, object, str, union};
use crate::spec::{Spec, Strictness};

/// The value of an answer in a format, `none` if there is none.
fn value(format: Format, strictness: Strictness, schema: &Schema, text: &str) -> String {
    let spec = Spec::builder().format(format).strictness(strictness).schema(schema.clone());
    let answer = spec.build().expect("a spec").parse(text).expect("no limit is met");
    if answer.value().exists() { answer.value().to_string() } else { "none".to_owned() }
}

#[test]
fn strict_reading_keeps_the_texts_of_fields_as_they_are() {
    let schema: Schema = object().field("a", str("")).field("b", str("")).into();
    for (one, other, lenient, strict) in [
        ("x", "y", r#"{"a":"x","b":"y"}"#, r#"{"a":"x","b":"y"}"#),
        // A string of JSON.
        (r#""x\ny""#, "y", r#"{"a":"x\ny","b":"y"}"#, r#"{"a":"\"x\\ny\"","b":"y"}"#),
        // A fence around each text.
        (
            "```\nx\n```",
            "```\ny\n```",
            r#"{"a":"x","b":"y"}"#,
            r#"{"a":"```\nx\n```","b":"```\ny\n```"}"#,
        ),
    ] {
        let text = format!(
            "<answer_fields>\n<field name=\"a\">{one}</field>\n<field name=\"b\">{other}</field>\n</answer_fields>"
        );
        for (strictness, want) in [(Strictness::Lenient, lenient), (Strictness::Strict, strict)] {
            let found = value(Format::XmlField, strictness, &schema, &text);
            assert_eq!(found, want, "{text:?} {strictness:?}");
        }
    }
    // An answer without a field.
    let text = "<answer_fields>\n</answer_fields>";
    assert_eq!(value(Format::XmlField, Strictness::Lenient, &schema, text), "none");
    assert_eq!(value(Format::XmlField, Strictness::Strict, &schema, text), "{}");
}

#[test]
fn quotes_decide_on_a_scalar_of_yaml_that_may_be_text() {
    let of = |node| Schema::from(object().field("a", node));
    let text = "```yaml\na: \"3\"\n```\n";
    for (schema, want) in [
        (of(union([str(""), int("")])), r#"{"a":"3"}"#),
        (of(str("")), r#"{"a":"3"}"#),
        (of(int("")), r#"{"a":3}"#),
    ] {
        assert_eq!(value(Format::YamlLiteral, Strictness::Lenient, &schema, text), want);
    }
}

#[test]
fn slips_of_a_field_that_is_repeated_or_stands_beside_a_repeated_key() {
    let spec = Spec::builder().format(Format::XmlField).build().expect("a spec");
    let value = |fields: &[(&str, &str)]| {
        let fields = fields
            .iter()
            .map(|(name, json)| format!("<field name=\"{name}\" type=\"json\">{json}</field>\n"));
        let text = format!("<answer_fields>\n{}</answer_fields>", fields.collect::<String>());
        spec.parse(text).expect("no limit is met").value().to_string()
    };
    let slip = r#"{"a" 1: 2}"#;
    for (fields, want) in [
        (&[("o", slip)][..], r#"{"o":{"a":2}}"#),
        // Of a repeated field the first one counts, and of a repeated key the last one.
        (&[("o", slip), ("o", r#"{"a": 3}"#)], r#"{"o":{"a":2}}"#),
        (&[("o", slip), ("o", slip)], r#"{"o":{"a":2}}"#),
        // A repeated key keeps the streamed readings of all fields, although the cheaper one would be right.
        (&[("o", slip), ("p", r#"{"b": 1, "b": 2}"#)], r#"{"o":{"a":"1: 2"},"p":{"b":2}}"#),
        (&[("o", r#"{"a" 1: 2, "b": 1, "b": 2}"#)], r#"{"o":{"a":"1: 2","b":2}}"#),
    ] {
        assert_eq!(value(fields), want, "{fields:?}");
    }
}
