//! The final values of fields, compared with the cases and with generated documents.

use patchwire::Strictness;
use testkit::field_agreement::{self, declared};
use testkit::generate::Rng;
use testkit::generate::fields::sample;
use testkit::oracle::Json;
use testkit::oracle::fields::table::cases;
use testkit::oracle::fields::{Format, Schema};

/// The value of an answer, read strictly or not.
fn value(format: Format, schema: &Schema, strictness: Strictness, text: &str) -> Json {
    let builder = patchwire::Spec::builder().without_tags().strictness(strictness);
    let spec =
        builder.format(field_agreement::wire(format)).schema(declared(schema)).build().unwrap();
    let answer = spec.parse(text).unwrap_or_else(|error| panic!("{error}: {text:?}"));
    Json::of(answer.value()).sorted()
}

/// Whether a text ends in a thematic break, which is no content between two sections.
fn has_rule(object: &Json) -> bool {
    let Json::Object(members) = object else { return false };
    members.iter().any(|(_, value)| {
        let Json::String(text) = value else { return false };
        let last = text.lines().last().unwrap_or("").replace([' ', '\t'], "");
        ["-", "*", "_"].iter().any(|mark| last.len() >= 3 && last.replace(mark, "").is_empty())
    })
}

#[test]
fn cases_come_to_their_final_values() {
    let (mut lenient, mut strict) = (0, 0);
    for case in cases() {
        if let Some(expected) = case.expected_final {
            let found = value(case.format, &case.schema, Strictness::Lenient, &case.input);
            assert_eq!(found, expected.sorted(), "{}", case.name);
            lenient += 1;
        }
        if let Some(expected) = case.expected_final_strict {
            let found = value(case.format, &case.schema, Strictness::Strict, &case.input);
            assert_eq!(found, expected.sorted(), "{}, strictly", case.name);
            strict += 1;
        }
    }
    assert!(lenient > 0 && strict > 0, "no case says what it comes to");
}

#[test]
fn markdown_comes_to_the_values_that_hybrid_streams() {
    let mut rng = Rng::new(31);
    for _ in 0..2_000 {
        let sample = sample(&mut rng, Format::Hybrid);
        if has_rule(&sample.object()) {
            continue;
        }
        let found = value(Format::Markdown, &sample.schema, Strictness::Lenient, &sample.text);
        assert_eq!(found, sample.object().sorted(), "{:?}", sample.text);
    }
}

#[test]
fn generated_documents_need_nothing_put_right() {
    let mut rng = Rng::new(32);
    for format in [Format::XmlField, Format::Hybrid, Format::YamlLiteral] {
        for _ in 0..1_000 {
            let sample = sample(&mut rng, format);
            if format == Format::Hybrid && has_rule(&sample.object()) {
                continue;
            }
            let found = value(format, &sample.schema, Strictness::Lenient, &sample.text);
            assert_eq!(found, sample.object().sorted(), "{:?}", sample.text);
        }
    }
}
