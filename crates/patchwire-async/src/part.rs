//! Parts of a response as streams: `text`, `values`, `each`, `drafts`, and `get`.

use core::fmt;
use core::future::poll_fn;
use core::pin::Pin;
use core::task::{Context, Poll};

use futures_core::{FusedStream, Stream};
use serde::de::DeserializeOwned;

use crate::error::{Error, Next};
use crate::input::Split;
use crate::path_error::PathError;
use crate::request::Request;
use crate::response::Response;
use crate::tracking::{Tracking, Verb};
use crate::verbs::{Drafts, Each, Follow, Text, Values, get_field};

/// A part of a response as a stream. `K` is its verb: [`Text`], [`Values`], [`Each`] or [`Drafts`].
///
/// It borrows the response, which can be read on afterwards. For several parts at the same time, see
/// [`Shared`](crate::Shared).
pub struct Part<'r, R: Request, X, K> {
    response: &'r mut Response<R, X>,
    tracking: Tracking<K, R::Error>,
}

impl<R: Request, X: Split<R::Item>> Response<R, X> {
    /// One field of the answer as a type, when it is complete. A path with wildcards reads the first field that
    /// matches. Events before it are dropped.
    ///
    /// The field is returned as soon as it is complete. Only the answer is final: see [`data`](Self::data).
    ///
    /// ```
    /// use patchwire_async::{Spec, TokenStreamExt as _};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let tokens = tokio_stream::iter(["{\"title\": \"Spring\", \"n\": 3, ", "\"rows\": [1, 2]}"]);
    /// let mut response = tokens.fields(Spec::json());
    /// let title: String = response.get("title").await?;
    /// assert_eq!((title.as_str(), response.get::<u8>("n").await?), ("Spring", 3));
    /// assert_eq!(response.get::<Option<String>>("subtitle").await?, None);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// - [`Error::Path`]: the schema or the answer has no such field, or the answer was cut inside it. An `Option` is
    ///   `None` if the answer has no such field.
    /// - [`Error::Data`]: the field does not fit the type.
    /// - The response ended early.
    pub async fn get<T: DeserializeOwned>(&mut self, path: &str) -> Result<T, Error<R::Error>> {
        let follow = Follow::new(path, self.spec.schema());
        get_field(path, Part::new(self, follow)).await
    }

    /// The text of one field, delta by delta, until it is complete. The deltas, joined, are the text.
    ///
    /// If the field began before, the first delta has the text so far. A number or a bool is one delta. A path with
    /// wildcards follows the first field that matches. Other events are dropped. With retries a delta may
    /// [restart](crate::TextDelta::restarts) the text.
    ///
    /// ```
    /// use patchwire_async::{Spec, TokenStreamExt as _};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let tokens = tokio_stream::iter(["{\"reply\": \"Dear ", "Ada, \", \"n\": 1}"]);
    /// let mut response = tokens.fields(Spec::json());
    /// let mut reply = response.text("reply");
    /// while let Some(delta) = reply.next().await {
    ///     print!("{}", delta?);
    /// }
    /// assert_eq!(response.get::<u8>("n").await?, 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// The last item is an [`Error::Path`] if the schema or the answer has no such field, if the answer was cut inside
    /// it, or if it is a list or an object.
    pub fn text(&mut self, path: &str) -> Part<'_, R, X, Text> {
        let verb = Text::new(path, self.spec.schema());
        Part::new(self, verb)
    }

    /// The value of one field so far, whenever it grew, until it is complete: at most once for each item of the source.
    /// Each is a copy. The last one is the complete value.
    ///
    /// The last item is an [`Error::Path`] if the schema or the answer has no such field, or if the answer was cut
    /// inside it.
    ///
    /// ```
    /// use patchwire_async::{Spec, TokenStreamExt as _};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let tokens = tokio_stream::iter(["{\"rows\": [1, ", "2, ", "3]}"]);
    /// let mut response = tokens.fields(Spec::json());
    /// let mut rows = response.values("rows");
    /// let mut seen = Vec::new();
    /// while let Some(value) = rows.next().await {
    ///     seen.push(value?.to_string());
    /// }
    /// assert_eq!(seen, ["[1]", "[1,2]", "[1,2,3]"]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn values(&mut self, path: &str) -> Part<'_, R, X, Values> {
        let verb = Values::new(path, self.spec.schema());
        Part::new(self, verb)
    }

    /// The items of a list as they close, each as a type. The path is that of a list, such as `items`, or a pattern
    /// such as `orders[*].items[*]`.
    ///
    /// Ends with the list. Items that closed before come first. Other events are dropped. An item that does not fit
    /// the type is an error, and the items after it still follow.
    ///
    /// ```
    /// use patchwire_async::{Spec, TokenStreamExt as _};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let tokens = tokio_stream::iter(["{\"rows\": [{\"n\": 1}, {\"n\"", ": 2}]}"]);
    /// let mut response = tokens.fields(Spec::json());
    /// let mut rows = response.each::<std::collections::HashMap<String, u8>>("rows");
    /// while let Some(row) = rows.next().await {
    ///     let row = row?;
    ///     assert_eq!(row.value["n"] as usize, row.index + 1);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// The last item is an [`Error::Path`] if the schema or the answer has no such list, or if the answer was cut
    /// inside it. An item that was cut is not returned.
    pub fn each<T: DeserializeOwned>(&mut self, path: &str) -> Part<'_, R, X, Each<T>> {
        let verb = Each::new(path, self.spec.schema());
        Part::new(self, verb)
    }

    /// The answer so far as a type, whenever it grew: at most once for each item of the source.
    ///
    /// The type is one that a growing answer fits, such as the partial form that `#[derive(Partial)]` makes (feature
    /// `derive`). An answer that the type cannot read yet is left out; if it cannot at the end, the last item is an
    /// error. The last draft is what the answer is, whole or cut.
    ///
    /// ```
    /// use patchwire_async::{Spec, TokenStreamExt as _};
    ///
    /// #[derive(Default, serde::Deserialize)]
    /// #[serde(default)]
    /// struct Draft { title: Option<String>, n: Option<u8> }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let tokens = tokio_stream::iter(["{\"title\": \"Sp", "ring\", \"n\": 3}"]);
    /// let mut response = tokens.fields(Spec::json());
    /// let mut drafts = response.drafts::<Draft>();
    /// let first = drafts.next().await.unwrap()?;
    /// assert_eq!((first.title.as_deref(), first.n), (Some("Sp"), None));
    /// let second = drafts.next().await.unwrap()?;
    /// assert_eq!((second.title.as_deref(), second.n), (Some("Spring"), Some(3)));
    /// # Ok(())
    /// # }
    /// ```
    pub fn drafts<T: DeserializeOwned>(&mut self) -> Part<'_, R, X, Drafts<T>> {
        Part::new(self, Ok(Drafts::new()))
    }
}

impl<'r, R: Request, X: Split<R::Item>, K: Verb> Part<'r, R, X, K> {
    fn new(response: &'r mut Response<R, X>, verb: Result<K, PathError>) -> Self {
        let tracking = Tracking::new(verb).catch_up(&response.parsers);
        Self { response, tracking }
    }

    /// The next item; none after the last, or after an error that ends the part. Dropping the future loses no item.
    pub async fn next(&mut self) -> Option<Result<K::Item, Error<R::Error>>> {
        poll_fn(|cx| self.poll_part(cx)).await
    }

    fn poll_part(&mut self, cx: &mut Context<'_>) -> Poll<Next<K::Item, R::Error>> {
        let Self { response, tracking } = self;
        tracking.poll(|verb| response.poll_track(verb, cx))
    }
}

impl<R: Request, X, K> Unpin for Part<'_, R, X, K> {}

impl<R: Request, X: Split<R::Item>, K: Verb> Stream for Part<'_, R, X, K> {
    type Item = Result<K::Item, Error<R::Error>>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.poll_part(cx)
    }
}

impl<R: Request, X: Split<R::Item>, K: Verb> FusedStream for Part<'_, R, X, K> {
    fn is_terminated(&self) -> bool {
        self.tracking.is_ended()
    }
}

impl<R: Request, X, K> fmt::Debug for Part<'_, R, X, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Part").field("response", &self.response).finish_non_exhaustive()
    }
}
