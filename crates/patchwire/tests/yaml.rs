//! YAML documents as fields: what they are read as, whole and byte by byte.

use patchwire::schema::{any, int, list, map, number, str};
use patchwire::{Answer, Code, Event, Format, Limit, Limits, PatchOp, Schema, Spec, TagSet};

fn spec(schema: Option<Schema>) -> Spec {
    let builder = Spec::builder().format(Format::YamlLiteral);
    let builder = match schema {
        Some(schema) => builder.schema(schema),
        None => builder,
    };
    builder.build().unwrap()
}

/// Reads a document between markers, whole and byte by byte.
fn read(spec: &Spec, document: &str) -> Answer {
    let text = format!("<<<BEGIN AGENTLY_YAML>>>\n{document}<<<END AGENTLY_YAML>>>\n");
    let whole = spec.parse(&text).unwrap();
    let mut parser = spec.parser();
    for byte in text.as_bytes() {
        parser.feed([*byte], |_| {}).unwrap();
    }
    let bytes = parser.finish(|_| {}).unwrap();
    assert_eq!(whole.value().to_string(), bytes.value().to_string(), "{document:?}");
    let codes = |answer: &Answer| -> Vec<_> {
        answer.notices().iter().map(|notice| (notice.code, notice.span)).collect()
    };
    assert_eq!(codes(&whole), codes(&bytes), "{document:?}");
    whole
}

/// The value of a document without a schema, and its notices.
fn free(document: &str) -> (String, Vec<&'static str>) {
    let answer = read(&spec(None), document);
    let codes = answer.notices().iter().map(|notice| notice.code.name()).collect();
    (answer.value().to_string(), codes)
}

#[test]
fn documents_without_a_schema() {
    for (document, value, codes) in [
        ("a: x\n", r#"{"a":"x"}"#, &[][..]),
        ("a: 1\nb: true\nc:\nd: ~\n", r#"{"a":1,"b":true,"c":null,"d":null}"#, &[]),
        ("a:\n  b: 1\n  c:\n    d: x\ne: y\n", r#"{"a":{"b":1,"c":{"d":"x"}},"e":"y"}"#, &[]),
        ("a:\n- x\n- 2\nb: y\n", r#"{"a":["x",2],"b":"y"}"#, &[]),
        (
            "a:\n  - k: v\n    l: w\n  - k: |\n      t\n",
            r#"{"a":[{"k":"v","l":"w"},{"k":"t\n"}]}"#,
            &[],
        ),
        ("a:\n  - - 1\n    - 2\n  -\n    - 3\n  -\n", r#"{"a":[[1,2],[3],null]}"#, &[]),
        (
            "a:\n  some words\n  over lines\nb: 12 apples\n",
            r#"{"a":"some words over lines","b":"12 apples"}"#,
            &[],
        ),
        ("a: \"x: y\" # c\n\"b c\": 'it''s'\n", r#"{"a":"x: y","b c":"it's"}"#, &[]),
        (
            "a: \"\\d\\q \\x4 \\z\"\nb: \"\\d\"\n",
            r#"{"a":"\\d\\q \\x4 \\z","b":"\\d"}"#,
            &["yaml_bad_escape", "yaml_bad_escape"],
        ),
        ("a: >-\n  x\n  y\n\n\n  z\n", r#"{"a":"x y\n\nz"}"#, &[]),
        ("a: |+\n\n  x\n\n\nb: |-\n  y\n", r#"{"a":"\nx\n\n\n","b":"y"}"#, &[]),
        (
            "a: [1, {b: c}]\nd: {e: [], f: 'g'}\n",
            r#"{"a":[1,{"b":"c"}],"d":{"e":[],"f":"g"}}"#,
            &["deferred", "deferred"],
        ),
        (
            "a: &x\n  k: 1\nb: *x\nc: *y\n",
            r#"{"a":{"k":1},"b":{"k":1},"c":"*y"}"#,
            &["deferred", "deferred", "yaml_unknown_alias"],
        ),
        (
            "a: &x {k: 1}\n<<: *x\nk2: 2\n",
            r#"{"a":{"k":1},"k2":2,"k":1}"#,
            &["deferred", "deferred"],
        ),
        (
            "a: !!int '3'\nb: !!str 3\nc: !t\n  k: v\nd: 4\n",
            r#"{"a":3,"b":"3","c":{"k":"v"},"d":4}"#,
            &["deferred", "deferred", "deferred"],
        ),
        (
            "a:\n  - !!int '3'\n  - &z x\n  - *z\n",
            r#"{"a":[3,"x","x"]}"#,
            &["deferred", "deferred", "deferred"],
        ),
        ("? a\n: 1\nb: 2\n", r#"{"a":1,"b":2}"#, &["deferred"]),
        ("b: 2\n? a\n: 1\nc: 3\n", r#"{"b":2,"a":1,"c":3}"#, &["deferred"]),
        ("{a: 1, b: x}\n", r#"{"a":1,"b":"x"}"#, &["deferred"]),
        ("- a\n- b\n", r#"["a","b"]"#, &["deferred"]),
        ("a: 1\na: 2\n", r#"{"a":1}"#, &["duplicate_field"]),
        ("a: x\n--- \nb: y\n", r#"{"a":"x"}"#, &["yaml_multi_document"]),
        ("a:\n\tb: x\n", r#"{"a":{"b":"x"}}"#, &["yaml_tab"]),
        ("a: x\nb: \"one\n\ttwo\"\n", r#"{"a":"x","b":"one two"}"#, &["yaml_tab"]),
        ("a: x\n\t", r#"{"a":"x"}"#, &["yaml_tab"]),
        // Only `<<` without quotes is a merge key, and other quotes in a key belong to it.
        ("\"<<\": one\n'a\"b': 2\n", r#"{"<<":"one","a\"b":2}"#, &[]),
        ("a: x\n  # c\nb: - y\n", r#"{"a":"x","b":"- y"}"#, &["yaml_reserved"]),
        ("a: [1, 2\nb: 3\n", r#"{"a":"[1, 2\nb: 3"}"#, &["bad_yaml", "deferred"]),
    ] {
        let (found, notices) = free(document);
        assert_eq!((&*found, &*notices), (value, codes), "{document:?}");
    }
}

#[test]
fn anchors_tags_and_merge_keys_are_read_whole() {
    for (document, value, codes) in [
        (
            "a: &x [1, &y {k: v}]\nb: *y\n? *nobody\n: 1\n",
            r#"{"a":[1,{"k":"v"}],"b":{"k":"v"},"*nobody":1}"#,
            &["deferred", "deferred", "yaml_unknown_alias", "deferred"][..],
        ),
        // The second `&x` takes the name over, and what came before keeps its value.
        (
            "a: &x 1\nb: &l [*x]\nc: &x 2\nd: [*x, *l]\n",
            r#"{"a":1,"b":[1],"c":2,"d":[2,[1]]}"#,
            &["deferred"; 7],
        ),
        ("a: &x\n  - *x\n", r#"{"a":["*x"]}"#, &["deferred", "yaml_unknown_alias"]),
        ("<<: [{a: 1, b: 2}, {b: 3}]\na: 4\n", r#"{"a":4,"b":2}"#, &["deferred"]),
        ("a:\n  <<: {k: 1}\n", r#"{"a":{"<<":{"k":1}}}"#, &["deferred"]),
        (
            "a: &x \"one\ntwo\"\nb: 1\n",
            r#"{"a":"one two","b":1}"#,
            &["bad_yaml", "yaml_underindented_quote"],
        ),
        // The library refuses these: they are read as if no anchor or tag had come.
        ("a: &x one: two\n", r#"{"a":"one: two"}"#, &["bad_yaml", "yaml_colon_in_plain"]),
        ("a: &x &y v\n", r#"{"a":"v"}"#, &["bad_yaml"]),
        ("a: !t\n  k: `v`\n  l: 1\n", r#"{"a":{"k":"`v`","l":1}}"#, &["bad_yaml", "yaml_reserved"]),
        // A marker in it begins no document, as in other text of a document that has begun.
        (
            "a: &x &y\n  <<<BEGIN AGENTLY_YAML>>>\n  b\n",
            r#"{"a":"<<<BEGIN AGENTLY_YAML>>> b"}"#,
            &["bad_yaml"],
        ),
    ] {
        let (found, notices) = free(document);
        assert_eq!((&*found, &*notices), (value, codes), "{document:?}");
    }
}

/// The words behind the bracket are part of the value, and the value is the text of the whole line.
#[test]
fn a_comment_behind_words_ends_no_value_in_brackets() {
    let answer = read(&spec(None), "a: [1] x # note\nb: 2\n");
    assert_eq!(answer.value().to_string(), r#"{"a":"[1] x # note","b":2}"#);
    let bad = answer.notices().iter().find(|it| it.code == Code::BadYaml).unwrap();
    assert_eq!((bad.span.start, bad.span.end), (28, 40));
}

#[test]
fn a_word_that_the_end_cuts_is_no_value_of_another_type() {
    let schema = Schema::object().field("a", str("")).field("n", int(""));
    let answer = spec(Some(schema.into())).parse("<<<BEGIN AGENTLY_YAML>>>\na: x\nn: tr").unwrap();
    assert_eq!(answer.value().to_string(), r#"{"a":"x"}"#);
    let cut = answer.notices().iter().find(|it| it.code == Code::TruncatedScalar).unwrap();
    assert_eq!((&*cut.path, cut.span.start, cut.span.end), ("n", 33, 35));
}

#[test]
fn more_empty_lines_than_may_be_held_are_noted() {
    let limits = Limits::default().with(Limit::Held, 3);
    let spec = Spec::builder().format(Format::YamlLiteral).limits(limits).build().unwrap();
    for (document, value) in [
        ("a: one\n\n\n\n\n\n  two\n", r#"{"a":"one\n\n\n\n\ntwo"}"#),
        ("a: >-\n  one\n\n\n\n\n\n  two\n", r#"{"a":"one\n\n\n\n\ntwo"}"#),
        ("a: \"one\n\n\n\n\n\n  two\"\n", r#"{"a":"one\n\n\n\n\ntwo"}"#),
    ] {
        let answer = read(&spec, document);
        assert_eq!(answer.value().to_string(), value, "{document:?}");
        assert!(answer.notices().iter().any(|it| it.code == Code::HoldCap), "{document:?}");
    }
}

#[test]
fn paths_go_down_into_lists() {
    let text = "<<<BEGIN AGENTLY_YAML>>>\nsteps:\n  - n: 1\n  - body: |\n      one\n      two\n";
    let mut parser = spec(None).parser();
    let mut emitted = Vec::new();
    for byte in text.as_bytes() {
        let event = |event: Event<'_>| {
            if let Event::Patch(patch) = event
                && patch.op == PatchOp::Delta
            {
                emitted.push(format!("{}+={:?}", patch.path, patch.delta.as_str()));
            }
        };
        parser.feed([*byte], event).unwrap();
    }
    let path = "steps[1].body";
    let expected =
        ["o", "n", "e", "\n", "t", "w", "o", "\n"].map(|text| format!("{path}+={text:?}"));
    assert_eq!(emitted, expected);
}

#[test]
fn a_schema_says_what_plain_scalars_are() {
    let item = Schema::object().field("body", str("")).field("n", int(""));
    let schema = Schema::object()
        .field("title", str(""))
        .field("steps", list(item))
        .field("words", list(str("")))
        .field("score", number(""))
        .field("extra", map(any("")));
    let spec = spec(Some(schema.into()));
    let answer = read(
        &spec,
        "title: 0123\nother:\n  x: 1\nsteps:\n  - body: yes\n    n: 0x1F\nwords: [1, true]\nscore: .5\nextra: {a: .inf}\n",
    );
    assert_eq!(
        answer.value().to_string(),
        r#"{"title":"0123","steps":[{"body":"yes","n":31}],"words":["1","true"],"score":0.5,"extra":{"a":null}}"#
    );
}

/// The element is one around text, so what it holds is read by the format. Its closer ends the document.
#[test]
fn text_behind_an_element_around_a_document_is_outside() {
    let json = r#"{"family": [{"name": "t", "open": "<t>", "close": "</t>", "channel": "text"}]}"#;
    let tags = TagSet::from_json(json).unwrap();
    let spec = Spec::builder().format(Format::YamlLiteral).tags(tags).build().unwrap();
    let answer = spec.parse("<t><<<BEGIN AGENTLY_YAML>>>\na: 1</t> more\nb: 2\n").unwrap();
    assert_eq!(answer.value().to_string(), r#"{"a":1}"#);
    assert_eq!(answer.text(), " more\nb: 2\n");
}

/// An alias as a key is the scalar of its anchor.
#[test]
fn aliases_of_scalars_are_keys() {
    assert_eq!(
        free("a: [&k name, {*k : 1}]\n"),
        (r#"{"a":["name",{"name":1}]}"#.into(), vec!["deferred"])
    );
}

/// Brackets over several lines count toward the depth limit like any others.
#[test]
fn brackets_are_as_deep_as_the_limit() {
    let value = |depth: u64, brackets: &str| {
        let limits = Limits::default().with(Limit::Depth, depth);
        let spec = Spec::builder().format(Format::YamlLiteral).limits(limits).build().unwrap();
        let text = format!("<<<BEGIN AGENTLY_YAML>>>\na: {brackets}\n<<<END AGENTLY_YAML>>>\n");
        spec.parse(text).map(|it| it.value().to_string()).map_err(|error| error.kind)
    };
    let nested = |levels: usize, space: &str| {
        format!("{}{space}1{space}{}", "[".repeat(levels), "]".repeat(levels))
    };
    let too_deep = Err(patchwire::ErrorKind::Limit(Limit::Depth));
    for space in ["", "\n   "] {
        for (depth, levels) in [(4, 3), (40, 39), (1_000, 700)] {
            let want = format!(r#"{{"a":{}}}"#, nested(levels, ""));
            assert_eq!(value(depth, &nested(levels, space)), Ok(want), "{depth}");
        }
        assert_eq!(value(4, &nested(4, space)), too_deep);
        assert_eq!(value(4, &nested(5, space)), too_deep);
    }
}

/// A value that is read whole has at most a thousand levels, whatever the limit of the depth is.
#[test]
fn brackets_and_aliases_beyond_a_thousand_levels_do_not_overflow_the_stack() {
    let read = |body: &str| {
        let limits = [Limit::Depth, Limit::Deferred, Limit::Aliases, Limit::Held, Limit::Nodes];
        let limits = limits.iter().fold(Limits::default(), |all, &one| all.with(one, 1 << 30));
        let spec = Spec::builder().format(Format::YamlLiteral).limits(limits).build().unwrap();
        let answer = spec
            .parse(format!("<<<BEGIN AGENTLY_YAML>>>\n{body}\n<<<END AGENTLY_YAML>>>\n"))
            .unwrap();
        let codes = answer.notices().iter().map(|it| it.code).collect::<Vec<_>>();
        (answer, codes)
    };
    let nested = |levels: usize| format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
    for levels in [1_002, 100_000] {
        let (answer, codes) = read(&format!("a: {}", nested(levels)));
        // The text stays.
        let text = answer.value().get("a").unwrap();
        assert_eq!(text.as_str(), Some(&*nested(levels)));
        assert_eq!(codes, [Code::BadYaml, Code::Deferred]);
    }
    let chain: String = (1..3_000).map(|at| format!("k{at}: &a{at} [*a{}]\n", at - 1)).collect();
    let (answer, _) = read(&format!("k0: &a0 [1]\n{chain}"));
    let value = |name: &str| answer.value().get(name).unwrap().to_string();
    assert_eq!(value("k900"), nested(901));
    assert_eq!(value("k2999"), nested(1_000).replace('1', "null"));
}

/// What is read whole may be as deep in lines as the limit allows.
#[test]
fn lines_behind_an_anchor_are_as_deep_as_the_limit() {
    let value = |depth: u64, levels: usize| {
        let limits = Limits::default().with(Limit::Depth, depth);
        let spec = Spec::builder().format(Format::YamlLiteral).limits(limits).build().unwrap();
        let lines: String = (1..levels).map(|at| format!("{}k:\n", " ".repeat(at))).collect();
        let last = format!("{}k: 1\n", " ".repeat(levels));
        let text =
            format!("<<<BEGIN AGENTLY_YAML>>>\na: &x\n{lines}{last}b: 2\n<<<END AGENTLY_YAML>>>\n");
        let answer = spec.parse(text).map_err(|error| error.kind)?;
        let codes: Vec<_> = answer.notices().iter().map(|it| it.code).collect();
        assert_eq!(codes, [Code::Deferred], "{levels}");
        Ok(answer.value().to_string())
    };
    for (depth, levels) in [(5, 3), (40, 39), (1_000, 300)] {
        let nested = format!("{}1{}", "{\"k\":".repeat(levels), "}".repeat(levels));
        assert_eq!(value(depth, levels), Ok(format!(r#"{{"a":{nested},"b":2}}"#)), "{levels}");
    }
    assert_eq!(value(5, 6), Err(patchwire::ErrorKind::Limit(Limit::Depth)));
}

/// A line that begins like the end of the document, behind a value that is read whole.
#[test]
fn a_line_that_only_begins_like_a_marker_is_a_member() {
    for name in ["<k", "<<<k", "...k", "---k", "b"] {
        let (value, codes) = free(&format!("a: &x\n  c: 1\n{name}: 2\n"));
        assert_eq!(value, format!(r#"{{"a":{{"c":1}},"{name}":2}}"#));
        assert_eq!(codes, ["deferred"], "{name}");
    }
}

/// No longer line is held as one that may begin a document.
#[test]
fn the_opening_line_is_as_long_as_a_line_that_is_held() {
    let (spec, marker) = (spec(None), "<<<BEGIN AGENTLY_YAML>>>");
    let most = 1_023 - marker.len();
    for (blanks, begins) in [(0, true), (most, true), (most + 1, false), (2 * most, false)] {
        let text = format!("{}{marker}\na: 1\n<<<END AGENTLY_YAML>>>\n", " ".repeat(blanks));
        let mut parser = spec.parser();
        parser.feed(&text, |_| {}).unwrap();
        assert_eq!(parser.value().to_string() == r#"{"a":1}"#, begins, "{blanks}");
    }
}

/// Section 5.7 of YAML 1.2.2, but for the escapes of numbers.
#[test]
fn escapes_in_double_quotes() {
    let (value, notices) = free(
        r#"a: "\0\a\b\t\n\v\f\r\e\ \"\/\\\N\_\L\P"
"#,
    );
    let read = "\0\x07\x08\t\n\x0B\x0C\r\x1B \"/\\\u{85}\u{A0}\u{2028}\u{2029}";
    assert_eq!(value, serde_json::json!({ "a": read }).to_string());
    assert!(notices.is_empty(), "{notices:?}");
}

/// YAML has read the escapes of a text already, or keeps them.
#[test]
fn a_text_that_looks_like_a_string_of_json_stays_as_it_is() {
    let schema = || Some(Schema::object().field("a", str("")).into());
    for (document, want) in [
        ("a: |-\n  \"x\\ny\"\n", "\"x\\ny\""),
        ("a: '\"x\\ny\"'\n", "\"x\\ny\""),
        ("a: \"x\\ny\"\n", "x\ny"),
    ] {
        let answer = read(&spec(schema()), document);
        assert_eq!(answer.value().at("a").and_then(|it| it.as_str()), Some(want), "{document:?}");
    }
}
