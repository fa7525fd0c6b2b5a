//! Extension methods on streams.

use futures_core::Stream;
use patchwire::Spec;

use crate::input::{Inputs, IntoBytes, TextOnly};
use crate::request::Once;
use crate::response::Response;

/// Wraps any stream of `Result<I, E>`.
pub trait TokenStreamExt<I, E>: Stream<Item = Result<I, E>> + Sized {
    /// Parses a stream of text chunks, cut anywhere.
    ///
    /// ```
    /// use patchwire::Spec;
    /// use patchwire_async::TokenStreamExt as _;
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), patchwire_async::Error<std::io::Error>> {
    /// let tokens = tokio_stream::iter([Ok::<_, std::io::Error>("[1, "), Ok("2]")]);
    /// assert_eq!(tokens.fields(Spec::json()).data::<Vec<u32>>().await?, [1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    fn fields(self, spec: impl Into<Spec>) -> Response<Once<Self>>
    where
        I: IntoBytes,
    {
        Response::of_stream(self, spec.into(), TextOnly)
    }

    /// Parses a stream of items of any type: `split` passes the text, reasoning and tool calls of an item to
    /// [`Inputs`].
    ///
    /// ```
    /// use patchwire::Spec;
    /// use patchwire_async::{Inputs, TokenStreamExt as _};
    ///
    /// struct Delta { content: Option<String>, reasoning: Option<String> }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), patchwire_async::Error<std::io::Error>> {
    /// let items = [
    ///     Delta { content: None, reasoning: Some("Two numbers.".into()) },
    ///     Delta { content: Some("[1, 2]".into()), reasoning: None },
    /// ];
    /// let source = tokio_stream::iter(items.map(Ok::<_, std::io::Error>));
    /// let mut response = source.fields_with(Spec::json(), |delta: Delta, out: &mut Inputs| {
    ///     out.reasoning(delta.reasoning);
    ///     out.text(delta.content);
    /// });
    /// assert_eq!(response.answer().await?.reasoning(), "Two numbers.");
    /// # Ok(())
    /// # }
    /// ```
    fn fields_with<F>(self, spec: impl Into<Spec>, split: F) -> Response<Once<Self>, F>
    where
        F: FnMut(I, &mut Inputs),
    {
        Response::of_stream(self, spec.into(), split)
    }
}

impl<S, I, E> TokenStreamExt<I, E> for S where S: Stream<Item = Result<I, E>> {}
