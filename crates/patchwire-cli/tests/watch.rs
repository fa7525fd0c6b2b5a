//! The view where there is no terminal, and recordings.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};

use serde_json::Value;

use crate::run::{Scratch, joined, lines, patchwire, spawn};

const ANSWER: &str = "<think>Short.</think>{\"title\": \"Caf\u{e9} \u{65e5}\u{672c} \u{1f35c}\", \
                      'n': [1, 2.50, true,], \"o\": {\"p\": \"\"}} bye";

#[test]
fn where_there_is_no_terminal_it_prints_the_value_and_nothing_else() {
    let file = Scratch::new("watch.txt", ANSWER);
    let expected = patchwire(&["final", file.path()], "").ok();
    for args in [
        &["watch", file.path()][..],
        &["watch", file.path(), "--speed", "0.01"],
        &["watch", file.path(), "--exit", "--speed", "max"],
        &["watch", file.path(), "--chunk-bytes", "1"],
    ] {
        assert_eq!(patchwire(args, "").ok(), expected, "{args:?}");
    }
    assert_eq!(patchwire(&["watch"], ANSWER).ok(), expected);
    assert_eq!(patchwire(&["watch", "-"], ANSWER).ok(), expected);
    let demo = patchwire(&["watch", "--demo", "hybrid"], "").ok();
    assert!(demo.starts_with("{\"summary\":") && demo.lines().count() == 1, "{demo}");
}

#[test]
fn it_fails_as_final_does() {
    let strict = ["watch", "--strictness", "strict"];
    let expected = patchwire(&["final", "--strictness", "strict"], "{'a': 1}");
    let run = patchwire(&strict, "{'a': 1}");
    assert_eq!((run.status, run.out, run.err), (expected.status, expected.out, expected.err));
    assert_eq!(patchwire(&["watch"], "no value").status, Some(3));
    let short = patchwire(&["watch", "--ensure", "b"], "{\"a\": 1}");
    let (status, out, err) = short.failed();
    assert_eq!((status, out), (Some(1), "{\"a\":1}\n"));
    assert!(err.contains("b is missing"), "{err}");
    let run = patchwire(&["watch", "/no/such/file"], "");
    let (status, _, err) = run.failed();
    assert_eq!(status, Some(2));
    assert!(err.contains("/no/such/file"), "{err}");
}

#[test]
fn a_line_of_a_recording_is_chosen() {
    let recording = Scratch::new(
        "lines.ndjson",
        "{\"deltas\":[\"{\\\"a\\\":\",\"1}\"],\"at_ms\":[0,7.5]}\n\n{\"deltas\":[\"[2]\"],\"at_ms\":\"no\"}\n",
    );
    let watch = |more: &[&str]| {
        patchwire(&[&["watch", recording.path(), "--input", "recording"], more].concat(), "")
    };
    assert_eq!(watch(&[]).ok(), "{\"a\":1}\n");
    assert_eq!(watch(&["--line", "3"]).ok(), "[2]\n");
    let run = watch(&["--line", "2"]);
    let (status, out, err) = run.failed();
    assert_eq!((status, out), (Some(2), ""));
    assert!(err.contains("no stream on line 2"), "{err}");
}

/// Records a stream that is cut so; gives the events and the recording.
fn record(name: &str, cut: &[&str]) -> (Vec<Value>, Scratch) {
    let file = Scratch::new(name, "");
    let args = [&["parse", "--record", file.path()], cut].concat();
    (lines(&patchwire(&args, ANSWER).ok()), file)
}

#[test]
fn a_recording_replays_to_the_same_events() {
    for (number, cut) in
        [&["--chunk-bytes", "3"][..], &["--chunk-bytes", "1"], &["--chunk-seed", "7"], &[]]
            .iter()
            .enumerate()
    {
        let (_, file) = record(&format!("replay-{number}.ndjson"), cut);
        let text = fs::read_to_string(&file.0).expect("it was written");
        let line = &lines(&text)[0];
        let deltas: Vec<&str> =
            line["deltas"].as_array().expect("a list").iter().filter_map(Value::as_str).collect();
        assert_eq!(deltas.concat(), ANSWER);
        assert!(deltas.iter().all(|delta| !delta.is_empty()));
        assert_eq!(line["at_ms"].as_array().map(Vec::len), Some(deltas.len()));
        assert_eq!((&line["source"], &line["kind"]), (&"stdin".into(), &"text".into()));
        // Where code points were cut, their pieces are joined: so are the events.
        let events = patchwire(&[&["parse"], *cut].concat(), ANSWER).ok();
        let replayed = patchwire(&["parse", file.path(), "--input", "recording"], "").ok();
        assert_eq!(joined(&replayed), joined(&events), "{cut:?}");
        // A recording of the recording says the same.
        let again = Scratch::new(&format!("again-{number}.ndjson"), "");
        let args = ["parse", file.path(), "--input", "recording", "--record", again.path()];
        assert_eq!(patchwire(&args, "").ok(), replayed);
        assert_eq!(fs::read_to_string(&again.0).expect("it was written"), text);
    }
}

#[test]
fn where_no_code_point_is_cut_the_events_are_the_same_one_by_one() {
    let plain = "{\"title\": \"plain\", \"tags\": [\"a\", \"b\"]}";
    let file = Scratch::new("plain.ndjson", "");
    let args = ["parse", "--chunk-bytes", "4", "--record", file.path()];
    let events = patchwire(&args, plain).ok();
    let replayed = patchwire(&["parse", file.path(), "--input", "recording"], "").ok();
    assert_eq!(replayed, events);
}

#[test]
fn streams_are_added_to_a_recording() {
    let file = Scratch::new("added.ndjson", "{\"deltas\":[\"[1]\"]}");
    let record = ["watch", "--record", file.path()];
    assert_eq!(patchwire(&record, "[2]").ok(), "[2]\n");
    assert_eq!(patchwire(&record, "[3]").ok(), "[3]\n");
    let all = patchwire(&["final", file.path(), "--input", "recording"], "").ok();
    assert_eq!(all, "[1]\n[2]\n[3]\n");
}

#[test]
fn a_command_that_is_killed_leaves_what_came() {
    let file = Scratch::new("killed.ndjson", "");
    let mut child = spawn(&["parse", "--record", file.path()]);
    let mut stdin = child.stdin.take().expect("stdin is piped");
    let mut stdout = BufReader::new(child.stdout.take().expect("stdout is piped"));
    let mut line = String::new();
    for piece in ["{\"a\": \"one", " two", " three"] {
        stdin.write_all(piece.as_bytes()).expect("the command reads");
        while !line.contains(piece.rsplit('"').next().expect("there is a last")) {
            line.clear();
            stdout.read_line(&mut line).expect("the command prints UTF-8");
        }
    }
    child.kill().expect("it runs still");
    child.wait().expect("it ends");
    let text = fs::read_to_string(&file.0).expect("it was written");
    assert_eq!(lines(&text)[0]["deltas"], serde_json::json!(["{\"a\": \"one", " two", " three"]));
    let value = patchwire(&["final", file.path(), "--input", "recording"], "").ok();
    assert_eq!(value, "{\"a\":\"one two three\"}\n");
}

#[test]
fn what_is_no_text_is_recorded_as_it_is_read() {
    let file = Scratch::new("bytes.ndjson", "");
    let bytes = b"{\"a\": \"x\xff\xc3\xa9\"}\xe2\x82".to_vec();
    let events = patchwire(&["parse", "--chunk-bytes", "1", "--record", file.path()], bytes);
    let value = lines(&events.out).pop().expect("there are events")["value"].clone();
    assert_eq!(value["a"], "x\u{fffd}\u{e9}");
    let replayed = patchwire(&["final", file.path(), "--input", "recording"], "").ok();
    assert_eq!(replayed, "{\"a\":\"x\u{fffd}\u{e9}\"}\n");
}

#[test]
fn a_recording_is_not_recorded_into_itself() {
    let file = Scratch::new("itself.ndjson", "{\"deltas\":[\"[1]\"]}\n");
    let run =
        patchwire(&["parse", file.path(), "--input", "recording", "--record", file.path()], "");
    let (status, _, err) = run.failed();
    assert_eq!(status, Some(2));
    assert!(err.contains("into itself"), "{err}");
    let run = patchwire(&["parse", "--record", "/no/such/place.ndjson"], "[1]");
    let (status, _, err) = run.failed();
    assert_eq!(status, Some(2));
    assert!(err.contains("cannot write the recording /no/such/place.ndjson"), "{err}");
}
