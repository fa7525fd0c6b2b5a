//! Documents: values that may still grow. Nodes lie in one list and all text in one string.
//!
//! At most one string of a document is open, and its text is the last in the arena: to append to the string
//! is to append to the arena. Nodes are numbered in the order in which their values begin. Links are
//! numbers, so that cloning, comparing and dropping never recurse. Documents know no formats.

mod compare;
mod construct;
mod de;
mod edit;
mod nodes;
mod number;
mod print;
mod read;
mod reshape;
#[cfg(test)]
pub(crate) mod sample;
mod ser;
pub mod tree;
mod tree_print;
mod wide;

pub use de::DataError;
pub(crate) use de::{NAME_SETTLED, WHOLE};
use nodes::Nodes;
pub(crate) use print::write_json;
pub use read::{Entries, Value, ValueKind, ValueRef};
pub use ser::DepthError;
pub(crate) use tree::TreeBuilder;

use serde::{Deserialize, Serialize};

use crate::text::append;

/// The number of a value in its document. Numbers count up from 0, so that a `Vec` can be indexed by them,
/// and a value keeps its number as long as the document lives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The number as an index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of a document in its stream: the answer, the body of an element, the arguments of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DocId(pub(crate) u32);

impl DocId {
    /// The first document. It is the answer, unless a tag set decides otherwise.
    pub const ANSWER: Self = Self(0);

    /// For layers that keep several parsers and number their documents as one. Not stable.
    #[doc(hidden)]
    #[must_use]
    pub const fn from_number(number: u32) -> Self {
        Self(number)
    }

    /// The number as an index.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A node of one of several documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DocNode {
    pub(crate) document: DocId,
    pub(crate) node: NodeId,
}

/// Nodes and bytes of a short answer.
const NODE_ROOM: usize = 16;
const TEXT_ROOM: usize = 512;

/// "No node": the end of a list of children, the parent of a root.
const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NodeKind {
    Null,
    False,
    True,
    Number,
    String,
    Object,
    List,
}

impl NodeKind {
    pub(crate) const fn is_container(self) -> bool {
        matches!(self, Self::Object | Self::List)
    }
}

/// One value. `from..to` is a range of the text arena for numbers and strings, and the first and last child
/// for containers (`NONE` if there is none).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct NodeData {
    kind: NodeKind,
    complete: bool,
    key_start: u32,
    key_len: u32,
    from: u32,
    to: u32,
    parent: u32,
    next: u32,
    children: u32,
}

impl NodeData {
    /// The root of a document, without a text.
    const EMPTY: Self = Self {
        kind: NodeKind::Null,
        complete: false,
        key_start: 0,
        key_len: 0,
        from: NONE,
        to: NONE,
        parent: NONE,
        next: NONE,
        children: 0,
    };
}

/// A tree of values that may still grow.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Document {
    nodes: Nodes,
    text: String,
    /// The root, once there is one.
    root: Option<u32>,
    wide: wide::WideIndex,
}

/// The place of a new value.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Placement<'a> {
    /// The root of the document.
    Root,
    /// The next item of a list.
    Item(NodeId),
    /// A member of an object.
    Member(NodeId, &'a str),
    /// Outside the tree, to be put in its place later.
    Detached,
}

impl Document {
    /// A document that is one string.
    pub(crate) fn string(text: &str) -> Self {
        Self::one_scalar(NodeKind::String, text)
    }

    /// A document that is one scalar, or one empty container.
    pub(crate) fn one_scalar(kind: NodeKind, text: &str) -> Self {
        let mut document = Self {
            nodes: Nodes::one(),
            text: String::with_capacity(text.len()),
            root: Some(0),
            wide: wide::WideIndex::default(),
        };
        document.set_alone(kind, text, true);
        document
    }

    /// A document that is a copy of this value.
    pub(crate) fn copy_of(value: ValueRef<'_>) -> Self {
        let mut document = Self::default();
        document.graft(Placement::Root, value);
        document
    }

    /// A document that is a list with a copy of this value.
    pub(crate) fn list_of(value: ValueRef<'_>) -> Self {
        let mut document = Self::default();
        let root = document.open(Placement::Root, NodeKind::List);
        document.graft(Placement::Item(root), value);
        document.complete(root);
        document
    }

    /// Makes room for a short answer at once: growing step by step costs several times as much.
    pub(crate) fn reserve(&mut self) {
        self.nodes.reserve(NODE_ROOM);
        self.text.reserve(TEXT_ROOM);
    }

    pub(crate) fn root(&self) -> Option<NodeId> {
        self.root.map(NodeId)
    }

    pub(crate) fn value(&self) -> ValueRef<'_> {
        ValueRef::new(self, self.root.unwrap_or(NONE))
    }

    pub(crate) const fn at(&self, node: NodeId) -> ValueRef<'_> {
        ValueRef::new(self, node.0)
    }

    /// The value of a node; absent if nodes are only counted.
    #[cfg_attr(target_family = "wasm", inline)]
    pub(crate) fn at_if_kept(&self, node: NodeId) -> ValueRef<'_> {
        ValueRef::new(self, if node.index() < self.nodes.len() { node.0 } else { NONE })
    }

    /// Adds a value, open and empty.
    #[cfg_attr(target_family = "wasm", inline)]
    pub(crate) fn open(&mut self, place: Placement<'_>, kind: NodeKind) -> NodeId {
        let id = self.nodes.len() as u32;
        let (parent, key) = match place {
            Placement::Root | Placement::Detached => (NONE, ""),
            Placement::Item(list) => (list.0, ""),
            Placement::Member(object, key) => (object.0, key),
        };
        let key_start = self.text.len() as u32;
        self.text.push_str(key);
        let at = self.text.len() as u32;
        let (from, to) = if kind.is_container() { (NONE, NONE) } else { (at, at) };
        let key_len = key.len() as u32;
        self.nodes.push(NodeData {
            kind,
            complete: false,
            key_start,
            key_len,
            from,
            to,
            parent,
            next: NONE,
            children: 0,
        });
        match place {
            Placement::Root => self.root = Some(id),
            Placement::Detached => {}
            Placement::Item(_) | Placement::Member(..) => self.link_last(parent, id),
        }
        NodeId(id)
    }

    /// Adds a complete scalar.
    pub(crate) fn scalar(&mut self, place: Placement<'_>, kind: NodeKind, text: &str) -> NodeId {
        let id = self.open(place, kind);
        self.append(id, text);
        self.complete(id);
        id
    }

    /// Makes one value the whole document.
    #[inline]
    pub(crate) fn set_alone(&mut self, kind: NodeKind, text: &str, complete: bool) {
        self.text.clear();
        if !text.is_empty() {
            self.text.push_str(text);
        }
        let (from, to) =
            if kind.is_container() { (NONE, NONE) } else { (0, self.text.len() as u32) };
        match self.nodes.alone() {
            // A value that was alone before: it has no key, no parent and no children.
            Some(node) => {
                (node.kind, node.complete, node.from, node.to) = (kind, complete, from, to)
            }
            None => {
                self.nodes.clear();
                self.nodes.push(NodeData { kind, complete, from, to, ..NodeData::EMPTY });
                self.root = Some(0);
            }
        }
    }

    /// Appends to a string. Only the string that was opened last may grow.
    #[cfg_attr(target_family = "wasm", inline)]
    pub(crate) fn append(&mut self, string: NodeId, delta: &str) {
        append(&mut self.text, delta);
        self.nodes[string.index()].to = self.text.len() as u32;
    }

    #[cfg_attr(target_family = "wasm", inline)]
    pub(crate) fn complete(&mut self, node: NodeId) {
        self.nodes[node.index()].complete = true;
    }

    #[cfg_attr(target_family = "wasm", inline)]
    fn link_last(&mut self, parent: u32, child: u32) {
        let above = &mut self.nodes[parent as usize];
        let last = above.to;
        above.to = child;
        above.children += 1;
        if last == NONE {
            above.from = child;
        } else {
            self.nodes[last as usize].next = child;
        }
    }

    #[cfg_attr(target_family = "wasm", inline)]
    fn str_range(&self, from: u32, to: u32) -> &str {
        &self.text[from as usize..to as usize]
    }
}
