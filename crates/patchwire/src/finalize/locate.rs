//! Finds the path of a node.
//!
//! Corrections come in the order of the stream, so the paths of neighbours share most of their steps:
//! shared steps stay, and list items are counted from the last one located. All lookups together cost no
//! more than the tree has nodes.

use std::collections::{HashMap, HashSet};

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
    /// Where on `line` the nodes begin that were removed from the tree.
    removed_from: Option<usize>,
    /// Nodes of detached values, until one of them is put into the tree.
    detached: HashSet<NodeId>,
}

impl Locator {
    /// Call this when nodes moved or when other code set the path.
    pub(super) fn reset(&mut self) {
        self.document = None;
        self.line.clear();
        self.at.clear();
        self.items.clear();
        self.removed_from = None;
        self.detached = HashSet::new();
    }

    /// Call this when the node located last is removed from its parent: the items of a list are counted anew.
    pub(super) fn removed(&mut self, parent: NodeId) {
        self.items.remove(&parent);
        let last = self.line.len().saturating_sub(1);
        self.removed_from = Some(self.removed_from.map_or(last, |from| from.min(last)));
    }

    /// Whether a node lies in the tree, after it took a value over. What is known of other nodes counts for those below
    /// them, so that all calls together cost no more than the tree has nodes.
    pub(super) fn takes_over_in_place(&mut self, documents: &[Document], at: DocNode) -> bool {
        let document = &documents[at.document.index()];
        if self.document != Some(at.document) {
            self.reset();
            self.document = Some(at.document);
        }
        let (mut way, mut top) = (vec![at.node], at.node);
        let is_in_place = loop {
            if self.detached.contains(&top) {
                break false;
            }
            if let Some(&known) = self.at.get(&top) {
                break self.removed_from.is_none_or(|from| known < from);
            }
            let Some(parent) = document.parent(top) else { break document.root() == Some(top) };
            way.push(parent);
            top = parent;
        };
        match is_in_place {
            // What it took over is in the tree now.
            true => self.detached = HashSet::new(),
            false => self.detached.extend(way),
        }
        is_in_place
    }

    /// Sets `path` to the path of a node. Nothing else may have changed `path` since the last call.
    pub(super) fn locate(&mut self, documents: &[Document], at: DocNode, path: &mut PathStack) {
        let DocNode { document: id, node } = at;
        let document = &documents[id.index()];
        if self.document != Some(id) {
            self.reset();
            self.document = Some(id);
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

    /// Keeps the first `len` nodes of the way. Without any, whatever was in `path` goes.
    fn cut_back(&mut self, len: usize, path: &mut PathStack) {
        self.removed_from = self.removed_from.filter(|from| *from < len);
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
    use crate::document::{DocId, DocNode, Placement};
    use crate::path::PathStack;

    #[test]
    fn nodes_below_a_removed_one_are_not_in_place() {
        let mut documents = [document(r#"{"a": {"b": {"c": [1]}, "d": {"e": 2}}, "f": {"g": 3}}"#)];
        let (mut locator, mut path) = (Locator::default(), PathStack::default());
        let node = |documents: &[_; 1], wanted| {
            let [document]: &[crate::document::Document; 1] = documents;
            let value = document.value().at(wanted).expect("a value");
            DocNode { document: DocId(0), node: value.node().expect("a node") }
        };
        let all = ["", "a", "a.b", "a.b.c", "a.b.c[0]", "a.d", "a.d.e", "f", "f.g"];
        let all = all.map(|path| (path, node(&documents, path)));
        let check = |locator: &mut Locator, documents: &[_; 1], gone: &[&str]| {
            for (name, at) in all {
                let in_place = !gone.iter().any(|gone| name.starts_with(gone));
                assert_eq!(locator.takes_over_in_place(documents, at), in_place, "{name}");
                assert_eq!(documents[0].is_in_place(at.node), in_place, "{name}");
            }
        };
        check(&mut locator, &documents, &[]);
        for (wanted, gone) in
            [("a.b", &["a.b"][..]), ("f", &["a.b", "f"]), ("a.d.e", &["a.b", "f", "a.d.e"])]
        {
            let at = node(&documents, wanted);
            locator.locate(&documents, at, &mut path);
            locator.removed(documents[0].parent(at.node).expect("a parent"));
            documents[0].unlink(at.node);
            check(&mut locator, &documents, gone);
        }
        // A removed node may be located again.
        let (_, at) = all[3];
        locator.locate(&documents, at, &mut path);
    }

    #[test]
    fn a_detached_value_is_in_place_once_it_is_taken_over() {
        let mut documents = [document(r#"{"a": {"b": 1}}"#)];
        let [document] = &mut documents;
        let target = document.value().at("a").and_then(|it| it.node()).expect("a node");
        let value = super::Document::copy_of(document.value());
        let source = document.graft(Placement::Detached, value.value());
        let inner = document.at(source).at("a.b").and_then(|it| it.node()).expect("a node");
        let mut locator = Locator::default();
        let at = |node| DocNode { document: DocId(0), node };
        assert!(!locator.takes_over_in_place(&documents, at(inner)));
        assert!(!locator.takes_over_in_place(&documents, at(inner)));
        documents[0].take_over(target, source);
        assert!(locator.takes_over_in_place(&documents, at(target)));
        assert!(locator.takes_over_in_place(&documents, at(inner)));
    }

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
