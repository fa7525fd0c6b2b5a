//! Each way in which a stream can end, by its own type; and what was received stays.

use patchwire_sources::{DecodeErrorKind, Decoder, End, Protocol, ProviderError, Stop};

use crate::bodies;
use crate::decoded::Decoded;

fn event(data: &str) -> String {
    format!("data: {data}\n\n")
}

fn chat(finish: &str, last: &str) -> Decoded {
    let text = event(r#"{"choices":[{"index":0,"delta":{"content":"half an"}}]}"#);
    let end =
        event(&format!(r#"{{"choices":[{{"index":0,"delta":{{}},"finish_reason":{finish}}}]}}"#));
    let decoded = Decoded::of(Protocol::OpenAiChat, text + &end + last);
    assert_eq!(decoded.text(), "half an");
    decoded
}

#[test]
fn the_reason_is_the_providers() {
    let reasons = [
        ("stop", Stop::End),
        ("length", Stop::Length),
        ("tool_calls", Stop::ToolCalls),
        ("content_filter", Stop::Filter),
        ("insufficient_system_resource", Stop::Other("insufficient_system_resource".to_owned())),
    ];
    for (word, stop) in reasons {
        let decoded = chat(&format!("{word:?}"), "data: [DONE]\n\n");
        assert_eq!(decoded.end, Ok(End::Closed(stop)));
    }
    let reasons = [
        ("end_turn", Stop::End),
        ("stop_sequence", Stop::Sequence),
        ("max_tokens", Stop::Length),
        ("tool_use", Stop::ToolCalls),
        ("refusal", Stop::Refusal),
        ("pause_turn", Stop::Other("pause_turn".to_owned())),
    ];
    for (word, stop) in reasons {
        let body =
            event(&format!(r#"{{"type":"message_delta","delta":{{"stop_reason":"{word}"}}}}"#))
                + &event(r#"{"type":"message_stop"}"#);
        assert_eq!(Decoded::of(Protocol::Anthropic, body).end, Ok(End::Closed(stop)));
    }
}

#[test]
fn a_done_that_never_comes_is_a_cut() {
    assert_eq!(chat("null", "").end, Ok(End::Cut(None)));
    assert_eq!(chat("\"stop\"", "").end, Ok(End::Cut(Some(Stop::End))));
    // The last line needs no blank line behind it.
    assert_eq!(chat("\"stop\"", "data: [DONE]").end, Ok(End::Closed(Stop::End)));
    for (protocol, body) in bodies::ALL {
        let cut = body.len() * 2 / 3;
        let decoded = Decoded::of(protocol, &body.as_bytes()[..cut]);
        assert!(matches!(decoded.end, Ok(End::Cut(_))), "{protocol}: {:?}", decoded.end);
        assert!(!decoded.text().is_empty(), "{protocol}");
        assert_eq!(Decoded::of(protocol, "").end, Ok(End::Cut(None)));
    }
}

#[test]
fn responses_say_in_a_status_how_they_end() {
    let ended = |kind: &str, response: &str| {
        let text = event(r#"{"type":"response.output_text.delta","delta":"half an"}"#);
        let end = event(&format!(r#"{{"type":"response.{kind}","response":{response}}}"#));
        let decoded = Decoded::of(Protocol::OpenAiResponses, text + &end);
        assert_eq!(decoded.text(), "half an");
        decoded.end
    };
    let incomplete = |reason: &str| {
        ended(
            "incomplete",
            &format!(r#"{{"status":"incomplete","incomplete_details":{{"reason":"{reason}"}}}}"#),
        )
    };
    assert_eq!(incomplete("max_output_tokens"), Ok(End::Closed(Stop::Length)));
    assert_eq!(incomplete("content_filter"), Ok(End::Closed(Stop::Filter)));
    assert_eq!(ended("completed", r#"{"status":"completed"}"#), Ok(End::Closed(Stop::End)));
    let failed =
        ended("failed", r#"{"status":"failed","error":{"code":"server_error","message":"oh"}}"#);
    let Ok(End::Failed(error)) = failed else { panic!("{failed:?}") };
    assert_eq!(error.to_string(), "server_error: oh");
    assert!(error.is_transient());
}

#[test]
fn a_refusal_has_its_text_and_its_type() {
    let body = event(r#"{"choices":[{"delta":{"refusal":"I'd rather"},"finish_reason":null}]}"#)
        + &event(r#"{"choices":[{"delta":{"refusal":" not."},"finish_reason":"stop"}]}"#)
        + "data: [DONE]\n\n";
    assert_eq!(Decoded::of(Protocol::OpenAiChat, body).refusal(), "I'd rather not.");
    let body = event(r#"{"type":"response.refusal.delta","delta":"No."}"#)
        + &event(r#"{"type":"response.completed","response":{"status":"completed"}}"#);
    let decoded = Decoded::of(Protocol::OpenAiResponses, body);
    assert_eq!((decoded.refusal().as_str(), decoded.end), ("No.", Ok(End::Closed(Stop::Refusal))));
}

#[test]
fn an_error_in_place_of_an_event_keeps_what_came() {
    let errors = [
        (
            Protocol::OpenAiChat,
            "event: error\n",
            r#"{"error":{"message":"too much","type":"rate_limit_exceeded","code":null}}"#,
        ),
        (Protocol::OpenAiChat, "", r#"{"error":"too much"}"#),
        (
            Protocol::OpenAiResponses,
            "event: error\n",
            r#"{"type":"error","code":"rate_limit_exceeded","message":"too much"}"#,
        ),
        (
            Protocol::Anthropic,
            "event: error\n",
            r#"{"type":"error","error":{"type":"overloaded_error","message":"too much"}}"#,
        ),
        (Protocol::Ollama, "", r#"{"error":"too much"}"#),
    ];
    for (protocol, name, error) in errors {
        let body = bodies::ALL.iter().find(|(it, _)| *it == protocol).map_or("", |(_, body)| body);
        // As far as the text.
        let separator = if protocol.is_sse() { "\n\n" } else { "\n" };
        let events: Vec<&str> = body.split_inclusive(separator).collect();
        let some = events[..events.len() * 2 / 3].concat();
        let last = if protocol.is_sse() { event(error) } else { format!("{error}\n") };
        let decoded = Decoded::of(protocol, some + name + &last);
        let Ok(End::Failed(error)) = decoded.end.clone() else {
            panic!("{protocol}: {:?}", decoded.end)
        };
        assert_eq!(error.message, "too much");
        assert!(decoded.text().starts_with("Grü"), "{protocol}: {:?}", decoded.text());
    }
}

#[test]
fn an_error_in_place_of_a_stream_says_what_the_body_says() {
    let decoded =
        |status, body: &str| ProviderError::of_response(status, body.as_bytes()).to_string();
    assert_eq!(
        decoded(401, r#"{"error":{"message":"no key","type":"auth","code":"invalid_api_key"}}"#),
        "status 401: invalid_api_key: no key"
    );
    assert_eq!(
        decoded(529, r#"{"type":"error","error":{"type":"overloaded_error","message":"busy"}}"#),
        "status 529: overloaded_error: busy"
    );
    assert_eq!(decoded(400, r#"[{"error":{"message":"listed"}}]"#), "status 400: listed");
    assert_eq!(decoded(422, r#"{"detail":"wrong"}"#), "status 422: wrong");
    assert_eq!(decoded(404, r#"{"error":"model not found"}"#), "status 404: model not found");
    assert_eq!(decoded(502, "<html>Bad gateway</html>"), "status 502: <html>Bad gateway</html>");
    assert_eq!(decoded(500, ""), "status 500: no message");
    let transient = |status| ProviderError::of_response(status, b"").is_transient();
    assert!([429, 500, 503, 529, 408].into_iter().all(transient));
    assert!(![400, 401, 403, 404, 422].into_iter().any(transient));
}

#[test]
fn a_broken_event_is_skipped_and_is_the_error_of_the_end() {
    let good = event(r#"{"choices":[{"delta":{"content":"so far"}}]}"#);
    let body = format!("{good}data: {{\"choices\":[{{\n\n{good}");
    let mut decoder = Decoder::new(Protocol::OpenAiChat);
    let mut text = 0;
    decoder.feed(body.as_bytes(), |_| text += 1).expect("events before it were good");
    assert_eq!(text, 2);
    let error = decoder.clone().finish(|_| {}).expect_err("one is broken");
    assert_eq!(error.offset, good.len() as u64);
    assert!(
        matches!(&error.kind, DecodeErrorKind::NotJson { excerpt, .. } if excerpt == "{\"choices\":[{")
    );
    assert!(error.to_string().contains("is this the right protocol?"), "{error}");
    // Only the first of several is emitted.
    let end = Decoded::of(Protocol::OpenAiChat, body + "data: 1\n\n" + &good).end;
    assert_eq!(end, Err(error));

    // A body that begins with it may be of another protocol.
    let mut decoder = Decoder::new(Protocol::OpenAiChat);
    let error = decoder.feed(b"data: {\n\ndata: {}\n\n", |_| {}).expect_err("it is broken");
    assert_eq!(decoder.feed(b"", |_| {}), Err(error.clone()));
    assert_eq!(decoder.finish(|_| {}), Err(error));
    let decoded = Decoded::of(Protocol::OpenAiChat, "data: hello\n\n");
    assert!(decoded.end.is_err());
    let decoded = Decoded::of(Protocol::Ollama, "<html>\n");
    assert!(decoded.end.is_err());
    let decoded = Decoded::of(Protocol::Ollama, "[1]\n");
    assert!(decoded.end.is_err());
}

#[test]
fn a_finished_decoder_reads_no_more() {
    let mut decoder = Decoder::new(Protocol::OpenAiChat);
    assert!(!decoder.is_closed());
    decoder.feed(b"data: [DONE]\n\n", |_| {}).expect("it is open");
    assert!(decoder.is_closed());
    assert_eq!(decoder.finish(|_| {}), Ok(End::Closed(Stop::End)));
    let over = decoder.feed(b"data: {}\n\n", |_| {}).expect_err("it is over");
    assert_eq!(over.kind, DecodeErrorKind::Over);
    assert_eq!(decoder.finish(|_| {}).expect_err("it is over").kind, DecodeErrorKind::Over);
}

#[test]
fn protocols_have_names() {
    for protocol in Protocol::ALL {
        assert_eq!(protocol.to_string().parse(), Ok(protocol));
    }
    let unknown = "openai".parse::<Protocol>().expect_err("no protocol");
    assert!(unknown.to_string().contains("openai-chat"), "{unknown}");
}

/// Where the event begins that says it, wherever chunks end.
#[test]
fn trouble_has_a_place() {
    let text = event(r#"{"choices":[{"delta":{"content":"half an"}}]}"#);
    let error = event(r#"{"error":{"message":"busy"}}"#);
    let refusal = event(r#"{"choices":[{"delta":{"refusal":"No."}}]}"#);
    let at = Some(text.len() as u64);
    for (body, place) in [
        (text.clone() + &error + &refusal, at),
        (text.clone() + &refusal + &error, at),
        (text.clone() + error.trim_end(), at),
        (text, None),
    ] {
        for size in [1, 7, body.len()] {
            let mut decoder = Decoder::new(Protocol::OpenAiChat);
            for chunk in body.as_bytes().chunks(size) {
                decoder.feed(chunk, |_| {}).unwrap();
            }
            decoder.finish(|_| {}).unwrap();
            assert_eq!(decoder.trouble_at(), place, "{body}");
        }
    }
    let stop = r#"{"type":"message_delta","delta":{"stop_reason":"refusal"}}"#;
    let mut decoder = Decoder::new(Protocol::Anthropic);
    decoder.feed((event(r#"{"type":"ping"}"#) + &event(stop)).as_bytes(), |_| {}).unwrap();
    assert_eq!(decoder.trouble_at(), Some(23));
}

#[test]
fn halves_of_a_character_are_joined() {
    let event = |content: &str, junk: &str| {
        event(&format!(r#"{{"choices":[{{"delta":{{"content":"{content}","junk":"{junk}"}}}}]}}"#))
    };
    let body = event("a\\ud83d", "") + &event("\\ude00b", "\\udfff") + "data: [DONE]\n\n";
    let lone = event("a\\ud83d", "") + "data: [DONE]\n\n";
    assert_eq!(Decoded::of(Protocol::OpenAiChat, lone).text(), "a\u{fffd}");
    let decoded = Decoded::of(Protocol::OpenAiChat, body);
    assert_eq!((decoded.text(), decoded.end), ("a😀b".to_owned(), Ok(End::Closed(Stop::End))));
}

#[test]
fn an_event_without_data_keeps_the_connection() {
    let decoded = chat("\"stop\"", "data: \n\ndata:\n\ndata: [DONE]\n\n");
    assert_eq!(decoded.end, Ok(End::Closed(Stop::End)));
}

#[test]
fn a_status_in_the_stream_says_whether_asking_again_may_help() {
    for (error, status, transient) in [
        (r#"{"message":"slow down","code":429,"type":"rate_limit"}"#, Some(429), true),
        (r#"{"message":"no","code":503}"#, Some(503), true),
        (r#"{"message":"no","status":400}"#, Some(400), false),
        (r#"{"message":"no","code":7}"#, None, false),
    ] {
        let end = chat("null", &event(&format!(r#"{{"error":{error}}}"#))).end;
        let Ok(End::Failed(found)) = end else { panic!("{end:?}") };
        assert_eq!((found.status, found.is_transient()), (status, transient), "{error}");
    }
}
