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
