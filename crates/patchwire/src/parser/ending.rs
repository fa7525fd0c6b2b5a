//! The end of a stream: what is held is decided, what is open closes, the finalizer corrects, and
//! the answer is kept.

use super::Parser;
use super::joined::Joined;
use super::quick::Open;
use crate::answer::{Answer, AnswerContent, Outcome};
use crate::check::Failure;
use crate::codes::Code;
use crate::document::NodeId;
use crate::error::{Error, ErrorKind};
use crate::event::{CloseReason, Event, Flow};
use crate::finalize::{Corrections, EndedStream};
use crate::fold::Emission;
use crate::lex::Input;
use crate::span::Span;
use crate::spec::{AnswerView, Format};
use crate::text::Piece;
use crate::transcript::Route;

/// How far the end has come.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Stage {
    /// Chunks may come.
    Feeding,
    /// A code point that was not whole.
    Carry,
    /// What the tag layer held.
    Tags,
    /// What the format held.
    Format,
    /// Values that are open.
    Open { leaf: Option<NodeId>, truncated: bool },
    /// What the finalizer has to put right.
    Corrections(Box<Corrections>),
    /// All is emitted but the answer.
    Answer { truncated: bool },
    /// All is emitted.
    Finished,
}

impl Parser {
    /// Ends the stream: emits the last events, the answer last, and gives the answer. A second call
    /// gives the same answer and emits nothing.
    ///
    /// # Errors
    /// An earlier error again; under strict reading, that the payload is not whole.
    pub fn finish<R: Flow>(
        &mut self,
        mut on_event: impl FnMut(Event<'_>) -> R,
    ) -> Result<Answer, Error> {
        while let Some(event) = self.next_final_event()? {
            if !on_event(event).goes_on() {
                return Err(self.fail(ErrorKind::Cancelled));
            }
        }
        self.answer()
    }

    /// The next event that the end of the input makes; none when all is emitted.
    ///
    /// # Errors
    /// As [`finish`](Self::finish).
    pub fn next_final_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        self.lane = Open::default();
        if let Some(error) = self.failed {
            return Err(error);
        }
        match self.final_step()? {
            Some(Last::Emission(emission)) => {
                let text = self.joined.as_ref().map_or("", Joined::str);
                Ok(Some(self.event(&emission, text, None)))
            }
            Some(Last::Reasoning) => Ok(Some(self.cut_reasoning())),
            Some(Last::Answer) => Ok(self.answer.as_ref().map(Event::Final)),
            None => Ok(None),
        }
    }

    /// The answer, once all is emitted.
    ///
    /// # Errors
    /// An earlier error again. [`ErrorKind::UnexpectedEnd`] if the stream was not finished.
    pub fn answer(&self) -> Result<Answer, Error> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        self.answer.clone().ok_or_else(|| Error::new(ErrorKind::UnexpectedEnd, self.fed))
    }

    fn final_step(&mut self) -> Result<Option<Last>, Error> {
        loop {
            let mut nothing = Input::new("", self.offset);
            if let Some(emission) = self.pull_joined_or(&mut nothing)? {
                return Ok(Some(Last::Emission(emission)));
            }
            match &self.stage {
                Stage::Feeding => self.stage = Stage::Carry,
                Stage::Carry => {
                    if self.end_apart() {
                        return Ok(Some(Last::Reasoning));
                    }
                    self.end_carry()?;
                }
                Stage::Tags => {
                    if !self.finish_tags(self.offset).map_err(|error| self.latch(error))? {
                        self.stage = Stage::Format;
                    }
                }
                Stage::Format => self.end_format()?,
                Stage::Open { leaf, truncated } => {
                    let (leaf, truncated) = (*leaf, *truncated);
                    self.end_open(leaf, truncated)?;
                }
                Stage::Corrections(_) => {
                    if let Some(emission) = self.correct() {
                        return Ok(Some(Last::Emission(emission)));
                    }
                }
                Stage::Answer { truncated } => {
                    self.answer = Some(self.make_answer(*truncated));
                    self.stage = Stage::Finished;
                    return Ok(Some(Last::Answer));
                }
                Stage::Finished => return Ok(None),
            }
        }
    }

    /// The next event of a code point that stands alone, or of what was routed.
    fn pull_joined_or(&mut self, nothing: &mut Input<'_>) -> Result<Option<Emission>, Error> {
        if self.joined.is_some() { self.pull_joined() } else { self.advance(nothing) }
    }

    fn end_carry(&mut self) -> Result<(), Error> {
        self.stage = Stage::Tags;
        self.look_beside();
        if let Some(Piece::Replaced { len }) = self.carry.finish() {
            self.joined = Some(Joined::new(char::REPLACEMENT_CHARACTER, len, true));
        }
        Ok(())
    }

    fn end_format(&mut self) -> Result<(), Error> {
        let end = self.offset;
        let token = self.format.get_mut().finish(end).map_err(|error| self.latch(error))?;
        if let Some(token) = token {
            let text = self.format.resolve(token.text, "");
            self.token_log.add(token, text);
            self.fold.apply(token, text).map_err(|error| self.latch(error))?;
            return Ok(());
        }
        let truncated = self.fold.has_open();
        if truncated {
            self.fold.notice(Code::Truncated, Span::at(end));
        }
        self.stage = Stage::Open { leaf: self.fold.open_string_node(), truncated };
        Ok(())
    }

    fn end_open(&mut self, leaf: Option<NodeId>, truncated: bool) -> Result<(), Error> {
        if self.fold.close_one(self.offset).map_err(|error| self.latch(error))? {
            return Ok(());
        }
        let parts = self.take_parts(leaf, truncated);
        let ended = EndedStream {
            raw: self.raw.as_deref(),
            settings: &self.spec.0,
            parts: &parts,
            thoughts: &self.reclassified,
            text: self.text_value(),
        };
        let corrections = Corrections::plan(&self.fold, &ended);
        for &(element, document) in corrections.found() {
            if let Some(record) = self.transcript.element_mut(element.get()) {
                record.document = Some(document);
            }
        }
        self.stage = Stage::Corrections(Box::new(corrections));
        Ok(())
    }

    /// The next correction's event.
    fn correct(&mut self) -> Option<Emission> {
        let Stage::Corrections(corrections) = &mut self.stage else { return None };
        let end = self.offset;
        if corrections.apply_next(&mut self.fold, &self.spec.0, end) {
            return None;
        }
        let Stage::Corrections(corrections) = &self.stage else { return None };
        let truncated = corrections.is_truncated(self.chosen_document()) || self.is_answer_cut();
        if let Some(schema) = self.spec.schema() {
            for document in &mut self.fold.documents.all {
                crate::finalize::order_members(document, schema);
            }
        }
        self.stage = Stage::Answer { truncated };
        None
    }

    /// The answer takes over what was collected; from now on the parser reads it there.
    fn make_answer(&mut self, truncated: bool) -> Answer {
        let outcome = self.outcome(truncated);
        let failures = self.failures(outcome);
        Answer::new(AnswerContent {
            failures,
            elements: self.fold.documents.origins.iter().map(|origin| origin.element).collect(),
            chosen: self.chosen_document(),
            alternative: self.read_beside(),
            documents: core::mem::take(&mut self.fold.documents.all),
            text: self.answer_text(),
            reasoning: self.transcript.text_of(Route::Reasoning),
            transcript: core::mem::take(&mut self.transcript),
            tags: self.spec.0.tags.clone(),
            limits: self.spec.0.json.limits.clone(),
            raw: self.raw.take(),
            notices: core::mem::take(&mut self.notices),
            notice_count: self.notice_count,
            outcome,
        })
    }

    /// What the answer falls short of.
    fn failures(&self, outcome: Outcome) -> Vec<Failure> {
        let settings = &self.spec.0;
        if !self.fold.documents.keeps_values() || outcome == Outcome::ToolCalls {
            return Vec::new();
        }
        let value = self.fold.documents.all[self.chosen_document()].value();
        settings.checks.failures(value, settings.json.schema.as_ref())
    }

    fn outcome(&self, truncated: bool) -> Outcome {
        let has_value = if self.fold.documents.keeps_values() {
            self.fold.documents.all[self.chosen_document()].value().exists()
        } else {
            self.fold.documents.has_answer()
        };
        let (transcript, text) = (&self.transcript, self.answer_text());
        let has_calls = || {
            transcript.elements.iter().any(|element| transcript.channel(element.route) == "tool")
        };
        match (has_value, truncated) {
            (true, true) => Outcome::Truncated,
            (true, false) if self.fold.outbox.is_repaired => Outcome::Repaired,
            (true, false) => Outcome::Complete,
            (false, _) if has_calls() => Outcome::ToolCalls,
            (false, _) if !text.trim().is_empty() => Outcome::Failed,
            (false, _) if transcript.has(Route::Reasoning) => Outcome::NoAnswer,
            (false, _) => Outcome::Empty,
        }
    }

    /// The answer as text: what its elements say, else the text outside elements.
    fn answer_text(&self) -> String {
        let segments: Vec<u32> = self.answers().collect();
        if segments.is_empty() {
            // Where nothing is kept of elements, their text still is.
            let answer = self.transcript.text_of(Route::Answer);
            return if answer.is_empty() { self.transcript.text_of(Route::Text) } else { answer };
        }
        self.chosen_text(&segments)
    }

    /// The text of the answer elements that the view chooses.
    fn chosen_text(&self, elements: &[u32]) -> String {
        let chosen = match self.spec.0.view {
            AnswerView::Concat => return self.transcript.texts_in(elements),
            AnswerView::First => elements.first(),
            AnswerView::Last => elements.last(),
            AnswerView::FirstClosedElseLast => {
                elements.iter().find(|id| self.is_closed(**id)).or_else(|| elements.last())
            }
        };
        self.transcript.texts_in(chosen.map_or(&[][..], core::slice::from_ref))
    }

    /// Whether a closer ended the element.
    fn is_closed(&self, id: u32) -> bool {
        let reason = self.transcript.element(id).and_then(|element| element.reason);
        matches!(reason, Some(CloseReason::Observed | CloseReason::Mismatched))
    }

    /// The answer that is text and no document: only its end shows that.
    fn text_value(&self) -> Option<String> {
        let is_text = self.spec.0.format == Format::Text && self.chosen_document() == 0;
        is_text.then(|| self.answer_text()).filter(|text| !text.trim().is_empty())
    }

    /// The document that is the answer: that of an element whose channel is the answer, if there is
    /// one; else what stands outside elements.
    fn chosen_document(&self) -> usize {
        let documents = |id| Some((self.transcript.element(id)?.document?.index(), id));
        let all: Vec<(usize, u32)> = self.answers().filter_map(documents).collect();
        let closed = |&&(_, id): &&(usize, u32)| self.is_closed(id);
        let chosen = match self.spec.0.view {
            AnswerView::First => all.first(),
            AnswerView::FirstClosedElseLast => all.iter().find(closed).or_else(|| all.last()),
            AnswerView::Concat | AnswerView::Last => all.last(),
        };
        chosen.map_or(0, |&(document, _)| document).min(self.fold.documents.all.len() - 1)
    }

    /// Elements that are the answer.
    fn answers(&self) -> impl Iterator<Item = u32> {
        let elements = self.transcript.elements.iter().zip(1..);
        elements.filter(|(element, _)| element.route == Route::Answer).map(|(_, id)| id)
    }

    /// Whether the input ended in the element that is the answer.
    fn is_answer_cut(&self) -> bool {
        let last = self.answers().last().and_then(|id| self.transcript.element(id));
        last.is_some_and(|element| element.reason == Some(CloseReason::EndOfInput))
    }
}

/// What a step at the end emits.
enum Last {
    Emission(Emission),
    /// A code point of reasoning fed apart that was not whole.
    Reasoning,
    Answer,
}
