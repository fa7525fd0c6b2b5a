//! What adapters take: an event, borrowed or owned, seen alike.

use core::fmt;

use patchwire::{
    Answer, Event, OwnedEvent, PatchOp, Path, PathBuf, ValueRef,
    document::DocId,
    event::{ElementId, Origin},
    path::Segment,
    wire::IncludeValues,
};

/// An event, borrowed from a parser or owned. Made with `into()`.
#[derive(Debug, Clone, Copy)]
pub struct Told<'e>(Source<'e>);

#[derive(Debug, Clone, Copy)]
enum Source<'e> {
    Lent(Event<'e>),
    Owned(&'e OwnedEvent),
}

impl<'e> From<Event<'e>> for Told<'e> {
    fn from(event: Event<'e>) -> Self {
        Self(Source::Lent(event))
    }
}

impl<'e> From<&Event<'e>> for Told<'e> {
    fn from(event: &Event<'e>) -> Self {
        Self(Source::Lent(*event))
    }
}

impl<'e> From<&'e OwnedEvent> for Told<'e> {
    fn from(event: &'e OwnedEvent) -> Self {
        Self(Source::Owned(event))
    }
}

impl<'e> Told<'e> {
    /// The name on our own wire.
    pub(crate) fn name(&self) -> &'static str {
        match self.0 {
            Source::Lent(event) => event.name(),
            Source::Owned(event) => event.name(),
        }
    }

    /// The event in our own form. An owned one has only what [`IncludeValues::Leaf`] prints.
    pub(crate) fn line(&self, values: IncludeValues) -> String {
        match self.0 {
            Source::Lent(event) => event.wire(values).to_string(),
            Source::Owned(event) => event.to_string(),
        }
    }

    /// What of it matters to adapters.
    pub(crate) fn seen(&self) -> Seen<'e> {
        match self.0 {
            Source::Lent(event) => lent(event),
            Source::Owned(event) => owned(event),
        }
    }
}

/// An event as adapters look at it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Seen<'e> {
    Patch(Patched<'e>),
    Text { channel: &'e str, delta: &'e str },
    Reasoning(&'e str),
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
pub(crate) struct Patched<'e> {
    pub(crate) document: DocId,
    pub(crate) origin: &'e Origin,
    pub(crate) route: Route<'e>,
    pub(crate) op: PatchOp,
    pub(crate) delta: &'e str,
    pub(crate) value: Option<ValueRef<'e>>,
}

fn lent<'e>(event: Event<'e>) -> Seen<'e> {
    match event {
        Event::Patch(patch) => Seen::Patch(Patched {
            document: patch.document,
            origin: patch.origin,
            route: Route::Lent(patch.path),
            op: patch.op,
            delta: patch.delta.as_str(),
            value: Some(patch.value).filter(|value| value.exists()),
        }),
        Event::Text(text) => Seen::Text { channel: text.channel, delta: text.delta.as_str() },
        Event::Reasoning(text) => Seen::Reasoning(text.delta.as_str()),
        Event::ReasoningDone { .. } => Seen::ReasoningDone,
        Event::ElementOpen(open) => {
            Seen::ElementOpen { id: open.id, name: open.name, channel: open.channel }
        }
        Event::ElementClose { id, .. } => Seen::ElementClose(id),
        Event::ToolCall { call, id, name, .. } => Seen::ToolCall { call, id, name },
        Event::Snapshot { document, origin, value } => Seen::Snapshot { document, origin, value },
        Event::Reset { .. } => Seen::Reset,
        Event::Final(answer) => Seen::Final(answer),
        _ => Seen::Other,
    }
}

fn owned(event: &OwnedEvent) -> Seen<'_> {
    match event {
        OwnedEvent::Patch(patch) => Seen::Patch(Patched {
            document: patch.document,
            origin: &patch.origin,
            route: Route::Owned(&patch.path),
            op: patch.op,
            delta: &patch.delta,
            value: patch.value.as_ref().map(|value| value.as_ref()),
        }),
        OwnedEvent::Text { channel, delta, .. } => Seen::Text { channel, delta },
        OwnedEvent::Reasoning { delta, .. } => Seen::Reasoning(delta),
        OwnedEvent::ReasoningDone { .. } => Seen::ReasoningDone,
        OwnedEvent::ElementOpen { id, name, channel, .. } => {
            Seen::ElementOpen { id: *id, name, channel }
        }
        OwnedEvent::ElementClose { id, .. } => Seen::ElementClose(*id),
        OwnedEvent::ToolCall { call, id, name, .. } => {
            Seen::ToolCall { call: *call, id: id.as_deref(), name: name.as_deref() }
        }
        OwnedEvent::Snapshot { document, origin, value, .. } => {
            Seen::Snapshot { document: *document, origin, value: value.as_ref() }
        }
        OwnedEvent::Reset { .. } => Seen::Reset,
        OwnedEvent::Final(answer) => Seen::Final(answer),
        _ => Seen::Other,
    }
}

/// A path, borrowed or owned.
#[derive(Clone, Copy)]
pub(crate) enum Route<'e> {
    Lent(Path<'e>),
    Owned(&'e PathBuf),
}

impl<'e> Route<'e> {
    pub(crate) const ROOT: Self = Self::Lent(Path::ROOT);

    pub(crate) fn is_root(self) -> bool {
        match self {
            Self::Lent(path) => path.is_empty(),
            Self::Owned(path) => path.is_empty(),
        }
    }

    /// The steps, from the root down.
    pub(crate) fn segments(self) -> Vec<Segment<'e>> {
        match self {
            Self::Lent(path) => path.segments().collect(),
            Self::Owned(path) => path.segments(),
        }
    }

    /// The last step; none for the root.
    pub(crate) fn last(self) -> Option<Segment<'e>> {
        match self {
            Self::Lent(path) => path.last(),
            Self::Owned(path) => path.last(),
        }
    }
}

impl fmt::Debug for Route<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.segments()).finish()
    }
}
