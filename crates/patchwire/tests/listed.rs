//! Strings whose schema lists their values are held whole; all else holds for them too.

use patchwire::schema::{list, object, one_of};
use patchwire::{Code, Schema, Spec};

#[test]
fn an_item_that_was_the_next_key_is_taken_back() {
    let schema = object().field("tags", list(one_of(["x", "y"])));
    let spec = Spec::builder().schema(schema).build().unwrap();
    for (text, value) in [
        (r#"{"tags": ["x", "x": 1}"#, r#"{"tags":["x"],"x":1}"#),
        (r#"{"a": ["q", "tags": ["x": 1}"#, r#"{"tags":[],"a":["q"],"x":1}"#),
        (r#"{"tags": ["z", "y": 1}"#, r#"{"tags":["z"],"y":1}"#),
    ] {
        assert_eq!(spec.parse(text).unwrap().value().to_string(), value, "{text}");
    }
}

/// The last value of a repeated key is read without being emitted, and counts at the end.
#[test]
fn strings_in_a_repeated_value_are_held_one_by_one() {
    let colour = || one_of(["red", "green"]);
    let schema = object().field("a", object().field("c", colour()).field("d", colour()));
    let spec = Spec::builder().schema(schema).build().unwrap();
    for (last, value) in [
        (r#"{"c": "red", "d": "green"}"#, r#"{"c":"red","d":"green"}"#),
        (r#"{"c": "blue", "d": "green"}"#, r#"{"c":"blue","d":"green"}"#),
        (r#"{"c": "redder", "d": "reddest"}"#, r#"{"c":"redder","d":"reddest"}"#),
    ] {
        for text in [format!(r#"{{"a": {last}}}"#), format!(r#"{{"a": 1, "a": {last}}}"#)] {
            let answer = spec.parse(&text).unwrap();
            assert_eq!(answer.value().to_string(), format!(r#"{{"a":{value}}}"#), "{text}");
        }
    }
}

/// Half a choice is no value: what is said about it has the place where it would be.
#[test]
fn a_choice_that_the_end_cuts_is_noted_at_its_place() {
    let list = || list(one_of(["red", "green"]));
    for (schema, text, place) in [
        (Schema::from(list()), r#"["gr"#, "[0]"),
        (list().into(), r#"["red", "gr"#, "[1]"),
        (object().field("a", list()).into(), r#"{"a": ["red", "re"#, "a[1]"),
        (object().field("a", one_of(["red"])).into(), r#"{"a": "r"#, "a"),
    ] {
        let answer = Spec::builder().schema(schema).build().unwrap().parse(text).unwrap();
        let noted = answer.notices().iter().find(|it| it.code == Code::TruncatedScalar);
        assert_eq!(noted.map(|it| it.path.to_string()).as_deref(), Some(place), "{text}");
    }
}
