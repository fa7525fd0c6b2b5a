//! Finds the path of a node.
//!
//! Corrections come in the order of the stream, so the paths of neighbours share most of their steps:
//! shared steps stay, and list items are counted from the last one located. All lookups together cost no
//! more than the tree has nodes.

use std::collections::HashMap;

use crate::document::{DocId, DocNode, Document, NodeId};
use crate::path::PathStack;

/// The way from the root to the node located last.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Locator {
    document: Option<DocId>,
    /// The nodes on the way, from the root down.
    line: Vec<NodeId>,
    /// The index of each node in `line`.
    at: HashMap<NodeId, usize>,
    /// The item located last in each list, and its index.
    items: HashMap<NodeId, (NodeId, u32)>,
}

impl Locator {
    /// Call this when nodes moved or when other code set the path.
    pub(super) fn reset(&mut self) {
        self.document = None;
        self.line.clear();
        self.at.clear();
        self.items.clear();
    }

    /// Call this when a child of the list was removed: its items are counted anew.
    pub(super) fn recount(&mut self, list: NodeId) {
        self.items.remove(&list);
    }

    /// Sets `path` to the path of a node. Nothing else may have changed `path` since the last call.
    pub(super) fn locate(&mut self, documents: &[Document], at: DocNode, path: &mut PathStack) {
        let DocNode { document: id, node } = at;
        let document = &documents[id.index()];
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

    /// Keeps the first `len` nodes of the way.
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
        let found = from.and_then(|(from, index)| document.index_from(from, index, item));
        let index = found.unwrap_or_else(|| document.index_in(list, item));
        self.items.insert(list, (item, index));
        index
    }
}

#[cfg(test)]
mod tests {
    use super::Locator;
    use crate::document::sample::document;
    use crate::document::{DocId, DocNode};
    use crate::path::PathStack;

    #[test]
    fn paths_of_nodes_in_any_order() {
        let documents =
            [document(r#"{"a": [1, {"b": 2}, 3], "c": {"d": [[4]]}}"#), document("[5, 6]")];
        let mut locator = Locator::default();
        let mut path = PathStack::default();
        for (number, wanted) in [
            (0, "a[0]"),
            (0, "a[2]"),
            (0, "a[1].b"),
            (0, "a"),
            (0, ""),
            (0, "c.d[0][0]"),
            (1, "[1]"),
            (0, "a[1]"),
            (1, "[0]"),
        ] {
            let value = documents[number as usize].value().at(wanted).expect("a value");
            let at = DocNode { document: DocId(number), node: value.node().expect("a node") };
            locator.locate(&documents, at, &mut path);
            assert_eq!(path.path(path.depth()).to_string(), wanted);
        }
    }
}
