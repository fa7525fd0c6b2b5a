use std::io::{BufRead as _, BufReader, Write as _};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::run::{Scratch, joined, lines, patchwire, spawn};

/// Longer than any machine needs; only a command that waits where it should not takes so long.
const PATIENCE: Duration = Duration::from_secs(60);

const ANSWER: &str = "<think>Short, I think.</think>Here:\n```json\n{\"title\": \"Caf\u{e9} \
                      \\u00e9\\ud83d\\ude00\", 'n': [1, 2.50, nul, true,], \"o\": {\"p\": \"\"}}\n```\nbye <thi";

#[test]
fn an_event_is_read_from_parse_before_stdin_closes() {
    let mut child = spawn(&["parse"]);
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

    stdin.write_all(br#"{"title": "Hel"#).expect("the command reads");
    wait_for(r#""path":"title","wildcard_path":"title","pointer":"/title","delta":"Hel""#);
    stdin.write_all(br#"lo", "n": 1,"#).expect("the command reads");
    wait_for(r#""delta":"lo""#);
    wait_for(r#""path":"n""#);
    drop(stdin);
    wait_for(r#"{"event":"final""#);
    reader.join().expect("the reader does not panic");
    assert!(child.wait().expect("the command ends").success());
}

#[test]
fn events_are_json_lines_and_the_last_is_final() {
    let events = lines(&patchwire(&["parse"], ANSWER).ok());
    let last = events.last().expect("there are events");
    assert_eq!((&last["event"], &last["outcome"]), (&"final".into(), &"repaired".into()));
    assert_eq!(last["value"]["title"], "Café é😀");
    assert_eq!(last["reasoning"], "Short, I think.");
    assert!(events.iter().rev().skip(1).all(|event| event["event"] != "final"));
}

#[test]
fn cuts_do_not_matter() {
    let whole = joined(&patchwire(&["parse"], ANSWER).ok());
    for cut in [
        &["--chunk-bytes", "1"][..],
        &["--chunk-bytes", "2"],
        &["--chunk-bytes", "1000000"],
        &["--chunk-seed", "0"],
        &["--chunk-seed", "7"],
        &["--chunk-bytes", "40", "--chunk-seed", "7"],
    ] {
        let out = patchwire(&[&["parse"], cut].concat(), ANSWER).ok();
        assert_eq!(joined(&out), whole, "{cut:?}");
    }
    let once = patchwire(&["parse", "--chunk-seed", "7"], ANSWER).ok();
    assert_eq!(patchwire(&["parse", "--chunk-seed", "7"], ANSWER).ok(), once);
    assert!(lines(&once).len() > whole.len());
}

#[test]
fn a_file_is_read_as_stdin_is() {
    let file = Scratch::new("answer.txt", ANSWER);
    let piped = patchwire(&["parse"], ANSWER).ok();
    assert_eq!(patchwire(&["parse", file.path()], "").ok(), piped);
    assert_eq!(patchwire(&["parse", "-"], ANSWER).ok(), piped);
}

#[test]
fn values_are_repeated_where_asked_for() {
    let input = r#"{"a": ["xy"]}"#;
    let values = |which| {
        let out = patchwire(&["parse", "--chunk-bytes", "1", "--values", which], input).ok();
        let has = |kind: &str, path: &str| {
            let of = |event: &serde_json::Value| event["kind"] == kind && event["path"] == path;
            lines(&out).iter().filter(|event| of(event)).any(|event| !event["value"].is_null())
        };
        (has("done", "a[0]"), has("done", "a"), has("delta", "a[0]"))
    };
    assert_eq!(values("leaf"), (true, false, false));
    assert_eq!(values("done"), (true, true, false));
    assert_eq!(values("all"), (true, true, true));
}

#[test]
fn a_recording_is_fed_with_its_own_cuts() {
    let recording = "{\"source\":\"x\",\"kind\":\"text\",\"deltas\":[\"{\\\"a\\\":\\\"b\",\"cd\",\"\\\"\",\"}\"]}\n\n\
                     {\"deltas\":[\"[1\",\"2]\"],\"at_ms\":[0,5]}";
    let events = lines(&patchwire(&["parse", "--input", "recording"], recording).ok());
    let deltas: Vec<_> = events.iter().filter_map(|event| event["delta"].as_str()).collect();
    assert_eq!(deltas, ["b", "cd"]);
    let finals = events.iter().filter(|event| event["event"] == "final");
    let values: Vec<String> = finals.map(|event| event["value"].to_string()).collect();
    assert_eq!(values, [r#"{"a":"bcd"}"#, "[12]"]);
    let whole = ["parse", "--input", "recording", "--chunk-bytes", "99"];
    let events = lines(&patchwire(&whole, recording).ok());
    assert_eq!(events.iter().filter(|event| event["delta"] == "bcd").count(), 1);
}

#[test]
fn an_error_is_the_last_event() {
    let run = patchwire(&["parse", "--limit", "depth=2"], "[[[1]]]");
    let last = lines(&run.out).pop().expect("there are events");
    assert_eq!((&last["event"], &last["code"]), (&"error".into(), &"limit_depth".into()));
    assert_eq!(run.status, Some(4));
}

#[test]
fn a_closed_pipe_ends_quietly() {
    for command in [&["parse"][..], &["final", "--pretty"]] {
        let mut child = spawn(command);
        let mut stdin = child.stdin.take().expect("stdin is piped");
        let feeder = thread::spawn(move || {
            let item = br#"{"some": "object", "of": ["many"]},"#;
            let _ = stdin.write_all(b"[");
            (0..50_000).try_for_each(|_| stdin.write_all(item))
        });
        let mut stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("the command prints UTF-8");
        drop(stdout);
        let _ = feeder.join().expect("the feeder does not panic");
        let output = child.wait_with_output().expect("the command ends");
        assert_eq!(output.status.code(), Some(0), "{command:?}");
        assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    }
}
