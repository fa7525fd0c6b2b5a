//! Cases that are data: `corpus/formats`.

use std::collections::BTreeSet;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::{Format, Schema, Type};
use crate::corpus::root;
use crate::oracle::{Json, foreign};

/// One text, and what it means.
#[derive(Debug, Clone)]
pub struct FormatCase {
    /// The format.
    pub format: Format,
    /// Unique among those of its format.
    pub name: String,
    /// The declared fields.
    pub schema: Schema,
    /// The text.
    pub input: String,
    /// The fields that the stream gives.
    pub expected: Json,
    /// The fields of the answer, where the finalizer changes them.
    pub expected_final: Option<Json>,
    /// The expected value under strict reading.
    pub expected_final_strict: Option<Json>,
    /// Codes of notices.
    pub notices: BTreeSet<String>,
    /// Why it is as it is.
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

/// The cases that show what the formats are. Their notices are those they are about.
///
/// # Panics
///
/// If the file is not there, or a line is no case.
#[must_use]
pub fn cases() -> Vec<FormatCase> {
    in_file("cases")
}

/// The cases that show what was decided where a rule leaves something open. Their notices are all,
/// and a field whose value only lenient reading knows is not in them.
///
/// # Panics
///
/// As [`cases`].
#[must_use]
pub fn decided() -> Vec<FormatCase> {
    in_file("decided")
}

/// Texts that something once read wrongly.
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

/// The case that a line is.
///
/// # Errors
///
/// If it is none.
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
