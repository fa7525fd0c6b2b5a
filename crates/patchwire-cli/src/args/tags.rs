//! What `--tags` takes: a name, or a file.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};
use patchwire::TagSet;

/// A tag set, as it is asked for.
#[derive(Debug, Clone)]
pub(crate) enum Tags {
    /// All is text.
    None,
    /// One that comes with the engine.
    Set(TagSet),
    /// One to be read.
    File(PathBuf),
}

/// The name for no elements at all.
const NONE: &str = "none";

impl Tags {
    /// What can be asked for by name.
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

    /// Whether a file with a tag set is JSON; else it is TOML.
    pub(crate) fn is_json(file: &Path) -> bool {
        ends_in(file, "json")
    }
}

fn ends_in(file: &Path, wanted: &str) -> bool {
    file.extension().is_some_and(|own| own.eq_ignore_ascii_case(wanted))
}

/// Takes what [`Tags`] can be; shells complete the names.
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
