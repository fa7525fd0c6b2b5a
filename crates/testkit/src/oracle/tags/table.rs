//! Cases that are data: `corpus/tags`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::Value;

use super::Profile;
use crate::corpus::root;

/// One text, and what it means.
///
/// `input` is a text, or a list of chunks where the cuts matter. Of what is expected a case says
/// what it is about; `steps` are rows as [`super::Step::row`] makes them, without `reclassify`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TagCase {
    /// Unique.
    pub name: String,
    /// Whose behaviour made it a case.
    pub from: String,
    /// The tag set; some have no file, since they need more than a tag set says.
    pub profile: String,
    /// The family that the text begins inside of.
    #[serde(default)]
    pub start_in: Option<String>,
    /// The text.
    pub input: Input,
    /// Text by channel, and no other.
    #[serde(default)]
    pub channels: Option<BTreeMap<String, String>>,
    /// Everything in order.
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
    /// What it comes to in the end.
    #[serde(default)]
    pub outcome: Option<String>,
    /// What fields come of it.
    #[serde(default)]
    pub fields: Option<BTreeMap<String, String>>,
    /// What it means if the open fence or string hides nothing.
    #[serde(default)]
    pub alternative: Option<Alternative>,
    /// The tree of an `xml` body, in order: attributes as `@name`, text as `#text`.
    #[serde(default)]
    pub tree: Option<Value>,
    /// What each chunk gives out at once, as `[channel, text]`.
    #[serde(default)]
    pub per_push: Option<Vec<Vec<(String, String)>>>,
    /// What the end gives out.
    #[serde(default)]
    pub flush: Option<Vec<(String, String)>>,
    /// Runs of text, and whether they are special tokens.
    #[serde(default)]
    pub tokens: Option<Vec<(String, bool)>>,
    /// How many bytes may be held at any time.
    #[serde(default)]
    pub max_held: Option<usize>,
    /// Cuts inside of characters are to be tried.
    #[serde(default)]
    pub byte_chunks: bool,
    /// Text that was given out stays.
    #[serde(default)]
    pub monotonic: bool,
    /// The input over and over takes time in proportion.
    #[serde(default)]
    pub linear: bool,
    /// The spans of what is told cover the input.
    #[serde(default)]
    pub tiling: bool,
    /// Why it is as it is.
    #[serde(default)]
    pub note: String,
}

/// Another reading of a case.
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
    /// At once.
    Whole(String),
    /// As it came.
    Chunks(Vec<String>),
}

impl Input {
    /// The whole of it.
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
/// If the file is not there, or a line is no case.
#[must_use]
pub fn cases() -> Vec<TagCase> {
    let file = root().join("tags/cases.ndjson");
    let text = fs::read_to_string(&file).expect("the cases are part of the repository");
    let lines = text.lines().filter(|line| !line.is_empty());
    lines.map(|line| serde_json::from_str(line).unwrap_or_else(|e| panic!("{e}: {line}"))).collect()
}

/// The profiles of the corpus by their file names, in order.
///
/// # Panics
///
/// If a file is no profile.
#[must_use]
pub fn profiles() -> Vec<(String, Profile)> {
    let folder = root().join("tags/profiles");
    let files = fs::read_dir(folder).expect("the profiles are part of the repository");
    let mut files: Vec<PathBuf> = files.flatten().map(|entry| entry.path()).collect();
    files.sort();
    files.iter().map(|file| (name_of(file), profile_in(file))).collect()
}

/// A profile by the name of its file; none, if there is no such file.
///
/// # Panics
///
/// If the file is no profile.
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
