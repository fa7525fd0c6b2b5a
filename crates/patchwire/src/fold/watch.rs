//! What the answer falls short of already: each value is looked at once, when it closes.

use super::{Change, EmissionKind, Fold};
use crate::check::{Checks, Closing, Failure};
use crate::event::{Completion, PatchOp};
use crate::leniency::{Leniencies, Leniency};
use crate::schema::SchemaId;
use crate::schema::tree::{Shape, Slot};
use crate::span::Span;

/// Types that a value stands in that are looked at, from the innermost on: to find those that contain
/// themselves.
const ABOVE: usize = 64;

/// What is looked for.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Watch {
    checks: Checks,
    may_align: bool,
}

impl Fold {
    /// From now on values are looked at as they close, if anything can be wrong with them.
    pub(crate) fn watch(&mut self, checks: &Checks, rules: Leniencies) {
        if self.keep_value && checks.check_anything(self.schema.as_ref()) {
            let may_align = Leniency::ALIGNMENT.into_iter().any(|slip| rules.allow(slip));
            let checks = checks.clone();
            self.watch = Some(Watch { checks, may_align });
        }
    }

    /// A verdict that was emitted.
    pub(crate) fn verdict(&self, at: u32) -> &Failure {
        &self.verdicts.failures()[at as usize]
    }

    /// Tells what is wrong with a value that this change completed.
    #[inline]
    pub(super) fn judge(&mut self, change: Option<&Change>) {
        if let (Some(change), Some(_)) = (change, &self.watch) {
            self.judge_value(*change);
        }
    }

    #[cold]
    fn judge_value(&mut self, change: Change) {
        let whole = change.op == PatchOp::Done && change.completion == Some(Completion::Observed);
        if !whole || !self.shaped {
            return;
        }
        let Some(watch) = &self.watch else { return };
        let mut found = core::mem::take(&mut self.verdicts);
        let before = found.failures().len();
        let above = || self.types_above();
        let place = Closing {
            value: self.documents[change.document.index()].at(change.node),
            path: self.path.path(change.depth as usize),
            schema: self.schema.as_ref().zip(self.slot_here()),
            above: &above,
            may_align: watch.may_align,
        };
        watch.checks.closing(&place, &mut found);
        let end = self.last_end;
        for at in before..found.failures().len() {
            self.emit_pointer(EmissionKind::Verdict(at as u32), Span::at(end));
        }
        self.verdicts = found;
    }

    /// What the schema says of the place at which the path stands.
    fn slot_here(&self) -> Option<Slot> {
        let schema = self.schema.as_ref()?;
        let Some(level) = self.levels.last() else { return Some(schema.root_slot()) };
        let above = level.schema?;
        if self.path.in_list() == Some(true) {
            schema.item_slot(above)
        } else {
            schema.member_slot(above, self.path.key())
        }
    }

    /// The types that the path stands in, each with its alternatives.
    fn types_above(&self) -> Vec<SchemaId> {
        let mut all = Vec::new();
        let Some(schema) = &self.schema else { return all };
        for id in self.levels.iter().rev().take(ABOVE).filter_map(|level| level.schema) {
            all.push(id);
            if let Shape::Union(union) = &schema.node(id).shape {
                all.extend(&union.leaves);
            }
        }
        all
    }
}
