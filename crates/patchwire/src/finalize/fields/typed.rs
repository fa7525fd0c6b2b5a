//! Reads the text of a field as the type that the schema declares.

use crate::codes::Code;
use crate::document::{Document, NodeKind, ValueKind};
use crate::finalize::repaired;
use crate::finalize::reread::{self, Reread};
use crate::lex::fence_line;
use crate::schema::{Schema, SchemaId};
use crate::spec::Settings;

/// The result for the text of a field.
pub(super) enum TypedText {
    /// The text stays.
    Same,
    /// The text should be a value and is not.
    Bad,
    /// The text becomes this value.
    Value { code: Option<Code>, value: Document, is_complete: bool },
}

impl TypedText {
    /// Replaces the text by another one, with a notice.
    pub(super) fn text(code: Code, text: &str) -> Self {
        Self::Value { code: Some(code), value: Document::string(text), is_complete: true }
    }
}

/// Reads the text of a field, bare or in a fence, as JSON: strictly first, then leniently. Where the schema allows any
/// type, only strict JSON counts as more than text.
pub(super) fn read(
    name: &str,
    text: &str,
    schema: &Schema,
    id: SchemaId,
    settings: &Settings,
) -> TypedText {
    let whole = text;
    let text = fence_line::inside(text).unwrap_or(text).trim();
    let free = settings.without_schema();
    let strict = reread::strict(text, 0, &free);
    let is_strict = strict.is_some();
    let found = strict.or_else(|| {
        let read = repaired::root_of(text, &free)?;
        let rest = text.get(read.span.end as usize..)?;
        // Lenient JSON reads a bare word as a string, which is the text itself.
        let word = read.document.value().kind() == ValueKind::String;
        let is_json = !schema.is_any(id) && !word && !read.is_lossy;
        (is_json && rest.trim().is_empty()).then_some(read)
    });
    let found = found.filter(|found| found.document.value().exists());
    let fits = |found: &Reread| super::untidy::fits(found.document.value(), id, schema);
    if !found.as_ref().is_some_and(fits)
        && !schema.matches_kind(id, ValueKind::String)
        && let Some((code, value)) = super::value::read(name, whole, schema, id, settings)
    {
        return TypedText::Value { code, value, is_complete: true };
    }
    let Some(found) = found else {
        let takes_text = schema.matches_kind(id, ValueKind::String);
        return if takes_text { TypedText::Same } else { TypedText::Bad };
    };
    let value = found.document.value();
    let fits = schema.matches_kind(id, value.kind())
        && (value.node_kind() != NodeKind::Number || schema.matches_number(id, value.text()));
    let code = match fits {
        true if is_strict => None,
        true => Some(Code::UntidyValue),
        false => Some(Code::TypeMismatch),
    };
    TypedText::Value { code, value: found.document, is_complete: found.is_complete }
}

#[cfg(test)]
mod tests {
    use super::{TypedText, read};
    use crate::schema::{Node, Schema, any, bool, int, list, map, number, object, str, union};
    use crate::spec::Spec;

    /// What a text becomes: `=` if it stays, `!` if it is none, else the value, `…` if it was cut, and the code.
    fn typed(text: &str, node: Node) -> String {
        let schema: Schema = object().field("a", node).into();
        let id = schema.member(schema.root(), "a").expect("the field");
        match read("a", text, &schema, id, &Spec::json().0) {
            TypedText::Same => "=".to_owned(),
            TypedText::Bad => "!".to_owned(),
            TypedText::Value { code, value, is_complete } => {
                let (cut, code) = (if is_complete { "" } else { "…" }, code.map(|it| it.name()));
                format!("{}{cut} {}", value.value(), code.unwrap_or_default())
            }
        }
    }

    /// A type, a text and what it becomes.
    type Row = (fn() -> Node, &'static str, &'static str);

    #[test]
    fn texts_as_the_type_of_their_field() {
        let both = || union([str(""), list(int(""))]);
        let wants: [Row; 24] = [
            (|| int(""), "3", "3 "),
            (|| int(""), "```\n3\n```", "3 "),
            (|| int(""), "3.5", "3.5 type_mismatch"),
            (|| int(""), "x", "!"),
            (|| int(""), "[1]", "[1] type_mismatch"),
            (|| int(""), "", "!"),
            (|| number(""), "3.5", "3.5 "),
            (|| bool(""), "yes", "true untidy_value"),
            (|| bool(""), "3", "3 type_mismatch"),
            (|| list(int("")), "[1, 2]", "[1,2] "),
            (|| list(int("")), "[1, 2", "[1,2]… untidy_value"),
            (|| list(int("")), "[1, 2] and", "!"),
            (|| list(int("")), "['x']", "[\"x\"] untidy_value"),
            (|| list(str("")), "['x']", "[\"x\"] untidy_value"),
            (|| list(str("")), "{\"x\": 1}", "{\"x\":1} type_mismatch"),
            (|| map(any("")), "{x: 1}", "{\"x\":1} untidy_value"),
            (|| map(any("")), "{x: 1", "{\"x\":1}… untidy_value"),
            (|| any(""), "[1]", "[1] "),
            (|| any(""), "[1", "="),
            (|| any(""), "x", "="),
            (|| any(""), "\"x\"", "\"x\" "),
            (|| str(""), "x", "="),
            (|| str(""), "3", "3 type_mismatch"),
            (|| list(object().field("k", str(""))), "[{k: x}]", "[{\"k\":\"x\"}] untidy_value"),
        ];
        for (node, text, want) in wants {
            assert_eq!(typed(text, node()), want, "{text}");
        }
        for (text, want) in [
            ("[1]", "[1] "),
            ("[1, 'x']", "[1,\"x\"] untidy_value"),
            ("3", "3 type_mismatch"),
            ("x", "="),
            ("['x']", "[\"x\"] untidy_value"),
        ] {
            assert_eq!(typed(text, both()), want, "{text}");
        }
    }
}
