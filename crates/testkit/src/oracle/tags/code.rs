//! The code around a place of an element.
//!
//! Computed from the element's own text so far. That text lacks the content of inner elements, and has a
//! [`MARKER`] for each marker and comment.

use super::profile::Guards;

/// A byte that no text contains, in place of a marker.
pub const MARKER: u8 = 0xFF;

/// What code the end of a text is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cover {
    /// None.
    None,
    /// Right behind the run that opens a span.
    Span,
    /// In a fence.
    Fence {
        /// The position of its first line.
        start: usize,
        /// Whether the line so far would end the fence.
        ends_here: bool,
    },
}

/// The code at the end of an element's text. The fence that begins at `wrapping` hides nothing.
#[must_use]
pub fn cover(text: &[u8], guards: Guards, wrapping: Option<usize>) -> Cover {
    let (fence, line) = fence(text);
    let fences = matches!(guards, Guards::Both | Guards::Fences);
    if let Some(fence) = fence.filter(|fence| fences && Some(fence.start) != wrapping) {
        return Cover::Fence { start: fence.start, ends_here: fence.ends_with(line) };
    }
    let inline = matches!(guards, Guards::Both | Guards::Inline);
    if inline && opens_span(line) { Cover::Span } else { Cover::None }
}

/// The fence that is open at the end of a text and that its last line does not end.
#[must_use]
pub fn open_fence(text: &[u8]) -> Option<usize> {
    let (fence, line) = fence(text);
    fence.filter(|fence| !fence.ends_with(line)).map(|fence| fence.start)
}

/// Whether a text is only the first line of a fence, with blank lines around it.
#[must_use]
pub fn is_only_fence_line(text: &[u8]) -> bool {
    let is_blank = |line: &&[u8]| line.iter().all(|byte| matches!(*byte, b' ' | b'\t' | MARKER));
    let mut lines = text.split(is_break).filter(|line| !is_blank(line));
    lines.next().is_some_and(|line| Fence::begin(line, 0).is_some()) && lines.next().is_none()
}

#[derive(Debug, Clone, Copy)]
struct Fence {
    char: u8,
    run: usize,
    start: usize,
}

impl Fence {
    fn begin(line: &[u8], start: usize) -> Option<Self> {
        let (char, run, rest) = run(line)?;
        let is_fence = run >= 3 && !(char == b'`' && rest.contains(&b'`'));
        is_fence.then_some(Self { char, run, start })
    }

    fn ends_with(self, line: &[u8]) -> bool {
        run(line).is_some_and(|(char, run, rest)| {
            let blank = rest.iter().all(|byte| matches!(*byte, b' ' | b'\t' | MARKER));
            char == self.char && run >= self.run && blank
        })
    }
}

/// The run of backticks or tildes that begins a line, its length, and the text after it.
fn run(line: &[u8]) -> Option<(u8, usize, &[u8])> {
    let spaces = line.iter().take_while(|byte| matches!(**byte, b' ' | MARKER));
    let skipped = spaces.clone().count();
    let indent = spaces.filter(|byte| **byte == b' ').count();
    let rest = &line[skipped..];
    let char = *rest.first().filter(|char| matches!(**char, b'`' | b'~'))?;
    let run = rest.iter().take_while(|byte| **byte == char).count();
    (indent <= 3).then_some((char, run, &rest[run..]))
}

/// The fence that is open where the last line begins, and that line. A fence is open from the end of its
/// first line on.
fn fence(text: &[u8]) -> (Option<Fence>, &[u8]) {
    let mut fence: Option<Fence> = None;
    let mut start = 0;
    while let Some(len) = text[start..].iter().position(is_break) {
        let line = &text[start..start + len];
        fence = match fence {
            Some(open) if open.ends_with(line) => None,
            Some(open) => Some(open),
            None => Fence::begin(line, start),
        };
        start += len + 1;
    }
    (fence, &text[start..])
}

/// Whether a line ends in a run of backticks that opens a span.
fn opens_span(line: &[u8]) -> bool {
    let mut span = None;
    let mut opened_here = false;
    let mut at = 0;
    while at < line.len() {
        let run = line[at..].iter().take_while(|byte| **byte == b'`').count();
        opened_here = run > 0 && span.is_none();
        if opened_here {
            span = Some(run);
        } else if span == Some(run) {
            span = None;
        }
        at += run.max(1);
    }
    opened_here
}

const fn is_break(byte: &u8) -> bool {
    matches!(*byte, b'\n' | b'\r')
}
