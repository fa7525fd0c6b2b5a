//! The oracles of the field formats against cases that were worked out by hand.

use std::collections::BTreeSet;

use testkit::oracle::Json;
use testkit::oracle::fields::table::{self, FormatCase};
use testkit::oracle::fields::{FieldsReading, Format, Status, Value, Verdict, read};

/// The field and the payload of a case whose payload is not JSON. The oracle does not predict the result of
/// lenient reading.
const NOT_JSON: [(&str, &str, &str); 1] = [("bad_json_no_value", "j", "{\"k\":")];

/// Cases whose document other readers reject: only the repair gives the fields.
const REJECTED: [&str; 1] = ["repair_gt_text"];

#[test]
fn names_are_unique() {
    let mut names = BTreeSet::new();
    assert_eq!(table::cases().len(), 62);
    for case in table::cases().into_iter().chain(table::decided()) {
        assert!(!case.note.is_empty(), "{}", case.name);
        assert!(names.insert((case.format, case.name.clone())), "{}", case.name);
    }
}

#[test]
fn the_oracles_agree_with_every_case() {
    let wrong: Vec<_> = table::cases().iter().filter_map(difference).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

fn difference(case: &FormatCase) -> Option<String> {
    let name = format!("{} {}", case.format.name(), case.name);
    let reading = read(case.format, &case.input, Some(&case.schema));
    if REJECTED.contains(&case.name.as_str()) {
        let rejected = matches!(reading.verdict, Verdict::Rejected(_));
        return (!rejected).then(|| format!("{name}: not rejected any more"));
    }
    let fields = known(case, &reading);
    let want = expected(case);
    if fields.sorted() != want.sorted() {
        return Some(format!("{name}:\n  want {want}\n  got  {fields}\n  {reading:?}"));
    }
    let missing: Vec<_> =
        case.notices.iter().filter(|code| !reading.notices.contains(code.as_str())).collect();
    (!missing.is_empty()).then(|| format!("{name}: no {missing:?} in {:?}", reading.notices))
}

/// The fields of a reading, but for one whose payload is not JSON.
fn known(case: &FormatCase, reading: &FieldsReading) -> Json {
    let mut members = Vec::new();
    for field in &reading.fields {
        match &field.value {
            Value::Known(value) => members.push((field.name.clone(), value.clone())),
            Value::NotJson(text) => {
                let listed = (case.name.as_str(), field.name.as_str(), text.as_str());
                assert!(NOT_JSON.contains(&listed), "{listed:?} is not JSON");
            }
        }
    }
    Json::Object(members)
}

fn expected(case: &FormatCase) -> Json {
    let Json::Object(mut members) = case.expected.clone() else { panic!("no fields") };
    members.retain(|(name, _)| {
        !NOT_JSON.iter().any(|(of, field, _)| of == &case.name && field == name)
    });
    Json::Object(members)
}

/// Each of these cases is about one decision and lists everything.
#[test]
fn the_oracles_decide_as_they_say() {
    let mut wrong = Vec::new();
    for case in table::decided() {
        let reading = read(case.format, &case.input, Some(&case.schema));
        let members = reading.fields.iter().filter_map(|field| {
            field.value.known().map(|value| (field.name.clone(), value.clone()))
        });
        let fields = Json::Object(members.collect());
        let notices: BTreeSet<String> =
            reading.notices.iter().map(|&code| code.to_owned()).collect();
        if fields.sorted() != case.expected.sorted() || notices != case.notices {
            let want = (case.expected.to_string(), &case.notices);
            wrong.push(format!("{}:\n  want {want:?}\n  got  {reading:?}", case.name));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Other cases list only some notices; these list every notice.
#[test]
fn plain_cases_have_no_notices() {
    for name in ["basic", "basic_text_and_json", "crlf", "html_inside", "comment_between_fields"] {
        let mut found = 0;
        for case in table::cases().into_iter().filter(|case| case.name == name) {
            let reading = read(case.format, &case.input, Some(&case.schema));
            assert_eq!(reading.notices, BTreeSet::new(), "{name}");
            assert!(reading.fields.iter().all(|field| field.status == Status::Complete), "{name}");
            found += 1;
        }
        assert!(found > 0, "{name} is gone");
    }
}

#[test]
fn without_a_schema_the_fields_are_those_that_came() {
    let xml = "<agently_output><field name=\"a\" type=\"text\">1</field>\
               <field name=\"b\" type=\"json\">1</field></agently_output>";
    let sections = "## One two:\n1\n## b\n```json\n1\n```\n";
    let yaml = "```yaml\na: 1\nb: |\n  1\n```\n";
    for (format, text, want) in [
        (Format::XmlField, xml, r#"{"a":"1","b":1}"#),
        (Format::Hybrid, sections, r#"{"One two":"1","b":"```json\n1\n```"}"#),
        (Format::YamlLiteral, yaml, r#"{"a":1,"b":"1\n"}"#),
    ] {
        let reading = read(format, text, None);
        assert_eq!(reading.object().map(|it| it.to_string()).as_deref(), Some(want));
        assert_eq!(reading.notices, BTreeSet::new());
    }
}

#[test]
fn what_may_come_late() {
    for (yaml, want) in LATE {
        let text = format!("```yaml\n{yaml}```\n");
        let reading = read(Format::YamlLiteral, &text, None);
        let late = reading.deferred.iter();
        let late: Vec<String> =
            late.map(|it| format!("{:?} {}/{}", it.why, it.field, it.path.join("/"))).collect();
        assert_eq!(late, want, "{yaml:?} {:?}", reading.verdict);
    }
}

/// Documents, and what of them may come late.
const LATE: [(&str, &[&str]); 20] = [
    ("a: x\nb:\n  - y\n  - k: |\n      z\n", &[]),
    ("a: !!str 1\nb: ! 2\nc: &x 3\nd: *nobody\n", &["Tag a/", "Tag b/", "Anchor c/"]),
    ("a: [1]\nb: {}\n", &["Flow a/", "Flow b/"]),
    ("a:\n  - k: [1, [2]]\n", &["Flow a/0/k", "Flow a/0/k/1"]),
    ("a: &x 1\nb:\n  - *x\n", &["Anchor a/", "Alias b/0"]),
    ("a: !!int 1\nb:\n  k: !t x\n", &["Tag a/", "Tag b/k"]),
    ("a: !!str\n  k: v\n", &["Tag a/"]),
    ("a:\n  <<: x\n", &[]),
    ("<<: x\n", &["Merge /"]),
    ("\"<<\": x\n", &[]),
    ("? a\n: x\n", &["Key /"]),
    ("a:\n  ? k\n  : x\n", &["Key a/"]),
    ("&k a: x\n", &["Key /"]),
    (": x\n", &["Key /"]),
    ("~: x\nb:\n", &[]),
    ("- x\n", &["Root /"]),
    ("{a: x}\n", &["Root /"]),
    ("just words\n", &["Root /"]),
    ("--- !t\na: x\n", &["Root /"]),
    ("# nothing\n", &[]),
];
