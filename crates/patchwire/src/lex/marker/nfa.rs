//! From grammars to a graph whose edges are sets of bytes: what the automaton is made of.

use super::automaton::Accept;
use super::bytes::ByteSet;
use super::pattern::{MOST_ATTRIBUTE_BYTES, MOST_BLANKS, Pattern, Piece};

/// A node.
#[derive(Debug, Default)]
pub(super) struct Node {
    pub(super) edges: Vec<(ByteSet, usize)>,
    /// Where the graph may go round: how many bytes at most, counted from where that part begins.
    pub(super) cap: Option<u16>,
    pub(super) accept: Option<Accept>,
}

/// All markers in one graph.
#[derive(Debug)]
pub(super) struct Graph {
    pub(super) nodes: Vec<Node>,
}

const BLANKS: &[u8] = b" \t";
const SPACE: &[u8] = b" \t\r\n";

impl Graph {
    /// Node 0 begins every marker.
    pub(super) fn new() -> Self {
        Self { nodes: vec![Node::default()] }
    }

    /// Adds a marker.
    pub(super) fn add(&mut self, pattern: &Pattern, accept: Accept) {
        let mut from = vec![0];
        for piece in &pattern.pieces {
            from = match piece {
                Piece::Literal(bytes) => self.literal(from, bytes, pattern.fold),
                Piece::Param { allow, cap, .. } => vec![self.round(&from, *allow, *cap)],
                Piece::Blanks => {
                    let blanks = self.round(&from, ByteSet::of(BLANKS), MOST_BLANKS);
                    from.into_iter().chain([blanks]).collect()
                }
                Piece::Attributes { bare } => self.attributes(from, *bare, accept),
            };
        }
        for end in from {
            self.nodes[end].accept = Some(accept);
        }
    }

    fn node(&mut self, cap: Option<u16>) -> usize {
        self.nodes.push(Node { cap, ..Node::default() });
        self.nodes.len() - 1
    }

    fn edge(&mut self, from: usize, set: ByteSet, to: usize) {
        self.nodes[from].edges.push((set, to));
    }

    fn literal(&mut self, from: Vec<usize>, bytes: &[u8], fold: bool) -> Vec<usize> {
        bytes.iter().fold(from, |from, &byte| {
            let next = self.node(None);
            for at in from {
                self.edge(at, ByteSet::letter(byte, fold), next);
            }
            vec![next]
        })
    }

    /// One or more bytes of a set.
    fn round(&mut self, from: &[usize], set: ByteSet, cap: u16) -> usize {
        let next = self.node(Some(cap));
        for &at in from {
            self.edge(at, set, next);
        }
        self.edge(next, set, next);
        next
    }

    /// A list of attributes, or nothing; where the last `>` may follow. A slash before it ends the
    /// marker too.
    fn attributes(&mut self, from: Vec<usize>, bare: bool, accept: Accept) -> Vec<usize> {
        let [between, key, after_key, equals, double, single, value, word, lone, tail, slash] =
            core::array::from_fn(|_| self.node(Some(MOST_ATTRIBUTE_BYTES)));
        let blank = ByteSet::of(SPACE);
        let first = letters(b"_");
        let more = letters(b"0123456789_-:.");
        let quotes = [(b'"', double), (b'\'', single)];
        for at in from.iter().copied().chain([between, value, word, lone, tail]) {
            self.edge(at, blank, between);
        }
        for at in from.iter().copied().chain([between, value]) {
            self.edge(at, ByteSet::of(b"/"), slash);
        }
        self.edge(between, first, key);
        self.edge(key, more, key);
        self.edge(key, blank, after_key);
        self.edge(after_key, blank, after_key);
        for at in [key, after_key] {
            self.edge(at, ByteSet::of(b"="), equals);
        }
        self.edge(equals, blank, equals);
        for (quote, inside) in quotes {
            self.edge(equals, ByteSet::of(&[quote]), inside);
            self.edge(inside, ByteSet::except(&[quote]), inside);
            self.edge(inside, ByteSet::of(&[quote]), value);
        }
        // The slash of `/>` is no part of a value without quotes.
        let plain = ByteSet::except(b" \t\r\n\"'<>=/");
        for at in [equals, word, lone, tail] {
            self.edge(at, plain, word);
        }
        for (at, next) in [(equals, lone), (lone, tail), (word, tail), (tail, tail)] {
            self.edge(at, ByteSet::of(b"/"), next);
        }
        let mut ends: Vec<usize> = from.into_iter().chain([between, value, word]).collect();
        if bare {
            self.edge(after_key, first, key);
            for at in [key, after_key] {
                self.edge(at, ByteSet::of(b"/"), slash);
            }
            ends.extend([key, after_key]);
        }
        let closed = self.node(None);
        for at in [slash, tail] {
            self.edge(at, ByteSet::of(b">"), closed);
        }
        self.nodes[closed].accept = Some(Accept { empty: true, ..accept });
        ends
    }
}

/// Letters in both cases, and these.
fn letters(more: &[u8]) -> ByteSet {
    let letters = (b'a'..=b'z').chain(b'A'..=b'Z');
    letters.fold(ByteSet::of(more), ByteSet::with)
}
