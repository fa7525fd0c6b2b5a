//! Readings that a search found: each saw a change of the code that no reading before it saw. `tools/README.md` says how to search
//! for more.

use std::collections::HashMap;

use patchwire::{Format, Schema, SpecBuilder};
use serde_json::Value;

use super::numbers::{Random, compare_readings};
use super::settings::vary_much;
use super::written::WRITERS;
use super::{Subject, asking, made, questions, reading, schemas};
use crate::corpus::{bytes, text};

/// How many readings share a file of numbers. They are files of their own so that their tests run beside each other.
const SHARE: usize = 450;

/// A reading with a seed from here on has rules for the value or another schema, now and then, and answers more questions.
pub(super) const ASKED: u64 = 1 << 32;

/// How many tests there are.
const SHARES: usize = 5;

/// A text that is read with the settings of a case of the corpus, and with others that a seed chooses.
#[derive(Debug, Clone)]
pub(super) struct Found {
    /// The file and the name of the case; or `schema`, or `written` and a writer: then the seed makes the text, too.
    pub(super) case: String,
    pub(super) seed: u64,
    pub(super) text: Vec<u8>,
}

impl Found {
    pub(super) fn from_json(value: &Value) -> Self {
        let has_text = value.get("input").or_else(|| value.get("hex")).is_some();
        Self {
            case: value["case"].as_str().unwrap().to_owned(),
            seed: value["seed"].as_u64().unwrap(),
            text: if has_text { bytes(value) } else { Vec::new() },
        }
    }

    /// What the reading gives, as text.
    pub(super) fn read(&self, cases: &Cases) -> String {
        if self.case == "schema" {
            return schemas::described(self.seed);
        }
        let random = &mut Random::new(self.seed);
        if let Some(name) = self.case.strip_prefix("written ") {
            return WRITERS.iter().find(|(writer, _)| *writer == name).unwrap().1(random);
        }
        let spec = cases.spec(&self.case);
        let (settings, spec) = match random.below(4) {
            0 => (String::new(), spec),
            1 => reading::vary(spec, random),
            _ => vary_much(spec, &self.text, random),
        };
        let is_asked = self.seed >= ASKED;
        let (judged, spec) = if is_asked { judge(spec, random) } else { ("", spec) };
        let read = match spec.build() {
            Ok(spec) => {
                let mut read = asking::read(&spec, &self.text, random);
                if is_asked {
                    questions::ask(&spec, &self.text, random, &mut read);
                }
                read
            }
            Err(error) => error.to_string(),
        };
        format!("{settings}{judged}: {:?}\n{read}", String::from_utf8_lossy(&self.text))
    }
}

/// Rules for the value, and another schema, now and then.
fn judge(spec: SpecBuilder, random: &mut Random) -> (&'static str, SpecBuilder) {
    match random.below(12) {
        0 | 1 => (" strict shape", spec.strict_shape(true)),
        // Without the feature, the spec cannot be built.
        2 if cfg!(feature = "validate") => (" valid", spec.valid(true)),
        3 => (" another schema", spec.schema(Schema::from_text(made::schema(random)).unwrap())),
        4 => {
            let schema = Schema::from_text(made::schema(random)).unwrap();
            (" the shape of another schema", spec.schema(schema).strict_shape(true))
        }
        _ => ("", spec),
    }
}

/// The settings of the cases of the corpus, by their files and names.
pub(super) struct Cases {
    specs: HashMap<String, SpecBuilder>,
}

impl Cases {
    pub(super) fn new() -> Self {
        let mut specs = HashMap::new();
        for (key, subject) in all_subjects() {
            // The first of several cases of a name is meant.
            specs.entry(key).or_insert(subject.spec);
        }
        Self { specs }
    }

    fn spec(&self, case: &str) -> SpecBuilder {
        self.specs.get(case).unwrap_or_else(|| panic!("the corpus has no case {case}")).clone()
    }
}

/// The cases of the corpus that the readings have settings of.
pub(super) fn all_subjects() -> Vec<(String, Subject)> {
    let mut all: Vec<(String, Subject)> = Vec::new();
    let mut add = |file: String, subjects: Vec<Subject>| {
        all.extend(subjects.into_iter().map(|it| (format!("{file} | {}", it.name), it)));
    };
    for file in ["json/slips", "json/repair", "json/roots", "json/regressions"] {
        add(file.into(), super::json_subjects(file));
    }
    for file in ["formats/cases", "formats/decided", "formats/regressions", "untidy/roots"] {
        add(file.into(), super::format_subjects(file));
    }
    for format in Format::ALL {
        if format != Format::Text {
            add(format!("untidy/fields {format}"), super::field_subjects(format));
        }
    }
    for format in [Format::Text, Format::Json] {
        let tagged = super::tagged_subjects("tags/cases", format, super::profile);
        add(format!("tags/cases {format}"), tagged);
        let tagged = super::tagged_subjects("tags/presets", format, super::preset);
        add(format!("tags/presets {format}"), tagged);
    }
    for (kind, subjects) in super::body_subjects() {
        add(kind.into(), subjects);
    }
    all
}

/// The list, in its order.
fn list() -> Vec<Found> {
    let lines = text("found.ndjson");
    lines.lines().map(|line| Found::from_json(&serde_json::from_str(line).unwrap())).collect()
}

/// Compares a share of the list.
fn compare(share: usize) {
    let cases = Cases::new();
    let found = list();
    let ours = found.chunks(SHARE).nth(share).unwrap_or_default();
    assert!(found.len() <= SHARES * SHARE, "there is a test for {} readings", SHARES * SHARE);
    let lines = ours.chunks(10).map(|line| {
        let readings = line.iter().map(|it| it.read(&cases)).collect();
        (line[0].case.clone(), readings)
    });
    // With the feature, the rest of JSON Schema judges the answers, too.
    let file = if cfg!(feature = "validate") { "found validate" } else { "found" };
    compare_readings(&format!("{file} {share}"), lines.collect());
}

#[test]
fn readings_0() {
    compare(0);
}

#[test]
fn readings_1() {
    compare(1);
}

#[test]
fn readings_2() {
    compare(2);
}

#[test]
fn readings_3() {
    compare(3);
}

#[test]
fn readings_4() {
    compare(4);
}
