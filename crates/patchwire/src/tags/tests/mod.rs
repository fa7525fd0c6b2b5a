//! Texts and what the router makes of them, whole and cut at every character.

mod code;
mod effects;
mod literals;
mod pending;
mod places;

use super::acts::Act;
use super::token_run::TokenRun;
use super::{Around, Routed, Router, RouterStart, TagSet};
use crate::element::CloseReason;
use crate::lex::Input;

const TAGS: &str = r#"
    comments = true
    [[family]]
    name = "think"
    open = ["<think>", "<thinking>"]
    close = ["</think>", "</thinking>"]
    channel = "reasoning"
    [[family]]
    name = "files"
    open = "<files>"
    close = "</files>"
    channel = "text"
    [[family]]
    name = "file"
    open = "<file:{path}>"
    close = "</file>"
    channel = "file"
    body = "raw"
    within = ["files"]
"#;

fn tags(toml: &str) -> TagSet {
    TagSet::from_toml(toml).expect("a tag set")
}

/// Adds what a step of the router found: openers as `‹name›`, closers as `‹/›` or with a reason, notices as `!code`.
fn show(router: &mut Router, routed: Routed, input: &mut Input<'_>, shown: &mut String) {
    match routed {
        Routed::Clear(end) => {
            let text = &input.text()[input.pos..end];
            router.passed(text, input.offset());
            shown.push_str(text);
            input.pos = end;
        }
        Routed::Released { end } => {
            let len = router.released().len();
            shown.push_str(router.released());
            router.pass_released(0, len, end);
        }
        Routed::Marker { .. } => {
            while let Some(act) = router.act() {
                shown.push_str(&said(router, act));
            }
        }
    }
}

fn said(router: &Router, act: Act) -> String {
    let name = |family| router.tags().family(family).name().to_owned();
    match act {
        Act::Open { family, params, parent, id, .. } => {
            // The element around has the number before, unless others closed in between.
            let parent = match parent {
                Some(parent) if parent + 1 != id => format!(" in {parent}"),
                _ => String::new(),
            };
            let params: String = params.iter().map(|(_, it)| format!(" {it}")).collect();
            format!("‹{}{params}{parent}›", name(family))
        }
        Act::Close { reason: CloseReason::Observed, .. } => "‹/›".to_owned(),
        Act::Close { reason, .. } => format!("‹/{}›", reason.name()),
        Act::Stray { family, .. } => format!("‹stray {}›", name(family)),
        Act::Reclassify { from, to, family } => format!("‹was {} {from}..{to}›", name(family)),
        Act::Notice(code, _) => format!("!{}", code.name()),
    }
}

fn router(tags: &TagSet, start_in: Option<&str>) -> Router {
    let start_in = start_in.map(|name| tags.number(name).expect("a family"));
    Router::new(tags.clone(), RouterStart { start_in, bare_from: None, keep_runs: false })
}

/// What the router makes of a text in parts.
fn route(mut router: Router, parts: &[&str]) -> String {
    let (mut shown, mut base) = (String::new(), 0);
    for part in parts {
        let mut input = Input::new(part, base);
        while !input.is_done() {
            let Some(routed) = router.step(&mut input, Around::Text) else { break };
            show(&mut router, routed, &mut input, &mut shown);
        }
        router.canonicalize();
        base += part.len() as u64;
    }
    let mut end = Input::new("", base);
    while let Some(routed) = router.finish(base, Around::Text) {
        show(&mut router, routed, &mut end, &mut shown);
    }
    shown
}

/// Checks texts whole, in two parts and by characters, and names all rows that are wrong.
fn check_from(router: &Router, table: &[(&str, &str)]) {
    let mut wrong = String::new();
    for (text, want) in table {
        let whole = route(router.clone(), &[text]);
        if whole != *want {
            wrong += &format!("({text:?}, {whole:?}), // not {want:?}\n");
        }
        for (cut, _) in text.char_indices() {
            let parts = [&text[..cut], &text[cut..]];
            assert_eq!(route(router.clone(), &parts), whole, "{text:?}, cut at {cut}");
        }
        let chars: Vec<&str> = text.split("").filter(|char| !char.is_empty()).collect();
        assert_eq!(route(router.clone(), &chars), whole, "{text:?}, by characters");
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}

fn check(tags: &TagSet, table: &[(&str, &str)]) {
    check_from(&router(tags, None), table);
}

#[test]
fn texts_and_their_elements() {
    check(
        &tags(TAGS),
        &[
            ("a <think>b</think> c", "a ‹think›b‹/› c"),
            ("<think>b</thinking>c", "‹think›b‹/›c"),
            ("<thin>k <<think>", "<thin>k <‹think›!unclosed_element‹/end_of_input›"),
            ("<thinkin", "<thinkin"),
            ("a</think>b", "a!stray_closer‹stray think›‹was think 0..1›b"),
            ("`<think>` b", "`<think>` b"),
            (
                "a\n```\n<think>\n```\n<think>",
                "a\n```\n<think>\n```\n‹think›!unclosed_element‹/end_of_input›",
            ),
            ("<!-- <think> -->a", "‹comment› <think> ‹/›a"),
            ("<file:a>b</file>", "<file:a>b!stray_closer‹stray file›"),
            ("<files><file:a>b</file>\n</files>", "‹files›‹file a›b‹/›\n‹/›"),
            ("<files><file:a></file>b</file></files>", "‹files›‹file a›</file>b‹/›‹/›"),
            (
                "<files><file:a>b<file:c>d</file>",
                "‹files›‹file a›b!unclosed_element‹/sibling_opener›‹file c in 1›d‹/›!unclosed_element‹/end_of_input›",
            ),
        ],
    );
}
