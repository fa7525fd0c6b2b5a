//! The text of an answer that the finalizer searches: a root, the JSON of an element, or the JSON of a field.

use core::ops::Range;

use patchwire::notice::OwnedNotice;
use patchwire::{Answer, Event, Patch, PatchOp, ValueRef};

/// Where the first JSON container of a stream is, by its events.
#[derive(Default)]
pub(super) struct SearchedText {
    /// The offset of its bracket.
    start: Option<u64>,
    /// The offset just past its field or element, once that ended.
    end: Option<u64>,
    /// The path of its field; empty for a root.
    path: String,
}

impl SearchedText {
    /// Takes the next event. `raw` is the stream so far.
    pub(super) fn take(&mut self, event: &Event<'_>, raw: &[u8]) {
        match event {
            Event::Patch(patch) if self.start.is_none() => self.open(patch, raw),
            Event::Patch(patch) if !self.path.is_empty() => self.follow(patch),
            Event::ElementClose { span, .. } if self.start.is_some() => {
                self.end.get_or_insert(span.start);
            }
            _ => {}
        }
    }

    fn open(&mut self, patch: &Patch<'_>, raw: &[u8]) {
        let at = patch.span.end.saturating_sub(1);
        let is_bracket = matches!(raw.get(at as usize), Some(b'{' | b'['));
        if patch.op == PatchOp::Open && is_bracket {
            (self.start, self.path) = (Some(at), patch.path.to_string());
        }
    }

    /// Extends the text of a field by a patch of it.
    fn follow(&mut self, patch: &Patch<'_>) {
        let path = patch.path.to_string();
        let is_inside = path
            .strip_prefix(&self.path)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']));
        if is_inside {
            self.end = Some(patch.span.end);
        }
    }

    /// Takes the place that the finalizer read again, if it did.
    pub(super) fn correct(&mut self, answer: &Answer) {
        let is_again = |notice: &&OwnedNotice| notice.code.name() == "read_again";
        let Some(again) = answer.notices().iter().find(is_again) else { return };
        self.start = Some(again.span.start);
        if self.path != again.path {
            self.path.clone_from(&again.path);
            self.end = None;
        }
        if !self.path.is_empty() {
            self.end = Some(again.span.end);
        }
    }

    /// The range of the text.
    pub(super) fn range(&self, text: &str) -> Range<usize> {
        let first_bracket = || text.find(['{', '[']).unwrap_or(0);
        let start = self.start.map_or_else(first_bracket, |start| start as usize);
        let end = self.end.map_or(text.len(), |end| end as usize).min(text.len());
        start.min(end)..end
    }

    /// The value in this place of an answer.
    pub(super) fn value_in<'a>(&self, value: ValueRef<'a>) -> ValueRef<'a> {
        if self.path.is_empty() { value } else { value.at(&self.path).unwrap_or(value) }
    }
}
