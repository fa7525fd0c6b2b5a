//! What a response does when it is polled: attempt after attempt, one step at a time.
//!
//! An attempt's events are all taken before it is judged, and so before the next one begins: what
//! waits is always of the attempt whose documents the response has.

use core::mem;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use std::sync::Arc;

use futures_core::Stream as _;
use patchwire::{
    Event, OwnedEvent,
    event::{Cause, Rejection},
};

use crate::answer::Answer;
use crate::error::Error;
use crate::input::Split;
use crate::pipeline::{Complaint, Judging, OnExhausted};
use crate::reading::Reading;
use crate::request::Request;
use crate::response::Response;

/// How far an attempt has come.
pub(crate) enum Stage<R: Request> {
    Asking(Pin<Box<R::Future>>),
    Streaming,
    /// What was read before the error was told, or waits to be.
    Broken(Error<R::Error>),
    /// The stream ended well.
    Judging(Box<Judging>),
    /// It failed, and there is another one.
    Again,
    Ended,
}

impl<R: Request, X: Split<R::Item>> Response<R, X> {
    /// Reads on until an event waits. Nothing waits after the end.
    pub(crate) fn poll_fill(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        while self.reading.queue.is_empty() && !matches!(self.stage, Stage::Ended) {
            ready!(self.poll_step(cx));
        }
        Poll::Ready(())
    }

    /// Reads on to the end. Events are passed over.
    pub(crate) fn poll_answer(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Answer, Error<R::Error>>> {
        loop {
            self.reading.queue.clear();
            if let Some(result) = &self.end.result {
                return Poll::Ready(result.clone());
            }
            ready!(self.poll_fill(cx));
        }
    }

    /// Reads on until an attempt's stream has ended. Events are passed over.
    pub(crate) fn poll_unchecked(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Answer, Error<R::Error>>> {
        loop {
            self.reading.queue.clear();
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

    /// One step. No event waits.
    fn poll_step(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        match &mut self.stage {
            Stage::Asking(future) => match ready!(future.as_mut().poll(cx)) {
                Ok(stream) => {
                    self.stream = Some(Box::pin(stream));
                    self.stage = Stage::Streaming;
                }
                Err(error) => self.fail(Error::Source(Arc::new(error))),
            },
            Stage::Streaming => {
                let item = match &mut self.stream {
                    Some(stream) => ready!(stream.as_mut().poll_next(cx)),
                    None => None,
                };
                match item {
                    Some(Ok(item)) => self.take(item),
                    Some(Err(error)) => self.fail(Error::Source(Arc::new(error))),
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
            Stage::Broken(_) => self.give_up(),
            Stage::Again => self.ask_again(),
            Stage::Ended => {}
        }
        Poll::Ready(())
    }

    fn take(&mut self, item: R::Item) {
        self.split.split(item, &mut self.inputs);
        let Self { inputs, reading, .. } = self;
        let result = inputs.drain().try_for_each(|input| reading.take(input));
        if let Err(error) = result {
            self.fail(error.into());
        }
    }

    /// The attempt broke. Where it may be followed by another, its source is dropped at once.
    fn fail(&mut self, error: Error<R::Error>) {
        if self.pipeline.is_some() {
            self.stream = None;
            self.stage = Stage::Broken(error);
        } else {
            self.end(Err(error));
        }
    }

    fn finish(&mut self) {
        match self.reading.finish() {
            Err(error) => self.fail(Error::Parse(error)),
            Ok(answer) if self.pipeline.is_none() => self.end(Ok(answer)),
            Ok(answer) => {
                // It is the last event, and is told when the answer is taken.
                self.reading.queue.retain(|event| !matches!(event, OwnedEvent::Final(_)));
                self.stage = Stage::Judging(Box::new(Judging::new(answer)));
            }
        }
    }

    fn end(&mut self, result: Result<Answer, Error<R::Error>>) {
        self.stage = Stage::Ended;
        self.end.result = Some(result);
    }

    /// The judged answer is taken, or the next attempt made, or that was all.
    fn decide(&mut self, complaint: Option<Complaint>) {
        let Stage::Judging(judging) = mem::replace(&mut self.stage, Stage::Ended) else { return };
        let Judging { answer, .. } = *judging;
        let Some(Complaint { rejection, raised, stops }) = complaint else {
            return self.accept(answer);
        };
        let Some(pipeline) = &mut self.pipeline else { return };
        self.reading.queue.push_back(OwnedEvent::Rejected(Arc::clone(&rejection)));
        if let Some(attempt) = if stops { None } else { pipeline.retry() } {
            return self.reset(attempt, &rejection, Some(answer));
        }
        if pipeline.on_exhausted == OnExhausted::Last && raised.is_none() {
            return self.accept(answer);
        }
        let attempts = pipeline.attempt_index();
        self.end(Err(Error::Rejected { attempts, answer, rejection, raised }));
    }

    fn accept(&mut self, answer: Answer) {
        self.reading.queue.push_back(Event::Final(&answer).to_owned());
        self.end(Ok(answer));
    }

    /// The attempt broke: the next one is made, or that was all.
    fn give_up(&mut self) {
        let Stage::Broken(error) = mem::replace(&mut self.stage, Stage::Ended) else { return };
        let Some(pipeline) = &mut self.pipeline else { return self.end(Err(error)) };
        let source = error.as_source();
        let cause = if source.is_some() { Cause::Source } else { Cause::Parse };
        let reason = source.and_then(|error| self.request.reason(error));
        let reason = reason.unwrap_or_else(|| error.to_string());
        let Complaint { rejection, .. } = pipeline.broken(cause, reason);
        self.reading.queue.push_back(OwnedEvent::Rejected(Arc::clone(&rejection)));
        let goes_on = error.as_source().is_none_or(|error| self.request.may_recover(error));
        if let Some(attempt) = if goes_on { pipeline.retry() } else { None } {
            return self.reset(attempt, &rejection, None);
        }
        let Some((reading, answer)) = pipeline.take_kept() else { return self.end(Err(error)) };
        self.restore(reading, answer);
    }

    /// What was read is void. The next attempt is not made before that was told.
    fn reset(&mut self, attempt: u32, rejection: &Rejection, answer: Option<Answer>) {
        self.stream = None;
        self.past_facts.push(self.reading.facts().clone());
        let mut reading = self.reading.fresh(&self.spec, attempt);
        reading.queue.append(&mut self.reading.queue);
        reading.queue.push_back(Event::Retrying { attempt, rejection }.to_owned());
        reading.queue.push_back(Event::Reset { attempt }.to_owned());
        let old = mem::replace(&mut self.reading, reading);
        if let (Some(answer), Some(pipeline)) = (answer, &mut self.pipeline) {
            pipeline.keep(old, answer);
        }
        self.stage = Stage::Again;
    }

    /// The last attempts gave no answer: an earlier one stands, and its documents are told again.
    fn restore(&mut self, mut reading: Reading, answer: Answer) {
        reading.queue.append(&mut self.reading.queue);
        reading.queue.push_back(Event::Reset { attempt: reading.attempt() }.to_owned());
        let snapshots: Vec<OwnedEvent> = reading.snapshots().collect();
        reading.queue.extend(snapshots);
        reading.set_facts(self.reading.facts().clone());
        self.reading = reading;
        self.accept(answer);
    }

    fn ask_again(&mut self) {
        let Some(pipeline) = &self.pipeline else { return self.stage = Stage::Ended };
        let attempt = pipeline.attempt();
        self.stage = Stage::Asking(Box::pin(self.request.attempt(attempt)));
    }
}
