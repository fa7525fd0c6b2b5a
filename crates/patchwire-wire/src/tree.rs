//! The value so far, for protocols that repeat it. Nothing recurses over nesting.

use std::collections::HashMap;

use patchwire::{ValueKind, ValueRef, wire::append_json_string};

use crate::change::{Change, Edit, Step};
use crate::event_ref::FieldKey;

/// The value so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    free: Vec<u32>,
    root: Option<u32>,
    /// The string that the last change opened or grew.
    growing: Option<(FieldKey, u32)>,
}

#[derive(Debug, Clone)]
enum Node {
    /// A number, bool or null, as JSON.
    Scalar(String),
    Text(GrowingString),
    List(Vec<u32>),
    Object(Members),
}

/// A string, and the length that was sent last.
#[derive(Debug, Clone, Default)]
pub(crate) struct GrowingString {
    pub(crate) text: String,
    pub(crate) sent: usize,
}

/// Members in order, with an index by name.
#[derive(Debug, Clone, Default)]
struct Members {
    order: Vec<(String, u32)>,
    places: HashMap<String, usize>,
}

/// The effect of putting a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Put {
    /// The place was empty.
    Added,
    /// The place had another value.
    Replaced,
}

impl Tree {
    /// Applies a change.
    pub(crate) fn apply(&mut self, change: &Change<'_>) {
        match change.edit {
            Edit::Open(kind) => drop(self.open(&change.place.steps(), kind)),
            Edit::Set(value) => drop(self.set(&change.place.steps(), value)),
            Edit::Append(text) => {
                if let Some(string) = self.growing(change) {
                    string.text += text;
                }
            }
            Edit::Close => {}
            Edit::Remove => drop(self.remove(&change.place.steps())),
        }
    }

    /// The string that a change appends to or completes; none if no string is there. Further changes of the same
    /// field need no search.
    pub(crate) fn growing(&mut self, change: &Change<'_>) -> Option<&mut GrowingString> {
        let known = self.growing.filter(|(field, _)| change.field == Some(*field));
        let at = match known {
            Some((_, at)) => at,
            None => self.find(&change.place.steps())?,
        };
        self.growing = change.field.map(|field| (field, at));
        self.text_at(at)
    }

    /// Puts an empty value at a place; none if its container is missing.
    pub(crate) fn open(&mut self, steps: &[Step<'_>], kind: ValueKind) -> Option<Put> {
        let node = self.make(empty(kind));
        self.place(steps, node)
    }

    /// Puts a value at a place; none if its container is missing.
    pub(crate) fn set(&mut self, steps: &[Step<'_>], value: ValueRef<'_>) -> Option<Put> {
        let node = self.graft(value);
        self.place(steps, node)
    }

    /// The string at a place; none if no string is there.
    pub(crate) fn string(&mut self, steps: &[Step<'_>]) -> Option<&mut GrowingString> {
        let at = self.find(steps)?;
        self.text_at(at)
    }

    fn text_at(&mut self, at: u32) -> Option<&mut GrowingString> {
        match &mut self.nodes[at as usize] {
            Node::Text(string) => Some(string),
            _ => None,
        }
    }

    /// Removes a value. Returns whether there was one.
    pub(crate) fn remove(&mut self, steps: &[Step<'_>]) -> bool {
        self.growing = None;
        let Some((last, above)) = steps.split_last() else {
            return self.root.take().map(|root| self.release(root)).is_some();
        };
        let Some(above) = self.find(above) else { return false };
        let gone = match (&mut self.nodes[above as usize], last) {
            (Node::List(items), Step::Index(at)) if *at < items.len() => Some(items.remove(*at)),
            (Node::Object(members), Step::Key(key)) => members.remove(key),
            _ => None,
        };
        gone.map(|node| self.release(node)).is_some()
    }

    fn find(&self, steps: &[Step<'_>]) -> Option<u32> {
        steps.iter().try_fold(self.root?, |at, step| self.child(at, step))
    }

    fn child(&self, at: u32, step: &Step<'_>) -> Option<u32> {
        match (&self.nodes[at as usize], step) {
            (Node::List(items), Step::Index(index)) => items.get(*index).copied(),
            (Node::Object(members), Step::Key(key)) => members.get(key),
            _ => None,
        }
    }

    fn place(&mut self, steps: &[Step<'_>], node: u32) -> Option<Put> {
        self.growing = None;
        let Some((last, above)) = steps.split_last() else {
            let before = self.root.replace(node);
            return Some(self.replaced(before));
        };
        let container = self.find(above);
        let slot = container.map(|at| &mut self.nodes[at as usize]);
        let before = match (slot, last) {
            (Some(Node::List(items)), Step::Index(at)) if *at < items.len() => {
                Some(core::mem::replace(&mut items[*at], node))
            }
            (Some(Node::List(items)), Step::Index(at)) if *at == items.len() => {
                items.push(node);
                None
            }
            (Some(Node::Object(members)), Step::Key(key)) => members.put(key, node),
            _ => {
                self.release(node);
                return None;
            }
        };
        Some(self.replaced(before))
    }

    fn replaced(&mut self, before: Option<u32>) -> Put {
        match before {
            Some(before) => {
                self.release(before);
                Put::Replaced
            }
            None => Put::Added,
        }
    }

    fn make(&mut self, node: Node) -> u32 {
        match self.free.pop() {
            Some(at) => {
                self.nodes[at as usize] = node;
                at
            }
            None => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
        }
    }

    /// Copies a value into the tree.
    fn graft(&mut self, value: ValueRef<'_>) -> u32 {
        let root = self.make(single(value));
        let mut open = vec![(root, value)];
        while let Some((at, value)) = open.pop() {
            for (key, value) in value.entries() {
                let child = self.make(single(value));
                match &mut self.nodes[at as usize] {
                    Node::List(items) => items.push(child),
                    Node::Object(members) => drop(members.put(key.unwrap_or_default(), child)),
                    Node::Scalar(_) | Node::Text(_) => {}
                }
                open.push((child, value));
            }
        }
        root
    }

    /// Frees the nodes of a value.
    fn release(&mut self, node: u32) {
        let mut gone = vec![node];
        while let Some(at) = gone.pop() {
            let node =
                core::mem::replace(&mut self.nodes[at as usize], Node::Scalar(String::new()));
            match node {
                Node::List(items) => gone.extend(items),
                Node::Object(members) => gone.extend(members.order.iter().map(|(_, node)| node)),
                Node::Scalar(_) | Node::Text(_) => {}
            }
            self.free.push(at);
        }
    }

    /// The value as JSON; `null` for an empty tree.
    pub(crate) fn print(&self) -> String {
        let mut out = String::new();
        let Some(root) = self.root else { return "null".to_owned() };
        let mut pieces = vec![Piece::Value(root)];
        while let Some(piece) = pieces.pop() {
            match piece {
                Piece::Char(char) => out.push(char),
                Piece::Key(key) => {
                    append_json_string(key, &mut out);
                    out.push(':');
                }
                Piece::Value(at) => self.print_one(at, &mut out, &mut pieces),
            }
        }
        out
    }

    fn print_one<'t>(&'t self, at: u32, out: &mut String, pieces: &mut Vec<Piece<'t>>) {
        match &self.nodes[at as usize] {
            Node::Scalar(json) => *out += json,
            Node::Text(string) => append_json_string(&string.text, out),
            Node::List(items) => {
                out.push('[');
                pieces.push(Piece::Char(']'));
                for (index, item) in items.iter().enumerate().rev() {
                    pieces.push(Piece::Value(*item));
                    pieces.extend((index > 0).then_some(Piece::Char(',')));
                }
            }
            Node::Object(members) => {
                out.push('{');
                pieces.push(Piece::Char('}'));
                for (index, (key, value)) in members.order.iter().enumerate().rev() {
                    pieces.extend([Piece::Value(*value), Piece::Key(key)]);
                    pieces.extend((index > 0).then_some(Piece::Char(',')));
                }
            }
        }
    }
}

/// A piece that is printed later.
enum Piece<'t> {
    Char(char),
    Key(&'t str),
    Value(u32),
}

fn empty(kind: ValueKind) -> Node {
    match kind {
        ValueKind::List => Node::List(Vec::new()),
        ValueKind::Object => Node::Object(Members::default()),
        ValueKind::String => Node::Text(GrowingString::default()),
        _ => Node::Scalar("null".to_owned()),
    }
}

/// A value without its children. A string that is put as a whole counts as sent.
fn single(value: ValueRef<'_>) -> Node {
    match value.kind() {
        kind @ (ValueKind::List | ValueKind::Object) => empty(kind),
        ValueKind::String => {
            let text = value.as_str().unwrap_or_default().to_owned();
            Node::Text(GrowingString { sent: text.len(), text })
        }
        _ => Node::Scalar(value.to_string()),
    }
}

impl Members {
    fn get(&self, key: &str) -> Option<u32> {
        self.places.get(key).map(|&at| self.order[at].1)
    }

    fn put(&mut self, key: &str, node: u32) -> Option<u32> {
        if let Some(&at) = self.places.get(key) {
            return Some(core::mem::replace(&mut self.order[at].1, node));
        }
        self.places.insert(key.to_owned(), self.order.len());
        self.order.push((key.to_owned(), node));
        None
    }

    /// Linear in the number of members. Only the end of a stream removes members.
    fn remove(&mut self, key: &str) -> Option<u32> {
        let at = self.places.remove(key)?;
        let (_, node) = self.order.remove(at);
        self.places.values_mut().filter(|place| **place > at).for_each(|place| *place -= 1);
        Some(node)
    }
}
