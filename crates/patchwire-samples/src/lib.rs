//! Model answers that ship with the project, one for each format, with the [`Spec`] that reads each.
//!
//! The demo of the command and the page of `patchwire-web` show them. The crate depends on the engine
//! only, so that the demo needs no HTTP.
//!
//! ```
//! let sample = patchwire_samples::by_name("hybrid").ok_or("no such sample")?;
//! let answer = sample.spec()?.parse(sample.text)?;
//! assert!(answer.value().get("steps").is_some());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

mod tokens;

use patchwire::{Format, Schema, Spec, SpecError, TagSet, schema::SchemaError};

pub use tokens::tokens;

/// An answer, and how it is read.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Sample {
    /// The name, as the page and the gateway take it.
    pub name: &'static str,
    /// What the model wrote.
    pub text: &'static str,
    /// What is worth looking at in it: a sentence.
    pub about: &'static str,
    format: Format,
    schema: Option<&'static str>,
    tags: Option<fn() -> TagSet>,
}

/// A sample that cannot be read as it says.
#[derive(Debug, Clone, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// The schema is none.
    #[error("the schema of the sample cannot be used: {0}")]
    Schema(#[from] SchemaError),
    /// The settings contradict one another.
    #[error("the settings of the sample cannot be used: {0}")]
    Spec(#[from] SpecError),
}

impl Sample {
    /// How the answer is read.
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
}

/// The sample of that name.
#[must_use]
pub fn by_name(name: &str) -> Option<&'static Sample> {
    ALL.into_iter().find(|sample| sample.name == name)
}

/// All of them, in the order in which they are best looked at.
pub const ALL: [&Sample; 7] = [&JSON, &XML_FIELD, &HYBRID, &MARKDOWN, &YAML_LITERAL, &TEXT, &TAGS];

/// What a model writes when it is asked for JSON: reasoning, prose, a fence, and a slip.
pub static JSON: Sample = Sample {
    name: "json",
    text: include_str!("texts/json.txt"),
    about: "Reasoning, prose and a fence round the JSON, and a comma too many in it.",
    format: Format::Json,
    schema: None,
    tags: None,
};

/// Fields between tags: a closer and an opener that are text, a section, a field that is JSON.
pub static XML_FIELD: Sample = Sample {
    name: "xml_field",
    text: include_str!("texts/xml_field.txt"),
    about: "Fields between tags. One holds a closer that closes nothing.",
    format: Format::XmlField,
    schema: Some(
        r#"{"title": "str", "note": "str", "code": "str",
            "stars": {"calm": "int", "clear": ["list"]}}"#,
    ),
    tags: None,
};

/// Sections: a header in a fence, JSON with a slip, a header that the schema does not know.
pub static HYBRID: Sample = Sample {
    name: "hybrid",
    text: include_str!("texts/hybrid.txt"),
    about: "Sections under headers, some of them JSON. One header is a comment in a fence.",
    format: Format::Hybrid,
    schema: Some(
        r#"{"summary": "str", "script": "str",
            "steps": [{"do": "str", "min": "number"}], "safe": "bool", "verdict": "str"}"#,
    ),
    tags: None,
};

/// Sections of another level, in another spelling.
pub static MARKDOWN: Sample = Sample {
    name: "markdown",
    text: include_str!("texts/markdown.txt"),
    about: "Sections, all of them text. A header inside a fence belongs to somebody else.",
    format: Format::Markdown,
    schema: Some(r#"{"summary": "str", "verdict": "str"}"#),
    tags: None,
};

/// YAML: block scalars, mappings in a list, brackets, and what older YAML takes for a bool.
pub static YAML_LITERAL: Sample = Sample {
    name: "yaml_literal",
    text: include_str!("texts/yaml_literal.txt"),
    about: "YAML with block texts, a list of mappings, and a `yes` that is a word.",
    format: Format::YamlLiteral,
    schema: Some(
        r#"{"title": "str", "method": "str", "tip": "str",
            "times": [{"step": "str", "min": "int"}], "tags": [["str"]], "done": "str"}"#,
    ),
    tags: None,
};

/// Reasoning, and a text.
pub static TEXT: Sample = Sample {
    name: "text",
    text: include_str!("texts/text.txt"),
    about: "No payload at all: reasoning, and a text that is the answer.",
    format: Format::Text,
    schema: None,
    tags: None,
};

/// What a model writes that was given a scratch pad and forgets how to use it: a closer that closes
/// nothing, a thought in the middle of the output, and an output that begins twice.
pub static TAGS: Sample = Sample {
    name: "tags",
    text: include_str!("texts/tags.txt"),
    about: "A scratch pad and an output that begins twice, with a stray closer between.",
    format: Format::Text,
    schema: None,
    tags: Some(TagSet::scratchpad),
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_sample_has_a_value_under_its_own_name() {
        for sample in ALL {
            let spec = sample.spec().unwrap();
            assert!(spec.parse(sample.text).unwrap().value().exists(), "{}", sample.name);
            assert_eq!(by_name(sample.name).unwrap().text, sample.text);
        }
        assert!(by_name("none").is_none());
    }
}
