//! Every notice has an answer that causes it, with its place and the value that is read.

use std::collections::BTreeSet;

use patchwire::notice::{Code, OwnedNotice};
use patchwire::schema::{int, list, object, one_of, one_of_or, str};
use patchwire::spec::Unwrap;
use patchwire::{Answer, Event, Format, Limit, Limits, PatchOp, Spec, SpecBuilder, TagSet};

/// A text, its notices with path and span, and its value as JSON.
type Row = (&'static str, &'static [&'static str], &'static str);

const SET: &str = r#"
comments = true
[[family]]
name = "j"
open = "<j>"
close = "</j>"
channel = "content"
body = "json"
[[family]]
name = "x"
open = "<x>"
close = "</x>"
channel = "content"
group = "g"
[[family]]
name = "y"
open = "<y>"
close = "</y>"
channel = "content"
group = "g"
[[family]]
name = "p"
open = "<p:{id}>"
close = "</p:{id}>"
channel = "content"
mismatch = "close"
"#;

const JSON: &[Row] = &[
    ("\u{feff}{\"a\":1}", &["bom 0..3"], r#"{"a":1}"#),
    (r#"{"a": 1 /* one */}"#, &["comment a 8..17"], r#"{"a":1}"#),
    (r#"{"a": [1 <!---> x -->, 2]}"#, &["comment a[0] 9..21"], r#"{"a":[1,2]}"#),
    ("{\"a\":\u{a0}1}", &["unicode_space a 5..7"], r#"{"a":1}"#),
    (r#"{"a": 'x'}"#, &["single_quotes a 6..7"], r#"{"a":"x"}"#),
    (r#"{"a": “x”}"#, &["smart_quotes a 6..9"], r#"{"a":"x"}"#),
    (r#"{"a": `x`}"#, &["backtick_quotes a 6..7"], r#"{"a":"x"}"#),
    (r#"{"a": """x"""}"#, &["triple_quotes a 6..9"], r#"{"a":"x"}"#),
    ("{a: 1}", &["unquoted_key 1..2"], r#"{"a":1}"#),
    (r#"{"a": some words}"#, &["unquoted_value a 6..6"], r#"{"a":"some words"}"#),
    (r#"{"a": 1,}"#, &["trailing_comma a 8..8"], r#"{"a":1}"#),
    (r#"{"a": [1,, 2]}"#, &["extra_comma a[0] 9..10"], r#"{"a":[1,2]}"#),
    (r#"{"a": [1, ...]}"#, &["ellipsis a[0] 10..13"], r#"{"a":[1]}"#),
    (r#"{"a": 1 "b": 2}"#, &["missing_comma a 8..8"], r#"{"a":1,"b":2}"#),
    (r#"{"a" 1}"#, &["missing_colon a 5..5"], r#"{"a":1}"#),
    (r#"{"a": , "b": 2}"#, &["missing_value a 6..6"], r#"{"b":2}"#),
    (r#"{"a": True}"#, &["foreign_literal a 6..10"], r#"{"a":true}"#),
    (r#"{"a": NaN}"#, &["non_finite a 6..9"], r#"{"a":null}"#),
    (r#"{"a": 0x1F}"#, &["hex_number a 6..10"], r#"{"a":31}"#),
    (r#"{"a": +1}"#, &["plus_sign a 6..8"], r#"{"a":1}"#),
    (r#"{"a": 007}"#, &["leading_zero a 6..9"], r#"{"a":7}"#),
    // Junk ends before a blank that is no whitespace of JSON.
    (
        "{\"b\": 1, =\u{FEFF}\"a\": 1}",
        &["unexpected_bytes b 9..10", "unicode_space b 10..13"],
        r#"{"b":1,"a":1}"#,
    ),
    (r#"{"a": 5.}"#, &["bare_dot a 6..8"], r#"{"a":5}"#),
    (
        "{\"a\": \"x\ty\tz\", \"b\": \"\t\"}",
        &["raw_control a 8..9", "raw_control b 21..22"],
        r#"{"a":"x\ty\tz","b":"\t"}"#,
    ),
    (r#"{"a": "\d"}"#, &["invalid_escape a 8..8"], r#"{"a":"\\d"}"#),
    (r#"{"a": "\ud83d!"}"#, &["lone_surrogate a 13..13"], r#"{"a":"�!"}"#),
    (
        r#"{"a": "he said "hi" to me", "b": 1}"#,
        &["inner_quote a 15..16", "inner_quote a 18..19"],
        r#"{"a":"he said \"hi\" to me","b":1}"#,
    ),
    (r#"{"a": "x" + "y"}"#, &["string_concat a 8..13"], r#"{"a":"xy"}"#),
    (r#"{"a": (1, 2)}"#, &["tuple a 6..7"], r#"{"a":[1,2]}"#),
    (r#"{"a": [1, 2, "b": 3}"#, &["missing_close a[2] 16..16"], r#"{"a":[1,2],"b":3}"#),
    (
        r#"{"a": [1, 2}, "b": 3}"#,
        &["missing_close a[1] 11..11", "read_again 0..21", "mismatched_close a 11..11"],
        r#"{"a":[1,2],"b":3}"#,
    ),
    (r#"{"a": [1]]}"#, &["mismatched_close a 9..10", "surplus_close 10..11"], r#"{"a":[1]}"#),
    (r#"{"a": "x" y, "b": 1}"#, &["trailing_after_value a 10..11"], r#"{"a":"x","b":1}"#),
    (r#"{"a": 1, ;"b": 2}"#, &["unexpected_bytes a 9..10"], r#"{"a":1,"b":2}"#),
    (r#"{"a": 1, "a": 2}"#, &["duplicate_key a 7..12"], r#"{"a":2}"#),
    (r#"{"a": "x"#, &["truncated a 8..8"], r#"{"a":"x"}"#),
    (r#"{"a": 1}, "b": 2}"#, &["read_again 0..17", "continued_root 7..7"], r#"{"a":1,"b":2}"#),
    (
        "```json\n{\"a\": \"x\n```\nThat is it.",
        &["raw_control a 16..17", "truncated a 32..32", "fence_in_string 32..32"],
        r#"{"a":"x"}"#,
    ),
    (r#"{"a": tru"#, &["truncated_scalar a 6..9", "truncated a 9..9"], "{}"),
    (
        r#"{"a": "x, "b": "y"}"#,
        &[
            "missing_comma a 11..11",
            "unquoted_key 11..12",
            "unexpected_bytes 12..13",
            "read_again 0..19",
            "missing_quote 8..8",
        ],
        r#"{"a":"x","b":"y"}"#,
    ),
    (
        r#"{"a': 1, "b": 2}"#,
        &["inner_quote 9..10", "read_again 0..16", "mixed_quotes 3..3"],
        r#"{"a":1,"b":2}"#,
    ),
    (
        r#"{"a": 1,234, "b": 2}"#,
        &[
            "unquoted_key 8..11",
            "missing_value [\"234\"] 11..11",
            "read_again 0..20",
            "thousands 7..7",
            "foreign_number 11..11",
        ],
        r#"{"a":1234,"b":2}"#,
    ),
    ("42", &["scalar_root 0..2"], "42"),
    ("```json\n{\"a\":1}\n```\n}", &["surplus_close 20..21"], r#"{"a":1}"#),
    (r#"{"a": 1}, {"a": 2}"#, &["better_candidate 0..18"], r#"[{"a":1},{"a":2}]"#),
    (r#""a": 1, "b": 2"#, &["read_again 0..14", "mismatched_close 0..0"], r#"{"a":1,"b":2}"#),
];

const LIST: &[Row] =
    &[("{\"a\": 1}\n{\"a\": 2}\n", &["better_candidate 0..17"], r#"[{"a":1},{"a":2}]"#)];

const REPAIR_LIMIT: &[Row] = &[(
    r#"{"a": "he said "hi" to me", "b": 1}"#,
    &["inner_quote a 15..16", "inner_quote a 18..19", "repair_limit 0..35"],
    r#"{"a":"he said \"hi\" to me","b":1}"#,
)];

const COLOUR: &[Row] = &[
    (r#"{"a": "re"#, &["truncated a 9..9", "truncated_scalar a 7..9"], "{}"),
    (r#"{"a": "green"}"#, &["enum_mismatch a 7..7"], r#"{"a":"green"}"#),
    (r#"{"a": "Red"}"#, &["enum_spelling a 7..11"], r#"{"a":"red"}"#),
];

const NUMBER: &[Row] = &[
    (r#"{"a": "12"}"#, &["text_as_value a 11..11"], r#"{"a":12}"#),
    (r#"{"z": 1} and {"a": 2}"#, &["better_candidate 13..21"], r#"{"a":2}"#),
    (r#"{"answer": {"a": 1}}"#, &["unwrapped 20..20"], r#"{"a":1}"#),
];

const WORDS: &[Row] = &[
    (r#"{"a": 12}"#, &["value_as_text a 9..9"], r#"{"a":"12"}"#),
    (r#"{"l": "x"}"#, &["lone_item l 10..10"], r#"{"l":["x"]}"#),
];

const XML_FIELD: &[Row] = &[
    (
        r#"<answer_fields><field name="a" type="text">x</field></answer_fields>"#,
        &["missing_field b 68..68"],
        r#"{"a":"x"}"#,
    ),
    (
        r#"<answer_fields>hello<field name="a" type="text">x</field><field name="b" type="text">y</field></answer_fields>"#,
        &[r#"stray_text [""] 16..16"#],
        r#"{"a":"x","b":"y"}"#,
    ),
    (
        r#"<answer_fields><field name="a" type="text">x</field><field name="z" type="text">z</field><field name="b" type="text">y</field></answer_fields>"#,
        &["unknown_field z 80..80"],
        r#"{"a":"x","b":"y"}"#,
    ),
    (
        r#"<answer_fields><field name="a" type="text">x</field><field name="a" type="text">z</field><field name="b" type="text">y</field></answer_fields>"#,
        &["duplicate_field a 80..80", "later_draft 0..142"],
        r#"{"a":"z","b":"y"}"#,
    ),
    (
        r#"<field name="a" type="text">x</field><field name="b" type="text">y</field>"#,
        &["missing_root 0..74"],
        r#"{"a":"x","b":"y"}"#,
    ),
    (
        r#"<answer_fields><field name="a" type="text">x</field><field name="b" type="text">y</field></answer_fields> or <answer_fields><field name="a" type="text">z</field></answer_fields>"#,
        &["second_root 109..124"],
        r#"{"a":"x","b":"y"}"#,
    ),
    (
        r#"<answer_fields><field name="a" type="text"><![CDATA[x</field><field name="b" type="text">y</field></answer_fields>"#,
        &["unclosed_section a 53..53"],
        r#"{"a":"x","b":"y"}"#,
    ),
];

const MARKDOWN: &[Row] = &[
    (
        "### a\n```\nx\n\n### b\ny\n",
        &["unclosed_fence_swallowed_header a 21..21", "swallowed_fields a 21..21"],
        r#"{"a":"```\nx","b":"y"}"#,
    ),
    (r#"{"a": "x", "b": "y"}"#, &["format_fallback 0..20"], r#"{"a":"x","b":"y"}"#),
    ("**a**: x\n**b**: y\n", &["untidy_fields 0..18"], r#"{"a":"x","b":"y"}"#),
    (
        "### a\nx\n\n### b\ny\n\n### a\nz\n\n### b\nw\n",
        &["duplicate_field a 18..24", "duplicate_field b 27..33", "later_draft 0..35"],
        r#"{"a":"z","b":"w"}"#,
    ),
    ("### a\n### a\nx\n\n### b\ny\n", &["echoed_header a 6..12"], r#"{"a":"x","b":"y"}"#),
    ("## a\nx\n\n## b\ny\n", &["header_level 0..5"], r#"{"a":"x","b":"y"}"#),
    (
        "### a\n<!-- (text) one line -->\nx\n\n### b\ny\n",
        &["scaffold_comment a 6..31"],
        r#"{"a":"x","b":"y"}"#,
    ),
];

const HEADERS: &[Row] = &[("### A b\nx\n", &["header_spelling a_b 0..8"], r#"{"a_b":"x"}"#)];

const HYBRID: &[Row] = &[
    (
        "### a\nx\n\n### j\n{\"n\": 1}\nmore words\n",
        &["trailing_content j 25..25"],
        r#"{"a":"x","j":{"n":1}}"#,
    ),
    (
        "### j\n```json\n{\"n\": 1}\n\n### a\nx\n",
        &["missing_fence_close j 24..24"],
        r#"{"a":"x","j":{"n":1}}"#,
    ),
    (
        "### a\n```\nx\n\n### j\n{\"n\": 1}\n",
        &["unclosed_fence_swallowed_header a 28..28", "swallowed_fields a 28..28"],
        r#"{"a":"```\nx","j":{"n":1}}"#,
    ),
    ("### j\nno idea\n\n### a\nx\n", &["stray_text j 9..9", "bad_json j 15..15"], r#"{"a":"x"}"#),
];

const YAML: &[Row] = &[
    (
        "<<<BEGIN AGENTLY_YAML>>>\na:\n    b: 1\n  c: 2\nd: 3\n<<<END AGENTLY_YAML>>>\n",
        &["yaml_bad_indent a.b 39..39"],
        r#"{"a":{"b":1,"c":2},"d":3}"#,
    ),
    (
        "<<<BEGIN AGENTLY_YAML>>>\na: | words\nb: 1\n<<<END AGENTLY_YAML>>>\n",
        &["yaml_bad_block_header a 28..28"],
        r#"{"a":"| words","b":1}"#,
    ),
    (
        "<<<BEGIN AGENTLY_YAML>>>\na: |\n    one\n  two\nb: 1\n<<<END AGENTLY_YAML>>>\n",
        &["yaml_underindented a 40..40"],
        r#"{"a":"one\ntwo\n","b":1}"#,
    ),
    (
        "<<<BEGIN AGENTLY_YAML>>>\na: |\n     \n  one\nb: 1\n<<<END AGENTLY_YAML>>>\n",
        &["yaml_leading_spaces a 38..38"],
        r#"{"a":"\none\n","b":1}"#,
    ),
    (
        "<<<BEGIN AGENTLY_YAML>>>\na:\n\tb: 1\nc: 2\n<<<END AGENTLY_YAML>>>\n",
        &["yaml_tab a 29..29"],
        r#"{"a":{"b":1},"c":2}"#,
    ),
    (
        "<<<BEGIN AGENTLY_YAML>>>\na: one # two\n<<<END AGENTLY_YAML>>>\n",
        &["yaml_comment_truncated a 32..32"],
        r#"{"a":"one"}"#,
    ),
    (
        "<<<BEGIN AGENTLY_YAML>>>\na: one: two\n<<<END AGENTLY_YAML>>>\n",
        &["yaml_colon_in_plain a 32..32"],
        r#"{"a":"one: two"}"#,
    ),
    (
        "<<<BEGIN AGENTLY_YAML>>>\na: \"one\ntwo\"\nb: 1\n<<<END AGENTLY_YAML>>>\n",
        &["yaml_underindented_quote a 33..33"],
        r#"{"a":"one two","b":1}"#,
    ),
    (
        "<<<BEGIN AGENTLY_YAML>>>\na: \"one\" two\nb: 1\n<<<END AGENTLY_YAML>>>\n",
        &["yaml_trailing_after_quote a 34..34"],
        r#"{"a":"one","b":1}"#,
    ),
    (
        "<<<BEGIN AGENTLY_YAML>>>\na: \"\\d\"\n<<<END AGENTLY_YAML>>>\n",
        &["yaml_bad_escape a 30..30"],
        r#"{"a":"\\d"}"#,
    ),
    (
        "<<<BEGIN AGENTLY_YAML>>>\na: *x\n<<<END AGENTLY_YAML>>>\n",
        &["yaml_unknown_alias a 28..28"],
        r#"{"a":"*x"}"#,
    ),
    ("```yaml\na: 1\n---\na: 2\n```\n", &["yaml_multi_document 16..16"], r#"{"a":1}"#),
    (
        "<<<BEGIN AGENTLY_YAML>>>\na: @x\n<<<END AGENTLY_YAML>>>\n",
        &["yaml_reserved a 28..28"],
        r#"{"a":"@x"}"#,
    ),
    (
        "<<<BEGIN AGENTLY_YAML>>>\na: [1, 2\nb: 1\n<<<END AGENTLY_YAML>>>\n",
        &["bad_yaml a 28..38", "deferred a 38..38"],
        r#"{"a":"[1, 2\nb: 1"}"#,
    ),
    (
        "<<<BEGIN AGENTLY_YAML>>>\na: [1, 2]\n<<<END AGENTLY_YAML>>>\n",
        &["deferred a 34..34"],
        r#"{"a":[1,2]}"#,
    ),
];

const YAML_TEXT: &[Row] = &[
    (
        "<<<BEGIN AGENTLY_YAML>>>\na: [1, 2]\n<<<END AGENTLY_YAML>>>\n",
        &["type_mismatch a 28..34", "deferred a 34..34", "missing_field b 34..34"],
        r#"{"a":"[1, 2]"}"#,
    ),
    (
        "<<<BEGIN AGENTLY_YAML>>>\na: \"one\nb: 1\n<<<END AGENTLY_YAML>>>\n",
        &["yaml_unterminated_quote a 33..33"],
        r#"{"a":"one","b":1}"#,
    ),
];

const YAML_ALIASES: &[Row] = &[(
    "<<<BEGIN AGENTLY_YAML>>>\na: &x\n  - 1\n  - 2\nb: *x\n<<<END AGENTLY_YAML>>>\n",
    &["deferred a 42..42", "yaml_alias_budget b 48..48"],
    r#"{"a":[1,2],"b":null}"#,
)];

const YAML_DEFERRED: &[Row] = &[(
    "<<<BEGIN AGENTLY_YAML>>>\na: [1, 2, 3]\nb: x\n<<<END AGENTLY_YAML>>>\n",
    &["deferred_too_long a 28..37"],
    r#"{"b":"x"}"#,
)];

const HELD: &[Row] =
    &[(r#"{"a": x     y}"#, &["unquoted_value a 6..6", "hold_cap a 11..11"], r#"{"a":"x     y"}"#)];

const THINK: &[Row] = &[
    ("<think>a", &["unclosed_element 8..8"], "null"),
    ("a</think>b", &["stray_closer 1..9", "reclassified 0..1"], r#""b""#),
    ("About <think> and </think>", &[], r#""About <think> and </think>""#),
    // A character that is no text of the model decides at once.
    ("`x <think>\u{fffd}y</think>` z", &[], r#""`x ` z""#),
    ("See `x<think>j</think> now", &[], r#""See `x now""#),
    ("```\n<think>a</think>b", &["fence_hid_markers 4..4"], r#""```\n<think>a</think>b""#),
];

const MARKUP: &[Row] = &[
    ("a</x>b", &["stray_closer 1..5"], r#""ab""#),
    ("<x>a</y>b", &["mismatched_marker 4..8"], r#""b""#),
    ("<p:1>a</p:2>b", &["mismatched_marker 6..12"], r#""b""#),
    ("<!-- <x>a</x>b", &["comment_hid_markers 5..5", "unclosed_element 14..14"], "null"),
    (
        r#"<j>{"a": "b</j>c"#,
        &["string_hid_closer a 11..11", "unclosed_element a 16..16", "truncated a 16..16"],
        "null",
    ),
    ("<j>Failed: 1</j>", &["body_not_json 3..3"], "null"),
    ("<j>ti", &["body_not_json 3..3", "unclosed_element 5..5"], "null"),
];

const BODY_LIMIT: &[Row] = &[(
    r#"<j>{"a": "he said "hi" to me", "b": 1}</j>"#,
    &["inner_quote a 18..19", "inner_quote a 21..22", "repair_limit 3..38"],
    "null",
)];

const STARTED: &[Row] = &[("<x>a</x>b", &["repeated_opener 0..3"], r#""b""#)];

fn of(format: Format) -> SpecBuilder {
    Spec::builder().format(format)
}

fn told(notice: &OwnedNotice) -> String {
    let OwnedNotice { code, path, span, .. } = notice;
    let path = if path.is_empty() { String::new() } else { format!(" {path}") };
    format!("{code}{path} {}..{}", span.start, span.end)
}

/// Reads a text whole and byte by byte; both give the notices and the value that are expected.
fn check(
    spec: &Spec,
    text: &[u8],
    notices: &[&str],
    value: &str,
    seen: &mut BTreeSet<&'static str>,
) {
    let shown = String::from_utf8_lossy(text).into_owned();
    let mut check = |answer: Answer, how: &str| {
        let told: Vec<_> = answer.notices().iter().map(told).collect();
        assert_eq!(told, notices, "{shown:?} {how}");
        assert_eq!(answer.value().to_string(), value, "{shown:?} {how}");
        seen.extend(answer.notices().iter().map(|notice| notice.code.name()));
    };
    check(spec.parse(text).unwrap(), "whole");
    let mut parser = spec.parser();
    for byte in text {
        parser.feed([*byte], |_| {}).unwrap();
    }
    check(parser.finish(|_| {}).unwrap(), "byte by byte");
}

#[test]
fn every_code_has_a_row() {
    let mut seen = BTreeSet::new();
    let mut all = |builder: SpecBuilder, rows: &[Row]| {
        let spec = builder.build().unwrap();
        for (text, notices, value) in rows {
            check(&spec, text.as_bytes(), notices, value, &mut seen);
        }
    };
    all(Spec::builder(), JSON);
    all(Spec::builder().limits(Limits::default().with(Limit::Repair, 10)), REPAIR_LIMIT);
    all(Spec::builder().schema(object().field("a", one_of(["red", "blue"]))), COLOUR);
    all(Spec::builder().schema(object().field("a", int(""))), NUMBER);
    all(Spec::builder().schema(object().field("a", str("")).field("l", list(str("")))), WORDS);
    all(Spec::builder().schema(list(object().field("a", int("")))), LIST);
    all(of(Format::XmlField).schema(object().field("a", str("")).field("b", str(""))), XML_FIELD);
    all(of(Format::Markdown).schema(object().field("a", str("")).field("b", str(""))), MARKDOWN);
    all(of(Format::Markdown).schema(object().field("a_b", str(""))), HEADERS);
    all(
        of(Format::Hybrid)
            .schema(object().field("a", str("")).field("j", object().field("n", int("")))),
        HYBRID,
    );
    all(of(Format::YamlLiteral), YAML);
    all(
        of(Format::YamlLiteral).schema(object().field("a", str("")).field("b", int(""))),
        YAML_TEXT,
    );
    all(of(Format::YamlLiteral).limits(Limits::default().with(Limit::Aliases, 3)), YAML_ALIASES);
    all(of(Format::YamlLiteral).limits(Limits::default().with(Limit::Deferred, 8)), YAML_DEFERRED);
    all(Spec::builder().limits(Limits::default().with(Limit::Held, 3)), HELD);
    all(of(Format::Text).tags(TagSet::think()), THINK);
    all(of(Format::Text).tags(TagSet::from_toml(SET).unwrap()), MARKUP);
    let small = of(Format::Text).limits(Limits::default().with(Limit::Repair, 10));
    all(small.tags(TagSet::from_toml(SET).unwrap()), BODY_LIMIT);
    all(of(Format::Text).tags(TagSet::from_toml(SET).unwrap()).start_in("x"), STARTED);
    let action = object().field("a", one_of_or(["reply", "wait"], "wait"));
    all(
        Spec::builder().schema(action),
        &[("{\"a\": \"leave\"}", &["kind_not_granted a 7..13"], "{\"a\":\"wait\"}")],
    );
    let action = object().field("a", one_of_or(["reply"], "wait"));
    all(
        Spec::builder().schema(action),
        &[
            ("{\"a\": \"wait\"}", &[], "{\"a\":\"wait\"}"),
            ("{\"a\": \"leave\"}", &["kind_not_granted a 7..13"], "{\"a\":\"wait\"}"),
        ],
    );
    let fenced =
        of(Format::Markdown).schema(object().field("a", str(""))).unwrap_fences(Unwrap::Auto);
    all(fenced, &[("### a\n```\nx\n```\n", &["unfenced a 16..16"], "{\"a\":\"x\"}")]);
    let typed = of(Format::Markdown).schema(object().field("a", list(str(""))));
    all(typed, &[("### a\n- x\n- y\n", &["untidy_value a 14..14"], "{\"a\":[\"x\",\"y\"]}")]);
    // Not UTF-8, so no text.
    check(
        &Spec::json(),
        b"{\"a\":\"x\xffy\"}",
        &["invalid_utf8 a 7..8"],
        "{\"a\":\"x\u{fffd}y\"}",
        &mut seen,
    );
    let missing: Vec<_> =
        Code::ALL.iter().map(|code| code.name()).filter(|name| !seen.contains(name)).collect();
    assert!(missing.is_empty(), "no answer of this table causes {missing:?}");
}

#[test]
fn each_item_that_is_not_granted_has_its_own_place() {
    let schema = list(one_of_or(["reply", "wait"], "wait"));
    let answer = Spec::builder().schema(schema).build().unwrap().parse("[1, 2]").unwrap();
    let told: Vec<_> =
        answer.notices().iter().map(|it| format!("{} {}", it.code, it.path)).collect();
    assert_eq!(told, ["kind_not_granted [0]", "kind_not_granted [1]"]);
    assert_eq!(answer.value().to_string(), r#"["wait","wait"]"#);
}

/// The patches of a text that end a value, with `!` where they say that it was repaired.
fn ended(builder: SpecBuilder, text: &str) -> String {
    let mut ended = Vec::new();
    let mut parser = builder.build().unwrap().parser();
    let mut note = |event: Event<'_>| {
        if let Event::Patch(patch) = event {
            let mark = if patch.repaired { "!" } else { "" };
            match patch.op {
                PatchOp::Open | PatchOp::Delta => assert!(!patch.repaired, "{text:?}"),
                _ if patch.path.is_empty() => ended.push(format!("root{mark}")),
                _ => ended.push(format!("{}{mark}", patch.path)),
            }
        }
    };
    for byte in text.as_bytes() {
        parser.feed([*byte], &mut note).unwrap();
    }
    parser.finish(&mut note).unwrap();
    ended.join(" ")
}

#[test]
fn a_patch_says_whether_its_value_was_repaired() {
    for (text, patches) in [
        (r#"{"a": 1, "b": "x"}"#, "a b root"),
        (r#"{"a": 1, "b": 'x', "c": 2}"#, "a b! c root"),
        (r#"{"a": True, "b": [1, 2,], "c": {}}"#, "a! b[0] b[1] b! c root"),
        (r#"{"a": [1, 2], "b": {"c": 1 "d": 2}}"#, "a[0] a[1] a b.c b.d! b root"),
        ("{\"a\": \"x\ty\", \"b\": \"y\"}", "a! b root"),
        (r#"Here: {"a": "x"} That is it."#, "a root"),
    ] {
        assert_eq!(ended(Spec::builder(), text), patches, "{text}");
    }
    let schema = || object().field("a", one_of(["red", "blue"])).field("b", int(""));
    let text = r#"{"a": "Red", "b": 1}"#;
    assert_eq!(ended(Spec::builder().schema(schema()), text), "a! b root");
}
