//! Places in the text of a JSON Schema, and references to them (RFC 6901).

use core::cell::RefCell;
use std::collections::HashMap;

use crate::document::{NodeId, ValueKind, ValueRef};
use crate::schema::{SchemaError, SchemaErrorKind};
use crate::text::percent;

/// A schema in the text.
#[derive(Clone)]
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

    /// The error of a reference that leads nowhere.
    pub(super) fn unresolved(&self) -> SchemaError {
        SchemaError::new(SchemaErrorKind::UnresolvedRef, format!("{}/$ref", self.path))
    }

    /// The error of a keyword with an invalid value.
    pub(super) fn invalid(&self, keyword: &str) -> SchemaError {
        SchemaError::new(SchemaErrorKind::InvalidKeyword, format!("{}/{keyword}", self.path))
    }
}

/// Objects with more members than this are searched by an index.
const FEW_MEMBERS: usize = 16;

/// Finds places in the text, each step in about the same time: many references may lead to one large object.
pub(super) struct Places<'v> {
    text: ValueRef<'v>,
    large: RefCell<HashMap<NodeId, HashMap<&'v str, ValueRef<'v>>>>,
}

impl<'v> Places<'v> {
    pub(super) fn new(text: ValueRef<'v>) -> Self {
        Self { text, large: RefCell::default() }
    }

    /// The place that a pointer from [`local`] leads to.
    pub(super) fn find(&self, pointer: &str) -> Option<SchemaSpot<'v>> {
        let path = percent::decoded(pointer)?;
        let value = path.split('/').skip(1).try_fold(self.text, |value, step| {
            let step = step.replace("~1", "/").replace("~0", "~");
            match value.kind() {
                ValueKind::Object => self.member(value, &step),
                ValueKind::List => value.item(step.parse().ok()?),
                _ => None,
            }
        })?;
        Some(SchemaSpot { value, path, depth: 0 })
    }

    fn member(&self, object: ValueRef<'v>, key: &str) -> Option<ValueRef<'v>> {
        if object.len() <= FEW_MEMBERS {
            return object.get(key);
        }
        let mut large = self.large.borrow_mut();
        let members = large.entry(object.node()?).or_insert_with(|| {
            let mut members = HashMap::new();
            for (name, value) in object.entries() {
                members.entry(name.unwrap_or_default()).or_insert(value);
            }
            members
        });
        members.get(key).copied()
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
