//! Field-level patches from a stream of model output, on any async runtime.
//!
//! Wrap what your client gives you: the response is a stream of [events](patchwire::OwnedEvent), and
//! at the end one cached answer.
//!
//! ```
//! use patchwire::{OwnedEvent, Spec};
//! use patchwire_async::TokenStreamExt as _;
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), patchwire_async::Error<std::io::Error>> {
//! let tokens = tokio_stream::iter(["{\"title\": \"Hel", "lo\"}"].map(Ok::<_, std::io::Error>));
//! let mut response = tokens.fields(Spec::json());
//! while let Some(event) = response.next().await {
//!     if let OwnedEvent::Patch(patch) = event? {
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
//! | ask a model until its answer passes | [`ask()`], [`Attempt`], [`Verdict`], [`Check`] |
//! | read it | [`Response`], [`Field`], [`Elements`], [`Answer`], [`Call`] |
//! | read it in several places | [`Shared`] |
//! | read it at the pace of a screen | [`Coalesced`] |
//!
//! No runtime is named and nothing is spawned: whoever polls drives. Nothing is read from the source
//! while an event waits to be taken, dropping the response drops the source, and every future can be
//! dropped at any `.await`, because all state lives in the response.
//!
//! A response is `Send` if its source is and the source's error is `Send + Sync`, and always `Unpin`.
#![forbid(unsafe_code)]

mod answer;
mod ask;
mod check;
mod coalesce;
mod deltas;
mod drive;
mod elements;
mod erase;
mod error;
mod field;
mod follow;
mod gather;
mod input;
mod pipeline;
mod reading;
mod request;
mod response;
mod shared;
mod source;
mod tracking;
mod validator;
mod verdict;

/// What providers send, decoded: protocols, deltas, ends.
pub use patchwire_sources as sources;

// The public interface is:
pub use answer::{Answer, Call};
pub use ask::{Ask, ask};
pub use check::Check;
pub use coalesce::Coalesced;
pub use deltas::{Deltas, DeltasError};
pub use elements::{Elements, Item};
pub use erase::{BoxFields, Erased, ErasedFuture, ErasedStream};
pub use error::{BoxError, Error};
pub use field::{Field, FieldEvent};
pub use input::{CallKey, Inputs, IntoBytes, Split, TextOnly};
pub use pipeline::OnExhausted;
pub use request::{Attempt, Once, Request};
pub use response::Response;
pub use shared::{REPLAY_BYTES, Shared, SharedElements, SharedEvents, SharedField};
pub use source::TokenStreamExt;
pub use verdict::Verdict;

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// So are those of the repository's README, which shows both crates.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Front;

/// And those of the page on retries.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/retries.md")]
struct Retries;

/// And of the page on asking models.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/chat.md")]
struct Asking;

/// And the recipes.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/recipes.md")]
struct Recipes;

/// And the page on prompts.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/prompts.md")]
struct Prompts;
