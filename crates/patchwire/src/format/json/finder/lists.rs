//! The places in the text where a list may begin.

use super::Finder;
use crate::format::json::Mark;
use crate::format::json::brace::{Brace, ListStart};
use crate::leniency::Leniency;
use crate::text::WHITESPACE;

impl Finder {
    /// Where a `[` at the position stands, if it may open a root.
    pub(super) fn list_start(&self) -> Option<ListStart> {
        let named = self.fence.is_some_and(|fence| fence.fresh && fence.named);
        let first = if named { ListStart::Fenced } else { ListStart::First };
        match &self.schema {
            None if self.is_first() => Some(first),
            None if self.is_next_root() => Some(ListStart::First),
            // Behind an object, brackets are more likely part of a remark about it.
            None if self.had_root && !self.had_list => None,
            None => (self.line_start || self.list_may_follow || self.after_root)
                .then_some(ListStart::Prose),
            Some(schema) if self.is_first() && schema.is_only_list(schema.root()) => {
                Some(ListStart::Fenced)
            }
            Some(schema) => schema.may_be_list(schema.root()).then_some(first),
        }
    }

    /// Remembers a bracket that begins a line behind an object. It is text while the stream lasts: more likely it is
    /// part of a remark. The finalizer may choose its list as the payload.
    pub(super) fn mark_list_behind(&mut self, byte: u8, start: u64) {
        let is_behind = self.had_root && !self.had_list && (self.line_start || self.after_root);
        if byte == b'[' && is_behind && self.schema.is_none() && self.may_begin() {
            self.mark(Mark { start, fenced: self.fence.is_some() });
        }
    }

    /// The list that may begin a fence with this bracket.
    pub(super) fn fenced_list(&self, bracket: char) -> Option<Brace> {
        let start = self.list_start().filter(|_| self.may_begin())?;
        let tuple = start == ListStart::Fenced && self.rules.allow(Leniency::Tuples);
        (bracket == '[' || tuple).then(|| Brace::list(start))
    }

    /// Remembers whether text ends in a sign that a list may follow, or in a name and the bracket of a call.
    pub(super) fn note_colon(&mut self, text: &str) {
        let visible = text.trim_end_matches(WHITESPACE);
        if !visible.is_empty() {
            let before = visible.strip_suffix('(').map(|before| before.bytes().last());
            let in_call = before.is_some_and(|byte| byte.map_or(self.after_name, is_name_byte));
            self.list_may_follow = in_call || visible.ends_with([':', '：', '=', '>']);
        }
        if let Some(last) = text.bytes().last() {
            self.after_name = is_name_byte(last);
        }
    }
}

/// Whether the name of a function may end in this byte.
const fn is_name_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}
