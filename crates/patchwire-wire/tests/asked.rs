//! The events of a real response: attempts, reasoning and calls side by side, as `patchwire-async` tells
//! them.

use std::convert::Infallible;

use futures_util::{FutureExt as _, stream};
use patchwire::Spec;
use patchwire_async::{Attempt, Inputs, ResponseEvent, ask};
use patchwire_wire::{AgUi, JsonPatch, Message, Ops, Protocol, UiMessage};
use serde_json::{Value, json};

use crate::consumers;

/// Each letter is an item: of the answer, of the reasoning, or of the call with that number.
type Item = (char, String);

fn items(parts: &[(char, &str)]) -> Vec<Result<Item, Infallible>> {
    let letters = |(to, text): &(char, &str)| -> Vec<_> {
        text.chars().map(|letter| Ok((*to, letter.to_string()))).collect()
    };
    parts.iter().flat_map(letters).collect()
}

fn split((to, text): Item, out: &mut Inputs) {
    match to.to_digit(10) {
        Some(call) => out.tool(call, Some(&format!("call_{call}")), Some("look_up"), text),
        None if to == 'r' => out.reasoning(Some(text)),
        None => out.text(Some(text)),
    }
}

/// The events of two attempts, of which the first is not taken, and the answer.
fn events() -> (Vec<ResponseEvent>, Value) {
    let request = |attempt: Attempt| async move {
        let parts = match attempt.number {
            1 => items(&[
                ('r', "hm"),
                ('a', "{\"score\": 1, \"t\": \"lo"),
                ('1', "{\"q\": \"x\"}"),
                ('a', "w\"}"),
            ]),
            _ => items(&[
                ('2', "{\"q\":"),
                ('a', "{\"score\": 9, "),
                ('2', " \"y\"}"),
                ('a', "\"t\": \"high\"} ok"),
            ]),
        };
        Ok::<_, Infallible>(stream::iter(parts))
    };
    let is_high = |score: Option<f64>| score.is_some_and(|score| score > 5.0);
    let mut response = ask(Spec::json(), request)
        .validate(move |answer, _| is_high(answer.value().get("score").and_then(|it| it.as_f64())))
        .split(split)
        .send();
    let all = async {
        let mut events = Vec::new();
        while let Some(event) = response.next().await {
            events.push(event.expect("nothing breaks"));
        }
        let value = response.data::<Value>().await.expect("it passed");
        (events, value)
    };
    all.now_or_never().expect("nothing is waited for")
}

fn written(events: &[ResponseEvent], mut protocol: impl Protocol) -> Vec<Message> {
    let mut messages = Vec::new();
    for event in events {
        protocol.feed(event.into(), &mut |message| messages.push(message));
    }
    messages
}

#[test]
fn a_response_of_two_attempts_comes_to_its_answer() {
    let (events, want) = events();
    assert!(events.iter().any(|event| matches!(event, ResponseEvent::Reset { .. })));
    assert_eq!(want, json!({"score": 9, "t": "high"}));
    assert_eq!(consumers::json_patch(&written(&events, JsonPatch::default())), want);
    assert_eq!(consumers::ops(&written(&events, Ops::default())), want);
    assert_eq!(consumers::ag_ui(&written(&events, AgUi::new("t", "r"))), want);
    let messages = written(&events, UiMessage::default());
    assert_eq!(consumers::ui_message(&messages), (want.clone(), want));
    let input = r#"{"type":"tool-input-available","toolCallId":"call_2","toolName":"look_up","input":{"q":"y"}}"#;
    assert!(messages.iter().any(|message| message.as_str() == input), "{messages:?}");
}
