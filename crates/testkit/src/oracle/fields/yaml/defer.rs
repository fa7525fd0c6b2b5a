//! The values that a stream may emit late: those that are read whole.

use super::compose::{Node, NodeKind};

/// Why a value may come late.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// It is written in brackets or braces: given at its end.
    Flow,
    /// It has an anchor: given at its end.
    Anchor,
    /// It is an alias: given when the alias ends.
    Alias,
    /// It has a tag: given at its end.
    Tag,
    /// A key is no plain or quoted word: given when its entry ends.
    Key,
    /// A merge key in the root: given when the root ends.
    Merge,
    /// The root is no block mapping: given when the document ends.
    Root,
}

/// A value that may come late.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deferral {
    /// The field; empty if it is the whole document.
    pub field: String,
    /// Keys and indexes that lead to the value inside the field.
    pub path: Vec<String>,
    /// Why.
    pub why: Why,
}

/// All such values of a document, of which the source is given.
#[must_use]
pub fn of_document(source: &str, root: &Node) -> Vec<Deferral> {
    let mut found = Vec::new();
    let NodeKind::Map { pairs, flow: false } = &root.kind else {
        let nothing =
            matches!(&root.kind, NodeKind::Scalar { text, plain: true } if text.is_empty());
        let empty = nothing && root.anchor == 0 && root.tag.is_none();
        return if empty { found } else { vec![whole(Why::Root)] };
    };
    if root.anchor > 0 || root.tag.is_some() {
        found.push(whole(Why::Root));
    }
    for (key, value) in pairs {
        if !is_word(source, key) {
            found.push(whole(Why::Key));
        }
        if is_merge(key) {
            found.push(whole(Why::Merge));
        }
        Walk { source, field: key.text(), path: Vec::new(), found: &mut found }.node(value);
    }
    found
}

fn whole(why: Why) -> Deferral {
    Deferral { field: String::new(), path: Vec::new(), why }
}

/// Whether a key is a scalar without properties, and without `?` before it.
fn is_word(source: &str, key: &Node) -> bool {
    let empty = matches!(&key.kind, NodeKind::Scalar { text, plain: true } if text.is_empty());
    let bare = matches!(key.kind, NodeKind::Scalar { .. }) && key.anchor == 0 && key.tag.is_none();
    // Of a block scalar the parser tells where its text begins; only `?` can be in front of it.
    bare && !empty && !key.block && !behind_question_mark(&source[..key.span.start])
}

/// Whether a text ends in `?` as a word of its own, and blanks and comments.
fn behind_question_mark(text: &str) -> bool {
    let lines = text.rsplit('\n').map(|line| match line.find('#') {
        Some(at) if at == 0 || line[..at].ends_with([' ', '\t']) => &line[..at],
        _ => line,
    });
    let mut lines = lines.map(|line| line.trim_end_matches([' ', '\t']));
    let mark = lines.find(|line| !line.is_empty()).and_then(|line| line.strip_suffix('?'));
    let own = !text.ends_with('?');
    own && mark.is_some_and(|mark| mark.is_empty() || mark.ends_with([' ', '\t']))
}

fn is_merge(key: &Node) -> bool {
    matches!(&key.kind, NodeKind::Scalar { text, plain: true } if text == "<<")
}

struct Walk<'w> {
    source: &'w str,
    field: &'w str,
    path: Vec<String>,
    found: &'w mut Vec<Deferral>,
}

impl Walk<'_> {
    fn add(&mut self, why: Why) {
        let deferral = Deferral { field: self.field.to_owned(), path: self.path.clone(), why };
        self.found.push(deferral);
    }

    fn node(&mut self, node: &Node) {
        if node.tag.is_some() {
            self.add(Why::Tag);
        }
        if node.anchor > 0 && !matches!(node.kind, NodeKind::Alias(_)) {
            self.add(Why::Anchor);
        }
        match &node.kind {
            NodeKind::Scalar { .. } | NodeKind::Unknown(_) => {}
            NodeKind::Alias(_) => self.add(Why::Alias),
            NodeKind::Seq { flow: true, .. } | NodeKind::Map { flow: true, .. } => {
                self.add(Why::Flow);
                self.children(node);
            }
            NodeKind::Seq { .. } | NodeKind::Map { .. } => self.children(node),
        }
    }

    fn children(&mut self, node: &Node) {
        match &node.kind {
            NodeKind::Seq { items, .. } => {
                for (at, item) in items.iter().enumerate() {
                    self.inside(at.to_string(), item);
                }
            }
            NodeKind::Map { pairs, .. } => {
                for (key, value) in pairs {
                    if !is_word(self.source, key) {
                        self.add(Why::Key);
                    }
                    self.inside(key.text().to_owned(), value);
                }
            }
            _ => {}
        }
    }

    fn inside(&mut self, step: String, node: &Node) {
        self.path.push(step);
        self.node(node);
        self.path.pop();
    }
}
