//! The nondeterministic graph of all markers. Its edges are sets of bytes.

use super::automaton::Accept;
use super::bytes::ByteSet;
use super::pattern::{
    BLANKS, MOST_ATTRIBUTE_BYTES, MOST_ATTRIBUTES, MOST_BLANKS, MOST_GAP, MarkerPart, MarkerPattern,
};

/// A node of the graph.
#[derive(Debug)]
pub(super) struct GraphNode {
    pub(super) edges: Vec<(ByteSet, usize)>,
    /// The limit of a repeating part.
    pub(super) limit: Option<LoopLimit>,
    pub(super) accept: Option<Accept>,
    /// The marker of the node. None for the start.
    pub(super) marker: Option<u16>,
}

/// How often a part of a marker may repeat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LoopLimit {
    /// The number of the part, unique among all markers.
    pub(super) part: usize,
    /// The most bytes of the part, including the byte that leads here. If the part cannot end here, the
    /// bytes that it still needs at least are subtracted.
    pub(super) bytes: u16,
    /// The most attributes of the part, if it is a list of attributes.
    pub(super) keys: Option<u16>,
    /// Whether an attribute begins with the byte that leads here.
    pub(super) key: bool,
}

/// One or more bytes of a set, at most `cap`.
#[derive(Debug, Clone, Copy)]
struct ByteRun {
    bytes: ByteSet,
    cap: u16,
}

/// All markers in one graph.
#[derive(Debug)]
pub(super) struct Graph {
    pub(super) nodes: Vec<GraphNode>,
    parts: usize,
}

const SPACE: &[u8] = b" \t\r\n";

impl Graph {
    /// GraphNode 0 begins every marker.
    pub(super) fn new() -> Self {
        let first = GraphNode { edges: Vec::new(), limit: None, accept: None, marker: None };
        Self { nodes: vec![first], parts: 0 }
    }

    /// Adds a marker.
    pub(super) fn add(&mut self, pattern: &MarkerPattern, accept: Accept) {
        let marker = accept.marker;
        let mut from = vec![0];
        // The bytes that the part before takes. It takes as many as it can.
        let mut taken = ByteSet::EMPTY;
        for piece in &pattern.pieces {
            let before = core::mem::replace(&mut taken, ByteSet::EMPTY);
            from = match piece {
                MarkerPart::Literal(bytes) => self.literal(from, bytes, pattern.fold, marker),
                MarkerPart::Param { allow, cap, .. } => {
                    taken = *allow;
                    let run = ByteRun { bytes: *allow, cap: *cap };
                    vec![self.round(&from, before, run, marker)]
                }
                MarkerPart::Blanks => {
                    taken = ByteSet::of(BLANKS);
                    let run = ByteRun { bytes: taken, cap: MOST_BLANKS };
                    let blanks = self.round(&from, before, run, marker);
                    from.into_iter().chain([blanks]).collect()
                }
                MarkerPart::Gap => {
                    taken = ByteSet::of(BLANKS);
                    self.gap(from, marker)
                }
                MarkerPart::Attributes { bare } => self.attributes(&from, before, *bare, accept),
            };
        }
        for end in from {
            self.nodes[end].accept = Some(accept);
        }
    }

    fn node(&mut self, limit: Option<LoopLimit>, marker: u16) -> usize {
        self.nodes.push(GraphNode { edges: Vec::new(), limit, accept: None, marker: Some(marker) });
        self.nodes.len() - 1
    }

    fn part(&mut self) -> usize {
        self.parts += 1;
        self.parts
    }

    fn edge(&mut self, from: usize, set: ByteSet, to: usize) {
        self.nodes[from].edges.push((set, to));
    }

    fn literal(&mut self, from: Vec<usize>, bytes: &[u8], fold: bool, marker: u16) -> Vec<usize> {
        bytes.iter().fold(from, |from, &byte| {
            let next = self.node(None, marker);
            for at in from {
                self.edge(at, ByteSet::letter(byte, fold), next);
            }
            vec![next]
        })
    }

    /// Adds optional whitespace, one node for each byte: nodes without counts are shared by all markers that begin
    /// alike.
    fn gap(&mut self, from: Vec<usize>, marker: u16) -> Vec<usize> {
        let mut ends = from.clone();
        let mut last = from;
        for _ in 0..MOST_GAP {
            let next = self.node(None, marker);
            for at in last {
                self.edge(at, ByteSet::of(BLANKS), next);
            }
            ends.push(next);
            last = vec![next];
        }
        ends
    }

    /// Adds a run of bytes. The first byte does not belong to the part before.
    fn round(&mut self, from: &[usize], before: ByteSet, run: ByteRun, marker: u16) -> usize {
        let part = self.part();
        let limit = LoopLimit { part, bytes: run.cap, keys: None, key: false };
        let next = self.node(Some(limit), marker);
        for &at in from {
            self.edge(at, run.bytes.minus(before), next);
        }
        self.edge(next, run.bytes, next);
        next
    }

    /// Adds an optional list of attributes before the last `>`, and the `/>` of an element without
    /// content.
    fn attributes(
        &mut self,
        from: &[usize],
        before: ByteSet,
        bare: bool,
        accept: Accept,
    ) -> Vec<usize> {
        let (list, slash) =
            (AttributeNodes::add(self, bare, accept.marker), self.node(None, accept.marker));
        for &at in from {
            self.edge(at, ByteSet::of(SPACE).minus(before), list.between);
            self.edge(at, ByteSet::of(b"/").minus(before), slash);
        }
        let AttributeNodes { between, begun, key, after_key, value, word, tail, lone, .. } = list;
        for at in [between, value, word, lone, tail] {
            self.edge(at, ByteSet::of(b"/"), slash);
        }
        let mut ends: Vec<usize> = from.iter().copied().chain([between, value, word]).collect();
        if bare {
            for at in [begun, key, after_key] {
                self.edge(at, ByteSet::of(b"/"), slash);
            }
            ends.extend([begun, key, after_key]);
        }
        let closed = self.node(None, accept.marker);
        self.edge(slash, ByteSet::of(b">"), closed);
        self.nodes[closed].accept = Some(Accept { empty: true, ..accept });
        ends
    }
}

/// The nodes of a list of attributes.
struct AttributeNodes {
    /// After whitespace.
    between: usize,
    /// After the first byte of a name.
    begun: usize,
    key: usize,
    /// After a name and whitespace.
    after_key: usize,
    /// After the equals sign.
    equals: usize,
    double: usize,
    single: usize,
    /// After a value in quotes.
    value: usize,
    /// In a value without quotes.
    word: usize,
    /// After a slash that belongs to such a value, or to the end of the tag.
    tail: usize,
    /// After a slash that is the first byte of such a value.
    lone: usize,
}

impl AttributeNodes {
    fn add(graph: &mut Graph, bare: bool, marker: u16) -> Self {
        let part = graph.part();
        let mut inner = |needs: u16, key: bool| {
            let (bytes, keys) = (MOST_ATTRIBUTE_BYTES - needs, Some(MOST_ATTRIBUTES as u16));
            graph.node(Some(LoopLimit { part, bytes, keys, key }), marker)
        };
        // The bytes that an attribute still needs after its name.
        let name = if bare { 0 } else { 2 };
        let list = Self {
            between: inner(0, false),
            begun: inner(name, true),
            key: inner(name, false),
            after_key: inner(name, false),
            equals: inner(1, false),
            double: inner(1, false),
            single: inner(1, false),
            value: inner(0, false),
            word: inner(0, false),
            tail: inner(0, false),
            lone: inner(0, false),
        };
        list.names(graph, bare);
        list.values(graph);
        list
    }

    fn names(&self, graph: &mut Graph, bare: bool) {
        let (first, more) = (letters(b"0123456789_"), letters(b"0123456789_-:."));
        graph.edge(self.between, first, self.begun);
        for at in [self.begun, self.key] {
            graph.edge(at, more, self.key);
            graph.edge(at, ByteSet::of(SPACE), self.after_key);
        }
        graph.edge(self.after_key, ByteSet::of(SPACE), self.after_key);
        for at in [self.begun, self.key, self.after_key] {
            graph.edge(at, ByteSet::of(b"="), self.equals);
        }
        if bare {
            graph.edge(self.after_key, first, self.begun);
        }
    }

    fn values(&self, graph: &mut Graph) {
        let &Self { between, equals, value, word, tail, lone, .. } = self;
        for at in [between, value, word, lone, tail] {
            graph.edge(at, ByteSet::of(SPACE), between);
        }
        graph.edge(equals, ByteSet::of(SPACE), equals);
        for (quote, inside) in [(b'"', self.double), (b'\'', self.single)] {
            graph.edge(equals, ByteSet::of(&[quote]), inside);
            graph.edge(inside, ByteSet::except(&[quote]), inside);
            graph.edge(inside, ByteSet::of(&[quote]), value);
        }
        // The slash of `/>` does not belong to a value without quotes.
        let plain = ByteSet::except(b" \t\r\n\"'<>=/");
        for at in [equals, word, lone, tail] {
            graph.edge(at, plain, word);
        }
        for (at, next) in [(equals, lone), (lone, tail), (word, tail), (tail, tail)] {
            graph.edge(at, ByteSet::of(b"/"), next);
        }
    }
}

/// Letters in both cases, and these.
fn letters(more: &[u8]) -> ByteSet {
    let letters = (b'a'..=b'z').chain(b'A'..=b'Z');
    letters.fold(ByteSet::of(more), ByteSet::with)
}
