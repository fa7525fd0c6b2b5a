//! JSON in the table of formats.

use super::JsonFormat;
use crate::format::row::{
    FormatOptions, FormatRow, FormatSample, NewMachine, PromptParts, PromptRequest,
};
use crate::outline::{form, json};

/// JSON.
#[derive(Debug, Clone, Copy)]
pub(crate) struct JsonRow;

impl FormatRow for JsonRow {
    fn name(&self) -> &'static str {
        "json"
    }

    fn about(&self) -> &'static str {
        "JSON"
    }

    fn machine(&self, options: &FormatOptions<'_>) -> NewMachine {
        NewMachine::json(JsonFormat::new(options.json))
    }

    fn prompt(&self, request: &PromptRequest<'_>) -> PromptParts {
        PromptParts {
            opening: "Reply with JSON only:".to_owned(),
            form: request.root.map_or_else(|| "<any JSON value>".to_owned(), form::json),
            skeleton: request.root.map_or_else(|| "<any JSON value>".to_owned(), json::pretty),
            rules: Vec::new(),
        }
    }

    fn sample(&self) -> FormatSample {
        FormatSample::new(
            include_str!("sample.txt"),
            "Reasoning, prose and a fence round the JSON, and a comma too many in it.",
            "of JSON",
        )
    }
}
