//! The inputs of the corpus, each with the ways of reading that it is for.

use std::fs;
use std::path::{Path, PathBuf};

use patchwire::internals::XmlBody;
use patchwire::{Format, Schema, Spec, SpecBuilder, Strictness, TagSet, schema, spec::Roots};
use serde::Deserialize;
use serde_json::{Map, Value};

/// An input, and how it is read.
pub(crate) struct Case {
    pub(crate) name: String,
    pub(crate) spec: Spec,
    pub(crate) input: Vec<u8>,
    /// Whether it is read as most callers read.
    pub(crate) is_main: bool,
}

/// What of a line matters here. What is wanted may hold numbers that serde_json has no type for.
#[derive(Deserialize)]
struct Row {
    #[serde(default)]
    name: String,
    input: Option<Value>,
    hex: Option<String>,
    profile: Option<String>,
    start_in: Option<String>,
    format: Option<String>,
    #[serde(default)]
    formats: Vec<String>,
    schema: Option<Map<String, Value>>,
}

/// All of them.
pub(crate) fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    for (file, row) in rows("json").chain(rows("json/rfc8259")) {
        cases.extend(json_specs().map(|(way, spec)| Case::new(&file, way, spec, &row)));
    }
    for (file, row) in rows("tags").filter(|(_, row)| row.profile.is_some()) {
        cases.extend(tag_specs(&row).map(|(way, spec)| Case::new(&file, way, spec, &row)));
    }
    for (file, row) in rows("formats") {
        cases.push(Case::new(&file, "declared", declared(&row), &row));
    }
    // There are many, and each has a schema of its own.
    for (file, row) in rows("untidy").filter(|(_, row)| row.schema.is_some()).step_by(4) {
        let formats = row.formats.iter().chain(&row.format);
        cases.extend(formats.map(|name| Case::new(&file, name, untidy(&row, name), &row)));
    }
    for (file, row) in rows("xml") {
        for (way, body) in [("any", XmlBody::any()), ("whole", XmlBody::any().whole())] {
            let spec = build(Spec::builder().without_tags().machine(body.machine()));
            cases.push(Case::new(&file, way, spec, &row));
        }
    }
    cases
}

impl Case {
    fn new(file: &Path, way: &str, spec: Spec, row: &Row) -> Self {
        let file = file.file_stem().and_then(|name| name.to_str()).expect("a name");
        let name = format!("{file}/{}/{way}", row.name);
        let is_main = !["strict", "last", "concatenated", "text"].contains(&way);
        Self { name, spec, input: input(row), is_main }
    }
}

fn input(row: &Row) -> Vec<u8> {
    match (&row.input, &row.hex) {
        (Some(Value::String(text)), _) => text.clone().into_bytes(),
        (Some(Value::Array(pieces)), _) => {
            pieces.iter().filter_map(Value::as_str).collect::<String>().into_bytes()
        }
        (_, Some(hex)) => {
            let digits: Vec<u8> =
                hex.chars().filter_map(|char| char.to_digit(16)).map(|it| it as u8).collect();
            digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()
        }
        _ => panic!("{} has an input", row.name),
    }
}

fn build(builder: SpecBuilder) -> Spec {
    builder.build().expect("the settings agree")
}

fn json_specs() -> impl Iterator<Item = (&'static str, Spec)> {
    let ways = [
        ("lenient", Spec::builder()),
        ("strict", Spec::builder().strictness(Strictness::Strict)),
        ("last", Spec::builder().roots(Roots::Last)),
        ("concatenated", Spec::builder().roots(Roots::Concatenated)),
        ("text", Spec::builder().format(Format::Text)),
    ];
    ways.into_iter().map(|(way, builder)| (way, build(builder)))
}

/// As the case says, and with JSON in what is the answer.
fn tag_specs(row: &Row) -> impl Iterator<Item = (&'static str, Spec)> {
    // Profiles without a file belong to tests of their own; the fullest set reads their texts too.
    let file = |name: &str| corpus().join(format!("tags/profiles/{name}.json"));
    let own = file(row.profile.as_deref().expect("a profile"));
    let has_own = own.exists();
    let profile = if has_own { own } else { file("everything") };
    let text = fs::read_to_string(profile).expect("the profile is there");
    let tags = TagSet::from_json(&text).expect("a tag set");
    let own = Spec::builder().format(Format::Text).tags(tags.clone());
    let own =
        row.start_in.as_deref().filter(|_| has_own).into_iter().fold(own, SpecBuilder::start_in);
    let json = Spec::builder().tags(TagSet::scratchpad());
    [("profile", build(own)), ("json", build(Spec::builder().tags(tags))), ("pad", build(json))]
        .into_iter()
}

fn declared(row: &Row) -> Spec {
    let format = match row.format.as_deref() {
        Some("xml_field") => Format::XmlField,
        Some("hybrid") => Format::Hybrid,
        Some("markdown") => Format::Markdown,
        Some("yaml_literal") => Format::YamlLiteral,
        other => panic!("a format: {other:?}"),
    };
    let builder = Spec::builder().format(format);
    let Some(names) = &row.schema else { return build(builder) };
    let mut object = schema::object();
    for (name, kind) in names {
        object = object.field(
            name,
            match kind.as_str() {
                Some("str") => schema::str(""),
                Some("int") => schema::int(""),
                Some("float") => schema::number(""),
                Some("bool") => schema::bool(""),
                Some("list") => schema::list(schema::any("")),
                Some("dict") => schema::map(schema::any("")),
                _ => schema::any(""),
            },
        );
    }
    build(builder.schema(Schema::from(object)))
}

/// Answers as models write them, under schemas with every kind of member.
fn untidy(row: &Row, format: &str) -> Spec {
    let schema = serde_json::to_string(&row.schema).expect("JSON");
    let format = Format::from_name(format).expect("a format");
    build(Spec::builder().format(format).schema(Schema::from_text(&schema).expect("a schema")))
}

fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus")
}

/// The lines of the files of a folder.
fn rows(folder: &str) -> impl Iterator<Item = (PathBuf, Row)> {
    let entries = fs::read_dir(corpus().join(folder)).expect("the corpus is there");
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "ndjson"));
    files.sort();
    files.into_iter().flat_map(|file| {
        let text = fs::read_to_string(&file).expect("the file is text");
        let lines = text.lines().filter(|line| !line.trim().is_empty());
        let rows = lines.map(|line| serde_json::from_str(line).expect("a line is a case"));
        let rows = rows.filter(|row: &Row| row.input.is_some() || row.hex.is_some());
        rows.map(|row| (file.clone(), row)).collect::<Vec<_>>()
    })
}
