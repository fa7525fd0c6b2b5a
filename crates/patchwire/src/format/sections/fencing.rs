//! Code fences in the text of a section: where one is open, no line is a header.
//!
//! Nothing is held for them. What they hide is watched: a header in a fence that nobody closes was
//! none of its code.

use crate::lex::fence_line::{FenceCloser, FenceOpener, FenceRun};
use crate::lex::heading::{Heading, Step, Titles};

/// The fences of a section that is being read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Fencing {
    open: Option<FenceRun>,
    line: Line,
    /// Behind a carriage return, which is half of a line end if a line feed follows.
    half: bool,
    /// In the open fence, a line that might be a header outside it.
    watched: Option<Heading>,
    /// Where the header begins that the open fence hides, if it does.
    hides: Option<u64>,
}

/// What the line so far may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    Opener(FenceOpener),
    Closer(FenceCloser),
}

impl Default for Line {
    fn default() -> Self {
        Self::start(None)
    }
}

impl Line {
    /// The start of a line, where this fence is open.
    fn start(fence: Option<FenceRun>) -> Self {
        match fence {
            None => Self::Opener(FenceOpener::default()),
            Some(_) => Self::Closer(FenceCloser::default()),
        }
    }
}

/// What would be a header.
pub(super) struct Watch<'w> {
    pub(super) titles: &'w Titles,
    pub(super) level: Option<u8>,
    /// Whether a field of this name has not come yet.
    pub(super) is_new: &'w dyn Fn(&str) -> bool,
}

impl Fencing {
    /// Whether a fence is open.
    pub(super) const fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Whether nothing that comes before the end of the line matters.
    pub(super) fn is_indifferent(&self) -> bool {
        let other = matches!(
            self.line,
            Line::Opener(FenceOpener::Other) | Line::Closer(FenceCloser::Other)
        );
        other && !self.half && self.watched.is_none()
    }

    /// Where the first header begins that an open fence hides.
    pub(super) fn hidden_header(&self) -> Option<u64> {
        self.hides.filter(|_| self.is_open())
    }

    /// A line begins there, with this byte.
    pub(super) fn begin_line(&mut self, byte: u8, start: u64) {
        self.half = false;
        self.line = Line::start(self.open);
        let watched = self.is_open() && self.hides.is_none() && byte == b'#';
        self.watched = watched.then(|| Heading::new(start));
    }

    /// Reads on in a line, up to its line feed or the end of the text. How much was read.
    pub(super) fn read(&mut self, text: &str, watch: &Watch<'_>) -> usize {
        self.watch(text, watch);
        let bytes = text.as_bytes();
        for (at, &byte) in bytes.iter().enumerate() {
            if let Some(len) = self.settled(&bytes[at..]) {
                if bytes[at + len - 1] == b'\n' {
                    self.end_line();
                }
                return at + len;
            }
            if byte == b'\n' {
                self.end_line();
                return at + 1;
            }
            if core::mem::replace(&mut self.half, byte == b'\r') {
                self.push('\r');
            }
            if byte != b'\r' {
                self.push(char::from(byte));
            }
        }
        bytes.len()
    }

    /// How far nothing changes any more, if that is known: to the end of the line, or to the next
    /// byte that matters.
    fn settled(&self, bytes: &[u8]) -> Option<usize> {
        let end = |at: Option<usize>| at.map_or(bytes.len(), |at| at + 1);
        match self.line {
            Line::Opener(FenceOpener::Other) | Line::Closer(FenceCloser::Other) => {
                Some(end(memchr::memchr(b'\n', bytes)))
            }
            Line::Opener(FenceOpener::Info(FenceRun { mark: b'~', .. })) => {
                Some(end(memchr::memchr(b'\n', bytes)))
            }
            Line::Opener(FenceOpener::Info(_)) => {
                let at = memchr::memchr2(b'`', b'\n', bytes);
                let passes = at.is_none_or(|at| bytes[at] == b'\n');
                passes.then(|| end(at))
            }
            _ => None,
        }
    }

    fn push(&mut self, char: char) {
        self.line = match (self.line, self.open) {
            (Line::Opener(line), _) => Line::Opener(line.push(char)),
            (Line::Closer(line), Some(fence)) => Line::Closer(line.push(char, fence)),
            (Line::Closer(_), None) => Line::Closer(FenceCloser::Other),
        };
    }

    /// The line ended: a fence may have begun or ended with it.
    pub(super) fn end_line(&mut self) {
        match (self.line, self.open) {
            (Line::Opener(line), _) => self.open = line.end(),
            (Line::Closer(line), Some(fence)) if line.end(fence) => {
                self.open = None;
                self.hides = None;
            }
            (Line::Closer(_), _) => {}
        }
        self.half = false;
        self.line = Line::start(self.open);
        self.watched = None;
    }

    /// Reads a line that might be a header, up to where that is decided.
    fn watch(&mut self, text: &str, watch: &Watch<'_>) {
        let Some(heading) = &mut self.watched else { return };
        for char in text.chars() {
            match heading.push(char, watch.titles, watch.level) {
                Step::More if heading.text().len() <= LONGEST => {}
                Step::Whole => return self.end_watch(watch),
                Step::More | Step::Refuted => {
                    self.watched = None;
                    return;
                }
            }
        }
    }

    /// The watched line ended.
    fn end_watch(&mut self, watch: &Watch<'_>) {
        let Some(heading) = self.watched.take() else { return };
        let header = heading.end(watch.titles);
        if header.is_some_and(|header| (watch.is_new)(&header.name)) {
            self.hides = self.hides.or_else(|| Some(heading.start()));
        }
    }

    /// The text ended in a line.
    pub(super) fn finish(&mut self, watch: &Watch<'_>) {
        self.end_watch(watch);
        self.end_line();
    }
}

/// Most bytes of a line in a fence that is still taken for a header: nobody holds it.
const LONGEST: usize = 64 << 10;
