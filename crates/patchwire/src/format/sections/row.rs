//! Sections under headers in the table of formats: two rows, `hybrid` and `markdown`.

use super::Sections;
use crate::format::row::{
    FieldEnding, FormatOptions, FormatRow, FormatSample, MemberTypes, NewMachine, PromptParts,
    PromptRequest, UntidyReading,
};
use crate::outline::{Form, Item, Kind, form, json, text_placeholder};

/// Sections under headers.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SectionsRow {
    /// Whether fields of other types than text are JSON. Otherwise they stream as text.
    typed: bool,
}

impl SectionsRow {
    pub(crate) const HYBRID: Self = Self { typed: true };
    pub(crate) const MARKDOWN: Self = Self { typed: false };
}

impl FormatRow for SectionsRow {
    fn name(&self) -> &'static str {
        if self.typed { "hybrid" } else { "markdown" }
    }

    fn aliases(&self) -> &'static [&'static str] {
        if self.typed { &[] } else { &["flat_markdown", "flat-markdown"] }
    }

    fn about(&self) -> &'static str {
        if self.typed {
            "Sections under headers: text, or JSON where the schema has no text"
        } else {
            "Sections under headers, all of them text; also called flat_markdown"
        }
    }

    fn machine(&self, options: &FormatOptions<'_>) -> NewMachine {
        NewMachine::new(Sections::new(options.fields, options.json, self.typed))
    }

    fn prompt(&self, request: &PromptRequest<'_>) -> PromptParts {
        let mut rules = vec!["Text is written as it is, unescaped."];
        if self.typed && request.has_values() {
            rules.push("A json fence holds one JSON value.");
        }
        if !self.typed && request.members().iter().any(may_be_fenced) {
            rules.push("Lists and objects are JSON in a json fence.");
        }
        PromptParts {
            opening: "Reply with these sections only, under these headers:".to_owned(),
            form: skeleton(request.members(), !self.typed, form::text, form::json),
            skeleton: skeleton(request.members(), !self.typed, text_placeholder, json::pretty),
            rules,
        }
    }

    fn fields(&self) -> Option<FieldEnding> {
        Some(FieldEnding { types_text: !self.typed, unwraps_text: false })
    }

    fn is_automatic_for(&self, members: MemberTypes) -> bool {
        self.typed && members.texts && members.values
    }

    fn untidy_reading(&self) -> UntidyReading {
        UntidyReading::Sections
    }

    fn missing_marker(&self) -> &'static str {
        ", with no header such as `### name`"
    }

    fn sample(&self) -> FormatSample {
        if self.typed {
            return FormatSample::new(
                include_str!("hybrid.txt"),
                "Sections under headers, some of them JSON. One header is a comment in a fence.",
                "of sections",
            )
            .with_schema(
                r#"{"summary": "str", "script": "str",
                    "steps": [{"do": "str", "min": "number"}], "safe": "bool", "verdict": "str"}"#,
            );
        }
        FormatSample::new(
            include_str!("markdown.txt"),
            "Sections, all of them text. A header inside a fence belongs to somebody else.",
            "of sections",
        )
        .with_schema(r#"{"summary": "str", "verdict": "str"}"#)
    }
}

/// Sections with placeholders; `bare`: scalars have no fence.
fn skeleton(
    members: &[Item],
    bare: bool,
    text: impl Fn(&Item) -> Option<String>,
    value: impl Fn(&Item) -> String,
) -> String {
    let section = |item: &Item| {
        let value = match (text(item), &item.form) {
            (Some(text), _) => text,
            (None, Form::Scalar(_)) if bare => value(item),
            (None, _) => format!("```json\n{}\n```", value(item)),
        };
        format!("### {}\n{value}", item.name)
    };
    let mut sections: Vec<String> = members.iter().map(section).collect();
    if sections.is_empty() {
        sections.push("### <name>\n<text>".to_owned());
    }
    sections.join("\n\n")
}

/// Whether a member of markdown may be a list or an object.
fn may_be_fenced(item: &Item) -> bool {
    match &item.form {
        Form::Scalar(kinds) => kinds.contains(&Kind::Any),
        _ => true,
    }
}
