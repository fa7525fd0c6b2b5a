//! Every leniency forgives its slip, and forgives it no more once it is forbidden.

use std::collections::BTreeSet;

use patchwire::leniency::{Leniencies, Leniency};
use patchwire::schema::{int, list, object, str};
use patchwire::{Format, Spec, SpecBuilder};

fn json() -> SpecBuilder {
    Spec::builder()
}

fn numbers() -> SpecBuilder {
    json().schema(object().field("a", int("")).field("b", int("")))
}

fn texts() -> SpecBuilder {
    json().schema(object().field("a", str("")).field("l", list(str(""))))
}

fn sections() -> SpecBuilder {
    let schema = object().field("a", str("")).field("b_c", str(""));
    Spec::builder().format(Format::Markdown).schema(schema)
}

/// A leniency, a spec, a text with its slip, and the notice of the slip.
type Row = (Leniency, fn() -> SpecBuilder, &'static str, &'static str);

const ROWS: &[Row] = &[
    (Leniency::Comments, json, r#"{"a": 1 /* one */}"#, "comment"),
    (Leniency::UnicodeSpaces, json, "{\"a\":\u{a0}1}", "unicode_space"),
    (Leniency::SingleQuotes, json, r#"{"a": 'x'}"#, "single_quotes"),
    (Leniency::SmartQuotes, json, r#"{"a": “x”}"#, "smart_quotes"),
    (Leniency::BacktickQuotes, json, r#"{"a": `x`}"#, "backtick_quotes"),
    (Leniency::TripleQuotes, json, r#"{"a": """x"""}"#, "triple_quotes"),
    (Leniency::UnquotedKeys, json, r#"{a: 1}"#, "unquoted_key"),
    (Leniency::UnquotedValues, json, r#"{"a": some words}"#, "unquoted_value"),
    (Leniency::ExtraCommas, json, r#"{"a": 1,}"#, "trailing_comma"),
    (Leniency::Ellipses, json, r#"{"a": [1, ...]}"#, "ellipsis"),
    (Leniency::MissingCommas, json, r#"{"a": 1 "b": 2}"#, "missing_comma"),
    (Leniency::MissingColons, json, r#"{"a" 1}"#, "missing_colon"),
    (Leniency::MissingValues, json, r#"{"a": , "b": 2}"#, "missing_value"),
    (Leniency::ForeignLiterals, json, r#"{"a": True}"#, "foreign_literal"),
    (Leniency::NonFinite, json, r#"{"a": NaN}"#, "non_finite"),
    (Leniency::ForeignNumbers, json, r#"{"a": 0x1F}"#, "hex_number"),
    (Leniency::RawControls, json, "{\"a\": \"x\ty\"}", "raw_control"),
    (Leniency::InvalidEscapes, json, r#"{"a": "\d"}"#, "invalid_escape"),
    (Leniency::LoneSurrogates, json, r#"{"a": "\ud83d!"}"#, "lone_surrogate"),
    (Leniency::InnerQuotes, json, r#"{"a": "he said "hi" to me", "b": 1}"#, "inner_quote"),
    (Leniency::StringConcat, json, r#"{"a": "x" + "y"}"#, "string_concat"),
    (Leniency::Tuples, json, r#"{"a": (1, 2)}"#, "tuple"),
    (Leniency::MissingClosers, json, r#"{"a": [1, 2, "b": 3}"#, "missing_close"),
    (Leniency::MismatchedClosers, json, r#"{"a": [1]]}"#, "mismatched_close"),
    (Leniency::SurplusClosers, json, r#"{"a": 1}}"#, "surplus_close"),
    (Leniency::UnexpectedText, json, r#"{"a": "x" y, "b": 1}"#, "trailing_after_value"),
    (Leniency::HeaderNames, sections, "### a\nx\n\n### B c\ny\n", "header_spelling"),
    (Leniency::HeaderLevels, sections, "## a\nx\n\n## b_c\ny\n", "header_level"),
    (Leniency::HeaderEchoes, sections, "### a\n### a\nx\n\n### b_c\ny\n", "echoed_header"),
    (
        Leniency::ScaffoldLines,
        sections,
        "### a\n<!-- (text) one -->\nx\n\n### b_c\ny\n",
        "scaffold_comment",
    ),
    (Leniency::TextValues, numbers, r#"{"a": "12"}"#, "text_as_value"),
    (Leniency::ValueTexts, texts, r#"{"a": 12}"#, "value_as_text"),
    (Leniency::LoneItems, texts, r#"{"l": "x"}"#, "lone_item"),
    (Leniency::Wrappers, numbers, r#"{"answer": {"a": 1, "b": 2}}"#, "unwrapped"),
    (Leniency::UntidyFields, sections, "**a**: x\n**b_c**: y\n", "untidy_fields"),
];

/// The notices of a text; none if it cannot be read.
fn notices(builder: SpecBuilder, text: &str) -> Vec<&'static str> {
    let answer = builder.build().unwrap().parse(text);
    answer.map_or_else(
        |_| Vec::new(),
        |answer| answer.notices().iter().map(|notice| notice.code.name()).collect(),
    )
}

#[test]
fn each_forgives_one_slip() {
    for (leniency, spec, text, code) in ROWS {
        assert_eq!(notices(spec(), text).first(), Some(code), "{text}");
        let forbidden = notices(spec().forbid(*leniency), text);
        assert!(!forbidden.contains(code), "{text} without {leniency}: {forbidden:?}");
    }
    let rows: BTreeSet<_> = ROWS.iter().map(|(leniency, ..)| leniency.name()).collect();
    let all: BTreeSet<_> = Leniency::ALL.iter().map(|leniency| leniency.name()).collect();
    assert_eq!(rows, all);
}

#[test]
fn a_set_is_without_what_was_taken_out() {
    let set = Leniencies::ALL.without(Leniency::Comments).without(Leniency::UntidyFields);
    for leniency in Leniency::ALL {
        let taken = matches!(leniency, Leniency::Comments | Leniency::UntidyFields);
        assert_eq!(set.allow(leniency), !taken, "{leniency}");
        assert!(Leniencies::ALL.allow(leniency) && !Leniencies::NONE.allow(leniency));
    }
}
