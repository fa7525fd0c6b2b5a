//! What the engine emits: borrowed from the chunk and the parser, flat, in the order of the bytes.

pub(crate) mod owned;
mod recorder;
mod rejection;

pub use owned::{OwnedEvent, OwnedPatch};
pub use recorder::Recorder;
pub use rejection::{Cause, Rejection};

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

/// One thing that happened.
///
/// Every event that eats bytes has a span; those spans tile the input in order.
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
        /// Where.
        span: Span,
    },
    /// An element of the tag set opened.
    ElementOpen(ElementOpen<'a>),
    /// An element of the tag set closed.
    ElementClose {
        /// The element.
        id: ElementId,
        /// What closed it.
        reason: CloseReason,
        /// The closer's bytes; empty if there was none.
        span: Span,
    },
    /// A marker that closes what was not open was dropped.
    Stray {
        /// The family it belongs to.
        name: &'a str,
        /// Its bytes.
        span: Span,
    },
    /// A comment, or a piece of it.
    Comment(CommentEvent<'a>),
    /// Text that was emitted already belongs to another channel: the model's opener was in its prompt.
    /// What was emitted stays; [`Answer`]'s views go by this.
    Reclassify {
        /// Where it begins.
        from: u64,
        /// Where it ends.
        to: u64,
        /// The channel.
        channel: &'a str,
    },
    /// Bytes that are no part of the answer were passed over.
    Skipped {
        /// Why.
        reason: SkipReason,
        /// The bytes.
        span: Span,
    },
    /// Something was skipped, repaired or guessed.
    Notice(Notice<'a>),
    /// The root of a payload closed: a caller may stop a model that will not.
    RootComplete {
        /// The document.
        document: DocId,
        /// Just past the root's last byte.
        offset: u64,
    },
    /// The answer falls short already: a value closed that the schema, or what the caller wants, does
    /// not let pass. A caller may stop the model. The end may put it right still, where a member is
    /// written twice or another root fits better: [`Answer::failures`] has the last word.
    Verdict(&'a Failure),
    /// A tool call began, or more of its name came. From layers that read a provider's stream: the
    /// parser of one text never emits it.
    ToolCall {
        /// The document its arguments are.
        document: DocId,
        /// Its number, as in [`Origin::call`].
        call: u32,
        /// The provider's name for this call.
        id: Option<&'a str>,
        /// The tool.
        name: Option<&'a str>,
    },
    /// All of a document so far, for a consumer that missed events. From layers that keep a log.
    Snapshot {
        /// The document.
        document: DocId,
        /// The document's element, root, attempt and call.
        origin: &'a Origin,
        /// Its value so far.
        value: ValueRef<'a>,
    },
    /// An attempt's answer was not taken. From layers that check answers.
    Rejected(&'a Rejection),
    /// The model is asked again. From layers that do; [`Reset`](Self::Reset) follows.
    Retrying {
        /// The attempt that begins.
        attempt: u32,
        /// Why.
        rejection: &'a Rejection,
    },
    /// What earlier attempts gave is void. From layers that ask a model again.
    Reset {
        /// The attempt that begins.
        attempt: u32,
    },
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
            Self::ToolCall { .. } => "tool_call",
            Self::Snapshot { .. } => "snapshot",
            Self::Rejected(rejection) => rejection.cause.event_name(),
            Self::Retrying { .. } => "retrying",
            Self::Reset { .. } => "reset",
            Self::Final(_) => "final",
        }
    }

    /// The bytes of the input this event accounts for. None for those that only point.
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
            | Self::ToolCall { .. }
            | Self::Snapshot { .. }
            | Self::Rejected(_)
            | Self::Retrying { .. }
            | Self::Reset { .. }
            | Self::Final(_) => None,
        }
    }
}

crate::names::named! {
    /// What happened to a field. The fold goes by kind: `Open` and `Replace` set the value, `Delta`
    /// appends, `Done` sets a scalar's value, `Remove` deletes.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[expect(clippy::exhaustive_enums, reason = "whoever folds patches must handle every kind")]
    pub enum PatchOp {
        /// A string or container began; its value is empty.
        Open = "open",
        /// A string grew.
        Delta = "delta",
        /// A value is complete. Numbers, bools and nulls come as this one patch.
        Done = "done",
        /// The value is another one. From the finalizer, or, without a completion, from a stream that only
        /// now shows the shape of a value: then more may follow in it.
        Replace = "replace",
        /// From the finalizer: the value is gone.
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

/// Which document it is, in words: `(attempt, element, root)`, and the tool call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Origin {
    /// The element whose body it is; none for the text outside elements.
    pub element: Option<ElementId>,
    /// The number of the root, where several follow one another.
    pub root: u32,
    /// The attempt of a retried request, from 1.
    pub attempt: u32,
    /// The number, from 1, of the tool call whose arguments it is; none for the answer.
    pub call: Option<u32>,
}

impl Origin {
    pub(crate) const ANSWER: Self = Self { element: None, root: 0, attempt: 1, call: None };
}

/// One change of one field.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Patch<'a> {
    /// The document it belongs to: every document begins at the empty path.
    pub document: DocId,
    /// The document's element, root, attempt and call.
    pub origin: &'a Origin,
    /// The field's number in its document.
    pub node: NodeId,
    /// The field.
    pub path: Path<'a>,
    /// What happened to it.
    pub op: PatchOp,
    /// New text; empty unless a string grew.
    pub delta: Text<'a>,
    /// The field's value so far, not copied. Where the parser keeps no value: the empty value on
    /// `Open`, scalars on `Done`, else absent.
    pub value: ValueRef<'a>,
    /// How the end is known, if this is one.
    pub completion: Option<Completion>,
    /// Whether a rule of lenient reading shaped the value.
    pub repaired: bool,
    /// Whether the value was read whole before it was given out.
    pub deferred: bool,
    /// The bytes.
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

/// Text of a delta: a `&str`, and the buffer it lies in if the chunk was fed as
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

    /// The text.
    #[must_use]
    pub const fn as_str(&self) -> &'a str {
        self.str
    }

    /// The text on its own: a slice of the fed buffer where it lies in one, else a copy.
    ///
    /// A slice keeps the whole buffer alive; call [`to_string`](ToString::to_string) instead where a
    /// few bytes are kept for long.
    #[must_use]
    pub fn to_shared(self) -> ByteString {
        match self.buffer {
            Some(buffer) if lies_in(self.str, buffer) => buffer.slice_ref(self.str),
            _ => ByteString::from(self.str),
        }
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
    /// Where the tag set routes it; `text` outside elements.
    pub channel: &'a str,
    /// The element it lies in.
    pub element: Option<ElementId>,
    /// The new text.
    pub delta: Text<'a>,
    /// The bytes.
    pub span: Span,
}

/// A piece of the model's reasoning.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct ReasoningEvent<'a> {
    /// The element it lies in; none for reasoning that the provider sends apart.
    pub element: Option<ElementId>,
    /// The new text.
    pub delta: Text<'a>,
    /// The bytes.
    pub span: Span,
}

/// A piece of a comment.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct CommentEvent<'a> {
    /// The element it lies in.
    pub element: Option<ElementId>,
    /// The new text; empty at its end.
    pub delta: Text<'a>,
    /// Whether it ends here.
    pub is_complete: bool,
    /// The bytes.
    pub span: Span,
}

/// An element of the tag set opened.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct ElementOpen<'a> {
    /// The element.
    pub id: ElementId,
    /// The element it lies in.
    pub parent: Option<ElementId>,
    /// The family's name.
    pub name: &'a str,
    /// Where its text goes.
    pub channel: &'a str,
    /// What the opener says beside.
    pub params: Params<'a>,
    /// The opener's bytes.
    pub span: Span,
}

/// What a sink may return: nothing, or whether to go on.
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
    /// Whether to go on.
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
