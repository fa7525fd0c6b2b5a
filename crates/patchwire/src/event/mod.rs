//! The events of the engine: flat, in the order of the bytes, borrowed from the chunk and the parser.

pub(crate) mod owned;
mod recorder;
mod shared_text;

pub use owned::{OwnedEvent, OwnedPatch};
pub use recorder::Recorder;
pub use shared_text::SharedText;

use core::fmt;
use core::ops::{ControlFlow, Deref};

use bytestring::ByteString;

use crate::answer::Answer;
use crate::check::Failure;
pub use crate::codes::SkipReason;
use crate::document::{DocId, NodeId, ValueRef};
pub use crate::element::{CloseReason, ElementId, Params};
use crate::notice::Notice;
use crate::path::Path;
use crate::span::Span;

/// An event of the stream.
///
/// Every event that consumes bytes has a span; those spans tile the input in order.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A field of a document opened, grew, was completed, replaced or removed.
    Patch(Patch<'a>),
    /// Text outside any payload.
    Text(TextEvent<'a>),
    /// The model's reasoning.
    Reasoning(ReasoningEvent<'a>),
    /// The reasoning of one element ended.
    ReasoningDone {
        /// The offset at which it ended, as an empty span.
        span: Span,
    },
    /// An element of the tag set opened.
    ElementOpen(ElementOpen<'a>),
    /// An element of the tag set closed.
    ElementClose {
        /// The element that closed.
        id: ElementId,
        /// Why it closed.
        reason: CloseReason,
        /// The closer's bytes; empty if there was none.
        span: Span,
    },
    /// A closer with nothing to close was dropped, or an opener that the prompt wrote already.
    Stray {
        /// The marker's family.
        name: &'a str,
        /// The marker's bytes.
        span: Span,
    },
    /// A comment, or a piece of it.
    Comment(CommentEvent<'a>),
    /// Text that was emitted already belongs to another channel: its opener was in the prompt. Earlier
    /// events stay; the views of the [`Answer`] take the change into account.
    Reclassify {
        /// The offset at which the text begins.
        from: u64,
        /// The offset just past the text.
        to: u64,
        /// The channel that the text belongs to.
        channel: &'a str,
    },
    /// Bytes that are not part of the answer were skipped.
    Skipped {
        /// Why they were skipped.
        reason: SkipReason,
        /// The skipped bytes.
        span: Span,
    },
    /// Something was skipped, repaired or guessed.
    Notice(Notice<'a>),
    /// The root of a payload closed. A caller may use it to stop a model that does not stop by itself.
    RootComplete {
        /// The document whose root closed.
        document: DocId,
        /// The offset just past the root's last byte.
        offset: u64,
    },
    /// A value closed that breaks a rule of the schema or of the caller's checks. A caller may stop the
    /// model here. The end can still correct it, if a member is written twice or another root fits better:
    /// [`Answer::failures`] is final.
    Verdict(&'a Failure),
    /// The last event: the answer.
    Final(&'a Answer),
}

impl Event<'_> {
    /// The name on the wire.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Patch(_) => "patch",
            Self::Text(_) => "text",
            Self::Reasoning(_) => "reasoning",
            Self::ReasoningDone { .. } => "reasoning_done",
            Self::ElementOpen(_) => "element_open",
            Self::ElementClose { .. } => "element_close",
            Self::Stray { .. } => "stray",
            Self::Comment(_) => "comment",
            Self::Reclassify { .. } => "reclassify",
            Self::Skipped { .. } => "skipped",
            Self::Notice(_) => "notice",
            Self::RootComplete { .. } => "root_complete",
            Self::Verdict(_) => "verdict",
            Self::Final(_) => "final",
        }
    }

    /// The bytes of the input that the event covers. `None` for events that only refer to bytes.
    #[must_use]
    pub const fn span(&self) -> Option<Span> {
        match self {
            Self::Patch(patch) => Some(patch.span),
            Self::Text(text) => Some(text.span),
            Self::Reasoning(text) => Some(text.span),
            Self::Comment(text) => Some(text.span),
            Self::ElementOpen(open) => Some(open.span),
            Self::ReasoningDone { span }
            | Self::ElementClose { span, .. }
            | Self::Stray { span, .. }
            | Self::Skipped { span, .. } => Some(*span),
            Self::Notice(_)
            | Self::Reclassify { .. }
            | Self::RootComplete { .. }
            | Self::Verdict(_)
            | Self::Final(_) => None,
        }
    }
}

crate::names::named! {
    /// The operation of a patch. To fold patches: `Open` and `Replace` set the value, `Delta` appends,
    /// `Done` sets the value of a scalar, also of a string that had no `Open`, and `Remove` deletes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[expect(clippy::exhaustive_enums, reason = "whoever folds patches must handle every kind")]
    pub enum PatchOp {
        /// A string or container began; its value is empty.
        Open = "open",
        /// A string grew.
        Delta = "delta",
        /// A value is complete. A number, bool or null is emitted as this single patch, and so is a string that
        /// is known only as a whole, such as one of an enum in YAML.
        Done = "done",
        /// The field has another value. Emitted by the finalizer; or, without a completion, by a stream
        /// that shows the shape of a value late: then the value may grow further.
        Replace = "replace",
        /// The value is gone. Emitted by the finalizer.
        Remove = "remove",
    }
}

crate::names::named! {
    /// How the end of a value is known.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Completion {
        /// Its closer or delimiter was read.
        Observed = "observed",
        /// The input ended.
        EndOfInput = "end_of_input",
        /// The finalizer decided.
        Reconciled = "reconciled",
    }
}

/// The origin of a document.
///
/// The engine sets `element` and `root`. It carries `attempt` and `call` for callers that read several
/// streams as one response, and never looks at them: in its own events they are 1 and none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Origin {
    /// The element whose body contains the document; none for the text outside elements.
    pub element: Option<ElementId>,
    /// The number of the root, if several roots follow one another.
    pub root: u32,
    /// The attempt of a repeated request, counted from 1 by the caller. The engine sets 1.
    pub attempt: u32,
    /// The tool call whose arguments the document contains, counted from 1 by the caller. The engine
    /// sets none.
    pub call: Option<u32>,
}

impl Origin {
    pub(crate) const ANSWER: Self = Self { element: None, root: 0, attempt: 1, call: None };
}

/// A change of a field.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Patch<'a> {
    /// The document that contains the field. Every document begins at the empty path.
    pub document: DocId,
    /// The document's element, root, attempt and call.
    pub origin: &'a Origin,
    /// The field's number in its document.
    pub node: NodeId,
    /// The path of the field.
    pub path: Path<'a>,
    /// The operation on the field.
    pub op: PatchOp,
    /// The new text of a string; otherwise empty.
    pub delta: Text<'a>,
    /// The value of the field so far, borrowed. If the parser keeps no values: the empty value on `Open`,
    /// the scalar on `Done`, and absent otherwise.
    pub value: ValueRef<'a>,
    /// How the end of the value is known, if the patch completes the value.
    pub completion: Option<Completion>,
    /// Whether a rule of lenient reading shaped the value.
    pub repaired: bool,
    /// Whether the value was read whole before it was emitted.
    pub deferred: bool,
    /// The bytes of the input that made the change.
    pub span: Span,
    pub(crate) root: ValueRef<'a>,
}

impl<'a> Patch<'a> {
    /// Whether the field is complete.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        match self.op {
            PatchOp::Done => true,
            PatchOp::Replace => self.completion.is_some(),
            _ => false,
        }
    }

    /// The whole document so far.
    #[must_use]
    pub const fn root(&self) -> ValueRef<'a> {
        self.root
    }
}

/// The text of a delta: a `&str`, and the buffer that contains it if the chunk was fed as
/// [`Bytes`](bytes::Bytes).
#[derive(Clone, Copy)]
pub struct Text<'a> {
    str: &'a str,
    buffer: Option<&'a ByteString>,
}

impl<'a> Text<'a> {
    pub(crate) const fn new(str: &'a str, buffer: Option<&'a ByteString>) -> Self {
        Self { str, buffer }
    }

    /// The text as a `&str`.
    #[must_use]
    pub const fn as_str(&self) -> &'a str {
        self.str
    }

    /// The text as an owned value. A text of more than 20 bytes is a slice of the fed buffer, if there is one; others are
    /// copied.
    ///
    /// A slice keeps the whole buffer alive. To keep it for long, call [`to_string`](ToString::to_string) instead.
    #[must_use]
    #[inline(always)]
    pub fn to_shared(self) -> SharedText {
        SharedText::or_long(self.str, || self.in_buffer())
    }

    /// A slice of the fed buffer, or else a copy.
    fn in_buffer(self) -> ByteString {
        match self.buffer {
            Some(buffer) if self.is_in_buffer() => buffer.slice_ref(self.str),
            _ => ByteString::from(self.str),
        }
    }

    /// Whether the text is a slice of the fed buffer.
    pub(crate) fn is_in_buffer(&self) -> bool {
        self.buffer.is_some_and(|buffer| lies_in(self.str, buffer))
    }
}

fn lies_in(part: &str, whole: &str) -> bool {
    let (part, whole) = (part.as_bytes().as_ptr_range(), whole.as_bytes().as_ptr_range());
    whole.start <= part.start && part.end <= whole.end
}

impl Deref for Text<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        self.str
    }
}

impl fmt::Debug for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.str, f)
    }
}

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.str)
    }
}

/// Text outside any payload.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct TextEvent<'a> {
    /// The channel that the tag set routes it to; `text` outside elements.
    pub channel: &'a str,
    /// The element that contains it.
    pub element: Option<ElementId>,
    /// The new text.
    pub delta: Text<'a>,
    /// The bytes of the text in the input.
    pub span: Span,
}

/// A piece of the model's reasoning.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct ReasoningEvent<'a> {
    /// The element that contains it; none for reasoning that the provider sends in a field of its own.
    pub element: Option<ElementId>,
    /// The new text.
    pub delta: Text<'a>,
    /// The bytes of the text in the input.
    pub span: Span,
}

/// A piece of a comment.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct CommentEvent<'a> {
    /// The element that contains it.
    pub element: Option<ElementId>,
    /// The new text; empty at the end of the comment.
    pub delta: Text<'a>,
    /// Whether the comment ends here.
    pub is_complete: bool,
    /// The bytes of the text in the input.
    pub span: Span,
}

/// An element of the tag set opened.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct ElementOpen<'a> {
    /// The element.
    pub id: ElementId,
    /// The element that contains it.
    pub parent: Option<ElementId>,
    /// The name of the element: that of its family, or the value of the parameter that names it.
    pub name: &'a str,
    /// The channel of its text.
    pub channel: &'a str,
    /// The parameters and attributes of the opener.
    pub params: Params<'a>,
    /// The bytes of the opener.
    pub span: Span,
}

/// The return type of an event closure: nothing, or a `ControlFlow`; `Break` stops the stream.
///
/// ```
/// use std::ops::ControlFlow;
/// use patchwire::{Event, Spec};
///
/// let mut parser = Spec::json().parser();
/// parser.feed(r#"{"title": "#, |_| {})?;
/// let stopped = parser.feed(r#""x"}"#, |event| match event {
///     Event::Patch(_) => ControlFlow::Break(()),
///     _ => ControlFlow::Continue(()),
/// });
/// assert!(stopped.is_err());
/// # Ok::<(), patchwire::Error>(())
/// ```
pub trait Flow: sealed::Sealed {
    /// Whether the stream continues.
    fn goes_on(self) -> bool;
}

impl Flow for () {
    fn goes_on(self) -> bool {
        true
    }
}

impl Flow for ControlFlow<()> {
    fn goes_on(self) -> bool {
        self.is_continue()
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for () {}
    impl Sealed for core::ops::ControlFlow<()> {}
}
