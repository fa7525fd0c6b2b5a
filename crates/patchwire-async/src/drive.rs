//! The steps of a response: attempt after attempt.
//!
//! All events of an attempt are taken before its answer is checked. So the events in the queue always
//! belong to the attempt whose documents the response has.

use core::mem;
use core::task::{Context, Poll, ready};
use std::sync::Arc;

use futures_core::Stream as _;
use patchwire::OwnedEvent;

use crate::answer::Answer;
use crate::error::{Error, SourceFailure};
use crate::event::ResponseEvent;
use crate::input::Split;
use crate::item::ItemOrError;
use crate::parser_set::ParserSet;
use crate::pipeline::{Complaint, Judging, OnExhausted};
use crate::rejection::{Cause, Rejection};
use crate::request::Request;
use crate::response::Response;
use crate::stage::{Judged, Stage};

impl<R: Request, X: Split<R::Item>> Response<R, X> {
    /// Makes steps until an event waits, or the response ended.
    pub(crate) fn poll_fill(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        while self.parsers.queue.is_empty() && !matches!(self.stage, Stage::Ended) {
            ready!(self.poll_step(cx));
        }
        Poll::Ready(())
    }

    /// Makes steps to the end. Drops the events.
    pub(crate) fn poll_answer(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Answer, Error<R::Error>>> {
        loop {
            self.drop_events();
            if let Some(result) = &self.end.result {
                return Poll::Ready(result.clone());
            }
            ready!(self.poll_fill(cx));
        }
    }

    /// Makes steps until the stream of an attempt ended. Drops the events.
    pub(crate) fn poll_unchecked(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Answer, Error<R::Error>>> {
        loop {
            self.drop_events();
            match (&self.stage, &self.end.result) {
                (Stage::Judging(judging), _) => return Poll::Ready(Ok(judging.answer.clone())),
                (_, Some(Err(Error::Rejected { answer, .. }))) => {
                    return Poll::Ready(Ok(answer.clone()));
                }
                (_, Some(result)) => return Poll::Ready(result.clone()),
                _ => ready!(self.poll_step(cx)),
            }
        }
    }

    /// Drops the waiting events. A reader that begins later gets snapshots in their place.
    fn drop_events(&mut self) {
        let queue = &mut self.parsers.queue;
        self.end.begun |= !queue.is_empty();
        queue.clear();
    }

    /// Makes one step. The queue is empty before.
    fn poll_step(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        match &mut self.stage {
            Stage::Asking(future) => match ready!(future.as_mut().poll(cx)) {
                Ok(stream) => {
                    self.stream = Some(Box::pin(stream));
                    self.stage = Stage::Streaming;
                }
                Err(error) => self.fail_source(error),
            },
            Stage::Streaming => {
                let item = match &mut self.stream {
                    Some(stream) => ready!(stream.as_mut().poll_next(cx)),
                    None => None,
                };
                match item.map(ItemOrError::into_chunk) {
                    Some(Ok(chunk)) => self.take(chunk),
                    Some(Err(error)) => self.fail_source(error),
                    None => self.finish(),
                }
            }
            Stage::Judging(judging) => {
                let complaint = match &mut self.pipeline {
                    Some(pipeline) => ready!(pipeline.poll_judge(judging, cx)),
                    None => None,
                };
                self.decide(complaint);
            }
            Stage::Broken { .. } => self.give_up(),
            Stage::Again => self.ask_again(),
            Stage::Ended => {}
        }
        Poll::Ready(())
    }

    fn take(&mut self, item: R::Item) {
        self.split.split(item, &mut self.inputs);
        let Self { inputs, parsers, .. } = self;
        let result = match inputs.only() {
            Some(input) => parsers.take(input),
            None => inputs.drain().try_for_each(|input| parsers.take(input)),
        };
        if let Err(error) = result {
            self.fail(error.into(), None);
        }
    }

    /// The source failed. The request is asked about the error before it goes into a box.
    fn fail_source(&mut self, error: R::Error) {
        let judged = self.pipeline.is_some().then(|| Judged::by(&mut self.request, &error));
        self.fail(Error::Source(SourceFailure::new(error)), judged);
    }

    /// The attempt failed. If another may follow, the source is dropped at once.
    fn fail(&mut self, error: Error<R::Error>, judged: Option<Judged>) {
        if self.pipeline.is_some() {
            self.stream = None;
            self.stage = Stage::Broken { error, judged };
        } else {
            self.end(Err(error));
        }
    }

    fn finish(&mut self) {
        match self.parsers.finish() {
            Err(error) => self.fail(Error::Parse(error), None),
            Ok(answer) if self.pipeline.is_none() => self.end(Ok(answer)),
            Ok(answer) => {
                // The last event is emitted when the answer is accepted.
                self.parsers.queue.retain(|event| event.as_final().is_none());
                self.stage = Stage::Judging(Box::new(Judging::new(answer)));
            }
        }
    }

    fn end(&mut self, result: Result<Answer, Error<R::Error>>) {
        self.stage = Stage::Ended;
        self.end.result = Some(result);
    }

    /// Accepts the checked answer, begins the next attempt, or ends the response.
    fn decide(&mut self, complaint: Option<Complaint>) {
        let Stage::Judging(judging) = mem::replace(&mut self.stage, Stage::Ended) else { return };
        let Judging { answer, .. } = *judging;
        let Some(Complaint { rejection, raised, stops }) = complaint else {
            return self.accept(answer);
        };
        let Some(pipeline) = &mut self.pipeline else { return };
        self.parsers.queue.push_back(ResponseEvent::Rejected(Arc::clone(&rejection)));
        if let Some(attempt) = if stops { None } else { pipeline.retry() } {
            return self.reset(attempt, rejection, Some(answer));
        }
        if pipeline.on_exhausted == OnExhausted::Last && raised.is_none() {
            return self.accept(answer);
        }
        let attempts = pipeline.attempt_number();
        self.end(Err(Error::Rejected { attempts, answer, rejection, raised }));
    }

    fn accept(&mut self, answer: Answer) {
        self.parsers.queue.push_back(OwnedEvent::Final((*answer).clone()).into());
        self.end(Ok(answer));
    }

    /// Begins the next attempt after a failed one, or ends the response.
    fn give_up(&mut self) {
        let stage = mem::replace(&mut self.stage, Stage::Ended);
        let Stage::Broken { error, judged } = stage else { return };
        let Some(pipeline) = &mut self.pipeline else { return self.end(Err(error)) };
        let is_source = error.source_failure().is_some();
        let cause = if is_source { Cause::Source } else { Cause::Parse };
        let Judged { reason, may_recover } = judged.unwrap_or_default();
        let reason = reason.unwrap_or_else(|| error.to_string());
        let Complaint { rejection, .. } = pipeline.broken(cause, reason);
        self.parsers.queue.push_back(ResponseEvent::Rejected(Arc::clone(&rejection)));
        if let Some(attempt) = if may_recover { pipeline.retry() } else { None } {
            return self.reset(attempt, rejection, None);
        }
        let Some((parsers, answer)) = pipeline.take_kept() else { return self.end(Err(error)) };
        self.restore(parsers, answer);
    }

    /// Begins a new set of parsers. The next request is made after `Reset` was taken.
    fn reset(&mut self, attempt: u32, rejection: Arc<Rejection>, answer: Option<Answer>) {
        self.stream = None;
        self.past_facts.push(self.parsers.facts().clone());
        let mut parsers = self.parsers.fresh(&self.spec, attempt);
        parsers.queue.follow(&mut self.parsers.queue);
        parsers.queue.push_back(ResponseEvent::Retrying { attempt, rejection });
        parsers.queue.push_back(ResponseEvent::Reset { attempt });
        let old = mem::replace(&mut self.parsers, parsers);
        if let (Some(answer), Some(pipeline)) = (answer, &mut self.pipeline) {
            pipeline.keep(old, answer);
        }
        self.stage = Stage::Again;
    }

    /// The last attempts had no answer: an earlier answer is returned, and its documents are emitted again.
    fn restore(&mut self, mut parsers: ParserSet, answer: Answer) {
        parsers.queue.follow(&mut self.parsers.queue);
        parsers.queue.push_back(ResponseEvent::Reset { attempt: parsers.attempt() });
        let snapshots: Vec<ResponseEvent> = parsers.snapshots().collect();
        parsers.queue.extend(snapshots);
        parsers.set_facts(self.parsers.facts().clone());
        self.parsers = parsers;
        self.accept(answer);
    }

    fn ask_again(&mut self) {
        let Some(pipeline) = &self.pipeline else { return self.stage = Stage::Ended };
        let attempt = pipeline.attempt();
        self.stage = Stage::Asking(Box::pin(self.request.attempt(attempt)));
    }
}
