//! The readers of a shared response.

use core::fmt;
use core::future::poll_fn;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use std::sync::Arc;

use futures_core::{FusedStream, Stream};

use super::hub::{Cursor, Hub};
use crate::coalesce::Coalesced;
use crate::error::{Error, Next};
use crate::event::ResponseEvent;
use crate::input::{Split, TextOnly};
use crate::path_error::PathError;
use crate::request::Request;
use crate::tracking::{Tracking, Verb, track};

/// All events of a shared response. Made by [`Shared::events`](crate::Shared::events).
pub struct SharedEvents<R: Request, X = TextOnly> {
    hub: Arc<Hub<R, X>>,
    cursor: Cursor,
    ended: bool,
}

/// A part of a shared response as a stream. `K` is its verb: [`Text`](crate::verbs::Text),
/// [`Values`](crate::verbs::Values), [`Each`](crate::verbs::Each) or [`Drafts`](crate::verbs::Drafts).
pub struct SharedPart<R: Request, X, K> {
    hub: Arc<Hub<R, X>>,
    cursor: Cursor,
    tracking: Tracking<K, R::Error>,
}

impl<R: Request, X: Split<R::Item>> SharedEvents<R, X> {
    pub(super) fn new(hub: &Arc<Hub<R, X>>) -> Self {
        Self { cursor: hub.cursor(), hub: Arc::clone(hub), ended: false }
    }

    /// The next event; none after the end. Dropping the future loses no event.
    pub async fn next(&mut self) -> Option<Result<ResponseEvent, Error<R::Error>>> {
        poll_fn(|cx| self.poll(cx)).await
    }

    /// Joins neighbouring deltas of a field between `ticks`, as
    /// [`Response::coalesce`](crate::Response::coalesce) does.
    pub fn coalesce<T: Stream>(self, ticks: T) -> Coalesced<Self, T> {
        Coalesced::new(self, ticks)
    }

    fn poll(&mut self, cx: &Context<'_>) -> Poll<Next<ResponseEvent, R::Error>> {
        if self.ended {
            return Poll::Ready(None);
        }
        let next = self.hub.poll_next(&mut self.cursor, cx, |event, _| event.cloned());
        let next = ready!(next).and_then(Result::transpose);
        self.ended = next.is_none();
        Poll::Ready(next)
    }
}

impl<R: Request, X: Split<R::Item>, K: Verb> SharedPart<R, X, K> {
    pub(super) fn new(hub: &Arc<Hub<R, X>>, verb: Result<K, PathError>) -> Self {
        Self { cursor: hub.cursor(), hub: Arc::clone(hub), tracking: Tracking::new(verb) }
    }

    /// The next item; none after the last, or after an error that ends the part. Dropping the future loses no item.
    pub async fn next(&mut self) -> Option<Result<K::Item, Error<R::Error>>> {
        poll_fn(|cx| self.poll(cx)).await
    }

    fn poll(&mut self, cx: &Context<'_>) -> Poll<Next<K::Item, R::Error>> {
        let Self { hub, cursor, tracking } = self;
        tracking.poll(|verb| {
            hub.poll_next(cursor, cx, |event, view| match event {
                Some(event) => track(verb, event, view),
                None => verb.end(view.parsers),
            })
        })
    }
}

impl<R: Request, X> Unpin for SharedEvents<R, X> {}

impl<R: Request, X: Split<R::Item>> Stream for SharedEvents<R, X> {
    type Item = Result<ResponseEvent, Error<R::Error>>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll(cx)
    }
}

impl<R: Request, X: Split<R::Item>> FusedStream for SharedEvents<R, X> {
    fn is_terminated(&self) -> bool {
        self.ended
    }
}

impl<R: Request, X> fmt::Debug for SharedEvents<R, X> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedEvents").field("hub", &self.hub).finish_non_exhaustive()
    }
}

impl<R: Request, X, K> Unpin for SharedPart<R, X, K> {}

impl<R: Request, X: Split<R::Item>, K: Verb> Stream for SharedPart<R, X, K> {
    type Item = Result<K::Item, Error<R::Error>>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll(cx)
    }
}

impl<R: Request, X: Split<R::Item>, K: Verb> FusedStream for SharedPart<R, X, K> {
    fn is_terminated(&self) -> bool {
        self.tracking.is_ended()
    }
}

impl<R: Request, X, K> fmt::Debug for SharedPart<R, X, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SharedPart").field("hub", &self.hub).finish_non_exhaustive()
    }
}
