//! The events of [`patchwire`] and of its responses in the protocols of other projects.
//!
//! An adapter takes events, borrowed or owned, and returns [`Message`]s. Send them as lines, or in the
//! frames of a server-sent event stream.
//!
//! ```
//! use patchwire::Spec;
//! use patchwire_wire::{JsonPatch, Protocol as _};
//!
//! let (mut parser, mut wire, mut lines) = (Spec::json().parser(), JsonPatch::default(), Vec::new());
//! for chunk in ["{\"city\": \"Par", "is\", \"n\": 1", "2}"] {
//!     parser.feed(chunk, |event| wire.feed(event.into(), &mut |it| lines.push(it.to_string())))?;
//! }
//! parser.finish(|event| wire.feed(event.into(), &mut |it| lines.push(it.to_string())))?;
//! assert_eq!(lines, [
//!     r#"[{"op":"add","path":"","value":{}}]"#,
//!     r#"[{"op":"add","path":"/city","value":""}]"#,
//!     r#"[{"op":"replace","path":"/city","value":"Par"}]"#,
//!     r#"[{"op":"replace","path":"/city","value":"Paris"}]"#,
//!     r#"[{"op":"add","path":"/n","value":12}]"#,
//! ]);
//! # Ok::<(), patchwire::Error>(())
//! ```
//!
//! | to | see |
//! |---|---|
//! | send everything, in patchwire's own JSON form | [`JsonEvents`] |
//! | send everything, in few bytes | [`Compact`] |
//! | send the value to your own code, in any language | [`Ops`] |
//! | send the value to a JSON Patch library | [`JsonPatch`] |
//! | serve an agent's user interface | [`AgUi`], [`UiMessage`] |
//! | frame it | [`Sse`] |
//!
//! The crate does no IO, names no runtime and reads no clock.
#![forbid(unsafe_code)]
// Shows on docs.rs which features an item needs.
#![cfg_attr(docsrs, feature(doc_cfg))]

mod ag_ui;
mod calls;
mod change;
mod compact;
mod documents;
mod event_ref;
mod field_numbers;
mod json_events;
mod json_patch;
mod message;
mod ops;
mod protocol;
mod sse;
mod text;
mod text_runs;
mod tree;
mod ui_message;

// The public interface is:
pub use ag_ui::AgUi;
pub use compact::Compact;
pub use documents::Documents;
pub use event_ref::EventRef;
pub use json_events::JsonEvents;
pub use json_patch::JsonPatch;
pub use message::Message;
pub use ops::Ops;
pub use protocol::{Failure, Protocol};
pub use sse::Sse;
pub use ui_message::UiMessage;

/// The README's example is a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The examples of the page on protocols are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/wire.md")]
struct Page;
