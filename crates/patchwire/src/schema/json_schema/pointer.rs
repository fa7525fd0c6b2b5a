//! Places in the text of a JSON Schema, and references to them (RFC 6901).

use crate::document::{ValueKind, ValueRef};
use crate::schema::{SchemaError, SchemaErrorKind};

/// A schema in the text.
pub(super) struct SchemaSpot<'v> {
    pub(super) value: ValueRef<'v>,
    /// Its JSON Pointer.
    pub(super) path: String,
    /// The number of schemas around it.
    pub(super) depth: usize,
}

impl<'v> SchemaSpot<'v> {
    pub(super) const fn root(value: ValueRef<'v>) -> Self {
        Self { value, path: String::new(), depth: 0 }
    }

    /// The place that a pointer from [`local`] leads to.
    pub(super) fn find(text: ValueRef<'v>, pointer: &str) -> Option<Self> {
        let path = percent_decoded(pointer)?;
        let value = path.split('/').skip(1).try_fold(text, |value, step| {
            let step = step.replace("~1", "/").replace("~0", "~");
            match value.kind() {
                ValueKind::Object => value.get(&step),
                ValueKind::List => value.item(step.parse().ok()?),
                _ => None,
            }
        })?;
        Some(Self { value, path, depth: 0 })
    }

    pub(super) fn child(&self, keyword: &str, value: ValueRef<'v>) -> Self {
        Self { value, path: format!("{}/{keyword}", self.path), depth: self.depth + 1 }
    }

    pub(super) fn item(&self, keyword: &str, at: usize, value: ValueRef<'v>) -> Self {
        Self { value, path: format!("{}/{keyword}/{at}", self.path), depth: self.depth + 1 }
    }

    pub(super) fn member(&self, keyword: &str, name: &str, value: ValueRef<'v>) -> Self {
        let name = name.replace('~', "~0").replace('/', "~1");
        Self { value, path: format!("{}/{keyword}/{name}", self.path), depth: self.depth + 1 }
    }

    /// The error of a keyword with an invalid value.
    pub(super) fn invalid(&self, keyword: &str) -> SchemaError {
        SchemaError::new(SchemaErrorKind::InvalidKeyword, format!("{}/{keyword}", self.path))
    }
}

/// The pointer of a reference into the current text. None for other texts and for anchors.
pub(super) fn local(reference: &str) -> Option<&str> {
    reference.strip_prefix('#').filter(|pointer| pointer.is_empty() || pointer.starts_with('/'))
}

/// Follows a schema that only refers to another one. Stops after some steps, because references may form a
/// cycle, and returns the schema reached.
pub(super) fn follow<'v>(text: ValueRef<'v>, schema: ValueRef<'v>) -> ValueRef<'v> {
    let mut at = schema;
    for _ in 0..16 {
        let reference = at.get("$ref").and_then(ValueRef::as_str).and_then(local);
        let Some(target) = reference.and_then(|pointer| SchemaSpot::find(text, pointer)) else {
            break;
        };
        at = target.value;
    }
    at
}

/// Decodes `%20` and the like: a reference is a URI (RFC 3986 section 2.1).
fn percent_decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first != b'%' {
            bytes.push(*first);
            continue;
        }
        let [high, low, after @ ..] = after else {
            return None;
        };
        let digit = |byte: u8| char::from(byte).to_digit(16);
        bytes.push((digit(*high)? * 16 + digit(*low)?) as u8);
        rest = after;
    }
    String::from_utf8(bytes).ok()
}
