//! The response: a source, the parsers that read it, and nothing that a caller could lose.

use core::fmt;
use core::future::poll_fn;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use std::sync::Arc;

use futures_core::{FusedStream, Stream};
use patchwire::{DocId, OwnedEvent, Spec, ValueRef};
use serde::de::DeserializeOwned;

use crate::answer::Answer;
use crate::coalesce::Coalesced;
use crate::elements::Elements;
use crate::error::{Error, Next};
use crate::field::Field;
use crate::input::{Inputs, IntoBytes, Split, TextOnly};
use crate::reading::Reading;
use crate::request::{Attempt, Once, Request};
use crate::shared::Shared;
use crate::tracking::Track;

/// A model's response while it comes: a stream of [`OwnedEvent`]s, and at the end one answer.
///
/// - [`next`](Self::next) gives the events; the last is [`OwnedEvent::Final`], or an error comes last.
///   The response is fused: after the end it gives nothing, and asks the source for nothing.
/// - [`field`](Self::field) and [`elements`](Self::elements) follow a part of the answer, and give the
///   response back when that part is complete.
/// - [`data`](Self::data) and [`answer`](Self::answer) read to the end, once.
/// - [`value`](Self::value) looks at what has come so far.
/// - [`share`](Self::share) is for several readers, [`coalesce`](Self::coalesce) for a slow one.
///
/// The source is polled only when no event waits to be taken. Dropping the response drops the source,
/// which is how a request is cancelled. The futures of a response hold no state: dropped at any
/// `.await`, as in `select!`, nothing is lost.
pub struct Response<R: Request, X = TextOnly> {
    pub(crate) request: R,
    pub(crate) split: X,
    pub(crate) stage: Stage<R>,
    pub(crate) stream: Option<Pin<Box<R::Stream>>>,
    pub(crate) inputs: Inputs,
    pub(crate) reading: Reading,
    pub(crate) end: End<R::Error>,
}

/// How far the source has come.
pub(crate) enum Stage<R: Request> {
    Asking(Pin<Box<R::Future>>),
    Streaming,
    Ended,
}

/// What the end gave, and what of it was told.
pub(crate) struct End<E> {
    pub(crate) result: Option<Result<Answer, Error<E>>>,
    /// The error was told, if there was one, and then that there is no more.
    pub(crate) error_told: bool,
    pub(crate) none_told: bool,
    /// An event was taken.
    pub(crate) begun: bool,
}

impl<E> End<E> {
    const OPEN: Self = Self { result: None, error_told: false, none_told: false, begun: false };
}

/// Sources are kept pinned on the heap.
impl<R: Request, X> Unpin for Response<R, X> {}

impl<R: Request> Response<R> {
    /// Asks once, and reads items that are text. Nothing is sent before the response is polled.
    ///
    /// ```
    /// use patchwire::Spec;
    /// use patchwire_async::{Attempt, Response};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), patchwire_async::Error<std::io::Error>> {
    /// let ask = |_: Attempt| async { Ok::<_, std::io::Error>(tokio_stream::iter([Ok("[1]")])) };
    /// assert_eq!(Response::of(ask, Spec::json()).data::<Vec<u8>>().await?, [1]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn of(request: R, spec: impl Into<Spec>) -> Self
    where
        R::Item: IntoBytes,
    {
        Self::of_split(request, spec, TextOnly)
    }
}

impl<S, I, E, X> Response<Once<S>, X>
where
    S: Stream<Item = Result<I, E>>,
{
    pub(crate) fn of_stream(stream: S, spec: Spec, split: X) -> Self {
        Self {
            request: Once::TAKEN,
            split,
            stage: Stage::Streaming,
            stream: Some(Box::pin(stream)),
            inputs: Inputs::default(),
            reading: Reading::new(&spec, Attempt::FIRST.index),
            end: End::OPEN,
        }
    }
}

impl<R: Request, X> Response<R, X> {
    /// Asks once, and reads items of any kind: `split` says what is in one.
    pub fn of_split(mut request: R, spec: impl Into<Spec>, split: X) -> Self
    where
        X: Split<R::Item>,
    {
        let attempt = Attempt::FIRST;
        let reading = Reading::new(&spec.into(), attempt.index);
        Self {
            stage: Stage::Asking(Box::pin(request.attempt(attempt))),
            request,
            split,
            stream: None,
            inputs: Inputs::default(),
            reading,
            end: End::OPEN,
        }
    }

    /// How to read the arguments of tool calls that begin from now on. If not said: lenient JSON.
    #[must_use]
    pub fn with_call_spec(mut self, spec: impl Into<Spec>) -> Self {
        self.reading.set_call_spec(spec.into());
        self
    }

    /// The answer's value after the last item that was read: well-formed at any moment, and readable
    /// after an error. It may be ahead of the event taken last. A type that may lack any field reads from
    /// [`settled`](ValueRef::settled) at any moment.
    #[must_use]
    pub fn value(&self) -> ValueRef<'_> {
        self.reading.value()
    }

    /// A document by the number its patches carry: the answer's, or a tool call's arguments.
    #[must_use]
    pub fn document(&self, id: DocId) -> Option<ValueRef<'_>> {
        self.reading.document(id)
    }

    /// The source; none before the request gave one.
    #[must_use]
    pub fn get_ref(&self) -> Option<&R::Stream> {
        self.stream.as_deref()
    }

    /// The source, to be used apart from the response. What it gives then is not read by it.
    pub fn get_pin_mut(&mut self) -> Option<Pin<&mut R::Stream>> {
        self.stream.as_mut().map(Pin::as_mut)
    }

    /// The source as far as it was read; none before the request gave one.
    #[must_use]
    pub fn into_inner(self) -> Option<Pin<Box<R::Stream>>> {
        self.stream
    }
}

impl<R: Request, X: Split<R::Item>> Response<R, X> {
    /// The next event; none after the end. Can be dropped at any time without losing one.
    pub async fn next(&mut self) -> Option<Result<OwnedEvent, Error<R::Error>>> {
        poll_fn(|cx| self.poll_event(cx)).await
    }

    /// The answer, read to the end if need be. Events that were not taken are passed over.
    ///
    /// The answer is kept: later calls, and [`data`](Self::data), give the same one.
    ///
    /// # Errors
    /// What ended the response early; the same at every call.
    pub async fn answer(&mut self) -> Result<Answer, Error<R::Error>> {
        poll_fn(|cx| self.poll_answer(cx)).await
    }

    /// The answer's value as a Rust type, read to the end if need be, as [`answer`](Self::answer) does.
    ///
    /// # Errors
    /// What ended the response early, or where the value does not fit the type.
    pub async fn data<T: DeserializeOwned>(&mut self) -> Result<T, Error<R::Error>> {
        Ok(self.answer().await?.data()?)
    }

    /// Follows one field of the answer until it is complete.
    ///
    /// A field that was already begun is caught up with: deltas joined are its whole text. Of a path
    /// with wildcards, the first field is followed that it describes. Other events are passed over.
    pub fn field(&mut self, path: &str) -> Field<'_, R, X> {
        Field::new(self, path)
    }

    /// The items of a list as they close: of `items`, or of a pattern such as `orders[*].items[*]`.
    ///
    /// Ends with the list. Items that were already complete come first. Other events are passed over.
    pub fn elements<T: DeserializeOwned>(&mut self, path: &str) -> Elements<'_, R, X, T> {
        Elements::new(self, path)
    }

    /// Joins neighbouring deltas of a field between `ticks`, which are the caller's: this crate has no
    /// clock.
    pub fn coalesce<T: Stream>(self, ticks: T) -> Coalesced<Self, T> {
        Coalesced::new(self, ticks)
    }

    /// Lets several readers have the events, each at its own pace; see [`Shared`].
    ///
    /// About `replay_bytes` of events are kept for readers that are behind; [`REPLAY_BYTES`](crate::REPLAY_BYTES)
    /// is a good number.
    pub fn share(self, replay_bytes: usize) -> Shared<R, X> {
        Shared::new(self, replay_bytes)
    }

    pub(crate) fn poll_event(&mut self, cx: &mut Context<'_>) -> Poll<Next<OwnedEvent, R::Error>> {
        ready!(self.poll_fill(cx));
        if let Some(event) = self.reading.queue.pop_front() {
            self.end.begun = true;
            return Poll::Ready(Some(Ok(event)));
        }
        Poll::Ready(self.untold_error().map(Err))
    }

    /// Takes the next event into what a sub-stream picks.
    pub(crate) fn poll_track(
        &mut self,
        track: &mut impl Track,
        cx: &mut Context<'_>,
    ) -> Poll<Next<(), R::Error>> {
        let next = ready!(self.poll_event(cx));
        Poll::Ready(next.map(|next| next.map(|event| track.take(&event, self.reading.value()))))
    }

    fn untold_error(&mut self) -> Option<Error<R::Error>> {
        match &self.end.result {
            Some(Err(error)) if !self.end.error_told => {
                self.end.error_told = true;
                Some(error.clone())
            }
            _ => {
                self.end.none_told = true;
                None
            }
        }
    }

    pub(crate) fn poll_answer(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Result<Answer, Error<R::Error>>> {
        loop {
            if let Some(result) = &self.end.result {
                self.reading.queue.clear();
                return Poll::Ready(result.clone());
            }
            self.reading.queue.clear();
            ready!(self.poll_fill(cx));
        }
    }

    /// Reads on until an event waits. Nothing waits after the end.
    pub(crate) fn poll_fill(&mut self, cx: &mut Context<'_>) -> Poll<()> {
        while self.reading.queue.is_empty() {
            match &mut self.stage {
                Stage::Ended => break,
                Stage::Asking(future) => match ready!(future.as_mut().poll(cx)) {
                    Ok(stream) => {
                        self.stream = Some(Box::pin(stream));
                        self.stage = Stage::Streaming;
                    }
                    Err(error) => self.fail(Error::Source(Arc::new(error))),
                },
                Stage::Streaming => {
                    let Some(stream) = &mut self.stream else { break };
                    match ready!(stream.as_mut().poll_next(cx)) {
                        Some(Ok(item)) => self.take(item),
                        Some(Err(error)) => self.fail(Error::Source(Arc::new(error))),
                        None => self.finish(),
                    }
                }
            }
        }
        Poll::Ready(())
    }

    fn take(&mut self, item: R::Item) {
        self.split.split(item, &mut self.inputs);
        let Self { inputs, reading, .. } = self;
        let result = inputs.drain().try_for_each(|input| reading.take(input));
        if let Err(error) = result {
            self.fail(error.into());
        }
    }

    fn fail(&mut self, error: Error<R::Error>) {
        self.stage = Stage::Ended;
        self.end.result = Some(Err(error));
    }

    fn finish(&mut self) {
        self.stage = Stage::Ended;
        self.end.result = Some(self.reading.finish().map_err(Error::Parse));
    }
}

impl<R: Request, X: Split<R::Item>> Stream for Response<R, X> {
    type Item = Result<OwnedEvent, Error<R::Error>>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_event(cx)
    }
}

impl<R: Request, X: Split<R::Item>> FusedStream for Response<R, X> {
    fn is_terminated(&self) -> bool {
        self.end.none_told
    }
}

impl<R: Request, X> fmt::Debug for Response<R, X> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response")
            .field("value", &self.value())
            .field("waiting", &self.reading.queue.len())
            .field("ended", &self.end.result.is_some())
            .finish_non_exhaustive()
    }
}
