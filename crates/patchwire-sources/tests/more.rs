//! Gemini, Cohere and Bedrock: whole bodies in each of their framings, at every cut.

use patchwire_sources::{End, Protocol, Stop};
use serde_json::{Value as Json, json};

use crate::cuts::cut_at;
use crate::decoded::Decoded;

const TEXT: &str = "Grüße {\"a\": [1]} ☃\n";

fn gemini() -> Vec<Json> {
    let with = |parts: Json| json!({"candidates": [{"content": {"parts": parts, "role": "model"}, "index": 0}]});
    let mut last = with(json!([{"functionCall": {"name": "now", "args": {}}}]));
    last["candidates"][0]["finishReason"] = "STOP".into();
    last["usageMetadata"] = json!({"totalTokenCount": 7});
    last["modelVersion"] = "g-1".into();
    vec![
        with(json!([{"text": "Hm", "thought": true}])),
        with(json!([{"text": TEXT}, {"text": ""}])),
        with(
            json!([{"functionCall": {"id": "x", "name": "find", "args": {"q": [1, 2]}}, "thoughtSignature": "s"}]),
        ),
        with(json!([{"inlineData": {"mimeType": "image/png", "data": ""}}])),
        last,
    ]
}

fn cohere() -> Vec<Json> {
    let of = |kind: &str, message: Json| json!({"type": kind, "index": 0, "delta": {"message": message}});
    let mut second = of(
        "tool-call-start",
        json!({"tool_calls": {"id": "y", "function": {"name": "now", "arguments": ""}}}),
    );
    second["index"] = 1.into();
    vec![
        json!({"type": "message-start", "id": "m", "delta": {"message": {"role": "assistant"}}}),
        of("tool-plan-delta", json!({"tool_plan": "Hm"})),
        of("content-start", json!({"content": {"type": "text", "text": ""}})),
        of("content-delta", json!({"content": {"text": TEXT}})),
        json!({"type": "content-end", "index": 0}),
        of(
            "tool-call-start",
            json!({"tool_calls": {"id": "x", "function": {"name": "find", "arguments": ""}}}),
        ),
        of("tool-call-delta", json!({"tool_calls": {"function": {"arguments": "{\"q\":[1"}}})),
        of("tool-call-delta", json!({"tool_calls": {"function": {"arguments": ",2]}"}}})),
        json!({"type": "tool-call-end", "index": 0}),
        second,
        json!({"type": "tool-call-end", "index": 1}),
        json!({"type": "message-end", "delta": {"finish_reason": "TOOL_CALL", "usage": {"tokens": 7}}}),
    ]
}

fn bedrock() -> Vec<Json> {
    let delta = |at: u32, delta: Json| json!({"contentBlockDelta": {"delta": delta, "contentBlockIndex": at}});
    let start = |at: u32, id: &str, name: &str| {
        let tool = json!({"toolUse": {"toolUseId": id, "name": name}});
        json!({"contentBlockStart": {"start": tool, "contentBlockIndex": at}})
    };
    let stop = |at: u32| json!({"contentBlockStop": {"contentBlockIndex": at}});
    vec![
        json!({"messageStart": {"role": "assistant"}}),
        delta(0, json!({"reasoningContent": {"text": "Hm"}})),
        stop(0),
        delta(1, json!({"text": TEXT})),
        stop(1),
        start(2, "x", "find"),
        delta(2, json!({"toolUse": {"input": "{\"q\":[1"}})),
        delta(2, json!({"toolUse": {"input": ",2]}"}})),
        stop(2),
        start(3, "y", "now"),
        stop(3),
        json!({"messageStop": {"stopReason": "tool_use"}}),
        json!({"metadata": {"usage": {"totalTokens": 7}}}),
    ]
}

fn sse(events: &[Json]) -> Vec<u8> {
    events.iter().map(|event| format!("data: {event}\n\n")).collect::<String>().into_bytes()
}

fn list(events: &[Json]) -> Vec<u8> {
    format!("{:#}", Json::from(events)).into_bytes()
}

fn lines(events: &[Json]) -> Vec<u8> {
    events.iter().map(|event| format!("{event}\n")).collect::<String>().into_bytes()
}

/// AWS's framing, with zeros in place of checksums.
fn binary(events: &[Json]) -> Vec<u8> {
    let mut body = Vec::new();
    for event in events {
        let (name, content) = event.as_object().unwrap().iter().next().unwrap();
        let mut headers = Vec::new();
        let kind = if name.ends_with("Exception") { ":exception-type" } else { ":event-type" };
        for (key, value) in [(":content-type", "application/json"), (kind, name.as_str())] {
            headers.push(key.len() as u8);
            headers.extend_from_slice(key.as_bytes());
            headers.push(7);
            headers.extend_from_slice(&(value.len() as u16).to_be_bytes());
            headers.extend_from_slice(value.as_bytes());
        }
        let payload = content.to_string();
        let len = 16 + headers.len() + payload.len();
        body.extend_from_slice(&(len as u32).to_be_bytes());
        body.extend_from_slice(&(headers.len() as u32).to_be_bytes());
        body.extend_from_slice(&[0; 4]);
        body.extend_from_slice(&headers);
        body.extend_from_slice(payload.as_bytes());
        body.extend_from_slice(&[0; 4]);
    }
    body
}

fn all() -> Vec<(Protocol, Vec<u8>)> {
    let (gemini, cohere, bedrock) = (gemini(), cohere(), bedrock());
    vec![
        (Protocol::Gemini, sse(&gemini)),
        (Protocol::Gemini, list(&gemini)),
        (Protocol::Gemini, lines(&gemini)),
        (Protocol::Cohere, sse(&cohere)),
        (Protocol::Bedrock, binary(&bedrock)),
        (Protocol::Bedrock, lines(&bedrock)),
        (Protocol::Bedrock, list(&bedrock)),
        (Protocol::Bedrock, sse(&bedrock)),
    ]
}

#[test]
fn every_framing_gives_the_same_answer_at_every_cut() {
    for (protocol, body) in all() {
        let whole = Decoded::of(protocol, &body);
        assert_eq!((whole.text().as_str(), whole.reasoning().as_str()), (TEXT, "Hm"), "{protocol}");
        let calls: Vec<(String, String)> =
            whole.calls().into_values().map(|(name, pieces)| (name, pieces.concat())).collect();
        let named = |name: &str, arguments: &str| (name.to_owned(), arguments.to_owned());
        assert_eq!(calls, [named("find", "{\"q\":[1,2]}"), named("now", "{}")], "{protocol}");
        assert_eq!(whole.end, Ok(End::Closed(Stop::ToolCalls)), "{protocol}");
        assert!(whole.fact("usage").is_some(), "{protocol}");
        for at in 0..=body.len() {
            assert_eq!(cut_at(protocol, &body, &[at]), whole, "{protocol}, cut at {at}");
        }
        assert_eq!(Decoded::in_pieces(protocol, body.chunks(1)), whole, "{protocol}");
    }
}

#[test]
fn bodies_that_are_cut_have_what_came() {
    for (protocol, body) in all() {
        let whole = Decoded::of(protocol, &body);
        for at in 0..body.len() {
            let cut = Decoded::of(protocol, &body[..at]);
            assert!(whole.text().starts_with(&cut.text()), "{protocol}, cut at {at}");
            assert!(cut.end.is_ok(), "{protocol}, cut at {at}: {:?}", cut.end);
        }
    }
}

#[test]
fn the_protocol_is_emitted_from_the_first_bytes() {
    for (protocol, body) in all() {
        assert_eq!(Protocol::detect(&body), Some(protocol), "{protocol}");
        assert_eq!(Protocol::detect(&body[..10]), None, "{protocol}");
    }
    for (protocol, body) in crate::bodies::ALL {
        assert_eq!(Protocol::detect(body.as_bytes()), Some(protocol));
    }
    for text in ["", "Hello", "{\"a\": 1}", "[1, 2]", "data: x\n\n", "\0\0\0\0\0", "<html>"] {
        assert_eq!(Protocol::detect(text.as_bytes()), None, "{text:?}");
    }
}

#[test]
fn a_body_that_ended_tells_its_protocol_without_a_piece_of_an_answer() {
    let chat = "data: {\"choices\":[{\"delta\":{\"content\":\"a\"}}]}\ndata: [DONE]\n";
    let responses = concat!(
        "data: {\"type\":\"response.created\",\"response\":{\"id\":\"r\",\"model\":\"m\"}}\n\n",
        "event: error\ndata: {\"type\":\"error\",\"message\":\"busy\"}\n\n",
    );
    let gemini = "data: {\"promptFeedback\":{\"blockReason\":\"SAFETY\"}}\r\n\r\n";
    for (body, protocol) in [
        (chat, Protocol::OpenAiChat),
        (responses, Protocol::OpenAiResponses),
        (gemini, Protocol::Gemini),
    ] {
        assert_eq!(Protocol::detect(body.as_bytes()), None, "{body}");
        assert_eq!(Protocol::detect_ended(body.as_bytes()), Some(protocol), "{body}");
    }
    for text in
        ["", "data: x\n", "id: 7\nname: Ann\n", "{\"error\": \"x\"}", "data: {\"a\": 1}\n\n"]
    {
        assert_eq!(Protocol::detect_ended(text.as_bytes()), None, "{text:?}");
    }
}

#[test]
fn arguments_of_gemini_come_as_values_with_paths() {
    let part =
        |call: Json| json!({"candidates": [{"content": {"parts": [{"functionCall": call}]}}]});
    let piece = |value: &str, more: bool| {
        let value = json!({"jsonPath": "$.city", "stringValue": value, "willContinue": more});
        part(json!({"partialArgs": [value], "willContinue": true}))
    };
    let events = [
        part(json!({"name": "weather", "willContinue": true})),
        piece("Os", true),
        piece("lo", false),
        part(json!({})),
        part(json!({"name": "now", "willContinue": true})),
        part(json!({})),
        part(json!({"name": "tides", "args": {"a": 1}})),
        json!({"candidates": [{"finishReason": "STOP"}]}),
    ];
    let calls = Decoded::of(Protocol::Gemini, sse(&events)).calls();
    let calls: Vec<_> = calls.into_values().map(|(name, pieces)| (name, pieces.concat())).collect();
    let expected = [("weather", r#"{"city":"Oslo"}"#), ("now", "{}"), ("tides", r#"{"a":1}"#)];
    assert_eq!(calls, expected.map(|(name, text)| (name.to_owned(), text.to_owned())));
}

#[test]
fn errors_and_ends() {
    let gemini = |event: Json| Decoded::of(Protocol::Gemini, list(&[event])).end;
    let error =
        gemini(json!({"error": {"code": 429, "message": "busy", "status": "RESOURCE_EXHAUSTED"}}));
    assert!(matches!(error, Ok(End::Failed(error)) if error.status == Some(429)));
    for (reason, stop) in
        [("STOP", Stop::End), ("MAX_TOKENS", Stop::Length), ("SAFETY", Stop::Filter)]
    {
        let event = json!({"candidates": [{"finishReason": reason}]});
        assert_eq!(gemini(event), Ok(End::Closed(stop)), "{reason}");
    }
    let blocked = gemini(json!({"promptFeedback": {"blockReason": "SAFETY"}}));
    assert_eq!(blocked, Ok(End::Closed(Stop::Filter)));

    let cohere = |delta: Json| {
        Decoded::of(Protocol::Cohere, sse(&[json!({"type": "message-end", "delta": delta})])).end
    };
    for (reason, stop) in
        [("COMPLETE", Stop::End), ("MAX_TOKENS", Stop::Length), ("STOP_SEQUENCE", Stop::Sequence)]
    {
        assert_eq!(cohere(json!({"finish_reason": reason})), Ok(End::Closed(stop)), "{reason}");
    }
    let error = cohere(json!({"finish_reason": "ERROR", "error": "no luck"}));
    assert!(matches!(error, Ok(End::Failed(error)) if error.message == "no luck"));

    let busy = [json!({"throttlingException": {"message": "slow down"}})];
    for body in [binary(&busy), lines(&busy)] {
        let end = Decoded::of(Protocol::Bedrock, body).end;
        assert!(matches!(end, Ok(End::Failed(error)) if error.message == "slow down"));
    }
    for (reason, stop) in [
        ("end_turn", Stop::End),
        ("max_tokens", Stop::Length),
        ("guardrail_intervened", Stop::Filter),
    ] {
        let body = lines(&[json!({"messageStop": {"stopReason": reason}})]);
        assert_eq!(Decoded::of(Protocol::Bedrock, body).end, Ok(End::Closed(stop)), "{reason}");
    }
}

/// Bytes that no server sends: an error or nothing, and never a panic.
#[test]
fn bytes_that_are_no_messages() {
    for body in [
        &[0_u8; 64][..],
        &[0, 0, 0, 15],
        &[0, 0, 0, 20, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    ] {
        let whole = Decoded::of(Protocol::Bedrock, body);
        assert!(whole.deltas.is_empty());
        assert_eq!(Decoded::in_pieces(Protocol::Bedrock, body.chunks(1)).deltas, whole.deltas);
    }
    let long = [&[0, 0xFF, 0xFF, 0xFF][..], &[0; 100]].concat();
    assert!(Decoded::of(Protocol::Bedrock, long).end.is_err());
}
