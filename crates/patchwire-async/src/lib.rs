//! Field-level patches from a stream of model output, on any async runtime.
//!
//! Wrap the stream of your client. The response is a stream of [events](ResponseEvent), and at the end
//! one cached answer.
//!
//! ```
//! use patchwire_async::{Spec, TokenStreamExt as _};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let tokens = tokio_stream::iter(["{\"title\": \"Hel", "lo\"}"]); // or any other stream of text
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
//! | repeat a request until its answer passes | [`ask()`], [`Attempt`], [`Verdict`], [`Check`], [`correction()`] |
//! | read it | [`Response`], [`Answer`], [`Call`] |
//! | read a part of it | [`Response::get`], [`text`](Response::text), [`values`](Response::values), [`each`](Response::each), [`drafts`](Response::drafts) |
//! | read it in several places | [`Shared`] |
//! | read it at the pace of a screen | [`Coalesced`] |
//!
//! The crate names no runtime and spawns nothing: polling drives the response. The source is not polled
//! while an event waits. Dropping the response drops the source. Every future can be dropped at any
//! `.await`, because all state is in the response.
//!
//! A response is `Send` if its source is, and always `Unpin`. Its [`Error`] is a `std::error::Error` whatever the error of
//! the source is.
//!
//! The feature `derive`, on by default, has `#[derive(Partial)]`. The feature `schemars` is off by default: it adds
//! `Schema::of`, which derives schemas from Rust types, and enables `preserve_order` of `serde_json` for the whole build.
#![forbid(unsafe_code)]
// Shows on docs.rs which features an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod answer;
mod argument_specs;
mod ask;
mod call_part;
mod check;
mod coalesce;
mod deltas;
mod documents;
mod drive;
mod erase;
mod error;
mod event;
mod event_queue;
mod input;
mod item;
mod parser_set;
mod part;
mod path_error;
mod pipeline;
mod pull;
mod rejection;
mod request;
mod response;
mod shared;
mod source;
mod stage;
mod sync;
mod tracking;
mod validator;
pub mod verbs;
mod verdict;
mod warning;

/// The decoders of provider streams: protocols, deltas, ends.
pub use patchwire_sources as sources;

/// The engine. What nearly every program needs of it is also at the root of this crate.
pub use patchwire;

// The public interface is the modules above, and:
pub use answer::{Answer, Call};
pub use ask::{Ask, ask};
pub use check::Check;
pub use coalesce::Coalesced;
pub use deltas::{Deltas, DeltasError};
pub use erase::{BoxFields, Erased, ErasedFuture, ErasedStream};
pub use error::{BoxError, Error, SourceError, SourceFailure};
pub use event::ResponseEvent;
pub use input::{CallKey, Inputs, IntoBytes, Split, TextOnly};
pub use item::{InfallibleStream, ItemOrError, StreamItem};
pub use part::Part;
pub use path_error::PathError;
pub use pipeline::{OnExhausted, correction};
pub use rejection::{Cause, Rejection};
pub use request::{Attempt, Once, Request};
pub use response::Response;
pub use shared::{REPLAY_BYTES, Shared, SharedEvents, SharedPart};
pub use source::TokenStreamExt;
pub use validator::{CheckAs, CheckAsAsync};
pub use verbs::{Item, TextDelta};
pub use verdict::Verdict;
pub use warning::Warning;

pub use patchwire::partial::Partial;
pub use patchwire::{
    Format, Outcome, OwnedEvent, OwnedPatch, PatchOp, Schema, Spec, SpecBuilder, SpecError,
    Strictness, TagSet, Value, ValueRef,
};
/// Makes the partial form of a type, for [`Response::drafts`]: see [`partial`](patchwire::partial).
#[cfg(feature = "derive")]
pub use patchwire_derive::PartialOfAsync as Partial;

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
