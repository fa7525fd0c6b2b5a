//! A delta that is held back, to be joined with the next ones.

use patchwire::{OwnedEvent, PatchOp, Span, event::SharedText};

use crate::event::ResponseEvent;

/// A delta that is held back. As long as it is alone, its text stays a slice of the fed buffer.
pub(super) struct Held {
    event: ResponseEvent,
    /// The joined text, from the second delta on.
    text: Option<String>,
}

impl Held {
    /// Holds a delta. Returns any other event unchanged.
    pub(super) fn new(event: ResponseEvent) -> Result<Self, ResponseEvent> {
        if delta(&event).is_some() { Ok(Self { event, text: None }) } else { Err(event) }
    }

    pub(super) fn is_continued_by(&self, next: &ResponseEvent) -> bool {
        let (Some(event), Some(next)) = (self.event.as_parsed(), next.as_parsed()) else {
            return false;
        };
        match (event, next) {
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

    pub(super) fn push(&mut self, next: &ResponseEvent) {
        let Some(more) = delta(next) else { return };
        let first = delta(&self.event);
        self.text
            .get_or_insert_with(|| first.map(ToString::to_string).unwrap_or_default())
            .push_str(more);
        if let (ResponseEvent::Parsed(OwnedEvent::Patch(one)), Some(next)) =
            (&mut self.event, next.as_patch())
        {
            one.repaired |= next.repaired;
        }
        if let (Some(span), Some(next)) = (span_mut(&mut self.event), next.span()) {
            span.end = next.end;
        }
    }

    pub(super) fn len(&self) -> usize {
        self.text.as_ref().map_or(0, String::len)
    }

    /// The event with the joined text.
    pub(super) fn join(mut self) -> ResponseEvent {
        if let (Some(text), Some(delta)) = (self.text, delta_mut(&mut self.event)) {
            *delta = text.into();
        }
        self.event
    }
}

fn delta(event: &ResponseEvent) -> Option<&SharedText> {
    match event.as_parsed()? {
        OwnedEvent::Patch(patch) if patch.op == PatchOp::Delta => Some(&patch.delta),
        OwnedEvent::Text { delta, .. } | OwnedEvent::Reasoning { delta, .. } => Some(delta),
        _ => None,
    }
}

/// The text of a delta; none for other events.
pub(crate) fn delta_mut(event: &mut ResponseEvent) -> Option<&mut SharedText> {
    let ResponseEvent::Parsed(event) = event else { return None };
    match event {
        OwnedEvent::Patch(patch) if patch.op == PatchOp::Delta => Some(&mut patch.delta),
        OwnedEvent::Text { delta, .. } | OwnedEvent::Reasoning { delta, .. } => Some(delta),
        _ => None,
    }
}

fn span_mut(event: &mut ResponseEvent) -> Option<&mut Span> {
    let ResponseEvent::Parsed(event) = event else { return None };
    match event {
        OwnedEvent::Patch(patch) => Some(&mut patch.span),
        OwnedEvent::Text { span, .. } | OwnedEvent::Reasoning { span, .. } => Some(span),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use patchwire::{Spec, document::DocId};

    use super::*;

    #[test]
    fn only_a_delta_of_the_same_field_continues_another() {
        let mut patches = Vec::new();
        let fed = Spec::json().parser().feed(b"{\"t\": \"a", |event| {
            if let OwnedEvent::Patch(patch) = event.to_owned() {
                patches.push(patch);
            }
        });
        fed.expect("no limit is near");
        let [root, _, one] = &patches[..] else { panic!("{patches:?}") };
        let (mut of_another_field, mut of_another_document) = (one.clone(), one.clone());
        of_another_field.node = root.node;
        of_another_document.document = DocId::from_number(7);
        let held = Held::new(OwnedEvent::Patch(one.clone()).into()).expect("it is a delta");
        for (next, is_continued) in
            [(one.clone(), true), (of_another_field, false), (of_another_document, false)]
        {
            let next = OwnedEvent::Patch(next).into();
            assert_eq!(held.is_continued_by(&next), is_continued, "{next:?}");
        }
    }

    #[test]
    fn what_is_joined_is_repaired_if_a_part_of_it_is() {
        for (first, second) in [(false, false), (false, true), (true, false)] {
            let mut parser = Spec::json().parser();
            let mut deltas = Vec::new();
            for (chunk, repaired) in [("{\"t\": \"a", first), ("b", second)] {
                let fed = parser.feed(chunk.as_bytes(), |event| {
                    if let OwnedEvent::Patch(mut patch) = event.to_owned()
                        && patch.op == PatchOp::Delta
                    {
                        patch.repaired = repaired;
                        deltas.push(ResponseEvent::Parsed(OwnedEvent::Patch(patch)));
                    }
                });
                fed.expect("no limit is near");
            }
            let next = deltas.pop().expect("two deltas");
            let event = deltas.pop().expect("two deltas");
            let mut held = Held { event, text: None };
            held.push(&next);
            let joined = held.join();
            let patch = joined.as_patch().expect("a patch");
            assert_eq!((&*patch.delta, patch.repaired), ("ab", first || second));
        }
    }
}
