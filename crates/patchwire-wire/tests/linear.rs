//! What goes over the wire grows with the answer, and no faster.

use patchwire::Spec;
use patchwire_wire::{AgUi, JsonPatch, Protocol, UiMessage};
use serde_json::Value;

use crate::consumers;
use crate::streams::{Cuts, written};

const LEN: usize = 100_000;

fn answer() -> Vec<u8> {
    format!(r#"{{"text": "{}"}}"#, "a".repeat(LEN)).into_bytes()
}

/// Bytes of strings in all operations, at chunks of one byte.
fn string_bytes(ops: impl Iterator<Item = Value>) -> usize {
    ops.map(|op| op["value"].as_str().map_or(0, str::len)).sum()
}

#[test]
fn a_string_costs_three_times_its_length_in_json_patch() {
    let written = written(&Spec::json(), &answer(), Cuts::Bytes, JsonPatch::default());
    let ops =
        consumers::json(&written.messages).flat_map(|ops| ops.as_array().cloned().expect("a list"));
    let bytes = string_bytes(ops);
    assert!((LEN..=3 * LEN).contains(&bytes), "{bytes}");
    assert!(written.messages.len() < 30, "{} messages", written.messages.len());
}

#[test]
fn a_string_costs_three_times_its_length_in_ag_ui() {
    let written = written(&Spec::json(), &answer(), Cuts::Bytes, AgUi::new("t", "r"));
    let deltas = consumers::json(&written.messages).filter(|event| event["type"] == "STATE_DELTA");
    let ops = deltas.flat_map(|event| event["delta"].as_array().cloned().expect("a list"));
    let bytes = string_bytes(ops);
    assert!((LEN..=3 * LEN).contains(&bytes), "{bytes}");
}

#[test]
fn values_of_the_data_part_cost_no_more_than_its_operations() {
    let objects = format!("[{}0]", r#"{"n": 1, "s": "text"},"#.repeat(2000));
    for input in [answer(), objects.into_bytes()] {
        let written = written(&Spec::json(), &input, Cuts::Bytes, UiMessage::default());
        let weigh = |part: &str| {
            let of = written
                .messages
                .iter()
                .map(|message| message.as_str())
                .filter(|it| it.contains(part));
            of.map(str::len).sum::<usize>()
        };
        let (values, ops) = (weigh(r#""type":"data-answer""#), weigh(r#""type":"data-op""#));
        assert!(values < ops + 2 * input.len(), "{values} bytes of values, {ops} of operations");
    }
}

/// Twice the answer, twice the bytes: for each protocol, whatever grows.
#[test]
fn twice_as_much_costs_twice_as_much() {
    let shapes: [fn(usize) -> String; 3] = [
        |n| format!(r#"["{}"]"#, "x".repeat(n)),
        |n| format!("[{}0]", r#"{"k": "v"},"#.repeat(n / 10)),
        |n| {
            format!(
                "{{{}\"z\": 0}}",
                (0..n / 12).map(|i| format!(r#""k{i}": "v", "#)).collect::<String>()
            )
        },
    ];
    let protocols: [fn() -> Box<dyn Protocol>; 3] = [
        || Box::new(JsonPatch::default()),
        || Box::new(AgUi::new("t", "r")),
        || Box::new(UiMessage::default()),
    ];
    for shape in shapes {
        for protocol in protocols {
            let bytes = |n| {
                let mut protocol = protocol();
                let mut bytes = 0;
                let text = shape(n);
                let (_, answer) =
                    crate::streams::read(&Spec::json(), text.as_bytes(), Cuts::Bytes, |event| {
                        protocol.feed(event.into(), &mut |message| bytes += message.as_str().len());
                    });
                assert!(answer.is_ok());
                bytes
            };
            let (once, twice) = (bytes(20_000), bytes(40_000));
            assert!(twice * 10 < once * 26, "{once} and {twice} bytes");
        }
    }
}

/// A reader that is caught up after each chunk has the value so far, and the right one at the end.
#[test]
fn a_string_is_sent_as_often_as_the_caller_wants() {
    let text = "Grüße ~/ ☃".repeat(20);
    let input = format!(r#"{{"a/b": ["{text}", "x"], "n": 1}}"#);
    let mut wire = JsonPatch::default();
    let mut parser = Spec::json().parser();
    let mut value = Value::Null;
    for chunk in input.as_bytes().chunks(7) {
        let mut messages = Vec::new();
        parser
            .feed(chunk, |event| wire.feed(event.into(), &mut |it| messages.push(it)))
            .expect("it is JSON");
        wire.catch_up(&mut |it| messages.push(it));
        assert!(!wire.is_behind());
        for message in messages {
            let patch: json_patch::Patch = serde_json::from_str(message.as_str()).expect("a patch");
            json_patch::patch(&mut value, &patch).expect("it applies");
        }
        let so_far: Value = serde_json::from_str(&parser.value().to_string()).expect("JSON");
        assert_eq!(value, so_far);
    }
    assert_eq!(value, serde_json::from_str::<Value>(&input).expect("JSON"));
    let mut messages = 0;
    wire.catch_up(&mut |_| messages += 1);
    assert_eq!(messages, 0);
}
