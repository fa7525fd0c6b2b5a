//! A response: the source, its parsers, and all state between polls.

use core::fmt;
use core::future::Future;
use core::pin::Pin;
use std::sync::Arc;

use futures_core::Stream;
use patchwire::{Spec, ValueRef, document::DocId};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};

use crate::answer::{Answer, Call};
use crate::check::Check;
use crate::error::Error;
use crate::input::{Inputs, IntoBytes, Split, TextOnly};
use crate::item::StreamItem;
use crate::parser_set::ParserSet;
use crate::pipeline::Pipeline;
use crate::request::{Attempt, Once, Request};
use crate::stage::Stage;
use crate::validator::{self, CheckAs, CheckAsAsync, Validator};
use crate::verdict::Verdict;
use crate::warning::Warning;

/// A model's response: a stream of [`ResponseEvent`](crate::ResponseEvent)s, and at the end one answer.
///
/// - [`next`](Self::next) returns the events. The last item is the event
///   [`Final`](patchwire::OwnedEvent::Final) or an error. After it, the source is not polled again.
/// - [`get`](Self::get) waits for one field; [`text`](Self::text), [`values`](Self::values) and [`each`](Self::each)
///   follow a field while it grows, and [`drafts`](Self::drafts) the whole answer. The response can be read on
///   afterwards.
/// - [`data`](Self::data) and [`answer`](Self::answer) read to the end, and cache the result.
///   [`unchecked`](Self::unchecked) returns the answer without checks.
/// - [`value`](Self::value) is the value so far.
/// - [`share`](Self::share) is for several readers, [`coalesce`](Self::coalesce) for a slow one.
///
/// The source is polled only if no event waits. Dropping the response drops the source and so cancels the
/// request. A response made by [`ask`](crate::ask()) checks an answer before it returns it, and may repeat
/// the request; the validators run once for each answer. The futures of a response hold no state:
/// dropping one at any `.await`, as in `select!`, loses nothing.
pub struct Response<R: Request, X = TextOnly> {
    pub(crate) request: R,
    pub(crate) split: X,
    pub(crate) spec: Spec,
    /// The checks of an answer; none for a stream without validators.
    pub(crate) pipeline: Option<Box<Pipeline>>,
    pub(crate) warnings: Vec<Warning>,
    /// Whether a part of a cut answer is enough for `data`.
    pub(crate) allows_partial: bool,
    /// The facts of earlier attempts.
    pub(crate) past_facts: Vec<Map<String, Json>>,
    pub(crate) stage: Stage<R>,
    pub(crate) stream: Option<Pin<Box<R::Stream>>>,
    pub(crate) inputs: Inputs,
    pub(crate) parsers: ParserSet,
    pub(crate) end: End<R::Error>,
}

/// The outcome of a response, and which parts of it were returned.
pub(crate) struct End<E> {
    pub(crate) result: Option<Result<Answer, Error<E>>>,
    /// Whether the error was returned as an item.
    pub(crate) error_returned: bool,
    /// Whether none was returned after the last item.
    pub(crate) none_returned: bool,
    /// Whether an event was taken or dropped.
    pub(crate) begun: bool,
}

impl<E> End<E> {
    const OPEN: Self =
        Self { result: None, error_returned: false, none_returned: false, begun: false };
}

/// Sources are pinned on the heap.
impl<R: Request, X> Unpin for Response<R, X> {}

impl<R: Request> Response<R> {
    /// Makes one request, whose items are text. Nothing is sent before the response is polled.
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

impl<S, X> Response<Once<S>, X>
where
    S: Stream<Item: StreamItem>,
{
    pub(crate) fn of_stream(stream: S, spec: Spec, split: X) -> Self {
        let stream = Some(Box::pin(stream));
        Self { stream, ..Self::begin(Once::TAKEN, spec, split, Stage::Streaming) }
    }
}

impl<R: Request, X> Response<R, X> {
    /// Makes one request, whose items are of any type: `split` passes the parts of an item to [`Inputs`].
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
            parsers: ParserSet::new(&spec, 1),
            spec,
            pipeline: None,
            warnings: Vec::new(),
            allows_partial: false,
            past_facts: Vec::new(),
            stage,
            stream: None,
            inputs: Inputs::default(),
            end: End::OPEN,
        }
    }

    /// Adds a validator after the existing ones. With a validator, the answer of a stream is checked like
    /// one of [`ask`](crate::ask()), but the request cannot be repeated.
    ///
    /// The outcome is decided once. A validator that is added later does not run, and
    /// [`warnings`](Self::warnings) has a warning.
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

    /// Adds an async validator; see [`validate`](Self::validate).
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

    /// Adds a validator that gets the answer as a type; see [`Ask::validate_as`](crate::Ask::validate_as).
    pub fn validate_as<T: DeserializeOwned + 'static>(
        &mut self,
        check: impl CheckAs<T> + Send + Sync + 'static,
    ) -> &mut Self {
        self.validate(validator::typed(check))
    }

    /// Adds an async validator that gets the answer as a type; see [`Ask::validate_as`](crate::Ask::validate_as).
    pub fn validate_as_async<T: DeserializeOwned + Send + 'static>(
        &mut self,
        check: impl CheckAsAsync<T> + Send + Sync + 'static,
    ) -> &mut Self {
        self.add(Validator::typed_later(check))
    }

    fn add(&mut self, validator: Validator) -> &mut Self {
        if self.end.result.is_some() {
            self.warnings.push(Warning::ValidatorIgnored);
        } else {
            let once = || Box::new(Pipeline::new(0, Arc::default()));
            self.pipeline.get_or_insert_with(once).validators.push(validator);
        }
        self
    }

    /// The calls on this response that had no effect.
    #[must_use]
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// Sets the spec for the arguments of tool calls that begin later. The default is lenient JSON.
    #[must_use]
    pub fn with_call_spec(mut self, spec: impl Into<Spec>) -> Self {
        self.parsers.set_call_spec(spec.into());
        self
    }

    /// Leaves out the next `events` events: they are parsed and not made, which takes a fraction of the time. For a
    /// client that comes back and has them. The last event of an answer, [`Final`](patchwire::OwnedEvent::Final), is
    /// never left out, and errors are not counted.
    ///
    /// ```
    /// use patchwire::Spec;
    /// use patchwire_async::TokenStreamExt as _;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() {
    /// let answer = || tokio_stream::iter(["[1, 2, ", "3]"]).fields(Spec::json());
    /// let (mut whole, mut rest) = (answer(), answer());
    /// rest.skip_events(4);
    /// for _ in 0..4 {
    ///     whole.next().await;
    /// }
    /// let (next, expected) = (rest.next().await, whole.next().await);
    /// assert_eq!(next.and_then(Result::ok), expected.and_then(Result::ok));
    /// assert_eq!(rest.events_to_skip(), 0);
    /// # }
    /// ```
    pub fn skip_events(&mut self, events: u64) {
        self.end.begun |= events > 0;
        self.parsers.queue.skip(events);
    }

    /// How many events are still to be left out.
    #[must_use]
    pub const fn events_to_skip(&self) -> u64 {
        self.parsers.queue.left_to_skip()
    }

    /// The answer's value after the last item of the source. It is well-formed at any moment, and readable
    /// after an error. It may be ahead of the event that was taken last. A type whose fields are all optional
    /// can be read from [`settled`](ValueRef::settled) at any moment.
    #[must_use]
    pub fn value(&self) -> ValueRef<'_> {
        self.parsers.value()
    }

    /// The tool calls so far, as [`Answer::calls`] will list them: each with its name, its id and the arguments that
    /// have arrived. The schemas of [`SpecBuilder::tool`](patchwire::SpecBuilder::tool) give the arguments their
    /// types. The list is built on each call, in time proportional to the stream so far.
    #[must_use]
    pub fn calls(&self) -> Vec<Call> {
        self.parsers.so_far()
    }

    /// A document by the number in its patches: a document of the answer, or the arguments of a tool call.
    #[must_use]
    pub fn document(&self, id: DocId) -> Option<ValueRef<'_>> {
        self.parsers.document(id)
    }

    /// The facts of the sources so far, such as usage: one map for each attempt, in order.
    pub fn facts(&self) -> impl Iterator<Item = &Map<String, Json>> {
        self.past_facts.iter().chain([self.parsers.facts()])
    }

    /// The source. None before the request returned one, and after a failed attempt.
    #[must_use]
    pub fn get_ref(&self) -> Option<&R::Stream> {
        self.stream.as_deref()
    }

    /// The source, for direct use. The response does not see items that are taken from it.
    pub fn get_pin_mut(&mut self) -> Option<Pin<&mut R::Stream>> {
        self.stream.as_mut().map(Pin::as_mut)
    }

    /// Returns the source at its current position; none if [`get_ref`](Self::get_ref) returns none.
    #[must_use]
    pub fn into_inner(self) -> Option<Pin<Box<R::Stream>>> {
        self.stream
    }
}

impl<R: Request, X> fmt::Debug for Response<R, X> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Response")
            .field("value", &self.value())
            .field("waiting", &self.parsers.queue.len())
            .field("ended", &self.end.result.is_some())
            .finish_non_exhaustive()
    }
}
