//! Decodes the streams of model providers, without IO. Bytes go in, cut anywhere; text, reasoning and the
//! arguments of tool calls come out.
//!
//! ```
//! use patchwire_sources::{Decoder, Delta, End, Protocol, Stop};
//!
//! let body = concat!(
//!     "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"{\\\"title\\\"\"}}]}\n\n",
//!     "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\": 1}\"},\"finish_reason\":\"stop\"}]}\n\n",
//!     "data: [DONE]\n\n",
//! );
//! let mut text = String::new();
//! let mut decoder = Decoder::new(Protocol::OpenAiChat);
//! for chunk in body.as_bytes().chunks(7) {
//!     decoder.feed(chunk, |delta| {
//!         if let Delta::Text(more) = delta {
//!             text.push_str(&more);
//!         }
//!     })?;
//! }
//! assert_eq!(decoder.finish(|_| {})?, End::Closed(Stop::End));
//! assert_eq!(text, "{\"title\": 1}");
//! # Ok::<(), patchwire_sources::DecodeError>(())
//! ```
//!
//! | protocol | framing | used by |
//! |---|---|---|
//! | [`OpenAiChat`](Protocol::OpenAiChat) | SSE | OpenAI's chat completions, and what vLLM, llama.cpp, Ollama (`/v1`), Groq, DeepSeek, Mistral and OpenRouter add to it |
//! | [`OpenAiResponses`](Protocol::OpenAiResponses) | SSE | OpenAI's responses |
//! | [`Anthropic`](Protocol::Anthropic) | SSE | Anthropic's messages |
//! | [`Ollama`](Protocol::Ollama) | NDJSON | Ollama's `/api/chat` and `/api/generate` |
//! | [`Gemini`](Protocol::Gemini) | SSE or a JSON list | Gemini's `streamGenerateContent` |
//! | [`Cohere`](Protocol::Cohere) | SSE | Cohere's `/v2/chat` |
//! | [`Bedrock`](Protocol::Bedrock) | AWS's event stream, or JSON | Bedrock's `ConverseStream` |
//!
//! The crate does not depend on the engine.
#![forbid(unsafe_code)]
// Shows on docs.rs which features an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod call_state;
mod decoder;
mod delta;
mod end;
mod error;
mod event_stream;
mod framing;
mod json_objects;
mod opening;
mod protocol;
mod recording;
mod surrogates;

// The public interface is:
pub use call_state::CallState;
pub use decoder::{Decoder, EMPTY_BYTES};
pub use delta::{Call, Delta};
pub use end::{End, Stop};
pub use error::{DecodeError, DecodeErrorKind, ProviderError};
pub use framing::EVENT_BYTES;
pub use opening::{Foreign, Opening};
pub use protocol::{Protocol, UnknownProtocol};
pub use recording::{LinePart, Recording, RecordingError, RecordingLine};
pub use surrogates::parse_deltas;

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
