//! The items of a list as a stream.

use core::fmt;
use core::future::poll_fn;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::{FusedStream, Stream};
use serde::de::DeserializeOwned;

use crate::error::{Error, Next};
use crate::gather::{Gather, Item};
use crate::input::Split;
use crate::request::Request;
use crate::response::Response;
use crate::tracking::Tracking;

/// The items of a list as they close. Made by [`Response::elements`]. Ends with the list or the response.
///
/// An item that does not fit `T` is an error. The items after it still follow.
pub struct Elements<'r, R: Request, X, T> {
    response: &'r mut Response<R, X>,
    tracking: Tracking<Gather<T>, R::Error>,
}

impl<R: Request, X: Split<R::Item>> Response<R, X> {
    /// Returns the items of a list as they close. The path is that of a list, such as `items`, or a pattern
    /// such as `orders[*].items[*]`.
    ///
    /// Ends with the list. Items that closed before come first. Other events are dropped.
    pub fn elements<T: DeserializeOwned>(&mut self, path: &str) -> Elements<'_, R, X, T> {
        Elements::new(self, path)
    }
}

impl<'r, R: Request, X: Split<R::Item>, T: DeserializeOwned> Elements<'r, R, X, T> {
    fn new(response: &'r mut Response<R, X>, path: &str) -> Self {
        let tracking = Tracking::new(Gather::new(path)).catch_up(&response.parsers);
        Self { response, tracking }
    }

    /// The next item; none after the last. Dropping the future loses no item.
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
