//! Reads values, while they grow and after.

use core::fmt;
use std::collections::HashMap;
use std::sync::Arc;

use super::wide::is_wide;
use super::{Document, NONE, NodeId, NodeKind, Placement};
use crate::path::{Path, PathBuf, Pattern, Segment};

/// The kind of a value.
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
    /// An object: members by name, in order.
    Object,
}

/// A borrowed value of a document. Small and `Copy`.
///
/// `==` compares content: the order of members does not count, the text of numbers does.
#[derive(Clone, Copy)]
pub struct ValueRef<'a> {
    doc: &'a Document,
    node: u32,
    /// Whether values that are still open are left out: see `settled`.
    only_settled: bool,
}

impl<'a> ValueRef<'a> {
    pub(crate) const fn new(doc: &'a Document, node: u32) -> Self {
        Self { doc, node, only_settled: false }
    }

    /// An absent value of the same document.
    pub(crate) const fn absent(self) -> Self {
        Self { node: NONE, ..self }
    }

    /// Whether there is a value. An absent value reads as null in all other methods.
    #[must_use]
    pub const fn exists(self) -> bool {
        self.node != NONE
    }

    #[cfg_attr(target_family = "wasm", inline)]
    pub(crate) fn node_kind(self) -> NodeKind {
        if self.exists() { self.doc.nodes[self.node as usize].kind } else { NodeKind::Null }
    }

    /// Whether the value is a list or object.
    pub(crate) fn is_container(self) -> bool {
        self.node_kind().is_container()
    }

    /// The number of values in the whole document, plus the bytes of its keys, strings and numbers.
    pub(crate) fn document_size(self) -> usize {
        self.doc.nodes.len() + self.doc.text.len()
    }

    /// The number of the value in its document; none if the value is absent.
    #[must_use]
    pub fn node(self) -> Option<NodeId> {
        self.exists().then_some(NodeId(self.node))
    }

    /// The value of the same document with this number, as patches carry it.
    #[must_use]
    pub fn by_node(self, node: NodeId) -> Option<Self> {
        let value = Self { only_settled: self.only_settled, ..self.doc.at_if_kept(node) };
        (value.exists() && !value.is_left_out()).then_some(value)
    }

    /// The text of a string or number; empty for others.
    pub(crate) fn text(self) -> &'a str {
        if !self.exists() || self.node_kind().is_container() {
            return "";
        }
        let node = &self.doc.nodes[self.node as usize];
        self.doc.str_range(node.from, node.to)
    }

    /// The path of the value in its document. Takes time for each item before it.
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

    /// The kind of the value.
    #[must_use]
    #[cfg_attr(target_family = "wasm", inline)]
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

    /// Whether the value cannot change while the stream continues.
    #[must_use]
    pub fn is_complete(self) -> bool {
        self.exists() && self.doc.nodes[self.node as usize].complete
    }

    /// Whether the value is null or absent.
    #[must_use]
    pub fn is_null(self) -> bool {
        self.node_kind() == NodeKind::Null
    }

    /// The bool, if the value is one.
    #[must_use]
    pub fn as_bool(self) -> Option<bool> {
        match self.node_kind() {
            NodeKind::False => Some(false),
            NodeKind::True => Some(true),
            _ => None,
        }
    }

    /// The text, if the value is a string; the text so far, if the string is still open.
    #[must_use]
    pub fn as_str(self) -> Option<&'a str> {
        (self.node_kind() == NodeKind::String).then(|| self.text())
    }

    /// The number exactly as it was written (or repaired), if the value is one.
    #[must_use]
    pub fn number_text(self) -> Option<&'a str> {
        (self.node_kind() == NodeKind::Number).then(|| self.text())
    }

    /// The nearest `f64`, if the value is a number. Infinite beyond the range of `f64`.
    #[must_use]
    pub fn as_f64(self) -> Option<f64> {
        self.number_text()?.parse().ok()
    }

    /// The number, if the value is an integer in the range of `i64`.
    #[must_use]
    pub fn as_i64(self) -> Option<i64> {
        self.number_text()?.parse().ok()
    }

    /// The number, if the value is an integer in the range of `u64`.
    #[must_use]
    pub fn as_u64(self) -> Option<u64> {
        self.number_text()?.parse().ok()
    }

    /// The number of items or members; 0 for scalars.
    #[must_use]
    pub fn len(self) -> usize {
        if !self.node_kind().is_container() {
            return 0;
        }
        let children = self.doc.nodes[self.node as usize].children as usize;
        children - usize::from(self.leaves_out_last())
    }

    /// Whether there are no items or members.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The last item or member; absent if there is none.
    pub(crate) fn last(self) -> Self {
        let is_container = self.node_kind().is_container();
        let node = if is_container { self.doc.nodes[self.node as usize].to } else { NONE };
        let last = Self { node, ..self };
        if last.is_left_out() { last.absent() } else { last }
    }

    /// The member with this key, if the value is an object that has one. The first lookup in a complete object
    /// with many members takes time for each member, and further ones for none. While an object grows, each
    /// lookup takes time for each member.
    #[must_use]
    pub fn get(self, key: &str) -> Option<Self> {
        if self.node_kind() == NodeKind::Object && is_wide(self.doc, self.node) {
            let member = self.doc.wide.member(self.doc, self.node, key);
            return member.map(|node| Self { node, ..self });
        }
        self.entries().find(|(name, _)| *name == Some(key)).map(|(_, value)| value)
    }

    /// The members by key, for many lookups.
    pub(crate) fn members(self) -> HashMap<&'a str, Self> {
        let mut members = HashMap::new();
        for (key, value) in self.entries() {
            members.entry(key.unwrap_or_default()).or_insert(value);
        }
        members
    }

    /// The item at `index`, if the value is a list that long. The first lookup in a complete list with many items
    /// takes time for each item, and further ones for none. While a list grows, each lookup takes time for each
    /// item before it.
    #[must_use]
    pub fn item(self, index: usize) -> Option<Self> {
        if self.node_kind() != NodeKind::List {
            return None;
        }
        if is_wide(self.doc, self.node) {
            let item = self.doc.wide.item(self.doc, self.node, index);
            return item.map(|node| Self { node, ..self });
        }
        self.entries().nth(index).map(|(_, value)| value)
    }

    /// The value at a path, written as patches print it: `a.b[0]`.
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

    /// The items (without a key) or members (with their keys), in order.
    #[must_use]
    pub fn entries(self) -> Entries<'a> {
        let next = if self.node_kind().is_container() {
            self.doc.nodes[self.node as usize].from
        } else {
            NONE
        };
        Entries { of: self, next, named: self.node_kind() == NodeKind::Object, left: self.len() }
    }

    /// An owned copy. Values that are open stay open in the copy.
    #[must_use]
    pub fn to_value(self) -> Value {
        let mut doc = Document::default();
        if self.exists() {
            doc.graft(Placement::Root, self);
            doc.reopen_as(self);
        }
        let node = doc.root.unwrap_or(NONE);
        Value { doc: Arc::new(doc), node }
    }
}

impl<'a> ValueRef<'a> {
    /// The value without open strings: the part of a growing value that is certain.
    ///
    /// A string that is still open is left out, together with its key. A list shows its settled items and an
    /// object its settled members, even while the list or object is open. So a type whose fields are all
    /// optional can be read at any moment, and a field that was present stays present:
    ///
    /// ```
    /// use patchwire::Spec;
    /// use serde::Deserialize;
    ///
    /// #[derive(Debug, Default, PartialEq, Deserialize)]
    /// #[serde(default)]
    /// struct Draft<'a> {
    ///     title: Option<&'a str>,
    ///     urgency: Option<Urgency>,
    ///     steps: Vec<&'a str>,
    /// }
    ///
    /// #[derive(Debug, PartialEq, Deserialize)]
    /// #[serde(rename_all = "lowercase")]
    /// enum Urgency { Low, High }
    ///
    /// let mut parser = Spec::json().parser();
    /// assert_eq!(parser.value().settled().read(), Ok(Draft::default())); // nothing yet
    ///
    /// parser.feed(r#"{"title": "Move", "urgency": "hi"#, |_| {})?;
    /// let draft: Draft<'_> = parser.value().settled().read()?;
    /// assert_eq!((draft.title, draft.urgency), (Some("Move"), None));
    /// assert!(parser.value().read::<Draft<'_>>().is_err()); // `hi` is no urgency
    ///
    /// parser.feed(r#"gh", "steps": ["pack", "lo"#, |_| {})?;
    /// let draft: Draft<'_> = parser.value().settled().read()?;
    /// assert_eq!((draft.urgency, draft.steps), (Some(Urgency::High), vec!["pack"]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// All methods of a value respect the omission: printing, comparing, serializing and copying. Nothing is
    /// copied to make a settled value. If there is no value yet, it reads as `None`, as an empty object or as
    /// an empty list, whichever the type needs. A type that needs all of a value (a tuple, a variant with its
    /// content, a struct with a required field) cannot be read while that value is open.
    ///
    /// A complete value has nothing to leave out. The finalizer may still correct a complete value by a patch.
    #[must_use]
    pub fn settled(self) -> Self {
        let settled = Self { only_settled: true, ..self };
        if settled.is_left_out() { settled.absent() } else { settled }
    }

    /// Whether the value is an open string and settled values are read.
    pub(super) fn is_left_out(self) -> bool {
        self.only_settled
            && self.exists()
            && !self.is_complete()
            && !self.node_kind().is_container()
    }

    /// Whether the value is absent and may come later.
    pub(in crate::document) const fn is_awaited(self) -> bool {
        self.only_settled && !self.exists()
    }

    /// Whether the last item or member is left out. Only the last one can be: at most one string is open,
    /// and nothing follows in its container before the string is complete.
    pub(super) fn leaves_out_last(self) -> bool {
        let last = self.doc.nodes[self.node as usize].to;
        Self { node: last, ..self }.is_left_out()
    }
}

/// Iterates over the children of a value. Made by [`ValueRef::entries`].
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

/// An owned value, with members in order and exact numbers. Cloning copies a pointer.
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
    /// The borrowed value, which has all methods for reading.
    #[must_use]
    pub fn as_ref(&self) -> ValueRef<'_> {
        ValueRef::new(&self.doc, self.node)
    }

    pub(crate) fn of(doc: &Arc<Document>) -> Self {
        Self { doc: Arc::clone(doc), node: doc.root.unwrap_or(NONE) }
    }
}

#[cfg(test)]
mod tests;
