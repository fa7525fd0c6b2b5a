//! Extension methods on streams.

use futures_core::Stream;
use patchwire::Spec;

use crate::input::{Inputs, IntoBytes, TextOnly};
use crate::item::{ChunkOf, ErrorOf, InfallibleStream, ItemOrError, StreamItem};
use crate::request::Once;
use crate::response::Response;

/// Wraps any stream of text, and any stream of `Result`s.
pub trait TokenStreamExt: Stream + Sized {
    /// Parses a stream of text chunks, cut anywhere. The items are text, such as `String` or `Bytes`, or `Result`s
    /// with text.
    ///
    /// ```
    /// use patchwire_async::{Spec, TokenStreamExt as _};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let tokens = tokio_stream::iter(["[1, ", "2]"]);
    /// assert_eq!(tokens.fields(Spec::json()).data::<Vec<u32>>().await?, [1, 2]);
    ///
    /// let (sender, receiver) = tokio::sync::mpsc::channel::<String>(8);
    /// let tokens = tokio_stream::wrappers::ReceiverStream::new(receiver);
    /// # sender.send("[3]".to_owned()).await?;
    /// # drop(sender);
    /// assert_eq!(tokens.fields(Spec::json()).data::<Vec<u32>>().await?, [3]);
    ///
    /// let tokens = tokio_stream::iter([Ok::<_, std::io::Error>("[4, "), Ok("5]")]);
    /// assert_eq!(tokens.fields(Spec::json()).data::<Vec<u32>>().await?, [4, 5]);
    /// # Ok(())
    /// # }
    /// ```
    fn fields(self, spec: impl Into<Spec>) -> Response<Once<Self>>
    where
        Self::Item: StreamItem + ItemOrError<ErrorOf<Self>, Chunk: IntoBytes>,
    {
        Response::of_stream(self, spec.into(), TextOnly)
    }

    /// Parses a stream of items of any type: `split` passes the text, reasoning and tool calls of an item to
    /// [`Inputs`]. The items are `Result`s, or text. Other streams become streams of results with
    /// [`infallible`](Self::infallible).
    ///
    /// ```
    /// use patchwire_async::{Spec, TokenStreamExt as _};
    ///
    /// struct Delta { content: Option<String>, reasoning: Option<String> }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let items = [
    ///     Delta { content: None, reasoning: Some("Two numbers.".into()) },
    ///     Delta { content: Some("[1, 2]".into()), reasoning: None },
    /// ];
    /// let source = tokio_stream::iter(items.map(Ok::<_, std::io::Error>));
    /// let mut response = source.fields_with(Spec::json(), |delta, out| {
    ///     out.reasoning(delta.reasoning);
    ///     out.text(delta.content);
    /// });
    /// assert_eq!(response.answer().await?.reasoning(), "Two numbers.");
    /// # Ok(())
    /// # }
    /// ```
    fn fields_with<F>(self, spec: impl Into<Spec>, split: F) -> Response<Once<Self>, F>
    where
        Self::Item: StreamItem,
        F: FnMut(ChunkOf<Self>, &mut Inputs),
    {
        Response::of_stream(self, spec.into(), split)
    }

    /// The stream with each item in an `Ok`, for [`fields_with`](Self::fields_with): items that are neither text nor
    /// a `Result` need it.
    ///
    /// ```
    /// use patchwire_async::{Spec, TokenStreamExt as _};
    ///
    /// struct Delta { content: String }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let deltas = tokio_stream::iter([Delta { content: "[1]".into() }]);
    /// let mut response =
    ///     deltas.infallible().fields_with(Spec::json(), |delta, out| out.text(delta.content));
    /// assert_eq!(response.data::<Vec<u32>>().await?, [1]);
    /// # Ok(())
    /// # }
    /// ```
    fn infallible(self) -> InfallibleStream<Self> {
        InfallibleStream::new(self)
    }
}

impl<S: Stream> TokenStreamExt for S {}
