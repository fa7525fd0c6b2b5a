//! Cases as data: `corpus/tags`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::Profile;
use crate::corpus::root;

/// A text, and its expected meaning.
///
/// `input` is a text, or a list of chunks if the cuts matter. A case only lists the expectations that it is
/// about. `steps` are rows of [`super::Step::row`], without `reclassify`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TagCase {
    /// The name, unique.
    pub name: String,
    /// The origin of the behaviour.
    pub from: String,
    /// The name of the tag set. Some sets have no file, because they need more than a tag set can express.
    pub profile: String,
    /// The family that the text begins inside of.
    #[serde(default)]
    pub start_in: Option<String>,
    /// The text.
    pub input: Input,
    /// All text, by channel.
    #[serde(default)]
    pub channels: Option<BTreeMap<String, String>>,
    /// All steps in order.
    #[serde(default)]
    pub steps: Option<Vec<Value>>,
    /// All notices in order, as `code:detail`.
    #[serde(default)]
    pub notices: Option<Vec<String>>,
    /// `[from, to, channel]`.
    #[serde(default)]
    pub reclassify: Option<Value>,
    /// The texts of the elements of a channel.
    #[serde(default)]
    pub segments: Option<BTreeMap<String, Vec<String>>>,
    /// Parameters and attributes of the first element.
    #[serde(default)]
    pub params: Option<BTreeMap<String, String>>,
    /// The outcome.
    #[serde(default)]
    pub outcome: Option<String>,
    /// The fields of the document.
    #[serde(default)]
    pub fields: Option<BTreeMap<String, String>>,
    /// The meaning if the open fence or string hides nothing.
    #[serde(default)]
    pub alternative: Option<Alternative>,
    /// The tree of an `xml` body, in order: attributes as `@name`, text as `#text`.
    #[serde(default)]
    pub tree: Option<Value>,
    /// The text that each chunk emits, as `[channel, text]`.
    #[serde(default)]
    pub per_push: Option<Vec<Vec<(String, String)>>>,
    /// The text that the end emits.
    #[serde(default)]
    pub flush: Option<Vec<(String, String)>>,
    /// Runs of text, and whether they are special tokens.
    #[serde(default)]
    pub tokens: Option<Vec<(String, bool)>>,
    /// The most bytes that may be held at any time.
    #[serde(default)]
    pub max_held: Option<usize>,
    /// Whether cuts inside characters are tried.
    #[serde(default)]
    pub byte_chunks: bool,
    /// Whether emitted text must stay.
    #[serde(default)]
    pub monotonic: bool,
    /// Whether the repeated input must take linear time.
    #[serde(default)]
    pub linear: bool,
    /// Whether the spans of the events must tile the input.
    #[serde(default)]
    pub tiling: bool,
    /// The reason for the case.
    #[serde(default)]
    pub note: String,
}

/// An alternative reading of a case.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Alternative {
    /// Text by channel.
    pub channels: BTreeMap<String, String>,
}

/// The input of a case.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
pub enum Input {
    /// In one piece.
    Whole(String),
    /// In chunks.
    Chunks(Vec<String>),
}

impl Input {
    /// The whole input.
    #[must_use]
    pub fn text(&self) -> String {
        match self {
            Self::Whole(text) => text.clone(),
            Self::Chunks(chunks) => chunks.concat(),
        }
    }
}

/// All cases.
///
/// # Panics
///
/// If the file is missing, or a line is not a case.
#[must_use]
pub fn cases() -> Vec<TagCase> {
    let file = root().join("tags/cases.ndjson");
    let text = fs::read_to_string(&file).expect("the cases are part of the repository");
    let lines = text.lines().filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

/// The profiles of the corpus, by file name.
///
/// # Panics
///
/// If a file is not a profile.
#[must_use]
pub fn profiles() -> Vec<(String, Profile)> {
    let folder = root().join("tags/profiles");
    let files = fs::read_dir(folder).expect("the profiles are part of the repository");
    let mut files: Vec<PathBuf> = files.flatten().map(|entry| entry.path()).collect();
    files.sort();
    files.iter().map(|file| (name_of(file), profile_in(file))).collect()
}

/// The profile in a file; none if the file does not exist.
///
/// # Panics
///
/// If the file is not a profile.
#[must_use]
pub fn profile(name: &str) -> Option<Profile> {
    let file = root().join(format!("tags/profiles/{name}.json"));
    file.exists().then(|| profile_in(&file))
}

fn profile_in(file: &Path) -> Profile {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{error}"));
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

fn name_of(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
