//! What is emitted: small things that name text and nodes by where they are, and the patches made of
//! them.

use super::Fold;
use crate::codes::{Code, Severity, SkipReason};
use crate::document::{DocId, NodeId, NodeKind};
use crate::event::{CloseReason, Completion, Patch, PatchOp, Text};
use crate::lex::Slice;
use crate::span::Span;

/// An event before it borrows anything.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Emission {
    pub(crate) kind: EmissionKind,
    pub(crate) text: TextAt,
    pub(crate) span: Span,
}

/// What an [`Emission`] emits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum EmissionKind {
    Patch(Change),
    Text,
    /// Text of the open element.
    ElementText,
    Reasoning,
    ReasoningDone,
    Comment,
    CommentEnd,
    /// The element with this number.
    ElementOpen(u32),
    ElementClose(u32, CloseReason),
    /// From and to these offsets, to the channel of the family with this number.
    Reclassify(u64, u64, u16),
    /// Of the family with this number.
    Stray(u16),
    Skipped(SkipReason),
    /// The path is the first so many steps of the stack.
    Notice(Code, u32),
    RootComplete,
    /// What was found wrong, by its number.
    Verdict(u32),
}

/// The change of a field.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Change {
    pub(crate) document: DocId,
    pub(crate) op: PatchOp,
    pub(crate) node: NodeId,
    /// Steps of the path.
    pub(crate) depth: u32,
    pub(crate) completion: Option<Completion>,
    pub(crate) repaired: bool,
    pub(crate) scalar: bool,
}

/// Where the text of an [`Emission`] lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextAt {
    Nowhere,
    /// With the format machine, or in what it read.
    Format(Slice),
    /// In [`Fold::pending`].
    Pending,
}

impl Fold {
    /// The next thing to emit.
    pub(crate) fn pop(&mut self) -> Option<Emission> {
        let emission = loop {
            if let Some(&emission) = self.emits.get(self.next) {
                break emission;
            }
            self.clear_emitted();
            if !self.close_on() {
                return None;
            }
        };
        self.next += 1;
        if let (EmissionKind::Patch(change), TextAt::Pending) = (emission.kind, emission.text) {
            self.append_pending(change.node);
        }
        Some(emission)
    }

    /// Whether nothing is left to emit.
    pub(crate) const fn all_emitted(&self) -> bool {
        self.next >= self.emits.len() && !self.siblings.is_closing()
    }

    /// All is emitted: nobody reads what was pending any more.
    pub(crate) fn clear_emitted(&mut self) {
        if self.next > 0 {
            self.emits.clear();
            self.next = 0;
            if self.choice.is_none() {
                self.pending.clear();
            }
        }
    }

    pub(crate) fn pending(&self) -> &str {
        &self.pending
    }

    /// The patch of a change.
    #[inline]
    pub(crate) fn patch<'a>(&'a self, change: &Change, delta: Text<'a>, span: Span) -> Patch<'a> {
        let document = change.document.index().min(self.documents.len() - 1);
        let (kept, origin) = (&self.documents[document], &self.origins[document]);
        let alone = change.scalar && !self.keep_value;
        Patch {
            document: change.document,
            origin,
            node: change.node,
            path: self.path.path(change.depth as usize),
            op: change.op,
            delta,
            value: if alone { self.scalar.value() } else { kept.at_if_kept(change.node) },
            completion: change.completion,
            repaired: change.repaired,
            deferred: false,
            span,
            root: kept.value(),
        }
    }

    #[inline]
    pub(crate) fn emit(&mut self, what: EmissionKind, end: u64) {
        self.emit_text(what, TextAt::Nowhere, end);
    }

    /// Tells of bytes: from where the last such event ended to `end`.
    #[inline]
    pub(crate) fn emit_text(&mut self, what: EmissionKind, text: TextAt, end: u64) {
        let span = self.span_to(end);
        self.emits.push(Emission { kind: what, text, span });
    }

    /// From where the last thing that ate bytes ended to `end`, where the next one ends.
    #[inline]
    pub(super) fn span_to(&mut self, end: u64) -> Span {
        Span::new(core::mem::replace(&mut self.last_end, end), end)
    }

    /// Tells a change, if there is one.
    #[inline]
    pub(super) fn emit_patch(&mut self, change: Option<Change>, end: u64) {
        if let Some(change) = change {
            self.emit(EmissionKind::Patch(change), end);
        }
    }

    /// Tells of something that eats no bytes.
    pub(crate) fn emit_pointer(&mut self, what: EmissionKind, span: Span) {
        self.emits.push(Emission { kind: what, text: TextAt::Nowhere, span });
    }

    pub(crate) fn notice(&mut self, code: Code, span: Span) {
        self.notice_at(code, span, self.path.depth());
    }

    /// The same of a value above the one at which the path stands: so many steps from the root.
    pub(super) fn notice_at(&mut self, code: Code, span: Span, depth: usize) {
        if code.severity() != Severity::Info {
            self.slipped = true;
            self.repaired = true;
        }
        self.emit_pointer(EmissionKind::Notice(code, depth as u32), span);
    }

    #[inline]
    pub(super) fn change(
        &self,
        op: PatchOp,
        node: NodeId,
        completion: Option<Completion>,
    ) -> Change {
        let depth = self.path.depth() as u32;
        let document = self.current();
        Change { document, op, node, depth, completion, repaired: false, scalar: false }
    }

    /// That a value opened: its kind is that of the empty value that comes with it.
    #[inline]
    pub(super) fn opened(&mut self, node: NodeId, kind: NodeKind) -> Option<Change> {
        if self.muted.is_some() {
            return None;
        }
        if !self.keep_value {
            self.scalar.set_alone(kind, "", false);
        }
        Some(Change { scalar: !self.keep_value, ..self.change(PatchOp::Open, node, None) })
    }

    pub(super) fn emit_change(&mut self, op: PatchOp, node: NodeId, text: TextAt, end: u64) {
        if self.muted.is_none() {
            let change = self.change(op, node, None);
            self.emit_text(EmissionKind::Patch(change), text, end);
        }
    }
}
