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
    /// In indented code.
    Indented,
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
    // Where fences hide nothing, a run that looks like one opens a span only if another run closes it.
    let may_end_fence = || !fences && Fence::begin(line, 0).is_some();
    match span(line) {
        Some(span) if inline && span.opens_here && !may_end_fence() => Cover::Span,
        _ => Cover::None,
    }
}

/// Whether the end of a text outside elements is in indented code: behind a paragraph, a blank line, and four columns
/// of indent.
#[must_use]
pub fn is_indented(text: &[u8]) -> bool {
    // An indented beginning is no code.
    let (mut in_list, mut behind_blank, mut in_code) = (true, true, false);
    for line in text.split(|byte| *byte == b'\n') {
        let mut columns = 0;
        let mut first = None;
        for byte in line {
            match byte {
                b'\r' => {}
                b' ' => columns += 1,
                b'\t' => columns += 4 - columns % 4,
                byte => {
                    first = Some(byte);
                    break;
                }
            }
        }
        in_code = !in_list && columns >= 4 && (in_code || behind_blank);
        let Some(first) = first else {
            behind_blank = true;
            continue;
        };
        if !in_code {
            let is_item = matches!(first, b'-' | b'*' | b'+' | b'>' | b'0'..=b'9');
            in_list = is_item || in_list && (!behind_blank || columns >= 2);
        }
        behind_blank = false;
    }
    in_code
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
        let (char, run, rest) = run(after_marks(line)?)?;
        let is_fence = run >= 3 && !(char == b'`' && rest.contains(&b'`'));
        is_fence.then_some(Self { char, run, start })
    }

    fn ends_with(self, line: &[u8]) -> bool {
        let quoted = |byte: &&u8| matches!(**byte, b' ' | b'\t' | b'>' | MARKER);
        let skipped = line.iter().take_while(quoted).count();
        run(&line[skipped..]).is_some_and(|(char, run, rest)| {
            let blank = rest.iter().all(|byte| matches!(*byte, b' ' | b'\t' | MARKER));
            char == self.char && run >= self.run && blank
        })
    }
}

/// The run of backticks or tildes that begins a text, its length, and the text after it.
fn run(text: &[u8]) -> Option<(u8, usize, &[u8])> {
    let char = *text.first().filter(|char| matches!(**char, b'`' | b'~'))?;
    let run = text.iter().take_while(|byte| **byte == char).count();
    Some((char, run, &text[run..]))
}

/// A line without the whitespace and the marks of lists and quotes at its start. A space follows each mark, and
/// between marks of quotes none is needed. None if the line ends after a mark, or goes on without the space.
fn after_marks(line: &[u8]) -> Option<&[u8]> {
    let skip = |line: &[u8]| line.iter().take_while(|byte| **byte == MARKER).count();
    let mut rest = line;
    let mut needs_space = false;
    loop {
        rest = &rest[skip(rest)..];
        let (first, after) = rest.split_first()?;
        match *first {
            b' ' | b'\t' => needs_space = false,
            b'>' => needs_space = true,
            _ if needs_space => return None,
            b'-' | b'*' | b'+' => needs_space = true,
            b'0'..=b'9' => {
                let unmarked: Vec<u8> = rest.iter().copied().filter(|it| *it != MARKER).collect();
                let digits = unmarked.iter().take_while(|it| it.is_ascii_digit()).count();
                let is_item = matches!(unmarked.get(digits), Some(b'.' | b')')) && digits <= 9;
                if !is_item {
                    return None;
                }
                let mut left = digits + 1;
                let end = rest.iter().position(|it| {
                    left -= usize::from(*it != MARKER);
                    left == 0
                });
                rest = &rest[end? + 1..];
                needs_space = true;
                continue;
            }
            _ => return Some(rest),
        }
        rest = after;
    }
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

/// Whether a code span is open at the end of an element's text, and the text after it closes the span, within
/// `SPAN_AHEAD` bytes and before any U+FFFD: on the line that opened the span, or on the next one. `fences`: whether
/// fences hide markers.
#[must_use]
pub fn is_in_closed_span(text: &[u8], after: &[u8], fences: bool) -> bool {
    if let Some(open) = span(fence(text).1) {
        let own = after.iter().position(is_break);
        return closes_on_its_line(after, open.run)
            || own.is_some_and(|end| closes_on_next_line(after, end + 1, open.run));
    }
    carried_span(text, fences).is_some_and(|open| closes_on_next_line(after, 0, open.run))
}

/// The span that the line before the last one left open. The last line has no backtick, and the line before is no
/// part of a fence.
fn carried_span(text: &[u8], fences: bool) -> Option<Span> {
    let end = text.iter().rposition(is_break)?;
    let start = text[..end].iter().rposition(is_break).map_or(0, |at| at + 1);
    let line = &text[start..end];
    let is_fenced = fences && fence(&text[..start]).0.is_some();
    let is_code = is_fenced || Fence::begin(line, 0).is_some() || text[end..].contains(&b'`');
    span(line).filter(|_| !is_code)
}

fn closes_on_its_line(after: &[u8], span: usize) -> bool {
    let line = after.split(is_break).next().unwrap_or_default();
    let line = &line[..replaced(line).unwrap_or(line.len())];
    runs(line).any(|(end, run)| run == span && end < SPAN_AHEAD)
}

/// Whether the line from `start` on has an odd number of runs as long as that of the span.
fn closes_on_next_line(after: &[u8], start: usize, span: usize) -> bool {
    let len = after[start..].iter().position(is_break);
    let end = len.map_or(after.len(), |len| start + len);
    let is_near = end < SPAN_AHEAD && replaced(&after[..end]).is_none();
    is_near && runs(&after[start..end]).filter(|(_, run)| *run == span).count() % 2 == 1
}

fn replaced(text: &[u8]) -> Option<usize> {
    text.windows(3).position(|bytes| bytes == "\u{fffd}".as_bytes())
}

/// The end and the length of each run of backticks.
fn runs(line: &[u8]) -> impl Iterator<Item = (usize, usize)> {
    let mut at = 0;
    core::iter::from_fn(move || {
        at += line[at..].iter().position(|byte| *byte == b'`')?;
        let run = line[at..].iter().take_while(|byte| **byte == b'`').count();
        at += run;
        Some((at, run))
    })
}

/// How far the end of a code span is looked for, in bytes.
const SPAN_AHEAD: usize = 128;

#[derive(Debug, Clone, Copy)]
struct Span {
    /// Length of the run that opened it.
    run: usize,
    /// Whether the text ends right after that run.
    opens_here: bool,
}

/// The code span that is open at the end of a line.
fn span(line: &[u8]) -> Option<Span> {
    let mut span = None;
    let mut at = 0;
    while at < line.len() {
        let run = line[at..].iter().take_while(|byte| **byte == b'`').count();
        at += run.max(1);
        span = match span {
            None if run > 0 => Some(Span { run, opens_here: at == line.len() }),
            Some(open) if open.run == run => None,
            open => open,
        };
    }
    span
}

const fn is_break(byte: &u8) -> bool {
    matches!(*byte, b'\n' | b'\r')
}
