//! The arguments of calls: read already, written as JSON, or spread over elements.

use crate::answer::{Answer, AnswerNode, Element, Outcome};
use crate::document::{Document, NodeKind, Placement, ValueRef};
use crate::parser::Parser;
use crate::schema::Schema;
use crate::spec::{Roots, Settings, Spec};

/// Arguments as they are found.
#[derive(Clone, Copy)]
pub(super) enum CallText<'a> {
    None,
    /// A text that the tool takes as it is.
    Plain(&'a str),
    /// JSON that nobody has read yet.
    Json(&'a str),
    Value(ValueRef<'a>),
    Document(&'a Document),
}

/// Reads arguments, by the schemas of the tools.
pub(super) struct ArgumentReader<'a> {
    pub(super) settings: &'a Settings,
}

impl ArgumentReader<'_> {
    /// The arguments of a call as an answer of their own.
    pub(super) fn arguments(&self, tool: &str, text: CallText<'_>, is_cut: bool) -> Answer {
        let schema = self.settings.tools.iter().find(|(name, _)| name == tool).map(|(_, it)| it);
        let read = match text {
            CallText::Plain(text) => {
                let outcome = if is_cut { Outcome::Truncated } else { Outcome::Complete };
                return Answer::of_arguments(Document::default(), Some(text), outcome);
            }
            CallText::None => return self.known(&empty(), schema, is_cut),
            CallText::Json(text) if text.trim().is_empty() => {
                return self.known(&empty(), schema, is_cut);
            }
            CallText::Document(document) => return self.known(document, schema, is_cut),
            CallText::Value(value) => {
                return self.known(&Document::copy_of(value), schema, is_cut);
            }
            CallText::Json(text) => self.parse(text, schema, Roots::Best),
        };
        let raw = if let CallText::Json(raw) = text { raw } else { "" };
        read.unwrap_or_else(|| {
            Answer::of_arguments(Document::default(), Some(raw), Outcome::Failed)
        })
    }

    /// Arguments that were read already. A schema gives them the types that it declares.
    fn known(&self, document: &Document, schema: Option<&Schema>, is_cut: bool) -> Answer {
        let text = schema.map(|_| document.value().to_string());
        let typed = text.and_then(|text| self.parse(&text, schema, Roots::Best));
        let document = match &typed {
            Some(typed) => Document::copy_of(typed.value()),
            None => document.clone(),
        };
        let outcome = if is_cut { Outcome::Truncated } else { Outcome::Complete };
        Answer::of_arguments(document, None, outcome)
    }

    /// The value of a JSON text.
    pub(super) fn parsed(&self, text: &str) -> Option<Answer> {
        self.parse(text, None, Roots::Best)
    }

    /// All roots of a JSON text that begins with one.
    pub(super) fn roots_of(&self, text: &str) -> Option<Answer> {
        self.parse(text, None, Roots::Concatenated).filter(|_| text.starts_with(['{', '[']))
    }

    fn parse(&self, text: &str, schema: Option<&Schema>, roots: Roots) -> Option<Answer> {
        let limits = self.settings.json.limits.clone();
        let mut spec = Spec::builder().without_tags().roots(roots).limits(limits);
        if let Some(schema) = schema {
            spec = spec.schema(schema.clone());
        }
        let mut parser: Parser = spec.build().ok()?.parser();
        parser.feed(text.as_bytes(), |_| {}).ok()?;
        parser.finish(|_| {}).ok()
    }
}

fn empty() -> Document {
    let mut document = Document::default();
    let root = document.open(Placement::Root, NodeKind::Object);
    document.complete(root);
    document
}

/// The arguments that the elements inside an element are: each in channel `arg`, named by its parameter `key`, or by
/// the element in channel `key` before it. None without such elements.
pub(super) fn of_elements(element: &Element<'_>) -> Option<Document> {
    let mut members: Vec<(String, Document)> = Vec::new();
    let mut key = None;
    for node in element.nodes() {
        let AnswerNode::Element(child) = node else { continue };
        match child.channel() {
            "key" => key = Some(child.text().trim().to_owned()),
            "arg" => {
                let params = child.params();
                let named = params.get("key").or_else(|| params.get("name")).map(str::to_owned);
                if let Some(name) = named.or_else(|| key.take()) {
                    members.retain(|(known, _)| *known != name);
                    members.push((name, value_of(&child)));
                }
            }
            _ => {}
        }
    }
    if members.is_empty() {
        return None;
    }
    let mut document = Document::default();
    let root = document.open(Placement::Root, NodeKind::Object);
    for (name, value) in &members {
        document.graft(Placement::Member(root, name), value.value());
    }
    document.complete(root);
    Some(document)
}

/// The value of a parameter: its text, or JSON if the model says so, or if the family is typed and the text is JSON.
fn value_of(element: &Element<'_>) -> Document {
    if let Some(value) = element.value() {
        return Document::copy_of(value);
    }
    let text = element.text();
    let is_string = element.params().get("string").map(|word| word != "false");
    let is_typed = element.family().is_some_and(|family| family.body.typed);
    let json = match is_string {
        Some(false) => true,
        Some(true) => false,
        None => is_typed,
    };
    let read = json.then(|| Spec::strict_json().parse(text.trim()).ok()).flatten();
    let read = read.filter(|answer| answer.outcome() == Outcome::Complete);
    read.map_or_else(|| Document::string(&text), |answer| Document::copy_of(answer.value()))
}
