//! Names of formats and errors, and settings that contradict each other.

use patchwire::internals::{Caps, XmlBody, XmlCaps};
use patchwire::schema::{int, list, object, one_of, str};
use patchwire::spec::Roots;
use patchwire::{ErrorKind, Event, Format, Leniency, Limit, Schema, Spec, Strictness, TagSet};

#[test]
fn formats_have_names() {
    let names: Vec<_> = Format::ALL.iter().map(|format| format.name()).collect();
    assert_eq!(names, ["json", "xml_field", "hybrid", "markdown", "yaml_literal", "text", "auto"]);
    for format in Format::ALL {
        assert_eq!(
            (Format::from_name(format.name()), format.to_string()),
            (Some(format), format.name().to_owned())
        );
        assert!(!format.about().is_empty());
        assert_eq!(format.sample().is_none(), format == Format::Auto);
    }
    assert_eq!(Format::from_name("flat_markdown"), Some(Format::Markdown));
    assert_eq!(
        (Format::from_name("toml"), Format::Markdown.aliases()),
        (None, &["flat_markdown", "flat-markdown"][..])
    );
}

#[test]
fn strict_reading_says_what_is_wrong_and_where() {
    for (text, name, offset) in [
        ("{\"a\": }", "syntax_expected_value", 6),
        ("{1: 2}", "syntax_expected_key", 1),
        ("{\"a\" 1}", "syntax_expected_colon", 5),
        ("{\"a\" , \"b\": 1}", "syntax_expected_colon", 5),
        ("{\"a\"}", "syntax_expected_colon", 4),
        ("[1 2]", "syntax_expected_separator", 3),
        ("[01]", "syntax_number", 1),
        ("[tru]", "syntax_literal", 1),
        (r#"["\d"]"#, "syntax_escape", 3),
        (r#"["\ud83d"]"#, "syntax_surrogate", 8),
        ("[\"\t\"]", "syntax_control_character", 2),
        ("[1] x", "syntax_trailing_text", 4),
        ("[1", "unexpected_end", 2),
    ] {
        let error = Spec::strict_json().parse(text).unwrap_err();
        assert_eq!((error.kind.name(), error.offset), (name, offset), "{text}");
        assert!(error.to_string().ends_with(&format!(" at byte {offset}")), "{error}");
    }
    // Where a colon may not be missing, the word behind a key is no member either.
    let spec = Spec::builder().forbid(Leniency::MissingColons).build().unwrap();
    let error = spec.parse("{r: {d n").unwrap_err();
    assert_eq!((error.kind.name(), error.offset), ("syntax_expected_colon", 7));
    // What fits nowhere is no colon either.
    let spec = Spec::builder().forbid(Leniency::UnexpectedText).build().unwrap();
    let error = spec.parse("{\"a\" /* x */ ] 1}").unwrap_err();
    assert_eq!((error.kind.name(), error.offset), ("syntax_expected_colon", 13));
    let invalid = Spec::strict_json().parse(b"[\"\xff\"]").unwrap_err();
    assert_eq!((invalid.kind, invalid.kind.name()), (ErrorKind::InvalidUtf8, "invalid_utf8"));
}

#[test]
fn a_brace_before_a_space_of_unicode_opens_no_object_where_that_is_forbidden() {
    let text = "So {\u{a0}\"a\": 1} it is";
    assert_eq!(Spec::json().parse(text).unwrap().value().to_string(), r#"{"a":1}"#);
    let spec = Spec::builder().forbid(Leniency::UnicodeSpaces).build().unwrap();
    let answer = spec.parse(text).unwrap();
    assert!(!answer.value().exists());
    assert_eq!(answer.text(), text);
}

#[test]
fn what_ends_a_stream_has_a_name() {
    use std::ops::ControlFlow;
    let mut parser = Spec::json().parser();
    let cancelled = parser.feed("[1]", |_| ControlFlow::<()>::Break(())).unwrap_err();
    assert_eq!((cancelled.kind, cancelled.kind.name()), (ErrorKind::Cancelled, "cancelled"));
    for reasoning in [&b"hm"[..], b"\xff"] {
        let mut parser = Spec::json().parser();
        let cancelled = parser.feed_reasoning(reasoning, |_| ControlFlow::<()>::Break(()));
        assert_eq!(cancelled.unwrap_err().kind, ErrorKind::Cancelled);
        assert_eq!(parser.answer().unwrap_err().kind, ErrorKind::Cancelled);
    }
    let mut parser = Spec::json().parser();
    assert_eq!(parser.answer().unwrap_err().kind, ErrorKind::UnexpectedEnd);
    parser.finish(|_| {}).unwrap();
    let finished = parser.feed("[1]", |_| {}).unwrap_err();
    assert_eq!((finished.kind, finished.kind.name()), (ErrorKind::Finished, "finished"));
    let limits: Vec<_> = Limit::ALL.iter().map(|limit| ErrorKind::Limit(*limit).name()).collect();
    assert!(limits.iter().all(|name| name.starts_with("limit_")), "{limits:?}");
}

#[test]
fn settings_that_contradict_each_other_are_refused() {
    let said = |spec: patchwire::SpecBuilder| spec.build().unwrap_err().to_string();
    let strict = Spec::builder().strictness(Strictness::Strict).tags(TagSet::think());
    assert!(said(strict).contains("strict"));
    let unknown = Spec::builder().tags(TagSet::think()).start_in("nothing");
    assert!(said(unknown).contains("nothing"));
    let no_object = Spec::builder().format(Format::XmlField).schema(list(int("")));
    assert!(said(no_object).contains("xml_field"));
    assert!(said(Spec::builder().ensure("a[")).contains("`a[`"));
}

#[test]
fn a_spec_is_changed_into_another() {
    let spec = Spec::json().ensure("a").unwrap();
    let said = |spec: &Spec, text: &str| -> Vec<String> {
        spec.parse(text).unwrap().failures().iter().map(ToString::to_string).collect()
    };
    assert_eq!(said(&spec, "{}"), ["a is missing"]);
    assert_eq!(said(&Spec::json(), "{}"), [""; 0]);
    assert!(Spec::json().ensure("a[").is_err());
    let typed = Spec::json().with_schema(object().field("n", int("")));
    assert_eq!(typed.parse(r#"{"n": "12"}"#).unwrap().value().to_string(), r#"{"n":12}"#);
    let tool: Schema = object().field("city", str("")).into();
    let spec = Spec::builder().tool("weather", tool).build().unwrap();
    assert!(spec.tool("weather").is_some() && spec.tool("other").is_none());
    let named = Spec::builder().format(Format::YamlLiteral).document_name("PLAN").build().unwrap();
    assert!(named.prompt().skeleton().starts_with("<<<BEGIN PLAN>>>"));
    let empty = Spec::builder().without_value().build().unwrap().parse(r#"{"a": 1}"#).unwrap();
    assert!(!empty.value().exists());
    let without = || Spec::builder().without_value();
    for joined in [Spec::builder().or(&without()), without().or(&Spec::builder())] {
        assert!(!joined.build().unwrap().parse("[1]").unwrap().value().exists());
    }
}

/// A text whose fence has this many blanks before the payload.
#[test]
fn a_fence_and_its_blanks_are_held_up_to_the_cap() {
    let caps = Caps { fence: 10, ..Caps::STANDARD };
    let spec = Spec::builder().caps(caps).build().unwrap();
    // The opening line has eight bytes.
    for (blanks, is_text) in [("  ", false), ("   ", true)] {
        let answer = spec.parse(format!("```json\n{blanks}{{\"a\": 1}}\n```\n")).unwrap();
        assert_eq!(answer.value().to_string(), r#"{"a":1}"#, "{blanks:?}");
        assert_eq!(answer.text().starts_with("```json\n   "), is_text, "{blanks:?}");
    }
    let all = Caps::all(3);
    let look_ahead = [all.blanks, all.run, all.item, all.key, all.declared, all.opening, all.name];
    assert_eq!((look_ahead, all.info, all.fence, all.window, all.windows), ([3; 7], 3, 3, 3, 512));
    // With look-ahead of three bytes, a text with slips is decided early, and each byte is emitted.
    let tight = Spec::builder().caps(Caps::all(3)).build().unwrap();
    assert_eq!(
        tight.parse(r#"{"a": "b" , "c": [1, 2]}"#).unwrap().value().to_string(),
        r#"{"a":"b","c":[1,2]}"#
    );
}

/// With look-ahead of one byte the first brace opens a root, before the second one can say that it is text.
#[test]
fn at_the_smallest_caps_a_brace_is_judged_before_the_next_one() {
    let spec = Spec::builder().caps(Caps::all(1)).build().unwrap();
    let text = r#"{{"a": 1}}"#;
    let mut parser = spec.parser();
    for byte in text.as_bytes() {
        parser.feed([*byte], |_| {}).unwrap();
    }
    for answer in [spec.parse(text).unwrap(), parser.finish(|_| {}).unwrap()] {
        assert_eq!((answer.text(), answer.value().to_string().as_str()), ("", r#"{"a":1}"#));
    }
}

#[test]
fn blanks_behind_a_key_are_held_up_to_the_cap() {
    let spec = Spec::builder().caps(Caps { key: 8, ..Caps::STANDARD }).build().unwrap();
    for (blanks, is_text) in [(7, false), (8, true)] {
        let answer = spec.parse(format!("{{a{}: 1}}", " ".repeat(blanks))).unwrap();
        assert_eq!(answer.value().to_string(), r#"{"a":1}"#, "{blanks}");
        assert_eq!(!answer.text().is_empty(), is_text, "{blanks}");
    }
}

#[test]
fn closers_and_brackets_before_the_answer_are_text() {
    for (text, rest) in [
        ("] {\"a\": 1}", "] "),
        ("} x ] {\"a\": 1}", "} x ] "),
        ("{\"a\": 1}\n```\nx", "\n```\nx"),
        ("[note] {\"a\": 1}", "[note] "),
    ] {
        let answer = Spec::json().parse(text).unwrap();
        assert_eq!(
            (answer.value().to_string(), answer.text()),
            (r#"{"a":1}"#.into(), rest),
            "{text}"
        );
        assert!(answer.notices().is_empty(), "{text}: {:?}", answer.notices());
    }
}

/// Types are corrected in the value, wherever its text stood.
#[test]
fn values_get_their_types_without_the_raw_text() {
    let schema = || object().field("n", int(""));
    let spec = Spec::builder().tags(TagSet::scratchpad()).schema(schema()).without_raw();
    for text in [r#"{"n": "5"}"#, r#"<output>{"n": "5"}</output>"#, r#"<output>{"n": "5"}"#] {
        let answer = spec.clone().build().unwrap().parse(text).unwrap();
        assert_eq!(answer.value().to_string(), r#"{"n":5}"#, "{text}");
    }
}

#[test]
fn bodies_of_xml_follow_their_schema() {
    let schema: Schema = object()
        .field("n", int(""))
        .field("tags", list(str("")))
        .field("rows", list(object().field("k", str(""))))
        .into();
    let body = XmlBody::of_schema(schema.clone()).whole();
    let spec = Spec::builder().without_tags().schema(schema).machine(body.machine());
    let spec = spec.build().unwrap();
    for (text, value, notices) in [
        (
            "<n>007</n><tags>a</tags><rows><k>x</k></rows><tags>b</tags><rows><k>y</k></rows>",
            r#"{"n":7,"tags":["a","b"],"rows":[{"k":"x"},{"k":"y"}]}"#,
            &[][..],
        ),
        ("<n>many</n><i>no tag</i>", r#"{"n":"many","_text":"<i>no tag</i>"}"#, &["type_mismatch"]),
        ("<tags>a</tags><rows><k>x", r#"{"tags":["a"],"rows":[{"k":"x"}]}"#, &["truncated"]),
    ] {
        let mut parser = spec.parser();
        text.bytes().for_each(|byte| parser.feed([byte], |_| {}).unwrap());
        for answer in [spec.parse(text).unwrap(), parser.finish(|_| {}).unwrap()] {
            let codes: Vec<_> = answer.notices().iter().map(|notice| notice.code.name()).collect();
            assert_eq!((&*answer.value().to_string(), &codes[..]), (value, notices), "{text}");
        }
    }
    let caps = XmlCaps { tag: 4, ..XmlCaps::STANDARD };
    let spec = Spec::builder().without_tags().machine(XmlBody::any().whole().caps(caps).machine());
    let answer = spec.build().unwrap().parse("<a>x</a> <abcd>").unwrap();
    assert_eq!(answer.value().to_string(), r#"{"a":"x","_text":" <abcd>"}"#);
}

/// Of several roots that fit equally the first one counts, and a worse one never.
#[test]
fn the_first_root_that_fits_counts() {
    let schema = || object().field("a", int("").required()).field("b", int(""));
    let spec = Spec::builder().schema(schema()).roots(Roots::FirstFit).build().unwrap();
    let other = |json: &str| format!("```py\n{json}\n```\n");
    let (one, two) = (other(r#"{"a": 1}"#), other(r#"{"a": 2}"#));
    let (worse, wrong) = (other(r#"{"b": 1}"#), other(r#"{"a": "x"}"#));
    let root = r#"{"a": 3}"#;
    for (text, value) in [
        (format!("{one}{root}"), r#"{"a":1}"#),
        (format!("{one}{two}{root}"), r#"{"a":1}"#),
        (format!("{root}\n{one}"), r#"{"a":3}"#),
        (format!("{worse}{root}"), r#"{"a":3}"#),
        (format!("{worse}{one}{root}"), r#"{"a":1}"#),
        (format!("{wrong}{root}"), r#"{"a":3}"#),
        (format!("{root}\n{worse}"), r#"{"a":3}"#),
        (format!("{{\"b\": 1}}\n{one}{two}"), r#"{"a":1}"#),
    ] {
        assert_eq!(spec.parse(&text).unwrap().value().to_string(), value, "{text}");
    }
}

/// A patch carries its own value also where no values are kept.
#[test]
fn without_values_a_patch_has_the_last_one() {
    let schema = object().field("b", one_of(["red"])).field("d", str(""));
    let spec = Spec::builder().without_value().schema(schema).build().unwrap();
    let mut said = Vec::new();
    let text = r#"{"a": 1.50, "b": "red", "c": [null], "d": "x"}"#;
    let mut parser = spec.parser();
    let fed = parser.feed(text, |event| {
        if let Event::Patch(patch) = event {
            let state = if patch.value.is_complete() { "whole" } else { "open" };
            let value = patch.value.exists().then(|| format!(" {} {state}", patch.value));
            said.push(format!("{} {}{}", patch.path, patch.op.name(), value.unwrap_or_default()));
        }
    });
    fed.unwrap();
    let wanted = [
        " open {} open",
        "a done 1.50 whole",
        "b done \"red\" whole",
        "c open [] open",
        "c[0] done null whole",
        "c done",
        "d open \"\" open",
        "d delta",
        "d done",
        " done",
    ];
    assert_eq!(said, wanted);
}

/// The text of a field that the stream has so far, where only so many windows behind quotes may open in a root.
fn streamed(windows: u16, text: &str, path: &str) -> String {
    let spec = Spec::builder().caps(Caps { windows, ..Caps::STANDARD }).build().unwrap();
    let (mut parser, mut said) = (spec.parser(), String::new());
    let take = |event: Event<'_>| match event {
        Event::Patch(patch) if patch.path == path => said.push_str(&patch.delta),
        _ => {}
    };
    parser.feed(text, take).unwrap();
    said
}

#[test]
fn after_so_many_windows_the_next_byte_judges_a_quote() {
    let text = r#"{"a": "x "y", "z" w", "q": "r "s", "t" u"}"#;
    for (windows, said) in [(2, r#"r "s"#), (512, r#"r "s", "t" u"#)] {
        assert_eq!(streamed(windows, text, "q"), said, "{windows}");
    }
}

/// Where no other slip is allowed, the text behind a quote may fit no reading at all.
#[test]
fn a_window_that_no_reading_fits_ends_when_it_is_full() {
    let others = Leniency::ALL.into_iter().filter(|it| *it != Leniency::InnerQuotes);
    let spec = others.fold(Spec::builder(), |spec, it| spec.forbid(it)).build().unwrap();
    let text = format!("{{\"a\": \"say \"hi\" x\n{}", "y".repeat(31));
    let mut parser = spec.parser();
    let error = parser.feed(&text, |_| {}).unwrap_err();
    assert_eq!(error.to_string(), "unescaped control character in a string at byte 17");
}
