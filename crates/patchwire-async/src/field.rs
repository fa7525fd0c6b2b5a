//! One field of the answer as a stream.

use core::fmt;
use core::future::poll_fn;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::{FusedStream, Stream};

use crate::error::{Error, Next};
use crate::follow::{FieldEvent, Follow};
use crate::input::{Split, TextOnly};
use crate::request::Request;
use crate::response::Response;
use crate::tracking::Tracking;

/// The changes of one field. Made by [`Response::field`]. Ends with the field or the response.
pub struct Field<'r, R: Request, X = TextOnly> {
    response: &'r mut Response<R, X>,
    tracking: Tracking<Follow, R::Error>,
}

impl<R: Request, X: Split<R::Item>> Response<R, X> {
    /// Follows one field of the answer until it is complete.
    ///
    /// If the field began before, the first delta has the text so far: the deltas, joined, are the whole
    /// text. A path with wildcards follows the first field that matches. Other events are dropped.
    pub fn field(&mut self, path: &str) -> Field<'_, R, X> {
        Field::new(self, path)
    }
}

impl<'r, R: Request, X: Split<R::Item>> Field<'r, R, X> {
    fn new(response: &'r mut Response<R, X>, path: &str) -> Self {
        let tracking = Tracking::new(Follow::new(path)).catch_up(&response.parsers);
        Self { response, tracking }
    }

    /// The next event; none after the field is complete, or after an error. Dropping the future loses no
    /// event.
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
