//! Small texts, whole and cut anywhere.

use crate::schema::{any, int, list, object, str};
use crate::{Format, Leniency, Parser, Schema, Spec, SpecBuilder};

fn schema() -> Schema {
    object()
        .field("title", str(""))
        .field("final_answer", str(""))
        .field("tags", list(str("")))
        .field("n", int(""))
        .field("x", any(""))
        .into()
}

fn hybrid() -> SpecBuilder {
    Spec::builder().format(Format::Hybrid)
}

/// The value, and the codes of all notices except those of missing fields.
fn read(mut parser: Parser, parts: &[&[u8]]) -> (String, Vec<&'static str>) {
    for part in parts {
        parser.feed(part, |_| {}).unwrap();
    }
    let answer = parser.finish(|_| {}).unwrap();
    let codes = answer.notices().iter().map(|notice| notice.code.name());
    (answer.value().to_string(), codes.filter(|code| *code != "missing_field").collect())
}

#[track_caller]
fn check(spec: SpecBuilder, text: &str, value: &str, codes: &[&str]) {
    let spec = spec.build().unwrap();
    let want = (value.to_owned(), codes.to_vec());
    let bytes = text.as_bytes();
    assert_eq!(read(spec.parser(), &[bytes]), want, "{text:?}");
    for cut in 0..=bytes.len() {
        let parts = [&bytes[..cut], &bytes[cut..]];
        assert_eq!(read(spec.parser(), &parts), want, "{text:?}, cut at {cut}");
    }
    let bytewise: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(read(spec.parser(), &bytewise), want, "{text:?}, byte by byte");
}

#[test]
fn with_a_schema() {
    let cases: [(&str, &str, &[&str]); 15] = [
        ("### title\n\n  Hi\n\n### n\n12\n", r#"{"title":"  Hi","n":12}"#, &[]),
        ("so\n### title: ##\r\na\r\n \r\nb\r\n", r#"{"title":"a\n \nb"}"#, &[]),
        ("### title\n### other\n", r####"{"title":"### other"}"####, &[]),
        (
            "### title\nHi\n### Final answer",
            r#"{"title":"Hi","final_answer":""}"#,
            &["header_spelling"],
        ),
        (
            "## title\na\n### n\n2\n## n\n3",
            r####"{"title":"a\n### n\n2","n":3}"####,
            &["header_level"],
        ),
        ("### title\n```\n### n\n```\nb", r####"{"title":"```\n### n\n```\nb"}"####, &[]),
        (
            "### title\n```\n### n\nb",
            r####"{"title":"```\n### n\nb"}"####,
            &["unclosed_fence_swallowed_header"],
        ),
        (
            "### title\n\n### title\na\n### title\nb\n### n\n1",
            r#"{"title":"b","n":1}"#,
            &["echoed_header", "duplicate_field", "later_draft"],
        ),
        (
            "### title\n <!-- (text) x -->\n(your content here)\na",
            r#"{"title":"a"}"#,
            &["scaffold_comment", "scaffold_comment"],
        ),
        (
            "### tags\nHere:\n```json\n[\"a\",\n\"### n\"]\n```\n### n\n1",
            r####"{"tags":["a","### n"],"n":1}"####,
            &["stray_text"],
        ),
        (
            "### tags\n```\n[\"a\"]\n### n\n1 x",
            r#"{"tags":["a"],"n":1}"#,
            &["missing_fence_close", "trailing_content"],
        ),
        (
            "### tags\n[\"a\", [\n### n\n1",
            r#"{"tags":["a",[]],"n":1}"#,
            &["missing_close", "bad_json"],
        ),
        ("### tags\n### n\nnone", "null", &["bad_json", "stray_text", "bad_json"]),
        ("### tags\n[\"a", r#"{"tags":["a"]}"#, &["truncated"]),
        (
            "### x\n~~~json\n{\"k\": \"```\"}\n~~~\n### title\n#",
            r####"{"title":"#","x":{"k":"```"}}"####,
            &[],
        ),
    ];
    for (text, value, codes) in cases {
        check(hybrid().schema(schema()), text, value, codes);
    }
}

#[test]
fn without_a_schema() {
    let text = "# Notes\n## Ünder\na\n# Data [json]\n{\"k\": 1}\n# **C#** #\n- b\n";
    let value = r###"{"Notes":"## Ünder\na","Data":{"k":1},"C#":"- b"}"###;
    check(hybrid(), text, value, &["header_level"]);
    let value = r###"{"Notes":"## Ünder\na","Data":"{\"k\": 1}","C#":"- b"}"###;
    check(Spec::builder().format(Format::Markdown), text, value, &["header_level"]);
}

#[test]
fn what_is_not_forgiven() {
    let forbid = |leniency| hybrid().schema(schema()).forbid(leniency);
    let text = "## title\na\n### title\nb\n## title\nc";
    check(forbid(Leniency::HeaderLevels), text, r####"{"title":"b\n## title\nc"}"####, &[]);
    let text = "### title\nb\n### N\n1";
    check(forbid(Leniency::HeaderNames), text, r####"{"title":"b\n### N\n1"}"####, &[]);
    let text = "### title\n### title\nb";
    check(forbid(Leniency::HeaderEchoes), text, r#"{"title":""}"#, &["duplicate_field"]);
    let text = "### title\n(your content here)\nb";
    check(forbid(Leniency::ScaffoldLines), text, r#"{"title":"(your content here)\nb"}"#, &[]);
}

/// The rows for sections with values and without have samples of their own.
#[test]
fn samples_of_sections_are_read_with_their_schemas() {
    let read = |format: Format| {
        let sample = format.sample().unwrap();
        let schema = Schema::from_text(sample.schema.unwrap()).unwrap();
        let spec = Spec::builder().format(format).schema(schema).build().unwrap();
        let answer = spec.parse(sample.text).unwrap();
        let members = answer.value().entries();
        let types = members.map(|(name, value)| format!("{}:{:?}", name.unwrap(), value.kind()));
        types.collect::<Vec<_>>().join(" ")
    };
    let values = "summary:String script:String steps:List safe:Bool verdict:String";
    assert_eq!(read(Format::Hybrid), values);
    assert_eq!(read(Format::Markdown), "summary:String verdict:String");
}
