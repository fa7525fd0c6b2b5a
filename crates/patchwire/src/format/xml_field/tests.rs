//! Small texts and their values, whole and cut anywhere.

use crate::schema::{int, list, object, str};
use crate::{Format, Parser, Spec};

/// The value, the text outside, and the codes of all notices except those of missing fields.
fn read(mut parser: Parser, parts: &[&[u8]]) -> (String, String, Vec<&'static str>) {
    for part in parts {
        parser.feed(part, |_| {}).unwrap();
    }
    let answer = parser.finish(|_| {}).unwrap();
    let codes = answer.notices().iter().map(|notice| notice.code.name());
    let codes = codes.filter(|code| *code != "missing_field").collect();
    (answer.value().to_string(), answer.text().to_owned(), codes)
}

#[test]
fn texts_and_their_values() {
    let schema = object().field("t", str("")).field("n", int("")).field("l", list(str("")));
    let spec = Spec::builder().format(Format::XmlField).root_tag("out").schema(schema);
    let spec = spec.build().unwrap();
    let cases: [(&str, &str, &str, &[&str]); 12] = [
        ("Hi <out><field name=\"t\"> a\n</field></out>!", r#"{"t":"a"}"#, "Hi !", &[]),
        ("<out><field name='n'>12</field></out>", r#"{"n":12}"#, "", &[]),
        ("<OUT>\n<FIELD NAME=t>a</FIELD>\n</OUT>", r#"{"t":"a"}"#, "", &[]),
        ("<out><field name=t>a</field> b</field></out>", r#"{"t":"a</field> b"}"#, "", &[]),
        ("<out><field name=t><![CDATA[a</field>]]></field></out>", r#"{"t":"a</field>"}"#, "", &[]),
        (
            "<out><field name=t>a\n<field name=n>1</field></out>",
            r#"{"t":"a","n":1}"#,
            "",
            &["missing_close"],
        ),
        ("<out><!-- <field name=n>1</field></out>", r#"{"n":1}"#, "", &[]),
        ("<out>x<field name=n>1</field></out>", r#"{"n":1}"#, "", &["stray_text"]),
        (
            "<out><field name=t/><field name=l>[\"a\"]</field></out>",
            r#"{"t":"","l":["a"]}"#,
            "",
            &[],
        ),
        (
            "<out><field name=n>1</field><field name=n>2</field></out>",
            r#"{"n":1}"#,
            "",
            &["duplicate_field"],
        ),
        ("<out><field name=z>1</field></out>", "null", "", &["unknown_field"]),
        ("a <outer> b", "null", "a <outer> b", &[]),
    ];
    for (text, value, outside, codes) in cases {
        let want = (value.to_owned(), outside.to_owned(), codes.to_vec());
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
