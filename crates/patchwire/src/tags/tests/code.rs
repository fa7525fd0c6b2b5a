//! What the guard knows behind a text: whether a marker counts there, and which span or fence of code is open.

use crate::tags::code_guard::{CodeGuard, GuardedCode};

const ALL: GuardedCode = GuardedCode { inline: true, fences: true, wraps: true };

/// The guard behind a text, in which `^` is an opener that counts and `$` a closer.
fn behind(start: CodeGuard, text: &str, code: GuardedCode) -> CodeGuard {
    let mut guard = start;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'^' => guard.marked(true),
            b'$' => guard.marked(false),
            _ => guard.step(byte, at as u64, code),
        }
    }
    guard
}

/// The rule, the open span (`~` if the line before began it), the open fence, and whether the line is blank so far.
fn shown(start: CodeGuard, text: &str, code: GuardedCode) -> String {
    let guard = behind(start, text, code);
    let mut shown = format!("{:?}", guard.rule(code));
    if let Some(span) = guard.open_span() {
        shown += &format!(" span{}{}", span.run, if span.carried { "~" } else { "" });
    }
    if let Some(at) = guard.open_fence() {
        shown += &format!(" fence@{at}");
    }
    shown + if guard.fresh { " fresh" } else { "" }
}

fn check(start: CodeGuard, code: GuardedCode, table: &[(&str, &str)]) {
    let wrong = table.iter().filter_map(|(text, wanted)| {
        let shown = shown(start, text, code);
        (shown != *wanted).then(|| format!("({text:?}, {shown:?}), // not {wanted:?}"))
    });
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn at_the_start_of_a_stream() {
    check(
        CodeGuard::START,
        ALL,
        &[
            ("", "Start fresh"),
            (" ", "Start fresh"),
            ("\n", "Start fresh"),
            ("\r\n \t", "Start fresh"),
            ("a", "Open"),
            ("-", "Open"),
            ("- ", "Open"),
            ("> ", "Open"),
            ("1. ", "Open"),
            ("~~", "Open"),
            ("~~ ", "Open"),
            ("``", "Hidden"),
            ("```", "Hidden span3"),
            ("``` ", "Open span3"),
            ("```x", "Open span3"),
            ("~~~\n", "Openers fence@3 fresh"),
            ("\n\n ```x\n", "Openers fence@7 fresh"),
            ("- ```\n", "Hidden fence@5 fresh"),
            ("> ```\n", "Hidden fence@5 fresh"),
            ("a\n```\n", "Hidden fence@5 fresh"),
            ("a```\n", "Open span3~ fresh"),
            ("~~\n```\n", "Hidden fence@6 fresh"),
            ("```\n ", "Openers fence@3 fresh"),
            ("```\nx", "Hidden fence@3"),
            ("```\nx\n", "Hidden fence@3 fresh"),
            ("```\n```", "FenceEnd span3"),
            ("```\n```\n", "Open fresh"),
            ("```\n```\n```\n", "Hidden fence@11 fresh"),
            ("```\n^", "Open fresh"),
            ("```\n$", "Openers fence@3 fresh"),
            ("```\n^\n```", "Hidden span3"),
            ("```\n^\n```\n", "Open fresh"),
            ("```\n^\n```\n```\n", "Hidden fence@13 fresh"),
            ("^```\n", "Openers fence@4 fresh"),
            ("``` ^\n", "Openers fence@5 fresh"),
            ("```^\n", "Openers fence@4 fresh"),
            ("    x", "Open"),
            ("\n\n    x", "Open"),
            ("a\n\n    x", "Hidden"),
            ("a\n\n    ", "Hidden fresh"),
            ("a\n\n    ^", "Hidden fresh"),
            ("a\n\n^    ", "Open fresh"),
        ],
    );
}

const IN_AN_ELEMENT: &[(&str, &str)] = &[
    ("", "Open fresh"),
    (" ", "Open fresh"),
    ("a ", "Open"),
    ("a\n", "Open fresh"),
    ("a\r", "Open fresh"),
    ("`", "Hidden"),
    ("`a", "Open span1"),
    ("`a`", "Open"),
    ("``a`", "Open span2"),
    ("``a` ", "Open span2"),
    ("`a\n", "Open span1~ fresh"),
    ("`a\nb", "Open span1~"),
    ("`a\nb`", "Hidden"),
    ("`a\nb` ", "Open span1"),
    ("`a\nb\n", "Open fresh"),
    ("`a\n\n", "Open fresh"),
    ("`^", "Open span1 fresh"),
    ("`^ `", "Open"),
    ("`a`^", "Open fresh"),
    ("```", "Hidden span3"),
    ("```a", "Open span3"),
    ("```a`", "Open span3"),
    ("~~~a`", "Hidden"),
    ("``` ", "Open span3"),
    ("```\n", "Hidden fence@3 fresh"),
    ("x ```\n", "Open span3~ fresh"),
    ("```\n```", "FenceEnd span3"),
    ("```\n``` ", "FenceEnd span3"),
    ("```\n``` x", "Hidden span3 fence@3"),
    ("```\n```^", "FenceEnd span3 fresh"),
    ("```\n```^ ", "FenceEnd span3 fresh"),
    ("```\n```^\n", "Open fresh"),
    ("```\n``^\n", "Hidden fence@3 fresh"),
    ("```\n````", "FenceEnd span4"),
    ("````\n```", "Hidden span3 fence@4"),
    ("````\n```^\n", "Hidden fence@4 fresh"),
    ("~~~\n```\n", "Hidden fence@3 fresh"),
    ("~~~\n~~~\n", "Open fresh"),
    ("```\n > ```\n", "Open fresh"),
    ("```\nx```\n", "Hidden fence@3 fresh"),
    ("```^", "Open span3 fresh"),
    ("```^\n", "Hidden fence@4 fresh"),
    ("~~^\n", "Open fresh"),
    ("~~~^x`\n", "Hidden fence@6 fresh"),
    ("```\n`", "Hidden fence@3"),
    ("```\n\n`a\n", "Hidden fence@3 fresh"),
    ("a\n\n    x", "Open"),
    ("`a\n```\n", "Hidden fence@6 fresh"),
    ("`a\n```\n```\nb", "Open"),
    ("```\n`a\n```\n", "Open fresh"),
    ("`\n", "Open span1~ fresh"),
    ("`a``\n", "Open span1~ fresh"),
];

#[test]
fn inside_an_element() {
    check(CodeGuard::ELEMENT, ALL, IN_AN_ELEMENT);
}

#[test]
fn where_only_some_code_hides_markers() {
    let inline = GuardedCode { inline: true, fences: false, wraps: false };
    check(
        CodeGuard::START,
        inline,
        &[
            ("`", "Hidden"),
            ("``", "Hidden"),
            ("```", "Open span3"),
            ("a ```", "Hidden"),
            ("```\n", "Open fresh"),
            ("a\n\n    x", "Open"),
            ("```a", "Open span3"),
            ("~~~\n`", "Hidden"),
        ],
    );
    let fences = GuardedCode { inline: false, fences: true, wraps: false };
    check(
        CodeGuard::START,
        fences,
        &[
            ("`", "Open"),
            ("a ``", "Open"),
            ("```", "Open span3"),
            ("```\n", "Hidden fence@3 fresh"),
            ("```\n^", "Open fresh"),
            ("```\n```", "FenceEnd span3"),
            ("a\n\n    x", "Hidden"),
        ],
    );
    let none = GuardedCode::default();
    check(
        CodeGuard::START,
        none,
        &[("`", "Open"), ("```\n", "Open fresh"), ("a\n\n    x", "Open")],
    );
}

const BEHIND_A_PAYLOAD: &[(&str, &str)] = &[
    ("", "Open"),
    (" ", "Open"),
    ("`", "Open"),
    ("` ", "Open"),
    ("` `", "Hidden"),
    ("\n", "Open fresh"),
    ("\n`", "Hidden"),
    ("\n```", "Open"),
    ("\n```\n", "Hidden fence@4 fresh"),
    ("\n```\n```\n", "Open fresh"),
    ("a`", "Hidden"),
    ("`\n`", "Hidden"),
    (" ```\n", "Open fresh"),
    ("^", "Open fresh"),
    ("`^`", "Hidden"),
];

#[test]
fn behind_a_payload() {
    check(CodeGuard::behind_payload(None), ALL, BEHIND_A_PAYLOAD);
    check(
        CodeGuard::behind_payload(Some((b'`', 3))),
        ALL,
        &[
            ("", "Open"),
            ("`", "Open"),
            ("\n", "Open fresh"),
            ("\n`", "Hidden"),
            ("\n``", "Hidden"),
            ("\n```", "Open"),
            ("\n``` ", "Open"),
            ("\n```x", "Open"),
            ("\n```\n", "Open fresh"),
            ("\n```\n```\n", "Hidden fence@8 fresh"),
            ("\n~~~\n", "Open fresh"),
            ("\n````\n`", "Hidden"),
            ("\n```^\n", "Open fresh"),
            ("\nx\n```\n```\n", "Hidden fence@10 fresh"),
        ],
    );
    check(
        CodeGuard::MIDDLE,
        ALL,
        &[
            ("", "Open"),
            (" ", "Open"),
            ("```\n", "Open span3~ fresh"),
            ("\n```\n", "Hidden fence@4 fresh"),
            ("`", "Hidden"),
        ],
    );
    check(
        CodeGuard::START_IN,
        ALL,
        &[
            ("", "Start fresh"),
            ("a\n\n    x", "Open"),
            ("```\n", "Openers fence@3 fresh"),
            ("- ```\n", "Hidden fence@5 fresh"),
        ],
    );
    check(
        CodeGuard::TOP,
        ALL,
        &[("", "Open fresh"), ("a\n\n    x", "Hidden"), ("```\n", "Hidden fence@3 fresh")],
    );
}
