//! Brackets in text: whether they begin a root, and when that is decided.

use super::{Brace, Judgement, ListStart, Rules};
use crate::caps::Caps;
use crate::leniency::Leniencies;
use crate::schema::{Schema, int, object};

/// The decision about the bracket that begins `text`, and the number of bytes it needs.
fn judged(mut brace: Brace, text: &str) -> (&'static str, usize) {
    for (at, char) in text.char_indices().skip(1) {
        let rules =
            Rules { slips: Leniencies::ALL, schema: None, caps: Caps::STANDARD, after_word: false };
        let name = match brace.step(char, &text[..at], rules) {
            Judgement::Hold => continue,
            Judgement::Root => "root",
            Judgement::Text => "text",
            Judgement::Candidate => "candidate",
        };
        return (name, at);
    }
    ("held", text.len())
}

/// The decision as the finder asks for it: before each byte the caps count.
fn capped(mut brace: Brace, text: &str, schema: Option<&Schema>) -> (&'static str, usize) {
    let caps = Caps { key: 8, declared: 16, opening: 12, name: 6, ..Caps::STANDARD };
    let rules = || Rules { slips: Leniencies::ALL, schema, caps, after_word: false };
    for (at, char) in text.char_indices().skip(1) {
        let held = &text[..at];
        let judged = brace.at_cap(at, &rules()).unwrap_or_else(|| brace.step(char, held, rules()));
        match judged {
            Judgement::Hold => {}
            Judgement::Root => return ("root", at),
            Judgement::Text => return ("text", at),
            Judgement::Candidate => return ("candidate", at),
        }
    }
    ("held", text.len())
}

#[test]
fn brackets_that_are_not_decided_at_the_cap() {
    let (first, line, inner) =
        (Brace::object(true, true), Brace::object(false, true), Brace::object(false, false));
    let list = Brace::list;
    for (brace, text, verdict, len) in [
        // Blanks before the first byte of a root, and before a key that may be in quotes or not.
        (first, "{                 \"", "root", 12),
        (list(ListStart::First), "[                 1", "root", 12),
        (line, "{                 a", "candidate", 8),
        (inner, "{                 a", "candidate", 8),
        (list(ListStart::Prose), "[                 1", "candidate", 8),
        // A key in quotes, without them, and the blanks behind it.
        (inner, "{\"abcde\":", "candidate", 7),
        (inner, "{\"abcd\":", "root", 7),
        (inner, "{\"a\\bcde\":", "candidate", 7),
        (inner, "{\"abc\\\"d\":", "candidate", 6),
        (line, "{     a:", "root", 7),
        (line, "{      a:", "candidate", 8),
        (line, "{abcdefg:", "text", 7),
        (line, "{abcdef:", "root", 7),
        (line, "{a      :", "candidate", 8),
        (line, "{a     :", "root", 7),
        (first, "{a:", "root", 2),
        // Numbers and literals in a list.
        (list(ListStart::Prose), "[1234567, 1]", "candidate", 8),
        (list(ListStart::Prose), "[123456, 1]", "root", 7),
        (list(ListStart::Prose), "[1      , 1]", "candidate", 8),
        (list(ListStart::Prose), "[undefined, 1]", "root", 10),
        (list(ListStart::First), "[undefined, 1]", "root", 10),
        (list(ListStart::First), "[+1", "root", 2),
    ] {
        assert_eq!(capped(brace, text, None), (verdict, len), "{brace:?} {text:?}");
    }
}

/// Behind a key that is not declared, one that is is searched for.
#[test]
fn objects_of_a_schema_in_prose() {
    let schema: Schema = object().field("a", int("")).field("b", object()).into();
    let inner = Brace::object(false, false);
    for (text, verdict, len) in [
        (r#"{"a":"#, "root", 4),
        (r#"{"x":1,"a":"#, "root", 10),
        (r#"{"x":1, "a" :"#, "root", 12),
        (r#"{"x":"a":"#, "root", 8),
        (r#"{"x":"a" 1:"#, "held", 11),
        (r#"{"x":["a":1]"#, "held", 12),
        (r#"{"x":"\"a":1"#, "held", 12),
        (r#"{"x":1}"#, "candidate", 6),
        (r#"{"x":{}}"#, "candidate", 7),
        (r#"{"x":[{}]}"#, "candidate", 9),
        (r#"{"x":"}"}"#, "candidate", 8),
        (r#"{"x":1234567890,"a":"#, "candidate", 16),
        ("{}", "text", 1),
    ] {
        assert_eq!(capped(inner, text, Some(&schema)), (verdict, len), "{text}");
    }
    // A key without quotes needs one byte more, and one in quotes two.
    let line = Brace::object(false, true);
    assert_eq!(capped(line, "{         a", Some(&schema)), ("candidate", 7));
    assert_eq!(capped(inner, "{         \"a", Some(&schema)), ("candidate", 6));
    let free: Schema = object().into();
    assert_eq!(capped(inner, "{}", Some(&free)), ("root", 1));
    assert_eq!(capped(inner, r#"{"x":"#, Some(&free)), ("root", 4));
}

/// Where the bytes end, a bracket of which nothing is known is not read again.
#[test]
fn what_is_read_again_at_the_end() {
    for (brace, text, plausible, scans) in [
        (Brace::object(true, true), "{", false, false),
        (Brace::object(false, true), "{ \"a", true, false),
        (Brace::object(false, true), "{ a", true, false),
        (Brace::object(false, true), "{ a ", true, false),
        (Brace::object(true, true), "{/", true, false),
        (Brace::list(ListStart::First), "[ ", false, false),
        (Brace::list(ListStart::First), "[tr", true, false),
        (Brace::list(ListStart::First), "[+", false, false),
        (Brace::list(ListStart::Prose), "[1", false, false),
        (Brace::list(ListStart::Prose), "[1 ", false, false),
        (Brace::object(false, false), "{\"x\":", true, true),
    ] {
        let schema: Schema = object().field("a", int("")).into();
        let mut brace = brace;
        for (at, char) in text.char_indices().skip(1) {
            let (slips, caps) = (Leniencies::ALL, Caps::STANDARD);
            let rules = Rules { slips, schema: Some(&schema), caps, after_word: false };
            assert_eq!(brace.step(char, &text[..at], rules), Judgement::Hold, "{text:?}");
        }
        let found = (brace.is_plausible(), brace.is_scanning());
        assert_eq!(found, (plausible, scans), "{text:?}");
    }
}

#[test]
fn lists_and_the_places_where_they_open() {
    let (first, fenced, prose) = (ListStart::First, ListStart::Fenced, ListStart::Prose);
    for (start, text, verdict, len) in [
        (first, "[]", "root", 1),
        (first, "[1", "root", 1),
        (first, "[\u{A0}1", "root", 3),
        (first, "[,1", "root", 2),
        (first, "[.5", "root", 2),
        (first, "[+1", "root", 2),
        (first, "[..5", "text", 3),
        (first, "[...,", "root", 4),
        (first, "[...]", "text", 4),
        (first, "[....", "text", 4),
        (first, "[null]", "root", 5),
        (first, "[a, b]", "text", 1),
        (fenced, "[a, b]", "root", 1),
        (fenced, "(1, 2)", "root", 1),
        (fenced, "(see)", "text", 1),
        (fenced, "(}", "text", 1),
        (fenced, "[}", "root", 1),
        (prose, "[]", "text", 1),
        (prose, "[\"a", "root", 1),
        (prose, "['a", "root", 1),
        (prose, "[1]", "text", 2),
        (prose, "[1, 2]", "root", 2),
        (prose, "[-1.5 ,", "root", 6),
        (prose, "[1-2,", "text", 4),
        (prose, "[2024 ", "held", 6),
        (prose, "[null]", "text", 5),
        (prose, "[null,", "root", 5),
        (prose, "[note", "text", 2),
        (prose, "[x](y)", "text", 1),
        (prose, "[{x}]", "text", 3),
        (prose, "[{\"a\":", "root", 5),
        (prose, "[{ id:", "root", 5),
        (prose, "[[1]", "root", 3),
        (prose, "[[x]]", "text", 2),
    ] {
        assert_eq!(judged(Brace::list(start), text), (verdict, len), "{start:?} {text:?}");
    }
}

#[test]
fn objects_that_begin_with_a_comma() {
    assert_eq!(judged(Brace::object(true, true), "{, \"a"), ("root", 3));
    assert_eq!(judged(Brace::object(false, true), "{, \"a"), ("text", 1));
}

/// Only the first bracket, or one that begins its line, needs no quote behind it.
#[test]
fn signs_behind_a_brace() {
    let (first, line, inner) =
        (Brace::object(true, true), Brace::object(false, true), Brace::object(false, false));
    for (text, of_first, of_line, of_inner) in [
        ("{}", ("root", 1), ("root", 1), ("root", 1)),
        ("{]", ("root", 1), ("text", 1), ("text", 1)),
        ("{,\"", ("root", 2), ("text", 1), ("text", 1)),
        ("{-\"", ("root", 2), ("text", 1), ("text", 1)),
        ("{*\"", ("root", 2), ("text", 1), ("text", 1)),
        ("{//", ("root", 2), ("text", 1), ("text", 1)),
        ("{/x", ("text", 2), ("text", 1), ("text", 1)),
        ("{#", ("text", 1), ("text", 1), ("text", 1)),
        ("{ #", ("root", 2), ("text", 2), ("text", 2)),
        ("{\n#", ("root", 2), ("text", 2), ("text", 2)),
        ("{\"a\":", ("root", 1), ("root", 4), ("root", 4)),
        ("{\"a\",", ("root", 1), ("text", 4), ("text", 4)),
        ("{a:", ("root", 2), ("root", 2), ("text", 1)),
        ("{ $a:", ("root", 4), ("root", 4), ("text", 2)),
        ("{a!", ("text", 2), ("text", 2), ("text", 1)),
        ("{!", ("text", 1), ("text", 1), ("text", 1)),
    ] {
        for (brace, want) in [(first, of_first), (line, of_line), (inner, of_inner)] {
            assert_eq!(judged(brace, text), want, "{brace:?} {text:?}");
        }
    }
}
