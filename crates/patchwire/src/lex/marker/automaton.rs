//! All markers of a set in one deterministic automaton, run from each place where a marker may begin.
//!
//! A search keeps one small position for each candidate that is still alive, the oldest first. Fail links
//! as in Aho-Corasick would do for fixed markers, but parameters, whitespace and attributes have no fixed
//! length. More than two candidates are alive only inside quotes of attributes.

use std::collections::{HashMap, HashSet};

use foldhash::fast::FixedState;

use super::bytes::{ByteSet, Mask};
use super::counts::{Counts, Tick};
use super::nfa::Graph;
use super::pattern::MarkerPattern;
use super::subsets::Subsets;
use crate::scan::RareBytes;

/// A complete marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Accept {
    /// The number of the marker in masks.
    pub(crate) marker: u16,
    /// The number of the pattern.
    pub(crate) pattern: u16,
    /// Whether it ends in `/>`.
    pub(crate) empty: bool,
}

/// The number of a state.
pub(crate) type StateIndex = u16;

/// The state without a way on.
pub(super) const DEAD: StateIndex = 0;
const START: StateIndex = 1;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Automaton {
    /// The class of each byte. Bytes that no marker distinguishes share a class.
    classes: Box<[u8; 256]>,
    width: usize,
    next: Vec<StateIndex>,
    states: Vec<MarkerState>,
    /// The markers that a byte may begin.
    starts: Box<[Mask; 256]>,
    may_start: Box<[bool; 256]>,
    /// Finds the bytes that begin a marker.
    rare: RareBytes,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct MarkerState {
    /// The markers that the text may still become.
    pub(super) reach: Mask,
    pub(super) accepts: Vec<Accept>,
    /// The counts that a byte which leads here changes.
    pub(super) ticks: Vec<Tick>,
    /// For each limit, the state without the markers that the limit excludes.
    pub(super) passed: Vec<(Bound, StateIndex)>,
}

/// A limit of a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Bound {
    pub(super) slot: u8,
    pub(super) most: u16,
}

/// A position in the automaton: a state, and the counts on the way there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Walk {
    pub(crate) at: StateIndex,
    counts: Counts,
}

impl Walk {
    /// The position before a marker.
    pub(crate) const START: Self = Self { at: START, counts: Counts::NONE };
}

/// The automaton would have too many states.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooLarge;

pub(super) const MOST_STATES: usize = 1 << 15;

/// Shorter text is searched byte by byte: a vector search costs more to begin.
const SHORT: usize = 16;

impl Automaton {
    pub(crate) fn new<'p>(
        patterns: impl Iterator<Item = (u16, &'p MarkerPattern)>,
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
            rare: RareBytes::default(),
        };
        automaton.find_starts();
        Ok(automaton)
    }

    fn find_starts(&mut self) {
        let mut rare = Vec::new();
        for byte in 0..=255_u8 {
            let reach = self.states[usize::from(self.step(START, byte))].reach;
            self.starts[usize::from(byte)] = reach;
            self.may_start[usize::from(byte)] = !reach.is_empty();
            if !reach.is_empty() {
                rare.push(byte);
            }
        }
        self.rare = RareBytes::new(&rare);
    }

    /// The next byte that any marker may begin with.
    #[inline]
    pub(crate) fn find_start(&self, bytes: &[u8]) -> Option<usize> {
        let of_table =
            |bytes: &[u8]| bytes.iter().position(|&byte| self.may_start[usize::from(byte)]);
        if bytes.len() < SHORT { of_table(bytes) } else { self.rare.find(bytes, of_table) }
    }

    /// The next place where a marker may begin, as far as the few bytes there tell.
    pub(crate) fn find_marker(&self, bytes: &[u8]) -> Option<usize> {
        let mut at = 0;
        loop {
            at += self.find_start(&bytes[at..])?;
            if !self.refutes(&bytes[at..]) {
                return Some(at);
            }
            at += 1;
        }
    }

    /// Whether the first few of these bytes show that they begin no marker.
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

    /// The markers that a byte may begin.
    #[inline]
    pub(crate) fn begins(&self, byte: u8) -> &Mask {
        &self.starts[usize::from(byte)]
    }

    /// Moves over one byte.
    #[inline]
    pub(crate) fn go(&self, walk: Walk, byte: u8) -> Walk {
        let (mut at, mut counts) = (self.step(walk.at, byte), walk.counts);
        let mut state = &self.states[usize::from(at)];
        if counts.tick(&state.ticks) {
            let passes = |&&(bound, _): &&(Bound, StateIndex)| counts.of(bound.slot) > bound.most;
            while let Some(&(_, next)) = state.passed.iter().find(passes) {
                at = next;
                state = &self.states[usize::from(at)];
            }
            counts.keep(&state.ticks);
        }
        Walk { at, counts }
    }

    /// The state after one byte, without limits.
    #[inline]
    fn step(&self, at: StateIndex, byte: u8) -> StateIndex {
        let class = usize::from(self.classes[usize::from(byte)]);
        self.next[usize::from(at) * self.width + class]
    }

    /// The markers that the text may still become.
    #[inline]
    pub(crate) fn reaches(&self, at: StateIndex) -> &Mask {
        &self.states[usize::from(at)].reach
    }

    /// The enabled marker that is complete here.
    #[inline]
    pub(crate) fn accept(&self, at: StateIndex, enabled: &Mask) -> Option<Accept> {
        let accepts = self.states[usize::from(at)].accepts.iter().copied();
        // A slash that may close the element does; then the order of declaration decides.
        accepts
            .filter(|accept| enabled.contains(accept.marker))
            .min_by_key(|a| (!a.empty, a.marker))
    }

    /// All enabled markers that are complete here.
    pub(crate) fn accepted(&self, at: StateIndex, enabled: &Mask) -> Mask {
        let accepts = self.states[usize::from(at)].accepts.iter();
        let accepts = accepts.filter(|accept| enabled.contains(accept.marker));
        accepts.fold(Mask::NONE, |all, accept| all.with(accept.marker))
    }

    /// For each state, the markers that are complete there.
    pub(crate) fn all_accepts(&self) -> impl Iterator<Item = &[Accept]> {
        self.states.iter().map(|state| &*state.accepts)
    }

    /// Whether an enabled marker may continue from here.
    #[inline]
    pub(crate) fn goes_on(&self, at: StateIndex, enabled: &Mask) -> bool {
        let row = &self.next[usize::from(at) * self.width..][..self.width];
        row.iter().any(|&to| to != DEAD && self.reaches(to).meets(enabled))
    }
}

/// The class of each byte, and one byte of each class. All edges treat the bytes of a class alike.
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

#[cfg(test)]
mod tests {
    use super::{Automaton, Mask, Walk};
    use crate::lex::marker::{MarkerPattern, MarkerStyle};

    const ALL: Mask = Mask::NONE.with(0).with(1).with(2);

    /// Markers 0 to 2. The last one has attributes.
    fn automaton() -> Automaton {
        let with = MarkerStyle { attributes: Some(false), fold: true, ..MarkerStyle::default() };
        let markers =
            [("<a>", MarkerStyle::default()), ("<b:{id}>", MarkerStyle::default()), ("<c>", with)];
        let patterns: Vec<MarkerPattern> = markers
            .into_iter()
            .map(|(text, style)| MarkerPattern::parse(text, style, &[]).expect("a marker"))
            .collect();
        Automaton::new((0..).zip(&patterns)).unwrap_or_else(|_| panic!("small markers"))
    }

    #[test]
    fn texts_and_the_markers_they_are() {
        let automaton = automaton();
        for (text, reaches, accepts) in [
            ("", vec![0, 1, 2], None),
            ("<", vec![0, 1, 2], None),
            ("<a", vec![0], None),
            ("<a>", vec![0], Some((0, false))),
            ("<a>x", vec![], None),
            ("<A", vec![], None),
            ("<b:", vec![1], None),
            ("<b:>", vec![], None),
            ("<b:x>", vec![1], Some((1, false))),
            ("<C>", vec![2], Some((2, false))),
            ("<c/>", vec![2], Some((2, true))),
            ("<c k='>'>", vec![2], Some((2, false))),
            ("<c k>", vec![], None),
        ] {
            let walk = text.bytes().fold(Walk::START, |walk, byte| automaton.go(walk, byte));
            let reached = automaton.reaches(walk.at);
            let found: Vec<u16> = (0..3).filter(|&marker| reached.contains(marker)).collect();
            assert_eq!(found, reaches, "{text:?}");
            let accept = automaton.accept(walk.at, &ALL);
            assert_eq!(accept.map(|it| (it.marker, it.empty)), accepts, "{text:?}");
        }
    }

    #[test]
    fn attributes_and_parameters_end_at_their_cap() {
        let automaton = automaton();
        let accepts = |text: &str| {
            let walk = text.bytes().fold(Walk::START, |walk, byte| automaton.go(walk, byte));
            automaton.accept(walk.at, &ALL).is_some()
        };
        let tag = |attributes| format!("<c{}>", " k=''".repeat(attributes));
        assert_eq!([64, 65].map(|count| accepts(&tag(count))), [true, false]);
        let param = |len| format!("<b:{}>", "x".repeat(len));
        assert_eq!([128, 129].map(|len| accepts(&param(len))), [true, false]);
    }

    /// A name alone is an attribute where the marker says so.
    #[test]
    fn attributes_of_markers() {
        let accepted = |bare: bool, text: &str| {
            let style = MarkerStyle { attributes: Some(bare), ..MarkerStyle::default() };
            let pattern = MarkerPattern::parse("<c>", style, &[]).expect("a marker");
            let automaton = Automaton::new(core::iter::once((0, &pattern)))
                .unwrap_or_else(|_| panic!("a small marker"));
            let walk = text.bytes().fold(Walk::START, |walk, byte| automaton.go(walk, byte));
            automaton.accept(walk.at, &ALL).map(|it| it.empty)
        };
        let (no, tag, empty) = (None, Some(false), Some(true));
        for (text, valued, bare) in [
            ("<c >", tag, tag),
            ("<c />", empty, empty),
            ("<c k>", no, tag),
            ("<c key>", no, tag),
            ("<c k >", no, tag),
            ("<c k/>", no, empty),
            ("<c k />", no, empty),
            ("<c k l>", no, tag),
            ("<c k l=1>", no, tag),
            ("<c k=1>", tag, tag),
            ("<c k = 1>", tag, tag),
            ("<c k=1 l>", no, tag),
            ("<c k=1 l=2>", tag, tag),
            ("<c k='1'l='2'>", no, no),
            ("<c k=/>", no, no),
            ("<c k=a/b>", tag, tag),
            ("<c k=a/>", empty, empty),
            ("<c k=>", no, no),
            ("<c k='>", no, no),
            ("<c =1>", no, no),
            ("<c -k=1>", no, no),
            ("<ck>", no, no),
        ] {
            assert_eq!((accepted(false, text), accepted(true, text)), (valued, bare), "{text}");
        }
    }

    /// The byte that ends the parameter of one marker begins that of another, with a count of its own.
    #[test]
    fn a_parameter_counts_from_its_own_first_byte() {
        let patterns = ["<p{a}q>", "<pmm{b}r>"]
            .map(|text| MarkerPattern::parse(text, MarkerStyle::default(), &[]).expect("a marker"));
        let automaton = Automaton::new((0..).zip(&patterns)).unwrap_or_else(|_| panic!("small"));
        let accepted = |len: usize| {
            let text = format!("<pmmq{}r>", "x".repeat(len - 1));
            let walk = text.bytes().fold(Walk::START, |walk, byte| automaton.go(walk, byte));
            automaton.accept(walk.at, &ALL).map(|it| it.marker)
        };
        assert_eq!([128, 129].map(accepted), [Some(1), None]);
    }
}
