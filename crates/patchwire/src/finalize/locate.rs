//! The path of a node, from its place in the tree.
//!
//! Corrections come in the order of the stream, so the way from one to the next is short: what they
//! share stays, and items of a list are counted on from the last one. All together they cost no more
//! than the tree has nodes.

use std::collections::HashMap;

use crate::document::{DocId, Document, NodeId};
use crate::path::PathStack;

/// The way to the node located last.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Locator {
    document: Option<DocId>,
    /// Its nodes, from the root down.
    line: Vec<NodeId>,
    /// Where in the line a node is.
    at: HashMap<NodeId, usize>,
    /// The item of each list that was located last, and its index.
    items: HashMap<NodeId, (NodeId, u32)>,
}

impl Locator {
    /// Forgets the way: nodes moved, or somebody else set the path.
    pub(super) fn reset(&mut self) {
        self.document = None;
        self.line.clear();
        self.at.clear();
        self.items.clear();
    }

    /// A child of this node was taken out: its items count anew.
    pub(super) fn recount(&mut self, list: NodeId) {
        self.items.remove(&list);
    }

    /// Sets `path`, which nobody else changed since the last time, to that of `node`.
    pub(super) fn locate(
        &mut self,
        (id, document): (DocId, &Document),
        node: NodeId,
        path: &mut PathStack,
    ) {
        if self.document != Some(id) {
            self.reset();
            self.document = Some(id);
            path.clear();
        }
        let mut way = vec![node];
        let mut known = self.at.get(&node).copied();
        let mut next = document.parent(node);
        while let (None, Some(parent)) = (known, next) {
            way.push(parent);
            known = self.at.get(&parent).copied();
            next = document.parent(parent);
        }
        self.cut_back(known.unwrap_or(0), path);
        for &step in way.iter().rev() {
            self.step(document, step, path);
        }
    }

    /// The first so many nodes of the line stay.
    fn cut_back(&mut self, len: usize, path: &mut PathStack) {
        for gone in self.line.drain(len..) {
            self.at.remove(&gone);
        }
        while path.depth() >= len.max(1) {
            path.pop();
        }
    }

    fn step(&mut self, document: &Document, node: NodeId, path: &mut PathStack) {
        if let Some(&parent) = self.line.last() {
            if document.is_list(parent) {
                path.push(true);
                path.set_index(self.index(document, parent, node));
            } else {
                path.push(false);
                path.set_key(document.key(node));
            }
        }
        self.at.insert(node, self.line.len());
        self.line.push(node);
    }

    fn index(&mut self, document: &Document, list: NodeId, item: NodeId) -> u32 {
        let from = self.items.get(&list).copied();
        let found = from.and_then(|from| document.index_from(from, item));
        let index = found.unwrap_or_else(|| document.index_in(list, item));
        self.items.insert(list, (item, index));
        index
    }
}
