//! How bodies end: what is wrong is said, with its place, and what came stays.

use serde_json::Value;

use super::samples::{ANTHROPIC, CHAT, OLLAMA, VALUE, called, said, stopped};
use crate::run::{lines, patchwire};

const HALF: &str = "{\"title\": \"half";

fn refused(why: &str) -> String {
    let event = serde_json::json!({"choices": [{"delta": {"refusal": why}}]});
    format!("data: {event}\n\n{}", stopped("stop"))
}

/// The body, the status of `final`, what it prints, its code for programs and what it says.
fn broken() -> Vec<(String, i32, &'static str, &'static str, String)> {
    let half = said(HALF);
    let at = half.len();
    let torn = "data: {\"choices\":[{\"del";
    let busy = "data: {\"error\":{\"message\":\"busy\",\"code\":\"overloaded_error\"}}\n\n";
    let value = "{\"title\":\"half\"}\n";
    let mut all = vec![
        (
            half.clone(),
            1,
            value,
            "connection_cut",
            format!("the body ends at byte {at}, in the middle of the answer"),
        ),
        (
            half.clone() + torn,
            1,
            value,
            "connection_cut",
            format!("the body ends at byte {}, in the middle", at + torn.len()),
        ),
        (
            half.clone() + busy + &said("more"),
            1,
            "{\"title\":\"halfmore\"}\n",
            "provider_error",
            format!("the provider reports an error at byte {at}: overloaded_error: busy"),
        ),
        (
            half.clone() + "data: {bad}\n\n" + &said("more"),
            1,
            "{\"title\":\"halfmore\"}\n",
            "event_not_json",
            format!(
                "the event at byte {at} of the body cannot be read: an event that is no JSON object"
            ),
        ),
        (
            half + &refused("I won't."),
            1,
            value,
            "refused",
            format!("the model refuses at byte {at}: I won't."),
        ),
    ];
    all.extend(without_a_value());
    all
}

/// Bodies without a value.
fn without_a_value() -> Vec<(String, i32, &'static str, &'static str, String)> {
    let error = r#"{"error": {"message": "no such key", "type": "auth"}}"#;
    vec![
        (refused("Not that."), 3, "", "refused", "the model refuses at byte 0: Not that.".into()),
        (String::new(), 3, "", "no_stream", "the body is empty".into()),
        (error.into(), 3, "", "provider_error", "an error at byte 0: auth: no such key".into()),
        (format!("[{error}]"), 3, "", "provider_error", "at byte 0: auth: no such key".into()),
        (
            "{\"choices\": [{\"message\": {\"content\": \"[1]\"}}]}".into(),
            3,
            "",
            "no_stream",
            "one JSON object, not a stream; request a stream with `\"stream\": true`".into(),
        ),
        (
            ANTHROPIC.into(),
            3,
            "",
            "no_stream",
            format!(
                "nothing in {} bytes is an event of openai-chat: it is anthropic's, which \
                 `--input anthropic` reads",
                ANTHROPIC.len()
            ),
        ),
        (OLLAMA.into(), 3, "", "no_stream", "it is ollama's, which `--input ollama` reads".into()),
    ]
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    for (body, status, out, _, what) in broken() {
        for chunk in ["1", "3", "1000000"] {
            let args = ["final", "--input", "openai-chat", "--chunk-bytes", chunk];
            let run = patchwire(&args, body.as_str());
            let (got, printed, err) = run.failed();
            assert_eq!((got, printed), (Some(status), out), "{body}");
            assert!(err.starts_with("error: stdin: ") && err.contains(&what), "{err}");
        }
    }
}

/// The error is the last event, in place of `final`; what came before is closed.
#[test]
fn the_last_event_says_it_too() {
    for (body, status, _, code, what) in broken() {
        let run = patchwire(&["parse", "--input", "openai-chat"], body.as_str());
        assert_eq!(run.status, Some(status), "{body}");
        let events = lines(&run.out);
        let last = events.last().expect("there are events");
        assert_eq!((&last["event"], &last["code"]), (&"error".into(), &code.into()), "{body}");
        assert!(last["message"].as_str().is_some_and(|message| message.contains(&what)), "{last}");
        assert!(events.iter().all(|event| event["event"] != "final"), "{body}");
        let is = |kind: &str, event: &Value| event["kind"] == kind;
        let count = |kind| events.iter().filter(|event| is(kind, event)).count();
        assert_eq!(count("open"), count("done"), "{body}");
    }
}

#[test]
fn the_envelope_has_the_error() {
    for (body, _, out, code, _) in broken() {
        let run = patchwire(&["final", "--envelope", "--input", "openai-chat"], body.as_str());
        let envelope: Value = serde_json::from_str(&run.out).expect("it is JSON");
        assert_eq!(envelope["error"]["code"], code, "{body}");
        let is_cut = code == "connection_cut";
        assert_eq!(envelope["outcome"], if is_cut { "truncated" } else { "failed" }, "{body}");
        assert_eq!(envelope["value"].is_null(), out.is_empty(), "{body}");
    }
    let body = said("so") + &refused("I won't.");
    let run = patchwire(&["final", "--envelope", "--input", "openai-chat"], body);
    let envelope: Value = serde_json::from_str(&run.out).expect("it is JSON");
    assert_eq!(envelope["facts"]["refusal"], "I won't.");
}

#[test]
fn an_event_may_have_its_size_only() {
    let body = said("[1") + "data: \"" + &"x".repeat((8 << 20) + 1) + "\"\n\n";
    let run = patchwire(&["final", "--input", "openai-chat"], body);
    let (status, out, err) = run.failed();
    assert_eq!((status, out), (Some(1), "[1]\n"));
    let what = format!(
        "from byte {} on: an event of more than 8388608 bytes, which is more than is read",
        said("[1").len()
    );
    assert!(err.ends_with(&what), "{err}");
}

/// Anthropic's models refuse by the reason for which they stop.
#[test]
fn a_refusal_needs_no_words() {
    let body = ANTHROPIC.replace("end_turn", "refusal");
    let at = body.find("event: message_delta").expect("it is there");
    let run = patchwire(&["final", "--input", "anthropic"], body);
    let (status, out, err) = run.failed();
    assert_eq!((status, out.trim_end()), (Some(1), VALUE));
    assert!(err.contains(&format!("the model refuses at byte {at}: it does not say why")), "{err}");
}

#[test]
fn an_answer_that_had_no_room_is_noted() {
    for (reason, why) in [
        ("length", "cut at the greatest length"),
        ("content_filter", "taken away by a content filter"),
    ] {
        let body = said(HALF) + &stopped(reason);
        let run = patchwire(&["final", "--input", "openai-chat"], body.as_str());
        let (status, out, err) = run.failed();
        assert_eq!((status, out), (Some(0), "{\"title\":\"half\"}\n"));
        assert_eq!(err, format!("note: stdin: the answer is incomplete: {why}"));
        let strict = ["final", "--input", "openai-chat", "--strictness", "strict"];
        assert_eq!(patchwire(&strict, body).status, Some(1));
    }
}

/// Not every server closes its streams: the reason is enough.
#[test]
fn a_reason_is_an_end() {
    let whole = CHAT.strip_suffix("data: [DONE]\n\n").expect("it is closed");
    assert_eq!(patchwire(&["final", "--input", "openai-chat"], whole).ok().trim_end(), VALUE);
    let line = OLLAMA.trim_end();
    assert_eq!(patchwire(&["final", "--input", "ollama"], line).ok().trim_end(), VALUE);
}

#[test]
fn an_answer_without_text_says_so() {
    let run = patchwire(&["final", "--input", "openai-chat"], stopped("stop"));
    let (status, _, err) = run.failed();
    assert_eq!(status, Some(3));
    assert!(err.ends_with("no value: the answer has no text"), "{err}");
    let run = patchwire(&["final", "--input", "openai-chat"], said("Hello.") + &stopped("stop"));
    assert!(run.err.contains("no value: only text in 6 bytes of text"), "{}", run.err);
    assert_eq!(patchwire(&["parse", "--input", "openai-chat"], called("{}")).status, Some(0));
}
