use crate::run::{Scratch, patchwire};

#[test]
fn complete_truncated_and_repaired_answers_are_fine() {
    for input in [r#"{"a": 1}"#, r#"{"a": "b"#, "{a: 1,}", "Sure: {\"a\": 1}."] {
        patchwire(&["final"], input).ok();
        patchwire(&["parse"], input).ok();
    }
}

#[test]
fn strict_reading_fails_on_what_lenient_reading_forgives() {
    let cases = [
        (r#"{"a": "b"#, 8, "{\"a\":\"b\"}\n"),
        (r#"{"a": 1,}"#, 8, "{\"a\":1}\n"),
        (r#"{"a": 1} x"#, 9, "{\"a\":1}\n"),
        ("{\"a\": \"\u{e9}\u{0}\"}", 9, "{\"a\":\"é\"}\n"),
    ];
    for (input, offset, value) in cases {
        let run = patchwire(&["final", "--strictness", "strict"], input);
        let (status, out, err) = run.failed();
        assert_eq!((status, out), (Some(1), value), "{input}");
        assert!(err.contains(&format!(" at byte {offset}; `--strictness lenient`")), "{err}");
        assert_eq!(patchwire(&["parse", "--strictness", "strict"], input).status, Some(1));
    }
}

#[test]
fn strict_reading_accepts_repeated_keys_which_are_legal_json() {
    let run = patchwire(&["final", "--strictness", "strict"], r#"{"a": 1, "a": 2}"#);
    assert_eq!((run.status, &*run.out, &*run.err), (Some(0), "{\"a\":2}\n", ""));
}

#[test]
fn no_value_is_3_and_nothing_is_printed() {
    for (input, why) in [
        ("", "only whitespace in 0 bytes"),
        (" \n", "only whitespace in 2 bytes"),
        ("I cannot do that.", "only text in 17 bytes"),
        ("<think>hm</think>", "only reasoning in 17 bytes"),
    ] {
        let run = patchwire(&["final"], input);
        let (status, out, err) = run.failed();
        assert_eq!((status, out), (Some(3), ""), "{input}");
        assert!(err.starts_with("error: stdin: no value: ") && err.contains(why), "{err}");
        assert_eq!(patchwire(&["parse"], input).status, Some(3));
        let strict = patchwire(&["final", "--strictness", "strict"], input);
        assert_eq!((strict.status, strict.out.as_str()), (Some(3), ""));
    }
}

#[cfg(unix)]
#[test]
fn a_closed_stdout_is_no_silent_loss() {
    let run = |redirect: &str| {
        let script = format!("exec \"$0\" final {redirect}");
        let mut shell = std::process::Command::new("sh");
        let shell = shell.args(["-c", &script, env!("CARGO_BIN_EXE_patchwire")]);
        let mut child = shell
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("there is a shell");
        let mut stdin = child.stdin.take().expect("piped");
        std::io::Write::write_all(&mut stdin, b"[1]").expect("the command reads");
        drop(stdin);
        let output = child.wait_with_output().expect("the command ends");
        (output.status.code(), String::from_utf8(output.stderr).expect("the command prints UTF-8"))
    };
    let note = "note: stdout is closed or the null device: the output is dropped\n";
    // The second is how Python's `DEVNULL` and systemd open it: programs that want no output are not refused.
    for redirect in [">&-", "1<> /dev/null"] {
        assert_eq!(run(redirect), (Some(0), note.into()), "{redirect}");
    }
    assert_eq!(run("> /dev/null"), (Some(0), String::new()));
    assert_eq!(run(""), (Some(0), String::new()));
}

#[test]
fn a_limit_is_4_and_says_how_to_raise_it() {
    for (limit, input, offset) in [
        ("depth=2", "[[[1]]]", 2),
        ("total=4", "[1, 2, 3]", 4),
        ("fields=1", r#"{"a": 1, "b": 2}"#, 12),
    ] {
        let run = patchwire(&["final", "--limit", limit], input);
        let (status, _, err) = run.failed();
        let (name, most) = limit.split_once('=').expect("it has one");
        assert_eq!(status, Some(4), "{limit}: {err}");
        let expected = format!(
            "error: stdin: limit {name} of {most} reached at byte {offset}; raise it with `--limit {name}=N`"
        );
        assert!(err.starts_with(&expected), "{err}");
        let parse = patchwire(&["parse", "--limit", limit], input);
        assert_eq!(parse.status, Some(4));
    }
}

#[test]
fn a_later_limit_counts() {
    let limits = ["final", "--limit", "depth=1", "--limit", "depth=3", "--limit", "key=10"];
    patchwire(&limits, "[[[1]]]").ok();
}

#[test]
fn wrong_usage_is_2() {
    for (args, what) in [
        (&["parse", "--limit", "depth"][..], "NAME=N"),
        (&["parse", "--limit", "height=1"], "no such limit; known are depth, key"),
        (&["parse", "--limit", "depth=x"], "`x` is not a whole number"),
        (
            &["parse", "--limit", "depth=99999999999999999999"],
            "`99999999999999999999` is more than 18446744073709551615",
        ),
        (&["parse", "--forbid", "nothing"], "comments"),
        (&["parse", "--format", "toml"], "json"),
        (&["parse", "--chunk-bytes", "0"], "--chunk-bytes"),
        (&["parse", "--tags", "thinks"], "scratchpad, "),
        (&["parse", "--tags", "thinks"], "would be read if it ended in .toml or .json"),
        (&["parse", "--tags", "none", "--tags", "think"], "`--tags none` cannot be combined"),
        (&["parse", "--start-in", "thinks"], "called `thinks`; the families are think, "),
        (&["parse", "--start-in", "think", "--tags", "none"], "there are no tags"),
        (&["parse", "--start-in", "think", "--strictness", "strict"], "there are no tags"),
        (&["parse", "--view", "best"], "first_closed_else_last"),
        (&["demo", "--speed=-1"], "--speed"),
        (&["demo", "--speed=NaN"], "--speed"),
        (
            &["final", "--strictness", "strict", "--tags", "think"],
            "strict reading allows no tag set",
        ),
        (&["watch-it"], "watch-it"),
        (&[], "Usage: patchwire [OPTIONS] <COMMAND>"),
    ] {
        let run = patchwire(args, "[1]");
        assert_eq!((run.status, run.out.as_str()), (Some(2), ""), "{args:?}: {}", run.err);
        assert!(run.err.contains(what), "{args:?}: {}", run.err);
    }
}

#[test]
fn files_that_cannot_be_read_are_2() {
    let broken = Scratch::new("broken.json", "{\"$ref\": \"#/nowhere\"}");
    let missing = format!("{}.missing", broken.path());
    for args in [
        &["parse", &missing][..],
        &["final", &missing],
        &["check", &missing],
        &["final", "--schema", &missing],
        &["final", "--schema", broken.path()],
    ] {
        let run = patchwire(args, "[1]");
        let (status, _, err) = run.failed();
        assert_eq!(status, Some(2), "{args:?}");
        assert!(err.contains(args[args.len() - 1]), "{err}");
    }
}

#[test]
fn tag_sets_that_cannot_be_used_are_2() {
    let own = "[[family]]\nname = \"think\"\nopen = \"<think>\"\nchannel = \"text\"\n";
    let (other, torn) = (Scratch::new("own.toml", own), Scratch::new("torn.JSON", "{\"family\":"));
    let empty = Scratch::new("empty.toml", "[[family]]\nname = \"a\"\n");
    let missing = format!("{}.toml", other.path());
    for (args, why) in [
        (&["--tags", &missing][..], missing.as_str()),
        (&["--tags", torn.path()], torn.path()),
        (&["--tags", torn.path()], "not a tag set: EOF"),
        (&["--tags", empty.path()], empty.path()),
        (&["--tags", empty.path()], "line 1, column 1: missing field `open`"),
        (&["--tags", "think", "--tags", other.path()], "there are two families `think`"),
    ] {
        let run = patchwire(&[&["parse"], args].concat(), "x");
        let (status, out, err) = run.failed();
        assert_eq!((status, out), (Some(2), ""), "{args:?}");
        assert!(err.contains(why), "{args:?}: {err}");
    }
}

#[test]
fn a_recording_that_is_none_is_3_and_says_where() {
    let input = "{\"deltas\":[\"[1]\"]}\n{\"delta\":\"[1]\"}\n";
    for command in ["parse", "final", "check"] {
        let run = patchwire(&[command, "--input", "recording"], input);
        let (status, out, err) = run.failed();
        assert_eq!(status, Some(3));
        assert!(err.contains("stdin is no recording: line 2, at byte 33: missing field"), "{err}");
        // What was before it was read.
        assert!(!out.is_empty());
    }
}
