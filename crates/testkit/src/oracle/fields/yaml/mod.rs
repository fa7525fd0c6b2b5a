//! Fields of a YAML document between markers or in a fence.
//!
//! [`bounds`] finds the document by its lines. [`compose`] reads it with an independent parser. [`scalar`]
//! interprets untagged words. [`defer`] lists the values that may be late.

pub mod bounds;
pub mod compose;
pub mod defer;
pub mod scalar;

use bounds::{Bounds, End};
use compose::{Composed, Node, NodeKind};
pub use defer::{Deferral, Why};

use super::{FieldsReading, Schema, Status, Type, Value, Verdict};
use crate::oracle::Json;

/// The codes that this oracle predicts. Other notices of a stream are not compared.
pub const NOTICES: [&str; 9] = [
    "unknown_field",
    "duplicate_field",
    "duplicate_key",
    "missing_field",
    "multi_document",
    "truncated",
    "type_mismatch",
    "comment_truncated",
    "yaml_unknown_alias",
];

/// Reads a whole text.
#[must_use]
pub fn read(text: &str, schema: Option<&Schema>) -> FieldsReading {
    let mut reading = FieldsReading::default();
    let mut came = Vec::new();
    if let Some(bounds) = bounds::find(text) {
        document(&bounds, schema, &mut reading, &mut came);
    }
    reading.missing(schema, &came);
    reading
}

fn document(
    bounds: &Bounds,
    schema: Option<&Schema>,
    reading: &mut FieldsReading,
    came: &mut Vec<String>,
) {
    let cut = bounds.end == End::OfText;
    if cut {
        reading.notice("truncated");
    }
    if bounds.another {
        reading.notice("multi_document");
    }
    let composed = if cut { closed(&bounds.document) } else { compose::read(&bounds.document) };
    reading.verdict = composed.verdict.clone();
    let Some(root) = &composed.root else { return };
    reading.deferred = defer::of_document(composed.source(), root);
    let NodeKind::Map { pairs, flow: false } = &root.kind else { return };
    let whole = composed.verdict == Verdict::Accepted || composed.verdict == Verdict::Loose;
    for (at, (key, node)) in pairs.iter().enumerate() {
        let last = cut && whole && at + 1 == pairs.len();
        let field = Entry { name: key.text().to_owned(), node, last };
        field.add(&composed, schema, reading, came);
    }
}

/// Composes a document that the end of the text cut off. An open quoted scalar is closed, without the bytes
/// that a stream would still hold.
fn closed(document: &str) -> Composed {
    let composed = compose::read(document);
    if !matches!(composed.verdict, Verdict::Rejected(_)) {
        return composed;
    }
    let held = document.trim_end_matches([' ', '\t', '\n']);
    let double = format!("{}\"", scalar::without_open_escape(held));
    // A quote at the end may be the first of two.
    let single = format!("{held}'");
    let mut closed = [double, single].into_iter().map(|text| compose::read(&text));
    let well = |composed: &Composed| {
        !matches!(composed.verdict, Verdict::Rejected(_)) && composed.ends_in_quotes()
    };
    closed.find(well).unwrap_or(composed)
}

/// A member of the root.
struct Entry<'n> {
    name: String,
    node: &'n Node,
    /// Whether the end of the text ended it.
    last: bool,
}

impl Entry<'_> {
    fn add(
        &self,
        composed: &Composed,
        schema: Option<&Schema>,
        reading: &mut FieldsReading,
        came: &mut Vec<String>,
    ) {
        let kind = match schema {
            None => Some(Type::Any),
            Some(schema) => schema.kind(&self.name),
        };
        let Some(kind) = kind else { return reading.notice("unknown_field") };
        if came.contains(&self.name) {
            return reading.notice("duplicate_field");
        }
        came.push(self.name.clone());
        composed.notices_of(self.node, reading);
        let value = composed.value(self.node, kind);
        let deferred = reading.deferred.iter().any(|it| it.field == self.name);
        let status = match (self.last, deferred) {
            (true, _) => Status::Truncated,
            (_, true) => Status::Deferred,
            _ => Status::Complete,
        };
        // A null where a string is declared counts as missing, not as another type.
        let null = kind == Type::Str && value == Json::Null;
        if kind == Type::Str
            && matches!(self.node.kind, NodeKind::Seq { .. } | NodeKind::Map { .. })
        {
            reading.notice("type_mismatch");
        }
        let kind = Some(kind).filter(|_| !null);
        reading.add(&self.name, Value::Known(value), status, kind);
    }
}
