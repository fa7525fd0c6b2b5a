//! What is told: small things that name text and nodes by where they are, and the patches made of
//! them.

use super::Fold;
use crate::document::{DocId, NodeId, NodeKind};
use crate::event::{CloseReason, Completion, Kind, Patch, SkipReason, Text};
use crate::lex::Slice;
use crate::notice::{Code, Severity};
use crate::span::Span;

/// An event before it borrows anything.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Emit {
    pub(crate) what: Told,
    pub(crate) text: TextAt,
    pub(crate) span: Span,
}

/// What an [`Emit`] tells.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Told {
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
    pub(crate) kind: Kind,
    pub(crate) node: NodeId,
    /// Steps of the path.
    pub(crate) depth: u32,
    pub(crate) completion: Option<Completion>,
    pub(crate) repaired: bool,
    pub(crate) scalar: bool,
}

/// Where the text of an [`Emit`] lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextAt {
    Nowhere,
    /// With the format machine, or in what it read.
    Format(Slice),
    /// In [`Fold::pending`].
    Pending,
}

impl Fold {
    /// The next thing to tell.
    pub(crate) fn pop(&mut self) -> Option<Emit> {
        let emit = loop {
            if let Some(&emit) = self.emits.get(self.next) {
                break emit;
            }
            self.end_telling();
            if !self.close_on() {
                return None;
            }
        };
        self.next += 1;
        if let (Told::Patch(change), TextAt::Pending) = (emit.what, emit.text) {
            self.append_pending(change.node);
        }
        Some(emit)
    }

    /// Whether nothing is left to tell.
    pub(crate) const fn is_told(&self) -> bool {
        self.next >= self.emits.len() && !self.siblings.is_closing()
    }

    /// All is told: nobody reads what was pending any more.
    pub(crate) fn end_telling(&mut self) {
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
            kind: change.kind,
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
    pub(crate) fn tell(&mut self, what: Told, end: u64) {
        self.tell_text(what, TextAt::Nowhere, end);
    }

    /// Tells of bytes: from where the last such event ended to `end`.
    #[inline]
    pub(crate) fn tell_text(&mut self, what: Told, text: TextAt, end: u64) {
        let span = self.span_to(end);
        self.emits.push(Emit { what, text, span });
    }

    /// From where the last thing that ate bytes ended to `end`, where the next one ends.
    #[inline]
    pub(super) fn span_to(&mut self, end: u64) -> Span {
        Span::new(core::mem::replace(&mut self.last_end, end), end)
    }

    /// Tells a change, if there is one.
    #[inline]
    pub(super) fn tell_patch(&mut self, change: Option<Change>, end: u64) {
        if let Some(change) = change {
            self.tell(Told::Patch(change), end);
        }
    }

    /// Tells of something that eats no bytes.
    pub(crate) fn tell_pointing(&mut self, what: Told, span: Span) {
        self.emits.push(Emit { what, text: TextAt::Nowhere, span });
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
        self.tell_pointing(Told::Notice(code, depth as u32), span);
    }

    #[inline]
    pub(super) fn change(
        &self,
        kind: Kind,
        node: NodeId,
        completion: Option<Completion>,
    ) -> Change {
        let depth = self.path.depth() as u32;
        let document = self.current();
        Change { document, kind, node, depth, completion, repaired: false, scalar: false }
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
        Some(Change { scalar: !self.keep_value, ..self.change(Kind::Open, node, None) })
    }

    pub(super) fn tell_change(&mut self, kind: Kind, node: NodeId, text: TextAt, end: u64) {
        if self.muted.is_none() {
            let change = self.change(kind, node, None);
            self.tell_text(Told::Patch(change), text, end);
        }
    }
}
