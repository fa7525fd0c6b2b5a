//! The stages of an attempt.

use core::pin::Pin;

use crate::error::Error;
use crate::pipeline::Judging;
use crate::request::Request;

/// The stage of an attempt.
pub(crate) enum Stage<R: Request> {
    /// The request runs.
    Asking(Pin<Box<R::Future>>),
    /// The stream of the request is being read.
    Streaming,
    /// The request or the stream failed. Events that were read before the error are taken first.
    Broken {
        error: Error<R::Error>,
        /// What the request says about an error of its source.
        judged: Option<Judged>,
    },
    /// The stream ended, and the answer is being checked.
    Judging(Box<Judging>),
    /// The next request has to be made.
    Again,
    /// The outcome is decided.
    Ended,
}

/// A request's view of an error.
pub(crate) struct Judged {
    pub(crate) reason: Option<String>,
    pub(crate) may_recover: bool,
}

impl Judged {
    pub(crate) fn by<R: Request>(request: &mut R, error: &R::Error) -> Self {
        Self { reason: request.reason(error), may_recover: request.may_recover(error) }
    }
}

/// The view of a request that implements no method.
impl Default for Judged {
    fn default() -> Self {
        Self { reason: None, may_recover: true }
    }
}
