//! A delta that waits for more of the same.

use bytestring::ByteString;
use patchwire::{OwnedEvent, PatchOp, Span};

/// Holds the first event as it came: alone, its text stays a slice of what was fed.
pub(super) struct Held {
    event: OwnedEvent,
    /// The text of all, once there are two.
    text: Option<String>,
}

impl Held {
    /// Gives back what does not grow.
    pub(super) fn new(event: OwnedEvent) -> Result<Self, OwnedEvent> {
        if delta(&event).is_some() { Ok(Self { event, text: None }) } else { Err(event) }
    }

    pub(super) fn is_continued_by(&self, next: &OwnedEvent) -> bool {
        match (&self.event, next) {
            (OwnedEvent::Patch(one), OwnedEvent::Patch(next)) => {
                next.op == PatchOp::Delta
                    && (one.document, one.node) == (next.document, next.node)
                    && one.origin == next.origin
            }
            (
                OwnedEvent::Text { channel, element, .. },
                OwnedEvent::Text { channel: next_channel, element: next, .. },
            ) => channel == next_channel && element == next,
            (
                OwnedEvent::Reasoning { element, span, .. },
                OwnedEvent::Reasoning { element: next, span: next_span, .. },
            ) => element == next && span.is_empty() == next_span.is_empty(),
            _ => false,
        }
    }

    pub(super) fn push(&mut self, next: &OwnedEvent) {
        let Some(more) = delta(next) else { return };
        let first = delta(&self.event);
        self.text
            .get_or_insert_with(|| first.map(ToString::to_string).unwrap_or_default())
            .push_str(more);
        if let (OwnedEvent::Patch(one), OwnedEvent::Patch(next)) = (&mut self.event, next) {
            one.repaired |= next.repaired;
        }
        if let (Some(span), Some(next)) = (span_mut(&mut self.event), next.span()) {
            span.end = next.end;
        }
    }

    pub(super) fn len(&self) -> usize {
        self.text.as_ref().map_or(0, String::len)
    }

    /// The event, with all the text.
    pub(super) fn join(mut self) -> OwnedEvent {
        if let (Some(text), Some(delta)) = (self.text, delta_mut(&mut self.event)) {
            *delta = text.into();
        }
        self.event
    }
}

fn delta(event: &OwnedEvent) -> Option<&ByteString> {
    match event {
        OwnedEvent::Patch(patch) if patch.op == PatchOp::Delta => Some(&patch.delta),
        OwnedEvent::Text { delta, .. } | OwnedEvent::Reasoning { delta, .. } => Some(delta),
        _ => None,
    }
}

/// The text of an event that has one.
pub(crate) fn delta_mut(event: &mut OwnedEvent) -> Option<&mut ByteString> {
    match event {
        OwnedEvent::Patch(patch) if patch.op == PatchOp::Delta => Some(&mut patch.delta),
        OwnedEvent::Text { delta, .. } | OwnedEvent::Reasoning { delta, .. } => Some(delta),
        _ => None,
    }
}

fn span_mut(event: &mut OwnedEvent) -> Option<&mut Span> {
    match event {
        OwnedEvent::Patch(patch) => Some(&mut patch.span),
        OwnedEvent::Text { span, .. } | OwnedEvent::Reasoning { span, .. } => Some(span),
        _ => None,
    }
}
