//! The readers of a shared response.

use core::fmt;
use core::future::poll_fn;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use std::sync::Arc;

use futures_core::{FusedStream, Stream};
use serde::de::DeserializeOwned;

use super::hub::{Cursor, Hub};
use crate::coalesce::Coalesced;
use crate::error::{Error, Next};
use crate::event::ResponseEvent;
use crate::follow::{FieldEvent, Follow};
use crate::gather::{Gather, Item};
use crate::input::{Split, TextOnly};
use crate::request::Request;
use crate::tracking::{Tracking, track};

/// All events of a shared response. Made by [`Shared::events`](crate::Shared::events).
pub struct SharedEvents<R: Request, X = TextOnly> {
    hub: Arc<Hub<R, X>>,
    cursor: Cursor,
    ended: bool,
}

/// One field of a shared response. Made by [`Shared::field`](crate::Shared::field).
pub struct SharedField<R: Request, X = TextOnly> {
    hub: Arc<Hub<R, X>>,
    cursor: Cursor,
    tracking: Tracking<Follow, R::Error>,
}

/// The items of a list of a shared response. Made by [`Shared::elements`](crate::Shared::elements).
///
/// An item that does not fit `T` is an error. The items after it still follow.
pub struct SharedElements<R: Request, X, T> {
    hub: Arc<Hub<R, X>>,
    cursor: Cursor,
    tracking: Tracking<Gather<T>, R::Error>,
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
        let next = ready!(self.hub.poll_next(&mut self.cursor, cx, |event, _| event.clone()));
        self.ended = next.is_none();
        Poll::Ready(next)
    }
}

impl<R: Request, X: Split<R::Item>> SharedField<R, X> {
    pub(super) fn new(hub: &Arc<Hub<R, X>>, path: &str) -> Self {
        let tracking = Tracking::new(Follow::new(path));
        Self { cursor: hub.cursor(), hub: Arc::clone(hub), tracking }
    }

    /// The next event; none after the field is complete, or after an error. Dropping the future loses no
    /// event.
    pub async fn next(&mut self) -> Option<Result<FieldEvent, Error<R::Error>>> {
        poll_fn(|cx| self.poll(cx)).await
    }

    fn poll(&mut self, cx: &Context<'_>) -> Poll<Next<FieldEvent, R::Error>> {
        let Self { hub, cursor, tracking } = self;
        tracking.poll(|follow| {
            hub.poll_next(cursor, cx, |event, parsers| track(follow, event, parsers))
        })
    }
}

impl<R: Request, X: Split<R::Item>, T: DeserializeOwned> SharedElements<R, X, T> {
    pub(super) fn new(hub: &Arc<Hub<R, X>>, path: &str) -> Self {
        let tracking = Tracking::new(Gather::new(path));
        Self { cursor: hub.cursor(), hub: Arc::clone(hub), tracking }
    }

    /// The next item; none after the last. Dropping the future loses no item.
    pub async fn next(&mut self) -> Option<Result<Item<T>, Error<R::Error>>> {
        poll_fn(|cx| self.poll(cx)).await
    }

    fn poll(&mut self, cx: &Context<'_>) -> Poll<Next<Item<T>, R::Error>> {
        let Self { hub, cursor, tracking } = self;
        tracking.poll(|gather| {
            hub.poll_next(cursor, cx, |event, parsers| track(gather, event, parsers))
        })
    }
}

macro_rules! streams {
    ($($name:ident<R, X $(, $of:ident: $bound:ident)?> of $item:ty, ended: $ended:expr;)*) => {$(
        impl<R: Request, X $(, $of)?> Unpin for $name<R, X $(, $of)?> {}

        impl<R: Request, X: Split<R::Item> $(, $of: $bound)?> Stream for $name<R, X $(, $of)?> {
            type Item = Result<$item, Error<R::Error>>;

            fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
                self.poll(cx)
            }
        }

        impl<R: Request, X: Split<R::Item> $(, $of: $bound)?> FusedStream for $name<R, X $(, $of)?> {
            fn is_terminated(&self) -> bool {
                let ended: fn(&Self) -> bool = $ended;
                ended(self)
            }
        }

        impl<R: Request, X $(, $of)?> fmt::Debug for $name<R, X $(, $of)?> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).field("hub", &self.hub).finish_non_exhaustive()
            }
        }
    )*};
}

streams! {
    SharedEvents<R, X> of ResponseEvent, ended: |events| events.ended;
    SharedField<R, X> of FieldEvent,
        ended: |field| field.tracking.is_ended();
    SharedElements<R, X, T: DeserializeOwned> of Item<T>,
        ended: |items| items.tracking.is_ended();
}
