//! A value so far, for protocols that have to repeat it. Flat: no depth of nesting is recursed into.

use std::collections::HashMap;

use patchwire::{ValueKind, ValueRef};

use crate::change::{Change, Step, What};
use crate::text::quoted;

/// A value so far.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    free: Vec<u32>,
    root: Option<u32>,
}

#[derive(Debug, Clone)]
enum Node {
    /// As JSON.
    Scalar(String),
    Text(Growing),
    List(Vec<u32>),
    Object(Members),
}

/// A string, and how much of it was told.
#[derive(Debug, Clone, Default)]
pub(crate) struct Growing {
    pub(crate) text: String,
    pub(crate) told: usize,
}

/// Members in their order, and where each is.
#[derive(Debug, Clone, Default)]
struct Members {
    order: Vec<(String, u32)>,
    places: HashMap<String, usize>,
}

/// What putting a value came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Put {
    /// There was nothing before.
    Added,
    /// There was another value.
    Replaced,
}

impl Tree {
    /// Takes a change.
    pub(crate) fn apply(&mut self, change: &Change<'_>) {
        let steps = change.place.steps();
        match change.what {
            What::Open(kind) => drop(self.open(&steps, kind)),
            What::Set(value) => drop(self.set(&steps, value)),
            What::Append(text) => {
                if let Some(string) = self.string(&steps) {
                    string.text += text;
                }
            }
            What::Close => {}
            What::Remove => drop(self.remove(&steps)),
        }
    }

    /// Puts an empty value somewhere; none if there is no container for it.
    pub(crate) fn open(&mut self, steps: &[Step<'_>], kind: ValueKind) -> Option<Put> {
        let node = self.make(empty(kind));
        self.place(steps, node)
    }

    /// Puts a value somewhere; none if there is no container for it.
    pub(crate) fn set(&mut self, steps: &[Step<'_>], value: ValueRef<'_>) -> Option<Put> {
        let node = self.graft(value);
        self.place(steps, node)
    }

    /// The string at a place.
    pub(crate) fn string(&mut self, steps: &[Step<'_>]) -> Option<&mut Growing> {
        let at = self.find(steps)?;
        match &mut self.nodes[at as usize] {
            Node::Text(string) => Some(string),
            _ => None,
        }
    }

    /// Takes a value away. Whether there was one.
    pub(crate) fn remove(&mut self, steps: &[Step<'_>]) -> bool {
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

    /// A copy of the value.
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

    /// Forgets a value and all that is in it.
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

    /// The value as JSON; `null` where there is none.
    pub(crate) fn print(&self) -> String {
        let mut out = String::new();
        let Some(root) = self.root else { return "null".to_owned() };
        let mut pieces = vec![Piece::Value(root)];
        while let Some(piece) = pieces.pop() {
            match piece {
                Piece::Char(char) => out.push(char),
                Piece::Key(key) => {
                    out += &quoted(key);
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
            Node::Text(string) => *out += &quoted(&string.text),
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

/// What is still to be printed.
enum Piece<'t> {
    Char(char),
    Key(&'t str),
    Value(u32),
}

fn empty(kind: ValueKind) -> Node {
    match kind {
        ValueKind::List => Node::List(Vec::new()),
        ValueKind::Object => Node::Object(Members::default()),
        ValueKind::String => Node::Text(Growing::default()),
        _ => Node::Scalar("null".to_owned()),
    }
}

/// A value without what is in it. A string that is set was told.
fn single(value: ValueRef<'_>) -> Node {
    match value.kind() {
        kind @ (ValueKind::List | ValueKind::Object) => empty(kind),
        ValueKind::String => {
            let text = value.as_str().unwrap_or_default().to_owned();
            Node::Text(Growing { told: text.len(), text })
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

    /// Rare: only the end of a stream removes.
    fn remove(&mut self, key: &str) -> Option<u32> {
        let at = self.places.remove(key)?;
        let (_, node) = self.order.remove(at);
        self.places.values_mut().filter(|place| **place > at).for_each(|place| *place -= 1);
        Some(node)
    }
}
