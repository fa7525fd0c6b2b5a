//! The keys of the open objects: one word and one node for each key, dropped when the object closes.
//!
//! The word of a short key is the key itself, which costs less than any hash. The word of a longer key is
//! its hash. Tables hash words once more, with the seed, because an attacker can choose short keys.

use core::hash::{BuildHasher, Hasher};
use std::collections::HashMap;

use crate::document::NodeId;

/// The seed that hashes keys. Random for each [`Spec`](crate::Spec), so that an attacker cannot choose keys that
/// collide. All parsers of a spec share it, so that equal parsers compare equal.
pub(crate) type Seed = foldhash::quality::RandomState;

/// Objects with at least this many keys get a hash table.
const TABLE_FROM: usize = 24;
/// Tables with room for more keys than this are not kept for the next object.
const SPARE_CAP: usize = 4096;

/// The keys of all open objects, those of the innermost last.
#[derive(Debug, Clone)]
pub(super) struct OpenKeys {
    seed: Seed,
    entries: Vec<(u64, NodeId)>,
    /// The word of the key looked up last.
    last: u64,
    /// Tables of objects that closed, kept for their memory.
    #[allow(clippy::vec_box, reason = "they are taken and put back boxed")]
    spare: Vec<Box<KeyTable>>,
}

type KeyTable = HashMap<u64, NodeId, Seed>;

/// The keys of one open object.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct ObjectKeys {
    /// Where its entries begin.
    from: usize,
    table: Option<Box<KeyTable>>,
}

impl OpenKeys {
    pub(super) const fn new(seed: Seed) -> Self {
        Self { seed, entries: Vec::new(), last: 0, spare: Vec::new() }
    }

    /// Makes room for this many more keys.
    pub(super) fn reserve(&mut self, keys: usize) {
        self.entries.reserve(keys);
    }

    /// A container opens.
    #[cfg_attr(target_family = "wasm", inline)]
    pub(super) const fn open(&self) -> ObjectKeys {
        ObjectKeys { from: self.entries.len(), table: None }
    }

    /// A container closes.
    #[cfg_attr(target_family = "wasm", inline)]
    pub(super) fn close(&mut self, known: &mut ObjectKeys) {
        self.entries.truncate(known.from);
        if let Some(mut table) = known.table.take() {
            // To clear a table costs its capacity, however few keys were in it.
            if table.capacity() <= SPARE_CAP {
                table.clear();
                self.spare.push(table);
            }
        }
    }

    /// The member of the innermost object that has this key. `has_key` confirms a hit.
    #[cfg_attr(target_family = "wasm", inline)]
    pub(super) fn find(
        &mut self,
        known: &ObjectKeys,
        key: &str,
        has_key: impl Fn(NodeId) -> bool,
    ) -> Option<NodeId> {
        let word = self.look_up(key);
        let node = match &known.table {
            Some(table) => table.get(&word).copied(),
            None => self.entries[known.from..]
                .iter()
                .find(|(other, _)| *other == word)
                .map(|(_, node)| *node),
        };
        node.filter(|node| has_key(*node))
    }

    /// The word of a key, under which it can be inserted next.
    #[inline(always)]
    pub(super) fn look_up(&mut self, key: &str) -> u64 {
        self.last = packed(key).unwrap_or_else(|| self.hashed(key));
        self.last
    }

    /// The word of a key that is not [packed]: its hash. The highest bit distinguishes it from a packed
    /// key.
    fn hashed(&self, key: &str) -> u64 {
        let mut hasher = self.seed.build_hasher();
        hasher.write(key.as_bytes());
        hasher.finish() | 1 << 63
    }

    /// The innermost object has the key looked up last, at this node.
    #[inline]
    pub(super) fn insert(&mut self, known: &mut ObjectKeys, node: NodeId) {
        if known.table.is_none() && self.entries.len() - known.from < TABLE_FROM {
            self.entries.push((self.last, node));
        } else {
            self.insert_in_table(known, node);
        }
    }

    /// [Inserts](Self::insert) into an object with many keys.
    #[inline(never)]
    fn insert_in_table(&mut self, known: &mut ObjectKeys, node: NodeId) {
        let fresh = || Box::new(KeyTable::with_hasher(self.seed.clone()));
        let spare = &mut self.spare;
        let table = known.table.get_or_insert_with(|| spare.pop().unwrap_or_else(fresh));
        table.extend(self.entries.drain(known.from..));
        table.entry(self.last).or_insert(node);
    }
}

/// The word of a key of up to seven bytes: the bytes, with their number in the highest byte.
#[inline]
const fn packed(key: &str) -> Option<u64> {
    let bytes = key.as_bytes();
    let word = match *bytes {
        [] => 0,
        [a] => a as u64,
        [a, b] => a as u64 | (b as u64) << 8,
        [a, b, c] => a as u64 | (b as u64) << 8 | (c as u64) << 16,
        [a, b, c, d] => u32::from_le_bytes([a, b, c, d]) as u64,
        [a, b, c, d, e] => u32::from_le_bytes([a, b, c, d]) as u64 | (e as u64) << 32,
        [a, b, c, d, e, f] => u64::from_le_bytes([a, b, c, d, e, f, 0, 0]),
        [a, b, c, d, e, f, g] => u64::from_le_bytes([a, b, c, d, e, f, g, 0]),
        _ => return None,
    };
    Some(word | (bytes.len() as u64) << 56)
}

/// The seed belongs to the spec, and spare memory is not state.
impl PartialEq for OpenKeys {
    fn eq(&self, other: &Self) -> bool {
        self.entries == other.entries
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::{OpenKeys, Seed, packed};
    use crate::document::NodeId;

    /// Keys of all lengths up to `longest` over an alphabet that has all that words are made of.
    fn keys(longest: usize) -> Vec<String> {
        let mut all = vec![String::new()];
        let mut from = 0;
        for _ in 0..longest {
            let to = all.len();
            for at in from..to {
                all.extend(["\0", "a", "é"].map(|more| format!("{}{more}", all[at])));
            }
            from = to;
        }
        all
    }

    #[test]
    fn no_two_short_keys_have_the_same_word() {
        let mut words = HashMap::new();
        for key in keys(7) {
            let Some(word) = packed(&key) else {
                assert!(key.len() > 7);
                continue;
            };
            assert!(key.len() <= 7 && word >> 63 == 0, "{key:?}");
            assert_eq!(words.insert(word, key.clone()), None, "{key:?}");
        }
    }

    #[test]
    fn the_word_of_a_short_key_is_its_bytes_and_their_number() {
        for key in keys(7).iter().map(String::as_str).chain(["abcdefg", "gfedcba", "abcdefgh"]) {
            let word = (key.len() < 8).then(|| {
                let mut bytes = [0; 8];
                bytes[..key.len()].copy_from_slice(key.as_bytes());
                bytes[7] = key.len() as u8;
                u64::from_le_bytes(bytes)
            });
            assert_eq!(packed(key), word, "{key:?}");
        }
    }

    #[test]
    fn open_keys_are_equal_if_they_hold_equal_keys() {
        let holding = |keys: &[&str]| {
            let mut open = OpenKeys::new(Seed::default());
            let mut known = open.open();
            for (at, key) in keys.iter().enumerate() {
                open.find(&known, key, |_| true);
                open.insert(&mut known, NodeId(at as u32));
            }
            open
        };
        assert!(holding(&["a", "b"]) == holding(&["a", "b"]));
        assert!(holding(&["a", "b"]) != holding(&["b", "a"]));
        assert!(holding(&["a", "b"]) != holding(&["a"]));
    }

    #[test]
    fn every_key_is_found_where_it_was_put_however_many_there_are() {
        let mut found = OpenKeys::new(Seed::default());
        for count in [1, 7, 24, 25, 26, 1_000] {
            let mut known = found.open();
            let keys: Vec<_> = keys(8).into_iter().step_by(7).take(count).collect();
            assert_eq!(keys.len(), count);
            for (at, key) in keys.iter().enumerate() {
                assert_eq!(found.find(&known, key, |_| true), None, "{key:?} of {count}");
                found.insert(&mut known, NodeId(at as u32));
            }
            for (at, key) in keys.iter().enumerate() {
                let node = found.find(&known, key, |_| true);
                assert_eq!(node, Some(NodeId(at as u32)), "{key:?} of {count}");
            }
            found.close(&mut known);
        }
    }
}
