//! The answer of a stream, decided once all of it has been read.

use super::reader::Reader;
use crate::answer::Outcome;
use crate::check::{Failure, FailureKind};
use crate::event::CloseReason;
use crate::spec::{AnswerView, Settings};
use crate::tags::{CallForm, Family};
use crate::transcript::{JoinedText, Route};

/// How many bytes of names a failure lists.
const NAMES: usize = 240;

/// Completes "no value could be read": the markers, if they are missing, and the fields that were expected.
fn lacks(settings: &Settings, has_payload: bool) -> String {
    let marker = if has_payload { "" } else { settings.row.missing_marker() }.to_owned();
    let Some(schema) = settings.json.schema.as_ref() else { return marker };
    let root = schema.root();
    let all = schema.declared_keys(root).count();
    if all == 0 {
        let is_any = schema.is_any(root);
        return if is_any { marker } else { marker + "; it should be " + &schema.type_name(root) };
    }
    let mut names = String::new();
    let mut listed = 0;
    for name in schema.declared_keys(root) {
        if names.len() + name.len() > NAMES {
            break;
        }
        names += if listed == 0 { "`" } else { ", `" };
        names += name;
        names += "`";
        listed += 1;
    }
    let more = match (listed, all - listed) {
        (_, 0) => String::new(),
        (0, more) => format!("{more} of the schema"),
        (_, more) => format!(" and {more} more"),
    };
    let verb = if all == 1 { "field is" } else { "fields are" };
    format!("{marker}; its {verb} {names}{more}")
}

/// Derives the answer from the reader's documents and transcript.
#[derive(Debug, Clone, Copy)]
pub(super) struct Conclusion<'r>(pub(super) &'r Reader);

impl Conclusion<'_> {
    /// The checks that the answer fails.
    pub(super) fn failures(&self, outcome: Outcome) -> Vec<Failure> {
        let settings = &self.0.spec.0;
        if !self.0.fold.documents.keeps_values() || outcome == Outcome::ToolCalls {
            return Vec::new();
        }
        let value = self.0.fold.documents.all[self.chosen_document()].value();
        let mut failures = settings.checks.failures(value, settings.json.schema.as_ref());
        if outcome == Outcome::Failed {
            let no_value = failures.iter_mut().filter(|it| it.kind == FailureKind::NoValue);
            let payloads = self.0.machines.format.position().payloads;
            let has_payload = payloads.is_some_and(|payloads| payloads.begun > 0);
            no_value.for_each(|it| it.lacks = lacks(settings, has_payload).into());
        }
        failures
    }

    /// Whether there are elements in channel `tool` that are no calls of this answer, as in histories. Where nobody
    /// collects calls, each element in that channel counts.
    pub(super) fn has_tools(&self) -> bool {
        let (transcript, collects) = (&self.0.collected.transcript, self.0.spec.0.keep_value);
        let is_known = |family: u16| {
            let form = self.0.family(family).map(Family::call_form);
            collects && form.is_some_and(|form| form != CallForm::None)
        };
        let mut elements = transcript.elements.iter();
        elements.any(|it| transcript.channel(it.route) == "tool" && !is_known(it.family))
    }

    /// How the answer ended, if it has no calls.
    pub(super) fn outcome(&self, truncated: bool, text: &str) -> Outcome {
        let has_value = if self.0.fold.documents.keeps_values() {
            self.0.fold.documents.all[self.chosen_document()].value().exists()
        } else {
            self.0.fold.documents.has_answer()
        };
        let transcript = &self.0.collected.transcript;
        // An element for a call without a call in it is something that the model wrote.
        let has_element = || {
            transcript.elements.iter().any(|element| transcript.channel(element.route) == "tool")
        };
        let has_lost = self.0.fold.outbox.has_lost_content;
        let has_content = || !text.trim().is_empty() || has_lost || has_element();
        match (has_value, truncated) {
            (true, true) => Outcome::Truncated,
            (true, false) if self.0.fold.outbox.is_repaired => Outcome::Repaired,
            (true, false) => Outcome::Complete,
            (false, _) if self.has_tools() => Outcome::ToolCalls,
            (false, _) if has_content() => Outcome::Failed,
            (false, _) if transcript.has(Route::Reasoning) => Outcome::NoAnswer,
            (false, _) => Outcome::Empty,
        }
    }

    /// The answer as text: the text of its elements, or else the text outside elements.
    pub(super) fn text(&self) -> JoinedText {
        let segments: Vec<u32> = self.answers().collect();
        if segments.is_empty() {
            // If elements are not kept, their text still is.
            let answer = self.0.collected.transcript.text_of(Route::Answer);
            return if self.0.collected.transcript.joined(&answer).is_empty() {
                self.0.collected.transcript.text_of(Route::Text)
            } else {
                answer
            };
        }
        self.chosen_text(&segments)
    }

    /// The text of the answer elements that the view chooses.
    fn chosen_text(&self, elements: &[u32]) -> JoinedText {
        let transcript = &self.0.collected.transcript;
        let chosen = match self.0.spec.0.view {
            // Text that a closer moved to the answer is in no element.
            AnswerView::Concat => return transcript.text_of(Route::Answer),
            AnswerView::First => elements.first(),
            AnswerView::Last => elements.last(),
            AnswerView::FirstClosedElseLast => {
                elements.iter().find(|id| self.is_closed(**id)).or_else(|| elements.last())
            }
        };
        transcript.texts_in(chosen.map_or(&[][..], core::slice::from_ref))
    }

    /// Whether a closer marker closed the element.
    fn is_closed(&self, id: u32) -> bool {
        let reason = self.0.collected.transcript.element(id).and_then(|element| element.reason);
        matches!(reason, Some(CloseReason::Observed | CloseReason::Mismatched))
    }

    /// The answer, if it is text without a document. Only the end shows that. An answer element that its closer
    /// ended may be empty.
    pub(super) fn text_value(&self) -> Option<JoinedText> {
        let is_text = !self.0.spec.0.row.has_payload() && self.chosen_document() == 0;
        let is_answered = || self.answers().any(|id| self.is_closed(id));
        let is_value = |text: &JoinedText| {
            let text = self.0.collected.transcript.joined(text);
            if text.is_empty() { is_answered() } else { !text.trim().is_empty() }
        };
        is_text.then(|| self.text()).filter(is_value)
    }

    /// The document that is the answer: the one of an element in the answer channel, or else the one
    /// outside elements.
    pub(super) fn chosen_document(&self) -> usize {
        let documents = |id| Some((self.0.collected.transcript.element(id)?.document?.index(), id));
        let all: Vec<(usize, u32)> = self.answers().filter_map(documents).collect();
        let closed = |&&(_, id): &&(usize, u32)| self.is_closed(id);
        let chosen = match self.0.spec.0.view {
            AnswerView::First => all.first(),
            AnswerView::FirstClosedElseLast => all.iter().find(closed).or_else(|| all.last()),
            AnswerView::Concat | AnswerView::Last => all.last(),
        };
        chosen.map_or(0, |&(document, _)| document).min(self.0.fold.documents.all.len() - 1)
    }

    /// The elements in the answer channel.
    fn answers(&self) -> impl Iterator<Item = u32> {
        let elements = self.0.collected.transcript.elements.iter().zip(1..);
        elements.filter(|(element, _)| element.route == Route::Answer).map(|(_, id)| id)
    }

    /// Whether the input ended inside the answer element.
    pub(super) fn is_cut(&self) -> bool {
        let last = self.answers().last().and_then(|id| self.0.collected.transcript.element(id));
        last.is_some_and(|element| element.reason == Some(CloseReason::EndOfInput))
    }
}
