//! The data collected for the answer while the stream runs.

use super::doubted_closers::DoubtedClosers;
use super::notice_log::NoticeLog;
use crate::finalize::TextPart;
use crate::limits::Limits;
use crate::span::Span;
use crate::text::append_bytes;
use crate::transcript::Transcript;

/// The data of the answer, except its documents.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Collected {
    pub(super) transcript: Transcript,
    /// The bytes that were fed, if the spec keeps them.
    pub(super) raw: Option<Vec<u8>>,
    pub(super) notices: NoticeLog,
    /// Spans of text that moved to another channel.
    pub(super) reclassified: Vec<Span>,
    /// Closers of reasoning that another closer followed.
    pub(super) closers: DoubtedClosers,
    /// Texts of elements that closed, for the finalizer.
    pub(super) parts: Vec<TextPart>,
}

/// Room for the bytes of a short answer: growing step by step costs several times as much.
const RAW_ROOM: usize = 512;

impl Collected {
    pub(super) fn new(transcript: Transcript, keeps_raw: bool, limits: &Limits) -> Self {
        Self {
            transcript,
            raw: keeps_raw.then(|| Vec::with_capacity(RAW_ROOM)),
            notices: NoticeLog::new(limits),
            reclassified: Vec::new(),
            closers: DoubtedClosers::default(),
            parts: Vec::new(),
        }
    }

    #[inline]
    pub(super) fn keep_raw(&mut self, bytes: &[u8]) {
        if let Some(raw) = &mut self.raw {
            append_bytes(raw, bytes);
        }
    }

    /// Records that the text from `from` to `to` moved to another channel.
    pub(super) fn reclassify(&mut self, from: u64, to: u64) {
        match self.reclassified.last_mut().filter(|last| last.end >= from) {
            Some(last) => last.end = to,
            None => self.reclassified.push(Span::new(from, to)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Collected;
    use crate::limits::Limits;
    use crate::span::Span;
    use crate::transcript::Transcript;

    #[test]
    fn texts_that_follow_each_other_move_as_one() {
        let mut collected = Collected::new(Transcript::default(), true, &Limits::default());
        for (from, to) in [(0, 3), (3, 5), (6, 8), (7, 9)] {
            collected.reclassify(from, to);
        }
        assert_eq!(collected.reclassified, [Span::new(0, 5), Span::new(6, 9)]);
    }

    #[test]
    fn bytes_are_kept_if_the_spec_keeps_them() {
        for (keeps, kept) in [(true, Some(&b"abc"[..])), (false, None)] {
            let mut collected = Collected::new(Transcript::default(), keeps, &Limits::default());
            collected.keep_raw(b"a");
            collected.keep_raw(b"bc");
            assert_eq!(collected.raw.as_deref(), kept);
        }
    }
}
