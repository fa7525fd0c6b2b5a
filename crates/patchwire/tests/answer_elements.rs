//! Answers in an element of the answer channel.

use patchwire::schema::{int, object};
use patchwire::tags::{Channel, Family};
use patchwire::{Spec, SpecBuilder, TagSet};

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
