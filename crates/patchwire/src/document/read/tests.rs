//! Values are read while they grow.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::document::sample::document;
use crate::document::{Document, NodeKind, Placement};

/// `{"a":1,"b":[{},{"x":null,"y":"…` and the string is open.
fn growing() -> Document {
    let mut doc = Document::default();
    let root = doc.open(Placement::Root, NodeKind::Object);
    doc.scalar(Placement::Member(root, "a"), NodeKind::Number, "1");
    let list = doc.open(Placement::Member(root, "b"), NodeKind::List);
    let first = doc.open(Placement::Item(list), NodeKind::Object);
    doc.complete(first);
    let item = doc.open(Placement::Item(list), NodeKind::Object);
    doc.scalar(Placement::Member(item, "x"), NodeKind::Null, "");
    let string = doc.open(Placement::Member(item, "y"), NodeKind::String);
    doc.append(string, "so f");
    doc
}

#[test]
fn an_open_string_is_absent_wherever_one_looks() {
    let doc = growing();
    let (all, settled) = (doc.value(), doc.value().settled());
    let expected = r#"{"a":1,"b":[{},{"x":null}]}"#;
    assert_eq!(settled.to_string(), expected);
    assert_eq!(serde_json::to_string(&settled).unwrap(), expected);
    assert!(settled == document(expected).value() && settled != all);
    let item = settled.at("b[1]").unwrap();
    assert_eq!((item.len(), item.entries().len(), item.entries().count()), (1, 1, 1));
    assert!(item.get("y").is_none() && settled.at("b[1].y").is_none());
    let string = all.at("b[1].y").unwrap();
    assert!(!string.settled().exists() && settled.by_node(string.node().unwrap()).is_none());
    assert!(all.settled().by_node(item.node().unwrap()) == Some(item));
    let json = settled.to_serde_json().unwrap();
    assert_eq!(json, serde_json::from_str::<serde_json::Value>(expected).unwrap());
}

#[test]
fn a_copy_has_what_is_settled_and_is_as_open() {
    let doc = growing();
    let copy = doc.value().settled().to_value();
    let copy = copy.as_ref();
    assert!(copy == doc.value().settled());
    let complete = |path| copy.at(path).unwrap().is_complete();
    assert!(!copy.is_complete() && !complete("b") && !complete("b[1]"));
    assert!(complete("a") && complete("b[0]") && complete("b[1].x"));
    assert!(!Document::default().value().settled().to_value().as_ref().exists());
}

#[test]
fn an_open_root_that_is_no_container_is_no_value() {
    let mut doc = Document::default();
    let root = doc.open(Placement::Root, NodeKind::String);
    doc.append(root, "so far");
    assert_eq!(doc.value().settled().read(), Ok(None::<&str>));
    let error = doc.value().settled().read::<&str>().unwrap_err();
    assert_eq!(error.to_string(), "invalid type: no value, expected a borrowed string");
    doc.complete(root);
    assert_eq!(doc.value().settled().read(), Ok("so far"));
}

#[test]
fn nothing_yet_is_none_or_empty() {
    #[derive(Debug, Default, PartialEq, Deserialize)]
    #[serde(default)]
    struct Partial {
        n: Option<u8>,
    }
    let none = Document::default();
    let none = none.value().settled();
    assert_eq!(none.read(), Ok(Partial::default()));
    assert_eq!(none.read(), Ok(None::<Partial>));
    assert_eq!(none.read(), Ok(Vec::<u8>::new()));
    assert_eq!(none.read(), Ok(BTreeMap::<String, u8>::new()));
    assert!(none.read::<u8>().is_err() && none.read::<(u8, u8)>().is_err());
    assert!(Document::default().value().read::<Partial>().is_err());
}

/// What is not there yet reads as an empty list or object. What is there is no list if it is none.
#[test]
fn a_settled_value_is_of_its_own_kind() {
    let doc = document(r#"{"a": "x", "b": 1, "c": [2], "d": {"e": 3}}"#);
    let settled = doc.value().settled();
    let at = |path: &str| settled.at(path).unwrap();
    assert_eq!(at("c").read(), Ok(vec![2]));
    assert_eq!(at("d").read(), Ok(BTreeMap::from([("e", 3)])));
    for path in ["a", "b"] {
        assert!(at(path).read::<Vec<u8>>().is_err(), "{path}");
        assert!(at(path).read::<BTreeMap<&str, u8>>().is_err(), "{path}");
    }
    assert!(at("d").read::<Vec<u8>>().is_err());
    assert!(at("c").read::<BTreeMap<&str, u8>>().is_err());
    let nothing = Document::default();
    assert_eq!(nothing.value().settled().read(), Ok(Vec::<u8>::new()));
    assert!(nothing.value().read::<Vec<u8>>().is_err());
}

#[test]
fn only_strings_and_numbers_have_a_text() {
    let doc = document(r#"["x", 1.50, [7], {"k": "v"}, [], {}]"#);
    let texts: Vec<&str> = doc.value().entries().map(|(_, item)| item.text()).collect();
    assert_eq!(texts, ["x", "1.50", "", "", "", ""]);
    assert_eq!((doc.value().text(), Document::default().value().text()), ("", ""));
    let mut empty = Document::default();
    empty.scalar(Placement::Root, NodeKind::True, "");
    assert_eq!(empty.value().text(), "");
}

#[test]
fn a_value_alone_takes_the_place_of_all_others() {
    for json in ["[1, 2]", r#"{"a": "x"}"#, "7", r#""text""#] {
        let mut doc = document(json);
        doc.set_alone(NodeKind::String, "new", false);
        let value = doc.value();
        assert_eq!((value.as_str(), value.is_complete()), (Some("new"), false), "{json}");
    }
}
