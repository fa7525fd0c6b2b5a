//! Emissions that the parser has not taken yet, and how far the stream has been emitted.

use super::ambiguities::Ambiguities;
use super::emission::{Change, Emission, EmissionKind, TextAt};
use crate::codes::{Code, Severity};
use crate::document::DocId;
use crate::notice::RepairCost;
use crate::span::Span;

/// A field whose JSON has slips.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SlippedField {
    pub(crate) document: DocId,
    pub(crate) name: String,
    /// From its bracket to the end of the field.
    pub(crate) span: Span,
}

/// The queue of emissions.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Outbox {
    /// Slips that have several meanings.
    pub(crate) ambiguities: Ambiguities,
    emissions: Vec<Emission>,
    /// The emission that is taken next.
    next: usize,
    /// Where the last emission that covers bytes ended.
    pub(crate) last_end: u64,
    /// A deviation was noted since the last value was emitted complete.
    value_deviates: bool,
    /// A deviation was noted anywhere.
    pub(crate) is_repaired: bool,
    /// A loss was noted anywhere.
    pub(crate) is_lossy: bool,
    /// Documents whose machine missed declared fields, and where it did. The finalizer tells of those that
    /// it did not find.
    pub(crate) missing: Vec<(DocId, u64)>,
    /// Fields whose JSON has slips.
    pub(crate) slipped: Vec<SlippedField>,
    /// Content was lost, and not only declared fields that were not there.
    pub(crate) has_lost_content: bool,
    /// A second envelope came, or a key stands where YAML has text.
    pub(crate) is_doubtful: bool,
    /// Text in or behind the value of a field was skipped.
    pub(crate) has_skipped_text: bool,
}

impl Outbox {
    /// The next emission.
    #[inline]
    pub(super) fn take(&mut self) -> Option<Emission> {
        let emission = self.emissions.get(self.next).copied();
        self.next += usize::from(emission.is_some());
        emission
    }

    #[inline]
    pub(super) const fn is_empty(&self) -> bool {
        self.next >= self.emissions.len()
    }

    /// Forgets what was taken. Whether anything was.
    #[inline]
    pub(super) fn clear(&mut self) -> bool {
        let any = self.next > 0;
        if any {
            self.emissions.clear();
            self.next = 0;
        }
        any
    }

    /// The bytes from the end of the last emission to `end`, where the next one begins.
    #[inline]
    pub(super) fn span_to(&mut self, end: u64) -> Span {
        Span::new(core::mem::replace(&mut self.last_end, end), end)
    }

    /// Emits something that covers the bytes up to `end`.
    #[inline]
    pub(crate) fn emit(&mut self, kind: EmissionKind, end: u64) {
        self.emit_text(kind, TextAt::Nowhere, end);
    }

    /// Emits something that covers the bytes up to `end` and has a text.
    #[inline]
    pub(crate) fn emit_text(&mut self, kind: EmissionKind, text: TextAt, end: u64) {
        let span = self.span_to(end);
        self.emissions.push(Emission { kind, text, span });
    }

    /// Emits a change, if there is one.
    #[inline]
    pub(super) fn emit_change(&mut self, change: Option<Change>, end: u64) {
        if let Some(change) = change {
            self.emit(EmissionKind::Patch(change), end);
        }
    }

    /// Emits something that covers no bytes.
    pub(crate) fn emit_marker(&mut self, kind: EmissionKind, span: Span) {
        self.emissions.push(Emission { kind, text: TextAt::Nowhere, span });
    }

    /// Emits a notice about the value `depth` steps below the root.
    pub(super) fn notice(&mut self, code: Code, span: Span, depth: usize) {
        if code.severity() != Severity::Info {
            self.value_deviates = true;
            self.is_repaired = true;
        }
        self.has_skipped_text |=
            matches!(code, Code::StrayText | Code::TrailingContent | Code::YamlTrailingAfterQuote);
        self.is_doubtful |=
            matches!(code, Code::SecondRoot | Code::YamlColonInPlain | Code::YamlBadIndent);
        let is_loss = code.severity() == Severity::Loss;
        self.is_lossy |= is_loss;
        self.has_lost_content |= is_loss && code != Code::MissingField;
        self.ambiguities.note(code, span.start);
        self.emit_marker(EmissionKind::Notice(code, depth as u32), span);
    }

    /// Keeps in mind that declared fields of a document are missing at `end`.
    pub(super) fn note_missing(&mut self, document: DocId, end: u64) {
        if self.missing.iter().all(|(known, _)| *known != document) {
            self.missing.push((document, end));
        }
    }

    /// Emits a notice of the search about the value `depth` steps below the root.
    pub(super) fn repair_notice(&mut self, code: Code, span: Span, depth: usize, cost: RepairCost) {
        self.is_repaired |= code.severity() != Severity::Info;
        self.emit_marker(EmissionKind::Repair(code, depth as u32, cost), span);
    }

    /// Whether a deviation was noted since the last call.
    #[inline]
    pub(super) fn take_deviation(&mut self) -> bool {
        core::mem::take(&mut self.value_deviates)
    }
}

#[cfg(test)]
mod tests {
    use super::{Code, EmissionKind, Outbox, Span};

    #[test]
    fn emissions_come_in_order_and_cover_bytes_once() {
        let mut outbox = Outbox::default();
        outbox.emit(EmissionKind::Reasoning, 3);
        outbox.notice(Code::DuplicateKey, Span::new(1, 2), 0);
        outbox.emit(EmissionKind::Text, 7);
        let spans: Vec<_> = core::iter::from_fn(|| outbox.take()).map(|it| it.span).collect();
        assert_eq!(spans, [Span::new(0, 3), Span::new(1, 2), Span::new(3, 7)]);
        assert!(outbox.is_empty() && outbox.clear() && !outbox.clear());
    }

    #[test]
    fn a_deviation_is_that_of_one_value_and_of_the_stream() {
        let mut outbox = Outbox::default();
        assert!(!outbox.take_deviation());
        outbox.notice(Code::DuplicateKey, Span::at(0), 0);
        assert!(outbox.take_deviation() && !outbox.take_deviation());
        assert!(outbox.is_repaired);
    }
}
