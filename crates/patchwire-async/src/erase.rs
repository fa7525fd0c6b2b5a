//! Responses whose source is not in their type.

use core::future::Future;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use std::sync::Arc;

use futures_core::Stream;
use futures_core::stream::BoxStream;
use patchwire::OwnedEvent;

use crate::drive::Stage;
use crate::error::{AnyError, BoxError, Error};
use crate::input::Split;
use crate::request::{Attempt, Request};
use crate::response::{End, Response};

/// The events of a response, to be kept where no type may be named. Made by [`Response::boxed`].
pub type BoxFields<'a> = BoxStream<'a, Result<OwnedEvent, Error>>;

impl<R: Request, X: Split<R::Item>> Response<R, X>
where
    R::Error: Into<AnyError>,
{
    /// Makes the source's error one that is an [`Error`](std::error::Error), so that `?` works on it:
    /// `anyhow::Error`, `Box<dyn Error>` and `String` are none.
    pub fn erase_error(self) -> Response<Erased<R>, X> {
        let End { result, error_told, none_told, begun } = self.end;
        Response {
            request: Erased(self.request),
            split: self.split,
            spec: self.spec,
            pipeline: self.pipeline,
            warnings: self.warnings,
            past_facts: self.past_facts,
            stage: match self.stage {
                Stage::Asking(future) => Stage::Asking(Box::pin(ErasedFuture(future))),
                Stage::Streaming => Stage::Streaming,
                Stage::Broken(error) => Stage::Broken(erased(error)),
                Stage::Judging(judging) => Stage::Judging(judging),
                Stage::Again => Stage::Again,
                Stage::Ended => Stage::Ended,
            },
            stream: self.stream.map(|stream| Box::pin(ErasedStream(stream))),
            inputs: self.inputs,
            reading: self.reading,
            end: End {
                result: result.map(|result| result.map_err(erased)),
                error_told,
                none_told,
                begun,
            },
        }
    }

    /// The events in a box.
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
            // It was given out before, and is held elsewhere.
            Err(_) => BoxError::new("the stream had failed before its error was erased"),
        })),
        Error::Parse(error) => Error::Parse(error),
        Error::Data(error) => Error::Data(error),
        Error::Path(error) => Error::Path(error),
        Error::Rejected { attempts, answer, rejection, raised } => {
            Error::Rejected { attempts, answer, rejection, raised }
        }
    }
}

/// A request whose error is a [`BoxError`].
#[derive(Debug)]
pub struct Erased<R>(R);

/// Its stream.
#[derive(Debug)]
pub struct ErasedStream<S>(Pin<Box<S>>);

impl<S> ErasedStream<S> {
    /// The stream inside.
    #[must_use]
    pub fn get_ref(&self) -> &S {
        &self.0
    }
}

/// Gives its stream.
#[derive(Debug)]
pub struct ErasedFuture<F>(Pin<Box<F>>);

impl<R: Request> Request for Erased<R>
where
    R::Error: Into<AnyError>,
{
    type Error = BoxError;
    type Item = R::Item;
    type Stream = ErasedStream<R::Stream>;
    type Future = ErasedFuture<R::Future>;

    fn attempt(&mut self, attempt: Attempt) -> Self::Future {
        ErasedFuture(Box::pin(self.0.attempt(attempt)))
    }
}

impl<S, I, E> Stream for ErasedStream<S>
where
    S: Stream<Item = Result<I, E>>,
    E: Into<AnyError>,
{
    type Item = Result<I, BoxError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(cx).map(|item| item.map(|item| item.map_err(BoxError::new)))
    }
}

impl<F, S, E> Future for ErasedFuture<F>
where
    F: Future<Output = Result<S, E>>,
    E: Into<AnyError>,
{
    type Output = Result<ErasedStream<S>, BoxError>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let stream = ready!(self.0.as_mut().poll(cx));
        Poll::Ready(match stream {
            Ok(stream) => Ok(ErasedStream(Box::pin(stream))),
            Err(error) => Err(BoxError::new(error)),
        })
    }
}
