//! Finds members by their keys, and items by their indexes, without a search of all children.
//!
//! A container with few children is searched. A complete container with many gets an index the first time that it
//! is searched. Edits that move children forget the index; one that has other children than its container is made anew.

use core::fmt;
use core::hash::BuildHasher;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use foldhash::fast::RandomState;

use super::{Document, NONE, NodeId, NodeKind};

/// Up to this many children are searched one by one.
const FEW: u32 = 16;

/// The indexes of a document, made when they are needed. They are no part of its content: a copy has none, and
/// documents are equal whether or not they have them.
///
/// Most documents never need one: an empty place keeps them small, and a small document keeps short chunks fast.
#[derive(Default)]
pub(super) struct WideIndex {
    made: OnceLock<Box<Mutex<Made>>>,
}

type Made = HashMap<u32, Arc<ChildIndex>>;

/// The children of one container.
struct ChildIndex {
    kind: NodeKind,
    from: u32,
    to: u32,
    /// For an object: the hash of each key and its node, by hash and then in order. For a list: zeros and the
    /// nodes in order.
    children: Box<[(u32, u32)]>,
    state: RandomState,
}

impl Clone for WideIndex {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl PartialEq for WideIndex {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for WideIndex {}

impl fmt::Debug for WideIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("WideIndex")
    }
}

/// Whether an index finds the children of a container.
pub(super) fn is_wide(document: &Document, container: u32) -> bool {
    let node = &document.nodes[container as usize];
    node.complete && node.children > FEW
}

impl WideIndex {
    /// The first member with this key of a wide object.
    pub(super) fn member(&self, document: &Document, object: u32, key: &str) -> Option<u32> {
        let index = self.of(document, object);
        let hash = index.hash(key);
        let first = index.children.partition_point(|(other, _)| *other < hash);
        let alike = index.children[first..].iter().take_while(|(other, _)| *other == hash);
        let mut nodes = alike.map(|(_, node)| *node);
        nodes.find(|node| document.key(NodeId(*node)) == key)
    }

    /// The item of a wide list at this index.
    pub(super) fn item(&self, document: &Document, list: u32, index: usize) -> Option<u32> {
        self.of(document, list).children.get(index).map(|(_, node)| *node)
    }

    /// Drops the index of a container whose children moved: there may be as many as before, between the same first and
    /// last.
    pub(super) fn forget(&mut self, container: u32) {
        if let Some(made) = self.made.get_mut() {
            made.get_mut().unwrap_or_else(PoisonError::into_inner).remove(&container);
        }
    }

    fn of(&self, document: &Document, container: u32) -> Arc<ChildIndex> {
        let made = self.made.get_or_init(Box::default);
        let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
        let known = made.get(&container).filter(|it| it.is_of(document, container));
        if let Some(known) = known {
            return Arc::clone(known);
        }
        let new = Arc::new(ChildIndex::of(document, container));
        made.insert(container, Arc::clone(&new));
        new
    }
}

impl ChildIndex {
    fn of(document: &Document, container: u32) -> Self {
        let node = &document.nodes[container as usize];
        let (kind, from, to) = (node.kind, node.from, node.to);
        let mut index =
            Self { kind, from, to, children: Box::default(), state: RandomState::default() };
        let mut children = Vec::with_capacity(node.children as usize);
        let mut at = from;
        while at != NONE {
            let hash = match kind {
                NodeKind::Object => index.hash(document.key(NodeId(at))),
                _ => 0,
            };
            children.push((hash, at));
            at = document.nodes[at as usize].next;
        }
        if kind == NodeKind::Object {
            // Stable: of equal keys the first stays the first.
            children.sort_by_key(|(hash, _)| *hash);
        }
        index.children = children.into();
        index
    }

    fn is_of(&self, document: &Document, container: u32) -> bool {
        let node = &document.nodes[container as usize];
        let is_same = (self.kind, self.from, self.to) == (node.kind, node.from, node.to);
        is_same && self.children.len() == node.children as usize
    }

    fn hash(&self, key: &str) -> u32 {
        self.state.hash_one(key) as u32
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::ChildIndex;
    use crate::document::sample::document;
    use crate::document::{Document, NodeId, NodeKind, Placement, ValueRef};

    fn wide(members: usize) -> Document {
        let members: Vec<String> = (0..members).map(|at| format!("\"k{at}\": {at}")).collect();
        document(&format!(
            "{{{}, \"k3\": true, \"l\": [{}]}}",
            members.join(","),
            "1,".repeat(40) + "2"
        ))
    }

    #[test]
    fn members_and_items_of_wide_containers() {
        for count in [4, 15, 16, 17, 300] {
            let doc = wide(count);
            let value = doc.value();
            for at in 0..count {
                let found = value.get(&format!("k{at}")).and_then(ValueRef::as_u64);
                assert_eq!(found, Some(at as u64), "{count}");
            }
            assert!(value.get("k").is_none() && value.get("").is_none());
            let list = value.get("l").expect("a list");
            let items: Vec<_> =
                (0..42).map(|at| list.item(at).and_then(ValueRef::as_u64)).collect();
            assert_eq!(
                (items[0], items[39], items[40], items[41]),
                (Some(1), Some(1), Some(2), None)
            );
            assert!(list.get("0").is_none() && value.item(0).is_none());
        }
    }

    /// Only then is a member found without a look at all others.
    #[test]
    fn members_have_hashes_of_their_own() {
        let doc = wide(300);
        let root = doc.root().expect("a root");
        let index = ChildIndex::of(&doc, root.0);
        let hashes: HashSet<u32> = index.children.iter().map(|(hash, _)| *hash).collect();
        assert!(hashes.len() > 290, "{}", hashes.len());
    }

    /// One item less and one more: there are as many as before, and others.
    #[test]
    fn a_list_with_as_many_other_items_is_searched_anew() {
        let items: Vec<String> = (0..40).map(|at| at.to_string()).collect();
        let items = format!("[{}]", items.join(","));
        let of = |doc: &Document, at| doc.value().item(at).and_then(ValueRef::as_u64);
        for gone in [0, 20, 39] {
            let mut doc = document(&items);
            assert_eq!((of(&doc, 0), of(&doc, 39), of(&doc, 40)), (Some(0), Some(39), None));
            let item = doc.value().item(gone).and_then(ValueRef::node).expect("an item");
            doc.unlink(item);
            let list = doc.root().expect("a root");
            doc.scalar(Placement::Item(list), NodeKind::Number, "77");
            let gone = gone as u64;
            let first = u64::from(gone == 0);
            assert_eq!((of(&doc, 0), of(&doc, 39), of(&doc, 40)), (Some(first), Some(77), None));
        }
    }

    /// Another member stands in the place of one, and the first and the last are the same.
    #[test]
    fn an_object_with_as_many_other_members_is_searched_anew() {
        let mut doc = wide(40);
        let root = doc.root().expect("a root");
        let of = |doc: &Document, key: &str| doc.value().get(key).map(|it| it.to_string());
        assert_eq!((of(&doc, "k7").as_deref(), of(&doc, "k4")), (Some("7"), Some("4".to_owned())));
        let gone = doc.value().get("k7").and_then(ValueRef::node).expect("a member");
        doc.unlink(gone);
        doc.scalar(Placement::Member(root, "other"), NodeKind::Number, "77");
        doc.order_members(root, |name| usize::from(name == "l"));
        assert_eq!((of(&doc, "k7"), of(&doc, "other").as_deref()), (None, Some("77")));
    }

    #[test]
    fn a_changed_container_is_searched_anew() {
        let mut doc = wide(40);
        let root = doc.root().expect("a root");
        let of = |doc: &Document, key: &str| doc.value().get(key).map(|it| it.to_string());
        assert_eq!(of(&doc, "k7").as_deref(), Some("7"));
        let gone: NodeId = doc.value().get("k7").and_then(ValueRef::node).expect("a member");
        doc.unlink(gone);
        assert_eq!(of(&doc, "k7"), None);
        doc.order_members(root, |name| ["l", "k9"].iter().position(|it| *it == name).unwrap_or(9));
        assert_eq!((of(&doc, "k9").as_deref(), of(&doc, "k3").as_deref()), (Some("9"), Some("3")));
        let copy = doc.clone();
        assert!(copy == doc && of(&copy, "k39").as_deref() == Some("39"));
    }
}
