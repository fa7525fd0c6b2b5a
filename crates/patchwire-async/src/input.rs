//! The parts of the items of a source: text, reasoning, tool calls, facts.

use std::borrow::Cow;

use bytes::Bytes;
use bytestring::ByteString;
use patchwire::tags::TokenRun;
use patchwire_sources::Delta;
use serde_json::Value as Json;

/// A chunk of text: bytes, cut anywhere, or none.
///
/// [`Bytes`], [`ByteString`], `String` and `Vec<u8>` are not copied. Texts of more than 20 bytes in
/// owned events are slices of them.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not text that patchwire can read",
    label = "the items of this stream are `{Self}`",
    note = "`fields` reads streams of `&str`, `String`, `Bytes`, `ByteString`, `Vec<u8>` or `&[u8]`, of options of \
            these, and of `Result`s with one of them and any error",
    note = "for other items say where their text is: `stream.fields_with(spec, |item, out| out.text(item.content))`",
    note = "if those items are no `Result`s: `stream.infallible().fields_with(…)`"
)]
pub trait IntoBytes {
    /// The bytes; none if the item has no text.
    fn into_bytes(self) -> Option<Bytes>;
}

macro_rules! taken_over {
    ($($chunk:ty),*) => {$(
        impl IntoBytes for $chunk {
            fn into_bytes(self) -> Option<Bytes> {
                Some(Bytes::from(self))
            }
        }
    )*};
}

taken_over!(Bytes, String, Vec<u8>);

impl IntoBytes for ByteString {
    fn into_bytes(self) -> Option<Bytes> {
        Some(Self::into_bytes(self))
    }
}

impl IntoBytes for &str {
    fn into_bytes(self) -> Option<Bytes> {
        self.as_bytes().into_bytes()
    }
}

impl IntoBytes for &[u8] {
    fn into_bytes(self) -> Option<Bytes> {
        Some(Bytes::copy_from_slice(self))
    }
}

impl IntoBytes for Cow<'_, str> {
    fn into_bytes(self) -> Option<Bytes> {
        match self {
            Self::Borrowed(text) => text.into_bytes(),
            Self::Owned(text) => IntoBytes::into_bytes(text),
        }
    }
}

impl IntoBytes for Cow<'_, [u8]> {
    fn into_bytes(self) -> Option<Bytes> {
        match self {
            Self::Borrowed(bytes) => bytes.into_bytes(),
            Self::Owned(bytes) => bytes.into_bytes(),
        }
    }
}

impl<C: IntoBytes> IntoBytes for Option<C> {
    fn into_bytes(self) -> Option<Bytes> {
        self.and_then(C::into_bytes)
    }
}

/// The provider's key of a tool call, which tells parallel calls apart.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[expect(clippy::exhaustive_enums, reason = "providers number calls or name them")]
pub enum CallKey {
    /// The position in the message.
    Index(u32),
    /// The provider's id.
    Id(ByteString),
}

impl From<u32> for CallKey {
    fn from(index: u32) -> Self {
        Self::Index(index)
    }
}

impl From<&str> for CallKey {
    fn from(id: &str) -> Self {
        Self::Id(id.into())
    }
}

impl From<String> for CallKey {
    fn from(id: String) -> Self {
        Self::Id(id.into())
    }
}

/// Takes the parts of one item of a source, in order. The closure of
/// [`fields_with`](crate::TokenStreamExt::fields_with) gets it.
#[derive(Debug, Default)]
pub struct Inputs {
    parts: Vec<Input>,
}

/// One part of an item.
#[derive(Debug)]
pub(crate) enum Input {
    Text(TokenRun, Bytes),
    Reasoning(Bytes),
    // Boxed: every token of text moves through this type.
    Call(Box<CallDelta>),
    Fact(Box<(String, Json)>),
}

/// A part of a tool call.
#[derive(Debug)]
pub(crate) struct CallDelta {
    pub(crate) key: CallKey,
    pub(crate) id: Option<ByteString>,
    pub(crate) name: Option<ByteString>,
    pub(crate) arguments: Bytes,
    /// Whether the arguments are text and not JSON.
    pub(crate) is_text: bool,
}

impl CallDelta {
    /// The bytes of its texts.
    pub(crate) fn bytes(&self) -> usize {
        let text = |text: &Option<ByteString>| text.as_ref().map_or(0, |it| it.len());
        text(&self.id) + text(&self.name) + self.arguments.len()
    }
}

impl Inputs {
    /// Adds text of the answer.
    pub fn text(&mut self, text: impl IntoBytes) {
        self.text_as(TokenRun::Text, text);
    }

    /// Adds text of the answer, from a source that knows whether a token is a marker or text.
    pub fn text_as(&mut self, run: TokenRun, text: impl IntoBytes) {
        self.parts.extend(filled(text).map(|text| Input::Text(run, text)));
    }

    /// Adds reasoning from a field of its own. The parser finds reasoning inside the text by itself.
    pub fn reasoning(&mut self, text: impl IntoBytes) {
        self.parts.extend(filled(text).map(Input::Reasoning));
    }

    /// Adds a part of a tool call. The arguments of each call are a JSON document of their own.
    ///
    /// `call` identifies the call. Its `id` and the tool's `name` may come with any part, and the name in
    /// pieces. Another `id` under the same `call`, or a name after complete arguments, begins another call:
    /// see [`CallState`](crate::sources::CallState).
    ///
    /// ```
    /// # fn split(index: u32, id: Option<String>, arguments: Option<String>, out: &mut patchwire_async::Inputs) {
    /// out.tool(index, id.as_deref(), Some("search"), arguments);
    /// # }
    /// ```
    pub fn tool(
        &mut self,
        call: impl Into<CallKey>,
        id: Option<&str>,
        name: Option<&str>,
        arguments: impl IntoBytes,
    ) {
        self.call(call.into(), [id, name], arguments, false);
    }

    /// Adds a part of the call of a custom tool, whose `input` is a text and not JSON. The arguments of the
    /// call are that text as a string, at its end.
    pub fn custom_tool(
        &mut self,
        call: impl Into<CallKey>,
        id: Option<&str>,
        name: Option<&str>,
        input: impl IntoBytes,
    ) {
        self.call(call.into(), [id, name], input, true);
    }

    fn call(
        &mut self,
        key: CallKey,
        id_and_name: [Option<&str>; 2],
        arguments: impl IntoBytes,
        is_text: bool,
    ) {
        let [id, name] =
            id_and_name.map(|text| text.filter(|text| !text.is_empty()).map(ByteString::from));
        let arguments = arguments.into_bytes().unwrap_or_default();
        let call = CallDelta { key, id, name, arguments, is_text };
        self.parts.push(Input::Call(Box::new(call)));
    }

    /// Adds a fact about the answer, such as usage, cost or the stop reason. The last fact with a name is
    /// valid. See [`Answer::facts`](crate::Answer::facts).
    ///
    /// ```
    /// # fn split(tokens: u64, out: &mut patchwire_async::Inputs) {
    /// out.fact("usage", serde_json::json!({"output_tokens": tokens}));
    /// # }
    /// ```
    pub fn fact(&mut self, name: impl Into<String>, fact: impl Into<Json>) {
        self.parts.push(Input::Fact(Box::new((name.into(), fact.into()))));
    }

    /// Adds a delta of a provider: text, reasoning, a part of a call, or a fact. Refusals and other items are
    /// ignored; read them from the delta before this call.
    ///
    /// ```
    /// use patchwire::Spec;
    /// use patchwire_async::sources::Protocol;
    /// use patchwire_async::{Deltas, TokenStreamExt as _};
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// // The body from an HTTP client, such as `reqwest::Response::bytes_stream()`.
    /// let body = tokio_stream::iter([
    ///     Ok::<_, std::io::Error>("data: {\"choices\":[{\"delta\":{\"content\":\"[1, \"}}]}\n"),
    ///     Ok("\ndata: {\"choices\":[{\"delta\":{\"content\":\"2]\"}}]}\n\ndata: [DONE]\n\n"),
    /// ]);
    /// let deltas = Deltas::new(body, Protocol::OpenAiChat);
    /// let mut response = deltas.fields_with(Spec::json(), |delta, out| out.delta(delta));
    /// assert_eq!(response.data::<Vec<u32>>().await?, [1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    pub fn delta(&mut self, delta: Delta) {
        match delta {
            Delta::Text(text) => self.text(text),
            Delta::Reasoning(text) => self.reasoning(text),
            Delta::Call(call) => {
                let id_and_name = [call.id.as_deref(), call.name.as_deref()];
                self.call(call.index.into(), id_and_name, call.arguments, call.is_text);
            }
            Delta::Fact { name, value } => self.fact(name, value),
            _ => {}
        }
    }

    /// Removes the part of an item that has exactly one. Most items have one.
    pub(crate) fn only(&mut self) -> Option<Input> {
        if self.parts.len() == 1 { self.parts.pop() } else { None }
    }

    pub(crate) fn drain(&mut self) -> impl Iterator<Item = Input> {
        self.parts.drain(..)
    }
}

fn filled(text: impl IntoBytes) -> Option<Bytes> {
    text.into_bytes().filter(|bytes| !bytes.is_empty())
}

/// Splits an item into its parts. Closures `FnMut(Item, &mut Inputs)` implement it.
pub trait Split<I> {
    /// Adds the parts of `item` to `out`.
    fn split(&mut self, item: I, out: &mut Inputs);
}

/// For items that are only text.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct TextOnly;

impl<I: IntoBytes> Split<I> for TextOnly {
    fn split(&mut self, item: I, out: &mut Inputs) {
        out.text(item);
    }
}

impl<I, F: FnMut(I, &mut Inputs)> Split<I> for F {
    fn split(&mut self, item: I, out: &mut Inputs) {
        self(item, out);
    }
}
