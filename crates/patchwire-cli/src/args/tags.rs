//! The values of `--tags`: a name, or a file.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};
use patchwire::TagSet;

/// One value of `--tags`.
#[derive(Debug, Clone)]
pub(crate) enum Tags {
    /// No tags: everything is text.
    None,
    /// A built-in tag set.
    Set(TagSet),
    /// A tag set in a file.
    File(PathBuf),
}

/// The name for no tags.
const NONE: &str = "none";

impl Tags {
    /// The names that can be given.
    pub(super) fn names() -> Vec<&'static str> {
        TagSet::PRESETS.iter().copied().chain([NONE]).collect()
    }

    fn of(text: &OsStr) -> Result<Self, String> {
        if text == NONE {
            return Ok(Self::None);
        }
        if let Some(set) = text.to_str().and_then(TagSet::preset) {
            return Ok(Self::Set(set));
        }
        let file = Path::new(text);
        if Self::is_json(file) || ends_in(file, "toml") {
            return Ok(Self::File(file.to_owned()));
        }
        let names = Self::names().join(", ");
        Err(format!("known are {names}; a file would be read if it ended in .toml or .json"))
    }

    /// Whether a tag set's file is JSON; otherwise it is TOML.
    pub(crate) fn is_json(file: &Path) -> bool {
        ends_in(file, "json")
    }
}

fn ends_in(file: &Path, wanted: &str) -> bool {
    file.extension().is_some_and(|own| own.eq_ignore_ascii_case(wanted))
}

/// Parses [`Tags`], and lets shells complete the names.
#[derive(Clone)]
pub(super) struct TagsParser;

impl TypedValueParser for TagsParser {
    type Value = Tags;

    fn parse_ref(&self, cmd: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<Tags, Error> {
        Tags::of(value).map_err(|why| {
            let option = arg.map_or_else(|| "--tags".to_owned(), ToString::to_string);
            let what = format!("invalid value '{}' for '{option}': {why}\n", value.display());
            Error::raw(ErrorKind::ValueValidation, what).with_cmd(cmd)
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Tags::names().into_iter().map(PossibleValue::new)))
    }
}
