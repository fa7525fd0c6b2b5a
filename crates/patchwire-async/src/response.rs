//! The response: a source, the parsers that read it, and nothing that a caller could lose.

use core::fmt;
use core::future::poll_fn;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use std::sync::Arc;

use futures_core::{FusedStream, Stream};
use patchwire::{Code, OwnedEvent, Spec, ValueRef, document::DocId, notice::OwnedNotice};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};

use crate::answer::Answer;
use crate::check::Check;
use crate::coalesce::Coalesced;
use crate::drive::Stage;
use crate::elements::Elements;
use crate::error::{Error, Next};
use crate::field::Field;
use crate::input::{Inputs, IntoBytes, Split, TextOnly};
use crate::pipeline::Pipeline;
use crate::reading::Reading;
use crate::request::{Attempt, Once, Request};
use crate::shared::Shared;
use crate::tracking::Track;
use crate::validator::Validator;
use crate::verdict::Verdict;

/// A model's response while it comes: a stream of [`OwnedEvent`]s, and at the end one answer.
///
/// - [`next`](Self::next) gives the events; the last is [`OwnedEvent::Final`], or an error comes last.
///   The response is fused: after the end it gives nothing, and asks the source for nothing.
/// - [`field`](Self::field) and [`elements`](Self::elements) follow a part of the answer, and give the
///   response back when that part is complete.
/// - [`data`](Self::data) and [`answer`](Self::answer) read to the end, once;
///   [`unchecked`](Self::unchecked) only reads.
/// - [`value`](Self::value) looks at what has come so far.
/// - [`share`](Self::share) is for several readers, [`coalesce`](Self::coalesce) for a slow one.
///
/// The source is polled only when no event waits to be taken. Dropping the response drops the source,
/// which is how a request is cancelled. A response made by [`ask`](crate::ask()) judges what was read before
/// it tells the answer, and may ask again: its validators run when the end is asked for, once an answer,
/// however often that is read afterwards. The futures of a response hold no state: dropped at any
/// `.await`, as in `select!`, nothing is lost.
pub struct Response<R: Request, X = TextOnly> {
    pub(crate) request: R,
    pub(crate) split: X,
    pub(crate) spec: Spec,
    /// What an answer has to pass; nothing of a stream that is only read.
    pub(crate) pipeline: Option<Box<Pipeline>>,
    pub(crate) warnings: Vec<OwnedNotice>,
    /// What the sources of attempts told that are over.
    pub(crate) past_facts: Vec<Map<String, Json>>,
    pub(crate) stage: Stage<R>,
    pub(crate) stream: Option<Pin<Box<R::Stream>>>,
    pub(crate) inputs: Inputs,
    pub(crate) reading: Reading,
    pub(crate) end: End<R::Error>,
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
        let stream = Some(Box::pin(stream));
        Self { stream, ..Self::begin(Once::TAKEN, spec, split, Stage::Streaming) }
    }
}

impl<R: Request, X> Response<R, X> {
    /// Asks once, and reads items of any kind: `split` says what is in one.
    pub fn of_split(mut request: R, spec: impl Into<Spec>, split: X) -> Self
    where
        X: Split<R::Item>,
    {
        let stage = Stage::Asking(Box::pin(request.attempt(Attempt::only())));
        Self::begin(request, spec.into(), split, stage)
    }

    pub(crate) fn begin(request: R, spec: Spec, split: X, stage: Stage<R>) -> Self {
        Self {
            request,
            split,
            reading: Reading::new(&spec, 1),
            spec,
            pipeline: None,
            warnings: Vec::new(),
            past_facts: Vec::new(),
            stage,
            stream: None,
            inputs: Inputs::default(),
            end: End::OPEN,
        }
    }

    /// Adds a validator, after those there are. The first makes the answer of a stream one that has to
    /// pass: it is checked as that of [`ask`](crate::ask()) is, but cannot be asked for again.
    ///
    /// Once the outcome is there it stays: a validator that comes later is not run, which
    /// [`warnings`](Self::warnings) say.
    ///
    /// ```
    /// use patchwire::Spec;
    /// use patchwire_async::{Error, TokenStreamExt as _};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let tokens = tokio_stream::iter([Ok::<_, std::io::Error>("[1, 2]")]);
    /// let mut response = tokens.fields(Spec::json());
    /// response.validate(|answer, _| answer.value().len() > 2);
    /// let error = response.data::<Vec<u8>>().await.unwrap_err();
    /// assert!(matches!(error, Error::Rejected { attempts: 1, .. }));
    /// # }
    /// ```
    pub fn validate<V: Into<Verdict>>(
        &mut self,
        check: impl Fn(&Answer, &Check) -> V + Send + Sync + 'static,
    ) -> &mut Self {
        self.add(Validator::now(check))
    }

    /// Adds a validator that waits for something; see [`validate`](Self::validate).
    pub fn validate_async<V, F>(
        &mut self,
        check: impl Fn(Answer, Check) -> F + Send + Sync + 'static,
    ) -> &mut Self
    where
        V: Into<Verdict>,
        F: Future<Output = V> + Send + 'static,
    {
        self.add(Validator::later(check))
    }

    fn add(&mut self, validator: Validator) -> &mut Self {
        if self.end.result.is_some() {
            self.warnings.push(OwnedNotice::of(Code::ValidatorIgnored));
        } else {
            let once = || Box::new(Pipeline::new(0, Arc::default()));
            self.pipeline.get_or_insert_with(once).validators.push(validator);
        }
        self
    }

    /// What the caller of this response did that came to nothing.
    #[must_use]
    pub fn warnings(&self) -> &[OwnedNotice] {
        &self.warnings
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

    /// What the sources told beside the answers, such as usage: so far, an attempt each, in order.
    pub fn facts(&self) -> impl Iterator<Item = &Map<String, Json>> {
        self.past_facts.iter().chain([self.reading.facts()])
    }

    /// The source; none before the request gave one, and after an attempt that failed.
    #[must_use]
    pub fn get_ref(&self) -> Option<&R::Stream> {
        self.stream.as_deref()
    }

    /// The source, to be used apart from the response. What it gives then is not read by it.
    pub fn get_pin_mut(&mut self) -> Option<Pin<&mut R::Stream>> {
        self.stream.as_mut().map(Pin::as_mut)
    }

    /// The source as far as it was read; none where [`get_ref`](Self::get_ref) has none.
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

    /// What the attempt gives that is being read, judged by nobody: for its text, its reasoning, its
    /// notices. Reads to the end of the stream if need be; after the end, the last answer, also one
    /// that was not taken. Events that were not taken are passed over.
    ///
    /// Asks again only where no answer could be read at all. What comes later, of
    /// [`data`](Self::data) or [`next`](Self::next), is judged as ever.
    ///
    /// # Errors
    /// What ended the response before there was an answer.
    pub async fn unchecked(&mut self) -> Result<Answer, Error<R::Error>> {
        poll_fn(|cx| self.poll_unchecked(cx)).await
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
        Poll::Ready(next.map(|next| next.map(|event| self.reading.show(track, &event))))
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
