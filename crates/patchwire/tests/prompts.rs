//! The prompt and the skeleton of a schema that has everything, in each format, as they are printed.

use patchwire::{Format, Schema, Spec};

const SCHEMA: &str = include_str!("prompts/schema.json");

#[test]
fn prompts_say_what_the_schema_says() {
    for (format, wanted) in [
        (Format::Json, include_str!("prompts/json.txt")),
        (Format::XmlField, include_str!("prompts/xml_field.txt")),
        (Format::Hybrid, include_str!("prompts/hybrid.txt")),
        (Format::Markdown, include_str!("prompts/markdown.txt")),
        (Format::YamlLiteral, include_str!("prompts/yaml_literal.txt")),
    ] {
        let schema = Schema::from_text(SCHEMA).unwrap();
        let spec = Spec::builder().format(format).schema(schema).build().unwrap();
        let prompt = spec.prompt();
        assert_eq!(format!("{prompt}====\n{}\n", prompt.skeleton()), wanted, "{format}");
        assert_eq!(prompt.as_str(), prompt.to_string());
    }
}

#[test]
fn without_a_schema_the_form_of_the_format_is_shown() {
    let prompt = |format| Spec::builder().format(format).build().unwrap().prompt();
    for (format, part) in [
        (Format::Json, "JSON only"),
        (Format::XmlField, "<answer_fields>"),
        (Format::Markdown, "### "),
        (Format::YamlLiteral, "<<<BEGIN ANSWER_YAML>>>\n<name>: <value>\n<<<END ANSWER_YAML>>>"),
    ] {
        let text = prompt(format).to_string();
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(prompt(Format::Text).skeleton(), "");
}

/// What JSON Schema says about a value beside its type stands in its place.
#[test]
fn limits_are_said() {
    for (schema, shown) in [
        (
            r#"{"type":"array","items":{"type":"string"},"uniqueItems":true,"minItems":2,"maxItems":2}"#,
            r#"["<string>", ...] /* exactly 2 items, no item twice */"#,
        ),
        (
            r#"{"type":"string","minLength":1,"maxLength":5,"pattern":"^a"}"#,
            r#""<1 to 5 characters, matching ^a>""#,
        ),
        (
            r#"{"type":"integer","minimum":1,"exclusiveMaximum":9,"multipleOf":2}"#,
            "<integer, at least 1, below 9, a multiple of 2>",
        ),
        (r#"{"type":"number","exclusiveMinimum":0,"maximum":1}"#, "<number, at most 1, above 0>"),
        (r#"{"type":"string","not":{"const":"x"}}"#, r#""<not \"x\">""#),
        (r#"{"type":"string","not":{"enum":["x","y"]}}"#, r#""<none of [\"x\",\"y\"]>""#),
        (r#"{"not":{"type":"null"}}"#, "<any JSON value, no null>"),
        (
            r#"{"type":"object","patternProperties":{"^x":{"type":"integer","description":"a count"}},"minProperties":1}"#,
            "{} /* at least 1 member, names matching ^x: integer (a count) */",
        ),
        (
            r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"dependentRequired":{"a":["b"]}}"#,
            r#"{"a": "<string>", "b": "<string>"} /* with a also b */"#,
        ),
        (
            r#"{"type":"array","contains":{"const":3}}"#,
            "[<any JSON values>] /* with an item that is 3 */",
        ),
        (
            r#"{"type":"array","items":{"type":"integer"},"contains":{"enum":[1,2]}}"#,
            "[<integer>, ...] /* with an item that is one of [1,2] */",
        ),
        (
            r#"{"type":"array","contains":{"type":"string","description":"a name"}}"#,
            "[<any JSON values>] /* with an item that is string (a name) */",
        ),
        (r#"{"type":"object","propertyNames":{"pattern":"^a"}}"#, "{} /* all names matching ^a */"),
        (
            r#"{"type":"string","format":"date","default":"2020-01-01"}"#,
            r#""<date, default \"2020-01-01\">""#,
        ),
    ] {
        let whole =
            format!(r#"{{"type":"object","required":["v"],"properties":{{"v":{schema}}}}}"#);
        let schema = Schema::from_text(&whole).unwrap();
        let prompt = Spec::json().with_schema(schema).prompt().to_string();
        let wanted = format!("{{\"v\": {shown}}}\n");
        assert!(prompt.contains(&wanted), "{schema:?}: {prompt}", schema = whole);
    }
}
