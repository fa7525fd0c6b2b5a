//! The values that a stream may emit late, because they are read whole.

use super::compose::{Node, NodeKind};

/// The reason why a value may be late, and when it is emitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// It is in brackets or braces: emitted at its end.
    Flow,
    /// It has an anchor: emitted at its end.
    Anchor,
    /// It is an alias: emitted when the alias ends.
    Alias,
    /// It has a tag: emitted at its end.
    Tag,
    /// Its key is not a plain or quoted word: emitted when the entry ends.
    Key,
    /// A merge key in the root: emitted when the root ends.
    Merge,
    /// The root is not a block mapping: emitted when the document ends.
    Root,
}

/// A value that may be late.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Deferral {
    /// The field; empty if it is the whole document.
    pub field: String,
    /// The keys and indexes of the value inside the field.
    pub path: Vec<String>,
    /// The reason.
    pub why: Why,
}

/// All such values of a document. `source` is its text.
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
    // The parser's position of a block scalar is that of its text. Only `?` can precede it.
    bare && !empty && !key.block && !behind_question_mark(&source[..key.span.start])
}

/// Whether a text ends in `?` as a separate word, with whitespace and comments after it.
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
