//! JSON in the table of formats.

use super::JsonFormat;
use crate::format::row::{
    ALONE, FormatOptions, FormatRow, FormatSample, NewMachine, PromptParts, PromptRequest,
};
use crate::outline::{Form, json};

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
        let form = request.root.map(|root| &root.form);
        let mut rules = Vec::new();
        let what = match form {
            Some(Form::Object { .. }) => {
                rules.push("Keep the order, and write each field once.");
                "JSON object"
            }
            Some(Form::List(_)) => "JSON list",
            _ => "JSON value",
        };
        rules.push("Inside strings write quotes as \\\" and line breaks as \\n.");
        PromptParts {
            opening: format!("Reply with one {what} and nothing else: {ALONE}"),
            skeleton: request.root.map_or_else(|| "<any JSON value>".to_owned(), json::pretty),
            rules,
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
