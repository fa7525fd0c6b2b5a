//! Requests: each makes the stream of an attempt.

use core::future::{Future, Ready, ready};
use std::borrow::Cow;
use std::sync::Arc;

use futures_core::Stream;
use serde_json::Value as Json;

use crate::error::SourceError;
use crate::item::{ChunkOf, ErrorOf, ItemOrError, StreamItem};

/// The number and the contents of one request.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attempt {
    /// The number of the attempt, from 1.
    pub number: u32,
    /// The number of attempts that failed before.
    pub retry_count: u32,
    /// The largest number of retries.
    pub max_retries: u32,
    /// The prompt of the caller, or the one that a validator set. Empty if there is none.
    pub prompt: String,
    /// The settings of the caller, with the changes of validators. Null if there are none.
    pub settings: Json,
    /// Why the answer before was not accepted, for the model. None for the first attempt, and if only the
    /// source failed.
    pub correction: Option<String>,
    /// The id of the response.
    pub response_id: Arc<str>,
}

impl Attempt {
    /// The only attempt of a request without retries.
    pub(crate) fn only() -> Self {
        Self {
            number: 1,
            retry_count: 0,
            max_retries: 0,
            prompt: String::new(),
            settings: Json::Null,
            correction: None,
            response_id: Arc::default(),
        }
    }

    /// The prompt, followed by the correction if there is one.
    #[must_use]
    pub fn full_prompt(&self) -> Cow<'_, str> {
        match &self.correction {
            None => Cow::Borrowed(&self.prompt),
            Some(correction) if self.prompt.is_empty() => Cow::Borrowed(correction),
            Some(correction) => Cow::Owned(format!("{}\n\n{correction}", self.prompt)),
        }
    }
}

/// Makes the stream of an attempt. Like a `tower::Service`, its future borrows nothing.
///
/// Closures `FnMut(Attempt) -> impl Future<Output = Result<impl Stream, E>>` are requests. The items of the stream are
/// text, or `Result`s with the error `E`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` makes no stream of a model's output",
    label = "not a request",
    note = "a request is a closure `|attempt| async move {{ … }}` that returns a `Result` with a stream of text, or of \
            `Result`s whose error is that of the request"
)]
pub trait Request {
    /// The error of the request and of its stream.
    type Error: SourceError;
    /// The chunk in an item of the stream.
    type Item;
    /// The stream.
    type Stream: Stream<Item: ItemOrError<Self::Error, Chunk = Self::Item>>;
    /// The future that returns the stream.
    type Future: Future<Output = Result<Self::Stream, Self::Error>>;

    /// Makes the request. Nothing is sent until the future is polled.
    fn attempt(&mut self, attempt: Attempt) -> Self::Future;

    /// The message of an error, for the event of the failed attempt. By default the event only says that the
    /// stream failed. The message is not sent to the model, but it is visible to all readers of events: it
    /// must contain no secrets.
    fn reason(&self, error: &Self::Error) -> Option<String> {
        let _ = error;
        None
    }

    /// Whether repeating the request after this error may help. It does by default. To wait before the next
    /// attempt, store the pause here, and wait in the next future.
    fn may_recover(&mut self, error: &Self::Error) -> bool {
        let _ = error;
        true
    }
}

impl<F, Fut, S, E> Request for F
where
    F: FnMut(Attempt) -> Fut,
    Fut: Future<Output = Result<S, E>>,
    S: Stream<Item: ItemOrError<E>>,
    E: SourceError,
{
    type Error = E;
    type Item = <S::Item as ItemOrError<E>>::Chunk;
    type Stream = S;
    type Future = Fut;

    fn attempt(&mut self, attempt: Attempt) -> Fut {
        self(attempt)
    }
}

/// A request with a stream that exists already. It has one attempt.
#[derive(Debug)]
pub struct Once<S>(Option<S>);

impl<S> Once<S> {
    /// The request without its stream.
    pub(crate) const TAKEN: Self = Self(None);

    /// A request that returns this stream.
    pub const fn new(stream: S) -> Self {
        Self(Some(stream))
    }
}

impl<S> Request for Once<S>
where
    S: Stream<Item: StreamItem>,
{
    type Error = ErrorOf<S>;
    type Item = ChunkOf<S>;
    type Stream = S;
    type Future = Ready<Result<S, ErrorOf<S>>>;

    /// # Panics
    /// Panics at the second attempt, which a [`Response`](crate::Response) of a stream never makes.
    fn attempt(&mut self, _: Attempt) -> Self::Future {
        let Some(stream) = self.0.take() else { panic!("the one stream was taken before") };
        ready(Ok(stream))
    }
}
