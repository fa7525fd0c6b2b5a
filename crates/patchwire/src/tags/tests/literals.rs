//! Markers that are text, and why.

use super::{Around, Input, TagSet, TokenRun, router, show, tags};

const SETTINGS: &str = r#"
    [[family]]
    name = "think"
    open = "<think>"
    close = "</think>"
    channel = "reasoning"
    stray = "drop"
    [[family]]
    name = "note"
    open = "<note:{id}>"
    close = "</note:{id}>"
    channel = "x"
    at = "line"
    same = "literal"
    [[family]]
    name = "box"
    open = "<box>"
    close = "</box>"
    channel = "text"
    stray = "literal"
    [[family]]
    name = "item"
    open = "<item>"
    close = "</item>"
    channel = "item"
    body = "raw"
    within = ["box"]
    attributes = "valued"
    [[family]]
    name = "answer"
    open = "<answer>"
    close = "</answer>"
    channel = "answer"
    stray = "drop"
"#;

/// The markers of a text that are text, as `marker@start-end why`. `‹` begins a run of special tokens, `«` one of text
/// tokens, `›` ends both; none of these signs is part of the text.
fn literals(tags: &TagSet, text: &str, is_cut: bool) -> Vec<String> {
    let mut router = router(tags, None);
    router.find_literals();
    let (mut shown, mut base, mut found) = (String::new(), 0, Vec::new());
    for part in text.split_inclusive(|char| is_cut || "‹«›".contains(char)) {
        let run = match part.chars().next_back() {
            Some('‹') => Some(TokenRun::Special),
            Some('«') => Some(TokenRun::Plain),
            Some('›') => Some(TokenRun::Text),
            _ => None,
        };
        let part = part.trim_end_matches(['‹', '«', '›']);
        let mut input = Input::new(part, base);
        while !input.is_done() {
            let Some(routed) = router.step(&mut input, Around::Text) else { break };
            show(&mut router, routed, &mut input, &mut shown);
        }
        router.canonicalize();
        base += part.len() as u64;
        if let Some(run) = run {
            router.set_run(base, run);
        }
        found.extend(router.take_literals());
    }
    let mut end = Input::new("", base);
    while let Some(routed) = router.finish(base, Around::Text) {
        show(&mut router, routed, &mut end, &mut shown);
    }
    found.extend(router.take_literals());
    let said = found.iter();
    said.map(|it| format!("{}@{}-{} {}", it.marker, it.span.start, it.span.end, it.why.name()))
        .collect()
}

#[test]
fn why_markers_are_text() {
    let tags = tags(SETTINGS);
    let table: &[(&str, &[&str])] = &[
        ("<think>a</think>", &[]),
        ("`<think>` a", &["<think>@1-8 code"]),
        ("`</think>` a", &["</think>@1-9 code"]),
        ("<think>`<think>` `</think>` a</think>", &["<think>@8-15 place"]),
        ("<answer>`</answer>` </answer>", &["</answer>@9-18 code"]),
        ("a <note:1> b", &["<note:{id}>@2-10 mid_line"]),
        ("a `<note:1>` b", &["<note:{id}>@3-11 mid_line"]),
        ("<item>", &["<item>@0-6 place"]),
        ("<note:1>a <note:2> b</note:1>", &["<note:{id}>@10-18 place"]),
        ("a </box> b", &["</box>@2-8 nothing_to_close"]),
        ("<box><item>a</item>b</item></box>", &["</item>@12-19 follower"]),
        (
            "<box><item>`</item>` </box> x</item></box>",
            &["</item>@12-19 follower", "</box>@36-42 nothing_to_close"],
        ),
        ("<box><item x=\"</item>\">a</item></box>", &[]),
        ("<note:1>\na</note:2></note:1>", &[]),
        ("«<think>› a", &["<think>@0-7 plain"]),
        ("<th«ink>› a", &["<think>@0-7 plain"]),
        ("«<th›ink> a", &["<think>@0-7 plain"]),
        ("a `‹<think>›` b", &[]),
        ("«</box>› `</box>`", &["</box>@0-6 plain", "</box>@8-14 nothing_to_close"]),
        ("x\n```\n<think>\n</box>\n```\n", &["<think>@6-13 code", "</box>@14-20 nothing_to_close"]),
        ("<think>a <think> b</think>", &["<think>@9-16 place"]),
        ("<<think>a</think>", &[]),
        (
            "<box><box><item>a</item></box></box>",
            &["<box>@5-10 place", "</box>@30-36 nothing_to_close"],
        ),
    ];
    let mut wrong = String::new();
    for (text, wanted) in table {
        let whole = literals(&tags, text, false);
        if whole != *wanted {
            wrong += &format!("({text:?}, &{whole:?}), // not {wanted:?}\n");
        }
        assert_eq!(literals(&tags, text, true), whole, "{text:?}, cut at every character");
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
