//! What a tag set makes of a text, found without the engine.
//!
//! The engine reads a byte at a time, holds as little as it can and never looks back. This reads
//! the *whole* text: at each place it tries every marker, looks as far ahead as it likes, and works
//! out from the element's text so far, again each time, whether code hides the marker. It shares
//! neither types nor code with the engine: both follow `docs/tags.md`.
//!
//! [`profile`] is the data form of a tag set; [`marker`] and [`attributes`] match one marker at one
//! place; [`code`] says what code hides; [`place`] says which markers count where, and what they
//! close; [`find`] looks for those that do; [`reader`] walks over the text; [`table`] reads cases that are data.

pub mod attributes;
pub mod code;
pub mod find;
pub mod marker;
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
    /// Its closer came, or it has no content.
    Observed,
    /// The text ended.
    EndOfInput,
    /// Its own opener came again, and the family restarts.
    Reopened,
    /// An element around it ended.
    CloseThrough,
    /// The closer of another member of its group came, or one with other parameters.
    Mismatched,
    /// Its own opener came again, and its elements stand beside each other.
    SiblingOpener,
    /// An opener came that interrupts reasoning.
    Interrupted,
}

impl Reason {
    /// As cases and events spell it.
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

/// One thing that a text says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// An element begins.
    Open {
        /// The family.
        name: String,
        /// Parameters of the marker, then attributes, as written; a bare attribute has no value.
        params: Vec<(String, String)>,
    },
    /// Text of the innermost element.
    Text {
        /// Where it goes.
        channel: String,
        /// As written.
        text: String,
    },
    /// The innermost element ends.
    Close {
        /// The family.
        name: String,
        /// Why.
        reason: Reason,
    },
    /// A closer that closes nothing was dropped.
    Stray {
        /// The family of the closer.
        name: String,
    },
    /// A comment.
    Comment {
        /// What stands between its ends.
        text: String,
    },
    /// Text given out before belongs elsewhere.
    Reclassify {
        /// Its first byte.
        from: usize,
        /// Behind its last byte.
        to: usize,
        /// Where it belongs.
        channel: String,
    },
}

impl Step {
    /// As a row of a case: `["open", name, params?]`, `["text", channel, text]`,
    /// `["close", name, reason]`, `["stray", name]`, `["comment", text]`,
    /// `["reclassify", from, to, channel]`. Parameters are pairs in order.
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

/// What a text means.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reading {
    /// In order; texts that touch are one.
    pub steps: Vec<Step>,
    /// The bytes that each step is made of: of the text, the marker, or nothing.
    pub spans: Vec<Range<usize>>,
    /// `code:detail`, in order.
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

    /// The channels that got text, in the order in which they did.
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

/// Reads a whole text. It begins inside an element of the family `start_in`, if there is one.
///
/// # Panics
///
/// If the profile has no family of that name.
#[must_use]
pub fn read(profile: &Profile, text: &str, start_in: Option<&str>) -> Reading {
    reader::Reader::new(profile, text, start_in).read()
}
