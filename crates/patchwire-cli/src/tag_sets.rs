//! From what `--tags` asks for to one tag set.

use std::io;
use std::path::Path;

use patchwire::{
    TagSet,
    tags::{Channel, Family, TagSetError},
};

use crate::args::{Strictness, Tags};

/// Tag sets that cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum TagsError {
    #[error("cannot read the tag set {name}: {error}")]
    File { name: String, error: io::Error },
    #[error("the tag set {name} cannot be used: {why}")]
    Set { name: String, why: String },
    #[error("the tag sets do not go together: {0}")]
    Conflict(TagSetError),
    #[error("`--tags none` stands alone: leave it out, or the other tag sets")]
    NoneAndMore,
}

/// Elements to look for.
pub(crate) enum Wanted {
    /// What lenient reading looks for if nobody says.
    Default,
    /// None at all.
    None,
    Set(TagSet),
}

impl Wanted {
    pub(crate) fn new(asked: &[Tags], strictness: Strictness) -> Result<Self, TagsError> {
        match asked {
            [] if strictness == Strictness::Lenient => Ok(Self::Default),
            [] | [Tags::None] => Ok(Self::None),
            // As it is: what holds for a whole set is not merged.
            [one] => load(one).map(Self::Set),
            several => merge(several).map(Self::Set),
        }
    }

    /// Whether an element is looked for that is the answer.
    pub(crate) fn has_answer(&self) -> bool {
        let Self::Set(set) = self else { return false };
        set.families().iter().any(|family| family.channel() == &Channel::Answer)
    }

    /// Whether elements are looked for that a user is to see, and none of them is the answer.
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

/// Without the picture that errors of TOML draw of the place.
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
