//! The events that adapters take, borrowed or owned, in one view.

use core::fmt;

use patchwire::{
    Answer, Completion, Event, OwnedEvent, PatchOp, Path, PathBuf, Span, ValueRef,
    document::{DocId, NodeId},
    event::{ElementId, Origin},
    path::Segment,
    wire::{IncludeValues, LineWriter},
};
use patchwire_async::ResponseEvent;

/// An event: borrowed from a parser, owned, or of a response. Made with `into()`.
#[derive(Debug, Clone, Copy)]
pub struct EventRef<'e>(Source<'e>);

#[derive(Debug, Clone, Copy)]
enum Source<'e> {
    Borrowed(Event<'e>),
    Owned(&'e OwnedEvent),
    Response(&'e ResponseEvent),
}

impl<'e> From<Event<'e>> for EventRef<'e> {
    fn from(event: Event<'e>) -> Self {
        Self(Source::Borrowed(event))
    }
}

impl<'e> From<&Event<'e>> for EventRef<'e> {
    fn from(event: &Event<'e>) -> Self {
        Self(Source::Borrowed(*event))
    }
}

impl<'e> From<&'e OwnedEvent> for EventRef<'e> {
    fn from(event: &'e OwnedEvent) -> Self {
        Self(Source::Owned(event))
    }
}

impl<'e> From<&'e ResponseEvent> for EventRef<'e> {
    fn from(event: &'e ResponseEvent) -> Self {
        Self(match event {
            ResponseEvent::Parsed(event) => Source::Owned(event),
            event => Source::Response(event),
        })
    }
}

impl<'e> EventRef<'e> {
    /// The name of the event in its JSON form.
    pub(crate) fn name(&self) -> &'static str {
        match self.0 {
            Source::Borrowed(event) => event.name(),
            Source::Owned(event) => event.name(),
            Source::Response(event) => event.name(),
        }
    }

    /// The event in its JSON form. An owned event uses [`IncludeValues::Leaf`], whatever `values` is.
    pub(crate) fn line(&self, lines: &mut LineWriter, values: IncludeValues) -> String {
        let mut line = String::new();
        match self.0 {
            Source::Borrowed(event) => lines.append(&event, values, &mut line),
            Source::Owned(event) => lines.append_owned(event, &mut line),
            Source::Response(event) => return event.to_string(),
        }
        line
    }

    /// One event in its JSON form, with [`IncludeValues::Leaf`]. For events that are rare.
    pub(crate) fn single_line(&self) -> String {
        self.line(&mut LineWriter::default(), IncludeValues::Leaf)
    }

    /// The parts of the event that adapters need.
    pub(crate) fn view(&self) -> EventView<'e> {
        match self.0 {
            Source::Borrowed(event) => of_borrowed(event),
            Source::Owned(event) => of_owned(event),
            Source::Response(event) => of_response(event),
        }
    }
}

/// The parts of an event that adapters need.
#[derive(Debug, Clone, Copy)]
pub(crate) enum EventView<'e> {
    Patch(PatchView<'e>),
    Text { channel: &'e str, delta: &'e str, element: Option<ElementId>, span: Span },
    Reasoning { delta: &'e str, element: Option<ElementId>, span: Span },
    ReasoningDone,
    ElementOpen { id: ElementId, name: &'e str, channel: &'e str },
    ElementClose(ElementId),
    ToolCall { call: u32, id: Option<&'e str>, name: Option<&'e str> },
    Snapshot { document: DocId, origin: &'e Origin, value: ValueRef<'e> },
    Reset,
    Final(&'e Answer),
    Other,
}

/// A patch, borrowed or owned.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PatchView<'e> {
    pub(crate) document: DocId,
    pub(crate) node: NodeId,
    pub(crate) origin: &'e Origin,
    pub(crate) path: PathRef<'e>,
    pub(crate) op: PatchOp,
    pub(crate) delta: &'e str,
    pub(crate) value: Option<ValueRef<'e>>,
    pub(crate) completion: Option<Completion>,
    pub(crate) repaired: bool,
    pub(crate) deferred: bool,
    pub(crate) span: Span,
}

fn of_borrowed<'e>(event: Event<'e>) -> EventView<'e> {
    match event {
        Event::Patch(patch) => EventView::Patch(PatchView {
            document: patch.document,
            node: patch.node,
            origin: patch.origin,
            path: PathRef::Borrowed(patch.path),
            op: patch.op,
            delta: patch.delta.as_str(),
            value: Some(patch.value).filter(|value| value.exists()),
            completion: patch.completion,
            repaired: patch.repaired,
            deferred: patch.deferred,
            span: patch.span,
        }),
        Event::Text(text) => EventView::Text {
            channel: text.channel,
            delta: text.delta.as_str(),
            element: text.element,
            span: text.span,
        },
        Event::Reasoning(text) => EventView::Reasoning {
            delta: text.delta.as_str(),
            element: text.element,
            span: text.span,
        },
        Event::ReasoningDone { .. } => EventView::ReasoningDone,
        Event::ElementOpen(open) => {
            EventView::ElementOpen { id: open.id, name: open.name, channel: open.channel }
        }
        Event::ElementClose { id, .. } => EventView::ElementClose(id),
        Event::Final(answer) => EventView::Final(answer),
        _ => EventView::Other,
    }
}

fn of_owned(event: &OwnedEvent) -> EventView<'_> {
    match event {
        OwnedEvent::Patch(patch) => EventView::Patch(PatchView {
            document: patch.document,
            node: patch.node,
            origin: &patch.origin,
            path: PathRef::Owned(&patch.path),
            op: patch.op,
            delta: &patch.delta,
            value: patch.value.as_ref().map(|value| value.as_ref()),
            completion: patch.completion,
            repaired: patch.repaired,
            deferred: patch.deferred,
            span: patch.span,
        }),
        OwnedEvent::Text { channel, delta, element, span, .. } => {
            EventView::Text { channel, delta, element: *element, span: *span }
        }
        OwnedEvent::Reasoning { element, delta, span, .. } => {
            EventView::Reasoning { delta, element: *element, span: *span }
        }
        OwnedEvent::ReasoningDone { .. } => EventView::ReasoningDone,
        OwnedEvent::ElementOpen { id, name, channel, .. } => {
            EventView::ElementOpen { id: *id, name, channel }
        }
        OwnedEvent::ElementClose { id, .. } => EventView::ElementClose(*id),
        OwnedEvent::Final(answer) => EventView::Final(answer),
        _ => EventView::Other,
    }
}

fn of_response(event: &ResponseEvent) -> EventView<'_> {
    match event {
        ResponseEvent::Parsed(event) => of_owned(event),
        ResponseEvent::ToolCall { call, id, name, .. } => {
            EventView::ToolCall { call: *call, id: id.as_deref(), name: name.as_deref() }
        }
        ResponseEvent::Snapshot { document, origin, value } => {
            EventView::Snapshot { document: *document, origin, value: value.as_ref() }
        }
        ResponseEvent::Reset { .. } => EventView::Reset,
        _ => EventView::Other,
    }
}

/// Names a field of a stream for as long as its path stays: until a correction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FieldKey {
    attempt: u32,
    call: Option<u32>,
    document: DocId,
    node: NodeId,
}

impl PatchView<'_> {
    pub(crate) const fn field(&self) -> FieldKey {
        let Origin { attempt, call, .. } = *self.origin;
        FieldKey { attempt, call, document: self.document, node: self.node }
    }
}

/// A path, borrowed or owned.
#[derive(Clone, Copy)]
pub(crate) enum PathRef<'e> {
    Borrowed(Path<'e>),
    Owned(&'e PathBuf),
}

impl<'e> PathRef<'e> {
    pub(crate) const ROOT: Self = Self::Borrowed(Path::ROOT);

    pub(crate) fn is_root(self) -> bool {
        match self {
            Self::Borrowed(path) => path.is_empty(),
            Self::Owned(path) => path.is_empty(),
        }
    }

    /// The steps, from the root down.
    pub(crate) fn segments(self) -> Vec<Segment<'e>> {
        match self {
            Self::Borrowed(path) => path.segments().collect(),
            Self::Owned(path) => path.segments(),
        }
    }

    /// Calls `take` with each step, from the root down.
    pub(crate) fn for_each(self, take: impl FnMut(Segment<'e>)) {
        match self {
            Self::Borrowed(path) => path.segments().for_each(take),
            Self::Owned(path) => path.segments().into_iter().for_each(take),
        }
    }

    /// The last step; none for the root.
    pub(crate) fn last(self) -> Option<Segment<'e>> {
        match self {
            Self::Borrowed(path) => path.last(),
            Self::Owned(path) => path.last(),
        }
    }
}

impl fmt::Debug for PathRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.segments()).finish()
    }
}
