//! Strings with listed choices are emitted whole, checked, and in the listed spelling.
//!
//! Some of these lists are *guarded*: only granted strings are allowed, and other text of the model is
//! never emitted. A string is held back like any string with choices. Any other value is refused at its
//! first byte: the fallback is emitted, and a container is then read as a shadowed value.

use super::shadow::NextValue;
use super::strings::{HeldChoice, OpenString};
use super::{Fold, TextAt};
use crate::codes::{Code, SkipReason};
use crate::document::{NodeId, NodeKind};
use crate::error::Error;
use crate::event::Completion;
use crate::held::{Held, HeldBy};
use crate::span::Span;

impl Fold {
    /// The held bytes of the value that is read and not emitted.
    pub(crate) fn held(&self) -> Option<Held> {
        if let Some(reason) = self.shadow.reason() {
            let is_refused = reason == SkipReason::NotGranted;
            let by = if is_refused { HeldBy::NotGranted } else { HeldBy::Duplicate };
            return Some(Held::new(by, self.outbox.last_end, ""));
        }
        let choice = self.strings.held()?;
        if choice.is_refused {
            return Some(Held::new(HeldBy::NotGranted, choice.opened, ""));
        }
        let pending = &self.strings.pending;
        let held = Held::new(HeldBy::Choice, choice.opened, pending);
        let choices = self.cursor.choices(choice.schema).into_iter();
        Some(held.or(choices.flat_map(|it| it.begun(pending))))
    }

    pub(super) fn grow_choice(
        &mut self,
        choice: HeldChoice,
        text: &str,
        end: u64,
    ) -> Result<(), Error> {
        if choice.is_refused {
            return Ok(());
        }
        self.strings.pending.push_str(text);
        let choices = self.cursor.choices(choice.schema);
        if choices.is_some_and(|choices| self.strings.may_become(choices)) {
            return Ok(());
        }
        if self.cursor.fallback(choice.schema).is_some() {
            self.strings.open = OpenString::Held(HeldChoice { is_refused: true, ..choice });
            self.strings.pending.clear();
            return Ok(());
        }
        // The string matches no choice: it streams like any string.
        self.strings.open = OpenString::None;
        let node = self.begin(NodeKind::String, choice.opened)?;
        self.strings.open = OpenString::Streaming(node);
        let change = self.opened(node, NodeKind::String);
        self.outbox.emit_change(change, choice.opened);
        self.notice(Code::EnumMismatch, Span::at(choice.opened));
        if self.shadow.is_active() {
            self.append_pending(node);
        }
        // The string is empty while its opening is emitted: the text is appended with its delta.
        self.emit_growth(node, TextAt::Pending, end);
        Ok(())
    }

    pub(super) fn append_pending(&mut self, node: NodeId) {
        self.documents.append(node, &self.strings.pending);
    }

    pub(super) fn close_choice(
        &mut self,
        choice: HeldChoice,
        end: u64,
        completion: Completion,
    ) -> Result<(), Error> {
        self.strings.open = OpenString::None;
        let pending = core::mem::take(&mut self.strings.pending);
        let resolved = self
            .cursor
            .choices(choice.schema)
            .filter(|_| !choice.is_refused)
            .and_then(|choices| choices.resolve_spelling(&pending))
            .map(|(text, exact)| (text.to_owned(), exact));
        let span = Span::new(choice.opened, end);
        self.cursor.go_to_next_item();
        let text = match resolved {
            Some((text, true)) => text,
            Some((text, false)) => {
                self.notice(Code::EnumSpelling, span);
                text
            }
            None => {
                let fallback = self.cursor.fallback(choice.schema).map(str::to_owned);
                let guarded = fallback.is_some();
                self.notice(if guarded { Code::KindNotGranted } else { Code::EnumMismatch }, span);
                fallback.unwrap_or_else(|| pending.clone())
            }
        };
        self.strings.pending = pending;
        let node = self.documents.next_node();
        let change = self.whole(NodeKind::String, &text, end, completion)?;
        self.outbox.emit_change(change, end);
        self.judge(change.as_ref());
        self.strings.last_closed = Some(node);
        Ok(())
    }

    /// Ends the input inside a held string. An incomplete choice gives no value.
    pub(super) fn end_choice(&mut self, choice: HeldChoice, end: u64) -> Result<(), Error> {
        let choices = self.cursor.choices(choice.schema);
        let is_whole = choices.is_some_and(|it| it.resolve(&self.strings.pending).is_some());
        if is_whole && !choice.is_refused {
            return self.close_choice(choice, end, Completion::EndOfInput);
        }
        self.strings.open = OpenString::None;
        self.cursor.go_to_next_item();
        self.notice(Code::TruncatedScalar, Span::new(choice.opened, end));
        Ok(())
    }

    /// Emits the fallback, if only granted strings are allowed where another value begins. Returns whether
    /// it did.
    #[cold]
    #[inline(never)]
    pub(super) fn refuse_value(&mut self, end: u64) -> Result<bool, Error> {
        let fallback = self.schema_here().and_then(|id| self.cursor.fallback(id));
        let Some(fallback) = fallback.map(str::to_owned) else { return Ok(false) };
        self.notice(Code::KindNotGranted, Span::new(self.outbox.last_end, end));
        let change = self.whole(NodeKind::String, &fallback, end, Completion::Observed)?;
        self.outbox.emit_change(change, end);
        self.judge(change.as_ref());
        Ok(true)
    }

    /// Refuses a container, which is then read as a shadowed value that replaces nothing.
    #[cold]
    #[inline(never)]
    pub(super) fn refuse_container(&mut self, end: u64) -> Result<(), Error> {
        // The opener is skipped with the content.
        if self.refuse_value(self.outbox.last_end.max(end.saturating_sub(1)))? {
            self.shadow.next = NextValue::Refused;
        }
        Ok(())
    }
}
