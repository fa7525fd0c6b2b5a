//! From grammars to a graph whose edges are sets of bytes: what the automaton is made of.

use super::automaton::Accept;
use super::bytes::ByteSet;
use super::pattern::{MOST_ATTRIBUTE_BYTES, MOST_ATTRIBUTES, MOST_BLANKS, Pattern, Piece};

/// A node.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) edges: Vec<(ByteSet, usize)>,
    /// Where the graph may go round.
    pub(super) limit: Option<Limit>,
    pub(super) accept: Option<Accept>,
    /// The marker that it is of; none for the node that begins all.
    pub(super) marker: Option<u16>,
}

/// How long the graph may go round in one part of a marker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Limit {
    /// The part: no other part of any marker has its number.
    pub(super) part: usize,
    /// Bytes of the part at most, the one that leads here included. Where the part cannot end here,
    /// the fewest that it still needs are taken off.
    pub(super) bytes: u16,
    /// Attributes of the part at most, if it is a list of them.
    pub(super) keys: Option<u16>,
    /// Whether an attribute begins with the byte that leads here.
    pub(super) key: bool,
}

/// All markers in one graph.
#[derive(Debug)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
    parts: usize,
}

const BLANKS: &[u8] = b" \t";
const SPACE: &[u8] = b" \t\r\n";

impl Graph {
    /// Node 0 begins every marker.
    pub(super) fn new() -> Self {
        let first = Node { edges: Vec::new(), limit: None, accept: None, marker: None };
        Self { nodes: vec![first], parts: 0 }
    }

    /// Adds a marker.
    pub(super) fn add(&mut self, pattern: &Pattern, accept: Accept) {
        let marker = accept.marker;
        let mut from = vec![0];
        // What the part before takes, as long as it can.
        let mut taken = ByteSet::EMPTY;
        for piece in &pattern.pieces {
            let before = core::mem::replace(&mut taken, ByteSet::EMPTY);
            from = match piece {
                Piece::Literal(bytes) => self.literal(from, bytes, (pattern.fold, marker)),
                Piece::Param { allow, cap, .. } => {
                    taken = *allow;
                    vec![self.round(&from, (*allow, before), *cap, marker)]
                }
                Piece::Blanks => {
                    taken = ByteSet::of(BLANKS);
                    let blanks = self.round(&from, (taken, before), MOST_BLANKS, marker);
                    from.into_iter().chain([blanks]).collect()
                }
                Piece::Attributes { bare } => self.attributes(&from, before, *bare, accept),
            };
        }
        for end in from {
            self.nodes[end].accept = Some(accept);
        }
    }

    fn node(&mut self, limit: Option<Limit>, marker: u16) -> usize {
        self.nodes.push(Node { edges: Vec::new(), limit, accept: None, marker: Some(marker) });
        self.nodes.len() - 1
    }

    fn part(&mut self) -> usize {
        self.parts += 1;
        self.parts
    }

    fn edge(&mut self, from: usize, set: ByteSet, to: usize) {
        self.nodes[from].edges.push((set, to));
    }

    fn literal(
        &mut self,
        from: Vec<usize>,
        bytes: &[u8],
        (fold, marker): (bool, u16),
    ) -> Vec<usize> {
        bytes.iter().fold(from, |from, &byte| {
            let next = self.node(None, marker);
            for at in from {
                self.edge(at, ByteSet::letter(byte, fold), next);
            }
            vec![next]
        })
    }

    /// One or more bytes of a set. The first is none that the part before takes.
    fn round(
        &mut self,
        from: &[usize],
        (set, before): (ByteSet, ByteSet),
        cap: u16,
        marker: u16,
    ) -> usize {
        let part = self.part();
        let next = self.node(Some(Limit { part, bytes: cap, keys: None, key: false }), marker);
        for &at in from {
            self.edge(at, set.minus(before), next);
        }
        self.edge(next, set, next);
        next
    }

    /// A list of attributes, or nothing; where the last `>` may follow. A slash before it ends the
    /// marker too.
    fn attributes(
        &mut self,
        from: &[usize],
        before: ByteSet,
        bare: bool,
        accept: Accept,
    ) -> Vec<usize> {
        let (list, slash) = (List::add(self, bare, accept.marker), self.node(None, accept.marker));
        for &at in from {
            self.edge(at, ByteSet::of(SPACE).minus(before), list.between);
            self.edge(at, ByteSet::of(b"/").minus(before), slash);
        }
        let List { between, begun, key, after_key, value, word, tail, lone, .. } = list;
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
struct List {
    /// Behind blanks.
    between: usize,
    /// Behind the first byte of a name.
    begun: usize,
    key: usize,
    /// Behind a name and blanks.
    after_key: usize,
    /// Behind the equals sign.
    equals: usize,
    double: usize,
    single: usize,
    /// Behind a value in quotes.
    value: usize,
    /// In a value without quotes.
    word: usize,
    /// Behind a slash of such a value; or that of the end.
    tail: usize,
    /// The same, where that slash is the value's first byte.
    lone: usize,
}

impl List {
    fn add(graph: &mut Graph, bare: bool, marker: u16) -> Self {
        let part = graph.part();
        let mut inner = |needs: u16, key: bool| {
            let (bytes, keys) = (MOST_ATTRIBUTE_BYTES - needs, Some(MOST_ATTRIBUTES as u16));
            graph.node(Some(Limit { part, bytes, keys, key }), marker)
        };
        // What an attribute needs at least to be whole.
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
        // The slash of `/>` is no part of a value without quotes.
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
