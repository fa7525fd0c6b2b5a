//! Fields whose JSON was streamed with slips: the cheapest reading of their text takes the place of a streamed value
//! that costs clearly more.

use std::collections::{HashMap, HashSet};

use crate::codes::Code;
use crate::document::{DocId, NodeId, Placement};
use crate::finalize::repaired::{self, Doubt, Repair};
use crate::finalize::reread::{OffsetText, Reread};
use crate::finalize::text_part::TextPart;
use crate::finalize::{Correction, Corrections, EndedStream, difference};
use crate::fold::{Fold, SlippedField};
use crate::span::Span;
use crate::spec::{Settings, Strictness};

/// Another reading of one field.
pub(super) struct FieldRepair {
    pub(super) node: NodeId,
    pub(super) repair: Repair,
    /// Whether the field is the last text of its part.
    is_last: bool,
}

/// What was found about the fields of a part.
pub(super) struct FieldRepairs {
    pub(super) document: DocId,
    pub(super) found: Vec<FieldRepair>,
    /// Fields that are too long to be searched.
    too_long: Vec<Span>,
}

/// Searches for cheaper readings of the fields of a part.
pub(super) fn find(
    fold: &Fold,
    document: DocId,
    ended: &EndedStream<'_>,
    part: &TextPart,
) -> FieldRepairs {
    let mut repairs = FieldRepairs { document, found: Vec::new(), too_long: Vec::new() };
    let lenient = ended.settings.strictness == Strictness::Lenient;
    let Some(raw) = ended.raw.filter(|_| lenient) else { return repairs };
    let is_own = |it: &&SlippedField| Some(it.document) == part.document;
    let own = || fold.outbox.slipped.iter().filter(is_own);
    let has_repeats = fold.shadow.successors.iter().any(|it| Some(it.document) == part.document);
    if has_repeats || own().next().is_none() {
        return repairs;
    }
    let settled = repaired::settled(fold, document);
    let members: HashMap<_, _> = settled.value().entries().collect();
    let free = ended.settings.without_schema();
    for field in own() {
        let Some(value) = members.get(&Some(field.name.as_str())) else { continue };
        let Some(node) = value.node().filter(|_| value.node_kind().is_container()) else {
            continue;
        };
        let is_ambiguous = fold.outbox.ambiguities.touches(field.span);
        match repaired::doubt_of_field(raw, field.span, &free, is_ambiguous) {
            Doubt::None => {}
            Doubt::TooLong(span) => repairs.too_long.push(span),
            Doubt::Text(start, text) => {
                if let Some(repair) = repaired::better(start, text, &free, *value) {
                    let repair = repair.under(&field.name);
                    let is_last = field.span.end >= part.span.end;
                    repairs.found.push(FieldRepair { node, repair, is_last });
                }
            }
        }
    }
    repairs
}

/// Gives the fields of a text that was read again their cheapest readings.
pub(in crate::finalize) fn settle(read: &mut Reread, text: OffsetText<'_>, settings: &Settings) {
    let slipped = core::mem::take(&mut read.slipped);
    let mut names = HashSet::new();
    if !slipped.iter().all(|field| names.insert(field.name.as_str())) {
        return;
    }
    let free = settings.without_schema();
    for field in &slipped {
        let Some(value) = read.document.value().get(&field.name) else { continue };
        let Some(node) = value.node().filter(|_| value.node_kind().is_container()) else {
            continue;
        };
        let within = |at: u64| at.saturating_sub(text.start);
        let span = Span::new(within(field.span.start), within(field.span.end));
        let raw = text.text.as_bytes();
        let Doubt::Text(start, part) =
            repaired::doubt_of_field(raw, span, &free, read.is_ambiguous)
        else {
            continue;
        };
        if let Some(repair) = repaired::better(start, part, &free, value) {
            let new = repair.root.document.value();
            let source = read.document.graft(Placement::Detached, new);
            read.document.take_over(node, source);
        }
    }
}

impl Corrections {
    /// Plans the repairs. Whether the last field of the part is whole now.
    pub(super) fn plan_field_repairs(&mut self, fold: &Fold, repairs: &FieldRepairs) -> bool {
        for span in &repairs.too_long {
            self.queue.push_back(Correction::Notice(Code::RepairLimit, *span));
        }
        let mut is_whole = false;
        let settled =
            (!repairs.found.is_empty()).then(|| repaired::settled(fold, repairs.document));
        for FieldRepair { node, repair, is_last } in &repairs.found {
            self.notice_repair(repair);
            let new = repair.root.document.value();
            if let Some(settled) = &settled {
                let old = settled.at(*node);
                self.queue.extend(difference::inner_corrections(repairs.document, old, new));
            }
            is_whole |= *is_last && repair.root.is_complete;
        }
        is_whole
    }
}
