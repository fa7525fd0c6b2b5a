//! Pulling events and the answer out of a response.

use core::future::poll_fn;
use core::pin::Pin;
use core::task::{Context, Poll, ready};

use futures_core::{FusedStream, Stream};
use serde::de::DeserializeOwned;

use crate::answer::Answer;
use crate::coalesce::Coalesced;
use crate::error::{Error, Next};
use crate::event::ResponseEvent;
use crate::input::Split;
use crate::request::Request;
use crate::response::Response;
use crate::tracking::{Verb, View, track};

impl<R: Request, X: Split<R::Item>> Response<R, X> {
    /// The next event; none after the end. Dropping the future loses no event.
    pub async fn next(&mut self) -> Option<Result<ResponseEvent, Error<R::Error>>> {
        poll_fn(|cx| self.poll_event(cx)).await
    }

    /// The answer. Reads to the end first; events that were not taken are dropped.
    ///
    /// The answer is cached for later calls, and for [`data`](Self::data).
    ///
    /// # Errors
    /// The response ended early. Every call returns the same error.
    pub async fn answer(&mut self) -> Result<Answer, Error<R::Error>> {
        poll_fn(|cx| self.poll_answer(cx)).await
    }

    /// The answer of the current attempt without checks, for its text, reasoning and notices. Reads to the
    /// end of the stream first; events that were not taken are dropped. After the end of the response,
    /// returns the last answer, even if it was not accepted.
    ///
    /// The request is repeated only if there is no answer at all. Later calls of [`data`](Self::data) and
    /// [`next`](Self::next) run the checks.
    ///
    /// # Errors
    /// The response ended before there was an answer.
    pub async fn unchecked(&mut self) -> Result<Answer, Error<R::Error>> {
        poll_fn(|cx| self.poll_unchecked(cx)).await
    }

    /// The answer's value as a Rust type. Reads to the end first, as [`answer`](Self::answer) does.
    ///
    /// # Errors
    /// - The response ended early.
    /// - [`Error::Cut`]: the answer was cut, and [`allow_partial`](Self::allow_partial) was not called. The error holds
    ///   what arrived.
    /// - [`Error::NoValue`]: the model wrote prose, reasoning or tool calls, and no value.
    /// - [`Error::Data`]: the value does not fit the type.
    pub async fn data<T: DeserializeOwned>(&mut self) -> Result<T, Error<R::Error>> {
        let answer = self.answer().await?;
        Ok(if self.allows_partial { answer.allow_partial().data()? } else { answer.data()? })
    }

    /// From now on [`data`](Self::data) also returns the value of an answer that was cut, as far as it came.
    ///
    /// ```
    /// use patchwire_async::{Error, Spec, TokenStreamExt as _};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let mut response = tokio_stream::iter(["[1, 2"]).fields(Spec::json());
    /// assert!(matches!(response.data::<Vec<u8>>().await, Err(Error::Cut(_))));
    /// assert_eq!(response.allow_partial().data::<Vec<u8>>().await?, [1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    pub const fn allow_partial(&mut self) -> &mut Self {
        self.allows_partial = true;
        self
    }

    /// Joins neighbouring deltas of a field between `ticks`. The caller provides the ticks, because this
    /// crate has no clock.
    pub fn coalesce<T: Stream>(self, ticks: T) -> Coalesced<Self, T> {
        Coalesced::new(self, ticks)
    }

    pub(crate) fn poll_event(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Next<ResponseEvent, R::Error>> {
        ready!(self.poll_fill(cx));
        if let Some(event) = self.parsers.queue.pop_front() {
            self.end.begun = true;
            return Poll::Ready(Some(Ok(event)));
        }
        Poll::Ready(self.unreturned_error().map(Err))
    }

    /// Passes the next event, or the end, to the verb of a part.
    pub(crate) fn poll_track(
        &mut self,
        verb: &mut impl Verb,
        cx: &mut Context<'_>,
    ) -> Poll<Next<(), R::Error>> {
        let next = ready!(self.poll_event(cx));
        let (parsers, more_waits) = (&self.parsers, !self.parsers.queue.is_empty());
        Poll::Ready(match next {
            Some(next) => Some(next.map(|event| track(verb, &event, View { parsers, more_waits }))),
            None => match &self.end.result {
                Some(Err(error)) => Some(Err(error.clone())),
                _ => {
                    verb.end(parsers);
                    None
                }
            },
        })
    }

    fn unreturned_error(&mut self) -> Option<Error<R::Error>> {
        match &self.end.result {
            Some(Err(error)) if !self.end.error_returned => {
                self.end.error_returned = true;
                Some(error.clone())
            }
            _ => {
                self.end.none_returned = true;
                None
            }
        }
    }
}

impl<R: Request, X: Split<R::Item>> Stream for Response<R, X> {
    type Item = Result<ResponseEvent, Error<R::Error>>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_event(cx)
    }
}

impl<R: Request, X: Split<R::Item>> FusedStream for Response<R, X> {
    fn is_terminated(&self) -> bool {
        self.end.none_returned
    }
}
