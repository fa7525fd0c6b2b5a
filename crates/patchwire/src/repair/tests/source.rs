//! Looks ahead and back in the text, and how far they reach.

use crate::repair::source::Source;

/// Blanks, up to the farthest place that a look examines and one beyond.
fn blanks(count: usize) -> String {
    " ".repeat(count)
}

#[test]
fn characters_and_slices() {
    let text = Source::new("aé漢b");
    assert_eq!(text.len(), 7);
    let from = [0, 1, 2, 3, 4, 6, 7].map(|at| text.char(at));
    assert_eq!(from, [Some('a'), Some('é'), None, Some('漢'), None, Some('b'), None]);
    let before = [0, 1, 2, 3, 6, 7, 8].map(|at| text.char_before(at));
    assert_eq!(before, [None, Some('a'), None, Some('é'), Some('漢'), Some('b'), None]);
    assert_eq!((text.byte(6), text.byte(7)), (Some(b'b'), None));
    assert_eq!((text.slice(1, 3), text.slice(2, 3), text.slice(6, 8)), ("é", "", ""));
    assert!(text.has(0, "aé") && text.has(7, "") && !text.has(6, "bc") && !text.has(8, ""));
}

#[test]
fn visible_characters() {
    for (text, at, wanted) in [
        ("a", 0, Some('a')),
        (" \t\r\n\u{a0}\u{feff}b", 0, Some('b')),
        ("a", 1, None),
        (&(blanks(63) + "x"), 0, Some('x')),
        (&(blanks(64) + "x"), 0, None),
        (&(blanks(64) + "x"), 1, Some('x')),
    ] {
        assert_eq!(Source::new(text).visible_from(at), wanted, "{text:?} {at}");
    }
    for (text, wanted) in [
        ("a", (Some('a'), false)),
        ("a ", (Some('a'), false)),
        ("a\n ", (Some('a'), true)),
        ("\na ", (Some('a'), false)),
        ("é\t", (Some('é'), false)),
        ("", (None, true)),
        (" ", (None, true)),
        (&("x".to_owned() + &blanks(63)), (Some('x'), false)),
        (&("x".to_owned() + &blanks(64)), (None, false)),
        (&("x\n".to_owned() + &blanks(63)), (None, true)),
    ] {
        assert_eq!(Source::new(text).visible_before(text.len()), wanted, "{text:?}");
    }
}

#[test]
fn openers_and_member_names() {
    for (text, wanted) in [
        (",{", Some(1)),
        (" , {", Some(3)),
        (",[", None),
        ("{", None),
        (",", None),
        (&(blanks(63) + ",{"), Some(64)),
        (&(blanks(64) + ",{"), None),
        (&(",".to_owned() + &blanks(63) + "{"), Some(64)),
        (&(",".to_owned() + &blanks(64) + "{"), None),
    ] {
        assert_eq!(Source::new(text).opener_behind_comma(0, '{'), wanted, "{text:?}");
    }
    let long = |len: usize| format!("\"{}\":", "k".repeat(len));
    for (text, wanted) in [
        ("\"a\":", Some(4)),
        (" 'a' : 1", Some(6)),
        ("\"a':", None),
        ("'a\":", None),
        ("\"a\"", None),
        ("\"a\" b:", None),
        ("a:", None),
        ("\"a\\\"b\":", None),
        ("\"a\nb\":", None),
        ("\"\":", Some(3)),
        (&long(62), Some(65)),
        (&long(63), None),
    ] {
        assert_eq!(Source::new(text).after_member_name(0), wanted, "{text:?}");
    }
}

#[test]
fn items_of_a_list_without_its_opener() {
    let object = |len: usize| format!("{{{}}}, {{", " ".repeat(len));
    let digits = |len: usize| format!("{},1]", "1".repeat(len));
    for (text, wanted) in [
        ("1, 2]", true),
        ("1, 2, 3", true),
        ("1, 2}", true),
        ("-1.5e+3,'b']", true),
        ("\"a\",\"b\"]", true),
        ("\"a\" , 'b' }", true),
        ("true, false, null", true),
        ("null,true]", true),
        ("nil, true]", false),
        ("1, 2", false),
        ("1, 2:", false),
        ("\"a\", \"b\": 1", false),
        ("1; 2]", false),
        ("1]", false),
        ("1", false),
        ("a, b]", false),
        ("1, b]", false),
        ("{}, {", true),
        ("{{}}, {", true),
        ("{{}, {", false),
        ("1, {", false),
        ("{}, 1]", true),
        ("[1], 2]", false),
        ("", false),
        (&object(254), true),
        (&object(255), false),
        (&digits(63), true),
        (&digits(64), false),
    ] {
        let source = Source::new(text);
        assert_eq!(source.has_items(0), wanted, "{text:?}");
        let spaced = format!(" \n{text}");
        let spaced = Source::new(&spaced);
        assert_eq!(spaced.has_items_next(0), wanted, "behind blanks: {text:?}");
    }
    assert!(!Source::new(" 1, 2]").has_items(0));
}

#[test]
fn placeholders() {
    let long = |len: usize| format!("{{{}}}", "n".repeat(len));
    for (text, wanted) in [
        ("{name}", Some(6)),
        ("{{ name }}", Some(10)),
        ("{a_b-c.d 1}", Some(11)),
        ("{_a}", Some(4)),
        ("{1a}", None),
        ("{-a}", None),
        ("{}", None),
        ("{ }", None),
        ("{a", None),
        ("{{a}", None),
        ("{a}}", Some(3)),
        ("{a:b}", None),
        ("{\"a\"}", None),
        (&long(63), Some(65)),
        (&long(64), None),
    ] {
        assert_eq!(Source::new(text).after_placeholder(0), wanted, "{text:?}");
    }
}

#[test]
fn ends_and_items() {
    for (text, wanted) in [
        ("}", true),
        ("] \n", true),
        ("}\n```\n", true),
        ("}```", true),
        ("}x", false),
        ("``` ", false),
        ("", false),
        ("}\n```\n```", false),
    ] {
        assert_eq!(Source::new(text).ends_in_closer(), wanted, "{text:?}");
    }
    for (text, wanted) in [
        ("\"", true),
        (" '", true),
        ("`", true),
        ("“", true),
        ("{", true),
        ("[", true),
        ("0", true),
        ("9", true),
        ("-1", false),
        ("a", false),
        ("", false),
        ("}", false),
    ] {
        assert_eq!(Source::new(text).may_be_item(0), wanted, "{text:?}");
    }
}

#[test]
fn indents() {
    for (text, wanted) in [
        ("\n", Some(0)),
        ("\n \t", Some(2)),
        ("a\n  ", Some(2)),
        ("  ", None),
        ("", None),
        ("\na ", None),
        ("\n\r", None),
        (&("\n".to_owned() + &blanks(63)), Some(63)),
        (&("\n".to_owned() + &blanks(64)), None),
    ] {
        assert_eq!(Source::new(text).indent_at(text.len()), wanted, "{text:?}");
    }
    for (text, wanted) in [
        ("\n  x", Some(2)),
        ("\n\n x", Some(1)),
        ("\r\n\tx", Some(1)),
        (" x", None),
        ("x", None),
        ("\n ", None),
        (&("\n".to_owned() + &blanks(62) + "x"), Some(62)),
        (&("\n".to_owned() + &blanks(63) + "x"), None),
    ] {
        assert_eq!(Source::new(text).next_indent(0), wanted, "{text:?}");
    }
}

#[test]
fn ends_of_texts_without_their_blanks() {
    for (text, start, wanted) in [
        ("ab ", 0, 2),
        ("ab", 0, 2),
        ("a\u{a0}\n\t\r ", 0, 1),
        ("  ", 0, 0),
        ("a  ", 2, 2),
        (" é\u{3000}", 0, 3),
        (&("x".to_owned() + &blanks(64)), 0, 1),
        (&("x".to_owned() + &blanks(65)), 0, 2),
    ] {
        assert_eq!(Source::new(text).trimmed_end(start, text.len()), wanted, "{text:?}");
    }
}

#[test]
fn keys_that_may_follow() {
    let far = |len: usize, end: &str| format!("\"{}{end}", "k".repeat(len));
    for (text, wanted) in [
        ("a:", true),
        ("a b =", true),
        ("a：", true),
        (" \u{a0}\n\"a\":", true),
        ("\"a\" :", true),
        ("'a':", true),
        ("“a”:", true),
        ("$a:", true),
        ("_a:", true),
        ("@a:", true),
        ("-a:", false),
        ("(a:", false),
        ("{a:", false),
        ("\"a\",", false),
        ("\"a\" b:", false),
        ("\"a\"", true),
        ("\"a\" \"", true),
        ("\"a\"{", true),
        ("\"a\" [", true),
        ("\"a\" =", true),
        ("a\":", true),
        ("a\" :", true),
        ("a\"", true),
        ("a\" =", false),
        ("a\"x", false),
        ("a\n:", false),
        ("a,:", false),
        ("a{:", false),
        ("a}:", false),
        ("a[:", false),
        ("a]:", false),
        ("a;:", false),
        ("'it's a':", true),
        ("'it's', ", false),
        ("\"a's b\":", true),
        ("", true),
        ("a", true),
        (&far(62, "ab:"), true),
        (&far(63, ","), true),
        (&far(62, ","), false),
        (&("k".repeat(63) + ":"), true),
        (&("k".repeat(64) + ":"), false),
    ] {
        assert_eq!(Source::new(text).may_be_key(0), wanted, "{text:?}");
    }
}
