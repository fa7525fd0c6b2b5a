//! Turns the token stream of a language model into field-level patches while the model is still
//! writing.
//!
//! Feed bytes in any cuts to a [`Parser`]; it emits [`Event`]s: a [`Patch`] for each change of a field,
//! the text and reasoning around the payload, and a [`Notice`] for everything that was repaired. At the
//! end it gives one [`Answer`].
//!
//! ```
//! use patchwire::{Event, Spec};
//!
//! let mut parser = Spec::json().parser();
//! let mut paths = Vec::new();
//! for chunk in ["{\"city\": \"Par", "is\", \"n\": 1", "2}"] {
//!     parser.feed(chunk, |event| {
//!         if let Event::Patch(patch) = event {
//!             if patch.is_complete() {
//!                 paths.push(patch.path.to_string());
//!             }
//!         }
//!     })?;
//! }
//! assert_eq!(paths, ["city", "n", ""]);
//! assert_eq!(parser.finish(|_| {})?.value().to_string(), r#"{"city":"Paris","n":12}"#);
//! # Ok::<(), patchwire::Error>(())
//! ```
//!
//! | to | see |
//! |---|---|
//! | define what is expected | [`Spec`], [`Format`], [`Schema`], [`TagSet`], [`Limits`], [`Leniency`] |
//! | read a stream | [`Parser`], [`Event`], [`Patch`] |
//! | read values | [`ValueRef`], [`Answer`], [`Path`], [`Pattern`] |
//! | store or send events | [`OwnedEvent`], [`event::Recorder`], [`wire::JsonForm`], [`wire::LineWriter`] |
//!
//! The engine does no IO, has no clock and starts no thread. It holds back only undecided bytes, within
//! fixed bounds; see [`Parser::max_held`] and [`Limits`].
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `yaml` | on | schemas in YAML, and YAML values that must be read whole |
//! | `toml` | on | tag sets in TOML |
//! | `debug` | on | the states of the machines in `{:?}` of a [`Parser`] |
//! | `derive` | off | `#[derive(Partial)]` |
//! | `validate` | off | finished values are judged by all of their JSON Schema, see [`SpecBuilder::valid`] |
//! | `schemars` | off | `Schema::of`, which makes schemas from Rust types; enables `preserve_order` of `serde_json` for the whole build |
#![forbid(unsafe_code)]
// Shows on docs.rs which features an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![cfg_attr(
    not(feature = "_internals"),
    allow(unreachable_pub, dead_code, reason = "used by the module `internals` alone")
)]

pub mod answer;
mod caps;
pub mod check;
mod codes;
pub mod document;
mod element;
pub mod error;
pub mod event;
mod finalize;
mod fold;
mod format;
pub mod held;
pub mod leniency;
mod lex;
pub mod limits;
mod names;
pub mod notice;
mod order;
mod outline;
mod parser;
pub mod partial;
pub mod path;
pub mod prompt;
mod repair;
mod scan;
pub mod schema;
mod schema_text;
mod span;
pub mod spec;
pub mod tags;
mod text;
mod transcript;
#[cfg(feature = "validate")]
mod validate;
pub mod wire;

// The public interface is the modules above, and at the root what nearly every program needs:
pub use answer::{Answer, Outcome};
pub use document::{Value, ValueKind, ValueRef};
pub use error::{Error, ErrorKind};
pub use event::{Completion, Event, OwnedEvent, OwnedPatch, Patch, PatchOp};
pub use leniency::Leniency;
pub use limits::{Limit, Limits};
pub use notice::{Code, Notice};
pub use parser::Parser;
pub use partial::Partial;
#[cfg(feature = "derive")]
pub use patchwire_derive::Partial;
pub use path::{Path, PathBuf, Pattern};
pub use schema::Schema;
pub use span::Span;
pub use spec::{Format, Spec, SpecBuilder, SpecError, Strictness};
pub use tags::TagSet;

/// What this workspace's own crates need of the engine's inside: format machines from outside, and
/// what the trace shows. Not stable; only with the feature `_internals`.
#[cfg(feature = "_internals")]
pub mod internals {
    pub use crate::caps::{Caps, XmlCaps};
    pub use crate::document::tree::{Children, Tree, TreeNode, TreeRef};
    pub use crate::finalize::readings;
    pub use crate::format::row::{
        BarePayload, FieldEnding, FormatOptions, FormatRow, FormatSample, MemberTypes, NewMachine,
        PromptParts, PromptRequest,
    };
    pub use crate::format::xml::XmlBody;
    pub use crate::format::{
        AfterRun, Machine, MachineObject, Payloads, Position, Region, TextRun, TokenRecord,
    };
    pub use crate::lex::{Input, Scalar, Slice, Token, TokenKind};
    pub use crate::outline::{Form, Item, Kind};
    pub use crate::repair::{Explorer, Slip, Trial, Way, trial};
    pub use crate::tags::literal::{LiteralMarker, LiteralReason};
}

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
