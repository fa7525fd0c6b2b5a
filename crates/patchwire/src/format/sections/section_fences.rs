//! Code fences in the text of a section. In an open fence no line is a header.
//!
//! Nothing is held for fences. The machine records the first header that an open fence hides: if the
//! fence is never closed, the header was not code.

use crate::lex::fence_line::{FenceCloser, FenceOpener, FenceRun};
use crate::lex::heading::{Heading, LineStep, Titles};

/// The fences of a section that is being read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct SectionFences {
    open: Option<FenceRun>,
    line: FencedLine,
    /// After a carriage return, which belongs to the line end if a line feed follows.
    half: bool,
    /// A line in the open fence that would be a header outside of it.
    watched: Option<Heading>,
    /// Stream offset of the first header that the open fence hides.
    hides: Option<u64>,
}

/// The current line: it may open a fence, or close the open one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FencedLine {
    Opener(FenceOpener),
    Closer(FenceCloser),
}

impl Default for FencedLine {
    fn default() -> Self {
        Self::start(None)
    }
}

impl FencedLine {
    /// The start of a line. `fence`: the open one.
    fn start(fence: Option<FenceRun>) -> Self {
        match fence {
            None => Self::Opener(FenceOpener::default()),
            Some(_) => Self::Closer(FenceCloser::default()),
        }
    }
}

/// Which lines would be headers outside of a fence.
pub(super) struct HeaderRules<'w> {
    pub(super) titles: &'w Titles,
    pub(super) level: Option<u8>,
    /// Whether no field with this name occurred yet.
    pub(super) is_new: &'w dyn Fn(&str) -> bool,
}

impl SectionFences {
    /// Whether a fence is open.
    pub(super) const fn is_open(&self) -> bool {
        self.open.is_some()
    }

    /// Whether the rest of the line cannot change the state.
    pub(super) fn is_indifferent(&self) -> bool {
        let other = matches!(
            self.line,
            FencedLine::Opener(FenceOpener::Other) | FencedLine::Closer(FenceCloser::Other)
        );
        other && !self.half && self.watched.is_none()
    }

    /// Stream offset of the first header that an open fence hides.
    pub(super) fn hidden_header(&self) -> Option<u64> {
        self.hides.filter(|_| self.is_open())
    }

    /// Begins a line with this first byte at a stream offset.
    pub(super) fn begin_line(&mut self, byte: u8, start: u64) {
        self.half = false;
        self.line = FencedLine::start(self.open);
        let watched = self.is_open() && self.hides.is_none() && byte == b'#';
        self.watched = watched.then(|| Heading::new(start));
    }

    /// Reads up to a line feed or the end of the text. Returns the number of bytes read.
    pub(super) fn read(&mut self, text: &str, watch: &HeaderRules<'_>) -> usize {
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

    /// The length of the text that cannot change the state, up to the line end or the next byte that
    /// matters. None if that is not known.
    fn settled(&self, bytes: &[u8]) -> Option<usize> {
        let end = |at: Option<usize>| at.map_or(bytes.len(), |at| at + 1);
        match self.line {
            FencedLine::Opener(FenceOpener::Other) | FencedLine::Closer(FenceCloser::Other) => {
                Some(end(memchr::memchr(b'\n', bytes)))
            }
            FencedLine::Opener(FenceOpener::Info(FenceRun { mark: b'~', .. })) => {
                Some(end(memchr::memchr(b'\n', bytes)))
            }
            FencedLine::Opener(FenceOpener::Info(_)) => {
                let at = memchr::memchr2(b'`', b'\n', bytes);
                let passes = at.is_none_or(|at| bytes[at] == b'\n');
                passes.then(|| end(at))
            }
            _ => None,
        }
    }

    fn push(&mut self, char: char) {
        self.line = match (self.line, self.open) {
            (FencedLine::Opener(line), _) => FencedLine::Opener(line.push(char)),
            (FencedLine::Closer(line), Some(fence)) => FencedLine::Closer(line.push(char, fence)),
            (FencedLine::Closer(_), None) => FencedLine::Closer(FenceCloser::Other),
        };
    }

    /// Ends the line: a fence may begin or end with it. To end it again changes nothing.
    pub(super) fn end_line(&mut self) {
        match (self.line, self.open) {
            (FencedLine::Opener(line), _) => self.open = line.end(),
            (FencedLine::Closer(line), Some(fence)) if line.end(fence) => {
                self.open = None;
                self.hides = None;
            }
            (FencedLine::Closer(_), _) => {}
        }
    }

    /// Reads on in a line that would be a header.
    fn watch(&mut self, text: &str, watch: &HeaderRules<'_>) {
        let Some(heading) = &mut self.watched else { return };
        for char in text.chars() {
            match heading.push(char, watch.titles, watch.level) {
                LineStep::More if heading.text().len() <= LONGEST => {}
                LineStep::Whole => return self.end_watch(watch),
                LineStep::More | LineStep::Refuted => {
                    self.watched = None;
                    return;
                }
            }
        }
    }

    /// Ends the line that would be a header.
    fn end_watch(&mut self, watch: &HeaderRules<'_>) {
        let Some(heading) = self.watched.take() else { return };
        let header = heading.end(watch.titles);
        if header.is_some_and(|header| (watch.is_new)(&header.name)) {
            self.hides = self.hides.or_else(|| Some(heading.start()));
        }
    }

    /// Ends the text within a line.
    pub(super) fn finish(&mut self, watch: &HeaderRules<'_>) {
        self.end_watch(watch);
        self.end_line();
    }
}

/// Most bytes of a line in a fence that may count as a header. The line is not held.
const LONGEST: usize = 64 << 10;
