//! The corpus read in a wider way: texts made of two cases, under several settings, with everything asked for.

use patchwire::internals::{XmlBody, XmlCaps};
use patchwire::{Format, Spec};

use super::damage::Random;
use super::settings::vary_much;
use super::splices::spliced;
use super::{Subject, asking, compare_readings, fnv};
use crate::corpus::cases;

/// How many cases share a line of numbers.
const CASES: usize = 12;

/// How many cases before a case may lend it a piece. A case that is added changes those behind it in its file, and no others.
const LENDERS: usize = 40;

/// Compares wide readings of the cases of some files: a number is for a case.
fn compare_widely(name: &str, files: &[Vec<Subject>], copies: u64) {
    let lines = files.iter().flat_map(|file| {
        let firsts = (0..file.len()).step_by(CASES);
        firsts.map(|first| {
            let cases = first..file.len().min(first + CASES);
            let readings = cases.map(|at| {
                let copies = (0..copies).map(|copy| reading(file, at, copy));
                copies.collect::<Vec<_>>().join("\n")
            });
            (file[first].name.clone(), readings.collect())
        })
    });
    compare_readings(&format!("wide {name}"), lines.collect());
}

/// The settings, the text and the reading of a copy of a case.
fn reading(file: &[Subject], at: usize, copy: u64) -> String {
    let subject = &file[at];
    let mut random = Random::new(fnv(&subject.text).rotate_left(17).wrapping_add(copy));
    let other = &file[at - random.below(at.min(LENDERS) + 1)];
    let text = spliced(&subject.text, &other.text, &mut random);
    let (settings, spec) = vary_much(subject.spec.clone(), &text, &mut random);
    let read = match spec.build() {
        Ok(spec) => asking::read(&spec, &text, &mut random),
        Err(error) => error.to_string(),
    };
    format!("{settings}: {:?}\n{read}", String::from_utf8_lossy(&text))
}

#[test]
fn json() {
    let files = [
        "json/minimal",
        "json/nasty",
        "json/readers",
        "json/regressions",
        "json/repair",
        "json/roots",
        "json/slips",
        "json/valid",
    ];
    let files: Vec<_> = files.iter().map(|file| super::json_subjects(file)).collect();
    compare_widely("json", &files, 2);
}

#[test]
fn formats() {
    let files = ["formats/cases", "formats/decided", "formats/regressions", "untidy/roots"];
    let files: Vec<_> = files.iter().map(|file| super::format_subjects(file)).collect();
    compare_widely("formats", &files, 3);
}

/// Compares what is written in a format and untidy.
fn untidy(format: Format) {
    let files = [
        super::field_subjects(format),
        super::answer_subjects(format),
        super::report_subjects(format),
    ];
    compare_widely(&format!("untidy {format}"), &files, 1);
}

#[test]
fn untidy_hybrid() {
    untidy(Format::Hybrid);
}

#[test]
fn untidy_markdown() {
    untidy(Format::Markdown);
}

#[test]
fn untidy_xml_field() {
    untidy(Format::XmlField);
}

#[test]
fn untidy_yaml_literal() {
    untidy(Format::YamlLiteral);
}

#[test]
fn tags() {
    for format in [Format::Text, Format::Json] {
        let files = [
            super::tagged_subjects("tags/cases", format, super::profile),
            super::tagged_subjects("tags/presets", format, super::preset),
        ];
        compare_widely(&format!("tags {format}"), &files, 2);
    }
}

/// Bodies of tags with low bounds, with attributes around them, and with known names.
#[test]
fn bodies() {
    let low = XmlCaps { tag: 9, attributes: 1, entity: 5, blanks: 3 };
    let bodies = [
        XmlBody::any().whole().caps(low),
        XmlBody::any().attributes([("k", "v")]),
        XmlBody::known(["a", "b", "item"]).whole().typed_by_content(),
    ];
    let mut files = Vec::new();
    for body in bodies {
        let spec = Spec::builder().machine(body.machine());
        for file in ["xml/any", "xml/known", "xml/typed"] {
            let cases = cases(&format!("{file}.ndjson"));
            files.push(cases.iter().map(|case| Subject::new(case, spec.clone())).collect());
        }
    }
    compare_widely("bodies", &files, 4);
}
