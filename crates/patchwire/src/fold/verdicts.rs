//! Failures that are known while the stream runs: each value is checked once, when it closes.

use super::{Change, Documents, EmissionKind, Outbox, PathCursor};
use crate::check::{Checks, ClosedValue, Failure, Failures};
use crate::event::{Completion, PatchOp};
use crate::leniency::{Leniencies, Leniency};
use crate::schema::Schema;
use crate::span::Span;

/// What is checked of closed values, and which failures were found.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Verdicts {
    /// None if no check can fail.
    checks: Option<Checks>,
    /// Whether the finalizer may change the type of a value.
    may_align: bool,
    found: Failures,
}

impl Verdicts {
    /// Checks values from now on, if any check can fail.
    pub(super) fn watch(&mut self, checks: &Checks, schema: Option<&Schema>, rules: Leniencies) {
        if checks.check_anything(schema) {
            self.checks = Some(checks.clone());
            self.may_align = Leniency::ALIGNMENT.into_iter().any(|rule| rules.allow(rule));
        }
    }

    #[inline]
    pub(super) const fn is_watching(&self) -> bool {
        self.checks.is_some()
    }

    /// The failure with this number.
    pub(super) fn failure(&self, number: u32) -> &Failure {
        &self.found.list()[number as usize]
    }

    /// Checks the value that this change completed, and emits its failures.
    #[cold]
    pub(super) fn judge(
        &mut self,
        change: &Change,
        documents: &Documents,
        cursor: &PathCursor,
        outbox: &mut Outbox,
    ) {
        let whole = change.op == PatchOp::Done && change.completion == Some(Completion::Observed);
        let Some(checks) = self.checks.as_ref().filter(|_| whole && documents.has_schema()) else {
            return;
        };
        let before = self.found.list().len();
        let closed = ClosedValue {
            value: documents.get(change.document).0.at(change.node),
            path: cursor.path.path(change.depth as usize),
            schema: cursor.schema().zip(cursor.slot_here()),
            is_certain: &|| cursor.is_certain(),
            may_align: self.may_align,
        };
        checks.check_closed(&closed, &mut self.found);
        let here = Span::at(outbox.last_end);
        for number in before..self.found.list().len() {
            outbox.emit_marker(EmissionKind::Verdict(number as u32), here);
        }
    }
}
