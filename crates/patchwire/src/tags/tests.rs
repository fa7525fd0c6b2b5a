//! Texts and what the router makes of them, whole and cut at every character.

use super::acts::Act;
use super::{Around, Routed, Router, RouterStart, TagSet};
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

/// Adds what a step of the router found: openers as `‹name›`, closers as `‹/›`.
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
                let text = match act {
                    Act::Open { family, params, .. } => {
                        let params: String =
                            params.iter().map(|(_, it)| format!(" {it}")).collect();
                        format!("‹{}{params}›", router.tags().family(family).name())
                    }
                    Act::Close { .. } => "‹/›".to_owned(),
                    Act::Stray { .. } => "‹stray›".to_owned(),
                    Act::Reclassify { from, to, .. } => format!("‹was {from}..{to}›"),
                    Act::Notice(..) => String::new(),
                };
                shown.push_str(&text);
            }
        }
    }
}

fn route(tags: &TagSet, parts: &[&str]) -> String {
    let start = RouterStart { start_in: None, bare_from: None, keep_runs: false };
    let mut router = Router::new(tags.clone(), start);
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

#[test]
fn texts_and_their_elements() {
    let tags = TagSet::from_toml(TAGS).expect("a tag set");
    for (text, want) in [
        ("a <think>b</think> c", "a ‹think›b‹/› c"),
        ("<think>b</thinking>c", "‹think›b‹/›c"),
        ("<thin>k <<think>", "<thin>k <‹think›‹/›"),
        ("<thinkin", "<thinkin"),
        ("a</think>b", "a‹stray›‹was 0..1›b"),
        ("`<think>` b", "`<think>` b"),
        ("a\n```\n<think>\n```\n<think>", "a\n```\n<think>\n```\n‹think›‹/›"),
        ("<!-- <think> -->a", "‹comment› <think> ‹/›a"),
        ("<file:a>b</file>", "<file:a>b‹stray›"),
        ("<files><file:a>b</file>\n</files>", "‹files›‹file a›b‹/›\n‹/›"),
        ("<files><file:a></file>b</file></files>", "‹files›‹file a›</file>b‹/›‹/›"),
        ("<files><file:a>b<file:c>d</file>", "‹files›‹file a›b‹/›‹file c›d‹/›‹/›"),
    ] {
        assert_eq!(route(&tags, &[text]), want, "{text:?}");
        for cut in 0..=text.len() {
            let parts = [&text[..cut], &text[cut..]];
            assert_eq!(route(&tags, &parts), want, "{text:?}, cut at {cut}");
        }
        let bytes: Vec<&str> = (0..text.len()).map(|at| &text[at..=at]).collect();
        assert_eq!(route(&tags, &bytes), want, "{text:?}, byte by byte");
    }
}
