//! Model answers that ship with the project, one for each format and one with tags, with the [`Spec`]
//! that reads each.
//!
//! The samples of the formats are part of the engine's table of formats. The demo of the command and the
//! page of `patchwire-web` show them. The crate depends on the engine only, so that the demo needs no HTTP.
//!
//! ```
//! let sample = patchwire_samples::by_name("hybrid").ok_or("no such sample")?;
//! let answer = sample.spec()?.parse(sample.text)?;
//! assert!(answer.value().get("steps").is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]
// Shows on docs.rs which features an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod hostile;
mod tokens;

use patchwire::{Format, Schema, Spec, SpecError, TagSet, schema::SchemaError};

pub use tokens::tokens;

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// An answer, and the settings to read it with.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Sample {
    /// The name on the page and in the gateway.
    pub name: &'static str,
    /// What the model wrote.
    pub text: &'static str,
    /// A sentence about the interesting parts of the answer.
    pub about: &'static str,
    /// What it consists of; completes "an answer".
    pub made_of: &'static str,
    format: Format,
    schema: Option<&'static str>,
    tags: Option<fn() -> TagSet>,
}

/// A sample whose settings are invalid.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// The schema is invalid.
    #[error("the schema of the sample cannot be used: {0}")]
    Schema(#[from] SchemaError),
    /// The settings conflict.
    #[error("the settings of the sample cannot be used: {0}")]
    Spec(#[from] SpecError),
}

impl Sample {
    /// The spec that reads the answer.
    ///
    /// # Errors
    /// None for the samples of this crate: a test builds each.
    pub fn spec(&self) -> Result<Spec, SampleError> {
        let mut builder = Spec::builder().format(self.format);
        if let Some(schema) = self.schema {
            builder = builder.schema(Schema::from_text(schema)?);
        }
        if let Some(tags) = self.tags {
            builder = builder.tags(tags());
        }
        Ok(builder.build()?)
    }

    /// The schema that it is read with, as text.
    #[must_use]
    pub const fn schema(&self) -> Option<&'static str> {
        self.schema
    }

    /// The tag set that it is read with, if it is not the default.
    #[must_use]
    pub fn tags(&self) -> Option<TagSet> {
        self.tags.map(|tags| tags())
    }

    /// The format that it is read with.
    #[must_use]
    pub const fn format(&self) -> Format {
        self.format
    }

    fn of(format: Format) -> Option<Self> {
        let sample = format.sample()?;
        Some(Self {
            name: format.name(),
            text: sample.text,
            about: sample.about,
            made_of: sample.made_of,
            format,
            schema: sample.schema,
            tags: None,
        })
    }
}

/// The sample with this name.
#[must_use]
pub fn by_name(name: &str) -> Option<Sample> {
    all().find(|sample| sample.name == name)
}

/// All of them, in the order in which they are best looked at: one for each format, then [`TAGS`].
pub fn all() -> impl Iterator<Item = Sample> {
    Format::ALL.into_iter().filter_map(Sample::of).chain([TAGS])
}

/// What a model writes that was given a scratch pad and forgets how to use it: a closer that closes
/// nothing, a thought in the middle of the output, and an output that begins twice.
pub const TAGS: Sample = Sample {
    name: "tags",
    text: include_str!("texts/tags.txt"),
    about: "A scratch pad and an output that begins twice, with a stray closer between.",
    made_of: "with tags",
    format: Format::Text,
    schema: None,
    tags: Some(TagSet::scratchpad),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sample_has_a_value_under_its_own_name() {
        for sample in all() {
            let spec = sample.spec().unwrap();
            assert!(spec.parse(sample.text).unwrap().value().exists(), "{}", sample.name);
            assert_eq!(by_name(sample.name).unwrap().text, sample.text);
        }
        assert!(by_name("none").is_none());
    }

    #[test]
    fn each_format_but_auto_has_a_sample() {
        assert_eq!(all().count(), Format::ALL.len());
    }
}
