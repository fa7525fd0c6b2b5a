//! Answers in an element of the answer channel.

use patchwire::schema::{Node, int, list, object, str};
use patchwire::tags::{Channel, Family};
use patchwire::{Format, Spec, SpecBuilder, TagSet};

fn with_answers() -> SpecBuilder {
    let answer = Family::new("answer", "<answer>", "</answer>", Channel::Answer);
    Spec::builder().tags(TagSet::new([answer]).expect("the set is valid"))
}

/// Such a value is in a document of its own, and without kept values there is one document for all.
#[test]
fn an_answer_whose_value_is_not_kept_has_an_outcome() {
    let spec = with_answers().without_value().build().unwrap();
    let answer = spec.parse(r#"{"a": 1} <answer>{"b": 2}</answer>"#).unwrap();
    assert!(!answer.value().exists());
    assert_eq!(answer.outcome().name(), "complete");
}

#[test]
fn the_type_of_a_value_that_was_found_at_the_end_is_corrected_at_the_end_of_its_element() {
    let spec = with_answers().schema(object().field("n", int(""))).build().unwrap();
    let text = r#"Here: <answer>"n": "12"</answer> and more"#;
    let answer = spec.parse(text).unwrap();
    assert_eq!(answer.value().to_string(), r#"{"n":12}"#);
    let corrected = answer.notices().iter().find(|it| it.code.name() == "text_as_value").unwrap();
    assert_eq!(corrected.span.start, text.find("</answer>").unwrap() as u64);
}

/// The value of one field `n` of xml_field whose JSON the text goes on with, and the outcome.
fn in_a_field(n: impl Into<Node>, text: &str) -> (String, &'static str) {
    let spec = with_answers().format(Format::XmlField).schema(object().field("n", n));
    let text = format!("<answer><agently_output><field name=\"n\">{text}");
    let answer = spec.build().unwrap().parse(text).unwrap();
    (answer.value().to_string(), answer.outcome().name())
}

/// JSON in a field hides the closer of the element in its strings and nowhere else.
#[test]
fn an_element_closes_in_a_field_of_json_but_not_in_its_strings() {
    for (text, value, outcome) in [
        ("1</answer> x", r#"{"n":1}"#, "truncated"),
        ("1</field></answer> x", r#"{"n":1}"#, "complete"),
    ] {
        assert_eq!(in_a_field(int(""), text), (value.to_owned(), outcome), "{text}");
    }
    for (text, value, outcome) in [
        (r#"["a"</answer> x"#, r#"{"n":["a"]}"#, "truncated"),
        (r#"["a</answer> x"#, r#"{"n":["a</answer> x"]}"#, "truncated"),
        (
            r#"["a</answer>"]</field></agently_output></answer> x"#,
            r#"{"n":["a</answer>"]}"#,
            "complete",
        ),
    ] {
        assert_eq!(in_a_field(list(str("")), text), (value.to_owned(), outcome), "{text}");
    }
}
