//! The answers that come with the command, and how they are read.

use crate::args::{Format, Show};
use crate::settings::{Settings, SettingsError};

/// What a model writes when it is asked for JSON: reasoning, prose, a fence, and a slip.
const JSON: &str = include_str!("samples/json.txt");

/// Fields between tags: a closer and an opener that are text, a section, a field that is JSON.
const XML_FIELD: &str = include_str!("samples/xml_field.txt");
const XML_FIELD_SCHEMA: &str = r#"{"title": "str", "note": "str", "code": "str",
    "stars": {"calm": "int", "clear": ["list"]}}"#;

/// Sections: a header in a fence, JSON with a slip, a header that the schema does not know.
const HYBRID: &str = include_str!("samples/hybrid.txt");
const HYBRID_SCHEMA: &str = r#"{"summary": "str", "script": "str",
    "steps": [{"do": "str", "min": "number"}], "safe": "bool", "verdict": "str"}"#;

/// Sections of another level, in another spelling.
const MARKDOWN: &str = include_str!("samples/markdown.txt");
const MARKDOWN_SCHEMA: &str = r#"{"summary": "str", "verdict": "str"}"#;

/// YAML: block scalars, mappings in a list, brackets, and what older YAML takes for a bool.
const YAML_LITERAL: &str = include_str!("samples/yaml_literal.txt");
const YAML_LITERAL_SCHEMA: &str = r#"{"title": "str", "method": "str", "tip": "str",
    "times": [{"step": "str", "min": "int"}], "tags": [["str"]], "done": "str"}"#;

/// Reasoning, and a text.
const TEXT: &str = include_str!("samples/text.txt");

/// What a model writes that was given a scratch pad and forgets how to use it: a closer that closes
/// nothing, a thought in the middle of the output, and an output that begins twice.
const TAGS: &str = include_str!("samples/tags.txt");

#[cfg(test)]
pub(super) const ALL: [&str; 7] = [JSON, XML_FIELD, HYBRID, MARKDOWN, YAML_LITERAL, TEXT, TAGS];

/// The commands that lead on, and what they do.
pub(super) type Next = &'static [(&'static str, &'static str)];

/// An answer, and how to speak of it.
pub(crate) struct Sample {
    pub(crate) text: &'static str,
    pub(crate) settings: Settings,
    /// What the model writes, in the middle of a sentence.
    pub(super) what: &'static str,
    pub(super) next: Next,
}

const EVENTS: &str = "The same as events:";
const OTHER: &str = "Text between tags:";
const YOURS: &str = "Now yours:";

impl Sample {
    pub(crate) fn of(show: Show) -> Result<Self, SettingsError> {
        let text = match show {
            Show::Json => JSON,
            Show::XmlField => XML_FIELD,
            Show::Hybrid => HYBRID,
            Show::Markdown => MARKDOWN,
            Show::YamlLiteral => YAML_LITERAL,
            Show::Text => TEXT,
            Show::Tags => TAGS,
        };
        let (what, next) = words(show);
        Ok(Self { text, settings: settings(show)?, what, next })
    }
}

fn settings(show: Show) -> Result<Settings, SettingsError> {
    match show {
        Show::Json => Ok(Settings::default()),
        Show::XmlField => Settings::sample(Format::XmlField, XML_FIELD_SCHEMA),
        Show::Hybrid => Settings::sample(Format::Hybrid, HYBRID_SCHEMA),
        Show::Markdown => Settings::sample(Format::Markdown, MARKDOWN_SCHEMA),
        Show::YamlLiteral => Settings::sample(Format::YamlLiteral, YAML_LITERAL_SCHEMA),
        Show::Text => Settings::text(),
        Show::Tags => Settings::scratchpad(),
    }
}

fn words(show: Show) -> (&'static str, Next) {
    match show {
        Show::Json => (
            "of JSON",
            &[
                (EVENTS, "patchwire demo --json"),
                (OTHER, "patchwire demo tags"),
                (YOURS, "my-model | patchwire parse"),
            ],
        ),
        Show::XmlField => (
            "of tagged text",
            &[
                (EVENTS, "patchwire demo xml_field --json"),
                (YOURS, "my-model | patchwire parse --format xml_field"),
            ],
        ),
        Show::Hybrid => (
            "of sections",
            &[
                (EVENTS, "patchwire demo hybrid --json"),
                (YOURS, "my-model | patchwire parse --format hybrid"),
            ],
        ),
        Show::Markdown => (
            "of sections",
            &[
                (EVENTS, "patchwire demo markdown --json"),
                (YOURS, "my-model | patchwire parse --format markdown"),
            ],
        ),
        Show::YamlLiteral => (
            "of YAML",
            &[
                (EVENTS, "patchwire demo yaml_literal --json"),
                (YOURS, "my-model | patchwire parse --format yaml_literal"),
            ],
        ),
        Show::Text => (
            "of text",
            &[
                (EVENTS, "patchwire demo text --json"),
                (YOURS, "my-model | patchwire parse --format text"),
            ],
        ),
        Show::Tags => (
            "with tags",
            &[
                (EVENTS, "patchwire demo tags --json"),
                (YOURS, "my-model | patchwire parse --tags scratchpad"),
            ],
        ),
    }
}
