//! Builds one tag set from the values of `--tags`.

use std::io;
use std::path::Path;

use patchwire::{
    TagSet,
    tags::{Channel, Family, TagSetError},
};

use crate::args::{Strictness, Tags};

/// A tag set cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TagsError {
    #[error(
        "cannot read the tag set {name}: {error}; give a file that ends in .toml or .json, or \
         a name that `patchwire parse --help` lists"
    )]
    File { name: String, error: io::Error },
    #[error("the tag set {name} cannot be used: {why}")]
    Set { name: String, why: String },
    #[error("the tag sets conflict: {0}")]
    Conflict(TagSetError),
    #[error("`--tags none` cannot be combined with other tag sets")]
    NoneAndMore,
}

/// The tags to look for.
pub(crate) enum Wanted {
    /// The default of lenient reading.
    Default,
    /// No tags.
    None,
    Set(TagSet),
}

impl Wanted {
    pub(crate) fn new(asked: &[Tags], strictness: Strictness) -> Result<Self, TagsError> {
        match asked {
            [] if strictness == Strictness::Lenient => Ok(Self::Default),
            [] | [Tags::None] => Ok(Self::None),
            // A single set is used as it is: merging would lose its set-wide settings.
            [one] => load(one).map(Self::Set),
            several => merge(several).map(Self::Set),
        }
    }

    /// Whether a family has the channel `answer`.
    pub(crate) fn has_answer(&self) -> bool {
        let Self::Set(set) = self else { return false };
        set.families().iter().any(|family| family.channel() == &Channel::Answer)
    }

    /// Whether some families have a named channel and none has the channel `answer`.
    pub(crate) fn has_only_parts(&self) -> bool {
        let Self::Set(set) = self else { return false };
        let is_part = |family: &Family| matches!(family.channel(), Channel::Named(_));
        set.families().iter().any(is_part) && !self.has_answer()
    }

    /// The names of the families, for messages.
    pub(crate) fn families(&self) -> Vec<String> {
        let names = |set: &TagSet| set.families().iter().map(|f| f.name().to_owned()).collect();
        match self {
            Self::Default => names(&TagSet::think()),
            Self::None => Vec::new(),
            Self::Set(set) => names(set),
        }
    }
}

fn merge(several: &[Tags]) -> Result<TagSet, TagsError> {
    let mut builder = TagSet::builder();
    for one in several {
        builder = builder.include(&load(one)?);
    }
    builder.build().map_err(TagsError::Conflict)
}

fn load(tags: &Tags) -> Result<TagSet, TagsError> {
    match tags {
        Tags::None => Err(TagsError::NoneAndMore),
        Tags::Set(set) => Ok(set.clone()),
        Tags::File(file) => read(file),
    }
}

fn read(file: &Path) -> Result<TagSet, TagsError> {
    let name = file.display().to_string();
    let text = match std::fs::read_to_string(file) {
        Ok(text) => text,
        Err(error) => return Err(TagsError::File { name, error }),
    };
    let set = if Tags::is_json(file) { TagSet::from_json(&text) } else { TagSet::from_toml(&text) };
    set.map_err(|error| TagsError::Set { name, why: one_line(&error.to_string()) })
}

/// Joins an error of several lines, and drops the excerpt that TOML errors draw.
fn one_line(message: &str) -> String {
    let is_picture = |line: &str| {
        line.trim_start_matches(|char: char| char == ' ' || char.is_ascii_digit()).starts_with('|')
    };
    let lines: Vec<&str> = message
        .lines()
        .filter(|line| !line.trim().is_empty() && !is_picture(line))
        .map(str::trim)
        .collect();
    lines.join(": ")
}

#[cfg(test)]
mod tests {
    use super::one_line;

    #[test]
    fn an_error_is_one_line() {
        let drawn = "TOML parse error at line 2, column 1\n  |\n2 | a|b\n  | ^^\nno such key\n";
        assert_eq!(one_line(drawn), "TOML parse error at line 2, column 1: no such key");
        assert_eq!(one_line("family `a`: a | b"), "family `a`: a | b");
    }
}
