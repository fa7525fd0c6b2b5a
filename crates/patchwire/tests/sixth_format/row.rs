//! The row of the sixth format.

use patchwire::internals::{
    FieldEnding, FormatOptions, FormatRow, FormatSample, NewMachine, PromptParts, PromptRequest,
};

use super::machine::Lines;

/// Lines of `key: value`.
#[derive(Debug)]
pub(super) struct LinesRow;

impl FormatRow for LinesRow {
    fn name(&self) -> &'static str {
        "lines"
    }

    fn about(&self) -> &'static str {
        "Lines of `key: value`, each value a text"
    }

    fn machine(&self, _options: &FormatOptions<'_>) -> NewMachine {
        NewMachine::new(Lines::default())
    }

    fn prompt(&self, request: &PromptRequest<'_>) -> PromptParts {
        let line = |name: &str| format!("{name}: <text>");
        let lines: Vec<String> = request.members().iter().map(|item| line(&item.name)).collect();
        PromptParts {
            opening: "Reply with these lines and nothing else.".to_owned(),
            form: lines.join("\n"),
            skeleton: lines.join("\n"),
            rules: vec!["Write each line once."],
        }
    }

    fn fields(&self) -> Option<FieldEnding> {
        Some(FieldEnding { types_text: true, unwraps_text: false })
    }

    fn sample(&self) -> FormatSample {
        FormatSample::new("name: Ada\nsize: 3\n", "Two lines.", "of lines")
            .with_schema(r#"{"name": "str", "size": "int"}"#)
    }
}
