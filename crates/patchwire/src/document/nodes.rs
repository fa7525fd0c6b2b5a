//! The nodes of a document, in blocks: a document that grows copies none of them.

use core::ops::{Index, IndexMut};

use super::NodeData;

/// The number of nodes in a block.
const BLOCK: usize = 1024;

/// A list of nodes. It grows, and is cleared as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Nodes {
    full: Vec<Vec<NodeData>>,
    /// The block behind the full ones. If it is the first one, it grows by doubling: most documents are smaller.
    last: Vec<NodeData>,
}

impl Nodes {
    /// A list of one node, which is still empty.
    pub(super) fn one() -> Self {
        Self { full: Vec::new(), last: vec![NodeData::EMPTY] }
    }

    pub(super) fn reserve(&mut self, nodes: usize) {
        self.last.reserve(nodes.min(BLOCK));
    }

    #[inline]
    pub(super) const fn len(&self) -> usize {
        self.full.len() * BLOCK + self.last.len()
    }

    pub(super) fn clear(&mut self) {
        self.full.clear();
        self.last.clear();
    }

    #[inline]
    pub(super) fn get(&self, at: usize) -> Option<&NodeData> {
        self.block(at / BLOCK).get(at % BLOCK)
    }

    /// The only node.
    pub(super) fn alone(&mut self) -> Option<&mut NodeData> {
        match self.last.as_mut_slice() {
            [node] if self.full.is_empty() => Some(node),
            _ => None,
        }
    }

    #[inline]
    pub(super) fn push(&mut self, node: NodeData) {
        if self.last.len() == BLOCK {
            self.begin_block();
        }
        self.last.push(node);
    }

    #[cold]
    fn begin_block(&mut self) {
        self.full.push(core::mem::replace(&mut self.last, Vec::with_capacity(BLOCK)));
    }

    /// The block of this number; nothing if there is none.
    #[inline]
    fn block(&self, number: usize) -> &[NodeData] {
        if number == self.full.len() {
            &self.last
        } else {
            self.full.get(number).map_or(&[], Vec::as_slice)
        }
    }
}

impl Index<usize> for Nodes {
    type Output = NodeData;

    #[inline]
    fn index(&self, at: usize) -> &NodeData {
        &self.block(at / BLOCK)[at % BLOCK]
    }
}

impl IndexMut<usize> for Nodes {
    #[inline]
    fn index_mut(&mut self, at: usize) -> &mut NodeData {
        if at / BLOCK == self.full.len() {
            &mut self.last[at % BLOCK]
        } else {
            &mut self.full[at / BLOCK][at % BLOCK]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, NodeData, Nodes};

    #[test]
    fn nodes_are_found_on_both_sides_of_a_block_end() {
        for len in [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK, 3 * BLOCK + 1] {
            let mut nodes = Nodes::default();
            for number in 0..len {
                nodes.push(NodeData { from: number as u32, ..NodeData::EMPTY });
            }
            assert_eq!(nodes.len(), len);
            assert!((0..len).all(|at| nodes[at].from == at as u32), "{len}");
            assert_eq!(nodes.get(len), None);
            assert_eq!(nodes.alone().is_some(), len == 1);
            if let Some(last) = len.checked_sub(1) {
                nodes[last].from = 7;
                assert_eq!(nodes.get(last).map(|node| node.from), Some(7));
            }
            nodes.clear();
            assert_eq!(nodes, Nodes::default());
        }
    }
}
