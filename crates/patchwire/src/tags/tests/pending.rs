//! Markers of which the text behind them decides, whole and cut anywhere.

use super::{check, tags};
use crate::lex::marker::{Automaton, MarkerParams, MarkerPattern, Mask};
use crate::span::Span;
use crate::tags::code_guard::OpenSpan;
use crate::tags::element_stack::FoundMarker;
use crate::tags::pending_closer::CloserVerdict;
use crate::tags::pending_marker::PendingMarker;
use crate::tags::pending_mention::{BehindWord, MentionPlace, PendingMention, last_bytes};

fn marker() -> FoundMarker {
    FoundMarker {
        markers: Mask::NONE.with(0),
        first: 0,
        params: MarkerParams::new(),
        empty: false,
        span: Span::new(0, 3),
    }
}

/// The verdict, and how many bytes it took.
fn decide(mut step: impl FnMut(u8) -> CloserVerdict, text: &str) -> String {
    for (at, byte) in text.bytes().enumerate() {
        match step(byte) {
            CloserVerdict::Undecided => {}
            CloserVerdict::Closer => return format!("counts {}", at + 1),
            CloserVerdict::Content => return format!("text {}", at + 1),
        }
    }
    "open".to_owned()
}

/// `none` if no text can make it a mention.
fn mention(before: &str, behind_word: BehindWord, after: &str) -> String {
    let place = MentionPlace { before: last_bytes([0; 3], before.as_bytes()), span: None };
    match PendingMention::new(&marker(), place, behind_word) {
        None => "none".to_owned(),
        Some(mut pending) => {
            let verdict = decide(|byte| pending.step(byte), after);
            if pending.is_pair() { verdict + " pair" } else { verdict }
        }
    }
}

fn wrong(rows: impl Iterator<Item = (String, String, String)>) {
    let wrong: Vec<String> = rows
        .filter(|(_, is, wanted)| is != wanted)
        .map(|(row, is, wanted)| format!("{row}: {is:?}, // not {wanted:?}"))
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn what_stands_before_a_mention() {
    use BehindWord::{ApartOpener, Never, Opener, StrayCloser};
    let table = [
        ("ab ", ["none", "counts 1", "counts 1", "counts 1"]),
        ("9. ", ["none", "counts 1", "counts 1", "none"]),
        ("a) ", ["none", "counts 1", "counts 1", "none"]),
        (" - ", ["none", "counts 1", "counts 1", "counts 1"]),
        (" * ", ["none", "counts 1", "counts 1", "counts 1"]),
        ("Z ", ["none", "counts 1", "counts 1", "counts 1"]),
        (" é ", ["none", "counts 1", "counts 1", "none"]),
        ("a\n", ["none", "none", "none", "none"]),
        ("a  ", ["none", "none", "none", "none"]),
        (" ", ["none", "none", "none", "none"]),
        ("ab", ["none", "none", "none", "none"]),
        ("a\u{1} ", ["none", "none", "none", "none"]),
        ("a \"", ["counts 1", "counts 1", "counts 1", "counts 1"]),
        ("| ", ["counts 1", "counts 1", "counts 1", "counts 1"]),
        ("(", ["counts 1", "counts 1", "counts 1", "counts 1"]),
    ];
    wrong(table.iter().flat_map(|(before, wanted)| {
        [Never, Opener, ApartOpener, StrayCloser].into_iter().zip(wanted).map(
            move |(behind, wanted)| {
                (
                    format!("{before:?} {behind:?}"),
                    mention(before, behind, "~"),
                    (*wanted).to_owned(),
                )
            },
        )
    }));
}

#[test]
fn what_stands_behind_a_mention() {
    use BehindWord::{ApartOpener, Opener, StrayCloser};
    let table: &[(&str, [&str; 3])] = &[
        (",", ["text 1", "text 1", "text 1"]),
        (";", ["text 1", "text 1", "text 1"]),
        ("?", ["text 1", "text 1", "text 1"]),
        (")", ["text 1", "text 1", "text 1"]),
        ("!", ["counts 1", "counts 1", "text 1"]),
        (":", ["counts 1", "counts 1", "text 1"]),
        (". ", ["text 2", "text 2", "text 1"]),
        (".\n", ["text 2", "text 2", "text 1"]),
        (".x", ["counts 2", "counts 2", "text 1"]),
        (".", ["open", "open", "text 1"]),
        ("x", ["counts 1", "counts 1", "counts 1"]),
        ("\n", ["counts 1", "counts 1", "counts 1"]),
        (" tag", ["text 4", "text 2", "text 2"]),
        (" tax", ["counts 4", "text 2", "text 2"]),
        (" block", ["text 6", "text 2", "text 2"]),
        (" element", ["text 8", "text 2", "text 2"]),
        (" marker", ["text 7", "text 2", "text 2"]),
        (" token", ["text 6", "text 2", "text 2"]),
        (" is ", ["text 4", "text 2", "text 2"]),
        (" was ", ["text 5", "text 2", "text 2"]),
        (" means ", ["text 7", "text 2", "text 2"]),
        (" isx", ["counts 4", "text 2", "text 2"]),
        ("</", ["text 2 pair", "text 2 pair", "counts 1"]),
        (" and </", ["text 7 pair", "text 2", "text 2"]),
        (" or </", ["text 6 pair", "text 2", "text 2"]),
        ("...</", ["text 5 pair", "text 5 pair", "text 1"]),
        ("…</", ["text 5 pair", "text 5 pair", "counts 1"]),
        (" ... </", ["text 7 pair", "text 7 pair", "counts 2"]),
        (" … </", ["text 7 pair", "text 7 pair", "counts 2"]),
        ("[/", ["text 2 pair", "text 2 pair", "counts 1"]),
        (" and [/", ["text 7 pair", "text 2", "text 2"]),
        (" or [/", ["text 6 pair", "text 2", "text 2"]),
        ("...[/", ["text 5 pair", "text 5 pair", "text 1"]),
        ("…[/", ["text 5 pair", "text 5 pair", "counts 1"]),
        ("◁/", ["text 4 pair", "text 4 pair", "counts 1"]),
        (" and ◁/", ["text 9 pair", "text 2", "text 2"]),
        (" or ◁/", ["text 8 pair", "text 2", "text 2"]),
        (" and <x", ["text 7", "text 2", "text 2"]),
        (" or <X", ["text 6", "text 2", "text 2"]),
        (" or <1", ["counts 6", "text 2", "text 2"]),
        (" and x", ["counts 6", "text 2", "text 2"]),
        (" a", ["open", "text 2", "text 2"]),
        (" A", ["counts 2", "counts 2", "counts 2"]),
        ("  ", ["counts 2", "counts 2", "counts 2"]),
    ];
    wrong(table.iter().flat_map(|(after, wanted)| {
        [Opener, ApartOpener, StrayCloser].into_iter().zip(wanted).map(move |(behind, wanted)| {
            (format!("{after:?} {behind:?}"), mention("word ", behind, after), (*wanted).to_owned())
        })
    }));
}

#[test]
fn signs_that_enclose_a_mention() {
    let table: &[(&str, &str, &str)] = &[
        ("\"", "\"", "text 1"),
        ("\"", "\\n\"", "text 3"),
        ("\"", "\\t", "counts 2"),
        ("\"", "'", "counts 1"),
        ("'", "'", "text 1"),
        ("'", "\\n'", "text 3"),
        ("*", "*", "text 1"),
        ("_", "_", "text 1"),
        ("(", ")", "text 1"),
        ("(", ",", "text 1"),
        ("(", "]", "counts 1"),
        ("[", "]", "text 1"),
        ("“", "”", "text 3"),
        ("“", "\"", "text 1"),
        ("„", "“", "text 3"),
        ("„", "”", "text 3"),
        ("«", "»", "text 2"),
        ("‘", "’", "text 3"),
        ("‘", "'", "text 1"),
        ("|", "|", "text 1"),
        ("|", " |", "text 2"),
        ("|", " x", "counts 2"),
        ("| ", "|", "text 1"),
        ("| ", " |", "text 2"),
    ];
    wrong(table.iter().map(|(before, after, wanted)| {
        (
            format!("{before} {after}"),
            mention(before, BehindWord::Never, after),
            (*wanted).to_owned(),
        )
    }));
}

/// The verdict on a marker in a span with one or two backticks, and whether it is text at the end and before bytes that
/// are no text.
fn in_span(run: u16, carried: bool, text: &str) -> String {
    let mut pending = PendingMarker::in_span(marker(), OpenSpan { run, carried });
    let pattern = MarkerPattern::parse(
        "<a>",
        crate::lex::marker::MarkerStyle { fold: false, blanks: false, attributes: None },
        &[],
    )
    .expect("a marker");
    let automaton = Automaton::new([(0, &pattern)].into_iter()).expect("an automaton");
    match decide(|byte| pending.step(&automaton, byte), text) {
        open if open == "open" => format!(
            "open, text at end {} {}",
            pending.ends_as_text(false),
            pending.ends_as_text(true)
        ),
        verdict => verdict,
    }
}

#[test]
fn the_end_of_a_code_span() {
    let far = "x".repeat(126);
    let table: &[(u16, bool, &str, &str)] = &[
        (1, false, "", "open, text at end false false"),
        (1, false, "`", "open, text at end true true"),
        (1, false, "a`", "open, text at end true true"),
        (1, false, "a` ", "text 3"),
        (1, false, "a`` ", "open, text at end false false"),
        (1, false, "a``", "open, text at end false false"),
        (2, false, "a``b", "text 4"),
        (2, false, "a` ``\n", "text 6"),
        (2, false, "a```b", "open, text at end false false"),
        (1, false, "a\nb` \n", "text 6"),
        (1, false, "a\rb` \n", "text 6"),
        (1, false, "a\nb\n", "counts 4"),
        (1, false, "a\nb`c`d\n", "counts 8"),
        (1, false, "a\nb`", "open, text at end true false"),
        (1, false, "a\nb`c", "open, text at end true false"),
        (1, false, "a\nb", "open, text at end false false"),
        (1, false, "a\nb`c`", "open, text at end false false"),
        (1, false, "a\n\n", "counts 3"),
        (1, false, "a`\n", "text 3"),
        (1, true, "b` \n", "text 4"),
        (1, true, "b`\n", "text 3"),
        (1, true, "b\n", "counts 2"),
        (1, true, "`", "open, text at end true false"),
        (1, true, "` ", "open, text at end true false"),
        (1, true, "", "open, text at end false false"),
        (2, true, "` ``\r", "text 5"),
        (1, false, "\u{fffd}", "counts 3"),
        (1, false, "a\u{ffff}b", "open, text at end false false"),
        (1, false, "\u{f000}", "open, text at end false false"),
        (1, true, "`\u{fffd}", "counts 4"),
        (1, false, "\u{efff}\u{fffd}", "counts 6"),
        (1, false, &far, "open, text at end false false"),
        (1, false, &(far.clone() + "x"), "open, text at end false false"),
        (1, false, &(far.clone() + "xx"), "counts 128"),
        (1, false, &(far.clone() + "` "), "text 128"),
        (1, false, &(far.clone() + "x` "), "counts 128"),
    ];
    wrong(table.iter().map(|(run, carried, text, wanted)| {
        (
            format!("({run}, {carried}, {text:?})"),
            in_span(*run, *carried, text),
            (*wanted).to_owned(),
        )
    }));
}

const PLACES: &str = r#"
    guards = "none"
    [[family]]
    name = "box"
    open = "<box>"
    close = "</box>"
    channel = "text"
    [[family]]
    name = "item"
    open = "<item>"
    close = "</item>"
    channel = "item"
    body = "raw"
    within = ["box"]
    [[family]]
    name = "note"
    open = "<note>"
    close = "</note>"
    channel = "note"
    within = ["box"]
    [[family]]
    name = "call"
    open = "<call>"
    close = "</call>"
    channel = "tool"
    body = "json"
    then = ["{", "[\""]
    [[family]]
    name = "free"
    open = "<free>"
    close = "</free>"
    channel = "free"
    body = "raw"
"#;

#[test]
fn closers_that_need_a_follower() {
    let blanks =
        |count: usize, close: &str| format!("<box><item>a</item>{}{close}", " ".repeat(count));
    let (near, far) = (blanks(64, "</box>"), blanks(65, "</box>"));
    let near_said = format!("‹box›‹item›a‹/›{}‹/›", " ".repeat(64));
    let far_said =
        format!("‹box›‹item›a</item>{}!unclosed_element‹/close_through›‹/›", " ".repeat(65));
    check(
        &tags(PLACES),
        &[
            ("<box><item>a</item></box>", "‹box›‹item›a‹/›‹/›"),
            (
                "<box><item>a</item> \t\r\n<item>b</item></box>",
                "‹box›‹item›a‹/› \t\r\n‹item in 1›b‹/›‹/›",
            ),
            ("<box><item>a</item><note>n</note></box>", "‹box›‹item›a‹/›‹note in 1›n‹/›‹/›"),
            ("<box><item>a</item>x</item></box>", "‹box›‹item›a</item>x‹/›‹/›"),
            ("<box><item>a</item><free></item></box>", "‹box›‹item›a</item><free>‹/›‹/›"),
            ("<box><item>a</item>", "‹box›‹item›a‹/›!unclosed_element‹/end_of_input›"),
            ("<box><item>a</item> ", "‹box›‹item›a‹/› !unclosed_element‹/end_of_input›"),
            (
                "<box><item>a</item> </bo",
                "‹box›‹item›a</item> </bo!unclosed_element‹/end_of_input›!unclosed_element‹/end_of_input›",
            ),
            (
                "<box><item>a</item> </bo x</item>",
                "‹box›‹item›a</item> </bo x‹/›!unclosed_element‹/end_of_input›",
            ),
            ("<box><item>a</item></item></box>", "‹box›‹item›a</item>‹/›‹/›"),
            (
                "<box><item>a</box>b</item></box>",
                "‹box›‹item›a!unclosed_element‹/close_through›‹/›b!stray_closer‹stray item›!stray_closer‹stray box›",
            ),
            ("<box><item>a</box>", "‹box›‹item›a!unclosed_element‹/close_through›‹/›"),
            (
                "<box><item>a</box> <item>b</item></box>",
                "‹box›‹item›a!unclosed_element‹/close_through›‹/› <item>b!stray_closer‹stray item›!stray_closer‹stray box›",
            ),
            ("<item>a</item>", "<item>a!stray_closer‹stray item›"),
            ("<free>a</free>b", "‹free›a‹/›b"),
            ("<free>a</free>b</free>", "‹free›a‹/›b!stray_closer‹stray free›"),
            ("<box><free>a</free>b</box>", "‹box›‹free›a‹/›b‹/›"),
            ("<box><free>a</box>b", "‹box›‹free›a!unclosed_element‹/close_through›‹/›b"),
            (&near, &near_said),
            (&far, &far_said),
        ],
    );
}

#[test]
fn openers_that_need_a_follower() {
    let call = |count: usize| format!("<call>{}{{", "\n".repeat(count));
    let (near_call, far_call) = (call(64), call(65));
    let near_call_said = format!("‹call›{}{{!unclosed_element‹/end_of_input›", "\n".repeat(64));
    check(
        &tags(PLACES),
        &[
            ("<call>{}</call>", "‹call›{}‹/›"),
            ("<call> \t\r\n[\"a\"]</call>", "‹call› \t\r\n[\"a\"]‹/›"),
            ("<call>[1]</call>", "<call>[1]</call>"),
            ("<call>x", "<call>x"),
            ("<call>", "‹call›!unclosed_element‹/end_of_input›"),
            ("<call> ", "‹call› !unclosed_element‹/end_of_input›"),
            ("<call>[", "‹call›[!unclosed_element‹/end_of_input›"),
            ("<call><call>{", "<call>‹call›{!unclosed_element‹/end_of_input›"),
            (&near_call, &near_call_said),
            (&far_call, &far_call),
        ],
    );
}
