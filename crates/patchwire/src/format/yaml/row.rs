//! YAML in the table of formats.

use super::{YamlFormat, skeleton};
use crate::format::row::{
    BarePayload, FieldEnding, FormatOptions, FormatRow, FormatSample, NewMachine, PromptParts,
    PromptRequest, UntidyReading,
};
use crate::text::WHITESPACE;

/// One YAML document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct YamlRow;

impl FormatRow for YamlRow {
    fn name(&self) -> &'static str {
        "yaml_literal"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["yaml-literal"]
    }

    fn about(&self) -> &'static str {
        "A YAML mapping, between markers or in a code fence"
    }

    fn machine(&self, options: &FormatOptions<'_>) -> NewMachine {
        NewMachine::new(YamlFormat::new(options.fields, options.json))
    }

    fn prompt(&self, request: &PromptRequest<'_>) -> PromptParts {
        PromptParts {
            opening: "Reply with this YAML only, between its two marker lines:".to_owned(),
            form: skeleton::prompt_form(request.root, request.names.document.written()),
            skeleton: skeleton::document(request.root, request.names.document.written()),
            rules: vec!["Text is indented under its |-, unescaped."],
        }
    }

    fn fields(&self) -> Option<FieldEnding> {
        Some(FieldEnding { types_text: false, unwraps_text: true })
    }

    fn fields_without_envelope(
        &self,
        text: &str,
        options: &FormatOptions<'_>,
    ) -> Option<BarePayload> {
        // Without a schema, prose could look like a mapping.
        let schema = options.json.schema.as_ref()?;
        // A key ends at the first colon before whitespace, so one lookup is enough, however many are declared.
        let is_key = |line: &str| {
            let mut colons = line.match_indices(':').map(|(at, _)| at);
            let ends =
                |at: &usize| line[at + 1..].is_empty() || line[at + 1..].starts_with(WHITESPACE);
            colons.find(ends).is_some_and(|at| schema.declares(schema.root(), &line[..at]))
        };
        let mut lines = text.split_inclusive('\n');
        let mut start = 0;
        let begins = |line: &str| {
            let found = is_key(line);
            start += if found { 0 } else { line.len() };
            found
        };
        lines.any(begins).then(|| BarePayload {
            start,
            machine: NewMachine::new(YamlFormat::in_document(options.fields, options.json)),
            end: "\n...\n",
        })
    }

    fn untidy_reading(&self) -> UntidyReading {
        UntidyReading::Yaml
    }

    fn missing_marker(&self) -> &'static str {
        ", with no `<<<BEGIN …>>>` of the document, and no YAML fence"
    }

    fn sample(&self) -> FormatSample {
        FormatSample::new(
            include_str!("sample.txt"),
            "YAML with block texts, a list of mappings, and a `yes` that is a word.",
            "of YAML",
        )
        .with_schema(
            r#"{"title": "str", "method": "str", "tip": "str",
                "times": [{"step": "str", "min": "int"}], "tags": [["str"]], "done": "str"}"#,
        )
    }
}
