//! Fields between tags in the table of formats.

use super::XmlFieldFormat;
use crate::format::row::{
    BarePayload, FieldEnding, FormatOptions, FormatRow, FormatSample, MemberTypes, NewMachine,
    PromptParts, PromptRequest, UntidyReading,
};
use crate::outline::{Item, form, json, text_placeholder};

/// Fields between tags.
#[derive(Debug, Clone, Copy)]
pub(crate) struct XmlFieldRow;

impl FormatRow for XmlFieldRow {
    fn name(&self) -> &'static str {
        "xml_field"
    }

    fn aliases(&self) -> &'static [&'static str] {
        &["xml-field"]
    }

    fn about(&self) -> &'static str {
        "<field name=\"title\" type=\"text\">…</field>, all inside a root tag"
    }

    fn machine(&self, options: &FormatOptions<'_>) -> NewMachine {
        NewMachine::new(XmlFieldFormat::new(options.fields, options.json))
    }

    fn prompt(&self, request: &PromptRequest<'_>) -> PromptParts {
        let tag = request.names.root_tag.written();
        let mut rules = vec!["Text is written as it is, unescaped."];
        if request.has_values() {
            rules.push("A field of type json holds one JSON value.");
        }
        PromptParts {
            opening: format!("Reply with this <{tag}> element only:"),
            form: skeleton(request.members(), tag, form::text, form::json),
            skeleton: skeleton(request.members(), tag, text_placeholder, json::pretty),
            rules,
        }
    }

    fn fields(&self) -> Option<FieldEnding> {
        Some(FieldEnding::default())
    }

    fn fields_without_envelope(
        &self,
        text: &str,
        options: &FormatOptions<'_>,
    ) -> Option<BarePayload> {
        let start = XmlFieldFormat::first_field(text)?;
        let machine = XmlFieldFormat::in_root(options.fields, options.json);
        Some(BarePayload { start, machine: NewMachine::new(machine), end: "" })
    }

    fn is_automatic_for(&self, members: MemberTypes) -> bool {
        members.texts && !members.values
    }

    fn untidy_reading(&self) -> UntidyReading {
        UntidyReading::Tags
    }

    fn missing_marker(&self) -> &'static str {
        ", with no `<field name=\"…\">` in a root tag"
    }

    fn sample(&self) -> FormatSample {
        FormatSample::new(
            include_str!("sample.txt"),
            "Fields between tags. One holds a closer that closes nothing.",
            "of tagged text",
        )
        .with_schema(
            r#"{"title": "str", "note": "str", "code": "str",
                "stars": {"calm": "int", "clear": "list"}}"#,
        )
    }
}

/// The element, with what stands for each text and for each other value.
fn skeleton(
    members: &[Item],
    root: &str,
    text: impl Fn(&Item) -> Option<String>,
    value: impl Fn(&Item) -> String,
) -> String {
    let mut out = format!("<{root}>\n");
    for item in members {
        let (kind, value) = match text(item) {
            Some(text) => ("text", text),
            None => ("json", value(item)),
        };
        let name = attribute(&item.name);
        out.push_str(&format!("<field name=\"{name}\" type=\"{kind}\">\n{value}\n</field>\n"));
    }
    if members.is_empty() {
        out.push_str("<field name=\"<name>\" type=\"<text | json>\">\n<value>\n</field>\n");
    }
    out.push_str(&format!("</{root}>"));
    out
}

/// A text in the quotes of an attribute.
fn attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;")
}
