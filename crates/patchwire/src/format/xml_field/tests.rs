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

/// The value, the text outside and the codes in one line. The same at any cut.
fn shown(spec: &Spec, text: &str) -> String {
    let bytes = text.as_bytes();
    let whole = read(spec.parser(), &[bytes]);
    for cut in 0..=bytes.len() {
        let parts = [&bytes[..cut], &bytes[cut..]];
        assert_eq!(read(spec.parser(), &parts), whole, "{text:?}, cut at {cut}");
    }
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    assert_eq!(read(spec.parser(), &single), whole, "{text:?}, byte by byte");
    format!("{} {:?} {}", whole.0, whole.1, whole.2.join(" "))
}

fn all(rows: &[(&str, &str)]) {
    let schema = object().field("t", str("")).field("n", int(""));
    let spec = Spec::builder().format(Format::XmlField).root_tag("out").schema(schema);
    let spec = spec.build().unwrap();
    let opened = |text: &str| format!("<out><field name=t>{text}");
    for (text, want) in rows {
        assert_eq!(shown(&spec, &opened(text)), *want, "{text:?}");
    }
}

/// What stands behind the opener of a text field.
#[test]
fn closers_of_fields_and_what_follows_them() {
    all(&[
        ("a</field></out>", "{\"t\":\"a\"} \"\" "),
        ("a</field ></out>", "{\"t\":\"a\"} \"\" "),
        ("a</FIELD\n>\n</out>", "{\"t\":\"a\"} \"\" "),
        ("a</fields></field></out>", "{\"t\":\"a</fields>\"} \"\" "),
        ("a</field x></field></out>", "{\"t\":\"a</field x>\"} \"\" "),
        ("a</field> b</field></out>", "{\"t\":\"a</field> b\"} \"\" "),
        ("a</field><b></field></out>", "{\"t\":\"a</field><b>\"} \"\" "),
        ("a</field><!-- b --></out>", "{\"t\":\"a\"} \"\" "),
        ("a</field><!- b</field></out>", "{\"t\":\"a</field><!- b\"} \"\" "),
        ("a</field>```</field></out>", "{\"t\":\"a</field>```\"} \"\" "),
        ("a</field>```\n</field></out>", "{\"t\":\"a</field>```\"} \"\" "),
        ("a</field>\n```", "{\"t\":\"a\"} \"\" "),
        ("a</field>``", "{\"t\":\"a\"} \"\" "),
        ("a</field><fie", "{\"t\":\"a\"} \"\" "),
        ("a</field", "{\"t\":\"a\"} \"\" truncated"),
        ("a</field><field name=n>1</field></out>", "{\"t\":\"a\",\"n\":1} \"\" "),
        ("a</field><field/></out>", "{\"t\":\"a\"} \"\" unknown_field"),
        ("a</field><fieldset></field></out>", "{\"t\":\"a</field><fieldset>\"} \"\" "),
        ("a</field></out >", "{\"t\":\"a\"} \"\" "),
        ("a</field></outer></field></out>", "{\"t\":\"a</field></outer>\"} \"\" "),
        ("a<field name=n>1</field></out>", "{\"t\":\"a<field name=n>1\"} \"\" "),
        ("a<field name=z>1</field></out>", "{\"t\":\"a<field name=z>1\"} \"\" "),
        ("a<field name=t>1</field></out>", "{\"t\":\"a<field name=t>1\"} \"\" "),
        ("a<field>1</field></out>", "{\"t\":\"a<field>1\"} \"\" "),
        ("a<field name=n", "{\"t\":\"a<field name=n\"} \"\" truncated"),
        ("a</out>", "{\"t\":\"a\"} \"\" truncated untidy_fields"),
    ]);
}

#[test]
fn sections_of_character_data() {
    all(&[
        (
            "<![CDATA[a</field></out>]]></field></out>",
            "{\"t\":\"a\"} \"]]></field></out>\" unclosed_section",
        ),
        ("<![CDATA[a]]></field ></out>", "{\"t\":\"a\"} \"\" "),
        ("<![CDATA[a]]>\n </field></out>", "{\"t\":\"a\"} \"\" "),
        ("<![CDATA[a]]>b]]></field></out>", "{\"t\":\"a]]>b\"} \"\" "),
        ("<![CDATA[a]b]]c]]></field></out>", "{\"t\":\"a]b]]c\"} \"\" "),
        ("<![CDATA[a]]></field> b]]></field></out>", "{\"t\":\"a]]></field> b\"} \"\" "),
        ("<![CDATA[a", "{\"t\":\"a\"} \"\" truncated"),
        ("<![CDATA[a]]>", "{\"t\":\"a\"} \"\" truncated"),
        ("<![CDAT[a</field></out>", "{\"t\":\"<![CDAT[a\"} \"\" "),
        ("b<![CDATA[a</field></out>", "{\"t\":\"b<![CDATA[a\"} \"\" "),
    ]);
}

#[test]
fn text_between_fields() {
    let rest = |text: &str| format!("a</field><!-- -->{text}<field name=n>1</field></out>");
    for (text, want) in [
        ("", ""),
        (" \n", ""),
        ("x y", "stray_text"),
        ("x<!-- y -->z", "stray_text stray_text"),
        ("<!-->", ""),
        ("<!--->", ""),
        ("<!-- - > -- >-->", ""),
        ("<b>", "stray_text"),
        ("<", "stray_text"),
        ("```", "stray_text"),
        ("```\n", "stray_text"),
        ("`", "stray_text"),
    ] {
        let schema = object().field("t", str("")).field("n", int(""));
        let spec = Spec::builder().format(Format::XmlField).root_tag("out").schema(schema);
        let found = shown(&spec.build().unwrap(), &format!("<out><field name=t>{}", rest(text)));
        assert_eq!(found, format!("{{\"t\":\"a\",\"n\":1}} \"\" {want}"), "{text:?}");
    }
}

/// A parser's state depends on the bytes, and not on where they were cut: text of a field may take the fast path.
#[test]
fn a_cut_in_a_field_leaves_no_trace() {
    let spec = Spec::builder().format(Format::XmlField).root_tag("out").build().unwrap();
    let parser = |parts: &[&str]| {
        let mut parser = spec.parser();
        parts.iter().for_each(|part| parser.feed(part, |_| {}).unwrap());
        parser
    };
    for text in [
        "so <out><field name=t>one two",
        "<out><field name=t>one <b> two",
        "<out><field name=t>one</field two",
        "<out><field name=t>one</field",
        "<out><field name=t>one</field><field",
        "<out><field name=t>one</field></out> more",
    ] {
        let whole = parser(&[text]);
        for cut in 0..=text.len() {
            let parts = [&text[..cut], &text[cut..]];
            assert!(parser(&parts) == whole, "{text:?}, cut at {cut}");
        }
    }
}
