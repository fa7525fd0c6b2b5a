//! The subset construction: each state of the automaton is a set of graph nodes and their counts.

use std::collections::HashMap;

use foldhash::fast::FixedState;

use super::automaton::{Bound, MOST_STATES, MarkerState, StateIndex, TooLarge};
use super::bytes::Mask;
use super::counts::{SLOTS, Tick};
use super::nfa::{Graph, LoopLimit};
use crate::order;

/// A node, and its counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct SubsetEntry {
    node: usize,
    bytes: Option<Tick>,
    keys: Option<Tick>,
}

/// All states.
#[derive(Debug, Default)]
pub(super) struct Subsets {
    all: Vec<Vec<SubsetEntry>>,
    numbers: HashMap<Vec<SubsetEntry>, StateIndex, FixedState>,
    /// Where each sample byte leads, row by row.
    pub(super) next: Vec<StateIndex>,
    pub(super) states: Vec<MarkerState>,
}

impl Subsets {
    /// Builds all states. The first state has no way on, the second is the start.
    pub(super) fn of(graph: &Graph, samples: &[u8]) -> Result<Self, TooLarge> {
        let mut subsets = Self::default();
        subsets.number(Vec::new())?;
        subsets.number(vec![SubsetEntry { node: 0, bytes: None, keys: None }])?;
        let mut at = 0;
        while at < subsets.all.len() {
            let from = subsets.all[at].clone();
            for &byte in samples {
                let to = follow(graph, &from, byte)?;
                let to = subsets.number(to)?;
                subsets.next.push(to);
            }
            let state = subsets.state(graph, &from)?;
            subsets.states.push(state);
            at += 1;
        }
        Ok(subsets)
    }

    fn number(&mut self, set: Vec<SubsetEntry>) -> Result<StateIndex, TooLarge> {
        if let Some(&number) = self.numbers.get(&set) {
            return Ok(number);
        }
        if self.all.len() >= MOST_STATES {
            return Err(TooLarge);
        }
        let number = self.all.len() as StateIndex;
        self.all.push(set.clone());
        self.numbers.insert(set, number);
        Ok(number)
    }

    fn state(&mut self, graph: &Graph, set: &[SubsetEntry]) -> Result<MarkerState, TooLarge> {
        let nodes = || set.iter().map(|place| &graph.nodes[place.node]);
        // The start may become any marker.
        let any = set.iter().any(|place| place.node == 0);
        let reached = graph.nodes.iter().filter(|_| any).chain(nodes());
        let reach = reached.filter_map(|node| node.marker).fold(Mask::NONE, Mask::with);
        let ticks = order::distinct(set.iter().flat_map(SubsetEntry::ticks));
        let bounds = order::distinct(set.iter().flat_map(|place| place.bounds(graph)));
        let mut passed = Vec::new();
        for bound in bounds {
            let stays = |place: &&SubsetEntry| place.bounds(graph).all(|other| other != bound);
            passed.push((bound, self.number(set.iter().filter(stays).copied().collect())?));
        }
        Ok(MarkerState {
            reach,
            accepts: nodes().filter_map(|node| node.accept).collect(),
            ticks,
            passed,
        })
    }
}

impl SubsetEntry {
    fn ticks(&self) -> impl Iterator<Item = Tick> {
        [self.bytes, self.keys].into_iter().flatten()
    }

    fn bounds(&self, graph: &Graph) -> impl Iterator<Item = Bound> {
        let limit = graph.nodes[self.node].limit;
        let most = [limit.map(|limit| limit.bytes), limit.and_then(|limit| limit.keys)];
        let bound = |(tick, most): (Option<Tick>, Option<u16>)| {
            Some(Bound { slot: tick?.slot, most: most? })
        };
        [self.bytes, self.keys].into_iter().zip(most).filter_map(bound)
    }
}

/// Where a byte leads from a set of nodes. A node that enters a part begins new counts.
fn follow(graph: &Graph, from: &[SubsetEntry], byte: u8) -> Result<Vec<SubsetEntry>, TooLarge> {
    // For each node, the entry of the same part before, if there is one.
    let mut led: Vec<(usize, Option<SubsetEntry>)> = Vec::new();
    for place in from {
        let node = &graph.nodes[place.node];
        for &(_, to) in node.edges.iter().filter(|(bytes, _)| bytes.contains(byte)) {
            let part = |limit: Option<LoopLimit>| limit.map(|limit| limit.part);
            let inner = node.limit.is_some() && part(node.limit) == part(graph.nodes[to].limit);
            led.push((to, inner.then_some(*place)));
        }
    }
    // Stable: of one node, the first entry of the same part counts.
    order::sort_by_key(&mut led, |(node, _)| *node);
    led.dedup_by(|(later, entry), (node, before)| {
        let is_same = later == node;
        *before = before.or(entry.filter(|_| is_same));
        is_same
    });
    let befores = || led.iter().filter_map(|(_, before)| before.as_ref());
    let is_kept = |slot: u8| befores().flat_map(SubsetEntry::ticks).any(|tick| tick.slot == slot);
    let mut free = (0..SLOTS as u8).filter(|slot| !is_kept(*slot));
    let (bytes, keys) = (free.next(), free.next());
    let slot = |before: Option<Tick>, free: Option<u8>| match before {
        Some(tick) => Ok(Tick { fresh: false, counts: true, ..tick }),
        None => Ok(Tick { slot: free.ok_or(TooLarge)?, fresh: true, counts: true }),
    };
    let place = |&(node, before): &(usize, Option<SubsetEntry>)| {
        let limit = graph.nodes[node].limit;
        Ok(SubsetEntry {
            node,
            bytes: limit.map(|_| slot(before.and_then(|it| it.bytes), bytes)).transpose()?,
            keys: limit
                .and_then(|limit| limit.keys)
                .map(|_| slot(before.and_then(|it| it.keys), keys))
                .transpose()?,
        })
    };
    let mut places = led.iter().map(place).collect::<Result<Vec<_>, TooLarge>>()?;
    let begins = |place: &SubsetEntry| graph.nodes[place.node].limit.is_some_and(|limit| limit.key);
    let begun = places.iter().filter(|it| begins(it)).filter_map(|it| Some(it.keys?.slot));
    let counted: Vec<u8> = begun.collect();
    for tick in places.iter_mut().filter_map(|place| place.keys.as_mut()) {
        tick.counts = counted.contains(&tick.slot);
    }
    Ok(places)
}
