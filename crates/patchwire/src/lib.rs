//! Turns the token stream of a language model into field-level patches while the model is still
//! writing.
//!
//! Feed bytes in any cuts to a [`Parser`]; it tells [`Event`]s: a [`Patch`] for each change of a field,
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
//! | say what is expected | [`Spec`], [`Format`], [`Schema`], [`TagSet`], [`Limits`], [`Leniency`] |
//! | read a stream | [`Parser`], [`Event`], [`Patch`] |
//! | read values | [`ValueRef`], [`Answer`], [`Path`], [`Pattern`] |
//! | read an agent's history | [`ubik`] |
//! | hold a small model to kinds of answers | [`kinds`] |
//! | write events down | [`OwnedEvent`], [`Recorder`], [`Wire`] |
//!
//! The engine does no IO, has no clock and starts no thread. It holds back only what is undecided, by
//! bounds that are known; see [`Parser::max_held`] and [`Limits`].
//!
//! It has two features. `yaml` is on unless it is switched off: what of YAML has to be read whole, and schemas
//! in YAML. `schemars` is off: `Schema::of`, which makes schemas of Rust types, and with it `preserve_order` of
//! `serde_json`, in all of the build.
#![forbid(unsafe_code)]

mod answer;
mod caps;
mod check;
mod diagram;
mod document;
mod element;
mod error;
mod event;
mod finalize;
mod fold;
mod format;
mod held;
pub mod kinds;
mod leniency;
mod lex;
mod limits;
mod notice;
mod parser;
mod path;
mod prompt;
mod scan;
pub mod schema;
mod schema_text;
mod span;
mod spec;
mod story;
mod tags;
mod text;
pub mod ubik;

// The public interface is:
pub use answer::{Answer, Element, Node, Nodes, Outcome};
pub use check::{Failure, FailureKind};
pub use diagram::{Diagram, DiagramKind};
pub use document::{DataError, DepthError, DocId, Entries, NodeId, Value, ValueKind, ValueRef};
pub use error::{Error, ErrorKind, SyntaxError};
pub use event::{
    Cause, CloseReason, CommentEvent, Completion, ElementId, ElementOpen, Event, Flow, Kind,
    Origin, OwnedEvent, OwnedPatch, Params, Patch, ReasoningEvent, Recorder, Rejection, SkipReason,
    Text, TextEvent, Values, Wire,
};
pub use format::fields::Unwrap;
pub use format::json::Roots;
pub use held::{Held, HeldBy};
pub use leniency::{Leniencies, Leniency};
pub use lex::marker::MarkerError;
pub use limits::{Limit, Limits, UnknownLimit};
pub use notice::{Code, Notice, OwnedNotice, Severity};
pub use parser::Parser;
pub use path::{
    JsonPath, Path, PathBuf, Pattern, PatternError, Pointer, Segment, Segments, Wildcard,
};
pub use prompt::Prompt;
pub use schema::{Schema, SchemaError, SchemaForm};
pub use span::Span;
pub use spec::{Format, Spec, SpecBuilder, SpecError, Strictness, View};
pub use tags::{
    At, Attributes, Body, Case, Channel, Family, Guards, Inside, Mismatch, Run, Same, Stray,
    TagSet, TagSetBuilder, TagSetError, Visible,
};

/// Where a format comes into the engine from outside. Not stable.
#[doc(hidden)]
pub mod seam {
    pub use crate::caps::{Caps, XmlCaps};
    pub use crate::document::{Children, Tree, TreeNode, TreeRef};
    pub use crate::format::xml::XmlBody;
    pub use crate::format::{Machine, Plain, Seen};
    pub use crate::lex::{Input, Scalar, Slice, Token, What};
    pub use crate::tags::{Literal, LiteralMarker};
}
