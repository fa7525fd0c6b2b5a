//! The items of streams: chunks, alone or in a `Result`.

use core::convert::Infallible;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::{FusedStream, Stream};

use crate::error::SourceError;
use crate::input::IntoBytes;

/// An item of a stream of a model's output: a `Result` with a chunk of any type, or a chunk of [text](IntoBytes).
///
/// A stream of other items becomes a stream of results with
/// [`infallible`](crate::TokenStreamExt::infallible).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no item of a model's output",
    label = "the items of this stream are `{Self}`",
    note = "a response reads streams of text, and streams of `Result`s with items of any type",
    note = "if the items are no `Result`s: `stream.infallible().fields_with(…)`",
    note = "the error of a `Result` has to implement `std::error::Error` and be `Send + Sync + 'static`; `anyhow::Error`, \
            `String` and `Box<dyn Error + Send + Sync>` are errors too. Convert others in the stream, as in \
            `stream.map_err(|error| error.to_string())`"
)]
pub trait StreamItem: ItemOrError<<Self as StreamItem>::Error> {
    /// The error of the stream. [`Infallible`] for text without a `Result`.
    type Error: SourceError;
}

/// An item of a stream whose error is `E`: a `Result` with that error, or a chunk of [text](IntoBytes).
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no item of a model's output with the error `{E}`",
    label = "the items of this stream are `{Self}`",
    note = "the request and the items of its stream need one type of error"
)]
pub trait ItemOrError<E> {
    /// The chunk.
    type Chunk;

    /// The chunk, or the error that ends the stream.
    ///
    /// # Errors
    /// The item is an error.
    fn into_chunk(self) -> Result<Self::Chunk, E>;
}

impl<C, E: SourceError> StreamItem for Result<C, E> {
    type Error = E;
}

impl<C, E> ItemOrError<E> for Result<C, E> {
    type Chunk = C;

    fn into_chunk(self) -> Self {
        self
    }
}

impl<C: IntoBytes> StreamItem for C {
    type Error = Infallible;
}

impl<C: IntoBytes, E> ItemOrError<E> for C {
    type Chunk = C;

    fn into_chunk(self) -> Result<C, E> {
        Ok(self)
    }
}

/// The error of a stream.
pub(crate) type ErrorOf<S> = <<S as Stream>::Item as StreamItem>::Error;
/// The chunks of a stream.
pub(crate) type ChunkOf<S> = <<S as Stream>::Item as ItemOrError<ErrorOf<S>>>::Chunk;

/// A stream whose items are `Ok`. Made by [`TokenStreamExt::infallible`](crate::TokenStreamExt::infallible).
#[derive(Debug)]
pub struct InfallibleStream<S>(Pin<Box<S>>);

impl<S> InfallibleStream<S> {
    pub(crate) fn new(stream: S) -> Self {
        Self(Box::pin(stream))
    }

    /// The inner stream.
    #[must_use]
    pub fn get_ref(&self) -> &S {
        &self.0
    }
}

impl<S: Stream> Stream for InfallibleStream<S> {
    type Item = Result<S::Item, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.0.as_mut().poll_next(cx).map(|item| item.map(Ok))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }
}

impl<S: FusedStream> FusedStream for InfallibleStream<S> {
    fn is_terminated(&self) -> bool {
        self.0.is_terminated()
    }
}
