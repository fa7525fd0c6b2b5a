//! Anchored values, and a bound on the values that aliases repeat.
//!
//! A few aliases of aliases can expand to billions of values. The kept values and the expanded ones, each
//! use counted, are therefore bounded in nodes and in bytes.

use std::collections::BTreeMap;
use std::ops::Bound;
use std::sync::Arc;

use super::compose::YamlNode;
use crate::limits::{Limit, Limits};

/// The bytes that a node takes besides its text.
const NODE_BYTES: usize = 64;

/// A value with an anchor. Aliases in it are numbers, so that dropping a chain of aliases needs no stack.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Anchored {
    node: Arc<YamlNode>,
    size: Size,
}

/// The size of a value with its aliases expanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Size {
    /// Scalars, keys, and the openers and closers of collections.
    nodes: usize,
    bytes: usize,
}

impl Size {
    const fn plus(self, other: Self) -> Self {
        Self {
            nodes: self.nodes.saturating_add(other.nodes),
            bytes: self.bytes.saturating_add(other.bytes),
        }
    }
}

/// The anchored values of a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Anchors {
    most_nodes: usize,
    most_bytes: usize,
    values: Vec<Anchored>,
    names: BTreeMap<String, usize>,
    /// Bytes that `values` and `names` took.
    kept: usize,
    /// The size of all expanded values.
    used: Size,
}

impl Anchors {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            most_nodes: limits.size(Limit::Aliases),
            most_bytes: limits.size(Limit::Deferred),
            values: Vec::new(),
            names: BTreeMap::new(),
            kept: 0,
            used: Size::default(),
        }
    }

    /// Keeps a value if there is room. Returns its number.
    #[cfg_attr(not(feature = "yaml"), expect(dead_code, reason = "no library makes nodes then"))]
    pub(super) fn keep(&mut self, node: &YamlNode) -> Option<usize> {
        let room = self.take_room(node);
        room.then(|| {
            let size = self.size(node);
            self.values.push(Anchored { node: Arc::new(node.clone()), size });
            self.values.len() - 1
        })
    }

    /// Reserves room to keep a value. Returns whether there was enough.
    pub(super) fn take_room(&mut self, node: &YamlNode) -> bool {
        self.kept = self.kept.saturating_add(bytes_of(node));
        self.kept <= self.most_bytes
    }

    /// Defines the name as this value, or as none.
    #[cfg_attr(not(feature = "yaml"), expect(dead_code, reason = "no library makes nodes then"))]
    pub(super) fn name(&mut self, name: String, value: Option<usize>) {
        self.kept = self.kept.saturating_add(name.len() + NODE_BYTES);
        match value.filter(|_| self.kept <= self.most_bytes) {
            Some(value) => drop(self.names.insert(name, value)),
            None => drop(self.names.remove(&name)),
        }
    }

    /// The number of the value with this name.
    pub(super) fn find(&self, name: &str) -> Option<usize> {
        self.names.get(name).copied()
    }

    /// Whether a name has this beginning.
    pub(super) fn begins(&self, start: &str) -> bool {
        let from = (Bound::Included(start), Bound::Unbounded);
        let next = self.names.range::<str, _>(from).next();
        next.is_some_and(|(name, _)| name.starts_with(start))
    }

    pub(super) fn node(&self, value: usize) -> Arc<YamlNode> {
        Arc::clone(&self.values[value].node)
    }

    /// Counts the size of one more alias of this value. Returns whether the bound allows it.
    pub(super) fn charge(&mut self, value: usize) -> bool {
        let used = self.used.plus(self.values[value].size);
        let fits = used.nodes <= self.most_nodes && used.bytes <= self.most_bytes;
        if fits {
            self.used = used;
        }
        fits
    }

    fn size(&self, node: &YamlNode) -> Size {
        match node {
            YamlNode::Scalar { text, .. } => Size { nodes: 1, bytes: text.len() },
            YamlNode::UnknownAlias(name) => Size { nodes: 1, bytes: name.len() + 1 },
            YamlNode::Alias(value) => self.values[*value].size,
            YamlNode::Collection(collection) => {
                let ends = Size { nodes: 2, bytes: 0 };
                collection.children.iter().fold(ends, |sum, child| sum.plus(self.size(child)))
            }
        }
    }
}

/// The bytes of a node, without expanding its aliases.
fn bytes_of(node: &YamlNode) -> usize {
    NODE_BYTES
        + match node {
            YamlNode::Scalar { text, .. } | YamlNode::UnknownAlias(text) => text.len(),
            YamlNode::Alias(_) => 0,
            YamlNode::Collection(collection) => collection.children.iter().map(bytes_of).sum(),
        }
}

#[cfg(test)]
mod tests {
    use super::{Anchors, YamlNode};
    use crate::limits::{Limit, Limits};

    /// A value takes the bytes of its text, and 64 more.
    #[test]
    fn values_are_kept_while_their_bytes_have_room() {
        let limits = Limits::default().with(Limit::Deferred, 200);
        let scalar =
            |len: usize| YamlNode::Scalar { text: "x".repeat(len), plain: true, tagged: false };
        let has_room = |lens: &[usize]| {
            let mut anchors = Anchors::new(&limits);
            lens.iter().map(|len| anchors.take_room(&scalar(*len))).collect::<Vec<_>>()
        };
        assert_eq!(has_room(&[136]), [true]);
        assert_eq!(has_room(&[137]), [false]);
        assert_eq!(has_room(&[36, 36, 0]), [true, true, false]);
    }
}
