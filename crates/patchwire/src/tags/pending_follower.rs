//! An opener that counts only before what its family declares with `then`: `<tool_call>` before `{`.

use std::sync::Arc;

use super::element_stack::FoundMarker;
use super::pending_closer::CloserVerdict;
use super::tag_set::MAX_BETWEEN;

/// An opener whose follower is not yet known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct PendingFollower {
    pub(super) marker: FoundMarker,
    then: Arc<[String]>,
    /// Whitespace since the opener, in bytes.
    whitespace: u16,
    /// The bytes of the follower so far.
    seen: Vec<u8>,
}

impl PendingFollower {
    pub(super) fn new(marker: FoundMarker, then: &Arc<[String]>) -> Self {
        Self { marker, then: Arc::clone(then), whitespace: 0, seen: Vec::new() }
    }

    /// Reads one byte after the opener.
    pub(super) fn step(&mut self, byte: u8) -> CloserVerdict {
        if self.seen.is_empty() && matches!(byte, b' ' | b'\t' | b'\r' | b'\n') {
            self.whitespace += 1;
            let is_far = self.whitespace > MAX_BETWEEN;
            return if is_far { CloserVerdict::Content } else { CloserVerdict::Undecided };
        }
        self.seen.push(byte);
        if self.then.iter().any(|text| text.as_bytes() == self.seen) {
            CloserVerdict::Closer
        } else if self.then.iter().any(|text| text.as_bytes().starts_with(&self.seen)) {
            CloserVerdict::Undecided
        } else {
            CloserVerdict::Content
        }
    }
}
