//! One response, several readers. A reader that polls drives the response; nothing is spawned.

mod hub;
#[cfg(all(test, feature = "_shuttle"))]
mod interleavings;
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

/// A good default for the bytes of events that are kept for slow readers: 8 MiB.
pub const REPLAY_BYTES: usize = 8 << 20;

/// A response that several readers read, each at its own pace. Cloning makes another handle.
///
/// Each reader is a value of its own that can move to another task, and sees all events from the start.
/// The fastest reader drives the source: it is polled only if a reader has taken all events. A reader that
/// is behind by more than the kept bytes gets one [`Snapshot`](crate::ResponseEvent::Snapshot) of each
/// document instead of the events that it missed, and continues from there. So the values it folds are
/// right. Text and reasoning that it missed are in the answer.
///
/// A reader that is not polled blocks no other: the source wakes all waiting readers.
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

impl<R: Request, X: Split<R::Item>> Response<R, X> {
    /// Shares the response among several readers, each at its own pace; see [`Shared`].
    ///
    /// About `replay_bytes` of events are kept for slow readers. [`REPLAY_BYTES`] is a
    /// good default.
    pub fn share(self, replay_bytes: usize) -> Shared<R, X> {
        Shared::new(self, replay_bytes)
    }
}

impl<R: Request, X: Split<R::Item>> Shared<R, X> {
    fn new(response: Response<R, X>, replay_bytes: usize) -> Self {
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

    /// The answer. Reads to the end first, as fast as the source.
    ///
    /// # Errors
    /// The response ended early. Every call returns the same error.
    pub async fn answer(&self) -> Result<Answer, Error<R::Error>> {
        let reader = self.0.reader();
        poll_fn(|cx| self.0.poll_answer(reader, cx)).await
    }

    /// The answer's value as a Rust type.
    ///
    /// # Errors
    /// The response ended early, or the value does not fit the type.
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
