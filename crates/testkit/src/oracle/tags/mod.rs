//! The oracle of tag sets: the elements of a text, found without the engine.
//!
//! The engine reads a byte at a time, holds back as little as possible and never looks back. This oracle
//! reads the *whole* text: at each place it tries every marker, with unlimited look-ahead, and computes
//! from the element's text so far whether code hides the marker. It shares neither types nor code with the
//! engine; both follow `docs/tags.md`.
//!
//! [`profile`] is the data form of a tag set. [`marker`] and [`attributes`] match a marker at a place.
//! [`code`] computes what code hides. [`place`] decides which markers count where, and what they close.
//! [`find`] looks for those that count. [`reader`] walks over the text. [`table`] reads cases.

pub mod attributes;
pub mod code;
pub mod enclosed;
pub mod find;
pub mod marker;
mod mentions;
pub mod place;
pub mod profile;
pub mod reader;
pub mod table;

use core::ops::Range;

use serde_json::{Value, json};

pub use profile::Profile;

/// Why an element ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reason {
    /// Its closer was read, or it is void.
    Observed,
    /// The text ended.
    EndOfInput,
    /// Its opener occurred again, and the family has `restart`.
    Reopened,
    /// An element around it closed.
    CloseThrough,
    /// The closer of another member of its group, or one with other parameters.
    Mismatched,
    /// Its opener occurred again, and the family has `sibling`.
    SiblingOpener,
    /// An opener interrupted reasoning.
    Interrupted,
}

impl Reason {
    /// The name in cases and events.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Observed => "observed",
            Self::EndOfInput => "end_of_input",
            Self::Reopened => "reopened",
            Self::CloseThrough => "close_through",
            Self::Mismatched => "mismatched",
            Self::SiblingOpener => "sibling_opener",
            Self::Interrupted => "interrupted",
        }
    }

    /// Whether the text had a closer for the element.
    #[must_use]
    pub const fn has_closer(self) -> bool {
        matches!(self, Self::Observed | Self::Mismatched)
    }
}

/// A step of the result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// An element opens.
    Open {
        /// The family.
        name: String,
        /// Parameters of the marker, then attributes, as written; a bare attribute has no value.
        params: Vec<(String, String)>,
    },
    /// Text of the innermost element.
    Text {
        /// The channel.
        channel: String,
        /// The text as written.
        text: String,
    },
    /// The innermost element closes.
    Close {
        /// The family.
        name: String,
        /// The reason.
        reason: Reason,
    },
    /// A closer with nothing to close was dropped.
    Stray {
        /// The family of the closer.
        name: String,
    },
    /// A comment.
    Comment {
        /// The text between its ends.
        text: String,
    },
    /// Text that was emitted before belongs to another channel.
    Reclassify {
        /// Its first byte.
        from: usize,
        /// The position after its last byte.
        to: usize,
        /// The channel that it belongs to.
        channel: String,
    },
}

impl Step {
    /// The step as a row of a case: `["open", name, params?]`, `["text", channel, text]`, `["close", name,
    /// reason]`, `["stray", name]`, `["comment", text]`, `["reclassify", from, to, channel]`. Parameters
    /// are pairs, in order.
    #[must_use]
    pub fn row(&self) -> Value {
        match self {
            Self::Open { name, params } if params.is_empty() => json!(["open", name]),
            Self::Open { name, params } => json!(["open", name, params]),
            Self::Text { channel, text } => json!(["text", channel, text]),
            Self::Close { name, reason } => json!(["close", name, reason.name()]),
            Self::Stray { name } => json!(["stray", name]),
            Self::Comment { text } => json!(["comment", text]),
            Self::Reclassify { from, to, channel } => json!(["reclassify", from, to, channel]),
        }
    }
}

/// The meaning of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// The steps in order; adjacent texts are joined.
    pub steps: Vec<Step>,
    /// The bytes of each step: those of the text or the marker, or none.
    pub spans: Vec<Range<usize>>,
    /// The notices in order, as `code:detail`.
    pub notices: Vec<String>,
}

impl Reading {
    /// The text of a channel, joined.
    #[must_use]
    pub fn channel(&self, of: &str) -> String {
        let texts = self.steps.iter().filter_map(|step| match step {
            Step::Text { channel, text } if channel == of => Some(text.as_str()),
            _ => None,
        });
        texts.collect()
    }

    /// The channels with text, in order of their first text.
    #[must_use]
    pub fn channels(&self) -> Vec<&str> {
        let mut channels: Vec<&str> = Vec::new();
        for step in &self.steps {
            if let Step::Text { channel, .. } = step
                && !channels.contains(&channel.as_str())
            {
                channels.push(channel);
            }
        }
        channels
    }
}

/// Reads a whole text. It begins inside an element of the family `start_in`, if that is given.
///
/// # Panics
///
/// If the profile has no such family.
#[must_use]
pub fn read(profile: &Profile, text: &str, start_in: Option<&str>) -> Reading {
    reader::Reader::new(profile, text, start_in).read()
}
