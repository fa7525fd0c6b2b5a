//! `parse --wire`: the events in other protocols.

use serde_json::{Value, json};

use crate::run::{lines, patchwire};

const ANSWER: &str =
    "<think>hm</think>Here: {\"title\": \"Hello\", \"tags\": [\"a\", {\"b/c\": 1}]} done";

fn wired(wire: &str) -> String {
    patchwire(&["parse", "--wire", wire, "--chunk-bytes", "2"], ANSWER).ok()
}

/// The data of server-sent events, one each.
fn data(stream: &str) -> Vec<&str> {
    stream.lines().filter_map(|line| line.strip_prefix("data: ")).collect()
}

#[test]
fn our_own_form_is_the_default() {
    assert_eq!(wired("own"), patchwire(&["parse", "--chunk-bytes", "2"], ANSWER).ok());
}

#[test]
fn frames_of_our_own_are_numbered_and_named() {
    let stream = wired("sse");
    let own = wired("own");
    let own: Vec<&str> = own.lines().collect();
    assert_eq!(data(&stream), own);
    assert!(stream.starts_with("id: 1\nevent: element_open\ndata: {"), "{stream}");
    let last = format!("id: {}\nevent: final\ndata: {{", own.len());
    assert!(stream.contains(&last) && stream.ends_with("}\n\n"), "{stream}");
}

#[test]
fn operations_are_lines() {
    let ops = lines(&wired("ops"));
    assert_eq!(ops[0], json!({"op": "set", "path": "", "value": {}}));
    assert!(ops.contains(&json!({"op": "append-text", "path": "/title", "text": "He"})));
    assert!(ops.contains(&json!({"op": "set", "path": "/tags/1/b~1c", "value": 1})));
    let patches = lines(&wired("json-patch"));
    assert_eq!(patches[0], json!([{"op": "add", "path": "", "value": {}}]));
    let title = json!([{"op": "replace", "path": "/title", "value": "Hello"}]);
    assert!(patches.contains(&title), "{patches:?}");
}

#[test]
fn a_run_and_a_message_begin_and_end() {
    let run = wired("ag-ui");
    let events: Vec<Value> = lines(&data(&run).join("\n"));
    let types: Vec<&str> = events.iter().filter_map(|event| event["type"].as_str()).collect();
    assert_eq!((types.first(), types.last()), (Some(&"RUN_STARTED"), Some(&"RUN_FINISHED")));
    let message = wired("ui-message");
    let chunks = data(&message);
    assert_eq!((chunks.first(), chunks.last()), (Some(&r#"{"type":"start"}"#), Some(&"[DONE]")));
}

#[test]
fn an_error_ends_a_run() {
    let run = patchwire(&["parse", "--wire", "ag-ui", "--limit", "depth=1"], r#"{"a": [1]}"#);
    assert_eq!(run.status, Some(4));
    let last = data(&run.out).pop().map(str::to_owned);
    let expected = r#"{"type":"RUN_ERROR","message":"limit `depth` reached","code":"limit_depth"}"#;
    assert_eq!(last.as_deref(), Some(expected));
}

#[test]
fn each_stream_of_a_recording_is_a_run_of_its_own() {
    let recording = "{\"deltas\": [\"[1]\"]}\n{\"deltas\": [\"[2]\"]}\n";
    let out = patchwire(&["parse", "--input", "recording", "--wire", "ag-ui"], recording).ok();
    for run in ["run-1", "run-2"] {
        let begin = format!(r#"{{"type":"RUN_STARTED","threadId":"patchwire","runId":"{run}"}}"#);
        assert!(out.contains(&begin), "{out}");
    }
}

#[test]
fn all_documents_are_emitted_where_they_are_asked_for() {
    let args = ["parse", "--roots", "concatenated", "--wire", "json-patch", "--documents", "all"];
    let out = patchwire(&args, "{\"a\": 1} [2]").ok();
    let last = lines(&out).pop().expect("there are patches");
    assert_eq!(last, json!([{"op": "add", "path": "/1/0", "value": 2}]));
}

#[test]
fn values_are_of_our_own_form() {
    let run = patchwire(&["parse", "--wire", "ops", "--values", "all"], ANSWER);
    let (status, out, err) = run.failed();
    assert_eq!((status, out), (Some(2), ""));
    assert!(err.contains("`--values` works with `--wire own` and `--wire sse` only"), "{err}");
    patchwire(&["parse", "--wire", "sse", "--values", "all"], ANSWER).ok();
}
