//! The official test suite of JSON Schema (github.com/json-schema-org/JSON-Schema-Test-Suite), read from a
//! folder: how often the verdict of the engine about a finished value is that of the suite.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use patchwire::{Schema, Spec, Strictness};
use serde::Deserialize;

/// A schema and the values that the suite judges by it.
#[derive(Debug, Deserialize)]
pub struct Group {
    /// What the group is about.
    pub description: String,
    /// The schema.
    pub schema: serde_json::Value,
    /// The values.
    pub tests: Vec<Test>,
}

/// A value, and whether it is valid.
#[derive(Debug, Deserialize)]
pub struct Test {
    /// What the test is about.
    pub description: String,
    /// The value.
    pub data: serde_json::Value,
    /// Whether it is valid.
    pub valid: bool,
}

/// How the verdict of the engine compares with that of the suite.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Comparison {
    /// Engine and suite say the same.
    Agrees,
    /// The engine accepts what the suite does not.
    TooLax,
    /// The engine refuses what the suite accepts.
    TooStrict,
    /// The engine cannot use the schema.
    Refused,
}

/// A test with its verdict.
#[derive(Debug)]
pub struct Judged {
    /// The file without its ending, which is a keyword.
    pub keyword: String,
    /// Group and test.
    pub name: String,
    /// The verdict.
    pub verdict: Comparison,
    /// Whether the engine says that it does not check all of the schema.
    pub is_emitted: bool,
}

/// Judges every test in the files of a folder, in the order of their names.
///
/// # Errors
/// A folder or file that cannot be read, or is not of the suite.
pub fn run(folder: &Path) -> io::Result<Vec<Judged>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|it| it == "json") {
            let keyword = path.file_stem().map(|it| it.to_string_lossy().into_owned());
            files.insert(keyword.unwrap_or_default(), path);
        }
    }
    let mut judged = Vec::new();
    for (keyword, path) in files {
        let groups: Vec<Group> = serde_json::from_slice(&fs::read(path)?)?;
        for group in groups {
            judge(&keyword, &group, &mut judged);
        }
    }
    Ok(judged)
}

/// Judges the values of a group by its schema alone: undeclared members are allowed.
fn judge(keyword: &str, group: &Group, judged: &mut Vec<Judged>) {
    let schema = Schema::from_json_schema_text(&group.schema.to_string()).ok();
    let is_emitted = schema.as_ref().is_some_and(|it| !it.unchecked().is_empty());
    let spec = schema.and_then(|schema| {
        let spec = Spec::builder().strictness(Strictness::Strict).schema(schema).valid(true);
        spec.build().ok()
    });
    for test in &group.tests {
        let verdict = spec.as_ref().map_or(Comparison::Refused, |spec| {
            let answer = spec.parse(test.data.to_string());
            let is_valid = answer.is_ok_and(|answer| answer.failures().is_empty());
            match (is_valid, test.valid) {
                (true, false) => Comparison::TooLax,
                (false, true) => Comparison::TooStrict,
                _ => Comparison::Agrees,
            }
        });
        let name = format!("{} / {}", group.description, test.description);
        judged.push(Judged { keyword: keyword.to_owned(), name, verdict, is_emitted });
    }
}
