//! Responses without the error type of their source.

use core::fmt;
use core::future::Future;
use core::mem;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_core::Stream;
use futures_core::stream::BoxStream;

use crate::error::{AnyError, BoxError, Error};
use crate::event::ResponseEvent;
use crate::input::Split;
use crate::request::{Attempt, Request};
use crate::response::{End, Response};
use crate::stage::Stage;

/// The events of a response as a boxed stream. Made by [`Response::boxed`].
pub type BoxFields<'a> = BoxStream<'a, Result<ResponseEvent, Error>>;

impl<R: Request, X: Split<R::Item>> Response<R, X>
where
    R::Error: Into<AnyError>,
{
    /// Wraps the source's error in a type that implements [`Error`](std::error::Error), so that `?` works.
    /// `anyhow::Error`, `Box<dyn Error>` and `String` do not implement it.
    pub fn erase_error(self) -> Response<Erased<R>, X> {
        let End { result, error_returned, none_returned, begun } = self.end;
        let shared = Shared::new(self.request);
        if let Stage::Broken(Error::Source(error)) = &self.stage {
            shared.judge(error);
        }
        Response {
            stage: match self.stage {
                Stage::Asking(future) => {
                    let shared = shared.clone();
                    Stage::Asking(Box::pin(ErasedFuture { future, shared }))
                }
                Stage::Streaming => Stage::Streaming,
                Stage::Broken(error) => Stage::Broken(erased(error)),
                Stage::Judging(judging) => Stage::Judging(judging),
                Stage::Again => Stage::Again,
                Stage::Ended => Stage::Ended,
            },
            stream: self.stream.map(|stream| {
                let shared = shared.clone();
                Box::pin(ErasedStream { stream, shared })
            }),
            request: Erased(shared),
            split: self.split,
            spec: self.spec,
            pipeline: self.pipeline,
            warnings: self.warnings,
            past_facts: self.past_facts,
            inputs: self.inputs,
            parsers: self.parsers,
            end: End {
                result: result.map(|result| result.map_err(erased)),
                error_returned,
                none_returned,
                begun,
            },
        }
    }

    /// The events as a boxed stream.
    pub fn boxed<'a>(self) -> BoxFields<'a>
    where
        R: Send + 'a,
        R::Stream: Send + 'a,
        R::Future: Send + 'a,
        X: Send + 'a,
    {
        Box::pin(self.erase_error())
    }
}

fn erased<E: Into<AnyError>>(error: Error<E>) -> Error {
    match error {
        Error::Source(error) => Error::Source(Arc::new(match Arc::try_unwrap(error) {
            Ok(error) => BoxError::new(error),
            // The error was returned before, and the caller still has it.
            Err(_) => BoxError::new("the stream had failed before its error was erased"),
        })),
        Error::Parse(error) => Error::Parse(error),
        Error::Data(error) => Error::Data(error),
        Error::Path(error) => Error::Path(error),
        Error::Settings(error) => Error::Settings(error),
        Error::Rejected { attempts, answer, rejection, raised } => {
            Error::Rejected { attempts, answer, rejection, raised }
        }
    }
}

/// A request, shared with its streams. It is asked about an error before the error loses its type.
struct Shared<R>(Arc<Mutex<Judging<R>>>);

struct Judging<R> {
    request: R,
    /// The request's view of the last error.
    judged: Judged,
}

/// A request's view of an error.
struct Judged {
    reason: Option<String>,
    may_recover: bool,
}

/// The view of a request that implements no method.
impl Default for Judged {
    fn default() -> Self {
        Self { reason: None, may_recover: true }
    }
}

impl<R: Request> Shared<R> {
    fn new(request: R) -> Self {
        Self(Arc::new(Mutex::new(Judging { request, judged: Judged::default() })))
    }

    /// A request that panicked is still used.
    fn lock(&self) -> MutexGuard<'_, Judging<R>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn judge(&self, error: &R::Error) {
        let mut shared = self.lock();
        let reason = shared.request.reason(error);
        let may_recover = shared.request.may_recover(error);
        shared.judged = Judged { reason, may_recover };
    }
}

impl<R: Request> Shared<R>
where
    R::Error: Into<AnyError>,
{
    fn erase(&self, error: R::Error) -> BoxError {
        self.judge(&error);
        BoxError::new(error)
    }
}

impl<R> Clone for Shared<R> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

/// A request whose error is a [`BoxError`]. It gives the same reasons and retries the same errors as the
/// request inside.
pub struct Erased<R>(Shared<R>);

/// The stream of an [`Erased`] request.
pub struct ErasedStream<R: Request> {
    stream: Pin<Box<R::Stream>>,
    shared: Shared<R>,
}

impl<R: Request> ErasedStream<R> {
    /// The inner stream.
    #[must_use]
    pub fn get_ref(&self) -> &R::Stream {
        &self.stream
    }
}

/// The future of an [`Erased`] request.
pub struct ErasedFuture<R: Request> {
    future: Pin<Box<R::Future>>,
    shared: Shared<R>,
}

impl<R> fmt::Debug for Erased<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Erased(…)")
    }
}

impl<R: Request> fmt::Debug for ErasedStream<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ErasedStream(…)")
    }
}

impl<R: Request> fmt::Debug for ErasedFuture<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ErasedFuture(…)")
    }
}

impl<R: Request> Request for Erased<R>
where
    R::Error: Into<AnyError>,
{
    type Error = BoxError;
    type Item = R::Item;
    type Stream = ErasedStream<R>;
    type Future = ErasedFuture<R>;

    fn attempt(&mut self, attempt: Attempt) -> Self::Future {
        let future = Box::pin(self.0.lock().request.attempt(attempt));
        ErasedFuture { future, shared: self.0.clone() }
    }

    fn reason(&self, _: &BoxError) -> Option<String> {
        self.0.lock().judged.reason.clone()
    }

    fn may_recover(&mut self, _: &BoxError) -> bool {
        mem::take(&mut self.0.lock().judged).may_recover
    }
}

impl<R: Request> Stream for ErasedStream<R>
where
    R::Error: Into<AnyError>,
{
    type Item = Result<R::Item, BoxError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let next = self.stream.as_mut().poll_next(cx);
        next.map(|item| item.map(|item| item.map_err(|error| self.shared.erase(error))))
    }
}

impl<R: Request> Future for ErasedFuture<R>
where
    R::Error: Into<AnyError>,
{
    type Output = Result<ErasedStream<R>, BoxError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let stream = ready!(self.future.as_mut().poll(cx));
        Poll::Ready(match stream {
            Ok(stream) => {
                Ok(ErasedStream { stream: Box::pin(stream), shared: self.shared.clone() })
            }
            Err(error) => Err(self.shared.erase(error)),
        })
    }
}
