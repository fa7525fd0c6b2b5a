//! The calls of a stream that is still running.

use crate::answer::{Answer, AnswerContent, Call, Outcome};
use crate::event::CloseReason;
use crate::parser::conclusion::Conclusion;
use crate::parser::reader::Reader;
use crate::span::Span;
use crate::tags::{BareCalls, CallForm, TagSet};
use crate::transcript::{ElementRecord, JoinedText, Transcript};

/// The calls that have been emitted, if the settings ask for any.
pub(in crate::parser) fn of(reader: &Reader) -> Vec<Call> {
    let settings = &reader.spec.0;
    match &settings.tags {
        Some(tags) if settings.keep_value && may_call(reader, tags) => {
            super::collect(&answer_so_far(reader), settings, true)
        }
        _ => Vec::new(),
    }
}

fn may_call(reader: &Reader, tags: &TagSet) -> bool {
    let is_call = |it: &ElementRecord| tags.family(it.family).call_form() != CallForm::None;
    tags.bare_calls() != BareCalls::None || reader.collected.transcript.elements.iter().any(is_call)
}

/// What has been emitted, as if the input ended here. Nothing that is held back is in it.
fn answer_so_far(reader: &Reader) -> Answer {
    let (collected, documents) = (&reader.collected, &reader.fold.documents);
    let conclusion = Conclusion(reader);
    let text = || conclusion.text();
    Answer::new(AnswerContent {
        failures: Vec::new(),
        elements: documents.origins.iter().map(|origin| origin.element).collect(),
        chosen: conclusion.chosen_document(),
        alternative: None,
        calls: Vec::new(),
        documents: documents.all.clone(),
        text: if collected.raw.is_some() { JoinedText::default() } else { text() },
        reasoning: JoinedText::default(),
        transcript: ended(&collected.transcript, reader.fold.outbox.last_end),
        tags: reader.spec.0.tags.clone(),
        limits: reader.spec.0.json.limits.clone(),
        raw: collected.raw.clone(),
        notices: Vec::new(),
        notice_count: 0,
        outcome: Outcome::Truncated,
    })
}

/// A copy of a transcript in which the open elements end at an offset, the innermost first.
fn ended(transcript: &Transcript, end: u64) -> Transcript {
    let mut copy = transcript.clone();
    let open = transcript.elements.iter().rev().filter(|it| it.reason.is_none());
    for element in open {
        let end = end.max(element.inside.start);
        copy.close(element.id, CloseReason::EndOfInput, Span::at(end));
    }
    copy
}
