//! No change goes unseen: what the engine makes of the corpus, of copies of it with slips, and of schemas, under settings that
//! a seed chooses, as numbers. The numbers say nothing about right and wrong. They say that a reading is no longer
//! what it was: a change that is meant writes them again with `BLESS=1`, and its commit shows how many readings changed.
//! `SHOW="json/slips 12"` prints the readings of a case, to compare them with those of an older commit.

mod asking;
mod damage;
mod found;
mod made;
mod numbers;
mod questions;
mod reading;
mod schemas;
mod settings;
mod splices;
mod wide;
mod written;

use std::path::Path;

use damage::damaged;
use numbers::{Random, compare_readings, fnv};
use patchwire::internals::XmlBody;
use patchwire::{Format, Schema, Spec, SpecBuilder, TagSet};
use serde_json::Value;

use crate::corpus::{bytes, cases, cases_with_schemas, text};

/// A text with the settings that read it.
struct Subject {
    name: String,
    spec: SpecBuilder,
    text: Vec<u8>,
}

impl Subject {
    fn new(case: &Value, spec: SpecBuilder) -> Self {
        let name =
            case["name"].as_str().or_else(|| case["place"].as_str()).unwrap().replace('\n', " ");
        Self { name, spec, text: bytes(case) }
    }

    /// The settings, the text and the reading of a copy; copy 0 is the text itself, with its own settings.
    fn reading(&self, copy: u64) -> String {
        let mut random = Random::new(fnv(&self.text).wrapping_add(copy));
        let (settings, spec, text) = if copy == 0 {
            (String::from("as it is"), self.spec.clone(), self.text.clone())
        } else {
            let (settings, spec) = reading::vary(self.spec.clone(), &mut random);
            (settings, spec, damaged(&self.text, &mut random))
        };
        let read = match spec.build() {
            Ok(spec) => reading::read(&spec, &text, &mut random),
            Err(error) => error.to_string(),
        };
        format!("{settings}: {:?}\n{read}", String::from_utf8_lossy(&text))
    }
}

/// Compares the readings of the subjects with the numbers in a file: a line for each case. A number is for two copies.
fn compare(file: &str, subjects: &[Subject], numbers: u64) {
    let cases = subjects.iter().map(|subject| {
        let readings = (0..=numbers).map(|number| {
            let copies = if number == 0 { 0..=0 } else { 2 * number - 1..=2 * number };
            copies.map(|copy| subject.reading(copy)).collect::<Vec<_>>().join("\n")
        });
        (subject.name.clone(), readings.collect())
    });
    compare_readings(file, cases.collect());
}

fn json_subjects(file: &str) -> Vec<Subject> {
    cases(&format!("{file}.ndjson"))
        .iter()
        .filter(|case| case.get("input").or_else(|| case.get("hex")).is_some())
        .map(|case| Subject::new(case, Spec::builder()))
        .collect()
}

fn json(file: &str) {
    compare(file, &json_subjects(file), 8);
}

#[test]
fn json_minimal() {
    json("json/minimal");
}

#[test]
fn json_nasty() {
    json("json/nasty");
}

#[test]
fn json_readers() {
    json("json/readers");
}

#[test]
fn json_regressions() {
    json("json/regressions");
}

#[test]
fn json_repair() {
    json("json/repair");
}

#[test]
fn json_roots() {
    json("json/roots");
}

#[test]
fn json_slips() {
    json("json/slips");
}

#[test]
fn json_valid() {
    json("json/valid");
}

fn format_subjects(file: &str) -> Vec<Subject> {
    let cases = cases_with_schemas(&format!("{file}.ndjson"));
    let subject = |(case, schema): &(Value, Schema)| {
        let format = case
            .get("format")
            .map_or(Format::Json, |name| Format::from_name(name.as_str().unwrap()).unwrap());
        let spec = Spec::builder().format(format).schema(schema.clone()).root_tag("agently_output");
        Subject::new(case, spec)
    };
    cases.iter().map(subject).collect()
}

fn formats(file: &str) {
    compare(file, &format_subjects(file), 8);
}

#[test]
fn formats_cases() {
    formats("formats/cases");
}

#[test]
fn formats_decided() {
    formats("formats/decided");
}

#[test]
fn formats_regressions() {
    formats("formats/regressions");
}

/// The untidy fields that are written in this format.
fn field_subjects(format: Format) -> Vec<Subject> {
    let cases = cases_with_schemas("untidy/fields.ndjson");
    let ours = cases.iter().filter(|(case, _)| case["format"].as_str() == Some(format.name()));
    let subjects = ours.map(|(case, schema)| {
        Subject::new(case, Spec::builder().format(format).schema(schema.clone()))
    });
    subjects.collect()
}

fn fields(format: Format) {
    compare(&format!("untidy/fields {format}"), &field_subjects(format), 8);
}

#[test]
fn fields_in_json() {
    fields(Format::Json);
}

#[test]
fn fields_in_xml_field() {
    fields(Format::XmlField);
}

#[test]
fn fields_in_hybrid() {
    fields(Format::Hybrid);
}

#[test]
fn fields_in_markdown() {
    fields(Format::Markdown);
}

#[test]
fn fields_in_yaml_literal() {
    fields(Format::YamlLiteral);
}

#[test]
fn untidy_roots() {
    formats("untidy/roots");
}

/// The untidy answers that can be read in this format.
fn answer_subjects(format: Format) -> Vec<Subject> {
    let cases = cases_with_schemas("untidy/answers.ndjson");
    let subjects = cases.iter().filter(|(case, _)| is_for(case, format)).map(|(case, schema)| {
        Subject::new(case, Spec::builder().format(format).schema(schema.clone()))
    });
    subjects.collect()
}

fn answers(format: Format) {
    compare(&format!("untidy/answers {format}"), &answer_subjects(format), 3);
}

/// The untidy reports that can be read in this format.
fn report_subjects(format: Format) -> Vec<Subject> {
    let schema = Schema::from_text(&text("untidy/reports.schema.json")).unwrap();
    let cases = cases("untidy/reports.ndjson");
    let subjects = cases
        .iter()
        .filter(|case| is_for(case, format))
        .map(|case| Subject::new(case, Spec::builder().format(format).schema(schema.clone())));
    subjects.collect()
}

fn reports(format: Format) {
    compare(&format!("untidy/reports {format}"), &report_subjects(format), 3);
}

fn is_for(case: &Value, format: Format) -> bool {
    case["formats"].as_array().unwrap().iter().any(|it| it.as_str() == Some(format.name()))
}

#[test]
fn answers_in_xml_field() {
    answers(Format::XmlField);
}

#[test]
fn answers_in_hybrid() {
    answers(Format::Hybrid);
}

#[test]
fn answers_in_markdown() {
    answers(Format::Markdown);
}

#[test]
fn answers_in_yaml_literal() {
    answers(Format::YamlLiteral);
}

#[test]
fn reports_in_xml_field() {
    reports(Format::XmlField);
}

#[test]
fn reports_in_hybrid() {
    reports(Format::Hybrid);
}

#[test]
fn reports_in_markdown() {
    reports(Format::Markdown);
}

#[test]
fn reports_in_yaml_literal() {
    reports(Format::YamlLiteral);
}

/// The cases of a file among tags.
fn tagged_subjects(
    file: &str,
    format: Format,
    tags: impl Fn(&Value) -> Option<TagSet>,
) -> Vec<Subject> {
    let lines = text(&format!("{file}.ndjson"));
    let subjects = lines.lines().filter_map(|line| {
        let case = &serde_json::from_str::<Value>(line).unwrap();
        let mut spec = Spec::builder().format(format).tags(tags(case)?);
        if let Some(family) = case["start_in"].as_str() {
            spec = spec.start_in(family);
        }
        for (tool, schema) in tools(line) {
            spec = spec.tool(tool, schema);
        }
        Some(Subject::new(case, spec))
    });
    subjects.collect()
}

/// Compares the cases of a file among tags: read as text, and as JSON.
fn tagged(file: &str, tags: impl Fn(&Value) -> Option<TagSet>) {
    for format in [Format::Text, Format::Json] {
        compare(&format!("{file} {format}"), &tagged_subjects(file, format, &tags), 8);
    }
}

/// The tools of a case. A value of serde_json may lose the order of their parameters.
fn tools(line: &str) -> Vec<(String, Schema)> {
    let line = Spec::strict_json().parse(line).unwrap();
    let tools =
        line.value().get("tools").into_iter().flat_map(|tools| tools.entries().collect::<Vec<_>>());
    tools
        .map(|(name, schema)| {
            (name.unwrap().to_string(), Schema::from_text(&schema.to_string()).unwrap())
        })
        .collect()
}

/// The tag set of a case that names a profile.
fn profile(case: &Value) -> Option<TagSet> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus/tags/profiles");
    let profile = format!("{}.json", case["profile"].as_str()?);
    let is_there = folder.join(&profile).exists();
    is_there.then(|| TagSet::from_json(&text(&format!("tags/profiles/{profile}"))).unwrap())
}

fn preset(case: &Value) -> Option<TagSet> {
    TagSet::preset(case["preset"].as_str()?)
}

#[test]
fn tags_cases() {
    tagged("tags/cases", profile);
}

#[test]
fn tags_presets() {
    tagged("tags/presets", preset);
}

/// Bodies as one machine, and as elements of an answer in tags, with the name of their numbers.
fn body_subjects() -> Vec<(&'static str, Vec<Subject>)> {
    let files = [
        ("xml/any", "xml/any tagged"),
        ("xml/known", "xml/known tagged"),
        ("xml/typed", "xml/typed tagged"),
    ];
    let mut all = Vec::new();
    for (file, tagged) in files {
        let body =
            if file == "xml/typed" { XmlBody::any().typed_by_content() } else { XmlBody::any() };
        let spec = Spec::builder().machine(body.whole().machine());
        let cases = cases(&format!("{file}.ndjson"));
        let subjects = |spec: &SpecBuilder| {
            cases.iter().map(|case| Subject::new(case, spec.clone())).collect::<Vec<_>>()
        };
        all.push((file, subjects(&spec.clone().without_tags())));
        all.push((tagged, subjects(&spec)));
    }
    all
}

#[test]
fn bodies() {
    for (name, subjects) in body_subjects() {
        compare(name, &subjects, 8);
    }
}

/// Compares schemas that a seed makes, and answers to them.
fn schemas_and_answers(part: u64) {
    let cases = (50 * part..50 * (part + 1)).map(|case| {
        let described = (0..12).map(|at| schemas::described(case << 32 | at));
        (format!("schemas {case}"), described.collect())
    });
    // With the feature, the rest of JSON Schema judges the answers, too.
    let file = if cfg!(feature = "validate") { "schemas validate" } else { "schemas" };
    compare_readings(&format!("{file} {part}"), cases.collect());
}

#[test]
fn schemas_and_answers_0() {
    schemas_and_answers(0);
}

#[test]
fn schemas_and_answers_1() {
    schemas_and_answers(1);
}

#[test]
fn schemas_and_answers_2() {
    schemas_and_answers(2);
}

#[test]
fn schemas_and_answers_3() {
    schemas_and_answers(3);
}
