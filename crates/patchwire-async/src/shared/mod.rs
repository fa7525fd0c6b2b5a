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
use crate::verbs::{Drafts, Each, Follow, Text, Values, get_field};
use hub::Hub;
pub use streams::{SharedEvents, SharedPart};

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
/// use patchwire_async::{REPLAY_BYTES, Spec, TokenStreamExt as _};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), patchwire_async::Error<std::io::Error>> {
/// let tokens = tokio_stream::iter([Ok::<_, std::io::Error>("{\"reply\": \"Hel"), Ok("lo\"}")]);
/// let shared = tokens.fields(Spec::json()).share(REPLAY_BYTES);
/// let mut reply = shared.text("reply");
/// let follow = async {
///     let mut text = String::new();
///     while let Some(delta) = reply.next().await {
///         text.push_str(&delta?);
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

    /// One field as a type, when it is complete; see [`Response::get`].
    ///
    /// # Errors
    /// The answer has no such field, it does not fit the type, or the response ended early.
    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, Error<R::Error>> {
        let follow = Follow::new(path, self.0.spec().schema());
        get_field(path, SharedPart::new(&self.0, follow)).await
    }

    /// A reader of the text of one field, from its start; see [`Response::text`].
    #[must_use]
    pub fn text(&self, path: &str) -> SharedPart<R, X, Text> {
        SharedPart::new(&self.0, Text::new(path, self.0.spec().schema()))
    }

    /// A reader of the value of one field so far; see [`Response::values`]. A slow reader gets the latest value only.
    #[must_use]
    pub fn values(&self, path: &str) -> SharedPart<R, X, Values> {
        SharedPart::new(&self.0, Values::new(path, self.0.spec().schema()))
    }

    /// A reader of the items of a list, from the first; see [`Response::each`].
    #[must_use]
    pub fn each<T: DeserializeOwned>(&self, path: &str) -> SharedPart<R, X, Each<T>> {
        SharedPart::new(&self.0, Each::new(path, self.0.spec().schema()))
    }

    /// A reader of the answer so far as a type; see [`Response::drafts`]. A slow reader gets the latest draft only.
    #[must_use]
    pub fn drafts<T: DeserializeOwned>(&self) -> SharedPart<R, X, Drafts<T>> {
        SharedPart::new(&self.0, Ok(Drafts::new()))
    }

    /// The answer. Reads to the end first, as fast as the source.
    ///
    /// # Errors
    /// The response ended early. Every call returns the same error.
    pub async fn answer(&self) -> Result<Answer, Error<R::Error>> {
        let reader = self.0.reader();
        poll_fn(|cx| self.0.poll_answer(reader, cx)).await
    }

    /// The answer's value as a Rust type; see [`Response::data`]. If a part of a cut answer is enough, call
    /// [`allow_partial`](Response::allow_partial) before sharing.
    ///
    /// # Errors
    /// The response ended early, the answer was cut, it has no value, or the value does not fit the type.
    pub async fn data<T: DeserializeOwned>(&self) -> Result<T, Error<R::Error>> {
        let answer = self.answer().await?;
        let allows_partial = self.0.allows_partial();
        Ok(if allows_partial { answer.allow_partial().data()? } else { answer.data()? })
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
