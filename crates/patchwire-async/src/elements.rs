//! The items of a list as a stream.

use core::fmt;
use core::future::poll_fn;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::{FusedStream, Stream};
use serde::de::DeserializeOwned;

use crate::error::{Error, Next};
use crate::gather::Gather;
use crate::input::Split;
use crate::request::Request;
use crate::response::Response;
use crate::tracking::Tracking;

/// An item of a list that closed.
///
/// It stands until the answer: the end may put it right, and then it comes again under its index; or
/// the model may be asked again, and then items of a later attempt take the place of all before.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Item<T> {
    /// Its index in the list; for members of a map, which one it is in order.
    pub index: usize,
    /// The attempt it came with, from 1.
    pub attempt: u32,
    /// The item.
    pub value: T,
}

/// The items of a list as they close. Made by [`Response::elements`]; ends with the list, or with the
/// response.
///
/// An item that does not fit `T` is an error in its place; the ones after it still come.
pub struct Elements<'r, R: Request, X, T> {
    response: &'r mut Response<R, X>,
    tracking: Tracking<Gather<T>, R::Error>,
}

impl<'r, R: Request, X: Split<R::Item>, T: DeserializeOwned> Elements<'r, R, X, T> {
    pub(crate) fn new(response: &'r mut Response<R, X>, path: &str) -> Self {
        let tracking = Tracking::new(Gather::new(path)).catch_up(&response.reading);
        Self { response, tracking }
    }

    /// The next item; none after the list is complete. Can be dropped at any time without losing one.
    pub async fn next(&mut self) -> Option<Result<Item<T>, Error<R::Error>>> {
        poll_fn(|cx| self.poll_item(cx)).await
    }

    fn poll_item(&mut self, cx: &mut Context<'_>) -> Poll<Next<Item<T>, R::Error>> {
        let Self { response, tracking } = self;
        tracking.poll(|gather| response.poll_track(gather, cx))
    }
}

impl<R: Request, X, T> Unpin for Elements<'_, R, X, T> {}

impl<R: Request, X: Split<R::Item>, T: DeserializeOwned> Stream for Elements<'_, R, X, T> {
    type Item = Result<Item<T>, Error<R::Error>>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_item(cx)
    }
}

impl<R: Request, X: Split<R::Item>, T: DeserializeOwned> FusedStream for Elements<'_, R, X, T> {
    fn is_terminated(&self) -> bool {
        self.tracking.is_ended()
    }
}

impl<R: Request, X, T> fmt::Debug for Elements<'_, R, X, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Elements").field("response", &self.response).finish_non_exhaustive()
    }
}
