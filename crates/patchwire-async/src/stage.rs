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
    Broken(Error<R::Error>),
    /// The stream ended, and the answer is being checked.
    Judging(Box<Judging>),
    /// The next request has to be made.
    Again,
    /// The outcome is decided.
    Ended,
}
