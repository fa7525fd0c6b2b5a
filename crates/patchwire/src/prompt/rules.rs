//! What is said of a format besides its skeleton.

use super::outline::{Form, Item, Kind};
use super::{Names, members};
use crate::spec::Format;

/// The first line: what the answer is made of.
pub(super) fn opening(format: Format, root: Option<&Item>, names: Names<'_>) -> String {
    const ALONE: &str = "no prose before or after it, no Markdown fence round it.";
    match format {
        Format::XmlField => {
            let tag = names.root_tag;
            format!("Reply with one <{tag}> element and nothing else: {ALONE}")
        }
        Format::Hybrid | Format::Markdown => {
            "Reply with these sections and nothing else, each under its header.".to_owned()
        }
        Format::YamlLiteral => format!(
            "Reply with one YAML document between its two marker lines and nothing else: {ALONE}"
        ),
        Format::Text => "Reply with the text itself and nothing else.".to_owned(),
        Format::Json | Format::Auto => {
            let what = match root.map(|root| &root.form) {
                Some(Form::Object { .. }) => "JSON object",
                Some(Form::List(_)) => "JSON list",
                _ => "JSON value",
            };
            format!("Reply with one {what} and nothing else: {ALONE}")
        }
    }
}

/// The rules, each a sentence or two.
pub(super) fn rules(format: Format, root: Option<&Item>) -> Vec<&'static str> {
    let mut rules: Vec<&str> = Vec::new();
    let values = members(root).iter().any(|item| !item.form.without_null().is_text());
    match format {
        Format::XmlField => {
            rules.push("Keep the order, and write each field once.");
            rules.push("Text goes in as it is: escape nothing.");
            rules.push("Close each field with </field> on a line of its own.");
            if values {
                rules.push("A field of type json holds one JSON value, with the escapes of JSON.");
            }
        }
        Format::Hybrid | Format::Markdown => {
            rules.push("Keep the order, and write each header once, exactly as shown.");
            rules.push("Text goes in as it is: escape nothing.");
            if values && format == Format::Hybrid {
                rules.push(
                    "Where the form shows a json fence, it holds one JSON value, with its escapes.",
                );
            }
            if format == Format::Markdown && members(root).iter().any(may_be_fenced) {
                rules.push("Lists and objects are JSON in a json fence.");
            }
        }
        Format::YamlLiteral => {
            rules.push("Keep the order. Indent with spaces, two a level, never with tabs.");
            rules.push("Every line of a text is indented under its |-; nothing in it is escaped.");
        }
        Format::Json | Format::Auto => {
            if root.is_some_and(|root| matches!(root.form, Form::Object { .. })) {
                rules.push("Keep the order, and write each field once.");
            }
            rules.push("Inside strings write quotes as \\\" and line breaks as \\n.");
        }
        Format::Text => {}
    }
    let Some(root) = root else { return rules };
    if has(root, |form| matches!(form, Form::List(_))) {
        rules.push("A list holds as many items as there are; the form shows one.");
    }
    if has(root, |form| matches!(form, Form::Object { each: Some(_), .. })) {
        rules.push(
            "Where the form says <name>, there are as many members as needed, by their names.",
        );
    }
    if format != Format::Text && has_presence(root) {
        rules.push("Required fields are never null, blank or empty.");
    }
    rules
}

/// Whether a member of markdown may be a list or an object.
fn may_be_fenced(item: &Item) -> bool {
    match &item.form {
        Form::Scalar(kinds) => kinds.contains(&Kind::Any),
        _ => true,
    }
}

/// Whether such a form is anywhere.
fn has(item: &Item, wanted: fn(&Form) -> bool) -> bool {
    wanted(&item.form) || children(&item.form).any(|child| has(child, wanted))
}

fn has_presence(item: &Item) -> bool {
    item.presence == crate::schema::Presence::Meaningful || children(&item.form).any(has_presence)
}

fn children(form: &Form) -> impl Iterator<Item = &Item> {
    let (members, one) = match form {
        Form::Object { members, each } => (members.as_slice(), each.as_deref()),
        Form::List(item) => ([].as_slice(), Some(&**item)),
        Form::OneOf(forms) => (forms.as_slice(), None),
        Form::Scalar(_) | Form::Same(_) => ([].as_slice(), None),
    };
    members.iter().chain(one)
}
