//! The wire form: one JSON object per event.
//!
//! Each event lists its fields once, in order, into a sink. One sink writes a line, the other fills a serde
//! map. Neither knows the events, so the two forms cannot differ.

mod line_writer;
mod sink;
#[cfg(test)]
mod tests;

use core::fmt;

use serde::{Serialize, Serializer};

use crate::answer::Answer;
use crate::check::Failure;
use crate::codes::Code;
use crate::document::{DocId, ValueRef};
use crate::error::{Error, ErrorKind};
use crate::event::owned;
use crate::event::{
    CloseReason, ElementId, ElementOpen, Event, Origin, OwnedEvent, Patch, PatchOp, ReasoningEvent,
    TextEvent,
};
use crate::notice::{OwnedNotice, RepairCost};
use crate::path::{AnyPath, Path};
use crate::span::Span;
use crate::text::escape;
pub use line_writer::LineWriter;
use sink::{Datum, Described, FieldSink};

/// Which patches repeat the field's value on the wire.
///
/// A consumer that folds patches needs only [`Leaf`](Self::Leaf).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum IncludeValues {
    /// `open` (the empty value), `done` of strings and scalars, and `replace`.
    #[default]
    Leaf,
    /// Also `done` of lists and objects: each text is repeated once per level.
    Done,
    /// Also `delta`: each delta repeats the whole text of its string.
    All,
}

impl IncludeValues {
    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Leaf => "leaf",
            Self::Done => "done",
            Self::All => "all",
        }
    }
}

/// Appends a text as a JSON string (RFC 8259, section 7), with its quotes.
///
/// ```
/// let mut out = String::new();
/// patchwire::wire::append_json_string("a \"b\"\n", &mut out);
/// assert_eq!(out, r#""a \"b\"\n""#);
/// ```
pub fn append_json_string(text: &str, out: &mut String) {
    escape::append_quoted(text, out);
}

/// An event in its wire form. Made by [`Event::wire`].
///
/// `Display` prints one line of JSON, whatever the depth of its values. Serde writes equal fields, with the
/// bounds of [`ValueRef`]'s `Serialize`.
#[derive(Debug, Clone, Copy)]
pub struct JsonForm<'a> {
    event: Event<'a>,
    values: IncludeValues,
}

impl<'a> Event<'a> {
    /// The wire form of the event: for a network, a file or another language.
    #[must_use]
    pub const fn wire(self, values: IncludeValues) -> JsonForm<'a> {
        JsonForm { event: self, values }
    }
}

impl fmt::Display for JsonForm<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        sink::write_line(f, self)
    }
}

impl Serialize for JsonForm<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        sink::serialize(serializer, self)
    }
}

/// The wire form with [`IncludeValues::Leaf`], as one line of JSON.
impl fmt::Display for OwnedEvent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        sink::write_line(f, self)
    }
}

/// The wire form with [`IncludeValues::Leaf`].
impl Serialize for OwnedEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        sink::serialize(serializer, self)
    }
}

impl Error {
    /// The error as the last line of a stream: `{"event":"error","code":"limit_depth",…}`.
    #[must_use]
    pub fn wire(self) -> impl fmt::Display + Serialize + use<> {
        ErrorWire(self)
    }
}

struct ErrorWire(Error);

impl fmt::Display for ErrorWire {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        sink::write_line(f, self)
    }
}

impl Serialize for ErrorWire {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        sink::serialize(serializer, self)
    }
}

impl Described for ErrorWire {
    fn describe<S: FieldSink>(&self, sink: &mut S) -> Result<(), S::Error> {
        let Error { kind, offset } = self.0;
        sink.field("event", Datum::Text("error"))?;
        sink.field("code", Datum::Text(ErrorKind::name(kind)))?;
        sink.field("offset", Datum::Number(offset))?;
        sink.field("message", Datum::Printed(&kind))
    }
}

impl Described for JsonForm<'_> {
    fn describe<S: FieldSink>(&self, sink: &mut S) -> Result<(), S::Error> {
        sink.field("event", Datum::Text(self.event.name()))?;
        match self.event {
            Event::Patch(patch) => {
                return patch_fields(sink, &patch, AnyPath::Borrowed(patch.path), self.values);
            }
            Event::Text(text) => text_fields(sink, &text)?,
            Event::Reasoning(text) => reasoning_fields(sink, &text)?,
            Event::ElementOpen(open) => open_fields(sink, &open)?,
            Event::ElementClose { id, reason, .. } => {
                sink.field("id", Datum::Number(id.get().into()))?;
                sink.field("reason", Datum::Text(reason.name()))?;
                if let CloseReason::Interrupted { by } = reason {
                    sink.field("by", Datum::Number(by.get().into()))?;
                }
            }
            Event::Comment(comment) => {
                element_field(sink, comment.element)?;
                sink.field("delta", Datum::Text(comment.delta.as_str()))?;
                sink.field("is_complete", Datum::Bool(comment.is_complete))?;
            }
            Event::Reclassify { from, to, channel } => {
                sink.field("from", Datum::Number(from))?;
                sink.field("to", Datum::Number(to))?;
                sink.field("channel", Datum::Text(channel))?;
            }
            Event::Stray { name, .. } => sink.field("name", Datum::Text(name))?,
            Event::Skipped { reason, .. } => sink.field("reason", Datum::Text(reason.name()))?,
            Event::ReasoningDone { .. } => {}
            Event::Notice(notice) => {
                let path = notice.path;
                let path = (!path.is_empty()).then_some(&path as &dyn fmt::Display);
                return notice_fields(sink, notice.code, path, notice.span, notice.cost);
            }
            Event::RootComplete { document, offset } => {
                return root_fields(sink, document, offset);
            }
            Event::Verdict(failure) => failure.describe(sink)?,
            Event::Final(answer) => return answer_fields(sink, answer),
        }
        // The span comes last, unless the fields contain it.
        let span = self.event.span();
        span.map_or(Ok(()), |span| sink.field("span", Datum::Span(span)))
    }
}

impl Described for OwnedEvent {
    fn describe<S: FieldSink>(&self, sink: &mut S) -> Result<(), S::Error> {
        match self {
            // An owned notice keeps its path as text, which is all that the wire needs.
            Self::Notice(notice) => {
                sink.field("event", Datum::Text(self.name()))?;
                notice.describe(sink)
            }
            Self::Patch(patch) => {
                sink.field("event", Datum::Text(self.name()))?;
                let path = AnyPath::Owned(&patch.path);
                patch_fields(sink, &patch.lend(Path::ROOT), path, IncludeValues::Leaf)
            }
            _ => self.lend(Path::ROOT).wire(IncludeValues::Leaf).describe(sink),
        }
    }
}

impl Described for OwnedNotice {
    fn describe<S: FieldSink>(&self, sink: &mut S) -> Result<(), S::Error> {
        let path = (!self.path.is_empty()).then_some(&self.path as &dyn fmt::Display);
        notice_fields(sink, self.code, path, self.span, self.cost)
    }
}

fn patch_fields<S: FieldSink>(
    sink: &mut S,
    patch: &Patch<'_>,
    path: AnyPath<'_>,
    values: IncludeValues,
) -> Result<(), S::Error> {
    sink.field("kind", Datum::Text(patch.op.name()))?;
    sink.path(path)?;
    if patch.op == PatchOp::Delta {
        sink.field("delta", Datum::Text(patch.delta.as_str()))?;
    }
    if let Some(value) = shown_value(patch, values) {
        sink.field("value", Datum::Value(value))?;
    }
    sink.field("is_complete", Datum::Bool(patch.is_complete()))?;
    if let Some(completion) = patch.completion {
        sink.field("completion", Datum::Text(completion.name()))?;
    }
    if patch.repaired {
        sink.field("repaired", Datum::Bool(true))?;
    }
    if patch.deferred {
        sink.field("deferred", Datum::Bool(true))?;
    }
    sink.field("span", Datum::Span(patch.span))?;
    origin_fields(sink, patch.origin)
}

/// The value of a patch on the wire; `None` if it would repeat text that the caller did not ask for, or if
/// the parser keeps no values.
fn shown_value<'a>(patch: &Patch<'a>, values: IncludeValues) -> Option<ValueRef<'a>> {
    let value = patch.value;
    let shown = match patch.op {
        PatchOp::Open => {
            return value.exists().then(|| owned::empty(value.node_kind()).as_ref());
        }
        PatchOp::Delta => values == IncludeValues::All,
        PatchOp::Done => owned::is_leaf(value) || values != IncludeValues::Leaf,
        PatchOp::Replace => true,
        PatchOp::Remove => false,
    };
    (shown && value.exists()).then_some(value)
}

/// The origin of a document. Parts that have their default are left out.
fn origin_fields<S: FieldSink>(sink: &mut S, origin: &Origin) -> Result<(), S::Error> {
    element_field(sink, origin.element)?;
    if origin.root != Origin::ANSWER.root {
        sink.field("root", Datum::Number(origin.root.into()))?;
    }
    if origin.attempt != Origin::ANSWER.attempt {
        sink.field("attempt", Datum::Number(origin.attempt.into()))?;
    }
    origin.call.map_or(Ok(()), |call| sink.field("call", Datum::Number(call.into())))
}

fn element_field<S: FieldSink>(sink: &mut S, element: Option<ElementId>) -> Result<(), S::Error> {
    element.map_or(Ok(()), |id| sink.field("element", Datum::Number(id.get().into())))
}

fn text_fields<S: FieldSink>(sink: &mut S, text: &TextEvent<'_>) -> Result<(), S::Error> {
    sink.field("channel", Datum::Text(text.channel))?;
    element_field(sink, text.element)?;
    sink.field("delta", Datum::Text(text.delta.as_str()))
}

fn reasoning_fields<S: FieldSink>(sink: &mut S, text: &ReasoningEvent<'_>) -> Result<(), S::Error> {
    sink.field("delta", Datum::Text(text.delta.as_str()))?;
    element_field(sink, text.element)
}

fn open_fields<S: FieldSink>(sink: &mut S, open: &ElementOpen<'_>) -> Result<(), S::Error> {
    sink.field("id", Datum::Number(open.id.get().into()))?;
    if let Some(parent) = open.parent {
        sink.field("parent", Datum::Number(parent.get().into()))?;
    }
    sink.field("name", Datum::Text(open.name))?;
    sink.field("params", Datum::Params(open.params))?;
    sink.field("channel", Datum::Text(open.channel))
}

fn notice_fields<S: FieldSink>(
    sink: &mut S,
    code: Code,
    path: Option<&dyn fmt::Display>,
    span: Span,
    cost: Option<RepairCost>,
) -> Result<(), S::Error> {
    sink.field("code", Datum::Text(code.name()))?;
    if let Some(path) = path {
        sink.field("path", Datum::Printed(path))?;
    }
    sink.field("span", Datum::Span(span))?;
    if let Some(RepairCost { cost, streamed }) = cost {
        sink.field("cost", Datum::Number(cost.into()))?;
        if let Some(streamed) = streamed {
            sink.field("streamed_cost", Datum::Number(streamed.into()))?;
        }
    }
    sink.field("message", Datum::Text(code.message()))
}

fn root_fields<S: FieldSink>(sink: &mut S, document: DocId, offset: u64) -> Result<(), S::Error> {
    sink.field("offset", Datum::Number(offset))?;
    if document != DocId::ANSWER {
        sink.field("document", Datum::Number(document.0.into()))?;
    }
    Ok(())
}

fn answer_fields<S: FieldSink>(sink: &mut S, answer: &Answer) -> Result<(), S::Error> {
    sink.field("outcome", Datum::Text(answer.outcome().name()))?;
    sink.field("value", Datum::Value(answer.value()))?;
    sink.field("reasoning", Datum::Text(answer.reasoning()))?;
    sink.field("text", Datum::Text(answer.text()))?;
    sink.field("notices", Datum::Notices(answer.notices()))?;
    if answer.notice_count() > answer.notices().len() as u64 {
        sink.field("notice_count", Datum::Number(answer.notice_count()))?;
    }
    if !answer.failures().is_empty() {
        sink.field("failures", Datum::Failures(answer.failures()))?;
    }
    Ok(())
}

impl Described for Failure {
    fn describe<S: FieldSink>(&self, sink: &mut S) -> Result<(), S::Error> {
        sink.field("kind", Datum::Text(self.kind.name()))?;
        if !self.path.is_empty() {
            sink.field("path", Datum::Printed(&self.path))?;
        }
        if let Some(keyword) = &self.keyword {
            sink.field("keyword", Datum::Text(keyword))?;
        }
        sink.field("message", Datum::Printed(self))
    }
}

/// A failure as JSON: `{"kind":"blank","path":"title","message":"title is blank"}`.
impl Serialize for Failure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        sink::serialize(serializer, self)
    }
}
