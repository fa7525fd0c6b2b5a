//! What a row should be: the answer of the engine, its value cut to the columns of the schema. Slow and plain.

mod expected;
pub(crate) mod rows;

use arrow_array::{Array, StructArray};
use patchwire::{Schema, Spec, SpecBuilder};
use patchwire_arrow::parse;
use serde_json::Value;

use testkit::generate::{self, Rng};

/// A schema with every kind of column.
pub(crate) const ORDER: &str = r#"{
    "type": "object",
    "properties": {
        "id": {"type": "integer"},
        "price": {"type": "number"},
        "paid": {"type": "boolean"},
        "note": {"type": ["string", "null"]},
        "status": {"enum": ["open", "shut"]},
        "rows": {"type": "array", "items": {"type": "object", "properties": {
            "sku": {"type": "string"}, "sizes": {"type": "array", "items": {"type": "integer"}}}}},
        "any": {},
        "either": {"type": ["string", "integer"]},
        "map": {"type": "object", "additionalProperties": {"type": "integer"}}
    }
}"#;

pub(crate) fn schema(json: &str) -> Schema {
    Schema::from_text(json).expect("it is a schema")
}

pub(crate) fn spec(builder: SpecBuilder) -> Spec {
    builder.build().expect("nothing contradicts")
}

/// Every row of the column is the answer to its text.
pub(crate) fn assert_rows(texts: &[Option<String>], spec: &Spec) -> StructArray {
    let column: arrow_array::StringArray = texts.iter().map(Option::as_deref).collect();
    let answers = parse(&column, spec).expect("the column can be read");
    assert_eq!(answers.len(), texts.len());
    // The engine's own form of the schema: one type in each place, and references only where they are needed.
    let schema = spec.schema().map(|schema| schema.to_json_schema().to_string());
    let schema: Option<Value> = schema.map(|json| serde_json::from_str(&json).expect("it is JSON"));
    for (row, text) in texts.iter().enumerate() {
        let found = rows::json(&answers, row);
        let wanted =
            text.as_ref().map_or(Value::Null, |text| expected::row(text, spec, schema.as_ref()));
        assert_eq!(found, wanted, "row {row}: {text:?}");
    }
    answers
}

#[test]
fn answers_as_models_give_them() {
    let texts = [
        Some(
            r#"{"id": 1, "price": 2.5, "paid": true, "note": "x", "status": "open", "rows": [{"sku": "a", "sizes": [1, 2]}], "any": [1, {"b": null}], "either": 7, "map": {"a": 1}}"#,
        ),
        None,
        Some("Sure! {'id': '12', price: 3, \"paid\": True, rows: [{sku: 'a',},],}"),
        Some(
            r#"{"id": 9223372036854775808, "price": 1e400, "paid": "maybe", "rows": [[], {"sizes": ["x", 2.0, 2.5]}], "more": 1}"#,
        ),
        Some(r#"{"id": 4, "rows": [{"sku": "cut"#),
        Some("<think>Hm.</think>I cannot do that."),
        Some(""),
        Some("  \n"),
        Some("[1, 2]"),
        Some("7"),
        Some(r#"{"note": "é\u00e9\ud83d\ude00 \ud800"}"#),
    ];
    let texts: Vec<Option<String>> = texts.iter().map(|text| text.map(str::to_owned)).collect();
    assert_rows(&texts, &Spec::json());
    let typed = spec(Spec::builder().schema(schema(ORDER)));
    assert_rows(&texts, &typed);
    let unaligned = spec(Spec::builder().schema(schema(ORDER)).without_alignment());
    assert_rows(&texts, &unaligned);
    let valid = spec(Spec::builder().schema(schema(ORDER)).valid(true).ensure("rows[*].sku"));
    assert_rows(&texts, &valid);
    let strict =
        spec(Spec::builder().schema(schema(ORDER)).strictness(patchwire::Strictness::Strict));
    assert_rows(&texts, &strict);
}

/// Documents, whole, spoilt and cut, under schemas of which half fit.
#[test]
fn random_rows() {
    for seed in 0..40 {
        let rng = &mut Rng::new(seed);
        let texts: Vec<Option<String>> = (0..40).map(|_| text(rng)).collect();
        assert_rows(&texts, &Spec::json());
        let (json, document) = generate::schema::pair(rng);
        let mut texts = texts;
        texts.push(Some(document));
        let Ok(read) = Schema::from_text(&json) else { continue };
        let Ok(typed) = Spec::builder().schema(read).build() else { continue };
        assert_rows(&texts, &typed);
    }
}

fn text(rng: &mut Rng) -> Option<String> {
    let document = match rng.below(4) {
        0 => return None,
        1 => generate::answer::document(rng),
        2 => generate::schema::pair(rng).1,
        _ => String::from_utf8_lossy(&generate::spoilt::document(rng)).into_owned(),
    };
    let end = if rng.below(3) == 0 { rng.below(document.len() + 1) } else { document.len() };
    let end = (0..=end).rev().find(|end| document.is_char_boundary(*end)).unwrap_or_default();
    Some(document[..end].to_owned())
}
