//! Bodies of elements and their values, whole and cut anywhere.

use super::json::JsonBody;
use crate::format::Machine;
use crate::lex::Input;
use crate::{Limit, Limits, Parser, Spec, TagSet};

const TAGS: &str = r#"
    [[family]]
    name = "j"
    open = "<j>"
    close = "</j>"
    channel = "j"
    body = "json"
    [[family]]
    name = "r"
    open = "<r>"
    close = "</r>"
    channel = "r"
    body = "record"
    keys = ["Name", "Due date"]
    [[family]]
    name = "x"
    open = "<x>"
    close = "</x>"
    channel = "x"
    body = "xml"
    typed = true
"#;

/// The value of the first body, and the codes of the notices.
fn read(mut parser: Parser, parts: &[&[u8]]) -> (String, Vec<&'static str>) {
    for part in parts {
        parser.feed(part, |_| {}).unwrap();
    }
    let answer = parser.finish(|_| {}).unwrap();
    let element = answer.elements().next().expect("an element");
    let value = element.value().map_or_else(|| "none".to_owned(), |value| value.to_string());
    (value, answer.notices().iter().map(|notice| notice.code.name()).collect())
}

#[test]
fn bodies_and_their_values() {
    let spec = Spec::builder().tags(TagSet::from_toml(TAGS).unwrap()).build().unwrap();
    let cases: [(&str, &str, &[&str]); 17] = [
        ("<j> {\"a\": \"</j>\"} </j>", r#"{"a":"</j>"}"#, &[]),
        ("<j>12 </j>", "12", &[]),
        ("<j>tru</j>", r#""tru""#, &["body_not_json"]),
        ("<j>Failed: 1</j>", r#""Failed: 1""#, &["body_not_json"]),
        ("<j>[1, 2</j>", "[1,2]", &["truncated"]),
        ("<j>\n```json\n{\"a\": 1}\n```\n</j>", r#"{"a":1}"#, &[]),
        ("<j>```\n\n[1]```</j>", "[1]", &[]),
        ("<j>```\nno\n```</j>", r#""```\nno\n```""#, &["body_not_json"]),
        ("<j>```json</j>", r#""```json""#, &["body_not_json"]),
        ("<r>Hi\nname: A b\nDue date:2\n</r>", r#"{"name":"A b","Due date":"2"}"#, &[]),
        ("<r>Other: 1\n</r>", "none", &[]),
        ("<x> a </x>", r#"" a ""#, &[]),
        ("<x>\n<n>1</n>\n<n>007</n>\n</x>", r#"{"n":[1,"007"]}"#, &[]),
        (
            "<x>\n<b k='v'>t &amp; u</b>\n</x>",
            r#"{"b":{"_attributes":{"k":"v"},"_text":"t & u"}}"#,
            &[],
        ),
        ("<x>\n<b><c>1</c></x>", r#"{"b":{"c":1}}"#, &["missing_close"]),
        ("<x>\n<b>1</c></b>\n</x>", r#"{"b":1}"#, &["stray_closer"]),
        ("<x>\n<b/>\n<!-- no --></x>", r#"{"b":""}"#, &[]),
    ];
    for (text, value, codes) in cases {
        let want = (value.to_owned(), codes.to_vec());
        let bytes = text.as_bytes();
        assert_eq!(read(spec.parser(), &[bytes]), want, "{text:?}");
        for cut in 0..=bytes.len() {
            let parts = [&bytes[..cut], &bytes[cut..]];
            assert_eq!(read(spec.parser(), &parts), want, "{text:?}, cut at {cut}");
        }
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(read(spec.parser(), &single), want, "{text:?}, byte by byte");
    }
}

#[test]
fn a_word_that_is_longer_than_a_number_may_be_is_text() {
    let limits = Limits::default().with(Limit::Number, 3);
    let tags = TagSet::from_toml(TAGS).unwrap();
    let spec = Spec::builder().tags(tags).limits(limits).build().unwrap();
    for (text, value, codes) in [
        ("<j>123</j>", "123", &[][..]),
        ("<j>1234</j>", r#""1234""#, &["body_not_json"]),
        ("<j>12  </j>", r#""12  ""#, &["body_not_json"]),
    ] {
        let want = (value.to_owned(), codes.to_vec());
        assert_eq!(read(spec.parser(), &[text.as_bytes()]), want, "{text:?}");
    }
}

#[test]
fn commas_and_semicolons_may_come_between_roots() {
    let spec = Spec::builder().tags(TagSet::from_toml(TAGS).unwrap()).build().unwrap();
    for (body, roots, text) in [
        ("{\"a\": 1}; {\"b\": 2}", 2, "; "),
        ("{\"a\": 1} ,{\"b\": 2}\n;\n[3]", 3, ",;\n"),
        ("{\"a\": 1};; {\"b\": 2}", 1, ";; {\"b\": 2}"),
        ("{\"a\": 1}; no {\"b\": 2}", 1, "; no {\"b\": 2}"),
        ("[1], [2]", 1, ", [2]"),
        ("{\"a\": 1};", 1, ";"),
    ] {
        let whole = format!("<j>{body}</j>");
        for size in [whole.len(), 1, 2, 3] {
            let mut parser = spec.parser();
            for part in whole.as_bytes().chunks(size) {
                parser.feed(part, |_| {}).unwrap();
            }
            let answer = parser.finish(|_| {}).unwrap();
            let element = answer.elements().next().expect("an element");
            let got = (element.roots().count(), element.text());
            assert_eq!((got.0, &*got.1), (roots, text), "{body:?} in pieces of {size}");
        }
    }
}

/// The reader asks for no token where a body says that there is none.
#[test]
fn a_body_that_is_drained_has_no_token() {
    for (text, drained) in [
        ("{\"a\": 1}", "0 1"),
        ("{\"a\": \"x\"}", "0 1"),
        ("{\"a\": \"x\" }", "0 1"),
        ("12 x", "1"),
        ("no", "1"),
        ("```\n{} x", "1"),
    ] {
        let mut body = JsonBody::new(&Spec::json().0.json);
        let mut input = Input::new(text, 0);
        let mut found = Vec::new();
        while body.step(&mut input).unwrap().is_some() {
            if input.is_done() {
                let is_drained = body.position().drained;
                found.push(if is_drained { "1" } else { "0" });
            }
        }
        assert!(body.position().drained, "{text:?}");
        assert_eq!(found.join(" "), drained, "{text:?}");
    }
}

/// After any bytes, more of them lead where all at once do: nothing of the chunks is left.
#[test]
fn the_state_of_a_body_does_not_show_its_chunks() {
    let read = |body: &JsonBody, text: &str, base: usize| {
        let mut body = body.clone();
        let mut input = Input::new(text, base as u64);
        while body.step(&mut input).unwrap().is_some() {}
        body.own_pending_text(text);
        body.canonicalize();
        body
    };
    let new = JsonBody::new(&Spec::json().0.json);
    for text in [
        "no {} \n",
        "12 \nx",
        "tru",
        "\"x\" y",
        "\"x\", y",
        "[\"x\"] y",
        "{\"a\": \"x\"} y",
        "{\"a\": 1}, {\"b\": 2}; [3]\n[4] z",
        "```json\n{\"a\": 1}\n```",
        "```json\nno",
        "```\n\n[1]```",
    ] {
        for first in 0..=text.len() {
            let begun = read(&new, &text[..first], 0);
            for second in first..=text.len() {
                let whole = read(&new, &text[..second], 0);
                let parts = read(&begun, &text[first..second], first);
                assert!(parts == whole, "{text:?} from {first} to {second}");
            }
        }
    }
}
