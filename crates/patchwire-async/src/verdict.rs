//! The result of a validator.

use core::fmt;
use std::sync::Arc;

use bytestring::ByteString;
use patchwire::{Spec, Value};
use serde_json::Value as Json;

use crate::error::BoxError;
use crate::rejection::Cause;

/// The result of a validator: whether the answer passes, and changes for later attempts.
///
/// A validator may also return a value that converts to a verdict:
///
/// | returned | meaning |
/// |---|---|
/// | `true`, `Ok(())`, `Ok(true)` | passes |
/// | `false`, `Ok(false)` | does not pass: the model is asked again |
/// | `Err(why)` of any `Result` | does not pass: the model is asked again, and is shown the error |
/// | a verdict, `Ok(verdict)` | what it says |
/// | a [`serde_json::Value`] | see [`Verdict::from`](#impl-From<Value>-for-Verdict) |
///
/// An error is anything that prints: a text, an error type of yours, `Box<dyn Error>` or `anyhow::Error`, which prints
/// with its causes. To end the response with an error that the model must not see, return
/// [`Verdict::raise`](Self::raise).
#[derive(Debug, Clone)]
#[must_use]
pub struct Verdict {
    /// Why the answer does not pass; none if it does.
    pub(crate) fault: Option<Fault>,
    pub(crate) changes: Changes,
}

/// Why an answer does not pass.
#[derive(Debug, Clone)]
pub(crate) struct Fault {
    pub(crate) cause: Cause,
    pub(crate) reason: ByteString,
    pub(crate) validator: Option<ByteString>,
    pub(crate) payload: Option<Value>,
    pub(crate) raised: Option<Arc<BoxError>>,
    /// Whether no other attempt follows.
    pub(crate) stops: bool,
}

/// The changes for later attempts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Changes {
    pub(crate) prompt: Option<String>,
    pub(crate) settings: Option<Json>,
}

impl Fault {
    fn new(cause: Cause, reason: impl Into<ByteString>) -> Self {
        let reason = reason.into();
        Self { cause, reason, validator: None, payload: None, raised: None, stops: false }
    }
}

impl Verdict {
    /// The answer passes this validator.
    pub fn pass() -> Self {
        Self { fault: None, changes: Changes::default() }
    }

    /// The answer does not pass. The next request contains the reason.
    pub fn retry(reason: impl Into<String>) -> Self {
        Self::of(Fault::new(Cause::ValidationFailed, reason.into()))
    }

    /// The answer does not pass, and the request is not repeated.
    pub fn stop(reason: impl Into<String>) -> Self {
        Self::retry(reason).no_retry()
    }

    /// The answer does not pass. If no other attempt follows, the response ends with this error. The error is
    /// not sent to the model.
    pub fn raise(error: impl Into<BoxError>) -> Self {
        let error: BoxError = error.into();
        let fault = Fault::new(Cause::ValidationError, error.to_string());
        Self::of(Fault { raised: Some(Arc::new(error)), ..fault })
    }

    /// The error of a validator. The alternate form of `anyhow` has the causes.
    fn refused(error: impl fmt::Display) -> Self {
        Self::retry(format!("{error:#}"))
    }

    /// The validator itself failed, with this message.
    pub(crate) fn error(what: impl Into<ByteString>) -> Self {
        Self::of(Fault::new(Cause::ValidationError, what))
    }

    fn of(fault: Fault) -> Self {
        Self { fault: Some(fault), changes: Changes::default() }
    }

    /// Adds details for programs, to the events and the error. No effect if the answer passes.
    pub fn payload(self, payload: impl Into<Json>) -> Self {
        let payload = value_of(&payload.into());
        self.with_fault(|fault| fault.payload = payload)
    }

    /// Adds the validator's name to the events and the error. No effect if the answer passes.
    pub fn validator(self, name: impl Into<String>) -> Self {
        self.with_fault(|fault| fault.validator = Some(name.into().into()))
    }

    /// The request is not repeated. No effect if the answer passes.
    pub fn no_retry(self) -> Self {
        self.with_fault(|fault| fault.stops = true)
    }

    /// Sets the prompt of later attempts of this response. Other responses keep theirs.
    pub fn with_prompt(mut self, prompt: impl Into<String>) -> Self {
        self.changes.prompt = Some(prompt.into());
        self
    }

    /// Changes the settings of later attempts of this response by an RFC 7396 merge patch: members replace
    /// the existing ones, and null removes one. Other responses keep theirs.
    pub fn with_settings(mut self, change: impl Into<Json>) -> Self {
        self.changes.settings = Some(change.into());
        self
    }

    fn with_fault(mut self, change: impl FnOnce(&mut Fault)) -> Self {
        self.fault.as_mut().map(change);
        self
    }
}

/// `true` passes, `false` does not.
impl From<bool> for Verdict {
    fn from(passes: bool) -> Self {
        if passes { Self::pass() } else { Self::retry("not accepted") }
    }
}

/// The error is the reason why the answer does not pass, for the model.
impl<E: fmt::Display> From<Result<(), E>> for Verdict {
    fn from(result: Result<(), E>) -> Self {
        result.map_or_else(Self::refused, |()| Self::pass())
    }
}

/// The error is the reason why the answer does not pass, for the model.
impl<E: fmt::Display> From<Result<bool, E>> for Verdict {
    fn from(result: Result<bool, E>) -> Self {
        result.map_or_else(Self::refused, Self::from)
    }
}

/// The error is the reason why the answer does not pass, for the model.
impl<E: fmt::Display> From<Result<Self, E>> for Verdict {
    fn from(result: Result<Self, E>) -> Self {
        result.unwrap_or_else(Self::refused)
    }
}

/// For validators in other languages: `true`, `false`, or an object with `ok`, `reason`, `payload`,
/// `validator_name`, `no_retry` or `stop`, and `error`, `exception` or `raise`. Anything else is no
/// verdict and counts as an error of the validator.
impl From<Json> for Verdict {
    fn from(json: Json) -> Self {
        match json {
            Json::Bool(passes) => Self::from(passes),
            Json::Object(members) => {
                Self::of_members(&members).unwrap_or_else(|| Self::no_verdict(&members.into()))
            }
            other => Self::no_verdict(&other),
        }
    }
}

impl Verdict {
    fn no_verdict(json: &Json) -> Self {
        Self::error("the validator returned no verdict").payload(json.clone())
    }

    /// None if a member is unknown or has the wrong type.
    fn of_members(members: &serde_json::Map<String, Json>) -> Option<Self> {
        let (mut ok, mut stops) = (None, false);
        let (mut reason, mut validator, mut payload, mut raised) = (None, None, None, None);
        for (name, value) in members {
            match (&**name, value) {
                ("ok", Json::Bool(value)) => ok = Some(*value),
                ("no_retry" | "stop", Json::Bool(value)) => stops |= value,
                ("reason", Json::String(value)) => reason = Some(value.clone()),
                ("validator_name", Json::String(value)) => validator = Some(value.clone()),
                ("error" | "exception" | "raise", Json::String(value)) => {
                    raised = Some(value.clone())
                }
                ("payload", value) => payload = Some(value.clone()),
                _ => return None,
            }
        }
        let mut verdict = match (ok, raised) {
            (Some(true), None) => return Some(Self::pass()),
            (Some(true), Some(_)) | (None, None) => return None,
            (_, Some(error)) => Self::raise(error),
            (Some(false), None) => reason.map_or_else(|| Self::from(false), Self::retry),
        };
        if let Some(name) = validator {
            verdict = verdict.validator(name);
        }
        if let Some(payload) = payload {
            verdict = verdict.payload(payload);
        }
        Some(if stops { verdict.no_retry() } else { verdict })
    }
}

/// Converts to a value of the engine; none if the nesting is too deep.
fn value_of(json: &Json) -> Option<Value> {
    let answer = Spec::strict_json().parse(json.to_string()).ok()?;
    Some(answer.value().to_value())
}
