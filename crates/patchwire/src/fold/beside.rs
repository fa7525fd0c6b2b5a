//! Values that are built beside and not emitted: those of keys that were there before, and those that were
//! refused.

use super::{EmissionKind, Fold};
use crate::codes::SkipReason;
use crate::document::{DocId, NodeId};

/// A member that was there before: its value is built beside and emitted of only at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Muted {
    /// Depth of the path at the member.
    pub(super) depth: usize,
    target: NodeId,
    source: NodeId,
    /// It takes nobody's place.
    pub(super) refused: bool,
}

/// A value kept beside that takes the place of another at the end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Successor {
    pub(crate) document: DocId,
    pub(crate) target: NodeId,
    pub(crate) source: NodeId,
    /// Inside a value kept beside itself: nobody was emitted of the first.
    pub(crate) silent: bool,
}

impl Fold {
    pub(super) fn keep_beside(&mut self, target: NodeId, source: NodeId) {
        let refused = core::mem::take(&mut self.refused);
        if self.muted.is_none() {
            self.muted = Some(Muted { depth: self.path.depth(), target, source, refused });
        } else if !refused {
            self.succeed(target, source, true);
        }
    }

    pub(super) fn succeed(&mut self, target: NodeId, source: NodeId, silent: bool) {
        if self.keep_value {
            let document = self.current();
            self.successors.push(Successor { document, target, source, silent });
        }
    }

    pub(super) fn unmute(&mut self, end: u64) {
        let Some(Muted { target, source, refused, .. }) = self.muted.take() else { return };
        if refused {
            self.emit(EmissionKind::Skipped(SkipReason::NotGranted), end);
            return;
        }
        self.succeed(target, source, false);
        self.emit(EmissionKind::Skipped(SkipReason::DuplicateKey), end);
    }
}
