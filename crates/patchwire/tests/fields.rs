//! Corrections at the end in formats that write fields: every difference from the stream is a patch and a
//! notice, at any cut.

use patchwire::schema::{any, bool, int, list, literal, map, number, object, one_of, str, union};
use patchwire::{
    Answer, Format, Outcome, PatchOp, Schema, Spec, SpecBuilder, Strictness, TagSet, spec::Unwrap,
};

/// Reads a text whole, byte by byte and cut in two at every place. Returns the streamed value, too.
fn read(builder: SpecBuilder, text: &str) -> (Answer, Vec<String>) {
    let spec = builder.build().unwrap();
    let fed = |chunks: &[&[u8]]| {
        let mut parser = spec.parser();
        let mut corrected = Vec::new();
        for chunk in chunks {
            parser.feed(chunk, |_| {}).unwrap();
        }
        let answer = parser
            .finish(|event| {
                if let patchwire::Event::Patch(patch) = event
                    && matches!(patch.op, PatchOp::Replace | PatchOp::Remove)
                {
                    corrected.push(patch.path.to_string());
                }
            })
            .unwrap();
        (answer, corrected)
    };
    let whole = fed(&[text.as_bytes()]);
    let same = |other: (Answer, Vec<String>)| {
        assert_eq!(whole.0.value().to_string(), other.0.value().to_string(), "{text:?}");
        assert_eq!(whole.0.notices(), other.0.notices(), "{text:?}");
        assert_eq!(whole.1, other.1, "{text:?}");
    };
    same(fed(&text.as_bytes().chunks(1).collect::<Vec<_>>()));
    for cut in 0..text.len() {
        let (one, other) = text.as_bytes().split_at(cut);
        same(fed(&[one, other]));
    }
    whole
}

/// The value, the notices' codes with their paths, and the paths that were corrected.
fn emitted(builder: SpecBuilder, text: &str) -> (String, Vec<String>, Vec<String>) {
    let (answer, corrected) = read(builder, text);
    let notice = |notice: &patchwire::notice::OwnedNotice| match notice.path.is_empty() {
        true => notice.code.name().to_owned(),
        false => format!("{} {}", notice.code.name(), notice.path),
    };
    (answer.value().to_string(), answer.notices().iter().map(notice).collect(), corrected)
}

fn of(format: Format) -> SpecBuilder {
    Spec::builder().format(format)
}

fn check(builder: SpecBuilder, text: &str, value: &str, notices: &[&str], corrected: &[&str]) {
    let emitted = emitted(builder, text);
    let strings = |list: &[&str]| list.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
    assert_eq!(emitted, (value.to_owned(), strings(notices), strings(corrected)), "{text:?}");
}

#[test]
fn the_closer_of_an_element_is_data_in_a_string() {
    let json =
        r#"{"family": [{"name": "t", "open": "<t>", "close": "</t>", "channel": "answer"}]}"#;
    let spec = of(Format::XmlField)
        .schema(Schema::object().field("j", any("")))
        .tags(TagSet::from_json(json).unwrap());
    let text = "<t><answer_fields><field name=\"j\" type=\"json\">{\"k\":\"</t>\"}</field></answer_fields></t>";
    check(spec, text, r#"{"j":{"k":"</t>"}}"#, &[], &[]);
}

#[test]
fn signs_without_a_number_before_a_name_make_no_header() {
    let schema = || Schema::object().field("title", str("")).field("body", str(""));
    let read = |text: &str| emitted(of(Format::Markdown).schema(schema()), text).0;
    for text in ["**1. title**\nA\n**2) body**\nB\n", "### 1. title\nA\n### 2: body\nB\n"] {
        assert_eq!(read(text), r#"{"title":"A","body":"B"}"#, "{text:?}");
    }
    assert_eq!(read("**: title**\nA\n**. body**\nB\n"), "null");
}

#[test]
fn digits_between_points_are_a_number_in_groups_of_three() {
    let schema = || Schema::object().field("t", str("")).field("n", number(""));
    for (written, value) in [
        ("1.249,50", "1249.50"),
        ("1.249.000,5", "1249000.5"),
        ("1.24,50", "\"1.24,50\""),
        ("1.2495,50", "\"1.2495,50\""),
    ] {
        let text = format!("### t\nA\n### n\n{written}\n");
        let read = emitted(of(Format::Markdown).schema(schema()), &text).0;
        assert_eq!(read, format!(r#"{{"t":"A","n":{value}}}"#), "{written}");
    }
}

/// The text stands below its dash and no deeper. A line of it that is set in has no dash of the list.
#[test]
fn a_deeper_dash_in_a_text_without_indent_begins_no_item() {
    let schema = Schema::object().field("xs", list(str("")));
    let text = "xs:\n  - |\n  one\n    - two\n  - x\n";
    let read = emitted(of(Format::YamlLiteral).schema(schema), text).0;
    assert_eq!(read, r#"{"xs":["one\n  - two\n","x"]}"#);
}

#[test]
fn a_slip_in_a_key_is_noted_at_its_object() {
    let json = || of(Format::Json);
    let cases = [
        ("{\"title\": \"a\", 'who': 1}", &["single_quotes"][..]),
        ("{'title': 'x'}", &["single_quotes", "single_quotes title"]),
        ("{\"a\": {\"b\": 1, who: 1}}", &["unquoted_key a"]),
        ("[{\"a\": 1}, {\"b\": 1, \u{201c}c\u{201d}: 2}]", &["smart_quotes [1]"]),
        ("{\"a\": {\"b\": 1, \"w\\qho\": 2}}", &["invalid_escape a"]),
        ("{\"a\": {\"b\": 1, \"w\tho\": 2}}", &["raw_control a"]),
        ("{\"a\": {\"b\": 1, \"w\"ho\": 2}}", &["inner_quote a"]),
    ];
    for (text, notices) in cases {
        let (_, emitted, _) = emitted(json(), text);
        assert_eq!(emitted, notices, "{text}");
    }
}

#[test]
fn markdown_becomes_the_types_of_the_schema() {
    let schema = object()
        .field("n", int(""))
        .field("ok", bool(""))
        .field("tags", list(str("")))
        .field("more", map(any("")))
        .field("s", str(""))
        .field("what", any(""));
    let text = "### n\n 12 \n### ok\n```\ntrue\n```\n### tags\n```json\n[\"a\", 'b',]\n```\n\
                ### more\n{\"k\": [1]}\n### s\n5\n### what\n[1]\n";
    check(
        of(Format::Markdown).schema(schema),
        text,
        r#"{"n":12,"ok":true,"tags":["a","b"],"more":{"k":[1]},"s":"5","what":[1]}"#,
        &["untidy_value tags"],
        &["n", "ok", "tags", "more", "what"],
    );
}

#[test]
fn what_cannot_be_typed_stays_text_and_fails_alone() {
    let schema = || object().field("n", int("")).field("l", list(int(""))).field("s", str(""));
    check(
        of(Format::Markdown).schema(schema()),
        "### n\nmany\n### l\n{\"a\": 1}\n### s\nx\n",
        r#"{"n":"many","l":{"a":1},"s":"x"}"#,
        &["bad_json n", "type_mismatch l"],
        &["l"],
    );
    let text_or_number = object().field("n", union([int(""), str("")])).field("f", number(""));
    check(
        of(Format::Markdown).schema(text_or_number),
        "### n\nmany\n### f\n1.50\n",
        r#"{"n":"many","f":1.50}"#,
        &[],
        &["f"],
    );
}

#[test]
fn a_list_of_literals_stays_text_in_markdown() {
    let schema = object().field("mood", one_of(["glad", "sad"]));
    check(of(Format::Markdown).schema(schema), "### mood\nglad\n", r#"{"mood":"glad"}"#, &[], &[]);
}

#[test]
fn sections_behind_an_unclosed_fence_are_distinct() {
    let schema = || object().field("a", str("")).field("b", str("")).field("n", int(""));
    let text = "### a\n```py\nx = 1\n### b\nreal\n### n\n7\n";
    check(
        of(Format::Hybrid).schema(schema()),
        text,
        r#"{"a":"```py\nx = 1","b":"real","n":7}"#,
        &["unclosed_fence_swallowed_header a", "swallowed_fields a"],
        &["a", "b", "n"],
    );
    check(
        of(Format::Markdown).schema(schema()),
        text,
        r#"{"a":"```py\nx = 1","b":"real","n":7}"#,
        &["unclosed_fence_swallowed_header a", "swallowed_fields a"],
        &["a", "b", "n"],
    );
    // A comment of another level is code.
    check(
        of(Format::Hybrid).schema(schema()),
        "### a\n```py\n# b\nx\n",
        r#"{"a":"```py\n# b\nx"}"#,
        &["missing_field b", "missing_field n"],
        &[],
    );
}

#[test]
fn a_value_that_is_one_fence_is_taken_out_of_it_where_that_is_asked_for() {
    let schema = || object().field("a", str("")).field("b", str(""));
    let text = "### a\n```html\n<p>\n```\n### b\n```\nx\n```\ny\n";
    let hybrid = || of(Format::Hybrid).schema(schema());
    check(hybrid(), text, r#"{"a":"```html\n<p>\n```","b":"```\nx\n```\ny"}"#, &[], &[]);
    check(
        hybrid().unwrap_fences(Unwrap::Auto),
        text,
        r#"{"a":"<p>","b":"```\nx\n```\ny"}"#,
        &["unfenced a"],
        &["a"],
    );
    check(
        hybrid().unwrap_fences(Unwrap::Always),
        text,
        r#"{"a":"<p>","b":"x"}"#,
        &["trailing_content b"],
        &[],
    );
    check(
        hybrid().unwrap_fence_of("b", Unwrap::Always),
        text,
        r#"{"a":"```html\n<p>\n```","b":"x"}"#,
        &["trailing_content b"],
        &[],
    );
    let xml = "<agently_output><field name=\"a\">\n```\n<b/>\n```\n</field>\
               <field name=\"b\">x</field></agently_output>";
    let wanted = r#"{"a":"<b/>","b":"x"}"#;
    let xml_field = || of(Format::XmlField).schema(schema());
    check(xml_field().unwrap_fences(Unwrap::Always), xml, wanted, &[], &[]);
    check(xml_field().unwrap_fences(Unwrap::Auto), xml, wanted, &["unfenced a"], &["a"]);
    let yaml = "<<<BEGIN AGENTLY_YAML>>>\na: |\n  ```\n  x\n  ```\nb: y\n<<<END AGENTLY_YAML>>>\n";
    for unwrap in [Unwrap::Auto, Unwrap::Always] {
        let spec = of(Format::YamlLiteral).schema(schema()).unwrap_fences(unwrap);
        check(spec, yaml, r#"{"a":"x","b":"y"}"#, &["unfenced a"], &["a"]);
    }
}

#[test]
fn fields_without_their_envelope_are_found_at_the_end() {
    let schema = || object().field("a", str("")).field("n", int(""));
    check(
        of(Format::XmlField).schema(schema()),
        "Here: <field name=\"a\">x</field>\n<field name=\"n\" type=\"json\">3</field>\n",
        r#"{"a":"x","n":3}"#,
        &["missing_root"],
        &[""],
    );
    check(
        of(Format::YamlLiteral).schema(schema()),
        "Sure: here it is\n\na: |\n  x\n  y\nn: 3\n",
        r#"{"a":"x\ny\n","n":3}"#,
        &["missing_root"],
        &[""],
    );
    // Without a schema prose with a colon is prose.
    check(of(Format::YamlLiteral), "Sure: here\n", "null", &[], &[]);
    check(
        of(Format::XmlField).schema(schema()),
        "<field name=\"z\">x</field>",
        "null",
        &["missing_field a", "missing_field n"],
        &[],
    );
}

#[test]
fn json_with_keys_of_the_schema_stands_in_for_a_payload_that_is_not_there() {
    let schema = || object().field("a", str("")).field("n", int(""));
    for format in [Format::XmlField, Format::Hybrid, Format::Markdown, Format::YamlLiteral] {
        check(
            of(format).schema(schema()),
            "As JSON:\n```json\n{\"a\": \"x\", \"n\": 3}\n```\n",
            r#"{"a":"x","n":3}"#,
            &["format_fallback"],
            &[""],
        );
        // An object with foreign keys is not used, and a fitting one after it is.
        check(
            of(format).schema(schema()),
            "{\"z\": 1}",
            "null",
            &["missing_field a", "missing_field n"],
            &[],
        );
        check(
            of(format).schema(schema()),
            "{\"z\": 1} and {\"a\": \"y\"}",
            r#"{"a":"y"}"#,
            &["format_fallback", "missing_field n"],
            &[""],
        );
        // Candidates before it are read up to twice the length of the text.
        check(
            of(format).schema(schema()),
            "{\"x\": 1} {\"y\": 2} {\"a\": \"x\", \"n\": 3}",
            r#"{"a":"x","n":3}"#,
            &["format_fallback"],
            &[""],
        );
        check(of(format), "{\"a\": 1}", "null", &[], &[]);
    }
    // The result of the format counts, even if there is JSON, too.
    check(
        of(Format::Hybrid).schema(schema()),
        "{\"a\": \"no\", \"n\": 1}\n### a\nyes\n",
        r#"{"a":"yes"}"#,
        &["missing_field n"],
        &[],
    );
}

#[test]
fn strict_reading_takes_back_a_field_whose_json_has_slips() {
    let schema = || object().field("a", str("")).field("j", map(any("")));
    let strict = |format| of(format).schema(schema()).strictness(Strictness::Strict);
    check(
        strict(Format::Hybrid),
        "### a\nhi\n### j\n```json\n{\"k\": \n```\n",
        r#"{"a":"hi"}"#,
        &["missing_close j.k", "bad_json j"],
        &["j"],
    );
    check(
        strict(Format::Hybrid),
        "### a\nhi\n### j\n```json\n{\"k\": 1}\n```\n",
        r#"{"a":"hi","j":{"k":1}}"#,
        &[],
        &[],
    );
    check(
        strict(Format::XmlField),
        "<agently_output><field name=\"j\" type=\"json\">{k: 1}</field>\
         <field name=\"a\">hi</field></agently_output>",
        r#"{"a":"hi"}"#,
        &["unquoted_key j", "bad_json j"],
        &["j"],
    );
}

#[test]
fn auto_looks_at_the_shape_of_the_schema_alone() {
    let schema = |fields: Vec<(&str, patchwire::schema::Node)>| -> Schema {
        fields.into_iter().fold(object(), |object, (name, node)| object.field(name, node)).into()
    };
    let nullable = || union([str(""), patchwire::schema::null()]);
    for (fields, format) in [
        (vec![("a", str("")), ("b", nullable())], Format::XmlField),
        (vec![("a", str("")), ("b", int(""))], Format::Hybrid),
        (vec![("a", str("")), ("b", one_of(["x", "y"]))], Format::Hybrid),
        (vec![("a", str("")), ("b", any(""))], Format::Hybrid),
        (vec![("a", list(str("")))], Format::Json),
        (vec![("a", literal("x"))], Format::Json),
        (vec![("a", object().field("b", str("")).into())], Format::Json),
        (vec![], Format::Json),
    ] {
        let spec = of(Format::Auto).schema(schema(fields)).build().unwrap();
        assert_eq!(spec.format(), format, "{:?}", spec.schema());
    }
    assert_eq!(of(Format::Auto).build().unwrap().format(), Format::Json);
    let listed: Schema = list(str("")).into();
    assert_eq!(of(Format::Auto).schema(listed).build().unwrap().format(), Format::Json);
}

#[test]
fn an_answer_element_holds_the_format_of_the_spec() {
    let schema = || object().field("a", str("")).field("n", int(""));
    let tags = || {
        TagSet::from_toml(
            "[[family]]\nname = \"output\"\nopen = [\"<output>\"]\nclose = [\"</output>\"]\n\
         channel = \"answer\"\nbody = \"fields\"\n",
        )
    };
    let Ok(tags) = tags() else { panic!("{:?}", tags().err()) };
    for (format, payload) in [
        (
            Format::XmlField,
            "<agently_output><field name=\"a\">x</field>\
                            <field name=\"n\" type=\"json\">3</field></agently_output>",
        ),
        (Format::Hybrid, "### a\nx\n### n\n3\n"),
        (Format::Markdown, "### a\nx\n### n\n3\n"),
        (Format::YamlLiteral, "<<<BEGIN AGENTLY_YAML>>>\na: x\nn: 3\n<<<END AGENTLY_YAML>>>\n"),
    ] {
        let text = format!("So. <output>\n{payload}</output> Done.");
        let (answer, _) = read(of(format).schema(schema()).tags(tags.clone()), &text);
        assert_eq!(answer.value().to_string(), r#"{"a":"x","n":3}"#, "{format:?}");
        assert!(matches!(answer.outcome(), Outcome::Complete | Outcome::Repaired), "{format:?}");
    }
}

/// An element that is text may end inside a payload. What begins in the next one is a second payload.
#[test]
fn a_payload_ends_with_the_text_around_it() {
    let toml = "[[family]]\nname = \"o\"\nopen = \"<o>\"\nclose = \"</o>\"\nchannel = \"text\"\n";
    let schema = object().field("title", str("")).field("n", int(""));
    let spec = of(Format::XmlField).schema(schema).tags(TagSet::from_toml(toml).unwrap());
    let text = "<o><answer_fields><field name=\"title\" type=\"text\">A</o>\
                <o><answer_fields><field name=\"n\" type=\"json\">3</field></answer_fields></o>";
    check(spec, text, r#"{"title":"A"}"#, &["second_root", "missing_field n"], &[]);
}

/// What the key of a cut object means is decided with the end of its element. The text behind it is none of the object.
#[test]
fn text_behind_an_object_that_is_decided_at_the_end() {
    let spec = of(Format::Json).tags(TagSet::scratchpad()).build().unwrap();
    let answer = spec.parse(r#"<output>{"a"} so"#).unwrap();
    assert_eq!((answer.value().to_string().as_str(), answer.text()), (r#"["a"]"#, " so"));
}

/// Read strictly, JSON with a slip is no value of a field. Its text, which looks like a number, is none either.
#[test]
fn a_field_that_was_removed_is_not_given_a_value() {
    let spec = of(Format::Hybrid).schema(object().field("x", int("")).field("y", str("")));
    let text = "### x\n\"5\t\"\n### y\nt\n";
    let notices = ["type_mismatch x", "raw_control x", "text_as_value x"];
    check(spec.clone(), text, r#"{"x":5,"y":"t"}"#, &notices, &["x"]);
    let notices = ["type_mismatch x", "raw_control x", "bad_json x"];
    check(spec.strictness(Strictness::Strict), text, r#"{"y":"t"}"#, &notices, &["x"]);
}

/// A value that is whole is taken as it is, even if its lines are set in as another one would be.
#[test]
fn the_indent_of_a_whole_value_means_nothing() {
    let schema = object().field("f", map(any("")));
    let spec = Spec::builder().format(Format::Markdown).schema(schema).build().unwrap();
    let json = "{\n  \"a\": {\n    \"x\": 1,\n  \"b\": 2,\n  \"c\": 3,\n  \"d\": 4,\n}\n}";
    let answer = spec.parse(format!("### f\n{json}\n")).unwrap();
    assert_eq!(answer.value().to_string(), r#"{"f":{"a":{"x":1,"b":2,"c":3,"d":4}}}"#);
}

/// Two readings of the sections have the same fields. The first, whose headers are all of one style, says why.
#[test]
fn a_later_draft_is_named_as_such() {
    let schema =
        object().field("q", str("")).field("w", str("")).field("x", int("")).field("n", str(""));
    let spec = Spec::builder().format(Format::Markdown).schema(schema).build().unwrap();
    let text = "### q\nq text\n### w\nw text\n### x\n1,000\n**n**: v\n### x\n1,000\n### w\nagain\n### n\nv";
    let answer = spec.parse(text).unwrap();
    let read = r#"{"q":"q text","w":"w text","x":1000,"n":"v"}"#;
    assert_eq!(answer.value().to_string(), read);
    let codes: Vec<_> = answer.notices().iter().map(|notice| notice.code.name()).collect();
    assert_eq!(codes, ["duplicate_field", "duplicate_field", "later_draft"]);
}

/// A whole answer without slips is not read again, however its texts look.
#[test]
fn a_text_that_looks_like_a_field_stays_in_a_whole_answer() {
    let fields = || object().field("a", str("")).field("n", int(""));
    for (format, text, value) in [
        (Format::Hybrid, "### a\nx\n### 1. n\ny\n### n\n1\n", r#"{"a":"x\n### 1. n\ny","n":1}"#),
        (Format::Markdown, "### a\nx\n### 1. n\ny\n### n\n1\n", r#"{"a":"x\n### 1. n\ny","n":1}"#),
        (
            Format::XmlField,
            "<agently_output><field name=\"n\">1</field><field name=\"a\">x\n<field name=\"n\">\ny</field></agently_output>",
            r#"{"a":"x\n<field name=\"n\">\ny","n":1}"#,
        ),
    ] {
        let (answer, _) = read(of(format).schema(fields()), text);
        assert_eq!(
            (answer.value().to_string().as_str(), answer.notices().len()),
            (value, 0),
            "{text}"
        );
    }
}
