//! Places in the text of a JSON Schema, and references to them (RFC 6901).

use crate::document::{ValueKind, ValueRef};
use crate::schema::{SchemaError, SchemaErrorKind};
use crate::text::percent;
use crate::text::text_path::TextPath;

/// A schema in the text.
#[derive(Clone)]
pub(super) struct SchemaSpot<'v> {
    pub(super) value: ValueRef<'v>,
    /// Its JSON Pointer.
    pub(super) path: TextPath,
    /// The number of schemas around it.
    pub(super) depth: usize,
}

impl<'v> SchemaSpot<'v> {
    pub(super) fn root(value: ValueRef<'v>) -> Self {
        Self { value, path: TextPath::default(), depth: 0 }
    }

    pub(super) fn child(&self, keyword: &str, value: ValueRef<'v>) -> Self {
        Self { value, path: self.path.keyword(keyword), depth: self.depth + 1 }
    }

    pub(super) fn item(&self, keyword: &str, at: usize, value: ValueRef<'v>) -> Self {
        Self { value, path: self.path.item(keyword, at), depth: self.depth + 1 }
    }

    pub(super) fn member(&self, keyword: &str, name: &str, value: ValueRef<'v>) -> Self {
        Self { value, path: self.path.member(keyword, name), depth: self.depth + 1 }
    }

    /// An error at this place, or below it.
    pub(super) fn error(&self, kind: SchemaErrorKind, below: &str) -> SchemaError {
        SchemaError::new(kind, format!("{}{below}", self.path))
    }

    /// The error of a reference that leads nowhere.
    pub(super) fn unresolved(&self) -> SchemaError {
        self.error(SchemaErrorKind::UnresolvedRef, "/$ref")
    }

    /// The error of a keyword with an invalid value.
    pub(super) fn invalid(&self, keyword: &str) -> SchemaError {
        self.error(SchemaErrorKind::InvalidKeyword, &format!("/{keyword}"))
    }
}

/// Finds places in the text.
pub(super) struct Places<'v> {
    text: ValueRef<'v>,
}

impl<'v> Places<'v> {
    pub(super) const fn new(text: ValueRef<'v>) -> Self {
        Self { text }
    }

    /// The place that a pointer from [`local`] leads to.
    pub(super) fn find(&self, pointer: &str) -> Option<SchemaSpot<'v>> {
        let path = percent::decoded(pointer)?;
        let value = path.split('/').skip(1).try_fold(self.text, |value, step| {
            let step = step.replace("~1", "/").replace("~0", "~");
            match value.kind() {
                ValueKind::Object => value.get(&step),
                ValueKind::List => value.item(step.parse().ok()?),
                _ => None,
            }
        })?;
        Some(SchemaSpot { value, path: TextPath::at(path), depth: 0 })
    }

    /// Follows a schema that only refers to another one. Stops after some steps, because references may form
    /// a cycle, and returns the schema reached.
    pub(super) fn follow(&self, schema: ValueRef<'v>) -> ValueRef<'v> {
        let mut at = schema;
        for _ in 0..16 {
            let reference = at.get("$ref").and_then(ValueRef::as_str).and_then(local);
            let Some(target) = reference.and_then(|pointer| self.find(pointer)) else {
                break;
            };
            at = target.value;
        }
        at
    }
}

/// The pointer of a reference into the current text. None for other texts and for anchors.
pub(super) fn local(reference: &str) -> Option<&str> {
    reference.strip_prefix('#').filter(|pointer| pointer.is_empty() || pointer.starts_with('/'))
}

/// Whether any object in the text but the root has an address at `$id`. References count from the
/// innermost schema that has one.
pub(super) fn has_inner_ids(text: ValueRef<'_>) -> bool {
    let names_itself = |value: ValueRef<'_>| {
        value.get("$id").is_some_and(|id| id.as_str().is_some_and(|id| !id.starts_with('#')))
    };
    let mut open: Vec<ValueRef<'_>> = text.entries().map(|(_, value)| value).collect();
    while let Some(value) = open.pop() {
        if value.kind() == ValueKind::Object && names_itself(value) {
            return true;
        }
        open.extend(value.entries().map(|(_, value)| value));
    }
    false
}

#[cfg(test)]
mod tests {
    use super::has_inner_ids;
    use crate::document::sample::document;

    #[test]
    fn addresses_below_the_root() {
        for (text, expected) in [
            (r#"{"$id": "x"}"#, false),
            (r#"{"a": {"$id": "x"}}"#, true),
            (r#"{"a": {"b": [1, {"c": {"$id": "x"}}]}}"#, true),
            (r##"{"a": {"b": {"$id": "#x"}}}"##, false),
            (r#"{"a": {"b": {"$id": 1}}}"#, false),
        ] {
            assert_eq!(has_inner_ids(document(text).value()), expected, "{text}");
        }
    }
}
