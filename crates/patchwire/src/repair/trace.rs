//! What each reading has read, as a tree of events: readings share their beginnings.

use super::costs::Slip;
use super::stack::Container;
use super::state::{Quote, Reading};

/// A text by its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) start: u32,
    pub(super) end: u32,
}

/// One thing that was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RepairEvent {
    /// A root begins.
    Root,
    /// The root is over. Whether it was closed.
    RootEnd {
        closed: bool,
    },
    Open(Container),
    /// The container that opened last is a wrapper.
    Unwrap,
    Close,
    Key(Range, Quote),
    Text(Range, Quote),
    Bare(Range),
    /// The key before has no value.
    NoValue,
    /// The next string continues the last one.
    Join,
    /// A slip, and what it cost.
    Slip(Slip, u16),
}

/// The last event of a reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TraceId(u32);

impl TraceId {
    pub(super) const NONE: Self = Self(u32::MAX);
}

#[derive(Debug, Clone, Copy)]
struct Node {
    before: TraceId,
    at: u32,
    event: RepairEvent,
}

/// An event and its offset.
pub(super) type Step = (u32, RepairEvent);

/// Nodes that there may be before the first clean-up.
const FIRST_CLEANUP: usize = 1 << 12;

/// The events of all readings.
#[derive(Debug)]
pub(super) struct Trace {
    /// What all readings have in common.
    settled: Vec<Step>,
    nodes: Vec<Node>,
    /// The number of nodes at which those that no reading needs are dropped.
    cleanup: usize,
}

impl Default for Trace {
    fn default() -> Self {
        Self { settled: Vec::new(), nodes: Vec::new(), cleanup: FIRST_CLEANUP }
    }
}

impl Trace {
    pub(super) fn push(&mut self, before: TraceId, at: usize, event: RepairEvent) -> TraceId {
        let id = TraceId(self.nodes.len() as u32);
        self.nodes.push(Node { before, at: at as u32, event });
        id
    }

    /// All events of a reading, in order.
    pub(super) fn of(&self, last: TraceId) -> Vec<Step> {
        let mut steps = self.settled.clone();
        let from = steps.len();
        self.branch(last, &mut steps);
        steps[from..].reverse();
        steps
    }

    fn branch(&self, last: TraceId, into: &mut Vec<Step>) {
        let mut next = last;
        while let Some(node) = self.nodes.get(next.0 as usize) {
            into.push((node.at, node.event));
            next = node.before;
        }
    }

    /// Only this reading is left: all of its events are settled.
    pub(super) fn settle(&mut self, reading: &mut Reading) {
        if reading.trace == TraceId::NONE && self.nodes.is_empty() {
            return;
        }
        let mut settled = core::mem::take(&mut self.settled);
        let from = settled.len();
        self.branch(reading.trace, &mut settled);
        settled[from..].reverse();
        self.settled = settled;
        self.nodes.clear();
        self.cleanup = FIRST_CLEANUP;
        reading.trace = TraceId::NONE;
    }

    /// Whether it is time to drop nodes that no reading needs.
    pub(super) fn needs_cleanup(&self) -> bool {
        self.nodes.len() >= self.cleanup
    }

    /// Drops the nodes that none of these readings needs.
    pub(super) fn clean_up<'r>(&mut self, readings: impl Iterator<Item = &'r mut Reading>) {
        let mut readings: Vec<&mut Reading> = readings.collect();
        let mut needed = vec![false; self.nodes.len()];
        for reading in &readings {
            let mut next = reading.trace;
            while let Some(seen) = needed.get_mut(next.0 as usize).filter(|seen| !**seen) {
                *seen = true;
                next = self.nodes[next.0 as usize].before;
            }
        }
        let mut moved = vec![TraceId::NONE; self.nodes.len()];
        let mut kept = 0;
        for at in 0..self.nodes.len() {
            if !needed[at] {
                continue;
            }
            let mut node = self.nodes[at];
            node.before = moved.get(node.before.0 as usize).copied().unwrap_or(TraceId::NONE);
            moved[at] = TraceId(kept);
            self.nodes[kept as usize] = node;
            kept += 1;
        }
        self.nodes.truncate(kept as usize);
        self.cleanup = (2 * self.nodes.len()).max(FIRST_CLEANUP);
        for reading in &mut readings {
            reading.trace = moved.get(reading.trace.0 as usize).copied().unwrap_or(TraceId::NONE);
        }
    }
}
