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

    /// All events of a reading.
    pub(super) fn steps_to(&self, last: TraceId) -> Steps<'_> {
        let mut branch: Vec<TraceId> = self.chain(last).collect();
        branch.reverse();
        Steps { trace: self, branch }
    }

    /// A node and those before it, the last first.
    fn chain(&self, last: TraceId) -> impl Iterator<Item = TraceId> {
        let before = |id: &TraceId| Some(self.node(*id)?.before);
        core::iter::successors(Some(last), before).filter(|id| *id != TraceId::NONE)
    }

    fn node(&self, id: TraceId) -> Option<&Node> {
        self.nodes.get(id.0 as usize)
    }

    /// Only this reading is left: all of its events are settled.
    pub(super) fn settle(&mut self, reading: &mut Reading) {
        if reading.trace == TraceId::NONE && self.nodes.is_empty() {
            return;
        }
        let from = self.settled.len();
        let mut next = reading.trace;
        while let Some(node) = self.nodes.get(next.0 as usize) {
            self.settled.push((node.at, node.event));
            next = node.before;
        }
        self.settled[from..].reverse();
        self.nodes.clear();
        self.cleanup = FIRST_CLEANUP;
        reading.trace = TraceId::NONE;
    }

    /// Whether it is time to drop nodes that no reading needs.
    pub(super) fn needs_cleanup(&self) -> bool {
        self.nodes.len() >= self.cleanup
    }

    /// Drops the nodes that none of these readings needs, and settles those that all of them need.
    pub(super) fn clean_up<'r>(&mut self, readings: impl Iterator<Item = &'r mut Reading>) {
        let mut readings: Vec<&mut Reading> = readings.collect();
        let mut moved = self.needed_by(&readings);
        self.compact(&mut moved);
        for reading in &mut readings {
            reading.trace = new_id(&moved, reading.trace);
        }
        self.settle_common(&mut readings);
        self.cleanup = (2 * self.nodes.len()).max(FIRST_CLEANUP);
    }

    /// For each node an id: its own, or none if no reading needs it.
    fn needed_by(&self, readings: &[&mut Reading]) -> Vec<TraceId> {
        let mut needed = vec![TraceId::NONE; self.nodes.len()];
        for reading in readings {
            for id in self.chain(reading.trace) {
                let seen = core::mem::replace(&mut needed[id.0 as usize], id);
                if seen != TraceId::NONE {
                    break;
                }
            }
        }
        needed
    }

    /// Moves the needed nodes together, and notes where each went.
    fn compact(&mut self, moved: &mut [TraceId]) {
        let mut kept = 0;
        for at in 0..self.nodes.len() {
            if moved[at] == TraceId::NONE {
                continue;
            }
            let mut node = self.nodes[at];
            node.before = new_id(moved, node.before);
            moved[at] = TraceId(kept);
            self.nodes[kept as usize] = node;
            kept += 1;
        }
        self.nodes.truncate(kept as usize);
    }

    /// Settles the first nodes if all readings go through them. A node comes after the one before it, and so
    /// what is common to all comes first.
    fn settle_common(&mut self, readings: &mut [&mut Reading]) {
        let after = |id: TraceId| id.0.wrapping_add(1) as usize;
        let ends = readings.iter().map(|reading| after(reading.trace));
        let nodes = self.nodes.iter().enumerate();
        let forks = nodes.map(|(at, node)| (at, after(node.before)));
        let forks = forks.filter(|(at, before)| before != at).map(|(_, before)| before);
        let common = ends.chain(forks).min().unwrap_or(0);
        self.settled.extend(self.nodes.drain(..common).map(|node| (node.at, node.event)));
        let less = |id: TraceId| id.0.checked_sub(common as u32).map_or(TraceId::NONE, TraceId);
        let shifted = |id: TraceId| if id == TraceId::NONE { id } else { less(id) };
        self.nodes.iter_mut().for_each(|node| node.before = shifted(node.before));
        readings.iter_mut().for_each(|reading| reading.trace = shifted(reading.trace));
    }
}

fn new_id(moved: &[TraceId], old: TraceId) -> TraceId {
    moved.get(old.0 as usize).copied().unwrap_or(TraceId::NONE)
}

/// The events of one reading, in order.
#[derive(Debug)]
pub(super) struct Steps<'n> {
    trace: &'n Trace,
    /// The nodes after what all readings have in common.
    branch: Vec<TraceId>,
}

impl Steps<'_> {
    pub(super) fn get(&self, number: usize) -> Option<Step> {
        let settled = &self.trace.settled;
        if let Some(step) = settled.get(number) {
            return Some(*step);
        }
        let node = self.trace.node(*self.branch.get(number - settled.len())?)?;
        Some((node.at, node.event))
    }
}

#[cfg(test)]
mod tests {
    use super::super::stack::StackId;
    use super::super::state::{Reading, State};
    use super::{FIRST_CLEANUP, RepairEvent, Trace, TraceId};

    /// Of a long chain that a reading left, nothing stays; what a reading needs does.
    #[test]
    fn nodes_that_no_reading_needs_are_dropped() {
        let mut trace = Trace::default();
        let kept = trace.push(TraceId::NONE, 0, RepairEvent::Root);
        let mut last = TraceId::NONE;
        for at in 1..FIRST_CLEANUP {
            assert!(!trace.needs_cleanup());
            last = trace.push(last, at, RepairEvent::Unwrap);
        }
        assert!(trace.needs_cleanup());
        let mut reading = Reading { trace: kept, ..Reading::at(State::AFTER, StackId::EMPTY) };
        trace.clean_up([&mut reading].into_iter());
        assert!(!trace.needs_cleanup());
        // No other reading can leave it again.
        assert_eq!((trace.nodes.len(), trace.settled.len()), (0, 1));
    }
}
