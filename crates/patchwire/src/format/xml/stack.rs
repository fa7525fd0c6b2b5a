//! The open elements.

use core::ops::Bound;
use std::collections::BTreeMap;

use super::options::Options;
use crate::schema::{Schema, SchemaId};

/// What has been emitted of an element's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// Nothing: blanks are held, which are its text or stand before its first child.
    Undecided,
    /// Nothing: what is held may be all of a number.
    Number,
    /// Nothing: what is held is all of a value that is no text, by the schema.
    Scalar,
    /// A string, open. A child makes an object of it.
    Text,
    /// A string, open, by the schema: openers in it are text.
    Verbatim,
    /// An object. Blanks are held, which stand between its children or begin a text between them.
    Children,
    /// An object, and in it a text between its children, open.
    Piece,
}

/// An open element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Open {
    /// Where its name begins.
    name: u32,
    pub(super) shape: Shape,
    pub(super) schema: Option<SchemaId>,
}

/// The open elements, the body itself first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stack {
    open: Vec<Open>,
    names: String,
    /// How many elements of each name are open.
    counts: BTreeMap<String, u32>,
}

impl Stack {
    pub(super) fn new(schema: Option<SchemaId>) -> Self {
        let body = Open { name: 0, shape: Shape::Undecided, schema };
        Self { open: vec![body], names: String::new(), counts: BTreeMap::new() }
    }

    /// How many elements are open inside the body.
    pub(super) const fn depth(&self) -> usize {
        self.open.len().saturating_sub(1)
    }

    pub(super) fn top(&self) -> Open {
        let body = Open { name: 0, shape: Shape::Children, schema: None };
        self.open.last().copied().unwrap_or(body)
    }

    pub(super) fn shape(&self) -> Shape {
        self.top().shape
    }

    pub(super) fn set_shape(&mut self, shape: Shape) {
        if let Some(open) = self.open.last_mut() {
            open.shape = shape;
        }
    }

    pub(super) fn push(&mut self, name: &str, schema: Option<SchemaId>) {
        self.open.push(Open { name: self.names.len() as u32, shape: Shape::Undecided, schema });
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

    /// How many elements are open inside the innermost one of this name.
    pub(super) fn above(&self, name: &str) -> Option<usize> {
        self.counts.get(name)?;
        self.names().position(|open| open == name)
    }

    /// Whether an element is open whose name is this, or begins so.
    pub(super) fn has(&self, name: &str, whole: bool) -> bool {
        let next = self.counts.range::<str, _>((Bound::Included(name), Bound::Unbounded)).next();
        next.is_some_and(|(open, _)| if whole { open == name } else { open.starts_with(name) })
    }

    /// The names, the innermost first.
    fn names(&self) -> impl Iterator<Item = &str> {
        (1..self.open.len()).rev().map(|at| {
            let start = self.open[at].name as usize;
            let end = self.open.get(at + 1).map_or(self.names.len(), |next| next.name as usize);
            &self.names[start..end]
        })
    }
}

impl Options {
    /// What a child is to be by the schema of its parent. Of a list, what each item is.
    pub(super) fn child(&self, parent: Option<SchemaId>, name: &str) -> Option<SchemaId> {
        let schema = self.schema.as_ref()?;
        let id = schema.member(parent?, name)?;
        Some(schema.item(id).unwrap_or(id))
    }

    /// What an element begins as.
    pub(super) fn shape(&self, id: Option<SchemaId>) -> Shape {
        match (&self.schema, id) {
            (Some(schema), Some(id)) => shape_of(schema, id),
            _ => Shape::Undecided,
        }
    }
}

fn shape_of(schema: &Schema, id: SchemaId) -> Shape {
    use crate::document::ValueKind::{Bool, List, Null, Number, Object, String};
    let may = |kind| schema.matches_kind(id, kind);
    let text = may(String);
    match (may(Object), text) {
        _ if schema.is_any(id) => Shape::Undecided,
        (true, false) if !may(Number) && !may(Bool) => Shape::Children,
        (true, _) => Shape::Undecided,
        (false, true) => Shape::Verbatim,
        (false, false) if may(Number) || may(Bool) || may(Null) => Shape::Scalar,
        (false, false) if may(List) => Shape::Undecided,
        (false, false) => Shape::Verbatim,
    }
}
