//! Cases as data, and recorded streams.
//!
//! A corpus file is `corpus/<format>/<name>.ndjson`, one case a line:
//!
//! ```text
//! {"name": "trailing_comma", "input": "{\"a\": 1,}", "want": {"a": 1}}
//! {"name": "cut_code_point", "hex": "7b2261223a22e28222", "note": "why it is here"}
//! ```
//!
//! `input` is the text, `hex` its bytes. The other members are optional. `want` is the answer's value under
//! lenient reading without a schema. `notices` lists the codes of the notices, each once, in order of first
//! occurrence; `[]` means that there are none. `tree` lists the elements of a body in their order.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

use patchwire_sources::RecordingError;
use serde::Deserialize;
use serde_json::value::RawValue;

/// A case of the corpus.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// The name, unique in its file.
    pub name: String,
    /// The input as text.
    #[serde(default)]
    input: Option<String>,
    /// The input as hexadecimal bytes, if it is not UTF-8.
    #[serde(default)]
    hex: Option<String>,
    /// The expected value as JSON text, under lenient reading without a schema. Numbers compare as written.
    #[serde(default)]
    pub want: Option<Box<RawValue>>,
    /// The expected elements of a body in their order, as JSON text.
    #[serde(default)]
    pub tree: Option<Box<RawValue>>,
    /// The expected codes of notices.
    #[serde(default)]
    pub notices: Option<Vec<String>>,
    /// The reason for the case.
    #[serde(default)]
    pub note: String,
}

impl Case {
    /// The bytes of the input.
    ///
    /// # Panics
    /// If the case has neither `input` nor well-formed `hex`.
    #[must_use]
    pub fn bytes(&self) -> Vec<u8> {
        match (&self.input, &self.hex) {
            (Some(input), None) => input.clone().into_bytes(),
            (None, Some(hex)) => {
                unhex(hex).unwrap_or_else(|| panic!("{}: malformed hex", self.name))
            }
            _ => panic!("{}: either `input` or `hex`", self.name),
        }
    }
}

fn unhex(hex: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = hex
        .chars()
        .filter(|char| !char.is_whitespace())
        .map(|char| char.to_digit(16).map(|digit| digit as u8))
        .collect::<Option<_>>()?;
    digits
        .len()
        .is_multiple_of(2)
        .then(|| digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect())
}

/// The path of the repository's corpus.
#[must_use]
pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus")
}

/// The cases of all `.ndjson` files in a folder of the corpus, ordered by file name.
///
/// # Panics
/// If a file cannot be read, or a line is not a case.
#[must_use]
pub fn cases(folder: &str) -> Vec<Case> {
    let folder = root().join(folder);
    let entries =
        fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "ndjson"));
    files.sort();
    files.iter().flat_map(|file| read_cases(file)).collect()
}

/// The cases of a file.
///
/// # Panics
/// As [`cases`].
#[must_use]
pub fn read_cases(file: &Path) -> Vec<Case> {
    lines(file, |line| serde_json::from_str(line))
}

/// A recorded stream of a provider.
#[derive(Debug, Clone)]
pub struct Recording {
    /// The origin of the recording; empty if it does not say.
    pub source: String,
    /// The pieces, in order.
    pub deltas: Vec<String>,
}

impl Recording {
    /// Reads a line, as the command does.
    ///
    /// # Errors
    /// If the line is no recording.
    pub fn from_line(line: &str) -> Result<Self, RecordingError> {
        let read = patchwire_sources::Recording::from_line(line.as_bytes())?;
        Ok(Self { source: read.source.unwrap_or_default(), deltas: read.deltas })
    }

    /// The whole text.
    #[must_use]
    pub fn text(&self) -> String {
        self.deltas.concat()
    }
}

/// The recordings in the file named by the environment variable `PATCHWIRE_STREAMS`; none if it is not set.
///
/// # Panics
/// If the file cannot be read.
#[must_use]
pub fn recordings() -> Option<Vec<Recording>> {
    let file = std::env::var_os("PATCHWIRE_STREAMS")?;
    Some(lines(Path::new(&file), Recording::from_line))
}

fn lines<T, E: Display>(file: &Path, read: impl Fn(&str) -> Result<T, E>) -> Vec<T> {
    let name = file.display();
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{name}: {error}"));
    text.lines()
        .zip(1..)
        .filter(|(line, _)| !line.trim().is_empty())
        .map(|(line, at)| read(line).unwrap_or_else(|error| panic!("{name}, line {at}: {error}")))
        .collect()
}
