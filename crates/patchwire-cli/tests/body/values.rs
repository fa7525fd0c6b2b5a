//! `final`: the value of a body, with its calls and its notices.

use serde_json::{Value, json};

use super::samples::{ALL, CALLS, CHAT, REASONING, VALUE, called, said, stopped};
use crate::run::{Scratch, lines, patchwire};

fn envelope(input: &str, body: &str) -> Value {
    let out = patchwire(&["final", "--envelope", "--input", input], body).out;
    serde_json::from_str(&out).expect("it is JSON")
}

#[test]
fn the_value_is_that_of_the_text() {
    for (input, body) in ALL {
        let out = patchwire(&["final", "--input", input], body).ok();
        assert_eq!(out.trim_end(), VALUE, "{input}");
        let cut = ["final", "--input", input, "--chunk-bytes", "1"];
        assert_eq!(patchwire(&cut, body).ok(), out, "{input}");
    }
}

#[test]
fn the_envelope_has_calls_and_facts() {
    for (input, body) in ALL {
        let envelope = envelope(input, body);
        assert_eq!(envelope["outcome"], "complete", "{input}");
        assert_eq!(envelope["reasoning"], REASONING, "{input}");
        let call = json!({
            "id": "a", "name": "find", "arguments": {"q": [1, 2]}, "outcome": "complete", "notices": [],
        });
        assert_eq!(envelope["calls"], json!([call]), "{input}");
        assert!(envelope["facts"]["stop_reason"].is_string(), "{input}: {envelope}");
        assert!(envelope["error"].is_null(), "{input}");
    }
    let raw = patchwire(&["final", "--envelope"], "[1]").ok();
    assert!(!raw.contains("\"calls\"") && !raw.contains("\"facts\""), "{raw}");
}

#[test]
fn a_call_that_was_cut_fails_strict_reading() {
    let body = called("{\"q\": [1");
    let input = ["final", "--input", "openai-chat"];
    assert_eq!(patchwire(&input, body.as_str()).status, Some(0));
    let run = patchwire(&[&input[..], &["--strictness", "strict"]].concat(), body.as_str());
    assert_eq!(run.status, Some(1));
    assert!(run.err.contains("it was cut off"), "{}", run.err);
}

/// Some servers write the object of the arguments as a string that contains it.
#[test]
fn arguments_that_are_encoded_twice_are_an_object() {
    let body = called(&json!("{\"q\": [1, 2]}").to_string());
    let envelope = envelope("openai-chat", &body);
    assert_eq!(envelope["calls"][0]["arguments"], json!({"q": [1, 2]}));
    assert_eq!(envelope["calls"][0]["outcome"], "repaired");
}

/// Where nothing says what the value is to be.
#[test]
fn calls_are_the_value_where_there_is_no_other() {
    let body = called("{\"q\": [1, 2]}");
    let input = ["final", "--input", "openai-chat"];
    assert_eq!(patchwire(&input, body.as_str()).ok().trim_end(), CALLS);
    assert_eq!(envelope("openai-chat", &body)["outcome"], "tool_calls");
    let text = [&input[..], &["--format", "text"]].concat();
    assert_eq!(patchwire(&text, body.as_str()).ok().trim_end(), CALLS);
    // Text beside a call is no value.
    assert_eq!(patchwire(&text, said("Well.") + &body).ok().trim_end(), CALLS);
    // Prose is no value of JSON.
    assert_eq!(patchwire(&input, said("I look it up.") + &body).ok().trim_end(), CALLS);

    let schema = Scratch::new("any.json", r#"{"title": ["str"]}"#);
    for expected in [["--schema", schema.path()], ["--ensure", "title"]] {
        let run = patchwire(&[&input[..], &expected].concat(), body.as_str());
        let (status, out, err) = run.failed();
        assert_eq!((status, out), (Some(3), ""), "{expected:?}");
        assert!(err.contains("no value: only tool calls; `final --envelope` shows them"), "{err}");
    }
}

#[test]
fn calls_are_the_value_of_strict_reading_too() {
    let input = ["final", "--input", "openai-chat", "--strictness", "strict"];
    for text in ["", "\n"] {
        let reasoning = r#"data: {"choices":[{"delta":{"reasoning":"Look it up."}}]}"#;
        let body = format!("{reasoning}\n\n{}{}", said(text), called("{\"q\": [1, 2]}"));
        assert_eq!(patchwire(&input, body.as_str()).ok().trim_end(), CALLS);
        let out = patchwire(&[&input[..], &["--envelope"]].concat(), body.as_str()).ok();
        let envelope: Value = serde_json::from_str(&out).expect("it is JSON");
        assert_eq!(envelope["outcome"], "tool_calls");
        assert_eq!(envelope["reasoning"], "Look it up.");
    }
    // What is no JSON is none beside a call either, and nothing at all is none.
    for body in [said("Well.") + &called("{}"), stopped("stop")] {
        assert_eq!(patchwire(&input, body).failed().0, Some(3));
    }
}

#[test]
fn arguments_that_cannot_be_read_are_shown_as_they_came() {
    let run = patchwire(&["final", "--input", "openai-chat"], called("look for \"mills\""));
    let call = json!({
        "id": "a", "name": "find", "arguments": null, "arguments_text": "look for \"mills\"",
    });
    assert_eq!(lines(&run.out), [json!([call])]);
    let note = "note: stdin: the call of `find`: the 16 bytes of its arguments hold no JSON\n";
    assert_eq!((run.status, run.err.as_str()), (Some(0), note));
    let emitted = &envelope("openai-chat", &called("look"))["calls"][0];
    assert_eq!(
        (&emitted["arguments_text"], &emitted["outcome"]),
        (&json!("look"), &json!("failed"))
    );
    // A call that ended without arguments has an empty object.
    let none = patchwire(&["final", "--input", "openai-chat"], called(" ")).ok();
    assert!(none.contains("\"arguments\":{}}"), "{none}");
}

#[test]
fn the_input_of_a_custom_tool_is_text() {
    let call =
        r#"{"id":"a","type":"custom","custom":{"name":"sql","input":"SELECT '{\"a\": 1}'"}}"#;
    let body = format!(
        "data: {{\"choices\":[{{\"delta\":{{\"tool_calls\":[{call}]}}}}]}}\n\n{}",
        stopped("tool_calls")
    );
    let run = patchwire(&["final", "--input", "openai-chat"], body);
    let call = json!({
        "id": "a", "name": "sql", "arguments": null, "arguments_text": "SELECT '{\"a\": 1}'",
    });
    assert_eq!((lines(&run.out), run.err.as_str()), (vec![json!([call])], ""));
}

#[test]
fn what_is_checked_is_the_value() {
    let input = ["final", "--input", "openai-chat"];
    patchwire(&[&input[..], &["--ensure", "n"]].concat(), CHAT).ok();
    let schema = Scratch::new("n.json", r#"{"n": ["int", "", true], "title": ["str"]}"#);
    patchwire(&[&input[..], &["--schema", schema.path(), "--strict"]].concat(), CHAT).ok();
    for (options, what) in [
        (&["--ensure", "missing"][..], "missing"),
        (&["--schema", schema.path(), "--strict", "--ensure", "title.x"], "title.x"),
    ] {
        let run = patchwire(&[&input[..], options].concat(), CHAT);
        let (status, out, err) = run.failed();
        assert_eq!(
            (status, out.trim_end()),
            (Some(1), if options.len() > 2 { r#"{"n":12,"title":"Grüße"}"# } else { VALUE })
        );
        assert!(err.contains(what), "{err}");
    }
    let body = said("{\"a\": 1,}") + &stopped("stop");
    let run = patchwire(&[&input[..], &["--strictness", "strict"]].concat(), body);
    let (status, out, err) = run.failed();
    assert_eq!((status, out), (Some(1), "{\"a\":1}\n"));
    assert!(err.contains("at byte 8 of the model's text; `--strictness lenient`"), "{err}");
}

/// The limits hold for calls too, and the parser's own errors come first.
#[test]
fn limits_are_those_of_what_the_model_wrote() {
    let deep = said("[[[1]]]") + "data: no JSON\n\n";
    for body in [deep, called("{\"a\": [[[1]]]}")] {
        for chunk in ["1", "4096"] {
            let args = ["final", "--input", "openai-chat", "--limit", "depth=2", "--chunk-bytes"];
            let run = patchwire(&[&args[..], &[chunk]].concat(), body.as_str());
            let (status, _, err) = run.failed();
            assert_eq!(status, Some(4), "{err}");
            assert!(err.contains("limit depth of 2 reached at byte "), "{err}");
            assert!(err.contains(" of the model's text; raise it with"), "{err}");
        }
    }
}

/// Every protocol, by its name and recognised by its first bytes.
#[test]
fn other_protocols_are_read_and_told_apart() {
    let gemini = r#"[{"candidates":[{"content":{"parts":[{"text":"{\"a\":"}]}}]},
        {"candidates":[{"content":{"parts":[{"text":" 1}"}]},"finishReason":"STOP"}]}]"#;
    let cohere = concat!(
        "data: {\"type\":\"content-delta\",\"delta\":{\"message\":{\"content\":{\"text\":\"{\\\"a\\\": 1}\"}}}}\n\n",
        "data: {\"type\":\"message-end\",\"delta\":{\"finish_reason\":\"COMPLETE\"}}\n\n",
    );
    let bedrock = concat!(
        "{\"contentBlockDelta\":{\"delta\":{\"text\":\"{\\\"a\\\": 1}\"},\"contentBlockIndex\":0}}\n",
        "{\"messageStop\":{\"stopReason\":\"end_turn\"}}\n",
    );
    for (name, body) in [("gemini", gemini), ("cohere", cohere), ("bedrock", bedrock)] {
        for input in [name, "auto"] {
            let run = patchwire(&["final", "--input", input], body);
            assert_eq!(run.ok().trim_end(), "{\"a\":1}", "{input}: {name}");
        }
    }
    for (input, body) in ALL {
        let emitted = patchwire(&["final", "--input", "auto"], body).ok();
        assert_eq!(emitted, patchwire(&["final", "--input", input], body).ok(), "{input}");
    }
    assert_eq!(patchwire(&["final", "--input", "auto"], "so: {\"a\": 1}").ok(), "{\"a\":1}\n");
    let run = patchwire(&["final", "--input", "openai-chat"], gemini);
    let (_, _, err) = run.failed();
    assert!(err.contains("it is gemini's, which `--input gemini` reads"), "{err}");
}
