//! The notices that an answer keeps.

use crate::codes::Code;
use crate::limits::{Limit, Limits};
use crate::notice::OwnedNotice;
use crate::path::Path;
use crate::span::Span;

/// Bytes of paths that the notices of an answer keep together: one path may be as long as the text.
const MOST_PATH_BYTES: usize = 256 << 10;

/// Notices in order. Those past a limit are counted and not kept.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NoticeLog {
    pub(super) kept: Vec<OwnedNotice>,
    pub(super) count: u64,
    most: u64,
    /// Bytes of paths that may still be kept.
    path_room: usize,
}

impl NoticeLog {
    pub(super) fn new(limits: &Limits) -> Self {
        let most = limits.get(Limit::Notices);
        Self { kept: Vec::new(), count: 0, most, path_room: MOST_PATH_BYTES }
    }

    /// Counts a notice, and keeps it where there is room. `size` is a bound on its path's bytes.
    pub(super) fn add(&mut self, code: Code, path: &Path<'_>, size: usize, span: Span) {
        self.count += 1;
        if self.count <= self.most && size <= self.path_room {
            self.path_room -= size;
            self.kept.push(OwnedNotice { code, path: path.to_string(), span });
        }
    }
}
