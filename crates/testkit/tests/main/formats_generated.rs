//! The oracles of the field formats on generated texts.

use std::collections::BTreeMap;

use testkit::generate::Rng;
use testkit::generate::fields::spoilt::every;
use testkit::generate::fields::yaml::{self, YamlShape};
use testkit::generate::fields::{Sample, sample, spoilt};
use testkit::oracle::Json;
use testkit::oracle::fields::yaml::Why;
use testkit::oracle::fields::{
    Field, FieldsReading, Format, Schema, Status, Type, Value, Verdict, read,
};

const SEED: u64 = 20_261_122;

/// The expected reading of a sample: under headers alone everything is text.
fn agrees(format: Format, sample: &Sample, at: usize) -> FieldsReading {
    let reading = read(format, &sample.text, Some(&sample.schema));
    let shown = &sample.text;
    let name = format!("{} {at} of seed {SEED}:\n{shown}\n{shown:?}", format.name());
    let got = reading.object().unwrap_or_else(|| panic!("{name}\n{reading:#?}"));
    assert_eq!(got, sample.object(), "{name}\n{:?} {:?}", sample.schema, reading.verdict);
    assert!(!matches!(reading.verdict, Verdict::Rejected(_)), "{name}\n{:?}", reading.verdict);
    reading
}

#[test]
fn what_is_written_in_tags_is_read() {
    let mut rng = Rng::new(SEED);
    for at in 0..5_000 {
        let sample = sample(&mut rng, Format::XmlField);
        let reading = agrees(Format::XmlField, &sample, at);
        only(&reading, &["missing_field", "unknown_field"], &sample);
    }
}

#[test]
fn what_is_written_under_headers_is_read() {
    for format in [Format::Hybrid, Format::Markdown] {
        let mut rng = Rng::new(SEED);
        for at in 0..5_000 {
            let sample = sample(&mut rng, format);
            let reading = agrees(format, &sample, at);
            only(&reading, &["missing_field", "scaffold_echo"], &sample);
        }
    }
}

#[test]
fn what_is_written_as_yaml_is_read() {
    for shape in YamlShape::ALL {
        let mut rng = Rng::new(SEED);
        for at in 0..3_000 {
            let sample = yaml::sample(&mut rng, shape);
            let reading = agrees(Format::YamlLiteral, &sample, at);
            let known = ["missing_field", "unknown_field", "multi_document", "comment_truncated"];
            only(&reading, &known, &sample);
            for deferral in &reading.deferred {
                let allowed = match deferral.why {
                    Why::Flow => shape.flow,
                    Why::Alias | Why::Anchor | Why::Tag => shape.references,
                    Why::Key | Why::Merge | Why::Root => false,
                };
                assert!(allowed, "{deferral:?} in {:?}", sample.text);
            }
        }
    }
}

/// Well-formed texts are complete, and nothing is wrong with them.
fn only(reading: &FieldsReading, notices: &[&str], sample: &Sample) {
    let wrong: Vec<_> = reading.notices.iter().filter(|code| !notices.contains(code)).collect();
    assert!(wrong.is_empty(), "{wrong:?} in {:?}", sample.text);
    for field in &reading.fields {
        let ended = matches!(field.status, Status::Complete | Status::Deferred);
        assert!(ended, "{field:?} in {:?}", sample.text);
    }
}

#[test]
fn samples_hold_what_is_hard() {
    let hard: [(Format, &[&str]); 4] = [
        (Format::XmlField, &["<![CDATA[", "</field> to", "\r\n", "x\ry", "/>", "```json", "😀"]),
        (
            Format::Hybrid,
            &["\n### nobody", "\n```\n", "\r\n", "(your content", "[json]", "~~~ json"],
        ),
        (Format::Markdown, &["\n- ```", "\n### nobody", "x\ry", "\n   \n", "<!-- (text)"]),
        (
            Format::YamlLiteral,
            &["|2-", ">+", ": '", "\\u", "&n0", "*n0", "!!str", "  - ", "[", "# note"],
        ),
    ];
    for (format, wanted) in hard {
        let mut rng = Rng::new(SEED);
        let texts: Vec<String> = (0..2_000).map(|_| sample(&mut rng, format).text).collect();
        for wanted in wanted {
            let found = texts.iter().filter(|text| text.contains(wanted)).count();
            assert!(found > 4, "{wanted:?} in {found} texts of {}", format.name());
        }
    }
}

#[test]
fn spoilt_texts_reach_everything() {
    for (format, wanted) in EVERYTHING {
        let mut reached: BTreeMap<String, usize> = BTreeMap::new();
        let mut rng = Rng::new(SEED);
        for _ in 0..20_000 {
            let (schema, text) = spoilt(&mut rng, format);
            let reading = read(format, &text, Some(&schema));
            for what in kinds(&reading) {
                *reached.entry(what).or_default() += 1;
            }
        }
        let rare: Vec<_> =
            wanted.iter().filter(|what| reached.get(**what).is_none_or(|n| *n < 5)).collect();
        assert!(rare.is_empty(), "{}: {rare:?} of {reached:#?}", format.name());
    }
}

/// Notices, ways to end, and kinds of values and verdicts of a reading.
fn kinds(reading: &FieldsReading) -> Vec<String> {
    let mut kinds: Vec<String> = reading.notices.iter().map(|&code| code.to_owned()).collect();
    kinds.extend(reading.fields.iter().map(|field| field.status.name().to_owned()));
    kinds.extend(reading.deferred.iter().map(|deferral| format!("{:?}", deferral.why)));
    let not_json = reading.fields.iter().any(|field| field.value.known().is_none());
    kinds.extend(not_json.then(|| "not_json".to_owned()));
    kinds.push(match &reading.verdict {
        Verdict::Accepted => "accepted".to_owned(),
        Verdict::Loose => "loose".to_owned(),
        Verdict::Rejected(_) => "rejected".to_owned(),
    });
    kinds
}

const EVERYTHING: [(Format, &[&str]); 4] = [
    (
        Format::XmlField,
        &[
            "complete",
            "truncated",
            "repaired",
            "not_json",
            "missing_close",
            "unclosed_section",
            "unknown_field",
            "duplicate_field",
            "missing_field",
            "stray_text",
            "second_root",
            "type_mismatch",
            "bad_json",
            "trailing_content",
        ],
    ),
    (
        Format::Hybrid,
        &[
            "complete",
            "truncated",
            "repaired",
            "not_json",
            "duplicate_field",
            "missing_field",
            "stray_text",
            "missing_fence_close",
            "trailing_content",
            "type_mismatch",
            "bad_json",
            "scaffold_echo",
            "unclosed_fence_swallowed_header",
        ],
    ),
    (
        Format::Markdown,
        &["complete", "duplicate_field", "missing_field", "unclosed_fence_swallowed_header"],
    ),
    (
        Format::YamlLiteral,
        &[
            "complete",
            "truncated",
            "deferred",
            "accepted",
            "loose",
            "rejected",
            "Flow",
            "Alias",
            "Tag",
            "Root",
            "unknown_field",
            "duplicate_field",
            "duplicate_key",
            "missing_field",
            "multi_document",
            "type_mismatch",
            "comment_truncated",
            "yaml_unknown_alias",
        ],
    ),
];

/// A stream takes nothing back: the result of a prefix is the beginning of the whole result. Of the last
/// field only the emitted text counts, since the end decides held text.
#[test]
fn what_was_said_of_tags_stays() {
    let mut rng = Rng::new(SEED);
    for _ in 0..4_000 {
        let (schema, text) = spoilt(&mut rng, Format::XmlField);
        let ends = text.char_indices().map(|(at, _)| at);
        stays(Format::XmlField, &schema, &text, ends, |value| value);
    }
}

/// Under headers the end of the text decides what its last line is, so parts are whole lines here.
#[test]
fn what_was_said_under_headers_stays() {
    for format in [Format::Hybrid, Format::Markdown] {
        let mut rng = Rng::new(SEED);
        for _ in 0..8_000 {
            let (schema, text) = spoilt(&mut rng, format);
            let ends = text.match_indices('\n').map(|(at, _)| at + 1);
            stays(format, &schema, &text, ends, |value| value);
        }
    }
}

/// All short texts of the tokens that matter most: nothing is left to chance there.
#[test]
fn what_was_said_of_short_texts_stays() {
    for format in [Format::XmlField, Format::Hybrid, Format::Markdown] {
        for text in every(format, 5) {
            let all = text.char_indices().map(|(at, _)| at);
            let lines = all.filter(|at| format == Format::XmlField || text[..*at].ends_with('\n'));
            stays(format, &spoilt::schema(), &text, lines, |value| value);
        }
    }
}

/// In YAML the end of the text ends the line of a block, and its whitespace counts, which a stream would
/// hold.
#[test]
fn what_was_said_in_yaml_stays() {
    let mut rng = Rng::new(SEED);
    let mut seen = 0;
    for _ in 0..1_500 {
        let (schema, text) = spoilt(&mut rng, Format::YamlLiteral);
        let whole = read(Format::YamlLiteral, &text, Some(&schema));
        if whole.verdict != Verdict::Accepted {
            continue;
        }
        let held = |value: &'_ str| value.trim_end_matches([' ', '\t', '\n']).len();
        let ends = text.char_indices().map(|(at, _)| at).filter(|end| {
            let part = read(Format::YamlLiteral, &text[..*end], Some(&schema));
            let last = part.fields.last().map(|last| &last.name);
            let string = last.and_then(|name| schema.kind(name)) == Some(Type::Str);
            let word = !part.notices.contains("yaml_unknown_alias");
            part.verdict == Verdict::Accepted && string && word && part.deferred.is_empty()
        });
        let ends: Vec<usize> = ends.collect();
        seen += ends.len();
        stays(Format::YamlLiteral, &schema, &text, ends.into_iter(), |value| &value[..held(value)]);
    }
    assert!(seen > 4_000, "{seen}");
}

/// Checks that the readings of the parts of a text up to some places agree with that of the whole;
/// `given` is what a stream has given out of a string that is cut short.
fn stays(
    format: Format,
    schema: &Schema,
    text: &str,
    ends: impl Iterator<Item = usize>,
    given: impl Fn(&str) -> &str,
) {
    let whole = read(format, text, Some(schema));
    for end in ends {
        let part = read(format, &text[..end], Some(schema));
        let Some((last, before)) = part.sure().split_last() else { continue };
        let now = whole.fields.get(before.len());
        // Text that is not JSON is emitted at the end of its field.
        let late = last.status == Status::Repaired && part.notices.contains("bad_json");
        let stays = whole.fields.starts_with(before) && (late || begins(&last.value, now, &given));
        assert!(stays, "{:?} of {text:?}\n{part:#?}\n{whole:#?}", &text[..end]);
    }
}

/// Whether a string is the beginning of what it became. Words that became null were held.
fn begins(part: &Value, now: Option<&Field>, given: impl Fn(&str) -> &str) -> bool {
    match (part, now.map(|now| &now.value)) {
        (Value::Known(Json::String(part)), Some(Value::Known(Json::String(now)))) => {
            now.starts_with(given(part))
        }
        (Value::Known(Json::String(part)), Some(Value::Known(Json::Null))) => {
            "null".starts_with(&part.to_ascii_lowercase())
        }
        (Value::Known(Json::String(_)), None) => false,
        _ => true,
    }
}

#[test]
fn types_say_what_fits() {
    let fits = |kind: Type, text: &str| kind.fits(&Json::Number(text.to_owned()));
    assert!(fits(Type::Int, "3.0") && !fits(Type::Int, "3.5") && fits(Type::Float, "3"));
    assert!(!fits(Type::Str, "3") && fits(Type::Any, "3"));
}
