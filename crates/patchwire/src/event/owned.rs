//! Events that outlive the parser: `Send`, `'static`, cheap to clone.

use std::sync::{Arc, LazyLock};

use bytestring::ByteString;

use super::{
    CloseReason, CommentEvent, Completion, ElementId, ElementOpen, Event, Origin, Params, Patch,
    PatchOp, ReasoningEvent, Rejection, SkipReason, Text, TextEvent,
};
use crate::answer::Answer;
use crate::check::Failure;
use crate::document::{DocId, Document, NodeId, NodeKind, Placement, Value, ValueRef};
use crate::notice::{Notice, OwnedNotice};
use crate::path::{Path, PathBuf};
use crate::span::Span;

/// An [`Event`] on its own.
///
/// Through serde, and printed, it is its wire form, the same that [`Event::wire`] gives with
/// [`IncludeValues::Leaf`](crate::wire::IncludeValues::Leaf). Text is a slice of the buffer that was fed, where that
/// was [`Bytes`](bytes::Bytes).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum OwnedEvent {
    /// A field of a document opened, grew, was completed, replaced or removed.
    Patch(OwnedPatch),
    /// Text outside any payload.
    #[non_exhaustive]
    Text {
        /// Where the tag set routes it; `text` outside elements.
        channel: ByteString,
        /// The element it lies in.
        element: Option<ElementId>,
        /// The new text.
        delta: ByteString,
        /// The bytes.
        span: Span,
    },
    /// A piece of the model's reasoning.
    #[non_exhaustive]
    Reasoning {
        /// The element it lies in; none for reasoning that the provider sends apart.
        element: Option<ElementId>,
        /// The new text.
        delta: ByteString,
        /// The bytes.
        span: Span,
    },
    /// The reasoning of one element ended.
    #[non_exhaustive]
    ReasoningDone {
        /// Where.
        span: Span,
    },
    /// An element of the tag set opened.
    #[non_exhaustive]
    ElementOpen {
        /// The element.
        id: ElementId,
        /// The element it lies in.
        parent: Option<ElementId>,
        /// The family's name.
        name: ByteString,
        /// Where its text goes.
        channel: ByteString,
        /// What the opener says beside its name: names and values.
        params: Vec<(String, String)>,
        /// The opener's bytes.
        span: Span,
    },
    /// An element of the tag set closed.
    #[non_exhaustive]
    ElementClose {
        /// The element.
        id: ElementId,
        /// What closed it.
        reason: CloseReason,
        /// The closer's bytes; empty if there was none.
        span: Span,
    },
    /// A marker that closes what was not open was dropped.
    #[non_exhaustive]
    Stray {
        /// The family it belongs to.
        name: ByteString,
        /// Its bytes.
        span: Span,
    },
    /// A comment, or a piece of it.
    #[non_exhaustive]
    Comment {
        /// The element it lies in.
        element: Option<ElementId>,
        /// The new text; empty at its end.
        delta: ByteString,
        /// Whether it ends here.
        is_complete: bool,
        /// The bytes.
        span: Span,
    },
    /// Text that was emitted already belongs to another channel.
    #[non_exhaustive]
    Reclassify {
        /// Where it begins.
        from: u64,
        /// Where it ends.
        to: u64,
        /// The channel.
        channel: ByteString,
    },
    /// Bytes that are no part of the answer were passed over.
    #[non_exhaustive]
    Skipped {
        /// Why.
        reason: SkipReason,
        /// The bytes.
        span: Span,
    },
    /// Something was skipped, repaired or guessed.
    Notice(OwnedNotice),
    /// The root of a payload closed: a caller may stop a model that will not.
    #[non_exhaustive]
    RootComplete {
        /// The document.
        document: DocId,
        /// Just past the root's last byte.
        offset: u64,
    },
    /// The answer falls short already.
    Verdict(Failure),
    /// A tool call began, or more of its name came. From layers that read a provider's stream.
    #[non_exhaustive]
    ToolCall {
        /// The document its arguments are.
        document: DocId,
        /// Its number, as in [`Origin::call`].
        call: u32,
        /// The provider's name for this call.
        id: Option<ByteString>,
        /// The tool.
        name: Option<ByteString>,
    },
    /// All of a document so far, for a consumer that missed events. From layers that keep a log.
    #[non_exhaustive]
    Snapshot {
        /// The document.
        document: DocId,
        /// The document's element, root, attempt and call.
        origin: Origin,
        /// Its value so far.
        value: Value,
    },
    /// An attempt's answer was not taken. From layers that check answers.
    Rejected(Arc<Rejection>),
    /// The model is asked again. From layers that do; [`Reset`](Self::Reset) follows.
    #[non_exhaustive]
    Retrying {
        /// The attempt that begins.
        attempt: u32,
        /// Why.
        rejection: Arc<Rejection>,
    },
    /// What earlier attempts gave is void. From layers that ask a model again.
    #[non_exhaustive]
    Reset {
        /// The attempt that begins.
        attempt: u32,
    },
    /// The last event: the answer.
    Final(Answer),
}

/// A [`Patch`] on its own.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OwnedPatch {
    /// The document it belongs to: every document begins at the empty path.
    pub document: DocId,
    /// The document's element, root, attempt and call.
    pub origin: Origin,
    /// The field's number in its document.
    pub node: NodeId,
    /// The field.
    pub path: PathBuf,
    /// What happened to it.
    pub op: PatchOp,
    /// New text; empty unless a string grew.
    pub delta: ByteString,
    /// The empty value on `Open`, the value on the `Done` of a string or scalar and on `Replace`.
    /// None for the rest, which would have to be copied again and again, and where the parser
    /// keeps no value.
    pub value: Option<Value>,
    /// How the end is known, if this is one.
    pub completion: Option<Completion>,
    /// Whether a rule of lenient reading shaped the value.
    pub repaired: bool,
    /// Whether the value was read whole before it was given out.
    pub deferred: bool,
    /// The bytes.
    pub span: Span,
}

impl OwnedPatch {
    /// Whether the field is complete.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        match self.op {
            PatchOp::Done => true,
            PatchOp::Replace => self.completion.is_some(),
            _ => false,
        }
    }
}

impl Event<'_> {
    /// The event on its own.
    #[must_use]
    pub fn to_owned(&self) -> OwnedEvent {
        match *self {
            Self::Patch(patch) => OwnedEvent::Patch(patch.to_owned()),
            Self::Text(TextEvent { channel, element, delta, span }) => {
                let channel = shared_name(channel);
                OwnedEvent::Text { channel, element, delta: delta.to_shared(), span }
            }
            Self::Reasoning(ReasoningEvent { element, delta, span }) => {
                OwnedEvent::Reasoning { element, delta: delta.to_shared(), span }
            }
            Self::ReasoningDone { span } => OwnedEvent::ReasoningDone { span },
            Self::ElementOpen(ElementOpen { id, parent, name, channel, params, span }) => {
                let (name, channel) = (shared_name(name), shared_name(channel));
                let params = params.to_owned();
                OwnedEvent::ElementOpen { id, parent, name, channel, params, span }
            }
            Self::ElementClose { id, reason, span } => {
                OwnedEvent::ElementClose { id, reason, span }
            }
            Self::Stray { name, span } => OwnedEvent::Stray { name: shared_name(name), span },
            Self::Comment(CommentEvent { element, delta, is_complete, span }) => {
                OwnedEvent::Comment { element, delta: delta.to_shared(), is_complete, span }
            }
            Self::Reclassify { from, to, channel } => {
                OwnedEvent::Reclassify { from, to, channel: shared_name(channel) }
            }
            Self::Skipped { reason, span } => OwnedEvent::Skipped { reason, span },
            Self::Notice(notice) => OwnedEvent::Notice(notice.to_owned()),
            Self::RootComplete { document, offset } => {
                OwnedEvent::RootComplete { document, offset }
            }
            Self::Verdict(failure) => OwnedEvent::Verdict(failure.clone()),
            Self::ToolCall { document, call, id, name } => {
                let (id, name) = (id.map(ByteString::from), name.map(ByteString::from));
                OwnedEvent::ToolCall { document, call, id, name }
            }
            Self::Snapshot { document, origin, value } => {
                OwnedEvent::Snapshot { document, origin: *origin, value: value.to_value() }
            }
            Self::Rejected(rejection) => OwnedEvent::Rejected(Arc::new(rejection.clone())),
            Self::Retrying { attempt, rejection } => {
                OwnedEvent::Retrying { attempt, rejection: Arc::new(rejection.clone()) }
            }
            Self::Reset { attempt } => OwnedEvent::Reset { attempt },
            Self::Final(answer) => OwnedEvent::Final(answer.clone()),
        }
    }
}

impl From<Event<'_>> for OwnedEvent {
    fn from(event: Event<'_>) -> Self {
        event.to_owned()
    }
}

impl Patch<'_> {
    /// The patch on its own. See [`OwnedPatch::value`] for which kinds keep their value.
    ///
    /// Its path is a copy; a [`Recorder`](super::Recorder) shares paths between patches.
    #[must_use]
    pub fn to_owned(&self) -> OwnedPatch {
        self.to_owned_at(self.path.to_path_buf())
    }

    pub(super) fn to_owned_at(self, path: PathBuf) -> OwnedPatch {
        OwnedPatch {
            document: self.document,
            origin: *self.origin,
            node: self.node,
            path,
            op: self.op,
            delta: self.delta.to_shared(),
            value: kept_value(&self),
            completion: self.completion,
            repaired: self.repaired,
            deferred: self.deferred,
            span: self.span,
        }
    }
}

fn kept_value(patch: &Patch<'_>) -> Option<Value> {
    let value = patch.value;
    if !value.exists() {
        return None;
    }
    match patch.op {
        PatchOp::Open => Some(empty(value.node_kind()).clone()),
        PatchOp::Done | PatchOp::Replace if is_leaf(value) => Some(copy_of_leaf(value)),
        PatchOp::Replace => Some(value.to_value()),
        PatchOp::Done | PatchOp::Delta | PatchOp::Remove => None,
    }
}

/// Whether a value is neither list nor object.
pub(crate) fn is_leaf(value: ValueRef<'_>) -> bool {
    !value.node_kind().is_container()
}

/// One node and its text; nothing new for what is the same everywhere.
fn copy_of_leaf(value: ValueRef<'_>) -> Value {
    match value.node_kind() {
        kind @ (NodeKind::Number | NodeKind::String) if !value.text().is_empty() => {
            single(kind, value.text())
        }
        kind => empty(kind).clone(),
    }
}

fn single(kind: NodeKind, text: &str) -> Value {
    let mut doc = Document::default();
    doc.scalar(Placement::Root, kind, text);
    Value::of(&Arc::new(doc))
}

/// The values that hold nothing of their own, made once and shared by all events.
struct Constants {
    absent: Value,
    null: Value,
    no: Value,
    yes: Value,
    string: Value,
    list: Value,
    object: Value,
}

static CONSTANTS: LazyLock<Constants> = LazyLock::new(|| Constants {
    absent: Value::of(&Arc::default()),
    null: single(NodeKind::Null, ""),
    no: single(NodeKind::False, ""),
    yes: single(NodeKind::True, ""),
    string: single(NodeKind::String, ""),
    list: single(NodeKind::List, ""),
    object: single(NodeKind::Object, ""),
});

/// The value of a kind that holds nothing. No number does, and none is ever opened: null.
pub(crate) fn empty(kind: NodeKind) -> &'static Value {
    match kind {
        NodeKind::Null | NodeKind::Number => &CONSTANTS.null,
        NodeKind::False => &CONSTANTS.no,
        NodeKind::True => &CONSTANTS.yes,
        NodeKind::String => &CONSTANTS.string,
        NodeKind::List => &CONSTANTS.list,
        NodeKind::Object => &CONSTANTS.object,
    }
}

/// Most text is in the channel `text`: that name need not be copied each time.
fn shared_name(name: &str) -> ByteString {
    match name {
        "text" => ByteString::from_static("text"),
        name => ByteString::from(name),
    }
}

impl OwnedEvent {
    /// The name on the wire.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.lend(Path::ROOT).name()
    }

    /// The bytes of the input this event accounts for. None for those that only point.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.lend(Path::ROOT).span()
    }

    /// Borrows the event. The caller lends `path`, because an owned path is linked from the leaf up and
    /// cannot lend one.
    pub(crate) fn lend<'a>(&'a self, path: Path<'a>) -> Event<'a> {
        match *self {
            Self::Patch(ref patch) => Event::Patch(patch.lend(path)),
            Self::Text { ref channel, element, ref delta, span } => {
                let delta = Text::new(delta, Some(delta));
                Event::Text(TextEvent { channel, element, delta, span })
            }
            Self::Reasoning { element, ref delta, span } => {
                let delta = Text::new(delta, Some(delta));
                Event::Reasoning(ReasoningEvent { element, delta, span })
            }
            Self::ReasoningDone { span } => Event::ReasoningDone { span },
            Self::ElementOpen { id, parent, ref name, ref channel, ref params, span } => {
                let params = Params::new(params);
                Event::ElementOpen(ElementOpen { id, parent, name, channel, params, span })
            }
            Self::ElementClose { id, reason, span } => Event::ElementClose { id, reason, span },
            Self::Stray { ref name, span } => Event::Stray { name, span },
            Self::Comment { element, ref delta, is_complete, span } => {
                let delta = Text::new(delta, Some(delta));
                Event::Comment(CommentEvent { element, delta, is_complete, span })
            }
            Self::Reclassify { from, to, ref channel } => Event::Reclassify { from, to, channel },
            Self::Skipped { reason, span } => Event::Skipped { reason, span },
            Self::Notice(OwnedNotice { code, span, .. }) => {
                Event::Notice(Notice { code, path, span })
            }
            Self::RootComplete { document, offset } => Event::RootComplete { document, offset },
            Self::Verdict(ref failure) => Event::Verdict(failure),
            Self::ToolCall { document, call, ref id, ref name } => {
                let (id, name) = (id.as_deref(), name.as_deref());
                Event::ToolCall { document, call, id, name }
            }
            Self::Snapshot { document, ref origin, ref value } => {
                Event::Snapshot { document, origin, value: value.as_ref() }
            }
            Self::Rejected(ref rejection) => Event::Rejected(rejection),
            Self::Retrying { attempt, ref rejection } => Event::Retrying { attempt, rejection },
            Self::Reset { attempt } => Event::Reset { attempt },
            Self::Final(ref answer) => Event::Final(answer),
        }
    }
}

impl OwnedPatch {
    fn lend<'a>(&'a self, path: Path<'a>) -> Patch<'a> {
        let absent = CONSTANTS.absent.as_ref();
        Patch {
            document: self.document,
            origin: &self.origin,
            node: self.node,
            path,
            op: self.op,
            delta: Text::new(&self.delta, Some(&self.delta)),
            value: self.value.as_ref().map_or(absent, Value::as_ref),
            completion: self.completion,
            repaired: self.repaired,
            deferred: self.deferred,
            span: self.span,
            root: absent,
        }
    }
}

#[cfg(test)]
mod tests;
