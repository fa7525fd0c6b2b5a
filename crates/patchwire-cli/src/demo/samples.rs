//! The built-in answers, and the words that introduce them.

use patchwire_samples as samples;

use crate::args::DemoFormat;
use crate::settings::{Settings, SettingsError};

/// The commands to try next: a title and a command each.
pub(super) type Next = &'static [(&'static str, &'static str)];

/// An answer, and the words that introduce it.
pub(crate) struct Sample {
    pub(crate) text: &'static str,
    pub(crate) settings: Settings,
    /// Describes the text in the middle of a sentence.
    pub(super) what: &'static str,
    pub(super) next: Next,
}

const EVENTS: &str = "Its events as JSON:";
const OTHER: &str = "Text between tags:";
const YOURS: &str = "Now yours:";

impl Sample {
    pub(crate) fn of(show: DemoFormat) -> Result<Self, SettingsError> {
        let sample = match show {
            DemoFormat::Json => &samples::JSON,
            DemoFormat::XmlField => &samples::XML_FIELD,
            DemoFormat::Hybrid => &samples::HYBRID,
            DemoFormat::Markdown => &samples::MARKDOWN,
            DemoFormat::YamlLiteral => &samples::YAML_LITERAL,
            DemoFormat::Text => &samples::TEXT,
            DemoFormat::Tags => &samples::TAGS,
        };
        let (what, next) = words(show);
        Ok(Self { text: sample.text, settings: Settings::sample(sample)?, what, next })
    }
}

fn words(show: DemoFormat) -> (&'static str, Next) {
    match show {
        DemoFormat::Json => (
            "of JSON",
            &[
                (EVENTS, "patchwire demo --json"),
                (OTHER, "patchwire demo tags"),
                (YOURS, "my-model | patchwire parse"),
            ],
        ),
        DemoFormat::XmlField => (
            "of tagged text",
            &[
                (EVENTS, "patchwire demo xml_field --json"),
                (YOURS, "my-model | patchwire parse --format xml_field"),
            ],
        ),
        DemoFormat::Hybrid => (
            "of sections",
            &[
                (EVENTS, "patchwire demo hybrid --json"),
                (YOURS, "my-model | patchwire parse --format hybrid"),
            ],
        ),
        DemoFormat::Markdown => (
            "of sections",
            &[
                (EVENTS, "patchwire demo markdown --json"),
                (YOURS, "my-model | patchwire parse --format markdown"),
            ],
        ),
        DemoFormat::YamlLiteral => (
            "of YAML",
            &[
                (EVENTS, "patchwire demo yaml_literal --json"),
                (YOURS, "my-model | patchwire parse --format yaml_literal"),
            ],
        ),
        DemoFormat::Text => (
            "of text",
            &[
                (EVENTS, "patchwire demo text --json"),
                (YOURS, "my-model | patchwire parse --format text"),
            ],
        ),
        DemoFormat::Tags => (
            "with tags",
            &[
                (EVENTS, "patchwire demo tags --json"),
                (YOURS, "my-model | patchwire parse --tags scratchpad"),
            ],
        ),
    }
}
