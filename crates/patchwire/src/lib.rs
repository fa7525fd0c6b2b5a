//! Turns the token stream of a language model into field-level patches while the model is still
//! writing.
#![forbid(unsafe_code)]

mod answer;
mod document;
mod error;
mod event;
mod finalize;
mod fold;
mod format;
mod leniency;
mod lex;
mod limits;
mod notice;
mod parser;
mod path;
mod scan;
pub mod schema;
mod span;
mod spec;
mod tags;
mod text;

// The public interface is:
pub use answer::{Answer, Outcome};
pub use document::{DataError, DepthError, DocId, Entries, NodeId, Value, ValueKind, ValueRef};
pub use error::{Error, ErrorKind, SyntaxError};
pub use event::{
    CloseReason, Completion, ElementId, ElementOpen, Event, Flow, Kind, Origin, OwnedEvent,
    OwnedPatch, Patch, ReasoningEvent, SkipReason, Text, TextEvent, Values, Wire,
};
pub use format::json::Roots;
pub use leniency::{Leniencies, Leniency};
pub use limits::{Limit, Limits, UnknownLimit};
pub use notice::{Code, Notice, OwnedNotice, Severity};
pub use parser::Parser;
pub use path::{
    JsonPath, Path, PathBuf, Pattern, PatternError, Pointer, Segment, Segments, Wildcard,
};
pub use schema::{Schema, SchemaError};
pub use span::Span;
pub use spec::{Format, Spec, SpecBuilder, SpecError, Strictness};
pub use tags::{Channel, Family, TagSet, TagSetError};

/// Where a format comes into the engine from outside. Not stable.
#[doc(hidden)]
pub mod seam {
    pub use crate::format::Machine;
    pub use crate::lex::{Input, Scalar, Slice, Token, What};
}
