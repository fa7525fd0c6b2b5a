use crate::run::{Scratch, lines, patchwire};

#[test]
fn the_value_alone_is_printed() {
    let input = "Sure!\n```json\n{\"b\": 1.50, \"a\": [true, \"x\"]}\n```";
    let compact = "{\"b\":1.50,\"a\":[true,\"x\"]}\n";
    assert_eq!(patchwire(&["final"], input).ok(), compact);
    assert_eq!(patchwire(&["final", "--chunk-bytes", "1"], input).ok(), compact);
    let pretty = "{\n  \"b\": 1.50,\n  \"a\": [\n    true,\n    \"x\"\n  ]\n}\n";
    assert_eq!(patchwire(&["final", "--pretty"], input).ok(), pretty);
}

#[test]
fn the_envelope_is_the_final_event_without_its_name() {
    let input = "<think>hm</think>So: {\"a\": 1,} and";
    let envelope = patchwire(&["final", "--envelope"], input).ok();
    let event = patchwire(&["parse"], input).ok();
    let last = event.lines().last().expect("there are events");
    let (start, rest) = envelope.trim_end().split_once(",\"elements\":[{\"id\":1,").expect("one");
    let (_, end) = rest.split_once("}],").expect("it ends");
    assert_eq!(format!("{start},{end}"), last.replacen("\"event\":\"final\",", "", 1));

    let pretty = patchwire(&["final", "--envelope", "--pretty"], input).ok();
    assert!(
        pretty.starts_with("{\n  \"outcome\": \"repaired\",\n  \"value\": {\n    \"a\": 1\n  },\n")
    );
    let compact: serde_json::Value = serde_json::from_str(&envelope).expect("it is JSON");
    assert_eq!(serde_json::from_str::<serde_json::Value>(&pretty).expect("it is JSON"), compact);
}

#[test]
fn the_envelope_shows_what_there_is_without_a_value() {
    let run = patchwire(&["final", "--envelope"], "<think>hm</think>");
    let envelope = &lines(&run.out)[0];
    assert_eq!((&envelope["outcome"], &envelope["reasoning"]), (&"no_answer".into(), &"hm".into()));
    assert_eq!(run.status, Some(3));
}

#[test]
fn the_envelope_of_a_stream_that_was_stopped_has_the_error() {
    let strict = ["final", "--envelope", "--strictness", "strict"];
    let envelope = &lines(&patchwire(&strict, r#"{"a": "b"#).out)[0];
    assert_eq!((&envelope["outcome"], &envelope["value"]["a"]), (&"truncated".into(), &"b".into()));
    assert_eq!(
        (&envelope["error"]["code"], &envelope["error"]["offset"]),
        (&"unexpected_end".into(), &8.into())
    );

    let limited = ["final", "--envelope", "--limit", "depth=1"];
    let envelope = &lines(&patchwire(&limited, "<think>a</think>b {'c': 1, d: []}").out)[0];
    assert_eq!((&envelope["outcome"], &envelope["value"]["c"]), (&"failed".into(), &1.into()));
    assert_eq!((&envelope["reasoning"], &envelope["text"]), (&"a".into(), &"b ".into()));
    assert_eq!(envelope["notices"][0]["code"], "single_quotes");
    assert_eq!(envelope["error"]["code"], "limit_depth");
}

#[test]
fn depth_needs_no_stack() {
    let depth = 200_000;
    let input = "[".repeat(depth) + &"]".repeat(depth);
    let limit = format!("depth={depth}");
    let out = patchwire(&["final", "--limit", &limit], input.as_str()).ok();
    assert_eq!(out.trim_end(), input);
    let out = patchwire(&["final", "--envelope", "--limit", &limit], input.as_str()).ok();
    assert!(out.contains(&input));
    let limit = ["final", "--envelope", "--pretty", "--limit", "depth=2000"];
    let out = patchwire(&limit, "[".repeat(2_000) + &"]".repeat(2_000)).ok();
    assert_eq!(out.lines().filter(|line| line.ends_with('[')).count(), 1_999);
}

#[test]
fn which_root_is_the_answer_can_be_chosen() {
    let roots = |which| patchwire(&["final", "--roots", which], "{\"a\": 1}\n{\"a\": 2}\n").ok();
    assert_eq!(roots("first"), "{\"a\":1}\n");
    assert_eq!(roots("last"), "{\"a\":2}\n");
    assert_eq!(roots("concatenated"), "{\"a\":1}\n{\"a\":2}\n");
    let all = ["final", "--roots", "concatenated", "--envelope"];
    let envelope = &lines(&patchwire(&all, "{\"a\": 1}\n{\"a\": 2}\n").ok())[0];
    assert_eq!(envelope["roots"].to_string(), r#"[{"a":1},{"a":2}]"#);
}

#[test]
fn tags_can_be_left_alone() {
    let input = r#"<think>{"a": 1}</think>{"b": 2}"#;
    assert_eq!(patchwire(&["final"], input).ok(), "{\"b\":2}\n");
    assert_eq!(patchwire(&["final", "--tags", "think"], input).ok(), "{\"b\":2}\n");
    let first = ["final", "--tags", "none", "--roots", "first"];
    assert_eq!(patchwire(&first, input).ok(), "{\"a\":1}\n");
}

#[test]
fn a_slip_can_be_refused() {
    let notices = |args: &[&str]| {
        let run = patchwire(&[&["final", "--envelope"], args].concat(), "{\"a\": 1, // one\n}");
        lines(&run.out)[0]["notices"].to_string()
    };
    assert!(notices(&[]).contains("\"comment\""));
    assert!(
        !notices(&["--forbid", "comments", "--forbid", "extra_commas"]).contains("\"comment\"")
    );
}

#[test]
fn every_stream_of_a_recording_has_its_value() {
    let recording =
        "{\"deltas\":[\"[1\",\"]\"]}\n{\"deltas\":[\"none\"]}\n{\"deltas\":[\"[2]\"]}\n";
    let run = patchwire(&["final", "--input", "recording"], recording);
    let (status, out, err) = run.failed();
    assert_eq!((status, out), (Some(3), "[1]\n[2]\n"));
    assert!(err.starts_with("error: stdin:2: no value"), "{err}");
}

#[test]
fn halves_of_a_character_in_a_recording_are_joined() {
    let recording = r#"{"deltas": ["[\"x\ud83d", "\ude42y\"]"]}"#;
    let out = patchwire(&["final", "--input", "recording"], recording).ok();
    assert_eq!(out, "[\"x🙂y\"]\n");
}

#[test]
fn a_schema_shapes_the_value_and_what_it_cannot_say_is_noted() {
    let schema = Scratch::new(
        "schema.json",
        r#"{"type": "object", "properties": {"b": {"type": "string", "pattern": "x(?=y)"}, "a": {}}}"#,
    );
    let run = patchwire(&["final", "--schema", schema.path()], r#"{"a": 1, "b": "x"}"#);
    assert_eq!((run.status, run.out.as_str()), (Some(0), "{\"b\":\"x\",\"a\":1}\n"));
    assert_eq!(run.err.lines().count(), 1);
    assert!(run.err.starts_with("note: "), "{}", run.err);
    assert!(run.err.contains("`pattern` at `#/properties/b`"), "{}", run.err);
}
