//! The command line as a whole: names, numbers, files, colours, the manual.

use std::fs;
use std::path::Path;

use crate::run::{Scratch, lines, patchwire};

#[test]
fn what_final_prints_may_not_be_what_the_model_wrote() {
    for (input, expected) in [
        ("{\"a\": 1}", ""),
        ("Sure: {\"a\": 1}.", ""),
        (
            "{a: 1,}",
            "stdin: the answer was repaired (unquoted_key, trailing_comma); `--envelope` shows where",
        ),
        (r#"{"a": "b"#, "stdin: the answer was cut off (truncated); `--envelope` shows where"),
    ] {
        let run = patchwire(&["final"], input);
        let expected =
            if expected.is_empty() { String::new() } else { format!("note: {expected}\n") };
        assert_eq!((run.status, run.err), (Some(0), expected), "{input}");
        assert_eq!(patchwire(&["final", "--envelope"], input).err, "", "it says so itself");
        assert_eq!(patchwire(&["parse"], input).err, "", "its events say so");
    }
    let streams = "{\"deltas\":[\"[1\"]}\n{\"deltas\":[\"[1,]\"]}\n{\"deltas\":[\"[1]\"]}\n";
    let run = patchwire(&["final", "--input", "recording"], streams);
    assert_eq!(
        run.err,
        "note: 3 answers, of which repaired: 1, cut off: 1; `--envelope` shows where\n"
    );
    // What is an error already needs no note.
    let run = patchwire(&["final", "--ensure", "b"], "{a: 1,}");
    assert_eq!(run.failed(), (Some(1), "{\"a\":1}\n", "error: stdin: b is missing"));
}

#[test]
fn bytes_that_are_no_text_are_counted() {
    let run = patchwire(&["parse"], b"{\"a\": \"caf\xe9 au lait\", \"b\": 1234567}");
    assert_eq!(run.status, Some(0));
    assert_eq!(run.err, "note: stdin: 1 of 35 bytes is no UTF-8 text and became U+FFFD\n");
    let noise: Vec<u8> = (0..=255).cycle().take(2_000).chain(*b"{}").collect();
    let run = patchwire(&["final"], noise);
    assert!(
        run.err.contains("of 2002 bytes are no UTF-8 text")
            && run.err.contains("; is this a text?"),
        "{}",
        run.err
    );
}

#[test]
fn a_schema_that_cannot_be_used_says_how_it_was_read() {
    let said = |text: &str, more: &[&str]| {
        let schema = Scratch::new("guess.json", text);
        let run = patchwire(&[&["final", "--schema", schema.path()], more].concat(), "{}");
        assert_eq!(run.status, Some(2), "{}", run.err);
        run.err
    };
    let dsl = said("{\"type\": \"strng\"}", &[]);
    assert!(
        dsl.contains("read as the output DSL") && dsl.contains("`--schema-form json_schema`"),
        "{dsl}"
    );
    let json = said("{\"type\": \"object\", \"properties\": {\"a\": {\"type\": \"strng\"}}}", &[]);
    assert!(
        json.contains("read as JSON Schema") && json.contains("`--schema-form output_dsl`"),
        "{json}"
    );
    // Who chose the form, and what is in neither, gets no guess.
    for (text, more) in
        [("{\"type\": \"strng\"}", &["--schema-form", "json_schema"][..]), ("a: [", &[])]
    {
        assert!(!said(text, more).contains("it was read as"), "{text}");
    }
}

#[test]
fn nothing_to_rate_is_3() {
    let recording = ["rate", "--input", "recording"];
    for (args, input) in [(&["rate"][..], ""), (&["rate"], " \r\n"), (&recording, "\n")] {
        let run = patchwire(args, input);
        assert_eq!(run.status, Some(3), "{}", run.err);
        assert_eq!(run.err, "error: nothing to rate: the input holds no text of an answer\n");
    }
    assert_eq!(patchwire(&["rate"], "No JSON.").status, Some(0));
}

#[test]
fn an_empty_recording_is_3() {
    for command in ["final", "parse"] {
        let run = patchwire(&[command, "--input", "recording"], "\n");
        assert_eq!(run.status, Some(3), "{command}");
        assert_eq!(run.err, "error: stdin: nothing to read: the input is empty\n");
    }
    for check in [&["check", "--input", "recording"][..], &["check"]] {
        let run = patchwire(check, "");
        assert_eq!(run.status, Some(3));
        assert_eq!(run.err, "error: nothing to check: the input is empty\n");
    }
}

#[test]
fn numbers_that_are_wrong_say_what_to_write() {
    for (args, expected) in [
        (&["parse", "--chunk-bytes", "0"][..], "write a whole number from 1"),
        (&["parse", "--chunk-bytes", "abc"], "write a whole number from 1"),
        (&["parse", "--chunk-bytes", "-3"], "write a whole number from 1"),
        (&["parse", "--chunk-bytes", "99999999999999999999"], "too large; write a smaller one"),
        (&["parse", "--chunk-seed", "-1"], "write a whole number from 0"),
        (&["check", "--random", "1.5"], "write a whole number from 0 to 4294967295"),
        (&["check", "--seed", "x"], "write a whole number from 0"),
        (&["demo", "--speed", "-1"], "write a number from 0 to 1000000"),
    ] {
        let run = patchwire(args, "");
        assert_eq!(run.status, Some(2));
        assert!(run.err.contains(expected), "{args:?}: {}", run.err);
    }
}

#[cfg(feature = "serve")]
#[test]
fn options_of_the_server_that_are_wrong_say_what_to_write() {
    for (option, value, expected) in [
        ("--grace", "abc", "write a whole number of seconds from 0"),
        ("--grace", "-1", "write a whole number of seconds from 0"),
        ("--per-address", "0", "write a whole number from 1"),
        ("--trusted-proxy", "foo", "write an IP address without a port"),
        ("--upstream", "foo", "it has to begin with http:// or https://"),
    ] {
        let run = patchwire(&["serve", "--listen", "127.0.0.1:0", option, value], "");
        assert_eq!(run.status, Some(2));
        assert!(run.err.contains(expected), "{option} {value}: {}", run.err);
    }
}

#[cfg(feature = "serve")]
#[test]
fn addresses_that_are_wrong_say_what_to_write() {
    for listen in ["999.9", "localhost", "127.0.0.1", ":3000", "127.0.0.1:99999"] {
        let run = patchwire(&["serve", "--listen", listen], "");
        assert_eq!(run.status, Some(2));
        assert!(
            run.err.contains("write an IP address and a port, such as 127.0.0.1:3000"),
            "{}",
            run.err
        );
    }
}

#[test]
fn an_option_whose_file_is_missing_says_what_to_give() {
    let cases = [
        (["parse", "--schema", "nowhere.json"], "give a file with JSON Schema or the output DSL"),
        (["parse", "--tags", "nowhere.json"], "give a file that ends in .toml or .json"),
        (["parse", "--tools", "nowhere.json"], "give a JSON file with the list `tools`"),
        (["serve", "--config", "nowhere.toml"], "give a TOML file with options of `serve`"),
    ];
    for (arguments, advice) in cases {
        let run = patchwire(&arguments, "");
        let (status, out, err) = run.failed();
        assert_eq!((status, out), (Some(2), ""), "{arguments:?}");
        assert!(err.contains(arguments[2]) && err.contains(advice), "{err}");
    }
}

#[test]
fn several_files_are_read_one_after_another() {
    let (one, two) = (Scratch::new("one.txt", "{\"a\": 1}"), Scratch::new("two.txt", "{\"a\": 2}"));
    let run = patchwire(&["final", one.path(), "nowhere.txt", two.path()], "");
    let (status, out, err) = run.failed();
    assert_eq!((status, out), (Some(2), "{\"a\":1}\n{\"a\":2}\n"));
    assert!(err.contains("cannot read nowhere.txt"), "{err}");
    let out = patchwire(&["parse", one.path(), two.path()], "").ok();
    let ends = lines(&out).into_iter().filter(|event| event["event"] == "final");
    assert_eq!(ends.count(), 2, "{out}");
    let out = patchwire(&["final", "-", two.path()], "[0]").ok();
    assert_eq!(out, "[0]\n{\"a\":2}\n");
}

#[test]
fn help_is_a_command_too() {
    assert_eq!(patchwire(&["help", "parse"], "").ok(), patchwire(&["parse", "--help"], "").ok());
    assert_eq!(patchwire(&["help"], "").ok(), patchwire(&["--help"], "").ok());
    let run = patchwire(&["help", "prase"], "");
    assert_eq!(
        run.failed(),
        (Some(2), "", "error: no command is called `prase`; `patchwire help` lists them")
    );
}

#[test]
fn colours_can_be_chosen() {
    for args in
        [&["demo", "--speed", "0"][..], &["--help"], &["help", "parse"], &["final", "--nonsense"]]
    {
        let of = |choice: &str| {
            let run = patchwire(&[&["--color", choice], args].concat(), "");
            run.out + &run.err
        };
        assert!(of("always").contains("\u{1b}["), "{args:?}");
        assert!(!of("never").contains('\u{1b}') && !of("auto").contains('\u{1b}'), "{args:?}");
    }
    let run = patchwire(&["--color", "sometimes", "demo"], "");
    assert!(
        run.status == Some(2) && run.err.contains("[possible values: auto, always, never]"),
        "{}",
        run.err
    );
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let page = patchwire(&["man"], "").ok();
    assert!(page.contains(".TH patchwire 1") && page.contains("patchwire\\-parse(1)"), "{page}");
    assert!(!page.contains('\u{1b}'), "{page}");
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("man");
    let _ = fs::remove_dir_all(&folder);
    patchwire(&["man", "--dir", folder.to_str().expect("a plain name")], "").ok();
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("the page is there");
    assert_eq!(read("patchwire.1"), page);
    for command in
        ["parse", "final", "check", "rate", "demo", "chat", "watch", "prompt", "serve", "trace"]
    {
        let page = read(&format!("patchwire-{command}.1"));
        assert!(
            page.contains(&format!(".TH patchwire\\-{command} 1"))
                || page.contains(&format!(".TH patchwire-{command} 1")),
            "{page}"
        );
        assert!(!page.contains('\u{1b}'), "{page}");
    }
    let run = patchwire(&["man", "--dir", "/dev/null/x"], "");
    assert!(
        run.status == Some(2) && run.err.contains("cannot write to /dev/null/x"),
        "{}",
        run.err
    );
}
