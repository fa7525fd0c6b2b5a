//! All markers of a set in one deterministic automaton, run from each place where one may begin.
//!
//! A search keeps one small position for each beginning that is still alive, the oldest first. That is
//! what fail links give for fixed markers, and it goes on working for parameters, blanks and
//! attributes, which have no one length. More than two are alive only inside quotes of attributes.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;

use super::bytes::{ByteSet, Mask};
use super::counts::{Counts, Tick};
use super::nfa::Graph;
use super::pattern::Pattern;
use super::subsets::Subsets;

/// What a text is when it is whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Accept {
    /// The number in masks.
    pub(crate) marker: u16,
    /// The number of the pattern.
    pub(crate) pattern: u16,
    /// It ends in `/>`.
    pub(crate) empty: bool,
}

/// A position. The automaton has at most this many.
pub(crate) type At = u16;

/// Where nothing goes on.
pub(super) const DEAD: At = 0;
const START: At = 1;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Automaton {
    /// Bytes that no marker emits apart are one class.
    classes: Box<[u8; 256]>,
    width: usize,
    next: Vec<At>,
    states: Vec<State>,
    /// The markers a byte may begin.
    starts: Box<[Mask; 256]>,
    may_start: Box<[bool; 256]>,
    /// Bytes that begin any, if they are few.
    rare: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct State {
    /// The markers that this may still become.
    pub(super) reach: Mask,
    pub(super) accepts: Vec<Accept>,
    /// What is counted here.
    pub(super) ticks: Vec<Tick>,
    /// Where it goes on once a count is passed: without what may be no longer.
    pub(super) passed: Vec<(Bound, At)>,
}

/// Most of a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Bound {
    pub(super) slot: u8,
    pub(super) most: u16,
}

/// A position, and what was counted on the way there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Walk {
    pub(crate) at: At,
    counts: Counts,
}

impl Walk {
    /// Before a marker.
    pub(crate) const START: Self = Self { at: START, counts: Counts::NONE };
}

/// The automaton would have too many positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooLarge;

pub(super) const MOST_STATES: usize = 1 << 15;

/// Fewer bytes are looked at one by one: a search by vectors costs more to begin.
const SHORT: usize = 16;

impl Automaton {
    pub(crate) fn new<'p>(
        patterns: impl Iterator<Item = (u16, &'p Pattern)>,
    ) -> Result<Self, TooLarge> {
        let mut graph = Graph::new();
        for ((marker, pattern), number) in patterns.zip(0..) {
            graph.add(pattern, Accept { marker, pattern: number, empty: false });
        }
        let (classes, samples) = classes(&graph);
        let subsets = Subsets::of(&graph, &samples)?;
        let mut automaton = Self {
            classes,
            width: samples.len(),
            next: subsets.next,
            states: subsets.states,
            starts: Box::new([Mask::NONE; 256]),
            may_start: Box::new([false; 256]),
            rare: Vec::new(),
        };
        automaton.find_starts();
        Ok(automaton)
    }

    fn find_starts(&mut self) {
        for byte in 0..=255_u8 {
            let reach = self.states[usize::from(self.step(START, byte))].reach;
            self.starts[usize::from(byte)] = reach;
            self.may_start[usize::from(byte)] = !reach.is_empty();
            if !reach.is_empty() {
                self.rare.push(byte);
            }
        }
    }

    /// The next byte that any marker may begin with.
    #[inline]
    pub(crate) fn find_start(&self, bytes: &[u8]) -> Option<usize> {
        if bytes.len() < SHORT {
            return bytes.iter().position(|&byte| self.may_start[usize::from(byte)]);
        }
        match *self.rare {
            [] => None,
            [one] => memchr::memchr(one, bytes),
            [one, two] => memchr::memchr2(one, two, bytes),
            [one, two, three] => memchr::memchr3(one, two, three, bytes),
            _ => bytes.iter().position(|&byte| self.may_start[usize::from(byte)]),
        }
    }

    /// Whether no marker of the set begins where these bytes do, as the first few of them show.
    pub(crate) fn refutes(&self, bytes: &[u8]) -> bool {
        let mut at = START;
        for &byte in bytes.iter().take(SHORT) {
            at = self.step(at, byte);
            if at == DEAD {
                return true;
            }
            if !self.states[usize::from(at)].accepts.is_empty() {
                return false;
            }
        }
        false
    }

    /// What a byte may begin.
    #[inline]
    pub(crate) fn begins(&self, byte: u8) -> &Mask {
        &self.starts[usize::from(byte)]
    }

    /// One byte more.
    #[inline]
    pub(crate) fn go(&self, walk: Walk, byte: u8) -> Walk {
        let (mut at, mut counts) = (self.step(walk.at, byte), walk.counts);
        let mut state = &self.states[usize::from(at)];
        if counts.tick(&state.ticks) {
            let passes = |&&(bound, _): &&(Bound, At)| counts.of(bound.slot) > bound.most;
            while let Some(&(_, next)) = state.passed.iter().find(passes) {
                at = next;
                state = &self.states[usize::from(at)];
            }
            counts.keep(&state.ticks);
        }
        Walk { at, counts }
    }

    /// The position one byte on, however many there were.
    #[inline]
    fn step(&self, at: At, byte: u8) -> At {
        let class = usize::from(self.classes[usize::from(byte)]);
        self.next[usize::from(at) * self.width + class]
    }

    /// What the text may still become by going on.
    #[inline]
    pub(crate) fn reaches(&self, at: At) -> &Mask {
        &self.states[usize::from(at)].reach
    }

    /// The marker that is whole here, of those enabled.
    #[inline]
    pub(crate) fn accept(&self, at: At, enabled: &Mask) -> Option<Accept> {
        let accepts = self.states[usize::from(at)].accepts.iter().copied();
        // The first declared; one without content, if a slash may be that.
        accepts
            .filter(|accept| enabled.contains(accept.marker))
            .min_by_key(|a| (!a.empty, a.marker))
    }

    /// All of the enabled markers that are whole here.
    pub(crate) fn accepted(&self, at: At, enabled: &Mask) -> Mask {
        let accepts = self.states[usize::from(at)].accepts.iter();
        let accepts = accepts.filter(|accept| enabled.contains(accept.marker));
        accepts.fold(Mask::NONE, |all, accept| all.with(accept.marker))
    }

    /// For each position, what is whole there.
    pub(crate) fn all_accepts(&self) -> impl Iterator<Item = &[Accept]> {
        self.states.iter().map(|state| &*state.accepts)
    }

    /// Whether any of the enabled markers goes on from here.
    #[inline]
    pub(crate) fn goes_on(&self, at: At, enabled: &Mask) -> bool {
        let row = &self.next[usize::from(at) * self.width..][..self.width];
        row.iter().any(|&to| to != DEAD && self.reaches(to).meets(enabled))
    }
}

/// Bytes that all edges treat alike are one class; a byte of each.
fn classes(graph: &Graph) -> (Box<[u8; 256]>, Vec<u8>) {
    let mut known: HashSet<ByteSet, FixedState> = HashSet::default();
    let edges = graph.nodes.iter().flat_map(|node| &node.edges);
    let sets: Vec<ByteSet> = edges.map(|(set, _)| *set).filter(|set| known.insert(*set)).collect();
    let mut seen: HashMap<Vec<bool>, u8, FixedState> = HashMap::default();
    let mut classes = Box::new([0; 256]);
    let mut samples = Vec::new();
    for byte in 0..=255_u8 {
        let key: Vec<bool> = sets.iter().map(|set| set.contains(byte)).collect();
        let class = *seen.entry(key).or_insert_with(|| {
            samples.push(byte);
            samples.len() as u8 - 1
        });
        classes[usize::from(byte)] = class;
    }
    (classes, samples)
}
