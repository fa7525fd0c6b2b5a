//! Strings whose schema lists their values come whole, checked, in the listed spelling.

use super::{Fold, TextAt};
use crate::codes::Code;
use crate::document::{NodeId, NodeKind};
use crate::error::Error;
use crate::event::{Completion, PatchOp};
use crate::held::{Held, HeldBy};
use crate::schema::{Choices, SchemaId};
use crate::span::Span;

/// Bytes that a spelling of a choice may have more than the choice: blanks, mostly.
const BLANKS: usize = 64;

/// A string that is held until it is one of its choices, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Choice {
    schema: SchemaId,
    /// Just past the opening quote.
    opened: u64,
    /// It is none of them, and is not to be emitted: what is still to come of it is passed over.
    refused: bool,
}

impl Fold {
    /// Begins to hold the string that opens here, if its schema lists its values.
    pub(super) fn choice_here(&self, opened: u64) -> Option<Choice> {
        let schema = self.schema_here()?;
        self.choices(schema)?;
        Some(Choice { schema, opened, refused: false })
    }

    fn choices(&self, id: SchemaId) -> Option<&Choices> {
        self.schema.as_ref()?.choices(id)
    }

    /// The value that is built and not emitted.
    pub(crate) fn held(&self) -> Option<Held> {
        if let Some(muted) = self.muted {
            let by = if muted.refused { HeldBy::NotGranted } else { HeldBy::Duplicate };
            return Some(Held::new(by, self.last_end, ""));
        }
        let choice = self.choice?;
        let held = Held::new(HeldBy::Choice, choice.opened, &self.pending);
        Some(
            held.or(self.choices(choice.schema).into_iter().flat_map(|it| it.begun(&self.pending))),
        )
    }

    pub(super) fn grow_choice(&mut self, text: &str, end: u64) -> Result<(), Error> {
        let Some(choice) = self.choice.filter(|choice| !choice.refused) else { return Ok(()) };
        self.pending.push_str(text);
        let could = self.choices(choice.schema).is_some_and(|it| {
            self.pending.len() <= it.longest() + BLANKS && it.could_become(&self.pending)
        });
        if could {
            return Ok(());
        }
        if self.fallback(choice.schema).is_some() {
            self.choice = Some(Choice { refused: true, ..choice });
            self.pending.clear();
            return Ok(());
        }
        // It is none of them: it streams as any string does.
        self.choice = None;
        let node = self.begin(NodeKind::String, choice.opened)?;
        self.leaf = Some(node);
        let change = self.opened(node, NodeKind::String);
        self.emit_patch(change, choice.opened);
        self.notice(Code::EnumMismatch, Span::at(choice.opened));
        if self.muted.is_some() {
            self.append_pending(node);
        }
        // The string is empty while its opening is emitted: the text goes in with its delta.
        self.emit_change(PatchOp::Delta, node, TextAt::Pending, end);
        Ok(())
    }

    pub(super) fn append_pending(&mut self, node: NodeId) {
        let pending = core::mem::take(&mut self.pending);
        self.append(node, &pending);
        self.pending = pending;
    }

    pub(super) fn close_choice(&mut self, end: u64, completion: Completion) -> Result<(), Error> {
        let Some(choice) = self.choice.take() else { return Ok(()) };
        let pending = core::mem::take(&mut self.pending);
        let resolved = self
            .choices(choice.schema)
            .filter(|_| !choice.refused)
            .and_then(|choices| choices.resolve(&pending))
            .map(|(text, exact)| (text.to_owned(), exact));
        let span = Span::new(choice.opened, end);
        self.expect_item();
        let text = match resolved {
            Some((text, true)) => text,
            Some((text, false)) => {
                self.notice(Code::EnumSpelling, span);
                text
            }
            None => {
                let fallback = self.fallback(choice.schema).map(str::to_owned);
                let guarded = fallback.is_some();
                self.notice(if guarded { Code::KindNotGranted } else { Code::EnumMismatch }, span);
                fallback.unwrap_or_else(|| pending.clone())
            }
        };
        self.pending = pending;
        self.pending.clear();
        let node = NodeId(self.nodes);
        let change = self.whole(NodeKind::String, &text, end, completion)?;
        self.emit_patch(change, end);
        self.judge(change.as_ref());
        self.last_leaf = Some(node);
        Ok(())
    }

    /// The input ended in it: half a choice is no value.
    pub(super) fn end_choice(&mut self, end: u64) -> Result<(), Error> {
        let Some(choice) = self.choice else { return Ok(()) };
        let whole =
            self.choices(choice.schema).is_some_and(|it| it.resolve(&self.pending).is_some());
        if whole && !choice.refused {
            return self.close_choice(end, Completion::EndOfInput);
        }
        self.choice = None;
        self.pending.clear();
        self.expect_item();
        self.notice(Code::TruncatedScalar, Span::new(choice.opened, end));
        Ok(())
    }
}
