//! The prompt and the skeleton of a schema that has everything, in each format, as they are printed.

use patchwire::schema::{literal, object};
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

#[test]
fn a_single_choice_stands_for_itself() {
    let schema = object().field("a", literal("x")).field("b", literal(7));
    let skeleton = Spec::builder().schema(schema).build().unwrap().prompt().skeleton().to_string();
    assert_eq!(skeleton, "{\n  \"a\": \"x\",\n  \"b\": 7\n}");
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
        (
            r#"{"type":"array","items":{"type":"integer"},"contains":{"minimum":5},"minContains":2,"maxContains":3}"#,
            "[<integer>, ...] /* with 2 to 3 items that are at least 5 */",
        ),
        (
            r#"{"type":"array","contains":{"type":"string","pattern":"^a"}}"#,
            "[<any JSON values>] /* with an item that is string, matching ^a */",
        ),
        (
            r#"{"type":"array","contains":true,"maxContains":3}"#,
            "[<any JSON values>] /* with 1 to 3 items */",
        ),
        (r#"{"type":"array","contains":{"const":1},"minContains":0}"#, "[<any JSON values>]"),
        (
            r#"{"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"number","minimum":0}}"#,
            r#"["<string>"] /* then items that are number, at least 0 */"#,
        ),
        // What drafts before 2020-12 wrote for the items one by one.
        (
            r#"{"type":"array","prefixItems":[{"type":"string"}],"items":[{"type":"number"}]}"#,
            r#"["<string>"]"#,
        ),
        // The name of a type in a program says nothing to a model.
        (r#"{"type":"integer","format":"uint32","minimum":0}"#, "<integer, at least 0>"),
        (r#"{"type":"number","format":"double"}"#, "<number>"),
        (r#"{"type":"integer","format":"int-like"}"#, "<integer, int-like>"),
        (r#"{"const":{"a":1}}"#, r#"<exactly {"a":1}>"#),
        (r#"{"enum":[[1],{"a":1}]}"#, r#"<any JSON value, one of [[1],{"a":1}]>"#),
        (r#"{"type":"integer","not":{"multipleOf":3}}"#, r#"<integer, not {"multipleOf":3}>"#),
        (
            r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"dependentSchemas":{"a":{"required":["b"]}}}"#,
            r#"{"a": "<string>", "b": "<string>"} /* with a also b */"#,
        ),
        (
            r#"{"type":"object","dependentSchemas":{"a":{"maxProperties":2}}}"#,
            r#"{} /* with a {"maxProperties":2} */"#,
        ),
        (
            r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"anyOf":[{"required":["a"]},{"required":["b"]}]}"#,
            r#"{"a": "<string>", "b": "<string>"} /* a or b required */"#,
        ),
        (
            r#"{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"oneOf":[{"required":["a"]},{"required":["b"]}]}"#,
            r#"{"a": "<string>", "b": "<string>"} /* either a or b required */"#,
        ),
        (
            r#"{"type":"string","contentEncoding":"base64","contentMediaType":"image/png"}"#,
            r#""<image/png, in base64>""#,
        ),
        (
            r#"{"type":"object","propertyNames":{"enum":["x","y"]}}"#,
            r#"{} /* all names one of ["x","y"] */"#,
        ),
        (
            r#"{"type":"object","propertyNames":{"maxLength":4}}"#,
            "{} /* all names at most 4 characters */",
        ),
        (
            r#"{"type":"array","items":{"type":"object","description":"an R","properties":{"r":{"type":"number"}}}}"#,
            r#"[{"r": <number>} /* an R */, ...]"#,
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

/// In YAML a comment above the dash says what holds for an item.
#[test]
fn items_of_yaml_have_comments() {
    let schema = Schema::from_text(
        r#"{"type":"object","required":["l"],"properties":{"l":{"type":"array","items":
            {"type":"array","minItems":2,"items":{"type":"object","description":"a point",
             "required":["x"],"properties":{"x":{"type":"number"}}}}}}}"#,
    );
    let spec = Spec::builder().format(Format::YamlLiteral).schema(schema.unwrap()).build().unwrap();
    let prompt = spec.prompt().to_string();
    let wanted = "l:\n  # at least 2 items\n  - # a point\n    - x: <number>\n";
    assert!(prompt.contains(wanted), "{prompt}");
}

/// A type that repeats inside itself is named by its path, also where the value is written on one line.
#[test]
fn a_recursive_type_is_named_by_its_path() {
    let node = r##"{"type": "object", "properties": {"kids": {"type": "array", "items": {"$ref": "#/$defs/n"}}}}"##;
    let schema = format!(
        r##"{{"type": "object", "properties": {{"a": {{"$ref": "#/$defs/n"}}}}, "$defs": {{"n": {node}}}}}"##
    );
    let spec = Spec::builder().schema(Schema::from_text(&schema).unwrap()).build().unwrap();
    let skeleton = spec.prompt().skeleton().to_owned();
    assert!(skeleton.contains("same as a>"), "{skeleton}");
    assert!(!skeleton.contains("same as the whole>"), "{skeleton}");
}
