use serde_json::Value;

use crate::run::{lines, patchwire};

/// A marker, a fence, an escape, a word and a code point, each cut by a chunk of 8 bytes.
const ANSWER: &str = "<think>So.</think>Here:\n```json\n{\"a\": \"caf\\u00e9 \u{1f600}\", \"b\": \
                      [true, 10], 'c': \"say \"hi\", ok\",}\n```\nbye <b";

/// To bless: `patchwire trace --chunk-bytes 8 < input > crates/patchwire-cli/tests/golden/trace.txt`,
/// where the input is [`ANSWER`].
const GOLDEN: &str = include_str!("golden/trace.txt");

/// What is held at the end of each chunk of a recording.
fn held(deltas: &[&str]) -> Vec<Value> {
    let recording = serde_json::json!({ "deltas": deltas }).to_string();
    let out = patchwire(&["trace", "--input", "recording", "--json"], recording).out;
    lines(&out).into_iter().filter(|line| !line["held"].is_null()).collect()
}

#[test]
fn what_is_piped_is_the_same_each_time() {
    for _ in 0..2 {
        let out = patchwire(&["trace", "--chunk-bytes", "8"], ANSWER).ok();
        assert_eq!(out, GOLDEN.replace("\r\n", "\n"));
    }
}

#[test]
fn it_fits_on_80_columns() {
    for line in GOLDEN.lines() {
        assert!(line.chars().count() <= 80 && line.trim_end() == line, "{line}");
    }
    let long = format!("{{\"{}\": \"{}\"}}", "key".repeat(30), "text ".repeat(100));
    for size in ["1", "50", "1000"] {
        let out = patchwire(&["trace", "--chunk-bytes", size], long.as_str()).ok();
        assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    }
}

#[test]
fn a_marker_cut_in_two_is_named() {
    let held = held(&["a <thi", "nk>b</think>{\"a\":1}"]);
    assert_eq!(held.len(), 1);
    assert_eq!((&held[0]["held"], &held[0]["layer"]), (&"marker".into(), &"tags".into()));
    assert_eq!((&held[0]["text"], &held[0]["from"]), (&"<thi".into(), &2.into()));
    assert_eq!(held[0]["could_be"][0], "<think>");
    let screen = patchwire(&["trace", "--chunk-bytes", "6"], "a <think>b</think>{}").ok();
    assert!(screen.contains("held by tags: a possible marker ‹<thi›"), "{screen}");
    assert!(screen.contains("may become <think>, <thinking>"), "{screen}");
}

#[test]
fn each_layer_says_what_it_waits_for() {
    for (deltas, by, text) in [
        (&["{\"a\": \"x\"", ", \"b\": 1}"][..], "value_quote", "\""),
        (&["{\"a\": \"x\",", " \"b\": 1}"], "comma", "\","),
        (&["{\"a\": \"\\u12", "34\"}"], "escape", "\\u12"),
        (&["{\"a\": tr", "ue}"], "word", "tr"),
        (&["Sure: {\"ti", "tle\": 1}"], "bracket", "{\"ti"),
    ] {
        let held = held(deltas);
        assert_eq!((held.len(), &held[0]["held"]), (1, &by.into()), "{deltas:?}");
        assert_eq!(held[0]["text"], text, "{deltas:?}");
        assert!(!held[0]["until"].as_str().expect("it is text").is_empty());
    }
}

#[test]
fn half_a_code_point_is_shown_as_bytes() {
    let out = patchwire(&["trace", "--json", "--chunk-bytes", "9"], "{\"a\": \"b\u{e9}\"}").ok();
    let line = lines(&out).into_iter().find(|line| line["held"] == "code_point");
    let line = line.expect("it is held");
    assert_eq!((&line["bytes"], &line["from"]), (&vec![195].into(), &8.into()));
    let out = patchwire(&["trace", "--chunk-bytes", "9"], "{\"a\": \"b\u{e9}\"}").ok();
    assert!(out.contains("the first bytes of a code point ‹<C3>›"), "{out}");
}

#[test]
fn tokens_come_before_their_events() {
    let all = lines(&patchwire(&["trace", "--json"], "{\"a\": \"x\"}").ok());
    let names: Vec<&str> = all
        .iter()
        .filter_map(|line| line["token"].as_str().or_else(|| line["kind"].as_str()))
        .collect();
    let expected = [
        "object_open",
        "open",
        "key",
        "string_open",
        "open",
        "string_text",
        "delta",
        "string_close",
        "done",
        "close",
        "done",
        "root_complete",
    ];
    assert_eq!(names, expected);
    let text = all.iter().find(|line| line["token"] == "string_text").expect("there is text");
    assert_eq!((&text["text"], &text["end"]), (&"x".into(), &8.into()));
}

#[test]
fn the_events_are_those_of_parse() {
    for cut in ["1", "2", "7", "1000"] {
        let parse = patchwire(&["parse", "--chunk-bytes", cut], ANSWER).ok();
        let trace = patchwire(&["trace", "--json", "--chunk-bytes", cut], ANSWER).ok();
        let events: Vec<&str> =
            trace.lines().filter(|line| line.starts_with("{\"event\":")).collect();
        assert_eq!(events, parse.lines().collect::<Vec<_>>(), "{cut}");
    }
}

#[test]
fn an_error_ends_the_trace() {
    let run = patchwire(&["trace", "--strictness", "strict"], "{\"a\": nul, ");
    assert_eq!(run.status, Some(1));
    assert!(run.out.contains("(root) opens as {}"), "{}", run.out);
    let run = patchwire(&["trace", "--json", "--limit", "depth=1"], "[[1]]");
    let last = lines(&run.out).pop().expect("there are lines");
    assert_eq!((run.status, &last["code"]), (Some(4), &"limit_depth".into()));
}

#[test]
fn a_terminal_is_not_taken_over_by_what_is_read() {
    let out = patchwire(&["trace"], "\u{1b}[31m{\"a\": \"\u{1b}[2J\u{202e}\"}").ok();
    assert!(!out.contains('\u{1b}') && !out.contains('\u{202e}'), "{out}");
}

/// What `trace` says of events, without the tokens.
fn said(options: &[&str], input: &str) -> Vec<String> {
    let out = patchwire(&[&["trace"], options].concat(), input).ok();
    let said = out.lines().filter_map(|line| line.trim_start().strip_prefix("→ "));
    said.map(str::to_owned).collect()
}

#[test]
fn elements_are_printed_in_words() {
    let input = "<scratch_pad>a<output>b</scratch_pad><think level=\"1\">c</thinking><output>d";
    let expected = [
        "scratch_pad opens",
        "reasoning += ‹a›",
        "scratch_pad closes: interrupted by the next opener",
        "reasoning is complete",
        "output opens",
        "answer += ‹b›",
        "scratch_pad has nothing to close: its closer is dropped",
        "think opens in output, with level \"1\"",
        "reasoning += ‹c›",
        "think closes, by a closer of another name",
        "reasoning is complete",
        "output closes: its opener repeats",
        "output opens",
        "answer += ‹d›",
        "output closes: the input ends",
    ];
    let said = said(&["--tags", "scratchpad"], input);
    let events: Vec<&String> = said.iter().filter(|line| !line.starts_with("notice ")).collect();
    assert_eq!(events[..expected.len()], expected);
    let answer = events.last().expect("there are events");
    assert!(answer.starts_with("answer ") && answer.ends_with("‹\"d\"›"), "{answer}");
}

#[test]
fn the_reason_why_a_marker_is_text_is_printed() {
    let text = |tags: &str, input: &str| -> Vec<String> {
        let run = patchwire(&["trace", "--tags", tags, "--chunk-bytes", "3"], input);
        let after = |line: &str| Some(line.get(11..)?.to_owned());
        run.out.lines().filter(|line| line.contains(" is text: ")).filter_map(after).collect()
    };
    let code = "‹<think>› is text: code hides it";
    assert_eq!(text("scratchpad", "a `<think>` b\n```\n<think>\n```\n"), [code, code]);
    let place = "‹<think>› is text: what it stands in takes no such element";
    assert_eq!(text("think", "<think>a <think> b</think>"), [place]);
    let line = "‹<<<<<<< SEARCH↵› is text: it counts only at the start of a line";
    assert_eq!(text("edit-blocks", "see <<<<<<< SEARCH\n"), [line]);
    let raw = "<tool_call><function=f><parameter=p>a</parameter> b</parameter></tool_call>";
    let said = text("qwen", raw);
    assert!(
        said[0].starts_with("‹</parameter>› is text: what follows it may not follow"),
        "{said:?}"
    );
    assert!(text("think", "a <think>b</think> c").is_empty());
}

#[test]
fn text_that_turns_out_to_be_reasoning_is_printed() {
    let said = said(&["--format", "text"], "plan</think>so");
    assert!(said.contains(&"text from 0 to 4 is reasoning after all".to_owned()), "{said:?}");
}

#[test]
fn comments_and_bodies_are_printed_in_words() {
    let input = "<!-- note --><<T/search:7>>{\"q\": \"z\"}<<END>>";
    let said = said(&["--tags", "tests/tags.toml", "--format", "json"], input);
    for words in [
        "comment += ‹ note ›",
        "comment is complete",
        "tool opens, with name \"search\", id \"7\"",
        "tool: q += ‹z›",
        "tool closes",
    ] {
        assert!(said.iter().any(|line| line == words), "{words}: {said:?}");
    }
}

/// The first line of the table of readings.
fn cheapest(args: &[&str], answer: &str) -> String {
    let args = [&["trace", "--repair"], args].concat();
    let out = patchwire(&args, answer).ok();
    out.lines().nth(2).unwrap_or_default().to_owned()
}

#[test]
fn readings_of_a_field_and_of_an_element_are_compared_with_their_part_of_the_answer() {
    let schema = ["--schema", "tests/golden/readings.schema.json"];
    let json = r#"{"name":"John, "city":"Paris"}"#;
    let line = r#"    96  {"name":"John","city":"Paris"}  the answer"#;
    let hybrid = format!("# note\nan {{aside}}\n\n# data\n```json\n{json}\n```\n\n# more\nx\n");
    assert_eq!(cheapest(&[&["--format", "hybrid"], &schema[..]].concat(), &hybrid), line);
    let field = |name: &str, text: &str| format!("<field name=\"{name}\">{text}</field>\n");
    let fields = [field("note", "x"), field("data", json), field("more", "y")].concat();
    let xml = format!("<answer_fields>\n{fields}</answer_fields>");
    assert_eq!(cheapest(&[&["--format", "xml_field"], &schema[..]].concat(), &xml), line);
    let element = format!("<scratch_pad>a {{b}}</scratch_pad><output>{json}</output> bye");
    let schema = ["--tags", "scratchpad", "--schema", "tests/golden/reading.schema.json"];
    assert_eq!(cheapest(&schema, &element), line);
}

/// Its last item was held back until the end of the input.
#[test]
fn a_value_that_the_end_completes_is_the_streamed_one() {
    let out = patchwire(&["trace", "--repair"], r#"[""[a]]"#).ok();
    assert!(out.contains(r#"["",["a"]]  streamed, the answer"#), "{out}");
}
