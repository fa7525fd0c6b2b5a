//! The events of [`patchwire`] in other people's protocols.
//!
//! An adapter takes events, borrowed or owned, and gives [`Message`]s. What carries them is up to you:
//! one a line, or in the frames of a server-sent event stream.
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
//! | send our own form, with everything in it | [`Own`] |
//! | send the value to code of yours, in any language | [`Ops`] |
//! | send the value to a JSON Patch library | [`JsonPatch`] |
//! | serve an agent's user interface | [`AgUi`], [`UiMessage`] |
//! | frame it | [`Sse`] |
//!
//! No IO, no runtime, no clock: events in, texts out.
#![forbid(unsafe_code)]

mod ag_ui;
mod calls;
mod change;
mod follow;
mod json_patch;
mod message;
mod ops;
mod own;
mod protocol;
mod spoken;
mod sse;
mod text;
mod told;
mod tree;
mod ui_message;

// The public interface is:
pub use ag_ui::AgUi;
pub use follow::Documents;
pub use json_patch::JsonPatch;
pub use message::Message;
pub use ops::Ops;
pub use own::Own;
pub use protocol::{Failure, Protocol};
pub use sse::Sse;
pub use told::Told;
pub use ui_message::UiMessage;

/// The examples of the page on all of them are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../docs/wire.md")]
struct Page;
