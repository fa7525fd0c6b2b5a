//! Markers across chunk seams: a trie with fail links, and the bytes that may still be a marker.
//!
//! Held bytes are those from the oldest live candidate on: the depth of the trie node says how many.
//! When a candidate dies, exactly the bytes before the next-oldest one are released (Aho and
//! Corasick's fail link), so `x <<` and `<think>` are told apart without reading anything twice.

/// All markers that are enabled in one state, compiled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Automaton {
    nodes: Vec<Node>,
    /// Bytes a marker may begin with, both cases.
    starts: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Node {
    /// Where each byte leads, fail links followed.
    next: Vec<u16>,
    depth: u16,
    /// The marker that ends here.
    marker: Option<u16>,
}

/// The position in an automaton.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Position(u16);

impl Position {
    pub(crate) const fn is_start(self) -> bool {
        self.0 == 0
    }
}

impl Automaton {
    /// Compiles markers, each with a number of the caller's. ASCII letters match in either case.
    pub(crate) fn new<'m>(markers: impl Iterator<Item = (&'m str, u16)>) -> Self {
        let mut nodes = vec![Node::at(0)];
        let mut starts = Vec::new();
        for (marker, number) in markers {
            let mut at = 0_usize;
            for byte in marker.bytes().map(|byte| byte.to_ascii_lowercase()) {
                at = child(&mut nodes, at, byte);
            }
            nodes[at].marker = Some(number);
            starts.extend(marker.bytes().next().map(|byte| byte.to_ascii_lowercase()));
        }
        link(&mut nodes);
        let upper: Vec<u8> = starts.iter().map(u8::to_ascii_uppercase).collect();
        starts.extend(upper);
        starts.sort_unstable();
        starts.dedup();
        Self { nodes, starts }
    }

    /// Most bytes that are ever held.
    pub(crate) fn max_held(&self) -> usize {
        let deepest = self.nodes.iter().map(|node| usize::from(node.depth)).max();
        deepest.unwrap_or(0).saturating_sub(1)
    }

    /// The next byte that a marker may begin with.
    pub(crate) fn find_start(&self, bytes: &[u8]) -> Option<usize> {
        match *self.starts {
            [] => None,
            [one] => memchr::memchr(one, bytes),
            [one, two] => memchr::memchr2(one, two, bytes),
            [one, two, three] => memchr::memchr3(one, two, three, bytes),
            _ => bytes.iter().position(|byte| self.starts.contains(byte)),
        }
    }

    /// One byte further.
    pub(crate) fn step(&self, at: Position, byte: u8) -> Position {
        let node = &self.nodes[usize::from(at.0)];
        Position(node.next[usize::from(byte.to_ascii_lowercase())])
    }

    /// Bytes of the oldest live candidate.
    pub(crate) fn depth(&self, at: Position) -> usize {
        usize::from(self.nodes[usize::from(at.0)].depth)
    }

    /// The marker that is complete here.
    pub(crate) fn marker(&self, at: Position) -> Option<u16> {
        self.nodes[usize::from(at.0)].marker
    }
}

impl Node {
    fn at(depth: u16) -> Self {
        Self { next: vec![0; 256], depth, marker: None }
    }
}

fn child(nodes: &mut Vec<Node>, at: usize, byte: u8) -> usize {
    let known = usize::from(nodes[at].next[usize::from(byte)]);
    if known != 0 {
        return known;
    }
    let new = nodes.len();
    let depth = nodes[at].depth + 1;
    nodes.push(Node::at(depth));
    nodes[at].next[usize::from(byte)] = new as u16;
    new
}

/// Follows the fail links once and for all: breadth first, each node's missing transitions are those
/// of the longest proper suffix of it that is itself in the trie.
fn link(nodes: &mut [Node]) {
    let mut fail = vec![0_usize; nodes.len()];
    let mut queue: std::collections::VecDeque<usize> =
        nodes[0].next.iter().map(|&next| usize::from(next)).filter(|&next| next != 0).collect();
    while let Some(at) = queue.pop_front() {
        for byte in 0..256 {
            let next = usize::from(nodes[at].next[byte]);
            let after_fail = nodes[fail[at]].next[byte];
            if next == 0 {
                nodes[at].next[byte] = after_fail;
            } else {
                fail[next] = usize::from(after_fail);
                queue.push_back(next);
            }
        }
        if nodes[at].marker.is_none() {
            nodes[at].marker = nodes[fail[at]].marker;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Automaton, Position};

    #[test]
    fn depth_is_the_longest_suffix_that_begins_a_marker() {
        let markers = ["<<STEP>>", "<think>", "</think>"];
        let automaton = Automaton::new(markers.into_iter().zip(0..));
        let text = "a <<<STEP><</thinK><THINK>x<<STE<<STEP>>";
        let mut at = Position::default();
        for end in 1..=text.len() {
            at = automaton.step(at, text.as_bytes()[end - 1]);
            let lower = text[..end].to_ascii_lowercase();
            let longest = (0..end)
                .map(|start| &lower[start..])
                .find(|suffix| markers.iter().any(|m| m.to_ascii_lowercase().starts_with(suffix)));
            assert_eq!(
                automaton.depth(at),
                longest.map_or(0, str::len),
                "after {:?}",
                &text[..end]
            );
        }
        assert_eq!(automaton.marker(at), Some(0));
        assert_eq!(automaton.max_held(), 7);
    }
}
