//! The end of a stream: held bytes are decided, open values close, the finalizer corrects, and the
//! answer is kept.

use super::Parser;
use super::calls;
use super::conclusion::Conclusion;
use super::fast_path::NextChunk;
use super::machines::Destination;
use super::mentions;
use super::reparse;
use super::split_char::SplitChar;
use super::text_parts::{CutBody, bodies_with_slips, lists_that_begin_prose};
use crate::answer::{Answer, AnswerContent, Outcome};
use crate::error::{Error, ErrorKind};
use crate::event::{Event, Flow};
use crate::finalize::{Corrections, EndedStream};
use crate::fold::Emission;
use crate::lex::Input;
use crate::text::Piece;
use crate::transcript::Route;

/// The next step of the end.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Stage {
    /// The stream has not ended.
    Feeding,
    /// Next: a code point that was cut off.
    Carry,
    /// Next: bytes that the tag layer holds back.
    Tags,
    /// Next: bytes that the format holds back.
    Format,
    /// Next: open values.
    Open(Option<CutBody>),
    /// Next: the corrections of the finalizer.
    Corrections(Box<Corrections>),
    /// Next: the answer, which is the last event.
    Answer { truncated: bool },
    /// Everything is emitted.
    Finished,
}

/// The progress of a stream's end, and its results.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ending {
    pub(super) stage: Stage,
    pub(super) failed: Option<Error>,
    pub(super) answer: Option<Answer>,
    /// Where the second reading starts: the beginning of an unclosed construct that hid markers.
    reparse_from: Option<u64>,
}

impl Ending {
    pub(super) const fn new() -> Self {
        Self { stage: Stage::Feeding, failed: None, answer: None, reparse_from: None }
    }

    pub(super) const fn check_failed(&self) -> Result<(), Error> {
        match self.failed {
            Some(error) => Err(error),
            None => Ok(()),
        }
    }

    /// Fails if no more may be fed. `fed` is the number of bytes fed so far.
    pub(super) fn check_open(&self, fed: u64) -> Result<(), Error> {
        self.check_failed()?;
        match self.stage {
            Stage::Feeding => Ok(()),
            _ => Err(Error::new(ErrorKind::Finished, fed)),
        }
    }
}

impl Parser {
    /// Ends the stream: emits the remaining events and returns the answer. A second call returns the same
    /// answer and emits nothing.
    ///
    /// # Errors
    /// The error of an earlier call; under strict reading, a payload that is not complete.
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

    /// The next event of the end; `None` when all are emitted.
    ///
    /// # Errors
    /// The errors of [`finish`](Self::finish).
    pub fn next_final_event(&mut self) -> Result<Option<Event<'_>>, Error> {
        self.fast_path.next = NextChunk::General;
        self.ending.check_failed()?;
        match self.final_step()? {
            Some(Last::Emission(emission)) => {
                let text = self.intake.split_char.as_ref().map_or("", SplitChar::str);
                Ok(Some(self.reader.event(&emission, text, None)))
            }
            Some(Last::Reasoning) => Ok(Some(self.side_reasoning.cut_event(&self.reader))),
            Some(Last::Answer) => Ok(self.ending.answer.as_ref().map(Event::Final)),
            None => Ok(None),
        }
    }

    /// The answer, after the last event.
    ///
    /// # Errors
    /// The error of an earlier call. [`ErrorKind::UnexpectedEnd`] if the stream was not finished.
    pub fn answer(&self) -> Result<Answer, Error> {
        self.ending.check_failed()?;
        let unfinished = || Error::new(ErrorKind::UnexpectedEnd, self.intake.fed);
        self.ending.answer.clone().ok_or_else(unfinished)
    }

    fn final_step(&mut self) -> Result<Option<Last>, Error> {
        loop {
            let emission = match self.intake.split_char {
                Some(_) => self.pull_split_char()?,
                None => self.advance(&mut Input::new("", self.intake.offset))?,
            };
            if let Some(emission) = emission {
                return Ok(Some(Last::Emission(emission)));
            }
            match &self.ending.stage {
                Stage::Feeding => self.ending.stage = Stage::Carry,
                Stage::Carry => {
                    if self.side_reasoning.finish(&mut self.reader) {
                        return Ok(Some(Last::Reasoning));
                    }
                    self.end_carry();
                }
                Stage::Tags => {
                    let end = self.intake.offset;
                    if !self.reader.finish_tags(end).map_err(|error| self.latch(error))? {
                        self.ending.stage = Stage::Format;
                    }
                }
                Stage::Format => self.end_format()?,
                Stage::Open(cut) => {
                    let cut = *cut;
                    self.end_open(cut)?;
                }
                Stage::Corrections(_) => {
                    self.correct();
                }
                Stage::Answer { truncated } => {
                    let truncated = *truncated;
                    self.ending.answer = Some(self.make_answer(truncated));
                    self.ending.stage = Stage::Finished;
                    return Ok(Some(Last::Answer));
                }
                Stage::Finished => return Ok(None),
            }
        }
    }

    fn end_carry(&mut self) {
        self.ending.stage = Stage::Tags;
        self.ending.reparse_from = reparse::note_cover(&mut self.reader);
        if let Some(Piece::Replaced { len }) = self.intake.carry.finish() {
            let char = SplitChar::new(char::REPLACEMENT_CHARACTER, len, true);
            self.intake.split_char = Some(char);
        }
    }

    fn end_format(&mut self) -> Result<(), Error> {
        let (end, reader) = (self.intake.offset, &mut self.reader);
        reader.fold.note_input_end();
        let made = reader.fold_last_token(Destination::Format, &mut |machine| machine.finish(end));
        if made.map_err(|error| self.latch(error))? {
            return Ok(());
        }
        let fold = &mut self.reader.fold;
        let truncated = fold.notice_of_cut(end);
        self.ending.stage =
            Stage::Open(truncated.then(|| CutBody { leaf: fold.open_string_node() }));
        Ok(())
    }

    fn end_open(&mut self, cut: Option<CutBody>) -> Result<(), Error> {
        let closed = self.reader.fold.close_one(self.intake.offset);
        if closed.map_err(|error| self.latch(error))? {
            return Ok(());
        }
        let reader = &mut self.reader;
        mentions::disown_mentions(reader);
        let known = self.ending.reparse_from;
        let swallowed = reparse::note_swallowed(reader, known);
        self.ending.reparse_from = known.into_iter().chain(swallowed).min();
        let (fold, format) = (&reader.fold, &reader.machines.format);
        let parts = reader.collected.take_parts(format, fold, cut, self.intake.fed);
        let text = Conclusion(reader).text_value();
        let ended = EndedStream {
            raw: reader.collected.raw.as_deref(),
            settings: &reader.spec.0,
            parts: &parts,
            thoughts: &reader.collected.reclassified,
            elements: reader.collected.transcript.elements.iter().map(|it| it.span).collect(),
            text: text.as_ref().map(|text| reader.collected.transcript.joined(text)),
        };
        let mut corrections = Corrections::plan(&reader.fold, &ended);
        corrections.repair_bodies(&reader.fold, &ended, &bodies_with_slips(reader));
        for (document, text, span) in lists_that_begin_prose(reader) {
            corrections.become_text(document, &text, span);
        }
        for &(element, document) in corrections.found() {
            if let Some(record) = reader.collected.transcript.element_mut(element.get()) {
                record.document = Some(document);
            }
        }
        self.ending.stage = Stage::Corrections(Box::new(corrections));
        Ok(())
    }

    /// Applies the next correction.
    fn correct(&mut self) {
        let Stage::Corrections(corrections) = &mut self.ending.stage else { return };
        let reader = &mut self.reader;
        if corrections.apply_next(&mut reader.fold, &reader.spec.0, self.intake.offset) {
            return;
        }
        let conclusion = Conclusion(reader);
        let truncated =
            corrections.is_truncated(conclusion.chosen_document()) || conclusion.is_cut();
        if let Some(schema) = reader.spec.schema() {
            for document in &mut reader.fold.documents.all {
                crate::finalize::order_members(document, schema);
            }
        }
        self.ending.stage = Stage::Answer { truncated };
    }

    /// Makes the answer from what was collected. From now on the parser reads values there.
    fn make_answer(&mut self, truncated: bool) -> Answer {
        let reader = &mut self.reader;
        let conclusion = Conclusion(reader);
        let text = conclusion.text();
        let outcome = conclusion.outcome(truncated, reader.collected.transcript.joined(&text));
        let failures = conclusion.failures(outcome);
        let chosen = conclusion.chosen_document();
        let alternative = self.ending.reparse_from.and_then(|from| reparse::answer(reader, from));
        let unclassified = || match outcome {
            Outcome::NoAnswer => reparse::unclassified(reader),
            _ => None,
        };
        let mentioned = || reparse::mentioned(reader);
        let alternative = alternative.or_else(unclassified).or_else(mentioned);
        let (documents, collected) = (&mut reader.fold.documents, &mut reader.collected);
        let answer = Answer::new(AnswerContent {
            failures,
            elements: documents.origins.iter().map(|origin| origin.element).collect(),
            chosen,
            alternative,
            calls: Vec::new(),
            documents: core::mem::take(&mut documents.all),
            text,
            reasoning: collected.transcript.text_of(Route::Reasoning),
            transcript: core::mem::take(&mut collected.transcript),
            tags: reader.spec.0.tags.clone(),
            limits: reader.spec.0.json.limits.clone(),
            raw: collected.raw.take(),
            notices: core::mem::take(&mut collected.notices.kept),
            notice_count: collected.notices.count,
            outcome,
        });
        let calls = calls::list(&answer, &reader.spec.0);
        let is_bare = calls.iter().any(|call| call.element().is_none());
        let is_asked = !is_bare || reader.spec.0.json.schema.is_some();
        let answers = is_asked && reader.spec.0.row.has_payload() && answer.value().exists();
        let outcome = if calls.is_empty() || answers { outcome } else { Outcome::ToolCalls };
        answer.with_calls(calls, outcome)
    }
}

/// What a step of the end produced.
enum Last {
    Emission(Emission),
    /// The cut code point at the end of side reasoning.
    Reasoning,
    Answer,
}
