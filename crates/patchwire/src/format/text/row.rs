//! Plain text in the table of formats.

use super::TextFormat;
use crate::format::row::{
    FormatOptions, FormatRow, FormatSample, NewMachine, PromptParts, PromptRequest,
};

/// Plain text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TextRow;

impl FormatRow for TextRow {
    fn name(&self) -> &'static str {
        "text"
    }

    fn about(&self) -> &'static str {
        "No format: the text is the answer"
    }

    fn machine(&self, _options: &FormatOptions<'_>) -> NewMachine {
        NewMachine::new(TextFormat)
    }

    fn has_payload(&self) -> bool {
        false
    }

    fn prompt(&self, _request: &PromptRequest<'_>) -> PromptParts {
        PromptParts {
            opening: "Reply with the text itself and nothing else.".to_owned(),
            form: String::new(),
            skeleton: String::new(),
            rules: Vec::new(),
        }
    }

    fn sample(&self) -> FormatSample {
        FormatSample::new(
            include_str!("sample.txt"),
            "No payload at all: reasoning, and a text that is the answer.",
            "of text",
        )
    }
}
