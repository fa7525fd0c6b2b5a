//! A field that was streamed as text and is declared as something else.

use crate::codes::Code;
use crate::document::{Document, NodeKind, ValueKind};
use crate::finalize::reread;
use crate::lex::fence_line;
use crate::schema::{Schema, SchemaId};
use crate::spec::Settings;

/// What a text becomes.
pub(super) enum Typed {
    /// It stays.
    Same,
    /// It should be a value and is none.
    Bad,
    /// This value.
    Value {
        code: Option<Code>,
        value: Document,
        /// Whether it came whole.
        complete: bool,
    },
}

/// Reads a text, bare or in a fence, as JSON: strictly, then with what is forgiven. Where anything may
/// stand, only strict JSON is more than text.
pub(super) fn read(text: &str, (schema, id): (&Schema, SchemaId), settings: &Settings) -> Typed {
    let text = fence_line::inside(text).unwrap_or(text).trim();
    let free = settings.without_schema();
    let strict = reread::strict(text, 0, &free);
    let found = strict.or_else(|| {
        let read = reread::root(text.as_bytes(), 0, &free)?;
        let rest = text.get(read.span.end as usize..)?;
        // A bare word is read as a string: it is the text as it is.
        let word = read.document.value().kind() == ValueKind::String;
        let is_json = !schema.is_any(id) && !word && !read.lossy;
        (is_json && rest.trim().is_empty()).then_some(read)
    });
    let Some(found) = found.filter(|found| found.document.value().exists()) else {
        let takes_text = schema.matches_kind(id, ValueKind::String);
        return if takes_text { Typed::Same } else { Typed::Bad };
    };
    let value = found.document.value();
    let fits = schema.matches_kind(id, value.kind())
        && (value.node_kind() != NodeKind::Number || schema.matches_number(id, value.text()));
    let code = (!fits).then_some(Code::TypeMismatch);
    Typed::Value { code, value: found.document, complete: found.complete }
}
