//! Where a stream comes from: anything that can make one for an attempt.

use core::future::{Future, Ready, ready};

use futures_core::Stream;

/// Which attempt of a request it is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attempt {
    /// Its number, from 1.
    pub index: u32,
}

impl Attempt {
    pub(crate) const FIRST: Self = Self { index: 1 };
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
    /// At the second attempt. A [`Response`](crate::Response) makes none.
    fn attempt(&mut self, _: Attempt) -> Self::Future {
        let Some(stream) = self.0.take() else { panic!("the one stream was taken before") };
        ready(Ok(stream))
    }
}
