//! The events that are kept for slow readers.

use core::mem::size_of;
use std::collections::VecDeque;

use patchwire::{OwnedEvent, OwnedPatch, PatchOp, event::SharedText};

use crate::coalesce::delta_mut;
use crate::event::ResponseEvent;
use crate::rejection::Rejection;

/// Events by their number in the response. Invariant: `bytes` is the sum of the weights.
#[derive(Debug)]
pub(super) struct Log {
    events: VecDeque<(ResponseEvent, usize)>,
    /// The number of the first kept event.
    first: u64,
    bytes: usize,
    bound: usize,
}

impl Log {
    /// `begun`: events were taken before, which a reader from the start misses.
    pub(super) fn new(bound: usize, begun: bool) -> Self {
        Self { events: VecDeque::new(), first: u64::from(begun), bytes: 0, bound }
    }

    pub(super) const fn first(&self) -> u64 {
        self.first
    }

    /// The position of a reader that has just got snapshots. It still gets the answer.
    pub(super) fn resume(&self) -> u64 {
        let answered = self.events.back().is_some_and(|(event, _)| event.as_final().is_some());
        self.first + self.events.len() as u64 - u64::from(answered)
    }

    pub(super) fn get(&self, number: u64) -> Option<&ResponseEvent> {
        let at = number.checked_sub(self.first)?;
        self.events.get(usize::try_from(at).ok()?).map(|(event, _)| event)
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn push(&mut self, mut event: ResponseEvent) {
        detach(&mut event);
        let weight = weight(&event);
        self.bytes += weight;
        self.events.push_back((event, weight));
    }

    /// Drops the oldest events beyond the bound. Called when a reader is at the end, so that the fastest
    /// reader misses nothing.
    pub(super) fn trim(&mut self) {
        while self.bytes > self.bound {
            let Some((_, weight)) = self.events.pop_front() else { break };
            self.bytes -= weight;
            self.first += 1;
        }
    }
}

/// Copies the text, because a slice would keep the whole network buffer.
fn detach(event: &mut ResponseEvent) {
    if let Some(delta) = delta_mut(event) {
        *delta = SharedText::from(&**delta);
    }
}

/// The memory of a small value, without its text.
const VALUE: usize = 160;

/// The approximate memory of an event. Paths and the answer are shared, and not counted.
fn weight(event: &ResponseEvent) -> usize {
    let own = size_of::<(ResponseEvent, usize)>();
    own + match event {
        ResponseEvent::Parsed(event) => parsed_weight(event),
        ResponseEvent::Snapshot { value, .. } => VALUE + 2 * value.to_string().len(),
        ResponseEvent::Rejected(rejection) => rejection_weight(rejection),
        ResponseEvent::Retrying { rejection, .. } => rejection_weight(rejection),
        ResponseEvent::ToolCall { .. } | ResponseEvent::Reset { .. } => 0,
    }
}

fn parsed_weight(event: &OwnedEvent) -> usize {
    match event {
        OwnedEvent::Patch(patch) => patch.delta.len() + value_weight(patch),
        OwnedEvent::Text { delta, .. } | OwnedEvent::Reasoning { delta, .. } => delta.len(),
        OwnedEvent::Notice(notice) => notice.path.len(),
        _ => 0,
    }
}

fn rejection_weight(rejection: &Rejection) -> usize {
    let payload = rejection.payload.as_ref().map_or(0, |payload| 2 * payload.to_string().len());
    VALUE + rejection.reason.len() + payload
}

fn value_weight(patch: &OwnedPatch) -> usize {
    match (&patch.value, patch.op) {
        (Some(value), PatchOp::Replace) => VALUE + 2 * value.to_string().len(),
        (Some(value), PatchOp::Done) => VALUE + value.as_ref().as_str().map_or(0, str::len),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bytes::Bytes;
    use patchwire::{Parser, Spec};

    use super::*;
    use crate::rejection::Cause;

    fn patches(parser: &mut Parser, chunk: &Bytes) -> Vec<ResponseEvent> {
        let mut events = Vec::new();
        let fed = parser.feed_bytes(chunk.clone(), |event| {
            events.push(ResponseEvent::Parsed(event.to_owned()));
        });
        fed.expect("no limit is near");
        events
    }

    #[test]
    fn a_kept_event_does_not_keep_the_buffer_of_the_network() {
        let mut parser = Spec::json().parser();
        let chunk =
            Bytes::from(String::from("{\"title\": \"some text of the answer\"").into_bytes());
        let mut log = Log::new(1 << 20, false);
        for event in patches(&mut parser, &chunk) {
            log.push(event);
        }
        let texts = (0..log.events.len() as u64).filter_map(|number| log.get(number)).filter(|event| {
            matches!(event, ResponseEvent::Parsed(OwnedEvent::Patch(patch)) if !patch.delta.is_empty())
        });
        assert_eq!(texts.count(), 1);
        assert!(chunk.is_unique(), "the log holds the whole chunk");
    }

    #[test]
    fn a_rejection_weighs_its_reason_and_its_payload() {
        let weight_of = |rejection: Rejection| {
            let mut log = Log::new(1 << 20, false);
            log.push(ResponseEvent::Rejected(Arc::new(rejection)));
            log.bytes()
        };
        let bare = weight_of(Rejection::new(1, Cause::ValidationFailed, ""));
        assert_eq!(weight_of(Rejection::new(1, Cause::ValidationFailed, "too short")), bare + 9);
        assert!(bare > VALUE);
        let payload = Rejection {
            payload: Some(true.into()),
            ..Rejection::new(1, Cause::ValidationFailed, "")
        };
        assert_eq!(weight_of(payload), bare + 2 * "true".len());
    }
}
