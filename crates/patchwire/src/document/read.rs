//! Reading a value, while it grows or after.

mod settled;

use core::fmt;
use std::sync::Arc;

use super::{Document, NONE, NodeId, NodeKind, Place};
use crate::path::{Path, PathBuf, Pattern, Segment};

/// What a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "JSON has six kinds of value and will have no more")]
pub enum ValueKind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool,
    /// A number, kept as its text.
    Number,
    /// A string.
    String,
    /// A list of values.
    List,
    /// Members by name, in order.
    Object,
}

/// A borrowed value of a document: a pointer and a number, `Copy`.
///
/// Compares by content; the order of members does not count, the text of numbers does.
#[derive(Clone, Copy)]
pub struct ValueRef<'a> {
    doc: &'a Document,
    node: u32,
    /// Whether what is still open is passed over: see `settled`.
    only_settled: bool,
}

impl<'a> ValueRef<'a> {
    pub(crate) const fn new(doc: &'a Document, node: u32) -> Self {
        Self { doc, node, only_settled: false }
    }

    /// No value, in the same document.
    pub(crate) const fn absent(self) -> Self {
        Self { node: NONE, ..self }
    }

    /// Whether there is a value at all. Without one, everything else reads as null.
    #[must_use]
    pub const fn exists(self) -> bool {
        self.node != NONE
    }

    pub(crate) fn node_kind(self) -> NodeKind {
        if self.exists() { self.doc.nodes[self.node as usize].kind } else { NodeKind::Null }
    }

    /// The node's number in its document; none if there is no value.
    #[must_use]
    pub fn node(self) -> Option<NodeId> {
        self.exists().then_some(NodeId(self.node))
    }

    /// Any value of the same document by its number, as patches name it; none if there is none.
    #[must_use]
    pub fn by_node(self, node: NodeId) -> Option<Self> {
        let value = Self { only_settled: self.only_settled, ..self.doc.at_if_kept(node) };
        (value.exists() && !value.is_passed_over()).then_some(value)
    }

    /// The text of a string or number; empty for others.
    pub(crate) fn text(self) -> &'a str {
        if !self.exists() || self.node_kind().is_container() {
            return "";
        }
        let node = &self.doc.nodes[self.node as usize];
        self.doc.str_range(node.from, node.to)
    }

    /// Where the value stands in its document. Counts the items before it.
    pub(crate) fn path(self) -> PathBuf {
        let parent = |node: &NodeId| self.doc.parent(*node);
        let mut way: Vec<NodeId> = core::iter::successors(self.node(), parent).collect();
        let mut path = PathBuf::root();
        let Some(mut above) = way.pop() else { return path };
        while let Some(node) = way.pop() {
            path = path.child(if self.doc.is_list(above) {
                Segment::Index(self.doc.index_in(above, node))
            } else {
                Segment::Key(self.doc.key(node))
            });
            above = node;
        }
        path
    }

    /// What the value is.
    #[must_use]
    pub fn kind(self) -> ValueKind {
        match self.node_kind() {
            NodeKind::Null => ValueKind::Null,
            NodeKind::False | NodeKind::True => ValueKind::Bool,
            NodeKind::Number => ValueKind::Number,
            NodeKind::String => ValueKind::String,
            NodeKind::List => ValueKind::List,
            NodeKind::Object => ValueKind::Object,
        }
    }

    /// Whether the value will not change while the stream goes on.
    #[must_use]
    pub fn is_complete(self) -> bool {
        self.exists() && self.doc.nodes[self.node as usize].complete
    }

    /// Whether this is null (or no value at all).
    #[must_use]
    pub fn is_null(self) -> bool {
        self.node_kind() == NodeKind::Null
    }

    /// The bool, if it is one.
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        match self.node_kind() {
            NodeKind::False => Some(false),
            NodeKind::True => Some(true),
            _ => None,
        }
    }

    /// The text, if it is a string; what has come of it, if it is still open.
    #[must_use]
    pub fn as_str(self) -> Option<&'a str> {
        (self.node_kind() == NodeKind::String).then(|| self.text())
    }

    /// The number exactly as written (or as repaired), if it is one.
    #[must_use]
    pub fn number_text(self) -> Option<&'a str> {
        (self.node_kind() == NodeKind::Number).then(|| self.text())
    }

    /// The number, if it is one; nearest, and infinite where `f64` ends.
    #[must_use]
    pub fn as_f64(self) -> Option<f64> {
        self.number_text()?.parse().ok()
    }

    /// The number, if it is an integer that fits.
    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        self.number_text()?.parse().ok()
    }

    /// The number, if it is a non-negative integer that fits.
    #[must_use]
    pub fn as_u64(self) -> Option<u64> {
        self.number_text()?.parse().ok()
    }

    /// Number of items or members; 0 for scalars.
    #[must_use]
    pub fn len(self) -> usize {
        if !self.node_kind().is_container() {
            return 0;
        }
        let children = self.doc.nodes[self.node as usize].children as usize;
        children - usize::from(self.passes_over_last())
    }

    /// Whether there are no items or members.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The last item or member; no value if there is none.
    pub(crate) fn last(self) -> Self {
        let is_container = self.node_kind().is_container();
        let node = if is_container { self.doc.nodes[self.node as usize].to } else { NONE };
        let last = Self { node, ..self };
        if last.is_passed_over() { last.absent() } else { last }
    }

    /// The member of that name, if this is an object that has it. Looks at the members in order.
    #[must_use]
    pub fn get(self, key: &str) -> Option<Self> {
        self.entries().find(|(name, _)| *name == Some(key)).map(|(_, value)| value)
    }

    /// The item at `index`, if this is a list that long. Counts from the front.
    #[must_use]
    pub fn item(self, index: usize) -> Option<Self> {
        if self.node_kind() != NodeKind::List {
            return None;
        }
        self.entries().nth(index).map(|(_, value)| value)
    }

    /// The value at a path printed as in patches: `a.b[0]`.
    #[must_use]
    pub fn at(self, path: &str) -> Option<Self> {
        let pattern: Pattern = path.parse().ok()?;
        self.descend(pattern.exact()?.into_iter())
    }

    /// The value at a path.
    #[must_use]
    pub fn at_path(self, path: Path<'_>) -> Option<Self> {
        self.descend(path.segments())
    }

    fn descend<'s>(self, mut segments: impl Iterator<Item = Segment<'s>>) -> Option<Self> {
        segments.try_fold(self, |value, segment| match segment {
            Segment::Key(key) => value.get(key),
            Segment::Index(index) => value.item(index as usize),
        })
    }

    /// Items (without a name) or members (with theirs), in order.
    #[must_use]
    pub fn entries(self) -> Entries<'a> {
        let next = if self.node_kind().is_container() {
            self.doc.nodes[self.node as usize].from
        } else {
            NONE
        };
        Entries { of: self, next, named: self.node_kind() == NodeKind::Object, left: self.len() }
    }

    /// A copy that stands alone. What is open in it stays so.
    #[must_use]
    pub fn to_value(self) -> Value {
        let mut doc = Document::default();
        if self.exists() {
            doc.graft(Place::Root, self);
            doc.reopen_as(self);
        }
        let node = doc.root.unwrap_or(NONE);
        Value { doc: Arc::new(doc), node }
    }
}

/// The children of a value. Made by [`ValueRef::entries`].
#[derive(Clone)]
pub struct Entries<'a> {
    of: ValueRef<'a>,
    next: u32,
    named: bool,
    left: usize,
}

impl<'a> Iterator for Entries<'a> {
    type Item = (Option<&'a str>, ValueRef<'a>);

    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        let (at, doc) = (self.next, self.of.doc);
        let node = doc.nodes.get(at as usize)?;
        self.next = node.next;
        let key = self.named.then(|| doc.str_range(node.key_start, node.key_start + node.key_len));
        Some((key, ValueRef { node: at, ..self.of }))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Entries<'_> {}

impl fmt::Debug for Entries<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entries").field("left", &self.left).finish_non_exhaustive()
    }
}

/// An owned value: shared, ordered, with exact numbers. Cloning copies a pointer.
///
/// Made by [`ValueRef::to_value`], or from Rust values. [`Value::default`] is null, and members with
/// their names collect into an object:
///
/// ```
/// use patchwire::Value;
///
/// let (name, none) = (Value::from("Oslo"), Value::default());
/// let object: Value = [("city", name.as_ref()), ("zip", none.as_ref())].into_iter().collect();
/// assert_eq!(object.to_string(), r#"{"city":"Oslo","zip":null}"#);
/// ```
#[derive(Clone)]
pub struct Value {
    doc: Arc<Document>,
    node: u32,
}

impl Value {
    /// The value, to be read.
    #[must_use]
    pub fn as_ref(&self) -> ValueRef<'_> {
        ValueRef::new(&self.doc, self.node)
    }

    pub(crate) fn of(doc: &Arc<Document>) -> Self {
        Self { doc: Arc::clone(doc), node: doc.root.unwrap_or(NONE) }
    }
}
