//! `parse`: the events of a body, as they come, in each protocol.

use std::io::{BufRead as _, BufReader, Write as _};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::samples::{ALL, CHAT, REASONING, VALUE};
use crate::run::{Scratch, joined, lines, patchwire, spawn};

/// Longer than any machine needs; only a command that waits where it should not takes so long.
const PATIENCE: Duration = Duration::from_secs(60);

fn texts(events: &[Value], of: impl Fn(&Value) -> bool) -> String {
    let deltas = events.iter().filter(|event| of(event));
    deltas.filter_map(|event| event["delta"].as_str()).collect()
}

#[test]
fn answer_reasoning_calls_and_facts_are_emitted() {
    for (input, body) in ALL {
        let events = lines(&patchwire(&["parse", "--input", input], body).ok());
        let title = texts(&events, |event| event["path"] == "title" && event["call"].is_null());
        assert_eq!(title, "Grüße", "{input}");
        assert_eq!(texts(&events, |event| event["event"] == "reasoning"), REASONING, "{input}");
        let call = json!({"event": "tool_call", "call": 1, "id": "a", "name": "find"});
        assert!(events.contains(&call), "{input}");
        let of_call = events.iter().filter(|event| event["call"] == 1 && event["kind"] == "done");
        let paths: Vec<_> = of_call.filter_map(|event| event["path"].as_str()).collect();
        assert_eq!(paths, ["q[0]", "q[1]", "q", ""], "{input}");
        let [.., facts, last] = &events[..] else { panic!("{input}: there are events") };
        assert_eq!(facts["event"], "facts", "{input}");
        let model = facts["facts"]["model"].as_str();
        assert!(model.is_some_and(|model| model.starts_with("m-")), "{input}: {facts}");
        assert!(facts["facts"]["usage"].to_string().contains(":7}"), "{input}: {facts}");
        assert_eq!(last["event"], "final", "{input}");
        assert_eq!(last["value"], json!({"title": "Grüße", "n": 12}), "{input}");
        assert_eq!(last["reasoning"], REASONING, "{input}");
    }
}

/// Where chunks end in the body: inside events, escapes and code points.
#[test]
fn cuts_of_the_body_do_not_matter() {
    for (input, body) in ALL {
        let whole = joined(&patchwire(&["parse", "--input", input], body).ok());
        for cut in [
            &["--chunk-bytes", "1"][..],
            &["--chunk-bytes", "7"],
            &["--chunk-bytes", "1000000"],
            &["--chunk-seed", "3"],
            &["--chunk-bytes", "90", "--chunk-seed", "7"],
        ] {
            let out = patchwire(&[&["parse", "--input", input], cut].concat(), body).ok();
            assert_eq!(joined(&out), whole, "{input}, {cut:?}");
        }
    }
}

#[test]
fn an_event_is_read_before_the_body_ends() {
    let mut child = spawn(&["parse", "--input", "openai-chat"]);
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
    let (sender, receiver) = mpsc::channel();
    let reader = thread::spawn(move || {
        for line in stdout.lines() {
            let _ = sender.send(line.expect("the command prints UTF-8"));
        }
    });
    let wait_for = |part: &str| loop {
        let line = receiver.recv_timeout(PATIENCE).expect("the event comes at once");
        if line.contains(part) {
            return;
        }
    };
    let end_of = |part: &str| CHAT.find(part).expect("it is there") + part.len();

    // Not before the event is whole, but then at once.
    let reasoning = end_of("fields.\"}}]}\n\n");
    stdin.write_all(&CHAT.as_bytes()[..reasoning]).expect("the command reads");
    wait_for(r#"{"event":"reasoning","delta":"fields.""#);
    let call = end_of(r#"\"q\": [1"}}]}}]}"#) + 2;
    stdin.write_all(&CHAT.as_bytes()[reasoning..call]).expect("the command reads");
    wait_for(r#""path":"title","wildcard_path":"title","pointer":"/title","delta":"Grü""#);
    wait_for(r#"{"event":"tool_call","call":1,"id":"a","name":"find"}"#);
    wait_for(r#""path":"q""#);
    stdin.write_all(&CHAT.as_bytes()[call..]).expect("the command reads");
    drop(stdin);
    wait_for(r#"{"event":"final""#);
    reader.join().expect("the reader does not panic");
    assert!(child.wait().expect("the command ends").success());
}

#[test]
fn a_file_is_read_as_stdin_is() {
    let file = Scratch::new("body.sse", CHAT);
    let piped = patchwire(&["parse", "--input", "openai-chat"], CHAT).ok();
    let read = patchwire(&["parse", "--input", "openai-chat", file.path()], "").ok();
    assert_eq!(read, piped);
}

/// How the answer's text is read is asked for as of any text.
#[test]
fn the_text_is_read_as_it_is_asked_for() {
    let text = "<think>hm</think>### title\nOne\n\n### title\nTwo";
    let body = super::samples::said(text) + &super::samples::stopped("stop");
    let schema = Scratch::new("title.json", r#"{"title": ["str", "one line", true]}"#);
    let options = ["--format", "markdown", "--schema", schema.path()];
    let raw = lines(&patchwire(&[&["parse"][..], &options].concat(), text).ok());
    let input = ["parse", "--input", "openai-chat"];
    let mut events = lines(&patchwire(&[&input[..], &options].concat(), body).ok());
    events.retain(|event| event["event"] != "facts");
    let print = |events: &[Value]| events.iter().map(Value::to_string).collect::<Vec<_>>();
    assert_eq!(print(&events), print(&raw));
    let scratchpad = "<scratch_pad>a</scratch_pad><output>b</output><output>c</output>";
    let body = super::samples::said(scratchpad);
    let body = body + &super::samples::stopped("stop");
    let view = ["--tags", "scratchpad", "--view", "last"];
    let final_value = ["final", "--input", "openai-chat"];
    assert_eq!(patchwire(&[&final_value[..], &view].concat(), body).ok(), "\"c\"\n");
}

#[test]
fn a_body_speaks_every_protocol() {
    let input = ["parse", "--input", "openai-chat", "--wire"];
    for (wire, emitted) in [
        (
            "sse",
            &["event: tool_call\n", "event: facts\ndata: {\"event\":\"facts\",", "event: final\n"]
                [..],
        ),
        ("ops", &[r#"{"op":"append-text","path":"/title","text":"ße"}"#]),
        ("json-patch", &[r#"[{"op":"replace","path":"/title","value":"Grüße"}]"#]),
        ("ag-ui", &["REASONING_MESSAGE_CONTENT", "\"TOOL_CALL_ARGS\"", "\"RUN_FINISHED\""]),
        ("ui-message", &["reasoning-delta", "tool-input-available", "\"finish\""]),
    ] {
        let out = patchwire(&[&input[..], &[wire]].concat(), CHAT).ok();
        for part in emitted {
            assert!(out.contains(part), "{wire} tells of {part}: {out}");
        }
    }
    let all = ["ops", "--documents", "all"];
    let out = patchwire(&[&input[..], &all].concat(), CHAT).ok();
    assert!(out.contains(r#"{"op":"set","path":"/1/q/0","value":1}"#), "{out}");
    // A body that breaks ends the protocol with its own error.
    let cut = &CHAT[..CHAT.len() / 2];
    let run = patchwire(&[&input[..], &["ag-ui"]].concat(), cut);
    let last = run.out.trim_end().lines().last().expect("there are events");
    assert!(last.contains("RUN_ERROR") && last.contains("connection_cut"), "{last}");
}

/// What is recorded is the answer's text, delta by delta.
#[test]
fn the_text_can_be_recorded() {
    let file = Scratch::new("body.ndjson", "");
    let args = ["parse", "--input", "openai-chat", "--chunk-bytes", "5", "--record", file.path()];
    patchwire(&args, CHAT).ok();
    let line = lines(&std::fs::read_to_string(file.path()).expect("it was written"));
    let [line] = &line[..] else { panic!("{line:?}") };
    assert_eq!(line["deltas"], json!(["{\"title\": \"Grü", "ße\", \"n\": 12}"]));
    assert_eq!(line["at_ms"].as_array().map(Vec::len), Some(2));
    assert_eq!((&line["provider"], &line["kind"]), (&json!("openai-chat"), &json!("text")));
    let out = patchwire(&["final", "--input", "recording", file.path()], "").ok();
    assert_eq!(out.trim_end(), VALUE);
}

/// Nor is there a line where it has none, and calls tools or broke; an answer that is empty has one.
#[test]
fn what_wrote_nothing_leaves_no_line() {
    let calls = r#"data: {"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}"#;
    let done = r#"data: {"choices":[{"delta":{},"finish_reason":"stop"}]}"#;
    let before = "{\"deltas\":[\"1\"]}";
    for (body, has_line) in [(calls, false), ("data: {\"choices\":[]}", false), (done, true)] {
        let file = Scratch::new("body.ndjson", before);
        let args = ["parse", "--input", "openai-chat", "--record", file.path()];
        patchwire(&args, format!("{body}\n\n"));
        let written = std::fs::read_to_string(file.path()).expect("it is there");
        assert_eq!(written == before, !has_line, "{body}: {written}");
        assert_eq!(lines(&written).len(), 1 + usize::from(has_line), "{body}: {written}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (args, what) in [
        (&["parse", "--values", "all"][..], "`--values` cannot be used with a response body"),
        (&["trace"], "`trace` cannot read a response body; record its text"),
        (&["parse", "--strictness", "strict", "--tags", "think"], "allows no tag set"),
    ] {
        let run = patchwire(&[args, &["--input", "anthropic"]].concat(), "");
        let (status, out, err) = run.failed();
        assert_eq!((status, out), (Some(2), ""), "{args:?}");
        assert!(err.contains(what), "{err}");
    }
}
