use std::sync::Arc;

use patchwire::{OwnedEvent, Spec, Value, document::DocId, event::Origin};

use super::ResponseEvent;
use crate::rejection::{Cause, Rejection};

/// The line, after checking that serde gives the same text and the line names the event.
fn line(event: &ResponseEvent) -> String {
    let line = event.to_string();
    assert_eq!(serde_json::to_string(event).unwrap(), line);
    assert!(line.starts_with(&format!("{{\"event\":\"{}\"", event.name())), "{line}");
    line
}

fn value(json: &str) -> Value {
    Spec::strict_json().parse(json).unwrap().value().to_value()
}

/// The origin of the answer, as the engine sets it.
fn origin_of_the_answer() -> Origin {
    let mut origin = None;
    let mut parser = Spec::json().parser();
    parser
        .feed("{}", |event| {
            if let patchwire::Event::Patch(patch) = event {
                origin = Some(*patch.origin);
            }
        })
        .unwrap();
    origin.unwrap()
}

#[test]
fn calls_snapshots_and_resets() {
    let (document, call) = (DocId::from_number(1), 2);
    let named = ResponseEvent::ToolCall {
        document,
        call,
        id: Some("c\"1".into()),
        name: Some("find".into()),
    };
    assert_eq!(line(&named), r#"{"event":"tool_call","call":2,"id":"c\"1","name":"find"}"#);
    let nameless = ResponseEvent::ToolCall { document, call, id: None, name: None };
    assert_eq!(line(&nameless), r#"{"event":"tool_call","call":2}"#);
    let mut origin = origin_of_the_answer();
    let value = value(r#"{"a":"so f"}"#);
    let snapshot =
        |origin| line(&ResponseEvent::Snapshot { document, origin, value: value.clone() });
    assert_eq!(snapshot(origin), r#"{"event":"snapshot","value":{"a":"so f"}}"#);
    origin.call = Some(2);
    assert_eq!(snapshot(origin), r#"{"event":"snapshot","value":{"a":"so f"},"call":2}"#);
    (origin.root, origin.attempt) = (3, 4);
    assert_eq!(
        snapshot(origin),
        r#"{"event":"snapshot","value":{"a":"so f"},"root":3,"attempt":4,"call":2}"#
    );
    let reset = ResponseEvent::Reset { attempt: 2 };
    assert_eq!(line(&reset), r#"{"event":"reset","attempt":2}"#);
    assert_eq!((reset.span(), reset.as_patch(), reset.as_final()), (None, None, None));
}

#[test]
fn answers_that_were_not_accepted() {
    let low = Rejection::new(1, Cause::ValidationFailed, "too \"low\"")
        .with_validator(Some("score"))
        .with_payload(Some(value(r#"{"score":0.5}"#)));
    let low = Arc::new(low);
    let blank = Arc::new(Rejection::new(2, Cause::Ensure, "title is blank"));
    let raised = Arc::new(Rejection::new(3, Cause::ValidationError, "no such table"));
    for (event, expected) in [
        (
            ResponseEvent::Rejected(Arc::clone(&low)),
            r#"{"event":"validation_failed","attempt":1,"validator_name":"score","reason":"too \"low\"","payload":{"score":0.5}}"#,
        ),
        (
            ResponseEvent::Retrying { attempt: 2, rejection: low },
            r#"{"event":"retrying","attempt":2,"retry_reason":"validation_failed","validator_name":"score","validation_reason":"too \"low\"","validation_payload":{"score":0.5}}"#,
        ),
        (
            ResponseEvent::Rejected(Arc::clone(&blank)),
            r#"{"event":"attempt_failed","attempt":2,"cause":"ensure","reason":"title is blank"}"#,
        ),
        (
            ResponseEvent::Retrying { attempt: 3, rejection: blank },
            r#"{"event":"retrying","attempt":3,"retry_reason":"ensure","reason":"title is blank"}"#,
        ),
        (
            ResponseEvent::Rejected(raised),
            r#"{"event":"validation_error","attempt":3,"reason":"no such table"}"#,
        ),
    ] {
        assert_eq!(line(&event), expected);
        assert_eq!(event.span(), None);
    }
}

#[test]
fn events_of_the_engine_keep_their_form() {
    let mut events = Vec::new();
    let mut parser = Spec::json().parser();
    parser.feed("{\"a\": [1, \"x\\u0001\"]} so", |event| events.push(event.to_owned())).unwrap();
    parser.finish(|event| events.push(event.to_owned())).unwrap();
    assert!(events.len() > 5);
    for event in events {
        let response = ResponseEvent::from(event.clone());
        assert_eq!(line(&response), event.to_string());
        assert_eq!((response.name(), response.span()), (event.name(), event.span()));
        assert_eq!(response.as_patch().is_some(), matches!(event, OwnedEvent::Patch(_)));
        assert_eq!(response.as_final().is_some(), matches!(event, OwnedEvent::Final(_)));
        assert_eq!(response.as_parsed(), Some(&event));
    }
}

/// Every control character is escaped as the engine escapes it.
#[test]
fn texts_are_escaped_as_the_engine_escapes_them() {
    let text: String = (0_u8..=0x7f).map(char::from).chain(['\u{2028}', 'é']).collect();
    let reason = Arc::new(Rejection::new(1, Cause::Parse, text.clone()));
    let parsed = value(&serde_json::to_string(&text).unwrap()).to_string();
    let line = line(&ResponseEvent::Rejected(reason));
    assert!(line.ends_with(&format!("\"reason\":{parsed}}}")), "{line}");
}

#[test]
fn depth_needs_no_stack() {
    let depth = 50_000;
    let limits = patchwire::Limits::default().with(patchwire::Limit::Depth, depth);
    let mut parser = Spec::builder().limits(limits).build().unwrap().parser();
    parser.feed("[".repeat(50_000), |_| {}).unwrap();
    let value = parser.value().to_value();
    let origin = origin_of_the_answer();
    let snapshot = ResponseEvent::Snapshot { document: DocId::ANSWER, origin, value };
    let (opened, closed) = ("[".repeat(50_000), "]".repeat(50_000));
    assert_eq!(
        snapshot.to_string(),
        format!("{{\"event\":\"snapshot\",\"value\":{opened}{closed}}}")
    );
}
