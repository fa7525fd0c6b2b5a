//! What an answer has to pass, and what is sent when it does not: one budget for all steps.

use core::fmt::Write as _;
use core::task::{Context, Poll, ready};
use std::sync::Arc;

use patchwire::{
    check::{Failure, FailureKind},
    event::{Cause, Rejection},
};
use serde_json::Value as Json;

use crate::answer::Answer;
use crate::check::Check;
use crate::error::BoxError;
use crate::reading::Reading;
use crate::request::Attempt;
use crate::validator::{Run, Validator};
use crate::verdict::{Changes, Fault, Verdict};

/// What comes of a response whose last attempt failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum OnExhausted {
    /// An error: [`Error::Rejected`](crate::Error::Rejected) with the last answer, or what broke the
    /// last attempt.
    #[default]
    Fail,
    /// The last answer that was read, whatever is wrong with it. An error only where no attempt gave
    /// an answer, or where a validator [raised](Verdict::raise) one.
    Last,
}

/// Everything beside the request itself: what is sent, what is checked, how often.
pub(crate) struct Pipeline {
    pub(crate) validators: Vec<Validator>,
    pub(crate) prompt: Arc<str>,
    pub(crate) settings: Arc<Json>,
    pub(crate) input: Arc<Json>,
    pub(crate) meta: Arc<Json>,
    pub(crate) response_id: Arc<str>,
    pub(crate) max_retries: u32,
    pub(crate) on_exhausted: OnExhausted,
    /// Tool calls and no value are an answer.
    pub(crate) calls_are_answers: bool,
    retry_count: u32,
    correction: Option<String>,
    /// The last answer that was read, where it may be taken after all.
    kept: Option<(Reading, Answer)>,
}

/// An answer that is being judged.
pub(crate) struct Judging {
    pub(crate) answer: Answer,
    is_read: bool,
    run: Run,
}

impl Judging {
    pub(crate) fn new(answer: Answer) -> Self {
        Self { answer, is_read: false, run: Run::default() }
    }
}

/// What is wrong with an attempt, and what follows from it.
pub(crate) struct Complaint {
    pub(crate) rejection: Arc<Rejection>,
    pub(crate) raised: Option<Arc<BoxError>>,
    pub(crate) stops: bool,
}

impl Pipeline {
    pub(crate) fn new(max_retries: u32, response_id: Arc<str>) -> Self {
        Self {
            validators: Vec::new(),
            prompt: Arc::default(),
            settings: Arc::default(),
            input: Arc::default(),
            meta: Arc::default(),
            response_id,
            max_retries,
            on_exhausted: OnExhausted::Fail,
            calls_are_answers: false,
            retry_count: 0,
            correction: None,
            kept: None,
        }
    }

    /// The attempt that is to be made.
    pub(crate) fn attempt(&self) -> Attempt {
        Attempt {
            index: self.attempt_index(),
            retry_count: self.retry_count,
            max_retries: self.max_retries,
            prompt: String::from(&*self.prompt),
            settings: (*self.settings).clone(),
            correction: self.correction.clone(),
            response_id: Arc::clone(&self.response_id),
        }
    }

    pub(crate) const fn attempt_index(&self) -> u32 {
        self.retry_count.saturating_add(1)
    }

    /// The number of the next attempt, if the budget has one.
    pub(crate) fn retry(&mut self) -> Option<u32> {
        if self.retry_count >= self.max_retries {
            return None;
        }
        self.retry_count += 1;
        Some(self.attempt_index())
    }

    /// Keeps an answer that was not taken, where it may be after all.
    pub(crate) fn keep(&mut self, reading: Reading, answer: Answer) {
        if self.on_exhausted == OnExhausted::Last {
            self.kept = Some((reading, answer));
        }
    }

    pub(crate) fn take_kept(&mut self) -> Option<(Reading, Answer)> {
        self.kept.take()
    }

    /// The attempt broke before there was an answer.
    pub(crate) fn broken(&mut self, cause: Cause, reason: String) -> Complaint {
        if cause != Cause::Source {
            self.correction = Some(correction([&*reason]));
        }
        let rejection = Rejection::new(self.attempt_index(), cause, reason);
        Complaint { rejection: Arc::new(rejection), raised: None, stops: false }
    }

    /// What is wrong with the answer: what the engine finds, else what the first validator says that
    /// does not let it pass. None if it passes.
    pub(crate) fn poll_judge(
        &mut self,
        judging: &mut Judging,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Complaint>> {
        if !judging.is_read {
            judging.is_read = true;
            if let Some(complaint) = self.read(&judging.answer) {
                return Poll::Ready(Some(complaint));
            }
        }
        loop {
            let check = || self.check(&judging.answer);
            let verdict = ready!(judging.run.poll_next(&self.validators, check, cx));
            let Some(Verdict { fault, changes }) = verdict else { return Poll::Ready(None) };
            self.change(changes);
            if let Some(fault) = fault {
                return Poll::Ready(Some(self.faulted(fault)));
            }
        }
    }

    /// What the engine found. A model that calls tools waits for what they give: to ask it again would
    /// be in vain.
    fn read(&mut self, answer: &Answer) -> Option<Complaint> {
        let failures = answer.failures();
        let first = failures.first()?;
        let waits = first.kind == FailureKind::NoValue && !answer.calls().is_empty();
        if waits && self.calls_are_answers {
            return None;
        }
        let cause = cause(first);
        let reasons: Vec<String> = failures.iter().map(ToString::to_string).collect();
        self.correction = Some(correction(reasons.iter().map(String::as_str)));
        let rejection = Rejection::new(self.attempt_index(), cause, reasons.join("; "));
        Some(Complaint { rejection: Arc::new(rejection), raised: None, stops: waits })
    }

    fn check(&self, answer: &Answer) -> Check {
        Check {
            answer: answer.clone(),
            attempt_index: self.attempt_index(),
            retry_count: self.retry_count,
            max_retries: self.max_retries,
            prompt: Arc::clone(&self.prompt),
            settings: Arc::clone(&self.settings),
            input: Arc::clone(&self.input),
            meta: Arc::clone(&self.meta),
            response_id: Arc::clone(&self.response_id),
        }
    }

    fn change(&mut self, changes: Changes) {
        if let Some(prompt) = changes.prompt {
            self.prompt = prompt.into();
        }
        if let Some(change) = changes.settings {
            merge(Arc::make_mut(&mut self.settings), change);
        }
    }

    /// Errors of validators are not the model's: their text is not sent to it.
    fn faulted(&mut self, fault: Fault) -> Complaint {
        let Fault { cause, reason, validator, payload, raised, stops } = fault;
        if cause == Cause::ValidationFailed {
            self.correction = Some(correction([&*reason]));
        }
        let rejection = Rejection::new(self.attempt_index(), cause, reason);
        let rejection = rejection.with_validator(validator).with_payload(payload);
        Complaint { rejection: Arc::new(rejection), raised, stops }
    }
}

fn cause(failure: &Failure) -> Cause {
    match failure.kind {
        FailureKind::NoValue => Cause::Parse,
        FailureKind::WrongType { .. } | FailureKind::Undeclared => Cause::Shape,
        _ => Cause::Ensure,
    }
}

/// So many reasons are listed for the model.
const MOST_REASONS: usize = 20;

/// What was wrong with an answer, for the model to read.
fn correction<'r>(reasons: impl IntoIterator<Item = &'r str>) -> String {
    let mut reasons = reasons.into_iter();
    let mut text = String::from("Your previous answer was not accepted:\n");
    for reason in reasons.by_ref().take(MOST_REASONS) {
        text.push_str("- ");
        text.push_str(reason);
        text.push('\n');
    }
    match reasons.count() {
        0 => {}
        // Writing to a string cannot fail.
        more => drop(writeln!(text, "- and {more} more")),
    }
    text.push_str("Give the whole answer again, in the same form, with this put right.");
    text
}

/// RFC 7396.
fn merge(value: &mut Json, change: Json) {
    let Json::Object(change) = change else {
        *value = change;
        return;
    };
    if !value.is_object() {
        *value = Json::Object(serde_json::Map::new());
    }
    let Json::Object(members) = value else { return };
    for (name, change) in change {
        if change.is_null() {
            members.remove(&name);
        } else {
            merge(members.entry(name).or_insert(Json::Null), change);
        }
    }
}
