//! The built-in answers, and the words that introduce them.

use patchwire::Format;
use patchwire_samples as samples;

use crate::settings::{Settings, SettingsError};

/// The commands to try next: a title and a command each.
pub(super) type Next = Vec<(&'static str, String)>;

/// An answer, and the words that introduce it.
pub(crate) struct Sample {
    pub(crate) text: &'static str,
    pub(crate) settings: Settings,
    /// Describes the text in the middle of a sentence.
    pub(super) what: &'static str,
    pub(super) next: Next,
}

impl Sample {
    pub(crate) fn of(sample: &samples::Sample) -> Result<Self, SettingsError> {
        let settings = Settings::sample(sample)?;
        Ok(Self { text: sample.text, settings, what: sample.made_of, next: next(sample) })
    }
}

/// What to try after a sample. The default sample also introduces the one with tags.
fn next(sample: &samples::Sample) -> Next {
    let name = sample.name;
    let is_default = name == Format::default().name();
    let (demo, options) = match name {
        _ if is_default => ("patchwire demo".to_owned(), String::new()),
        _ if name == samples::TAGS.name => {
            (format!("patchwire demo {name}"), " --tags scratchpad".to_owned())
        }
        _ => (format!("patchwire demo {name}"), format!(" --format {name}")),
    };
    let mut next = vec![("Its events as JSON:", format!("{demo} --json"))];
    if is_default {
        next.push(("Text between tags:", format!("patchwire demo {}", samples::TAGS.name)));
    }
    next.push(("Now yours:", format!("my-model | patchwire parse{options}")));
    next
}
