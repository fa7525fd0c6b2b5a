//! Values made from Rust values.

use std::sync::Arc;

use super::{Document, NodeKind, Placement, Value, ValueRef};

fn scalar(kind: NodeKind, text: &str) -> Value {
    Value::of(&Arc::new(Document::one_scalar(kind, text)))
}

impl Default for Value {
    fn default() -> Self {
        scalar(NodeKind::Null, "")
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        scalar(if value { NodeKind::True } else { NodeKind::False }, "")
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        scalar(NodeKind::String, text)
    }
}

/// An object of copies of these members, in order. A member that does not exist becomes null, and a name
/// that comes again stays twice.
impl<'v> FromIterator<(&'v str, ValueRef<'v>)> for Value {
    fn from_iter<I: IntoIterator<Item = (&'v str, ValueRef<'v>)>>(members: I) -> Self {
        let mut document = Document::default();
        let root = document.open(Placement::Root, NodeKind::Object);
        for (name, value) in members {
            document.graft(Placement::Member(root, name), value);
        }
        document.complete(root);
        Self::of(&Arc::new(document))
    }
}
