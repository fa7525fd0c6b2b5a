//! Held bytes can be listed, and listing them changes nothing.

use std::collections::BTreeSet;

use patchwire::internals::XmlBody;
use patchwire::schema::{object, one_of, one_of_or};
use patchwire::{
    Format, Parser, Spec, TagSet,
    held::{Held, HeldBy},
    wire::IncludeValues,
};

fn after(spec: &Spec, text: &[u8]) -> Parser {
    let mut parser = spec.parser();
    parser.feed(text, |_| {}).unwrap();
    parser
}

fn specs() -> [Spec; 7] {
    let with_schema = object().field("tone", one_of(["warm", "wary", "cold"]));
    let spec = Spec::builder().schema(with_schema).tags(TagSet::think()).build().unwrap();
    let body = XmlBody::any().typed_by_content().machine();
    let xml = Spec::builder().without_tags().machine(body).build().unwrap();
    let sections = Spec::builder().without_tags().format(Format::Hybrid).build().unwrap();
    let of = |format| Spec::builder().without_tags().format(format).build().unwrap();
    let guarded = object().field("kind", one_of_or(["agent.spoke"], "agent.spoke"));
    let guarded = Spec::builder().schema(guarded).build().unwrap();
    [Spec::json(), spec, xml, sections, of(Format::XmlField), of(Format::YamlLiteral), guarded]
}

/// Which spec, an input, and the last thing that is held after it: why, since when, and what.
type Case = (usize, &'static [u8], HeldBy, u64, &'static [u8]);

const CASES: [Case; 57] = [
    (0, b"a\xe2\x82", HeldBy::CodePoint, 1, b"\xe2\x82"),
    (0, b"a <THI", HeldBy::Marker, 2, b"<THI"),
    (0, b"<think>a</", HeldBy::Marker, 8, b"</"),
    (0, b"a\n```js", HeldBy::FenceLine, 2, b"```js"),
    (0, b"```json\n ", HeldBy::FenceBody, 0, b"```json\n "),
    (0, b"{\"a\":1}}]", HeldBy::SurplusClosers, 7, b"}]"),
    (0, b"so {\"a\"", HeldBy::Bracket, 3, b"{\"a\""),
    (1, b"so {\"x\": 1", HeldBy::SchemaKey, 3, b"{\"x\": 1"),
    (0, b"{\"a\":1} {\"b\": 2", HeldBy::Candidate, 8, b""),
    (0, b"{\"a\": 1, \"ke", HeldBy::Key, 7, b"ke"),
    (0, b"{\"a\": 1, ke", HeldBy::BareKey, 9, b"ke"),
    (0, b"{\"a\": \"x\\u12", HeldBy::Escape, 8, b"\\u12"),
    (0, b"{\"a\": 1, \"k\\u12", HeldBy::Escape, 11, b"\\u12"),
    (0, b"{\"a\": \"\\ud83d\\", HeldBy::Surrogate, 7, b"\\ud83d\\"),
    (0, b"{\"a\": -1.", HeldBy::Word, 6, b"-1."),
    (0, b"{\"a\": bare  ", HeldBy::Blanks, 10, b"  "),
    (0, b"{\"a\": bare, as", HeldBy::NextMember, 10, b", as"),
    (0, b"{\"a\": \"x\" ", HeldBy::ValueQuote, 8, b"\" "),
    (0, b"{\"a\": \"x\"y z", HeldBy::QuoteWindow, 8, b"\"y z"),
    (0, b"{\"a\": \"x\",", HeldBy::Comma, 8, b"\","),
    (0, b"{\"a\": \"x\", na", HeldBy::NextName, 8, b"\", na"),
    (0, b"{\"a\": \"x\" \"na", HeldBy::NextQuoted, 8, b"\" \"na"),
    (0, b"{\"a\": 1, \"b\"", HeldBy::KeyQuote, 11, b"\""),
    (0, b"{\"a\": 1, \"b\" tr", HeldBy::KeyWord, 11, b"\" tr"),
    (0, b"{\"a\": \"x\" +", HeldBy::Plus, 8, b"\" +"),
    (0, b"{\"a\": \"x\" /", HeldBy::Slash, 8, b"\" /"),
    (0, b"{\"a\": \"\"\"x\"\"", HeldBy::TripleQuote, 10, b"\"\""),
    (0, b"{\"a\": ```\nx\n``", HeldBy::FencedText, 11, b"\n``"),
    (0, b"{\"a\": 1 na", HeldBy::MissingComma, 8, b"na"),
    (0, b"{\"a\": 1, // c", HeldBy::Comment, 9, b""),
    (0, b"{\"a\": 1 !!", HeldBy::Dropped, 8, b""),
    (0, b"```\n{\"a\": 1\n``", HeldBy::FenceEnd, 12, b"``"),
    (1, b"{\"tone\": \"wA", HeldBy::Choice, 10, b"wA"),
    (0, b"{\"a\": 1, \"a\": \"x", HeldBy::Duplicate, 7, b""),
    (6, b"{\"kind\": {\"x\": \"y", HeldBy::NotGranted, 9, b""),
    (6, b"{\"kind\": \"x agent", HeldBy::NotGranted, 10, b""),
    (3, b"so\n## a", HeldBy::Header, 3, b"## a"),
    (3, b"# a\nx \n#", HeldBy::Header, 7, b"#"),
    (3, b"# a\nx \n", HeldBy::FieldBlanks, 5, b" \n"),
    (3, b"# a\n <!-- (te", HeldBy::Scaffold, 4, b" <!-- (te"),
    (3, b"# a [json]\n{\"k\": 1", HeldBy::Word, 17, b"1"),
    (4, b"a <agently_out", HeldBy::FieldTag, 2, b"<agently_out"),
    (4, b"<agently_output> <field na", HeldBy::FieldTag, 17, b"<field na"),
    (4, b"<agently_output><field name='a'>x </fiel", HeldBy::FieldCloser, 34, b"</fiel"),
    (4, b"<agently_output><field name='a'>x </field>\n", HeldBy::FieldCloser, 34, b"</field>\n"),
    (4, b"<agently_output><field name='a'>x \n", HeldBy::FieldBlanks, 33, b" \n"),
    (5, b"a\n```ya", HeldBy::YamlLine, 2, b"```ya"),
    (5, b"```yaml\nti", HeldBy::YamlLine, 8, b"ti"),
    (5, b"```yaml\na: x\n<<<EN", HeldBy::YamlLine, 13, b"<<<EN"),
    (5, b"```yaml\na: 12", HeldBy::YamlWord, 11, b"12"),
    (5, b"```yaml\na: [1, 2", HeldBy::YamlDeferred, 11, b"[1, 2"),
    (2, b"<a>x <b c='", HeldBy::XmlTag, 5, b"<b c='"),
    (2, b"<a>x <", HeldBy::XmlTag, 5, b"<"),
    (2, b"<a>x&am", HeldBy::XmlEntity, 4, b"&am"),
    (2, b"<a><!-- x -", HeldBy::XmlSection, 10, b"-"),
    (2, b"<a> \n", HeldBy::XmlBlanks, 3, b" \n"),
    (2, b"<a>12", HeldBy::XmlScalar, 3, b"12"),
];

#[test]
fn every_reason_says_what_is_held_and_since_when() {
    let specs = specs();
    for (spec, text, by, from, bytes) in CASES {
        let all = after(&specs[spec], text).held();
        let last: &Held = all.last().unwrap_or_else(|| panic!("{}", text.escape_ascii()));
        let found = (last.by, last.from, &*last.bytes);
        assert_eq!(found, (by, from, bytes), "{}", text.escape_ascii());
    }
    let met: BTreeSet<&str> = CASES.iter().map(|case| case.2.name()).collect();
    let known: BTreeSet<&str> = HeldBy::ALL.iter().map(|by| by.name()).collect();
    assert_eq!(met, known);
}

#[test]
fn what_it_may_become_is_listed() {
    let specs = specs();
    for (spec, text, could_be) in [
        (0, "a <thin", &["<think>", "<thinking>"][..]),
        (0, "<think>a</t", &["</think>", "</thinking>", "</thought>"]),
        (0, "{\"a\": nu", &["null"]),
        (0, "{\"a\": Fa", &["False"]),
        (1, "{\"tone\": \"wa", &["warm", "wary"]),
        (1, "{\"tone\": \" WARM", &["warm"]),
        (6, "{\"kind\": \"ag", &["agent.spoke"]),
        (6, "{\"kind\": \"x", &[]),
    ] {
        let held = after(&specs[spec], text.as_bytes()).held();
        assert_eq!(held.last().unwrap().could_be, could_be, "{text}");
    }
    assert_eq!(after(&Spec::strict_json(), b"{\"a\": n").held()[0].could_be, ["null"]);
}

#[test]
fn layers_are_named_the_oldest_bytes_first() {
    let held = after(&Spec::json(), b"{\"a\": 1, \"k\" \xc3").held();
    let names: Vec<_> = held.iter().map(|held| (held.by, held.by.layer(), held.from)).collect();
    let expected =
        [(HeldBy::Key, "json", 7), (HeldBy::KeyQuote, "json", 11), (HeldBy::CodePoint, "text", 13)];
    assert_eq!(names, expected);
}

#[test]
fn nothing_is_held_where_all_is_decided() {
    let spec = Spec::json();
    for text in ["", "So", "{\"a\": \"x", "{\"a\": [", "{\"a\": 1, ", "{\"a\": \"x\"}", "<think>hm"]
    {
        assert_eq!(after(&spec, text.as_bytes()).held(), [], "{text}");
    }
    let mut ended = after(&spec, b"{\"a\": tr");
    ended.finish(|_| {}).unwrap();
    assert_eq!(ended.held(), []);
    let mut failed = Spec::strict_json().parser();
    failed.feed("{\"a\": tr, ", |_| {}).unwrap_err();
    assert_eq!(failed.held(), []);
}

/// Each chunk is read by itself: also what begins as a number in one and is none in the next.
#[test]
fn a_word_is_held_while_it_may_be_a_scalar() {
    let mut parser = Spec::json().parser();
    for (chunk, held) in [("{\"a\": ", ""), ("-I", "-I"), ("1", ""), ("2", "")] {
        parser.feed(chunk, |_| {}).unwrap();
        let all: Vec<u8> = parser.held().into_iter().flat_map(|it| it.bytes.to_vec()).collect();
        assert_eq!(String::from_utf8(all).unwrap(), held, "{chunk}");
    }
}

#[test]
fn looking_and_watching_change_nothing() {
    let specs = specs();
    for (spec, text, ..) in CASES {
        let spec = &specs[spec];
        let (mut plain, mut watched) = (spec.parser(), spec.parser());
        watched.start_trace();
        let (mut emitted, mut seen) = (Vec::new(), Vec::new());
        for byte in text.chunks(1) {
            plain
                .feed(byte, |event| emitted.push(event.wire(IncludeValues::All).to_string()))
                .unwrap();
            watched
                .feed(byte, |event| seen.push(event.wire(IncludeValues::All).to_string()))
                .unwrap();
            let before = plain.clone();
            assert_eq!(plain.held(), watched.held());
            assert!(plain == before);
        }
        plain.finish(|event| emitted.push(event.wire(IncludeValues::All).to_string())).unwrap();
        watched.finish(|event| seen.push(event.wire(IncludeValues::All).to_string())).unwrap();
        assert_eq!(emitted, seen, "{}", text.escape_ascii());
        assert!(plain.take_tokens().is_empty());
    }
}

/// Held bytes are not emitted, and emitted bytes are not held.
#[test]
fn held_bytes_lie_behind_the_last_event() {
    let specs = specs();
    for (spec, text, ..) in CASES {
        let mut parser = specs[spec].parser();
        let mut emitted = 0;
        for (at, byte) in (1..).zip(text.chunks(1)) {
            let ended = |event: patchwire::Event<'_>| event.span().map_or(0, |span| span.end);
            parser.feed(byte, |event| emitted = emitted.max(ended(event))).unwrap();
            for held in parser.held() {
                // The quote of a string with choices is held, too.
                let from = emitted..at + u64::from(held.by == HeldBy::Choice);
                assert!(from.contains(&held.from), "{held:?} {}", text.escape_ascii());
            }
        }
    }
}
