//! Bodies that bend a protocol: texts in other members, at the end only, or in broken events.

use patchwire_sources::{End, Protocol, Stop};

use crate::decoded::Decoded;

fn events(data: &[&str]) -> String {
    data.iter().map(|data| format!("data: {data}\n\n")).collect()
}

fn chat(data: &[&str]) -> Decoded {
    Decoded::of(Protocol::OpenAiChat, events(data) + "data: [DONE]\n\n")
}

#[test]
fn reasoning_has_many_names() {
    for delta in [
        r#""reasoning_content":"hm""#,
        r#""reasoning":"hm""#,
        r#""reasoning_text":"hm""#,
        r#""reasoning_details":[{"type":"reasoning.text","text":"hm","index":0}]"#,
        r#""reasoning_details":[{"type":"reasoning.text","text":"h"},{"type":"reasoning.text","text":"m"}]"#,
        r#""reasoning_details":[{"type":"reasoning.summary","summary":"hm"}]"#,
        r#""reasoning":"hm","reasoning_content":"hm""#,
        r#""reasoning":"hm","reasoning_details":[{"type":"reasoning.text","text":"hm"}]"#,
        r#""reasoning":null,"reasoning_text":"hm","reasoning_opaque":"x""#,
        r#""reasoning":"hm","reasoning_details":[{"type":"reasoning.encrypted","data":"x"}]"#,
    ] {
        let decoded = chat(&[&format!(r#"{{"choices":[{{"delta":{{{delta},"content":""}}}}]}}"#)]);
        assert_eq!((decoded.reasoning(), decoded.text()), ("hm".into(), String::new()), "{delta}");
    }
}

#[test]
fn legacy_completions_have_text() {
    let decoded = chat(&[
        r#"{"object":"text_completion","choices":[{"text":"Hel","index":0,"finish_reason":null}]}"#,
        r#"{"object":"text_completion","choices":[{"text":"lo","index":0,"finish_reason":"length"}]}"#,
    ]);
    assert_eq!((decoded.text().as_str(), decoded.end), ("Hello", Ok(End::Closed(Stop::Length))));
}

#[test]
fn events_need_no_blank_lines_between_them() {
    let lines = [
        r#"data: {"choices":[{"delta":{"content":"a"}}]}"#,
        r#"data: {"choices":[{"delta":{"content":"b"}}]}"#,
        r#"data: {"choices":[{"delta":{},"finish_reason":"stop"}]}"#,
        "data: [DONE]",
    ];
    for separator in ["\n", "\r\n", "\nevent: message\n", "\n: ping\n"] {
        let decoded = Decoded::of(Protocol::OpenAiChat, lines.join(separator));
        let end = Ok(End::Closed(Stop::End));
        assert_eq!((decoded.text().as_str(), decoded.end), ("ab", end), "{separator:?}");
    }
    // One object over several lines is one event.
    let body = "data: {\"choices\":\ndata: [{\"delta\":{\"content\":\"a\"}}]}\n\n";
    assert_eq!(Decoded::of(Protocol::OpenAiChat, body).text(), "a");
    // A broken line costs that line.
    let body = [lines[0], "data: {\"choices\":[", lines[1]].join("\n") + "\n\n" + lines[3] + "\n\n";
    let decoded = Decoded::of(Protocol::OpenAiChat, body);
    assert_eq!(decoded.text(), "ab");
    assert!(decoded.end.is_err());
}

#[test]
fn an_event_with_the_name_error_is_one() {
    let good = events(&[r#"{"choices":[{"delta":{"content":"a"}}]}"#]);
    for (data, message) in [
        (r#"{"message":"busy"}"#, "busy"),
        (r#"{"detail":"busy"}"#, "busy"),
        (r#"{"error":{"message":"busy"}}"#, "busy"),
        (r#"{"reason":"busy"}"#, r#"{"reason":"busy"}"#),
        ("Too many requests", "Too many requests"),
        ("\"busy\"", "\"busy\""),
    ] {
        for protocol in [Protocol::OpenAiChat, Protocol::Anthropic, Protocol::OpenAiResponses] {
            let body = format!("{good}event: error\ndata: {data}\n\n");
            let decoded = Decoded::of(protocol, body);
            let Ok(End::Failed(error)) = decoded.end else { panic!("{:?}", decoded.end) };
            assert_eq!(error.message, message, "{protocol}");
        }
    }
}

#[test]
fn texts_of_responses_that_come_at_the_end_only() {
    let read = |data: &[&str]| Decoded::of(Protocol::OpenAiResponses, events(data));
    let delta = r#"{"type":"response.output_text.delta","output_index":1,"content_index":0,"delta":"Hello"}"#;
    let done =
        r#"{"type":"response.output_text.done","output_index":1,"content_index":0,"text":"Hello"}"#;
    let item = r#"{"type":"response.output_item.done","output_index":1,"item":{"type":"message","content":[{"type":"output_text","text":"Hello"}]}}"#;
    let whole = r#"{"type":"response.completed","response":{"status":"completed","output":[{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}]},{"type":"message","content":[{"type":"output_text","text":"Hello"}]}]}}"#;
    let unplaced = r#"{"type":"response.output_text.delta","delta":"Hello"}"#;
    let all: [&[&str]; 9] = [
        &[delta, done, item, whole],
        &[done, item, whole],
        &[item, whole],
        &[whole],
        &[delta, whole],
        &[done],
        &[unplaced, done, item, whole],
        &[delta, item],
        &[unplaced, whole],
    ];
    for data in all {
        assert_eq!(read(data).text(), "Hello", "{data:?}");
        assert_eq!(read(data).reasoning(), if data.contains(&whole) { "hm" } else { "" });
    }
    let refusal = r#"{"type":"response.refusal.done","output_index":0,"refusal":"No."}"#;
    assert_eq!(read(&[refusal]).refusal(), "No.");
    let summary = r#"{"type":"response.reasoning_summary_text.done","output_index":0,"summary_index":0,"text":"a"}"#;
    let second = r#"{"type":"response.reasoning_summary_text.done","output_index":0,"summary_index":1,"text":"b"}"#;
    assert_eq!(read(&[summary, second, summary]).reasoning(), "ab");
}
