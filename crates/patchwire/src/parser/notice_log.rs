//! The notices that an answer keeps.

use crate::limits::{Limit, Limits};
use crate::notice::{Notice, OwnedNotice};

/// The largest number of path bytes that the notices of an answer keep together: a single path may be as
/// long as the text.
const MOST_PATH_BYTES: usize = 256 << 10;

/// The notices of a stream, in order. Notices past a limit are counted but not kept.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NoticeLog {
    pub(super) kept: Vec<OwnedNotice>,
    pub(super) count: u64,
    most: u64,
    /// Path bytes that may still be kept.
    path_room: usize,
}

impl NoticeLog {
    pub(super) fn new(limits: &Limits) -> Self {
        let most = limits.get(Limit::Notices);
        Self { kept: Vec::new(), count: 0, most, path_room: MOST_PATH_BYTES }
    }

    /// Counts a notice, and keeps it if there is room. `size` is an upper bound of its path's bytes.
    pub(super) fn add(&mut self, notice: &Notice<'_>, size: usize) {
        self.count += 1;
        if self.count <= self.most && size <= self.path_room {
            self.path_room -= size;
            self.kept.push(notice.to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MOST_PATH_BYTES, NoticeLog};
    use crate::codes::Code;
    use crate::limits::{Limit, Limits};
    use crate::notice::Notice;
    use crate::path::Path;
    use crate::span::Span;

    fn log(limit: u64, sizes: &[usize]) -> NoticeLog {
        let mut log = NoticeLog::new(&Limits::default().with(Limit::Notices, limit));
        for (at, size) in (0..).zip(sizes) {
            let (code, path, span) = (Code::Comment, Path::ROOT, Span::at(at));
            log.add(&Notice { code, path, span, cost: None }, *size);
        }
        log
    }

    #[test]
    fn notices_past_a_bound_are_only_counted() {
        for (limit, sizes, kept) in [
            (3, &[1, 1][..], &[0, 1][..]),
            (1, &[1, 1], &[0]),
            (0, &[1], &[]),
            (9, &[MOST_PATH_BYTES, 1, 0], &[0, 2]),
            (9, &[MOST_PATH_BYTES + 1, MOST_PATH_BYTES], &[1]),
        ] {
            let log = log(limit, sizes);
            let starts: Vec<u64> = log.kept.iter().map(|notice| notice.span.start).collect();
            assert_eq!((log.count, &*starts), (sizes.len() as u64, kept), "{limit} {sizes:?}");
        }
    }
}
