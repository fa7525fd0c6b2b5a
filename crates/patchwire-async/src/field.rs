//! One field of the answer as a stream.

use core::fmt;
use core::future::poll_fn;
use core::pin::Pin;
use core::task::{Context, Poll};

use bytestring::ByteString;
use futures_core::{FusedStream, Stream};
use patchwire::Value;

use crate::error::{Error, Next};
use crate::follow::Follow;
use crate::input::{Split, TextOnly};
use crate::request::Request;
use crate::response::Response;
use crate::tracking::Tracking;

/// What happens to a field that is followed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum FieldEvent {
    /// The string grew.
    Delta(ByteString),
    /// The value is complete. The last event.
    Done(Value),
    /// The value, or one that it lies in, was put right at the end. The last event.
    Replaced(Value),
    /// The model is asked again: what was given is void.
    Reset {
        /// The attempt that begins.
        attempt: u32,
    },
}

/// Follows one field. Made by [`Response::field`]; ends when the field is complete, or with the
/// response.
pub struct Field<'r, R: Request, X = TextOnly> {
    response: &'r mut Response<R, X>,
    tracking: Tracking<Follow, R::Error>,
}

impl<'r, R: Request, X: Split<R::Item>> Field<'r, R, X> {
    pub(crate) fn new(response: &'r mut Response<R, X>, path: &str) -> Self {
        let tracking = Tracking::new(Follow::new(path)).catch_up(&response.reading);
        Self { response, tracking }
    }

    /// The next event; none after the field is complete, or after an error. Can be dropped at any time
    /// without losing one.
    pub async fn next(&mut self) -> Option<Result<FieldEvent, Error<R::Error>>> {
        poll_fn(|cx| self.poll_field(cx)).await
    }

    fn poll_field(&mut self, cx: &mut Context<'_>) -> Poll<Next<FieldEvent, R::Error>> {
        let Self { response, tracking } = self;
        tracking.poll(|follow| response.poll_track(follow, cx))
    }
}

impl<R: Request, X> Unpin for Field<'_, R, X> {}

impl<R: Request, X: Split<R::Item>> Stream for Field<'_, R, X> {
    type Item = Result<FieldEvent, Error<R::Error>>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_field(cx)
    }
}

impl<R: Request, X: Split<R::Item>> FusedStream for Field<'_, R, X> {
    fn is_terminated(&self) -> bool {
        self.tracking.is_ended()
    }
}

impl<R: Request, X> fmt::Debug for Field<'_, R, X> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Field").field("response", &self.response).finish_non_exhaustive()
    }
}
