//! Readers of the protocols: libraries, and ten lines where ten lines have to do.

use json_patch::Patch;
use patchwire_wire::Message;
use serde_json::Value;

/// `set`, `append-text`, `remove`.
pub(crate) fn fold_op(value: &mut Value, op: &Value) {
    let path = op["path"].as_str().expect("a path");
    if op["op"] == "remove" {
        return remove(value, path);
    }
    let place = path.split('/').skip(1).fold(value, |at, step| match at {
        Value::Array(items) => {
            let index: usize = step.parse().expect("an index");
            items.extend((index == items.len()).then_some(Value::Null));
            &mut items[index]
        }
        at => &mut at[step.replace("~1", "/").replace("~0", "~")],
    });
    match (&op["text"], place) {
        (Value::String(text), Value::String(place)) => place.push_str(text),
        (_, place) => *place = op["value"].clone(),
    }
}

fn remove(value: &mut Value, path: &str) {
    let Some((above, last)) = path.rsplit_once('/') else {
        *value = Value::Null;
        return;
    };
    match value.pointer_mut(above).expect("it is in something") {
        Value::Array(items) => drop(items.remove(last.parse().expect("an index"))),
        Value::Object(members) => {
            let gone = members.remove(&last.replace("~1", "/").replace("~0", "~"));
            assert!(gone.is_some(), "{path} was there");
        }
        other => panic!("{other} holds nothing"),
    }
}

/// The messages of [`patchwire_wire::Ops`].
pub(crate) fn ops(messages: &[Message]) -> Value {
    let mut value = Value::Null;
    for op in json(messages).filter(|op| op["op"] != "error") {
        fold_op(&mut value, &op);
    }
    value
}

/// The messages of [`patchwire_wire::JsonPatch`], applied by another library.
pub(crate) fn json_patch(messages: &[Message]) -> Value {
    json_patch_if_held(messages).expect("serde_json holds it")
}

/// The same; none if serde_json cannot hold a value, for its numbers or its depth.
pub(crate) fn json_patch_if_held(messages: &[Message]) -> Option<Value> {
    let mut value = Value::Null;
    for message in messages {
        let patch: Patch = serde_json::from_str(message.as_str()).ok()?;
        json_patch::patch(&mut value, &patch).unwrap_or_else(|error| panic!("{message}: {error}"));
    }
    Some(value)
}

/// The state that the events of [`patchwire_wire::AgUi`] come to.
pub(crate) fn ag_ui(messages: &[Message]) -> Value {
    let mut state = Value::Null;
    for mut event in json(messages) {
        if event["type"] == "STATE_SNAPSHOT" {
            state = event["snapshot"].take();
        } else if event["type"] == "STATE_DELTA" {
            let patch: Patch = serde_json::from_value(event["delta"].take()).expect("RFC 6902");
            json_patch::patch(&mut state, &patch).expect("it applies");
        }
    }
    state
}

/// The data part of [`patchwire_wire::UiMessage`], and what its transient operations come to.
pub(crate) fn ui_message(messages: &[Message]) -> (Value, Value) {
    let (mut part, mut folded) = (Value::Null, Value::Null);
    let (done, chunks) = messages.split_last().expect("there are messages");
    assert_eq!(done.as_str(), "[DONE]");
    for mut chunk in json(chunks) {
        if chunk["type"] == "data-answer" {
            part = chunk["data"].take();
        } else if chunk["type"] == "data-op" {
            fold_op(&mut folded, &chunk["data"]);
        }
    }
    (part, folded)
}

pub(crate) fn json(messages: &[Message]) -> impl Iterator<Item = Value> {
    messages.iter().map(|it| serde_json::from_str(it.as_str()).expect("a message is JSON"))
}
