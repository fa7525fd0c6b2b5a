//! Which keys the open objects have: eight bytes and a node a key, forgotten when the object closes.

use core::hash::{BuildHasher, Hasher};
use std::collections::HashMap;

use crate::document::NodeId;

/// What hashes keys. Random for each [`Spec`](crate::Spec), so that nobody can choose keys that
/// collide; the same for all its parsers, so that their states compare.
pub(crate) type Seed = foldhash::quality::RandomState;

/// Objects with more keys than this are looked up by a table.
const TABLE_FROM: usize = 24;
/// Tables with room for more keys than this are not kept for the next object.
const SPARE_CAP: usize = 4096;

/// The keys of all open objects, those of the innermost last.
#[derive(Debug, Clone)]
pub(super) struct Keys {
    seed: Seed,
    entries: Vec<(u64, NodeId)>,
    /// The hash of the key looked up last.
    last: u64,
    /// Tables of objects that closed, kept for their memory.
    #[allow(clippy::vec_box, reason = "they are taken and put back boxed")]
    spare: Vec<Box<Table>>,
}

type Table = HashMap<u64, NodeId, Same>;

/// The keys of one open object.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Known {
    /// Where its entries begin.
    from: usize,
    table: Option<Box<Table>>,
}

impl Keys {
    pub(super) const fn new(seed: Seed) -> Self {
        Self { seed, entries: Vec::new(), last: 0, spare: Vec::new() }
    }

    /// A container opens.
    pub(super) fn level(&self) -> Known {
        Known { from: self.entries.len(), table: None }
    }

    /// A container closes.
    pub(super) fn leave(&mut self, known: &mut Known) {
        self.entries.truncate(known.from);
        if let Some(mut table) = known.table.take() {
            // To clear a table costs its capacity, however few keys were in it.
            if table.capacity() <= SPARE_CAP {
                table.clear();
                self.spare.push(table);
            }
        }
    }

    /// The member of the innermost object that has this key. `same` confirms a hit.
    pub(super) fn find(
        &mut self,
        known: &Known,
        key: &str,
        same: impl Fn(NodeId) -> bool,
    ) -> Option<NodeId> {
        let mut hasher = self.seed.build_hasher();
        hasher.write(key.as_bytes());
        self.last = hasher.finish();
        let hash = self.last;
        let node = match &known.table {
            Some(table) => table.get(&hash).copied(),
            None => self.entries[known.from..]
                .iter()
                .find(|(other, _)| *other == hash)
                .map(|(_, node)| *node),
        };
        node.filter(|node| same(*node))
    }

    /// The innermost object has the key looked up last, at this node.
    pub(super) fn insert(&mut self, known: &mut Known, node: NodeId) {
        if let Some(table) = &mut known.table {
            table.entry(self.last).or_insert(node);
            return;
        }
        self.entries.push((self.last, node));
        if self.entries.len() - known.from > TABLE_FROM {
            let mut table = self.spare.pop().unwrap_or_default();
            table.extend(self.entries.drain(known.from..));
            known.table = Some(table);
        }
    }
}

/// The seed is the spec's; memory kept for later is no state.
impl PartialEq for Keys {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

/// Keys of the tables are hashes already.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Same;

impl BuildHasher for Same {
    type Hasher = Identity;

    fn build_hasher(&self) -> Identity {
        Identity(0)
    }
}

#[derive(Debug)]
pub(super) struct Identity(u64);

impl Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(*byte);
        }
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}
