//! The checks of an answer, and the contents of the next request. All checks share one number of retries.

use core::fmt::Write as _;
use core::task::{Context, Poll, ready};
use std::sync::Arc;

use patchwire::check::{Failure, FailureKind};
use serde_json::Value as Json;

use crate::answer::Answer;
use crate::check::Check;
use crate::error::BoxError;
use crate::parser_set::ParserSet;
use crate::rejection::{Cause, Rejection};
use crate::request::Attempt;
use crate::validator::{Run, Validator};
use crate::verdict::{Changes, Fault, Verdict};

/// The result of a response whose last attempt failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum OnExhausted {
    /// An error: [`Error::Rejected`](crate::Error::Rejected) with the last answer, or the error of the last
    /// attempt.
    #[default]
    Fail,
    /// The last answer, although a check failed. An error only if no attempt had an answer, or if a
    /// validator [raised](Verdict::raise) one.
    Last,
}

/// The contents of requests, the checks of answers, and the number of retries.
pub(crate) struct Pipeline {
    pub(crate) validators: Vec<Validator>,
    pub(crate) prompt: Arc<str>,
    pub(crate) settings: Arc<Json>,
    pub(crate) input: Arc<Json>,
    pub(crate) meta: Arc<Json>,
    pub(crate) response_id: Arc<str>,
    pub(crate) max_retries: u32,
    pub(crate) on_exhausted: OnExhausted,
    /// Whether tool calls without a value are an answer.
    pub(crate) calls_are_answers: bool,
    retry_count: u32,
    correction: Option<String>,
    /// The last answer and its parsers, if it may be returned at the end.
    kept: Option<(ParserSet, Answer)>,
}

/// An answer that is being checked.
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

/// Why an attempt failed, and whether another may follow.
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

    /// The next attempt.
    pub(crate) fn attempt(&self) -> Attempt {
        Attempt {
            number: self.attempt_number(),
            retry_count: self.retry_count,
            max_retries: self.max_retries,
            prompt: String::from(&*self.prompt),
            settings: (*self.settings).clone(),
            correction: self.correction.clone(),
            response_id: Arc::clone(&self.response_id),
        }
    }

    pub(crate) const fn attempt_number(&self) -> u32 {
        self.retry_count.saturating_add(1)
    }

    /// Counts a retry. Returns the number of the next attempt; none if no retries are left.
    pub(crate) fn retry(&mut self) -> Option<u32> {
        if self.retry_count >= self.max_retries {
            return None;
        }
        self.retry_count += 1;
        Some(self.attempt_number())
    }

    /// Keeps an answer that was not accepted, if it may be returned at the end.
    pub(crate) fn keep(&mut self, parsers: ParserSet, answer: Answer) {
        if self.on_exhausted == OnExhausted::Last {
            self.kept = Some((parsers, answer));
        }
    }

    pub(crate) fn take_kept(&mut self) -> Option<(ParserSet, Answer)> {
        self.kept.take()
    }

    /// The attempt failed before there was an answer.
    pub(crate) fn broken(&mut self, cause: Cause, reason: String) -> Complaint {
        if cause != Cause::Source {
            self.correction = Some(correction([&*reason]));
        }
        let rejection = Rejection::new(self.attempt_number(), cause, reason);
        Complaint { rejection: Arc::new(rejection), raised: None, stops: false }
    }

    /// Runs the checks: first those of the engine, then the validators. None if the answer passes.
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

    /// The failures that the engine found. A request whose answer has only tool calls is not repeated,
    /// because the model waits for results.
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
        let rejection = Rejection::new(self.attempt_number(), cause, reasons.join("; "));
        Some(Complaint { rejection: Arc::new(rejection), raised: None, stops: waits })
    }

    fn check(&self, answer: &Answer) -> Check {
        Check {
            answer: answer.clone(),
            attempt: self.attempt_number(),
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

    /// The text of a validator's own error is not sent to the model.
    fn faulted(&mut self, fault: Fault) -> Complaint {
        let Fault { cause, reason, validator, payload, raised, stops } = fault;
        if cause == Cause::ValidationFailed {
            self.correction = Some(correction([&*reason]));
        }
        let rejection = Rejection::new(self.attempt_number(), cause, reason);
        let rejection = rejection.with_validator(validator).with_payload(payload);
        Complaint { rejection: Arc::new(rejection), raised, stops }
    }
}

fn cause(failure: &Failure) -> Cause {
    match failure.kind {
        FailureKind::NoValue => Cause::Parse,
        FailureKind::WrongType { .. }
        | FailureKind::Undeclared
        | FailureKind::Invalid { .. }
        | FailureKind::Unchecked => Cause::Shape,
        _ => Cause::Ensure,
    }
}

/// The largest number of reasons in the correction for the model.
const MOST_REASONS: usize = 20;

/// The text that tells a model why its answer was not accepted, for loops that ask again without [`ask`](crate::ask()). It
/// lists at most 20 reasons.
///
/// ```
/// let text = patchwire_async::correction(["items[1].sku is blank"]);
/// assert_eq!(
///     text,
///     "Your previous answer was not accepted:\n- items[1].sku is blank\n\
///      Give the whole answer again, in the same form, with this put right."
/// );
/// ```
pub fn correction<'r>(reasons: impl IntoIterator<Item = &'r str>) -> String {
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

/// Applies a merge patch (RFC 7396).
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
