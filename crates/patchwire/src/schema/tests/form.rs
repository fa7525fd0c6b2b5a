//! JSON Schema or output DSL.

use crate::document::sample;
use crate::schema::SchemaForm;

fn form(text: &str) -> SchemaForm {
    SchemaForm::of(sample::document(text).value())
}

#[test]
fn json_schema_is_known_by_its_keywords() {
    for text in [
        "true",
        "{}",
        r#"{"$schema":"https://json-schema.org/draft/2020-12/schema","x":"str"}"#,
        r##"{"$ref":"#/$defs/a","$defs":{"a":{}}}"##,
        r#"{"type":"object","properties":{"a":{"type":"string"}},"x-own":1}"#,
        r#"{"type":["object","null"],"properties":{}}"#,
        r#"{"type":"string"}"#,
        r#"{"type":"string","title":"string"}"#,
        r#"{"properties":{"type":{"type":"string"},"a":true}}"#,
        r#"{"type":"array","items":{"type":"object","properties":{"a":true}}}"#,
        r#"{"items":{"minLength":1}}"#,
        r#"{"anyOf":[{"type":"string"},{"type":"null"}],"description":"d"}"#,
        r#"{"enum":["low","high"]}"#,
        r#"{"const":3}"#,
        r#"{"additionalProperties":{"type":"number"},"description":"scores"}"#,
    ] {
        assert_eq!(form(text), SchemaForm::JsonSchema, "{text}");
    }
}

#[test]
fn all_else_is_the_dsl() {
    for text in [
        r#""str""#,
        r#"[["str"]]"#,
        r#"["str","one line",true]"#,
        r#"{"title":["str","one line",true]}"#,
        r#"{"title":["str"],"description":["str"],"items":[{"type":["str"]}]}"#,
        r#"{"type":"str","title":"str"}"#,
        r#"{"type":["str","what it is"],"properties":{"color":["str"]}}"#,
        r#"{"items":{"sku":["str"]}}"#,
        r#"{"properties":{"a":{"b":["str"]}}}"#,
        r#"{"enum":["str","one of them"]}"#,
        r#"{"required":["bool","whether it is"]}"#,
        r#"{"$type":"str","$desc":"d"}"#,
        r#"{"type":"string","name":["str"]}"#,
    ] {
        assert_eq!(form(text), SchemaForm::OutputDsl, "{text}");
    }
}
