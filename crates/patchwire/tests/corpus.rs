//! The cases of the corpus that say what is meant: read whole and byte by byte.

use std::collections::BTreeMap;
use std::path::Path;

use patchwire::answer::AnswerNode;
use patchwire::internals::{Tree, TreeNode, XmlBody};
use patchwire::{Answer, Format, Leniency, Schema, Spec, TagSet};
use serde_json::Value;

/// Cases of formats whose fields the second look at the end changes; `testkit` compares what they stream.
const READ_AGAIN: [&str; 17] = [
    "empty_root",
    "no_implicit_close_on_the_line_of_the_tag",
    "names_are_exact",
    "header_in_a_fence_before_the_first_section",
    "echo_then_duplicate",
    "duplicate_with_a_fence",
    "fence_line_in_a_json_string",
    "header_in_a_json_string",
    "cut_in_json",
    "list_of_points_is_no_json",
    "json_keys_twice",
    "no_markers",
    "rejected_behind_a_field",
    "number_with_a_quote_behind",
    "fence_that_ends_with_the_text",
    "next_line_behind_brackets",
    "prose_where_anything_may_stand",
];

pub(crate) fn text(file: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    std::fs::read_to_string(folder.join(file)).unwrap()
}

pub(crate) fn cases(file: &str) -> Vec<Value> {
    let text = text(file);
    let lines = text.lines().filter(|line| !line.is_empty());
    // Numbers that no reader with 64 bits can hold are left to `testkit`.
    let cases: Vec<_> = lines.filter_map(|line| serde_json::from_str(line).ok()).collect();
    assert!(cases.len() + 2 > text.lines().count(), "{file}");
    cases
}

/// Cases with their schemas. A value of serde_json may lose the order of the fields.
pub(crate) fn cases_with_schemas(file: &str) -> Vec<(Value, Schema)> {
    let schema = |line: &str| {
        let line = Spec::strict_json().parse(line).unwrap();
        Schema::from_text(&line.value().get("schema").unwrap().to_string()).unwrap()
    };
    let text = text(file);
    let lines = text.lines().filter(|line| !line.is_empty());
    lines.map(|line| (serde_json::from_str(line).unwrap(), schema(line))).collect()
}

pub(crate) fn bytes(case: &Value) -> Vec<u8> {
    let unhex = |hex: &str| {
        let digits: Vec<u32> = hex.chars().filter_map(|char| char.to_digit(16)).collect();
        digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect()
    };
    match (case["input"].as_str(), case["hex"].as_str()) {
        (Some(text), _) => text.as_bytes().to_vec(),
        (_, Some(hex)) => unhex(hex),
        _ => case["input"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|it| it.as_str().unwrap().bytes())
            .collect(),
    }
}

/// The answers to a text: whole, and byte by byte.
fn answers(spec: &Spec, text: &[u8]) -> [Answer; 2] {
    let mut parser = spec.parser();
    for byte in text {
        parser.feed([*byte], |_| {}).unwrap();
    }
    [spec.parse(text).unwrap(), parser.finish(|_| {}).unwrap()]
}

fn value(answer: &Answer) -> Value {
    if !answer.value().exists() {
        return Value::Null;
    }
    serde_json::from_str(&answer.value().to_string()).unwrap()
}

fn name(case: &Value) -> String {
    format!("{} {}: {}", case["format"], case["name"], case["input"])
}

fn codes(answer: &Answer) -> Vec<&'static str> {
    let mut codes = Vec::new();
    for notice in answer.notices().iter().map(|notice| notice.code.name()) {
        if !codes.contains(&notice) {
            codes.push(notice);
        }
    }
    codes
}

#[test]
fn json_means_what_the_cases_say() {
    for file in ["json/valid.ndjson", "json/slips.ndjson", "json/repair.ndjson"] {
        for case in cases(file).iter().filter(|case| case.get("want").is_some()) {
            for answer in answers(&Spec::json(), &bytes(case)) {
                assert_eq!(value(&answer), case["want"], "{}", name(case));
                if let Some(notices) = case["notices"].as_array() {
                    let wanted: Vec<_> = notices.iter().filter_map(Value::as_str).collect();
                    assert_eq!(codes(&answer), wanted, "{}", name(case));
                }
            }
        }
    }
}

#[test]
fn strict_reading_accepts_what_the_standard_accepts() {
    for case in cases("json/rfc8259/table.ndjson") {
        let has_text = ["input", "hex"].iter().any(|name| case.get(name).is_some());
        if case.get("deep").is_none() && has_text {
            let read = Spec::strict_json().parse(bytes(&case)).is_ok();
            assert_eq!(Some(read), case["accept"].as_bool(), "{}", name(&case));
        }
    }
}

#[test]
fn formats_give_the_fields_of_the_cases() {
    for file in ["formats/cases.ndjson", "formats/decided.ndjson", "formats/regressions.ndjson"] {
        for case in cases(file) {
            if READ_AGAIN.contains(&case["name"].as_str().unwrap()) {
                continue;
            }
            let format = Format::from_name(case["format"].as_str().unwrap()).unwrap();
            let schema = Schema::from_output_dsl_text(&case["schema"].to_string()).unwrap();
            let spec = Spec::builder().format(format).schema(schema).root_tag("agently_output");
            for answer in answers(&spec.build().unwrap(), &bytes(&case)) {
                let wanted = case.get("expected_final").unwrap_or_else(|| &case["expected"]);
                let nothing = Value::Object(serde_json::Map::new());
                let found = if answer.value().exists() { value(&answer) } else { nothing };
                assert_eq!(found, *wanted, "{}", name(&case));
            }
        }
    }
}

#[test]
fn of_several_roots_the_one_that_was_meant_is_the_value() {
    for case in cases("json/roots.ndjson") {
        for answer in answers(&Spec::json(), &bytes(&case)) {
            assert_eq!(value(&answer), case["want"], "{}", name(&case));
        }
    }
    for (case, schema) in cases_with_schemas("untidy/roots.ndjson") {
        let spec = Spec::builder().schema(schema).build().unwrap();
        for answer in answers(&spec, &bytes(&case)) {
            assert_eq!(value(&answer), case["want"], "{}", name(&case));
        }
    }
}

#[test]
fn untidy_fields_have_the_value_that_was_meant() {
    for (case, schema) in cases_with_schemas("untidy/fields.ndjson") {
        let format = Format::from_name(case["format"].as_str().unwrap()).unwrap();
        let spec = Spec::builder().format(format).schema(schema).build().unwrap();
        for answer in answers(&spec, &bytes(&case)) {
            assert_eq!(value(&answer), case["value"], "{}", name(&case));
        }
    }
}

#[test]
fn untidy_reports_have_the_value_that_was_meant() {
    let schema = Schema::from_text(&text("untidy/reports.schema.json")).unwrap();
    for case in cases("untidy/reports.ndjson") {
        for format in case["formats"].as_array().unwrap() {
            let format = Format::from_name(format.as_str().unwrap()).unwrap();
            let spec = Spec::builder().format(format).schema(schema.clone()).build().unwrap();
            let answer = spec.parse(bytes(&case)).unwrap();
            assert_eq!(value(&answer), case["value"], "{format} {}", name(&case));
        }
    }
}

#[test]
fn what_is_not_looked_for_is_not_found() {
    for (case, schema) in cases_with_schemas("untidy/fields.ndjson") {
        let format = Format::from_name(case["format"].as_str().unwrap()).unwrap();
        let spec = Spec::builder().format(format).schema(schema).forbid(Leniency::UntidyFields);
        let answer = spec.build().unwrap().parse(bytes(&case)).unwrap();
        let late = ["untidy_fields", "later_draft"];
        assert!(codes(&answer).iter().all(|code| !late.contains(code)), "{}", name(&case));
    }
}

#[test]
fn bodies_of_xml_are_read_as_the_cases_say() {
    for (file, body) in [
        ("xml/any.ndjson", XmlBody::any().whole()),
        ("xml/review.ndjson", XmlBody::any().whole()),
        ("xml/typed.ndjson", XmlBody::any().whole().typed_by_content()),
    ] {
        let spec = Spec::builder().without_tags().machine(body.machine()).build().unwrap();
        for case in cases(file) {
            for answer in answers(&spec, &bytes(&case)) {
                assert_eq!(value(&answer), case["want"], "{}", name(&case));
                let wanted: Vec<_> =
                    case["notices"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
                assert_eq!(codes(&answer), wanted, "{}", name(&case));
            }
        }
    }
}

/// The elements of a body in their order, without the text around them.
fn elements(tree: &Tree) -> Value {
    let single = tree.body().children().filter_map(|child| match child.node() {
        TreeNode::Element(name) => Some(format!("{{{name:?}:{child}}}")),
        _ => None,
    });
    let printed = match &single.collect::<Vec<_>>()[..] {
        [one] => one.clone(),
        all => format!("[{}]", all.join(",")),
    };
    serde_json::from_str(&printed).unwrap()
}

#[test]
fn trees_keep_the_order_of_their_elements() {
    for file in ["xml/any.ndjson", "xml/review.ndjson"] {
        for case in cases(file).iter().filter(|case| case.get("tree").is_some()) {
            let text = String::from_utf8(bytes(case)).unwrap();
            let tree = XmlBody::any().whole().tree(&text);
            assert_eq!(elements(&tree), case["tree"], "{}", name(case));
        }
    }
}

/// Text by channel; of a body that is a document, its bytes.
fn channels(answer: &Answer) -> BTreeMap<String, String> {
    fn add<'a>(nodes: impl Iterator<Item = AnswerNode<'a>>, all: &mut BTreeMap<String, String>) {
        for node in nodes {
            match node {
                AnswerNode::Text { channel, text } => {
                    all.entry(channel.to_owned()).or_default().push_str(text);
                }
                AnswerNode::Element(element) if element.value().is_some() => {
                    let raw = String::from_utf8_lossy(element.raw().unwrap_or_default());
                    all.entry(element.channel().to_owned()).or_default().push_str(&raw);
                }
                AnswerNode::Element(element) => add(element.nodes(), all),
                _ => {}
            }
        }
    }
    let mut all = BTreeMap::new();
    add(answer.nodes(), &mut all);
    all
}

fn wanted_channels(of: &Value) -> BTreeMap<String, String> {
    serde_json::from_value(of["channels"].clone()).unwrap()
}

#[test]
fn tags_give_the_channels_of_the_cases() {
    for case in cases("tags/cases.ndjson") {
        let profile = format!("tags/profiles/{}.json", case["profile"].as_str().unwrap());
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
        if !folder.join(&profile).exists() {
            continue;
        }
        let tags = TagSet::from_json(&text(&profile)).unwrap();
        let mut spec = Spec::builder().format(Format::Text).tags(tags);
        if let Some(family) = case["start_in"].as_str() {
            spec = spec.start_in(family);
        }
        for answer in answers(&spec.build().unwrap(), &bytes(&case)) {
            if case.get("reclassify").is_none() && case.get("channels").is_some() {
                assert_eq!(channels(&answer), wanted_channels(&case), "{}", name(&case));
            }
            if let Some(outcome) = case["outcome"].as_str() {
                assert_eq!(answer.outcome().name(), outcome, "{}", name(&case));
            }
            if let Some(other) = case.get("alternative") {
                let found = answer.alternative().map(channels);
                assert_eq!(found, Some(wanted_channels(other)), "{}", name(&case));
            }
            for (channel, texts) in case["segments"].as_object().into_iter().flatten() {
                let elements = answer.elements().filter(|element| element.channel() == channel);
                let found: Vec<_> = elements.map(|element| element.text().into_owned()).collect();
                assert_eq!(Value::from(found), *texts, "{}", name(&case));
            }
        }
    }
}
