//! Where a stream comes from: anything that can make one for an attempt.

use core::future::{Future, Ready, ready};
use std::borrow::Cow;
use std::sync::Arc;

use futures_core::Stream;
use serde_json::Value as Json;

/// What a request is to send: which attempt it is, and what goes with it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attempt {
    /// Its number, from 1.
    pub index: u32,
    /// How many attempts failed before it.
    pub retry_count: u32,
    /// How many more than one there may be.
    pub max_retries: u32,
    /// The prompt, as it was given or as a validator changed it; empty if none was given.
    pub prompt: String,
    /// The settings, as they were given or as a validator changed them; null if none were given.
    pub settings: Json,
    /// What was wrong with the answer before, in words for the model; none at the first attempt, and
    /// where nothing but the source failed.
    pub correction: Option<String>,
    /// The response it belongs to.
    pub response_id: Arc<str>,
}

impl Attempt {
    /// The only attempt of a request that is asked once.
    pub(crate) fn only() -> Self {
        Self {
            index: 1,
            retry_count: 0,
            max_retries: 0,
            prompt: String::new(),
            settings: Json::Null,
            correction: None,
            response_id: Arc::default(),
        }
    }

    /// The prompt, and below it the correction if there is one.
    #[must_use]
    pub fn full_prompt(&self) -> Cow<'_, str> {
        match &self.correction {
            None => Cow::Borrowed(&self.prompt),
            Some(correction) if self.prompt.is_empty() => Cow::Borrowed(correction),
            Some(correction) => Cow::Owned(format!("{}\n\n{correction}", self.prompt)),
        }
    }
}

/// Makes a stream for an attempt, in the shape of `tower::Service`: the future owns what it needs.
///
/// Closures `FnMut(Attempt) -> impl Future<Output = Result<impl Stream, E>>` are requests.
pub trait Request {
    /// What can go wrong, with the request and with its stream.
    type Error;
    /// What the stream gives.
    type Item;
    /// The stream.
    type Stream: Stream<Item = Result<Self::Item, Self::Error>>;
    /// Gives the stream.
    type Future: Future<Output = Result<Self::Stream, Self::Error>>;

    /// Asks. Nothing is sent until the future is polled.
    fn attempt(&mut self, attempt: Attempt) -> Self::Future;

    /// What an error says, for the event that tells that the attempt failed. If not said, only that the
    /// stream failed. It is not sent to the model, but shown to whoever sees the events: put no keys into it.
    fn reason(&self, error: &Self::Error) -> Option<String> {
        let _ = error;
        None
    }

    /// Whether it may help to ask again: in vain it is not done. If not said, it may. Who wants to wait before the next attempt keeps here how long, and does
    /// so in its future.
    fn may_recover(&mut self, error: &Self::Error) -> bool {
        let _ = error;
        true
    }
}

impl<F, Fut, S, I, E> Request for F
where
    F: FnMut(Attempt) -> Fut,
    Fut: Future<Output = Result<S, E>>,
    S: Stream<Item = Result<I, E>>,
{
    type Error = E;
    type Item = I;
    type Stream = S;
    type Future = Fut;

    fn attempt(&mut self, attempt: Attempt) -> Fut {
        self(attempt)
    }
}

/// A stream that is there already: one attempt, no other.
#[derive(Debug)]
pub struct Once<S>(Option<S>);

impl<S> Once<S> {
    /// The request whose stream was taken out.
    pub(crate) const TAKEN: Self = Self(None);

    /// The request for this stream.
    pub const fn new(stream: S) -> Self {
        Self(Some(stream))
    }
}

impl<S, I, E> Request for Once<S>
where
    S: Stream<Item = Result<I, E>>,
{
    type Error = E;
    type Item = I;
    type Stream = S;
    type Future = Ready<Result<S, E>>;

    /// # Panics
    /// At the second attempt. A [`Response`](crate::Response) of a stream makes none.
    fn attempt(&mut self, _: Attempt) -> Self::Future {
        let Some(stream) = self.0.take() else { panic!("the one stream was taken before") };
        ready(Ok(stream))
    }
}
