//! The nodes of a document, in blocks. A full block stays where it is, so that a document grows without copying what it
//! has, and without the room for twice as much.

use core::ops::{Index, IndexMut};

use super::NodeData;

/// Nodes in a block: 8 KiB. A power of two, so that a number is split by its bits.
const BLOCK: usize = 256;

/// Nodes by their numbers, from 0. All blocks are full but the last.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Nodes {
    blocks: Vec<Vec<NodeData>>,
    len: u32,
}

impl Nodes {
    /// Makes room for the first nodes.
    pub(super) fn reserve(&mut self, count: usize) {
        if self.blocks.is_empty() {
            self.blocks.push(Vec::with_capacity(count.min(BLOCK)));
        }
    }

    pub(super) const fn len(&self) -> usize {
        self.len as usize
    }

    /// Adds a node, whose number is the length before.
    #[inline]
    pub(super) fn push(&mut self, node: NodeData) {
        match self.blocks.last_mut() {
            // The first block grows step by step: most documents are short.
            Some(block) if block.len() < BLOCK => block.push(node),
            _ => self.push_block(node),
        }
        self.len += 1;
    }

    #[cold]
    fn push_block(&mut self, node: NodeData) {
        let room = if self.blocks.is_empty() { 1 } else { BLOCK };
        let mut block = Vec::with_capacity(room);
        block.push(node);
        self.blocks.push(block);
    }

    #[inline]
    pub(super) fn get(&self, at: usize) -> Option<&NodeData> {
        self.blocks.get(at / BLOCK)?.get(at % BLOCK)
    }

    /// The only node, if there is just one.
    #[inline]
    pub(super) fn only_one(&mut self) -> Option<&mut NodeData> {
        if self.len == 1 { Some(&mut self.blocks[0][0]) } else { None }
    }

    /// Removes all nodes. The first block keeps its room.
    pub(super) fn clear(&mut self) {
        self.blocks.truncate(1);
        if let Some(first) = self.blocks.first_mut() {
            first.clear();
        }
        self.len = 0;
    }
}

impl Index<usize> for Nodes {
    type Output = NodeData;

    #[inline]
    fn index(&self, at: usize) -> &NodeData {
        &self.blocks[at / BLOCK][at % BLOCK]
    }
}

impl IndexMut<usize> for Nodes {
    #[inline]
    fn index_mut(&mut self, at: usize) -> &mut NodeData {
        &mut self.blocks[at / BLOCK][at % BLOCK]
    }
}

#[cfg(test)]
mod tests {
    use super::{BLOCK, NodeData, Nodes};

    fn node(number: usize) -> NodeData {
        NodeData { from: number as u32, ..NodeData::EMPTY }
    }

    #[test]
    fn nodes_are_found_by_their_numbers_in_any_block() {
        for count in [0, 1, 2, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK] {
            let mut nodes = Nodes::default();
            (0..count).for_each(|number| nodes.push(node(number)));
            assert_eq!(nodes.len(), count);
            for number in 0..count {
                assert_eq!(nodes[number], node(number));
                assert_eq!(nodes.get(number), Some(&node(number)));
            }
            assert_eq!(nodes.get(count), None);
            assert_eq!(nodes.only_one().is_some(), count == 1);
        }
    }

    #[test]
    fn a_node_changes_in_its_place() {
        let mut nodes = Nodes::default();
        (0..2 * BLOCK).for_each(|number| nodes.push(node(number)));
        nodes[BLOCK].to = 7;
        assert_eq!(nodes[BLOCK], NodeData { to: 7, ..node(BLOCK) });
        assert_eq!(nodes[BLOCK - 1], node(BLOCK - 1));
    }

    #[test]
    fn a_full_block_stays_where_it_is() {
        let mut nodes = Nodes::default();
        (0..BLOCK).for_each(|number| nodes.push(node(number)));
        let first: *const NodeData = &raw const nodes[0];
        (0..4 * BLOCK).for_each(|number| nodes.push(node(number)));
        assert_eq!(first, &raw const nodes[0]);
        assert!(nodes.blocks.iter().all(|block| block.capacity() == BLOCK));
    }

    #[test]
    fn nodes_can_be_removed_and_room_is_kept() {
        let mut nodes = Nodes::default();
        nodes.reserve(16);
        assert_eq!((nodes.len(), nodes.blocks[0].capacity()), (0, 16));
        (0..2 * BLOCK).for_each(|number| nodes.push(node(number)));
        nodes.clear();
        assert_eq!((nodes.len(), nodes.get(0), nodes.blocks.len()), (0, None, 1));
        nodes.push(node(5));
        assert_eq!(nodes[0], node(5));
        assert_eq!(nodes.only_one(), Some(&mut node(5)));
    }
}
