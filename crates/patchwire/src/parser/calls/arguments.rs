//! The arguments of calls: read already, written as JSON, or spread over elements.

use crate::answer::{Answer, Element, Outcome};
use crate::document::{Document, NodeKind, Placement, ValueKind, ValueRef};
use crate::event::CloseReason;
use crate::notice::OwnedNotice;
use crate::parser::Parser;
use crate::schema::{Schema, SchemaId};
use crate::spec::{Roots, Settings, Spec};
use crate::tags::Family;

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

/// What a call has for arguments.
pub(super) struct FoundArguments<'a> {
    pub(super) text: CallText<'a>,
    /// Whether the end of the call is missing.
    pub(super) is_cut: bool,
    /// What was repaired in its element.
    pub(super) slips: Vec<OwnedNotice>,
}

/// Reads arguments, by the schemas of the tools.
pub(super) struct ArgumentReader<'a> {
    pub(super) settings: &'a Settings,
}

impl ArgumentReader<'_> {
    /// The arguments of a call as an answer of their own.
    pub(super) fn arguments(&self, tool: &str, found: FoundArguments<'_>) -> Answer {
        let schema = self.settings.tools.get(tool);
        let FoundArguments { text, is_cut, .. } = found;
        let read = match text {
            CallText::Plain(text) => {
                let outcome = if is_cut { Outcome::Truncated } else { Outcome::Complete };
                return Answer::of_arguments(Document::default(), Some(text), outcome);
            }
            CallText::None => return self.known(&empty(), schema, found),
            CallText::Json(text) if text.trim().is_empty() => {
                return self.known(&empty(), schema, found);
            }
            CallText::Document(document) => return self.known(document, schema, found),
            CallText::Value(value) => {
                return self.known(&Document::copy_of(value), schema, found);
            }
            CallText::Json(text) => self.parse(text, schema, Roots::Best),
        };
        let raw = if let CallText::Json(raw) = text { raw } else { "" };
        read.unwrap_or_else(|| {
            Answer::of_arguments(Document::default(), Some(raw), Outcome::Failed)
        })
    }

    /// Arguments that were read already. A schema gives them the types that it declares.
    fn known(
        &self,
        document: &Document,
        schema: Option<&Schema>,
        found: FoundArguments<'_>,
    ) -> Answer {
        let text = schema.map(|_| document.value().to_string());
        let typed = text.and_then(|text| self.parse(&text, schema, Roots::Best));
        let document = match &typed {
            Some(typed) => Document::copy_of(typed.value()),
            None => document.clone(),
        };
        let outcome = match (found.is_cut, found.slips.is_empty()) {
            (true, _) => Outcome::Truncated,
            (false, false) => Outcome::Repaired,
            (false, true) => Outcome::Complete,
        };
        Answer::of_arguments(document, None, outcome).noting(found.slips)
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
        parser.read_silently(text.as_bytes()).ok()?;
        parser.end_silently().ok()
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
pub(super) fn of_elements(element: &Element<'_>, declared: Declared<'_>) -> Option<Document> {
    let mut members: Vec<(String, Document)> = Vec::new();
    for argument in named_arguments(element) {
        members.retain(|(known, _)| *known != argument.name);
        let value = argument.value(declared.member(&argument.name));
        members.push((argument.name, value));
    }
    (!members.is_empty()).then(|| object_of(&members))
}

/// The type that a schema declares for a value; none if there is no schema, or if it does not say.
#[derive(Clone, Copy)]
pub(super) struct Declared<'s>(Option<(&'s Schema, SchemaId)>);

impl<'s> Declared<'s> {
    pub(super) fn of(schema: Option<&'s Schema>) -> Self {
        Self(schema.map(|schema| (schema, schema.root())))
    }

    fn member(self, name: &str) -> Self {
        Self(self.0.and_then(|(schema, id)| Some((schema, schema.member(id, name)?))))
    }

    fn item(self) -> Self {
        Self(self.0.and_then(|(schema, id)| Some((schema, schema.item(id)?))))
    }

    /// Whether a text is the value itself, whatever it looks like.
    fn is_text(self, text: &str) -> bool {
        self.0.is_some_and(|(schema, id)| {
            let is_null = text == "null" && schema.matches_kind(id, ValueKind::Null);
            schema.is_text(id) && !is_null
        })
    }
}

/// An argument that is an element.
struct NamedArgument<'a> {
    name: String,
    /// What the model wrote about its type.
    kind: Option<String>,
    element: Element<'a>,
}

/// The arguments inside an element. Elements in the channels `key` and `type` before an argument say its name and its
/// type, if its parameters do not.
fn named_arguments<'a>(element: &Element<'a>) -> Vec<NamedArgument<'a>> {
    let mut all = Vec::new();
    let (mut key, mut kind) = (None, None);
    for child in element.children() {
        let text = || child.text().trim().to_owned();
        match child.channel() {
            "key" => key = Some(text()),
            "type" => kind = Some(text()),
            "arg" => {
                let params = child.params();
                let named = params.get("key").or_else(|| params.get("name")).map(str::to_owned);
                let (name, before) = (named.or_else(|| key.take()), kind.take());
                let kind = params.get("type").map(str::to_owned).or(before);
                all.extend(name.map(|name| NamedArgument { name, kind, element: child }));
            }
            _ => {}
        }
    }
    all
}

fn object_of(members: &[(String, Document)]) -> Document {
    let mut document = Document::default();
    let root = document.open(Placement::Root, NodeKind::Object);
    for (name, value) in members {
        document.graft(Placement::Member(root, name), value.value());
    }
    document.complete(root);
    document
}

fn list_of(items: &[Document]) -> Document {
    let mut document = Document::default();
    let root = document.open(Placement::Root, NodeKind::List);
    for item in items {
        document.graft(Placement::Item(root), item.value());
    }
    document.complete(root);
    document
}

/// An argument with arguments inside it: an object, in which a name that comes again is a list. If `item` is the only
/// name, the whole is a list. None without arguments inside.
fn nested_value(element: &Element<'_>, declared: Declared<'_>) -> Option<Document> {
    let mut members: Vec<(String, Vec<Document>)> = Vec::new();
    for argument in named_arguments(element) {
        let is_item = argument.name == "item";
        let inside = if is_item { declared.item() } else { declared.member(&argument.name) };
        let (value, name) = (argument.value(inside), argument.name);
        match members.iter_mut().find(|(known, _)| *known == name) {
            Some((_, values)) => values.push(value),
            None => members.push((name, vec![value])),
        }
    }
    match &members[..] {
        [] => None,
        [(name, items)] if name == "item" => Some(list_of(items)),
        _ => {
            let one = |(name, mut values): (String, Vec<Document>)| match values.len() {
                1 => (name, values.remove(0)),
                _ => (name, list_of(&values)),
            };
            Some(object_of(&members.into_iter().map(one).collect::<Vec<_>>()))
        }
    }
}

impl NamedArgument<'_> {
    /// Its text, or JSON if the model says so, or if the family is typed and the text is JSON.
    fn value(&self, declared: Declared<'_>) -> Document {
        if let Some(value) = self.element.value() {
            return Document::copy_of(value);
        }
        if let Some(nested) = nested_value(&self.element, declared) {
            return nested;
        }
        let text = self.element.text();
        let text = self.without_layout(&text);
        let is_string = self.element.params().get("string").map(|word| word != "false");
        let is_string = is_string.or_else(|| self.kind.as_deref().map(|word| word == "string"));
        let is_typed = self.element.family().is_some_and(|family| family.body.typed);
        let is_declared = declared.is_text(text.trim());
        let json = !is_declared && is_string.map_or(is_typed, |is_string| !is_string);
        let read = json.then(|| Spec::strict_json().parse(text.trim()).ok()).flatten();
        let read = read.filter(|answer| answer.outcome() == Outcome::Complete);
        read.map_or_else(|| Document::string(text), |answer| Document::copy_of(answer.value()))
    }

    /// Its text without the line break that belongs to its closer, if that is missing.
    fn without_layout<'t>(&self, text: &'t str) -> &'t str {
        let ends_in_break =
            |family: &Family| family.syntax.close.iter().any(|closer| closer.starts_with('\n'));
        let is_missing = self.element.reason() == CloseReason::CloseThrough;
        // Before the next key or value, a line break belongs to the closer that is missing.
        let is_before_next = self.element.reason() == CloseReason::SiblingOpener;
        let has_layout =
            is_before_next || is_missing && self.element.family().is_some_and(ends_in_break);
        if has_layout { text.strip_suffix('\n').unwrap_or(text) } else { text }
    }
}

#[cfg(test)]
mod tests {
    use super::Declared;
    use crate::Schema;
    use crate::schema::{any, int, list, null, object, str, union};

    /// Of a type that is text or null, the word `null` alone is null.
    #[test]
    fn a_text_is_taken_as_it_is_where_the_schema_declares_one() {
        let schema: Schema = object()
            .field("s", str(""))
            .field("o", union([str(""), null()]))
            .field("n", int(""))
            .field("l", list(str("")))
            .field("a", any(""))
            .into();
        let root = Declared::of(Some(&schema));
        for (text, of_s, of_o, of_item) in [
            ("5", true, true, true),
            ("{}", true, true, true),
            ("", true, true, true),
            ("nulls", true, true, true),
            ("null", true, false, true),
        ] {
            assert_eq!(root.member("s").is_text(text), of_s, "{text:?}");
            assert_eq!(root.member("o").is_text(text), of_o, "{text:?}");
            assert_eq!(root.member("l").item().is_text(text), of_item, "{text:?}");
            for name in ["n", "l", "a", "unknown"] {
                assert!(!root.member(name).is_text(text), "{name} {text:?}");
            }
            assert!(!root.is_text(text) && !Declared::of(None).is_text(text), "{text:?}");
        }
    }
}
