//! Fields in tags, and in sections.

use super::json;
use crate::prompt::fields::placeholder;
use crate::prompt::outline::{Form, Item};

/// `xml_field`.
pub(super) fn xml(members: &[Item], root: &str) -> String {
    let mut out = format!("<{root}>\n");
    for item in members {
        let (kind, value) = match text(item) {
            Some(text) => ("text", text),
            None => ("json", json::pretty(item)),
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

/// `hybrid` and `markdown`; in the latter, scalars stand without a fence.
pub(super) fn sections(members: &[Item], bare: bool) -> String {
    let mut parts: Vec<String> = members
        .iter()
        .map(|item| {
            let value = match (text(item), &item.form) {
                (Some(text), _) => text,
                (None, Form::Scalar(_)) if bare => json::pretty(item),
                (None, _) => format!("```json\n{}\n```", json::pretty(item)),
            };
            format!("### {}\n{value}", item.name)
        })
        .collect();
    if parts.is_empty() {
        parts.push("### <name>\n<text>".to_owned());
    }
    parts.join("\n\n")
}

/// What stands for a value that is written as it is.
fn text(item: &Item) -> Option<String> {
    let form = item.form.without_null();
    match &form {
        Form::Scalar(kinds) if form.is_text() => Some(placeholder(kinds)),
        _ => None,
    }
}

/// A text in the quotes of an attribute.
fn attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;")
}
