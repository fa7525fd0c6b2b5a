//! Owned events: `Send`, `'static`, cheap to clone.

use std::sync::{Arc, LazyLock};

use super::{
    CloseReason, CommentEvent, Completion, ElementId, ElementOpen, Event, Origin, Params, Patch,
    PatchOp, ReasoningEvent, SharedText, SkipReason, Text, TextEvent,
};
use crate::answer::Answer;
use crate::check::Failure;
use crate::document::{DocId, Document, NodeId, NodeKind, Value, ValueRef};
use crate::notice::{Notice, OwnedNotice};
use crate::path::{Path, PathBuf};
use crate::span::Span;

/// An owned [`Event`].
///
/// Serde and `Display` write its wire form, equal to [`Event::wire`] with
/// [`IncludeValues::Leaf`](crate::wire::IncludeValues::Leaf). A text of more than 20 bytes is a slice of
/// the fed buffer, if that was [`Bytes`](bytes::Bytes).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum OwnedEvent {
    /// A field of a document opened, grew, was completed, replaced or removed.
    Patch(OwnedPatch),
    /// Text outside any payload.
    #[non_exhaustive]
    Text {
        /// The channel that the tag set routes it to; `text` outside elements.
        channel: SharedText,
        /// The element that contains it.
        element: Option<ElementId>,
        /// The new text.
        delta: SharedText,
        /// The bytes of the text in the input.
        span: Span,
    },
    /// A piece of the model's reasoning.
    #[non_exhaustive]
    Reasoning {
        /// The element that contains it; none for reasoning that the provider sends in a field of its own.
        element: Option<ElementId>,
        /// The new text.
        delta: SharedText,
        /// The bytes of the text in the input.
        span: Span,
    },
    /// The reasoning of one element ended.
    #[non_exhaustive]
    ReasoningDone {
        /// The offset at which it ended, as an empty span.
        span: Span,
    },
    /// An element of the tag set opened.
    #[non_exhaustive]
    ElementOpen {
        /// The element.
        id: ElementId,
        /// The element that contains it.
        parent: Option<ElementId>,
        /// The name of the element: that of its family, or the value of the parameter that names it.
        name: SharedText,
        /// The channel of its text.
        channel: SharedText,
        /// The parameters and attributes of the opener: names and values.
        params: Vec<(String, String)>,
        /// The bytes of the opener.
        span: Span,
    },
    /// An element of the tag set closed.
    #[non_exhaustive]
    ElementClose {
        /// The element that closed.
        id: ElementId,
        /// Why it closed.
        reason: CloseReason,
        /// The closer's bytes; empty if there was none.
        span: Span,
    },
    /// A closer with nothing to close was dropped.
    #[non_exhaustive]
    Stray {
        /// The marker's family.
        name: SharedText,
        /// The marker's bytes.
        span: Span,
    },
    /// A comment, or a piece of it.
    #[non_exhaustive]
    Comment {
        /// The element that contains it.
        element: Option<ElementId>,
        /// The new text; empty at the end of the comment.
        delta: SharedText,
        /// Whether the comment ends here.
        is_complete: bool,
        /// The bytes of the text in the input.
        span: Span,
    },
    /// Text that was emitted already belongs to another channel.
    #[non_exhaustive]
    Reclassify {
        /// The offset at which the text begins.
        from: u64,
        /// The offset just past the text.
        to: u64,
        /// The channel that the text belongs to.
        channel: SharedText,
    },
    /// Bytes that are not part of the answer were skipped.
    #[non_exhaustive]
    Skipped {
        /// Why they were skipped.
        reason: SkipReason,
        /// The skipped bytes.
        span: Span,
    },
    /// Something was skipped, repaired or guessed.
    Notice(OwnedNotice),
    /// The root of a payload closed. A caller may use it to stop a model that does not stop by itself.
    #[non_exhaustive]
    RootComplete {
        /// The document whose root closed.
        document: DocId,
        /// The offset just past the root's last byte.
        offset: u64,
    },
    /// A value closed that breaks a rule of the schema or of the caller's checks.
    Verdict(Failure),
    /// The last event: the answer.
    Final(Answer),
}

/// An owned [`Patch`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OwnedPatch {
    /// The document that contains the field. Every document begins at the empty path.
    pub document: DocId,
    /// The document's element, root, attempt and call.
    pub origin: Origin,
    /// The field's number in its document.
    pub node: NodeId,
    /// The path of the field.
    pub path: PathBuf,
    /// The operation on the field.
    pub op: PatchOp,
    /// The new text of a string; otherwise empty.
    pub delta: SharedText,
    /// The empty value on `Open`, the value of a string or scalar on `Done`, and the value on `Replace`.
    /// `None` for other patches, where a copy each time would be costly, and if the parser keeps no values.
    pub value: Option<Value>,
    /// How the end of the value is known, if the patch completes the value.
    pub completion: Option<Completion>,
    /// Whether a rule of lenient reading shaped the value.
    pub repaired: bool,
    /// Whether the value was read whole before it was emitted.
    pub deferred: bool,
    /// The bytes of the input that made the change.
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
    /// An owned copy of the event.
    #[must_use]
    pub fn to_owned(&self) -> OwnedEvent {
        match *self {
            Self::Patch(patch) => OwnedEvent::Patch(patch.to_owned()),
            Self::Text(TextEvent { channel, element, delta, span }) => {
                let channel = SharedText::from(channel);
                OwnedEvent::Text { channel, element, delta: delta.to_shared(), span }
            }
            Self::Reasoning(ReasoningEvent { element, delta, span }) => {
                OwnedEvent::Reasoning { element, delta: delta.to_shared(), span }
            }
            Self::ReasoningDone { span } => OwnedEvent::ReasoningDone { span },
            Self::ElementOpen(ElementOpen { id, parent, name, channel, params, span }) => {
                let (name, channel) = (SharedText::from(name), SharedText::from(channel));
                let params = params.to_owned();
                OwnedEvent::ElementOpen { id, parent, name, channel, params, span }
            }
            Self::ElementClose { id, reason, span } => {
                OwnedEvent::ElementClose { id, reason, span }
            }
            Self::Stray { name, span } => OwnedEvent::Stray { name: SharedText::from(name), span },
            Self::Comment(CommentEvent { element, delta, is_complete, span }) => {
                OwnedEvent::Comment { element, delta: delta.to_shared(), is_complete, span }
            }
            Self::Reclassify { from, to, channel } => {
                OwnedEvent::Reclassify { from, to, channel: SharedText::from(channel) }
            }
            Self::Skipped { reason, span } => OwnedEvent::Skipped { reason, span },
            Self::Notice(notice) => OwnedEvent::Notice(notice.to_owned()),
            Self::RootComplete { document, offset } => {
                OwnedEvent::RootComplete { document, offset }
            }
            Self::Verdict(failure) => OwnedEvent::Verdict(failure.clone()),
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
    /// An owned copy of the patch. [`OwnedPatch::value`] lists the operations that keep the value.
    ///
    /// The path is copied; a [`Recorder`](super::Recorder) shares paths between patches.
    #[must_use]
    pub fn to_owned(&self) -> OwnedPatch {
        let (path, delta) = (self.path.to_path_buf(), self.delta.to_shared());
        self.owned_with(path, delta, kept_value(self, single))
    }

    #[inline(always)]
    pub(super) fn owned_with(
        &self,
        path: PathBuf,
        delta: SharedText,
        value: Option<Value>,
    ) -> OwnedPatch {
        OwnedPatch {
            document: self.document,
            origin: *self.origin,
            node: self.node,
            path,
            op: self.op,
            delta,
            value,
            completion: self.completion,
            repaired: self.repaired,
            deferred: self.deferred,
            span: self.span,
        }
    }
}

/// The value that an owned patch keeps; a text or a number of its own is made by `leaf`.
#[inline]
pub(super) fn kept_value(
    patch: &Patch<'_>,
    leaf: impl FnOnce(NodeKind, &str) -> Value,
) -> Option<Value> {
    let value = patch.value;
    if !value.exists() {
        return None;
    }
    match patch.op {
        PatchOp::Open => Some(empty(value.node_kind()).clone()),
        PatchOp::Done | PatchOp::Replace if is_leaf(value) => Some(copy_of_leaf(value, leaf)),
        PatchOp::Replace => Some(value.to_value()),
        PatchOp::Done | PatchOp::Delta | PatchOp::Remove => None,
    }
}

/// Whether a value is neither list nor object.
pub(crate) fn is_leaf(value: ValueRef<'_>) -> bool {
    !value.node_kind().is_container()
}

/// Copies one node and its text. Values without text come from shared constants.
#[inline]
fn copy_of_leaf(value: ValueRef<'_>, leaf: impl FnOnce(NodeKind, &str) -> Value) -> Value {
    match (value.node_kind(), value.text()) {
        (kind @ (NodeKind::Number | NodeKind::String), text) if !text.is_empty() => {
            leaf(kind, text)
        }
        (kind, _) => empty(kind).clone(),
    }
}

pub(super) fn single(kind: NodeKind, text: &str) -> Value {
    Value::of(&Arc::new(Document::one_scalar(kind, text)))
}

/// Values without text or children, made once and shared by all events.
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

/// The empty value of a kind. A number has none and is never opened: null.
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

impl OwnedEvent {
    /// The name on the wire.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.lend(Path::ROOT).name()
    }

    /// The bytes of the input that the event covers. `None` for events that only refer to bytes.
    #[must_use]
    pub fn span(&self) -> Option<Span> {
        self.lend(Path::ROOT).span()
    }

    /// Borrows the event. The caller provides `path`, because an owned path is a list from the leaf up and
    /// cannot be borrowed as a [`Path`].
    pub(crate) fn lend<'a>(&'a self, path: Path<'a>) -> Event<'a> {
        match *self {
            Self::Patch(ref patch) => Event::Patch(patch.lend(path)),
            Self::Text { ref channel, element, ref delta, span } => {
                let delta = Text::new(delta, delta.buffer());
                Event::Text(TextEvent { channel, element, delta, span })
            }
            Self::Reasoning { element, ref delta, span } => {
                let delta = Text::new(delta, delta.buffer());
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
                let delta = Text::new(delta, delta.buffer());
                Event::Comment(CommentEvent { element, delta, is_complete, span })
            }
            Self::Reclassify { from, to, ref channel } => Event::Reclassify { from, to, channel },
            Self::Skipped { reason, span } => Event::Skipped { reason, span },
            Self::Notice(OwnedNotice { code, span, cost, .. }) => {
                Event::Notice(Notice { code, path, span, cost })
            }
            Self::RootComplete { document, offset } => Event::RootComplete { document, offset },
            Self::Verdict(ref failure) => Event::Verdict(failure),
            Self::Final(ref answer) => Event::Final(answer),
        }
    }
}

impl OwnedPatch {
    pub(crate) fn lend<'a>(&'a self, path: Path<'a>) -> Patch<'a> {
        let absent = CONSTANTS.absent.as_ref();
        Patch {
            document: self.document,
            origin: &self.origin,
            node: self.node,
            path,
            op: self.op,
            delta: Text::new(&self.delta, self.delta.buffer()),
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
