//! One response, several readers. Whoever polls drives; nothing is spawned.

mod hub;
mod log;
mod streams;
mod wakers;

use core::fmt;
use core::future::poll_fn;
use std::sync::Arc;

use patchwire::Value;
use serde::de::DeserializeOwned;

use crate::answer::Answer;
use crate::error::Error;
use crate::input::{Split, TextOnly};
use crate::request::Request;
use crate::response::Response;
use hub::Hub;
pub use streams::{SharedElements, SharedEvents, SharedField};

/// How many bytes of events to keep for readers that are behind, where nothing speaks for another
/// number: 8 MiB.
pub const REPLAY_BYTES: usize = 8 << 20;

/// A response that several readers read, each at its own pace. Cloning gives another handle to it.
///
/// Each reader is a value of its own, that can be moved to another task, and sees all events from the
/// start. Reading goes at the pace of the fastest; the source is read only when a reader has had all
/// there is. A reader that falls behind by more than the bytes that are kept gets one
/// [`Snapshot`](patchwire::OwnedEvent::Snapshot) of each document instead of what it missed, and goes
/// on from there: what it folds is right. Text and reasoning that it missed are in the answer.
///
/// A reader that is not polled holds nothing up: the source wakes all who wait.
///
/// ```
/// use patchwire::Spec;
/// use patchwire_async::{FieldEvent, REPLAY_BYTES, TokenStreamExt as _};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), patchwire_async::Error<std::io::Error>> {
/// let tokens = tokio_stream::iter([Ok::<_, std::io::Error>("{\"reply\": \"Hel"), Ok("lo\"}")]);
/// let shared = tokens.fields(Spec::json()).share(REPLAY_BYTES);
/// let mut reply = shared.field("reply");
/// let follow = async {
///     let mut text = String::new();
///     while let Some(event) = reply.next().await {
///         if let FieldEvent::Delta(delta) = event? {
///             text.push_str(&delta);
///         }
///     }
///     Ok::<_, patchwire_async::Error<std::io::Error>>(text)
/// };
/// let (text, answer) = tokio::join!(follow, shared.answer());
/// assert_eq!((&*text?, answer?.value().to_string()), ("Hello", r#"{"reply":"Hello"}"#.into()));
/// # Ok(())
/// # }
/// ```
pub struct Shared<R: Request, X = TextOnly>(Arc<Hub<R, X>>);

impl<R: Request, X: Split<R::Item>> Shared<R, X> {
    pub(crate) fn new(response: Response<R, X>, replay_bytes: usize) -> Self {
        Self(Arc::new(Hub::new(response, replay_bytes)))
    }

    /// A reader of all events, from the start.
    #[must_use]
    pub fn events(&self) -> SharedEvents<R, X> {
        SharedEvents::new(&self.0)
    }

    /// A reader of one field, from its start; see [`Response::field`].
    #[must_use]
    pub fn field(&self, path: &str) -> SharedField<R, X> {
        SharedField::new(&self.0, path)
    }

    /// A reader of the items of a list, from the first; see [`Response::elements`].
    #[must_use]
    pub fn elements<T: DeserializeOwned>(&self, path: &str) -> SharedElements<R, X, T> {
        SharedElements::new(&self.0, path)
    }

    /// The answer, read to the end if need be: a reader as fast as the source.
    ///
    /// # Errors
    /// What ended the response early; the same at every call.
    pub async fn answer(&self) -> Result<Answer, Error<R::Error>> {
        let reader = self.0.reader();
        poll_fn(|cx| self.0.poll_answer(reader, cx)).await
    }

    /// The answer's value as a Rust type.
    ///
    /// # Errors
    /// What ended the response early, or where the value does not fit the type.
    pub async fn data<T: DeserializeOwned>(&self) -> Result<T, Error<R::Error>> {
        Ok(self.answer().await?.data()?)
    }

    /// A copy of the answer's value so far.
    #[must_use]
    pub fn snapshot(&self) -> Value {
        self.0.snapshot()
    }
}

impl<R: Request, X> Clone for Shared<R, X> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<R: Request, X> fmt::Debug for Shared<R, X> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Shared").field(&self.0).finish()
    }
}
