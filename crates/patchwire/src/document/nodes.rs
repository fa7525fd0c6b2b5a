//! The nodes of a document, in blocks. A full block stays where it is, so that a document grows without copying what it
//! has, and without the room for twice as much.

use core::ops::{Index, IndexMut};

use super::NodeData;

/// Nodes in a block: 8 KiB. A power of two, so that a number is split by its bits.
const BLOCK: usize = 256;

/// Nodes by their numbers, from 0.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Nodes {
    /// The first block, which grows step by step: most documents are short.
    first: Vec<NodeData>,
    /// The other blocks, once the first is full. All are full but the last.
    more: Vec<Vec<NodeData>>,
}

impl Nodes {
    /// Makes room for the first nodes.
    pub(super) fn reserve(&mut self, count: usize) {
        self.first.reserve(count.min(BLOCK));
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        let behind = self.more.last().map_or(0, |last| (self.more.len() - 1) * BLOCK + last.len());
        self.first.len() + behind
    }

    /// Adds a node, whose number is the length before.
    #[inline]
    pub(super) fn push(&mut self, node: NodeData) {
        if self.first.len() < BLOCK {
            self.first.push(node);
        } else {
            self.push_behind_first(node);
        }
    }

    fn push_behind_first(&mut self, node: NodeData) {
        match self.more.last_mut() {
            Some(block) if block.len() < BLOCK => block.push(node),
            _ => {
                let mut block = Vec::with_capacity(BLOCK);
                block.push(node);
                self.more.push(block);
            }
        }
    }

    #[inline]
    pub(super) fn get(&self, at: usize) -> Option<&NodeData> {
        match at.checked_sub(BLOCK) {
            None => self.first.get(at),
            Some(behind) => self.more.get(behind / BLOCK)?.get(behind % BLOCK),
        }
    }

    /// The only node, if there is just one.
    #[inline]
    pub(super) fn only_one(&mut self) -> Option<&mut NodeData> {
        match &mut self.first[..] {
            [node] => Some(node),
            _ => None,
        }
    }

    /// Removes all nodes. The first block keeps its room.
    pub(super) fn clear(&mut self) {
        self.first.clear();
        self.more.clear();
    }
}

impl Index<usize> for Nodes {
    type Output = NodeData;

    #[inline]
    fn index(&self, at: usize) -> &NodeData {
        match at.checked_sub(BLOCK) {
            None => &self.first[at],
            Some(behind) => &self.more[behind / BLOCK][behind % BLOCK],
        }
    }
}

impl IndexMut<usize> for Nodes {
    #[inline]
    fn index_mut(&mut self, at: usize) -> &mut NodeData {
        match at.checked_sub(BLOCK) {
            None => &mut self.first[at],
            Some(behind) => &mut self.more[behind / BLOCK][behind % BLOCK],
        }
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
        assert_eq!((nodes.first.capacity(), nodes.more.len()), (BLOCK, 4));
        assert!(nodes.more.iter().all(|block| block.capacity() == BLOCK));
    }

    #[test]
    fn nodes_can_be_removed_and_room_is_kept() {
        let mut nodes = Nodes::default();
        nodes.reserve(16);
        assert_eq!((nodes.len(), nodes.first.capacity()), (0, 16));
        (0..2 * BLOCK).for_each(|number| nodes.push(node(number)));
        nodes.clear();
        assert_eq!((nodes.len(), nodes.get(0), nodes.more.len()), (0, None, 0));
        nodes.push(node(5));
        assert_eq!(nodes[0], node(5));
        assert_eq!(nodes.only_one(), Some(&mut node(5)));
    }
}
