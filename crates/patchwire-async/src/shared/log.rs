//! The events that are kept for readers that are behind.

use core::mem::size_of;
use std::collections::VecDeque;

use bytestring::ByteString;
use patchwire::{OwnedEvent, OwnedPatch, PatchOp, event::Rejection};

use crate::coalesce::delta_mut;

/// Events by their number in the response. Invariant: `bytes` is the sum of the weights.
#[derive(Debug)]
pub(super) struct Log {
    events: VecDeque<(OwnedEvent, usize)>,
    /// The number of the first that is kept.
    first: u64,
    bytes: usize,
    bound: usize,
}

impl Log {
    /// Events were taken before: a reader from the start has missed something.
    pub(super) fn new(bound: usize, begun: bool) -> Self {
        Self { events: VecDeque::new(), first: u64::from(begun), bytes: 0, bound }
    }

    pub(super) const fn first(&self) -> u64 {
        self.first
    }

    /// Where a reader goes on that knows all documents as they are: the answer is still told.
    pub(super) fn resume(&self) -> u64 {
        let answered = matches!(self.events.back(), Some((OwnedEvent::Final(_), _)));
        self.first + self.events.len() as u64 - u64::from(answered)
    }

    pub(super) fn get(&self, number: u64) -> Option<&OwnedEvent> {
        let at = number.checked_sub(self.first)?;
        self.events.get(usize::try_from(at).ok()?).map(|(event, _)| event)
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(super) fn push(&mut self, mut event: OwnedEvent) {
        detach(&mut event);
        let weight = weight(&event);
        self.bytes += weight;
        self.events.push_back((event, weight));
    }

    /// Drops what is more than is to be kept. Called when a reader has had everything, so that the
    /// fastest misses nothing.
    pub(super) fn trim(&mut self) {
        while self.bytes > self.bound {
            let Some((_, weight)) = self.events.pop_front() else { break };
            self.bytes -= weight;
            self.first += 1;
        }
    }
}

/// A slice of a network buffer would keep all of it: what is kept is a copy.
fn detach(event: &mut OwnedEvent) {
    if let Some(delta) = delta_mut(event) {
        *delta = ByteString::from(&**delta);
    }
}

/// What a small value costs beside its text.
const VALUE: usize = 160;

/// About how much memory an event holds. Paths are shared, and the answer is the response's.
fn weight(event: &OwnedEvent) -> usize {
    let own = size_of::<(OwnedEvent, usize)>();
    own + match event {
        OwnedEvent::Patch(patch) => patch.delta.len() + value_weight(patch),
        OwnedEvent::Text { delta, .. } | OwnedEvent::Reasoning { delta, .. } => delta.len(),
        OwnedEvent::Notice(notice) => notice.path.len(),
        OwnedEvent::Snapshot { value, .. } => VALUE + 2 * value.to_string().len(),
        OwnedEvent::Rejected(rejection) => rejection_weight(rejection),
        OwnedEvent::Retrying { rejection, .. } => rejection_weight(rejection),
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
