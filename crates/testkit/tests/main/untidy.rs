//! Answers whose fields are not as the format has them: the value at the end, and the laws.

use patchwire::{Code, Format, Leniency, Outcome, Schema, Spec, Strictness};
use serde::Deserialize;
use testkit::cuts::{Cuts, in_two};
use testkit::event_log::{run_cut, run_whole};
use testkit::{corpus, laws};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    format: String,
    name: String,
    schema: Box<serde_json::value::RawValue>,
    input: String,
    /// The value of the answer; null if there is none.
    value: serde_json::Value,
    note: String,
}

impl Case {
    fn schema(&self) -> Schema {
        Schema::from_text(self.schema.get()).expect("the schema is valid")
    }

    fn spec(&self) -> Spec {
        let format = Format::from_name(&self.format).expect("a format of that name");
        let builder = Spec::builder().format(format).schema(self.schema());
        builder.build().expect("the settings agree")
    }
}

fn cases() -> Vec<Case> {
    let file = corpus::root().join("untidy/fields.ndjson");
    let text = std::fs::read_to_string(file).expect("the cases are part of the repository");
    text.lines().map(|line| serde_json::from_str(line).expect("a line is a case")).collect()
}

/// An answer in one or two formats. Without a schema of its own it has the six fields of a report.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Report {
    formats: Vec<String>,
    name: String,
    #[serde(default)]
    schema: Option<Box<serde_json::value::RawValue>>,
    input: String,
    value: serde_json::Value,
}

/// The reports, and the answers that have schemas of their own.
fn reports() -> Vec<(Spec, Report, String)> {
    let read = |file: &str| {
        let file = corpus::root().join("untidy").join(file);
        std::fs::read_to_string(file).expect("the cases are part of the repository")
    };
    let one = Schema::from_text(&read("reports.schema.json")).expect("it is valid");
    let all = read("reports.ndjson") + &read("answers.ndjson");
    let case = |line: &str| -> Report { serde_json::from_str(line).expect("a line is a case") };
    let mut found = Vec::new();
    for line in all.lines() {
        for name in case(line).formats {
            let format = Format::from_name(&name).expect("a format of that name");
            let own = case(line).schema;
            let own = own.map(|it| Schema::from_text(it.get()).expect("the schema is valid"));
            let builder = Spec::builder().format(format).schema(own.unwrap_or_else(|| one.clone()));
            found.push((builder.build().expect("the settings agree"), case(line), name));
        }
    }
    found
}

#[test]
fn untidy_reports_have_the_value_that_was_meant() {
    let mut wrong = Vec::new();
    for (spec, Report { name, input, value: expected, .. }, format) in reports() {
        let found = value(&spec, &input);
        if found != expected {
            wrong.push(format!("{format} {name}: {input:?}: {found}, not {expected}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn no_cut_of_an_untidy_report_matters() {
    for (spec, Report { name, input, .. }, format) in reports() {
        let whole = run_whole(&spec, input.as_bytes());
        for cuts in [Cuts::bytewise(input.len()), Cuts::every(7, input.len())] {
            let found = whole.difference(&run_cut(&spec, input.as_bytes(), &cuts));
            assert_eq!(found, None, "{format} {name}, {cuts}");
        }
    }
}

fn value(spec: &Spec, input: &str) -> serde_json::Value {
    let answer = spec.parse(input.as_bytes()).expect("no limit is met");
    let text = answer.value().to_string();
    if answer.value().exists() {
        serde_json::from_str(&text).expect("a value prints as JSON")
    } else {
        serde_json::Value::Null
    }
}

#[test]
fn untidy_answers_have_the_value_that_was_meant() {
    let mut wrong = Vec::new();
    for case in cases() {
        assert!(!case.note.is_empty(), "{}", case.name);
        let found = value(&case.spec(), &case.input);
        if found != case.value {
            let Case { format, name, input, value, .. } = case;
            wrong.push(format!("{format} {name}: {input:?}: {found}, not {value}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn spec(format: &str, schema: &str) -> Spec {
    let format = Format::from_name(format).expect("a format of that name");
    let schema = Schema::from_text(schema).expect("the schema is valid");
    Spec::builder().format(format).schema(schema).build().expect("the settings agree")
}

#[test]
fn an_answer_whose_last_field_only_the_root_closes_is_whole() {
    let spec = spec("xml_field", r#"{"title": "str", "l": [["str"]]}"#);
    let outcome = |input: &str| spec.parse(input.as_bytes()).expect("no limit is met").outcome();
    let input = "<answer_fields>\n<field name=\"title\">A</field>\n<field name=\"l\">[\"a\"]";
    assert_eq!(outcome(input), Outcome::Truncated);
    assert_eq!(outcome(&format!("{input}\n</answer_fields>")), Outcome::Repaired);
}

#[test]
fn slips_in_what_is_found_without_its_root_have_notices() {
    let fields = "<field name=\"title\">A</field>\n<field name=\"n\">3 apples</field>";
    let document = "title: A\nn: 3\nextra: 4\n";
    for (format, input, code) in [
        ("xml_field", fields, Code::TrailingContent),
        ("yaml_literal", document, Code::UnknownField),
    ] {
        let spec = spec(format, r#"{"title": "str", "n": "int"}"#);
        let answer = spec.parse(input.as_bytes()).expect("no limit is met");
        let has = |code| answer.notices().iter().any(|notice| notice.code == code);
        assert!(has(Code::MissingRoot) && has(code), "{format}");
    }
}

#[test]
fn a_value_that_was_found_at_the_end_has_a_notice() {
    for case in cases() {
        let spec = case.spec();
        let answer = spec.parse(case.input.as_bytes()).expect("no limit is met");
        let strict = Spec::builder()
            .format(Format::from_name(&case.format).expect("a format of that name"))
            .schema(case.schema())
            .strictness(Strictness::Strict)
            .forbid(Leniency::UntidyFields);
        let strict = strict.build().expect("the settings agree");
        let same = strict.parse(case.input.as_bytes()).is_ok()
            && value(&strict, &case.input) == case.value;
        if answer.value().exists() && !same {
            assert!(!answer.notices().is_empty(), "{} {}", case.format, case.name);
        }
    }
}

#[test]
fn no_cut_of_an_untidy_answer_matters() {
    for case in cases() {
        let (spec, input) = (case.spec(), case.input.as_bytes());
        let whole = run_whole(&spec, input);
        for cuts in in_two(input.len()).chain([Cuts::bytewise(input.len())]) {
            let found = whole.difference(&run_cut(&spec, input, &cuts));
            assert_eq!(found, None, "{} {}, {cuts}", case.format, case.name);
        }
    }
}

#[test]
fn untidy_answers_obey_the_laws() {
    for case in cases() {
        if let Err(why) = laws::all(&case.spec(), case.input.as_bytes()) {
            panic!("{} {}: {why}", case.format, case.name);
        }
    }
}
