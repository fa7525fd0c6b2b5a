//! Cases as data: `corpus/formats`.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Format, Schema, Type};
use crate::corpus::root;
use crate::oracle::{Json, foreign};

/// A text, and its expected meaning.
#[derive(Debug, Clone)]
pub struct FormatCase {
    /// The format.
    pub format: Format,
    /// The name, unique in its format.
    pub name: String,
    /// The declared fields.
    pub schema: Schema,
    /// The text.
    pub input: String,
    /// The expected fields of the stream.
    pub expected: Json,
    /// The expected fields of the answer, if the finalizer changes them.
    pub expected_final: Option<Json>,
    /// The expected value under strict reading.
    pub expected_final_strict: Option<Json>,
    /// The expected codes of notices.
    pub notices: BTreeSet<String>,
    /// The reason for the case.
    pub note: String,
}

/// A line of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    format: String,
    name: String,
    schema: Box<RawValue>,
    input: String,
    expected: Box<RawValue>,
    #[serde(default)]
    expected_final: Option<Box<RawValue>>,
    #[serde(default)]
    expected_final_strict: Option<Box<RawValue>>,
    #[serde(default)]
    notices: BTreeSet<String>,
    note: String,
}

/// The cases that define the formats. Each lists only the notices that it is about.
///
/// # Panics
///
/// If the file is missing, or a line is not a case.
#[must_use]
pub fn cases() -> Vec<FormatCase> {
    in_file("cases")
}

/// The cases that settle what a rule leaves open. Each lists all of its notices. A field whose value only
/// lenient reading knows is left out.
///
/// # Panics
///
/// As [`cases`].
#[must_use]
pub fn decided() -> Vec<FormatCase> {
    in_file("decided")
}

/// Texts that were once read wrongly.
///
/// # Panics
///
/// As [`cases`].
#[must_use]
pub fn regressions() -> Vec<FormatCase> {
    in_file("regressions")
}

fn in_file(name: &str) -> Vec<FormatCase> {
    let file = root().join(format!("formats/{name}.ndjson"));
    let text = std::fs::read_to_string(&file).expect("the cases are part of the repository");
    let lines = text.lines().filter(|line| !line.is_empty());
    lines.map(|line| case(line).unwrap_or_else(|why| panic!("{why}: {line}"))).collect()
}

/// Parses a line.
///
/// # Errors
///
/// If the line is not a case.
pub fn case(line: &str) -> Result<FormatCase, String> {
    let row: Row = serde_json::from_str(line).map_err(|error| error.to_string())?;
    let json = |raw: &RawValue| foreign::read(raw.get().as_bytes());
    Ok(FormatCase {
        format: Format::of(&row.format).ok_or("no such format")?,
        schema: schema(json(&row.schema)?)?,
        expected: json(&row.expected)?,
        expected_final: row.expected_final.as_deref().map(json).transpose()?,
        expected_final_strict: row.expected_final_strict.as_deref().map(json).transpose()?,
        name: row.name,
        input: row.input,
        notices: row.notices,
        note: row.note,
    })
}

fn schema(json: Json) -> Result<Schema, String> {
    let Json::Object(members) = json else { return Err("the schema is no object".to_owned()) };
    let field = |(name, kind): (String, Json)| match kind {
        Json::String(kind) => Type::of(&kind).map(|kind| (name, kind)).ok_or(kind),
        other => Err(other.to_string()),
    };
    members.into_iter().map(field).collect::<Result<_, _>>().map(Schema)
}
