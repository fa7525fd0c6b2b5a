//! The open elements.

use core::ops::Bound;
use std::collections::BTreeMap;

use super::options::XmlOptions;
use crate::schema::{Schema, SchemaId};

/// The state of an element's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ElementShape {
    /// Nothing is emitted. Held whitespace is the text, or comes before the first child.
    Undecided,
    /// Nothing is emitted. The held text may be a number.
    Number,
    /// Nothing is emitted. The schema wants a number, bool or null, which the held text is.
    Scalar,
    /// An open string. A child turns it into an object.
    Text,
    /// An open string that the schema wants. Openers in it are text.
    Verbatim,
    /// An object. Held whitespace separates children, or begins a text between them.
    Children,
    /// An object with an open text between its children.
    Piece,
}

/// An open element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct XmlElement {
    /// Where the name begins in `names`.
    name: u32,
    pub(super) shape: ElementShape,
    pub(super) schema: Option<SchemaId>,
}

/// The open elements, the body itself first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct XmlStack {
    open: Vec<XmlElement>,
    names: String,
    /// How many elements of each name are open.
    counts: BTreeMap<String, usize>,
}

impl XmlStack {
    pub(super) fn new(schema: Option<SchemaId>) -> Self {
        let body = XmlElement { name: 0, shape: ElementShape::Undecided, schema };
        Self { open: vec![body], names: String::new(), counts: BTreeMap::new() }
    }

    /// How many elements are open inside the body.
    pub(super) const fn depth(&self) -> usize {
        self.open.len().saturating_sub(1)
    }

    pub(super) fn top(&self) -> XmlElement {
        let body = XmlElement { name: 0, shape: ElementShape::Children, schema: None };
        self.open.last().copied().unwrap_or(body)
    }

    pub(super) fn shape(&self) -> ElementShape {
        self.top().shape
    }

    pub(super) fn set_shape(&mut self, shape: ElementShape) {
        if let Some(open) = self.open.last_mut() {
            open.shape = shape;
        }
    }

    pub(super) fn push(&mut self, name: &str, schema: Option<SchemaId>) {
        self.open.push(XmlElement {
            name: self.names.len() as u32,
            shape: ElementShape::Undecided,
            schema,
        });
        self.names.push_str(name);
        match self.counts.get_mut(name) {
            Some(count) => *count += 1,
            None => drop(self.counts.insert(name.to_owned(), 1)),
        }
    }

    pub(super) fn pop(&mut self) {
        let Some(open) = self.open.pop() else { return };
        let name = &self.names[open.name as usize..];
        if let Some(count) = self.counts.get_mut(name) {
            *count -= 1;
            if *count == 0 {
                self.counts.remove(name);
            }
        }
        self.names.truncate(open.name as usize);
    }

    /// The number of elements that are open inside the innermost one with this name.
    pub(super) fn above(&self, name: &str) -> Option<usize> {
        self.counts.get(name)?;
        self.names().position(|open| open == name)
    }

    /// Whether an open element has this name, or (without `whole`) a name with this beginning.
    pub(super) fn has(&self, name: &str, whole: bool) -> bool {
        let next = self.counts.range::<str, _>((Bound::Included(name), Bound::Unbounded)).next();
        next.is_some_and(|(open, _)| if whole { open == name } else { open.starts_with(name) })
    }

    /// The names of the open elements, the innermost first.
    fn names(&self) -> impl Iterator<Item = &str> {
        (1..self.open.len()).rev().map(|at| {
            let start = self.open[at].name as usize;
            let end = self.open.get(at + 1).map_or(self.names.len(), |next| next.name as usize);
            &self.names[start..end]
        })
    }
}

impl XmlOptions {
    /// The schema of a child, or of one item if the schema wants a list.
    pub(super) fn child(&self, parent: Option<SchemaId>, name: &str) -> Option<SchemaId> {
        let schema = self.schema.as_ref()?;
        let id = schema.member(parent?, name)?;
        Some(schema.item(id).unwrap_or(id))
    }

    /// The shape in which an element begins.
    pub(super) fn shape(&self, id: Option<SchemaId>) -> ElementShape {
        match (&self.schema, id) {
            (Some(schema), Some(id)) => shape_of(schema, id),
            _ => ElementShape::Undecided,
        }
    }
}

fn shape_of(schema: &Schema, id: SchemaId) -> ElementShape {
    use crate::document::ValueKind::{Bool, List, Null, Number, Object, String};
    let may = |kind| schema.matches_kind(id, kind);
    let text = may(String);
    match (may(Object), text) {
        _ if schema.is_any(id) => ElementShape::Undecided,
        (true, false) if !may(Number) && !may(Bool) => ElementShape::Children,
        (true, _) => ElementShape::Undecided,
        (false, true) => ElementShape::Verbatim,
        (false, false) if may(Number) || may(Bool) || may(Null) => ElementShape::Scalar,
        (false, false) if may(List) => ElementShape::Undecided,
        (false, false) => ElementShape::Verbatim,
    }
}
