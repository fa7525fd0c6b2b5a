//! `check` cuts bodies, and `rate` counts them.

use serde_json::json;

use super::samples::{ALL, ANTHROPIC, CHAT, called, said, stopped};
use crate::run::{Scratch, lines, patchwire};

#[test]
fn a_body_tells_the_same_wherever_it_is_cut() {
    for (input, body) in ALL {
        let out = patchwire(&["check", "--input", input, "--random", "9"], body).ok();
        assert!(out.contains("       9  complete   same\n"), "{input}: {out}");
        let cuttings =
            format!("{} cuttings, byte by byte among them: no difference", body.len() + 9);
        assert!(out.trim_end().ends_with(&cuttings), "{input}: {out}");
    }
}

#[test]
fn so_do_those_that_break() {
    let bodies = [
        CHAT[..CHAT.len() / 2].to_owned(),
        said("[1") + "data: {bad}\n\n" + &said("2]"),
        said("[1") + "data: {\"error\":{\"message\":\"busy\"}}\n\n",
        said("[1, {\"a") + &stopped("length"),
        called("{\"q\": [1, \"no end"),
        "{\"error\": \"no such model\"}".to_owned(),
        String::new(),
    ];
    let named = |(at, body): (usize, &String)| Scratch::new(&format!("check-{at}.sse"), body);
    let files: Vec<Scratch> = bodies.iter().enumerate().map(named).collect();
    let paths: Vec<&str> = files.iter().map(Scratch::path).collect();
    let check = ["check", "--input", "openai-chat"];
    for options in [
        &[][..],
        &["--limit", "depth=1"],
        &["--limit", "total=3"],
        &["--strictness", "strict"],
        &["--format", "text"],
    ] {
        let out = patchwire(&[&check[..], options, &paths].concat(), "").ok();
        assert_eq!(out.matches(" same\n").count(), bodies.len(), "{options:?}: {out}");
        assert!(out.contains("  broken     same\n"), "{options:?}: {out}");
        let bytes: usize = bodies.iter().map(String::len).sum();
        assert!(out.contains(&format!(" streams, {bytes} bytes, ")), "{options:?}: {out}");
    }
}

#[test]
fn why_a_body_breaks_stands_below_its_row() {
    let check = ["check", "--input", "openai-chat"];
    for (body, why) in [
        (ANTHROPIC, "an event of openai-chat: it is anthropic's, which `--input anthropic` reads"),
        (&CHAT[..CHAT.len() / 2], "in the middle of the answer: the connection was cut"),
        ("<p>\u{1b}[31m", "begins \"<p>"),
    ] {
        let out = patchwire(&check, body).ok();
        let rows: Vec<&str> = out.lines().collect();
        assert!(rows[1].ends_with("  broken     same"), "{out}");
        assert!(rows[2].starts_with("  ") && rows[2].contains(why), "{out}");
        assert!(!rows[2].contains('\u{1b}'), "{out}");
    }
    let out = patchwire(&["check", "--limit", "depth=1"], "[[1]]").ok();
    assert!(out.contains("  stopped    same\n  limit `depth` reached at byte 1\n"), "{out}");
}

#[test]
fn bodies_are_grouped_by_protocol_and_model() {
    let other = CHAT.replace("m-1", "m-0");
    let bodies = [CHAT.to_owned(), other, CHAT[..CHAT.len() / 2].to_owned(), called("{\"q\": 1}")];
    let named = |(at, body): (usize, &String)| Scratch::new(&format!("rate-{at}.sse"), body);
    let files: Vec<Scratch> = bodies.iter().enumerate().map(named).collect();
    let paths: Vec<&str> = files.iter().map(Scratch::path).collect();
    let rate = ["rate", "--input", "openai-chat"];
    let of = |args: &[&str]| lines(&patchwire(&[&rate[..], args, &paths].concat(), "").ok());
    let groups = |by: &str| {
        let emitted = of(&["--json", "--by", by]);
        emitted
            .iter()
            .map(|line| (line["group"].clone(), line["streams"].clone()))
            .collect::<Vec<_>>()
    };
    let all = &of(&["--json"])[0];
    assert_eq!((&all["group"], &all["streams"]), (&json!("openai-chat"), &json!(4)));
    assert_eq!(all["parsed"], 4);
    let outcomes = ["complete", "truncated", "tool_calls", "stopped"];
    assert_eq!(outcomes.map(|name| all["outcomes"][name].as_u64()), [2, 0, 1, 1].map(Some));
    assert_eq!(
        groups("source"),
        [(json!(null), json!(1)), (json!("m-0"), json!(1)), (json!("m-1"), json!(2))]
    );
    assert_eq!(groups("kind"), [(json!("text"), json!(4))]);
    assert_eq!(groups("file").len(), 4);
    let table = patchwire(&[&rate[..], &paths].concat(), "").ok();
    assert!(table.contains("\nopenai-chat        4    100%"), "{table}");
    assert!(table.contains("; 1 only tool calls; 1 stopped by an error\n"), "{table}");
}
