//! Changes of a document by the finalizer.

use super::{Document, NONE, NodeId, NodeKind, Placement, ValueRef};
use crate::order;

impl Document {
    /// Gives `target` the content of `source`, a detached value. The place and the key of `target` stay.
    pub(crate) fn take_over(&mut self, target: NodeId, source: NodeId) {
        let content = self.nodes[source.index()];
        if content.kind.is_container() {
            let mut child = content.from;
            while child != NONE {
                self.nodes[child as usize].parent = target.0;
                child = self.nodes[child as usize].next;
            }
        }
        self.wide.forget(target.0);
        let node = &mut self.nodes[target.index()];
        node.kind = content.kind;
        node.complete = true;
        node.from = content.from;
        node.to = content.to;
        node.children = content.children;
    }

    /// Makes the root a copy of this value.
    pub(crate) fn replace_root(&mut self, value: ValueRef<'_>) -> NodeId {
        let Some(root) = self.root() else { return self.graft(Placement::Root, value) };
        let source = self.graft(Placement::Detached, value);
        self.take_over(root, source);
        root
    }

    /// Cuts a string to its first `len` bytes.
    pub(crate) fn truncate_string(&mut self, string: NodeId, len: usize) {
        let node = &mut self.nodes[string.index()];
        node.to = node.to.min(node.from + len as u32);
    }

    /// Removes a child from its container.
    pub(crate) fn unlink(&mut self, child: NodeId) {
        let parent = self.nodes[child.index()].parent;
        if self.root == Some(child.0) {
            self.root = None;
        }
        if parent == NONE {
            return;
        }
        self.wide.forget(parent);
        let after = self.nodes[child.index()].next;
        let mut at = self.nodes[parent as usize].from;
        let mut before = NONE;
        while at != child.0 {
            let Some(node) = self.nodes.get(at as usize) else { return };
            before = at;
            at = node.next;
        }
        if before == NONE {
            self.nodes[parent as usize].from = after;
        } else {
            self.nodes[before as usize].next = after;
        }
        let above = &mut self.nodes[parent as usize];
        if above.to == child.0 {
            above.to = before;
        }
        above.children -= 1;
        self.nodes[child.index()].parent = NONE;
    }

    /// Copies a value of another document. Does not recurse: a value may be as deep as the limit allows.
    pub(crate) fn graft(&mut self, place: Placement<'_>, from: ValueRef<'_>) -> NodeId {
        let top = self.graft_one(place, from);
        let mut open = vec![(top, from.entries())];
        while let Some((parent, entries)) = open.last_mut() {
            let parent = *parent;
            let Some((key, value)) = entries.next() else {
                open.pop();
                continue;
            };
            let place = key.map_or(Placement::Item(parent), |key| Placement::Member(parent, key));
            let node = self.graft_one(place, value);
            open.push((node, value.entries()));
        }
        top
    }

    fn graft_one(&mut self, place: Placement<'_>, from: ValueRef<'_>) -> NodeId {
        let kind = from.node_kind();
        let text = if kind.is_container() { "" } else { from.text() };
        let node = self.open(place, kind);
        if !kind.is_container() {
            self.append(node, text);
        }
        self.complete(node);
        node
    }

    /// Opens the values that are open in `from`, of which this document is a copy: the last child at each
    /// level.
    pub(crate) fn reopen_as(&mut self, from: ValueRef<'_>) {
        let (mut copy, mut from) = (self.root(), from);
        while let Some(node) = copy.filter(|_| from.exists() && !from.is_complete()) {
            self.nodes[node.index()].complete = false;
            copy = self.at(node).last().node();
            from = from.last();
        }
    }

    /// The container of a node.
    pub(crate) fn parent(&self, node: NodeId) -> Option<NodeId> {
        let parent = self.nodes[node.index()].parent;
        (parent != NONE).then_some(NodeId(parent))
    }

    /// Whether a node is no root and has no container, because it was removed or is not in the tree yet.
    pub(crate) fn is_detached(&self, node: NodeId) -> bool {
        self.parent(node).is_none() && self.root() != Some(node)
    }

    /// Whether a node lies in the tree, and not in a detached value.
    pub(crate) fn is_in_place(&self, node: NodeId) -> bool {
        let top = core::iter::successors(Some(node), |node| self.parent(*node)).last();
        top == self.root()
    }

    pub(crate) fn is_list(&self, node: NodeId) -> bool {
        self.nodes[node.index()].kind == NodeKind::List
    }

    /// The index of an item in its list.
    pub(crate) fn index_in(&self, list: NodeId, item: NodeId) -> u32 {
        let list = &self.nodes[list.index()];
        if list.to == item.0 {
            return list.children - 1;
        }
        self.index_from(NodeId(list.from), 0, item).unwrap_or(0)
    }

    /// The index of an item, counted from another item, which has `index`; none if it comes before that item.
    pub(crate) fn index_from(&self, from: NodeId, mut index: u32, item: NodeId) -> Option<u32> {
        let NodeId(mut at) = from;
        while at != item.0 {
            at = self.nodes.get(at as usize)?.next;
            index += 1;
        }
        Some(index)
    }

    /// The key of a member.
    pub(crate) fn key(&self, node: NodeId) -> &str {
        let node = &self.nodes[node.index()];
        self.str_range(node.key_start, node.key_start + node.key_len)
    }

    /// Whether the member `node` has this key.
    pub(crate) fn has_key(&self, node: NodeId, key: &str) -> bool {
        self.key(node) == key
    }

    /// Orders the members of an object by the ranks of their names. Of one rank they keep their order.
    pub(crate) fn order_members(&mut self, object: NodeId, rank: impl Fn(&str) -> usize) {
        let children = self.children(object.0);
        let mut ranked: Vec<(usize, u32)> =
            children.map(|node| (rank(self.key(NodeId(node))), node)).collect();
        order::sort_by_key(&mut ranked, |(rank, _)| *rank);
        let sorted: Vec<u32> = ranked.into_iter().map(|(_, node)| node).collect();
        self.relink(object.0, &sorted);
    }

    fn children(&self, parent: u32) -> impl Iterator<Item = u32> {
        let mut at = self.nodes[parent as usize].from;
        core::iter::from_fn(move || {
            let child = (at != NONE).then_some(at)?;
            at = self.nodes[child as usize].next;
            Some(child)
        })
    }

    fn relink(&mut self, parent: u32, children: &[u32]) {
        self.wide.forget(parent);
        for (at, &child) in children.iter().enumerate() {
            self.nodes[child as usize].next = children.get(at + 1).copied().unwrap_or(NONE);
        }
        self.nodes[parent as usize].from = children.first().copied().unwrap_or(NONE);
        self.nodes[parent as usize].to = children.last().copied().unwrap_or(NONE);
    }
}
