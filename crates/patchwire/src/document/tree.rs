//! Markup as a tree: elements with their attributes, text and comments, in order. Made by
//! [`Element::tree`](crate::answer::Element::tree).
//!
//! Flat like a document: the nodes are in one vector and all text is in one string, so nothing recurses.

use super::NONE;

/// A range of the text.
type Range = (u32, u32);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TreeNodeKind {
    Element,
    Text,
    Comment,
}

/// One node. The text of an element is its name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Node {
    what: TreeNodeKind,
    text: Range,
    /// Its attributes: a range of `Tree::attributes`.
    attributes: Range,
    first: u32,
    next: u32,
}

/// The body of an element as a tree. Made by [`Element::tree`](crate::answer::Element::tree).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// All nodes. The first is the body itself.
    nodes: Vec<Node>,
    /// Names and values.
    attributes: Vec<(Range, Range)>,
    text: String,
}

impl Tree {
    /// The body: an element without a name.
    #[must_use]
    pub const fn body(&self) -> TreeRef<'_> {
        TreeRef { tree: self, node: 0 }
    }

    fn str(&self, (start, end): Range) -> &str {
        &self.text[start as usize..end as usize]
    }
}

/// One node of a [`Tree`]. Prints as JSON, where an element prints as its content.
///
/// An element that only contains text prints as that text. An element with children prints as an object of
/// them, with attributes as members `@name` and text as `#text`. If names repeat, or if text or comments
/// lie between children, the element prints as a list of strings and of objects with one member.
#[derive(Debug, Clone, Copy)]
pub struct TreeRef<'t> {
    tree: &'t Tree,
    node: u32,
}

/// The kind of a node of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TreeNode<'t> {
    /// An element of this name.
    Element(&'t str),
    /// Text between tags, with its entities decoded.
    Text(&'t str),
    /// A comment.
    Comment(&'t str),
}

impl<'t> TreeRef<'t> {
    /// The kind of the node.
    #[must_use]
    pub fn node(self) -> TreeNode<'t> {
        let node = self.get();
        let text = self.tree.str(node.text);
        match node.what {
            TreeNodeKind::Element => TreeNode::Element(text),
            TreeNodeKind::Text => TreeNode::Text(text),
            TreeNodeKind::Comment => TreeNode::Comment(text),
        }
    }

    /// The attributes of an element, in order; none for text and comments.
    pub fn attributes(self) -> impl ExactSizeIterator<Item = (&'t str, &'t str)> {
        let (start, end) = self.get().attributes;
        let all = &self.tree.attributes[start as usize..end as usize];
        all.iter().map(move |(name, value)| (self.tree.str(*name), self.tree.str(*value)))
    }

    /// The children of the node, in order.
    #[must_use]
    pub fn children(self) -> Children<'t> {
        Children { tree: self.tree, next: self.get().first }
    }

    fn get(self) -> &'t Node {
        &self.tree.nodes[self.node as usize]
    }
}

/// The children of an element. Made by [`TreeRef::children`].
#[derive(Debug, Clone)]
pub struct Children<'t> {
    tree: &'t Tree,
    next: u32,
}

impl<'t> Iterator for Children<'t> {
    type Item = TreeRef<'t>;

    fn next(&mut self) -> Option<TreeRef<'t>> {
        let node = self.next;
        self.next = self.tree.nodes.get(node as usize)?.next;
        Some(TreeRef { tree: self.tree, node })
    }
}

/// A tree that grows at its end.
#[derive(Debug)]
pub(crate) struct TreeBuilder {
    tree: Tree,
    /// The open elements, each with its last child.
    open: Vec<(u32, u32)>,
    /// The text or comment that grows.
    leaf: Option<u32>,
    in_comment: bool,
    /// Whitespace that begins a text or lies between children.
    blanks: String,
}

impl Default for TreeBuilder {
    fn default() -> Self {
        let tree = Tree { nodes: Vec::new(), attributes: Vec::new(), text: String::new() };
        let mut builder =
            Self { tree, open: Vec::new(), leaf: None, in_comment: false, blanks: String::new() };
        builder.open("");
        builder
    }
}

impl TreeBuilder {
    /// Opens an element.
    pub(crate) fn open(&mut self, name: &str) {
        let node = self.push(TreeNodeKind::Element, name);
        self.open.push((node, NONE));
    }

    /// Adds an attribute to the last element. A repeated attribute replaces the first.
    pub(crate) fn attribute(&mut self, name: &str, value: &str) {
        let Some(&(node, _)) = self.open.last() else { return };
        let value = self.keep(value);
        let (start, end) = self.tree.nodes[node as usize].attributes;
        let known =
            (start..end).find(|at| self.tree.str(self.tree.attributes[*at as usize].0) == name);
        if let Some(at) = known {
            self.tree.attributes[at as usize].1 = value;
            return;
        }
        let name = self.keep(name);
        self.tree.attributes.push((name, value));
        self.tree.nodes[node as usize].attributes.1 += 1;
    }

    /// Closes the innermost element.
    pub(crate) fn close(&mut self) {
        if matches!(self.open.last(), Some((_, NONE))) && !self.blanks.is_empty() {
            let blanks = core::mem::take(&mut self.blanks);
            self.push(TreeNodeKind::Text, &blanks);
        }
        self.open.pop();
        self.blanks.clear();
        self.leaf = None;
    }

    /// Adds text. If `explicit`, whitespace is text even between children.
    pub(crate) fn text(&mut self, text: &str, explicit: bool) {
        let blank =
            !explicit && text.bytes().all(|byte| matches!(byte, b' ' | b'\t' | b'\r' | b'\n'));
        match self.leaf {
            Some(leaf) => self.grow(leaf, text),
            None if blank => self.blanks.push_str(text),
            None => {
                let blanks = core::mem::take(&mut self.blanks);
                let leaf = self.push(TreeNodeKind::Text, &blanks);
                self.grow(leaf, text);
                self.leaf = Some(leaf);
            }
        }
    }

    /// Adds text to a comment.
    pub(crate) fn comment(&mut self, text: &str) {
        match self.leaf.filter(|_| self.in_comment) {
            Some(leaf) => self.grow(leaf, text),
            None => {
                self.leaf = Some(self.push(TreeNodeKind::Comment, text));
                self.in_comment = true;
            }
        }
    }

    /// Ends the comment, which may be empty.
    pub(crate) fn end_comment(&mut self) {
        self.comment("");
        self.leaf = None;
        self.in_comment = false;
    }

    /// Closes all elements.
    pub(crate) fn finish(mut self) -> Tree {
        while !self.open.is_empty() {
            self.close();
        }
        self.tree
    }

    /// Adds a child to the innermost element. Whitespace before it does not count as text.
    fn push(&mut self, what: TreeNodeKind, text: &str) -> u32 {
        self.blanks.clear();
        self.leaf = None;
        let node = self.tree.nodes.len() as u32;
        let text = self.keep(text);
        let at = self.tree.attributes.len() as u32;
        self.tree.nodes.push(Node { what, text, attributes: (at, at), first: NONE, next: NONE });
        if let Some((parent, last)) = self.open.last_mut() {
            let before = core::mem::replace(last, node);
            match before {
                NONE => self.tree.nodes[*parent as usize].first = node,
                before => self.tree.nodes[before as usize].next = node,
            }
        }
        node
    }

    fn grow(&mut self, leaf: u32, text: &str) {
        let (_, end) = self.keep(text);
        self.tree.nodes[leaf as usize].text.1 = end;
    }

    fn keep(&mut self, text: &str) -> Range {
        let start = self.tree.text.len() as u32;
        self.tree.text.push_str(text);
        (start, self.tree.text.len() as u32)
    }
}
