//! The value so far: flat nodes in one vector, all text in one string.
//!
//! At any moment at most one string of a document is open, and it is the last text of the arena, so
//! an append is an append. Nodes are numbered in the order the bytes bring them; they are linked by
//! number, so that cloning, comparing and dropping never recurse. The document knows no formats.

mod compare;
mod construct;
mod de;
mod edit;
mod number;
mod print;
mod read;
mod reshape;
#[cfg(test)]
pub(crate) mod sample;
mod ser;
pub(crate) mod tree;
mod tree_print;

pub use de::DataError;
pub(crate) use print::write_json;
pub use read::{Entries, Value, ValueKind, ValueRef};
pub use ser::DepthError;
pub(crate) use tree::TreeBuilder;

use serde::{Deserialize, Serialize};

/// A value of one document: dense, so a `Vec` can be indexed by it, and stable for the document's life.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct NodeId(pub(crate) u32);

impl NodeId {
    /// The number, for indexing.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A document of one stream: the answer, an element's body, a tool call's arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct DocId(pub(crate) u32);

impl DocId {
    /// The first document, which is the answer where no tag set says otherwise.
    pub const ANSWER: Self = Self(0);

    /// For layers that keep several parsers and number their documents as one. Not stable.
    #[doc(hidden)]
    #[must_use]
    pub const fn from_number(number: u32) -> Self {
        Self(number)
    }

    /// The number, for indexing.
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

/// One value. `from..to` is a range of the text arena for numbers and strings, and the first and
/// last child for containers (`NONE` where there is none).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Node {
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

impl Node {
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

/// A tree of values, growing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Document {
    nodes: Vec<Node>,
    text: String,
    /// The root, once there is one.
    root: Option<u32>,
}

/// Where a new value goes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place<'a> {
    /// It is the root.
    Root,
    /// The next item of a list.
    Item(NodeId),
    /// A member of an object.
    Member(NodeId, &'a str),
    /// Nowhere yet: kept beside, to be put in place later.
    Beside,
}

impl Document {
    /// A document that is one string.
    pub(crate) fn string(text: &str) -> Self {
        let mut document = Self::default();
        let root = document.open(Place::Root, NodeKind::String);
        document.append(root, text);
        document.complete(root);
        document
    }

    /// A document that is one scalar.
    pub(crate) fn one_scalar(kind: NodeKind, text: &str) -> Self {
        let mut document = Self::default();
        document.scalar(Place::Root, kind, text);
        document
    }

    /// A document that is this value.
    pub(crate) fn copy_of(value: ValueRef<'_>) -> Self {
        let mut document = Self::default();
        document.graft(Place::Root, value);
        document
    }

    /// A document that is a list of this value.
    pub(crate) fn list_of(value: ValueRef<'_>) -> Self {
        let mut document = Self::default();
        let root = document.open(Place::Root, NodeKind::List);
        document.graft(Place::Item(root), value);
        document.complete(root);
        document
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

    /// A node's value, or none where nodes are only counted.
    pub(crate) fn at_if_kept(&self, node: NodeId) -> ValueRef<'_> {
        ValueRef::new(self, if node.index() < self.nodes.len() { node.0 } else { NONE })
    }

    /// A new value, open and empty.
    pub(crate) fn open(&mut self, place: Place<'_>, kind: NodeKind) -> NodeId {
        let id = self.nodes.len() as u32;
        let (parent, key) = match place {
            Place::Root | Place::Beside => (NONE, ""),
            Place::Item(list) => (list.0, ""),
            Place::Member(object, key) => (object.0, key),
        };
        let key_start = self.text.len() as u32;
        self.text.push_str(key);
        let at = self.text.len() as u32;
        let (from, to) = if kind.is_container() { (NONE, NONE) } else { (at, at) };
        let key_len = key.len() as u32;
        self.nodes.push(Node {
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
            Place::Root => self.root = Some(id),
            Place::Beside => {}
            Place::Item(_) | Place::Member(..) => self.link_last(parent, id),
        }
        NodeId(id)
    }

    /// A scalar, whole.
    pub(crate) fn scalar(&mut self, place: Place<'_>, kind: NodeKind, text: &str) -> NodeId {
        let id = self.open(place, kind);
        self.append(id, text);
        self.complete(id);
        id
    }

    /// One value alone, in the place of all there was.
    #[inline]
    pub(crate) fn set_alone(&mut self, kind: NodeKind, text: &str, complete: bool) {
        self.text.clear();
        if !text.is_empty() {
            self.text.push_str(text);
        }
        let (from, to) =
            if kind.is_container() { (NONE, NONE) } else { (0, self.text.len() as u32) };
        match &mut self.nodes[..] {
            // It was alone as well: it has no key, no parent and no children.
            [node] => (node.kind, node.complete, node.from, node.to) = (kind, complete, from, to),
            _ => {
                self.nodes.clear();
                self.nodes.push(Node { kind, complete, from, to, ..Node::EMPTY });
                self.root = Some(0);
            }
        }
    }

    /// A string grows. Only the string opened last may.
    pub(crate) fn append(&mut self, string: NodeId, delta: &str) {
        self.text.push_str(delta);
        self.nodes[string.index()].to = self.text.len() as u32;
    }

    pub(crate) fn complete(&mut self, node: NodeId) {
        self.nodes[node.index()].complete = true;
    }

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

    fn str_range(&self, from: u32, to: u32) -> &str {
        &self.text[from as usize..to as usize]
    }
}
