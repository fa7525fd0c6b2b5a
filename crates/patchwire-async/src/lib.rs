//! Field-level patches from a stream of model output, on any async runtime.
//!
//! Wrap the stream of your client. The response is a stream of [events](ResponseEvent), and at the end
//! one cached answer.
//!
//! ```
//! use patchwire::Spec;
//! use patchwire_async::TokenStreamExt as _;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), patchwire_async::Error<std::io::Error>> {
//! let tokens = tokio_stream::iter(["{\"title\": \"Hel", "lo\"}"].map(Ok::<_, std::io::Error>));
//! let mut response = tokens.fields(Spec::json());
//! while let Some(event) = response.next().await {
//!     if let Some(patch) = event?.as_patch() {
//!         println!("{} {} {:?}", patch.path, patch.op.name(), patch.delta);
//!     }
//! }
//! let answer: std::collections::HashMap<String, String> = response.data().await?;
//! assert_eq!(answer["title"], "Hello");
//! # Ok(())
//! # }
//! ```
//!
//! | to | see |
//! |---|---|
//! | wrap a stream of text, or of a provider's items | [`TokenStreamExt`], [`Inputs`] |
//! | wrap the body of a provider's response | [`Deltas`], [`Inputs::delta`] |
//! | repeat a request until its answer passes | [`ask()`], [`Attempt`], [`Verdict`], [`Check`] |
//! | read it | [`Response`], [`Field`], [`Elements`], [`Answer`], [`Call`] |
//! | read it in several places | [`Shared`] |
//! | read it at the pace of a screen | [`Coalesced`] |
//!
//! The crate names no runtime and spawns nothing: polling drives the response. The source is not polled
//! while an event waits. Dropping the response drops the source. Every future can be dropped at any
//! `.await`, because all state is in the response.
//!
//! A response is `Send` if its source is and the source's error is `Send + Sync`, and always `Unpin`.
#![forbid(unsafe_code)]

mod answer;
mod argument_specs;
mod ask;
mod call_part;
mod check;
mod coalesce;
mod deltas;
mod documents;
mod drive;
mod elements;
mod erase;
mod error;
mod event;
mod field;
mod follow;
mod gather;
mod input;
mod parser_set;
mod pipeline;
mod pull;
mod rejection;
mod request;
mod response;
mod shared;
mod source;
mod stage;
mod tracking;
mod validator;
mod verdict;
mod warning;

/// The decoders of provider streams: protocols, deltas, ends.
pub use patchwire_sources as sources;

// The public interface is:
pub use answer::{Answer, Call};
pub use ask::{Ask, ask};
pub use check::Check;
pub use coalesce::Coalesced;
pub use deltas::{Deltas, DeltasError};
pub use elements::Elements;
pub use erase::{BoxFields, Erased, ErasedFuture, ErasedStream};
pub use error::{BoxError, Error};
pub use event::ResponseEvent;
pub use field::Field;
pub use follow::FieldEvent;
pub use gather::Item;
pub use input::{CallKey, Inputs, IntoBytes, Split, TextOnly};
pub use pipeline::OnExhausted;
pub use rejection::{Cause, Rejection};
pub use request::{Attempt, Once, Request};
pub use response::Response;
pub use shared::{REPLAY_BYTES, Shared, SharedElements, SharedEvents, SharedField};
pub use source::TokenStreamExt;
pub use verdict::Verdict;
pub use warning::Warning;

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The examples of the repository's README are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Front;

/// The examples of the page on retries are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/retries.md")]
struct Retries;

/// The examples of the page on chats are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/chat.md")]
struct Asking;

/// The recipes are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/recipes.md")]
struct Recipes;

/// The examples of the page on prompts are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/prompts.md")]
struct Prompts;
