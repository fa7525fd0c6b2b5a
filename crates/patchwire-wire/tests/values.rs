//! The events on the wire are those of the engine, for the whole corpus and any cuts.

use patchwire::{OwnedEvent, wire::IncludeValues};
use patchwire_wire::{AgUi, Documents, JsonEvents, JsonPatch, Message, Ops, Protocol, UiMessage};
use serde_json::{Value, json};

use crate::cases::{self, Case};
use crate::consumers;
use crate::streams::{Cuts, Messages, read, written};

/// Each case at several cuts; those that are read in other ways than most byte by byte.
fn each(check: impl Fn(&Case, Cuts)) {
    let cases = cases::all();
    assert!(cases.len() > 5000, "{} cases", cases.len());
    for (case, seed) in cases.iter().zip(1..) {
        let cuts = [Cuts::Bytes, Cuts::Whole, Cuts::Random(seed)];
        let count = if case.is_main { cuts.len() } else { 1 };
        cuts.into_iter().take(count).for_each(|cuts| check(case, cuts));
    }
}

fn check(case: &Case, cuts: Cuts, protocol: impl Protocol, found: impl Fn(&Messages) -> Value) {
    let written = written(&case.spec, &case.input, cuts, protocol);
    let Some(want) = &written.want else { return assert_beyond_serde(case, &written) };
    assert_eq!(&found(&written), want, "{} {cuts:?}: {:?}", case.name, texts(&written.messages));
}

fn texts(messages: &[Message]) -> Vec<&str> {
    messages.iter().map(Message::as_str).collect()
}

/// The only values that serde_json cannot hold: numbers beyond `f64`, and depth.
fn assert_beyond_serde(case: &Case, written: &Messages) {
    let error =
        serde_json::from_str::<Value>(&written.want_text).expect_err("it was tried").to_string();
    let is_known = error.starts_with("number out of range") || error.starts_with("recursion limit");
    assert!(is_known, "{}: {error}", case.name);
}

#[test]
fn json_patch_comes_to_the_value() {
    each(|case, cuts| {
        check(case, cuts, JsonPatch::default(), |written| consumers::json_patch(&written.messages));
    });
}

#[test]
fn ops_come_to_the_value() {
    each(|case, cuts| {
        check(case, cuts, Ops::default(), |written| consumers::ops(&written.messages))
    });
}

#[test]
fn the_state_of_ag_ui_comes_to_the_value() {
    each(|case, cuts| {
        check(case, cuts, AgUi::new("t", "r"), |written| consumers::ag_ui(&written.messages));
    });
}

#[test]
fn the_data_part_and_its_operations_come_to_the_value() {
    each(|case, cuts| {
        check(case, cuts, UiMessage::default(), |written| {
            let (part, folded) = consumers::ui_message(&written.messages);
            assert_eq!(part, folded, "{} {cuts:?}", case.name);
            part
        });
    });
}

/// What a parser without a value tells is what one with a value does.
#[test]
fn a_parser_that_keeps_no_value_tells_it_all_the_same() {
    let spec = patchwire::Spec::builder().without_value().build().expect("they agree");
    let input = br#"{"a": "x\u00e9y", "b": [1, {"c": null}, []], "d": {"e": "f"}}"#;
    let want: Value = serde_json::from_slice(input).expect("JSON");
    for cuts in Cuts::ALL {
        let written = written(&spec, input, cuts, JsonPatch::default());
        assert_eq!(consumers::json_patch(&written.messages), want);
    }
}

#[test]
fn owned_events_tell_the_same() {
    let protocols: [fn() -> Box<dyn Protocol>; 5] = [
        || Box::new(JsonEvents::with_values(IncludeValues::Leaf)),
        || Box::new(Ops::with_documents(Documents::All)),
        || Box::new(JsonPatch::default()),
        || Box::new(AgUi::new("t", "r")),
        || Box::new(UiMessage::default()),
    ];
    for case in cases::all().iter().filter(|case| case.is_main) {
        for protocol in protocols {
            let (mut lent, mut owned) = (protocol(), protocol());
            let (mut from_lent, mut from_owned) = (Vec::new(), Vec::new());
            drop(read(&case.spec, &case.input, Cuts::Random(3), |event| {
                lent.feed(event.into(), &mut |message| from_lent.push(message));
                let event: OwnedEvent = event.to_owned();
                owned.feed((&event).into(), &mut |message| from_owned.push(message));
            }));
            assert_eq!(from_lent, from_owned, "{}", case.name);
        }
    }
}

#[test]
fn all_documents_stand_under_their_numbers() {
    for (case, seed) in cases::all().iter().zip(1..) {
        {
            let cuts = Cuts::Random(seed);
            let mut seen = Vec::new();
            let (parser, answer) = read(&case.spec, &case.input, cuts, |event| {
                if let patchwire::Event::Patch(patch) = event {
                    seen.push(patch.document);
                }
            });
            let written =
                written(&case.spec, &case.input, cuts, JsonPatch::with_documents(Documents::All));
            let found = consumers::json_patch_if_held(&written.messages);
            let Some(found) = found else { continue };
            for document in seen {
                let value = match &answer {
                    Ok(answer) => answer.document(document),
                    Err(_) => parser.document(document),
                };
                let Some(value) = value.filter(|value| value.exists()) else { continue };
                let Ok(want) = serde_json::from_str::<Value>(&value.to_string()) else { continue };
                let found = &found[document.index().to_string()];
                assert_eq!(found, &want, "{} {cuts:?}", case.name);
            }
        }
    }
}

#[test]
fn paths_are_escaped_and_keys_may_be_anything() {
    let input = r#"{"a/b": {"~": "x", "": [["y"]], "-": 1, "0": "z"}}"#;
    let spec = patchwire::Spec::json();
    let written = written(&spec, input.as_bytes(), Cuts::Bytes, JsonPatch::default());
    let all = texts(&written.messages).concat();
    for path in [r#""/a~1b""#, r#""/a~1b/~0""#, r#""/a~1b//0/0""#, r#""/a~1b/-""#] {
        assert!(all.contains(path), "{path}: {all}");
    }
    assert_eq!(consumers::json_patch(&written.messages), written.want.expect("JSON"));
}

#[test]
fn what_is_not_there_is_added() {
    let mut there = std::collections::HashSet::new();
    let input = br#"{"a": ["x", {"b": 1}], "c": ""}"#;
    let written = written(&patchwire::Spec::json(), input, Cuts::Bytes, JsonPatch::default());
    for op in
        consumers::json(&written.messages).flat_map(|ops| ops.as_array().cloned().expect("a list"))
    {
        let is_new = there.insert(op["path"].as_str().expect("a path").to_owned());
        assert_eq!(op["op"], json!(if is_new { "add" } else { "replace" }), "{op}");
    }
}

#[test]
fn numbers_and_depth_go_over_the_wire_as_they_are() {
    let deep = format!("{}1.500e400{}", "[".repeat(400), "]".repeat(400));
    let spec = patchwire::Spec::builder()
        .limits(patchwire::Limits::default().with(patchwire::Limit::Depth, 1000))
        .build()
        .expect("they agree");
    let written = written(&spec, deep.as_bytes(), Cuts::Whole, UiMessage::default());
    assert!(written.is_whole);
    let data = format!(r#""data":{deep}"#);
    assert!(texts(&written.messages).iter().any(|text| text.contains(&data)));
}
