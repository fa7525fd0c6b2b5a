//! Events of the layers above the parser: attempts, tool calls, snapshots; and events about other things than values.

use std::sync::Arc;

use patchwire::tags::{BodyFormat, Channel, Family};
use patchwire::{Event, OwnedEvent, Spec, TagSet, document::DocId};
use patchwire_async::{Cause, Rejection, ResponseEvent};
use patchwire_wire::{AgUi, Failure, JsonPatch, Message, Ops, Protocol, UiMessage};
use serde_json::{Value, json};

use crate::consumers;
use crate::streams::{Cuts, read, written};

/// Messages of a stream with two attempts, of which the first calls a tool.
pub(crate) fn two_attempts(protocol: &mut dyn Protocol) -> Vec<Message> {
    let mut messages = Vec::new();
    let mut feed = |event: ResponseEvent| {
        protocol.feed((&event).into(), &mut |it| messages.push(it));
    };
    let first = br#"One moment. {"title": "Dra"#;
    let (_, _) = read(&Spec::json(), first, Cuts::Bytes, |event| {
        if !matches!(event, Event::Final(_)) {
            feed(event.to_owned().into());
        }
    });
    call("toolu_1", br#"{"q": "old"}"#, &mut feed);
    let rejection = Arc::new(Rejection::new(1, Cause::ValidationFailed, "too short"));
    feed(ResponseEvent::Rejected(Arc::clone(&rejection)));
    feed(ResponseEvent::Retrying { attempt: 2, rejection });
    feed(ResponseEvent::Reset { attempt: 2 });
    let second = br#"<think>again</think>{"title": "Draft", "n": [1, 2]} There."#;
    let (parser, answer) = read(&Spec::json(), second, Cuts::Random(2), |event| {
        if !matches!(event, Event::Final(_)) {
            feed(event.to_owned().into());
        }
    });
    assert!(parser.value().exists());
    let arguments = br#"{"q": "caf\u00e9", "n": [1, {"deep": true}], "none": {}}"#;
    call("toolu_2", arguments, &mut feed);
    feed(OwnedEvent::Final(answer.expect("it is whole")).into());
    messages
}

/// A tool call, as a layer tells it that reads a provider's stream: its name comes after its arguments
/// began.
fn call(id: &str, arguments: &[u8], feed: &mut dyn FnMut(ResponseEvent)) {
    let (document, call) = (DocId::from_number(7), 1);
    let feed_call = |feed: &mut dyn FnMut(ResponseEvent), name: Option<&str>| {
        let (id, name) = (Some(id.into()), name.map(Into::into));
        feed(ResponseEvent::ToolCall { document, call, id, name });
    };
    feed_call(feed, None);
    let mut named = false;
    drop(read(&Spec::json(), arguments, Cuts::Random(4), |event| {
        let Event::Patch(mut patch) = event else { return };
        let mut origin = *patch.origin;
        origin.call = Some(call);
        (patch.document, patch.origin) = (document, &origin);
        feed(OwnedEvent::Patch(patch.to_owned()).into());
        if !core::mem::replace(&mut named, true) {
            feed_call(feed, Some("search"));
        }
    }));
}

#[test]
fn an_attempt_that_is_over_leaves_nothing() {
    let want = json!({"title": "Draft", "n": [1, 2]});
    assert_eq!(consumers::json_patch(&two_attempts(&mut JsonPatch::default())), want);
    assert_eq!(consumers::ops(&two_attempts(&mut Ops::default())), want);
    assert_eq!(consumers::ag_ui(&two_attempts(&mut AgUi::new("t", "r"))), want);
    let (part, folded) = consumers::ui_message(&two_attempts(&mut UiMessage::default()));
    assert_eq!((&part, &folded), (&want, &want));
}

fn of_type(messages: &[Message], wanted: &str) -> Vec<Value> {
    let messages: Vec<Message> =
        messages.iter().filter(|it| it.as_str().starts_with('{')).cloned().collect();
    consumers::json(&messages).filter(|it| it["type"] == wanted).collect()
}

#[test]
fn arguments_are_json_text_in_ag_ui() {
    let messages = two_attempts(&mut AgUi::new("t", "r"));
    let starts = of_type(&messages, "TOOL_CALL_START");
    assert_eq!(starts.len(), 2);
    assert_eq!(starts[0]["toolCallId"], "toolu_1");
    assert_eq!(starts[0]["toolCallName"], "search");
    let text: String = of_type(&messages, "TOOL_CALL_ARGS")
        .iter()
        .map(|event| event["delta"].as_str().expect("text").to_owned())
        .collect();
    let want = r#"{"q":"old"}{"q":"café","n":[1,{"deep":true}],"none":{}}"#;
    assert_eq!(text, want);
    let results = of_type(&messages, "TOOL_CALL_RESULT");
    assert_eq!(results.len(), 1, "the void one is answered: {results:?}");
    let custom = of_type(&messages, "CUSTOM");
    let names: Vec<&str> = custom.iter().filter_map(|event| event["name"].as_str()).collect();
    for name in ["patchwire.validation_failed", "patchwire.retrying", "patchwire.reset"] {
        assert!(names.contains(&name), "{names:?}");
    }
}

#[test]
fn arguments_are_an_input_in_ui_messages() {
    let messages = two_attempts(&mut UiMessage::default());
    let available = of_type(&messages, "tool-input-available");
    assert_eq!(available.len(), 1);
    let input = json!({"q": "café", "n": [1, {"deep": true}], "none": {}});
    assert_eq!(available[0]["input"], input);
    assert_eq!(of_type(&messages, "tool-input-error").len(), 1);
    assert_eq!(of_type(&messages, "finish")[0]["finishReason"], "tool-calls");
}

#[test]
fn a_snapshot_is_the_whole_value() {
    let (parser, _) = read(&Spec::json(), br#"{"a": ["b", {"c": "d"#, Cuts::Whole, |_| {});
    let mut origin = None;
    drop(read(&Spec::json(), b"{}", Cuts::Whole, |event| {
        if let Event::Patch(patch) = event {
            origin = Some(*patch.origin);
        }
    }));
    let origin = origin.expect("there was a patch");
    let value = parser.value().to_value();
    let snapshot = ResponseEvent::Snapshot { document: DocId::ANSWER, origin, value };
    let mut messages = Vec::new();
    JsonPatch::default().feed((&snapshot).into(), &mut |message| messages.push(message));
    assert_eq!(consumers::json_patch(&messages), json!({"a": ["b", {"c": "d"}]}));
}

#[test]
fn a_stream_that_breaks_ends_in_an_error() {
    let failure = Failure::new("source", "the model hung up");
    let mut messages = Vec::new();
    let mut ag_ui = AgUi::new("t", "r");
    ag_ui.fail(&failure, &mut |message| messages.push(message.to_string()));
    assert_eq!(
        messages,
        [
            r#"{"type":"RUN_STARTED","threadId":"t","runId":"r"}"#,
            r#"{"type":"RUN_ERROR","message":"the model hung up","code":"source"}"#,
        ]
    );
    let spec =
        Spec::builder().limits(patchwire::Limits::default().with(patchwire::Limit::Depth, 1));
    let written = written(
        &spec.build().expect("fine"),
        br#"{"a": "xyz", "b": []}"#,
        Cuts::Bytes,
        UiMessage::default(),
    );
    assert!(!written.is_whole);
    assert_eq!(of_type(&written.messages, "error")[0]["errorText"], "limit `depth` reached");
    assert_eq!(of_type(&written.messages, "finish")[0]["finishReason"], "error");
}

#[test]
fn text_around_the_value_is_a_message_and_blanks_are_none() {
    let input = b"<think>hm</think>\n\nSure: {\"a\": 1}\n\n";
    let written = written(&Spec::json(), input, Cuts::Bytes, AgUi::new("t", "r"));
    let text = of_type(&written.messages, "TEXT_MESSAGE_CONTENT");
    let text: String = text.iter().filter_map(|event| event["delta"].as_str()).collect();
    assert_eq!(text, "\n\nSure: ");
    assert_eq!(of_type(&written.messages, "TEXT_MESSAGE_START").len(), 1);
    assert_eq!(of_type(&written.messages, "REASONING_MESSAGE_CONTENT")[0]["delta"], "h");
}

#[test]
fn elements_are_steps() {
    let spec = Spec::builder()
        .format(patchwire::Format::Text)
        .tags(TagSet::scratchpad())
        .build()
        .expect("they agree");
    let input = b"<scratch_pad>hm</scratch_pad><output>Hi</output>";
    let written = written(&spec, input, Cuts::Bytes, AgUi::new("t", "r"));
    let started = of_type(&written.messages, "STEP_STARTED");
    assert_eq!(started.len(), 1);
    assert_eq!(started[0]["stepName"], "output");
    assert_eq!(of_type(&written.messages, "STEP_FINISHED").len(), 1);
    let text = of_type(&written.messages, "TEXT_MESSAGE_CONTENT");
    let text: String = text.iter().filter_map(|event| event["delta"].as_str()).collect();
    assert_eq!(text, "Hi");
}

/// AG-UI's own reader refuses such keys in paths, so the state goes out whole at the end.
#[test]
fn keys_that_javascript_guards_do_not_break_the_state() {
    let input = br#"{"a": {"__proto__": {"b": "c"}}, "d": 1}"#;
    let written = written(&Spec::json(), input, Cuts::Bytes, AgUi::new("t", "r"));
    let deltas = of_type(&written.messages, "STATE_DELTA");
    assert!(deltas.iter().all(|event| !event.to_string().contains("__proto__")));
    assert_eq!(Some(consumers::ag_ui(&written.messages)), written.want);
}

#[test]
fn what_was_read_before_an_error_is_sent_to_the_end() {
    let limits = patchwire::Limits::default().with(patchwire::Limit::Total, 25);
    let spec = Spec::builder().limits(limits).build().expect("fine");
    let input = br#"{"text": "abcdefghijklmnopqrstuvwxyz"}"#;
    for cuts in Cuts::ALL {
        let written = written(&spec, input, cuts, JsonPatch::default());
        assert!(!written.is_whole);
        assert_eq!(Some(consumers::json_patch(&written.messages)), written.want, "{cuts:?}");
    }
}

/// A call whose arguments the end corrects, after their text went out; its tool is never named.
fn corrected(protocol: &mut dyn Protocol) -> Vec<Message> {
    let spec = Spec::builder().roots(patchwire::spec::Roots::Last).build().expect("fine");
    let mut messages = Vec::new();
    let mut feed = |event: Event<'_>| protocol.feed(event.into(), &mut |it| messages.push(it));
    let (_, answer) = read(&spec, br#"{"a": 1} or rather {"b": [2]}"#, Cuts::Bytes, |event| {
        let Event::Patch(mut patch) = event else { return };
        let mut origin = *patch.origin;
        origin.call = Some(3);
        patch.origin = &origin;
        feed(Event::Patch(patch));
    });
    feed(Event::Final(&answer.expect("it is whole")));
    messages
}

#[test]
fn corrected_arguments_are_sent_once_more() {
    let messages = corrected(&mut AgUi::new("t", "r"));
    let custom = of_type(&messages, "CUSTOM");
    let value = json!({"toolCallId": "call-3", "args": {"b": [2]}});
    assert!(custom.iter().any(|event| event["value"] == value), "{custom:?}");
    assert_eq!(of_type(&messages, "TOOL_CALL_END").len(), 1);
    let messages = corrected(&mut UiMessage::default());
    let available = &of_type(&messages, "tool-input-available")[0];
    assert_eq!(available["input"], json!({"b": [2]}));
    assert_eq!(
        (&available["toolCallId"], &available["toolName"]),
        (&json!("call-3"), &json!("unknown"))
    );
}

#[test]
fn the_data_part_has_the_name_that_it_is_given() {
    let wire = UiMessage::default().with_name("report");
    let written = written(&Spec::json(), br#"{"a": 1}"#, Cuts::Whole, wire);
    let parts = of_type(&written.messages, "data-report");
    let last = parts.last().expect("there is a part");
    assert_eq!((&last["id"], &last["data"]), (&json!("report"), &json!({"a": 1})));
}

/// A step in a step of the same name is another step.
#[test]
fn nested_elements_of_one_name_are_steps_of_their_own() {
    let family = Family::new("note", "<n>", "</n>", Channel::Named("notes".to_owned()));
    let family = family.with_same(patchwire::tags::OnReopen::Nest);
    let tags = TagSet::new([family]).expect("one family");
    let spec = Spec::builder().format(patchwire::Format::Text).tags(tags).build().expect("fine");
    let written = written(&spec, b"<n>a<n>b</n></n>", Cuts::Bytes, AgUi::new("t", "r"));
    let names = |wanted| -> Vec<String> {
        let events = of_type(&written.messages, wanted);
        events.iter().map(|event| event["stepName"].as_str().expect("a name").to_owned()).collect()
    };
    assert_eq!(names("STEP_STARTED"), ["note", "note#2"]);
    assert_eq!(names("STEP_FINISHED"), ["note#2", "note"]);
    let custom = of_type(&written.messages, "CUSTOM");
    let texts: Vec<&Value> = custom.iter().map(|event| &event["value"]["delta"]).collect();
    assert_eq!(texts[..2], [&json!("a"), &json!("b")]);
}

/// An answer in an element ranks above one outside, but only within an attempt.
#[test]
fn an_attempt_is_shown_whatever_the_one_before_was() {
    let answer = Family::new("answer", "<answer>", "</answer>", Channel::Answer);
    let tags = TagSet::new([answer.with_body(BodyFormat::Json)]).expect("a set");
    let spec = Spec::builder().tags(tags).build().expect("a spec");
    let (mut ops, mut messages) = (Ops::default(), Vec::new());
    let mut feed = |event: ResponseEvent| {
        ops.feed((&event).into(), &mut |message| messages.push(message));
    };
    for (attempt, text) in [(1, "<answer>{\"a\": 1"), (2, "{\"a\": 2}")] {
        if attempt > 1 {
            feed(ResponseEvent::Reset { attempt });
        }
        drop(read(&spec, text.as_bytes(), Cuts::Bytes, |event| {
            if !matches!(event, Event::Final(_)) {
                feed(event.to_owned().into());
            }
        }));
    }
    assert_eq!(consumers::ops(&messages), json!({"a": 2}));
}
