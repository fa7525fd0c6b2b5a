//! Values that are read and not emitted: values of repeated keys, and values that were refused.
//!
//! A shadowed value is built outside the tree. At the end of the stream the finalizer replaces the first
//! value of a repeated key, which was emitted, with the last one.

use crate::codes::SkipReason;
use crate::document::{DocId, DocNode, NodeId};

/// The value that is read without being emitted, and the changes that the finalizer makes for such values.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Shadow {
    /// The role of the next value.
    pub(super) next: NextValue,
    /// The outermost value being read that is not emitted.
    hidden: Option<HiddenValue>,
    /// Values that replace others at the end, in the order in which they closed.
    pub(crate) successors: Vec<Successor>,
    /// Nodes that are removed at the end.
    pub(crate) removals: Vec<DocNode>,
}

/// The role of the next value, relative to the emitted ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum NextValue {
    /// A value of its own.
    #[default]
    New,
    /// Another value of the key that has this node.
    Duplicate(NodeId),
    /// A value that is not allowed here. A fallback was emitted instead.
    Refused,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct HiddenValue {
    /// Depth of the path at the value.
    depth: usize,
    node: NodeId,
    /// The value that it replaces at the end; none if it was refused.
    replaces: Option<NodeId>,
}

/// A value that replaces another at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Successor {
    pub(crate) document: DocId,
    pub(crate) target: NodeId,
    pub(crate) source: NodeId,
}

impl Shadow {
    /// Whether the value being read is not emitted.
    #[inline]
    pub(super) const fn is_active(&self) -> bool {
        self.hidden.is_some()
    }

    /// Why the value being read is not emitted.
    pub(super) fn reason(&self) -> Option<SkipReason> {
        self.hidden.map(|hidden| hidden.reason())
    }

    #[inline(always)]
    pub(super) fn take_next(&mut self) -> NextValue {
        core::mem::take(&mut self.next)
    }

    /// Begins a shadowed value. `document`: its document, if values are kept.
    pub(super) fn begin(
        &mut self,
        next: NextValue,
        node: NodeId,
        depth: usize,
        document: Option<DocId>,
    ) {
        let replaces = match next {
            NextValue::New => return,
            NextValue::Duplicate(target) => Some(target),
            NextValue::Refused => None,
        };
        if self.hidden.is_none() {
            self.hidden = Some(HiddenValue { depth, node, replaces });
        } else {
            self.succeed(replaces, node, document);
        }
    }

    /// Ends a value at this depth. Returns why it was skipped, if it is the outermost shadowed one.
    pub(super) fn end(&mut self, depth: usize, document: Option<DocId>) -> Option<SkipReason> {
        let hidden = self.hidden.take_if(|hidden| hidden.depth == depth)?;
        self.succeed(hidden.replaces, hidden.node, document);
        Some(hidden.reason())
    }

    fn succeed(&mut self, target: Option<NodeId>, source: NodeId, document: Option<DocId>) {
        if let (Some(document), Some(target)) = (document, target) {
            self.successors.push(Successor { document, target, source });
        }
    }
}

impl HiddenValue {
    const fn reason(self) -> SkipReason {
        match self.replaces {
            Some(_) => SkipReason::DuplicateKey,
            None => SkipReason::NotGranted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DocId, NextValue, NodeId, Shadow, SkipReason, Successor};

    const DOCUMENT: DocId = DocId(0);

    fn successor(target: u32, source: u32) -> Successor {
        Successor { document: DOCUMENT, target: NodeId(target), source: NodeId(source) }
    }

    #[test]
    fn a_duplicate_replaces_the_value_of_its_key_when_it_ends() {
        let mut shadow = Shadow::default();
        shadow.begin(NextValue::Duplicate(NodeId(1)), NodeId(2), 1, Some(DOCUMENT));
        assert_eq!(shadow.reason(), Some(SkipReason::DuplicateKey));
        // A duplicate inside it closes without an end of its own.
        shadow.begin(NextValue::Duplicate(NodeId(3)), NodeId(4), 2, Some(DOCUMENT));
        assert_eq!(shadow.end(2, Some(DOCUMENT)), None);
        assert_eq!(shadow.end(1, Some(DOCUMENT)), Some(SkipReason::DuplicateKey));
        assert!(!shadow.is_active());
        assert_eq!(shadow.successors, [successor(3, 4), successor(1, 2)]);
    }

    #[test]
    fn a_refused_value_replaces_nothing() {
        let mut shadow = Shadow::default();
        shadow.begin(NextValue::Refused, NodeId(2), 1, Some(DOCUMENT));
        assert_eq!(shadow.end(1, Some(DOCUMENT)), Some(SkipReason::NotGranted));
        assert!(shadow.successors.is_empty());
    }

    #[test]
    fn without_kept_values_nothing_is_replaced() {
        let mut shadow = Shadow::default();
        shadow.begin(NextValue::Duplicate(NodeId(1)), NodeId(2), 1, None);
        assert_eq!(shadow.end(1, None), Some(SkipReason::DuplicateKey));
        assert!(shadow.successors.is_empty());
    }
}
