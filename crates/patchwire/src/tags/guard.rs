//! Code in Markdown, as far as it hides markers: code spans on one line, and fences.
//!
//! Fences are those of CommonMark 0.31, section 4.5, with one more way to end: a closer of an open
//! element right behind the closing run.

use super::set::Guards;

/// Where the text stands in its Markdown. Small, and a value: a search keeps a copy for each place
/// where a marker may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Guard {
    line: Line,
    fence: Option<Fence>,
    /// A fence round the whole answer, which hides nothing: its closing line opens none.
    wrapped: Option<Fence>,
    first: First,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fence {
    mark: u8,
    len: u16,
    /// Where in the stream it began.
    at: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Line {
    /// It has so many spaces, at most three.
    Indent(u8),
    /// It begins with so many marks.
    Run { mark: u8, len: u16 },
    /// Behind marks that open a fence, if no backtick follows backticks.
    Info { mark: u8, len: u16 },
    /// In the middle: a code span of so many backticks is open, or none; the last so many bytes are
    /// backticks.
    Middle { span: u16, run: u16 },
    /// In a fence, behind marks that close it, if only blanks follow.
    Closing,
    /// In a fence.
    Code,
}

/// Whether anything came before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum First {
    /// Only blanks.
    Blank,
    /// Only blanks, then a fence, and only blanks in it.
    Fence,
    Past,
}

/// Which markers count here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// All that are enabled.
    Open = 0,
    /// Those that code does not hide.
    Hidden = 1,
    /// Also closers of open elements.
    FenceEnd = 2,
    /// Nothing but closers of open elements.
    Ends = 3,
}

impl Guard {
    /// Before the first byte of a stream.
    pub(super) const START: Self = Self { first: First::Blank, ..Self::ELEMENT };
    /// Before the first byte of an element.
    pub(super) const ELEMENT: Self =
        Self { line: Line::Indent(0), fence: None, wrapped: None, first: First::Past };
    /// Behind a payload.
    pub(super) const MIDDLE: Self =
        Self { line: Line::Middle { span: 0, run: 0 }, ..Self::ELEMENT };

    /// Which markers count at this place.
    #[inline]
    pub(super) fn rule(&self, guards: Guards) -> Rule {
        if let Some(fence) = self.fence {
            return match self.line {
                _ if self.first == First::Fence => Rule::Open,
                Line::Run { len, .. } if len >= fence.len => Rule::FenceEnd,
                Line::Closing => Rule::FenceEnd,
                _ => Rule::Hidden,
            };
        }
        let hides = match self.line {
            Line::Info { .. } => true,
            Line::Run { mark, len } if guards.fences() && len >= 3 => !self.unwraps(mark, len),
            Line::Run { mark, .. } => guards.inline() && mark == b'`',
            Line::Middle { span: 0, run } => guards.inline() && run > 0,
            _ => false,
        };
        if hides { Rule::Hidden } else { Rule::Open }
    }

    fn unwraps(&self, mark: u8, len: u16) -> bool {
        self.wrapped.is_some_and(|fence| fence.mark == mark && len >= fence.len)
    }

    /// A marker counts here: the fence it is the first thing of hides nothing.
    pub(super) fn marked(&mut self) {
        if self.first == First::Fence {
            self.wrapped = self.fence.take();
            self.line = Line::Middle { span: 0, run: 0 };
        }
        self.first = First::Past;
    }

    /// Where the open fence began.
    pub(super) fn open_fence(&self) -> Option<u64> {
        self.fence.map(|fence| fence.at)
    }

    /// Reads text, which begins in the stream at `at`.
    pub(super) fn read(&mut self, text: &[u8], at: u64, guards: Guards) {
        let mut pos = 0;
        while pos < text.len() {
            if let Line::Code | Line::Middle { span: 0, run: 0 } = self.line
                && self.first != First::Fence
            {
                // Nothing but a line's end or a backtick matters.
                let next = match self.line {
                    Line::Code => memchr::memchr(b'\n', &text[pos..]),
                    _ => memchr::memchr2(b'\n', b'`', &text[pos..]),
                };
                let Some(next) = next else { return };
                pos += next;
            }
            self.step(text[pos], at + pos as u64, guards);
            pos += 1;
        }
    }

    /// Reads one byte.
    #[inline]
    pub(super) fn step(&mut self, byte: u8, at: u64, guards: Guards) {
        if self.first != First::Past {
            self.look_for_first(byte);
        }
        self.line = match self.fence {
            Some(fence) => self.in_fence(fence, byte),
            None => self.in_text(byte, at, guards),
        };
    }

    fn look_for_first(&mut self, byte: u8) {
        let blank = matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
        let opening = match (self.first, self.line) {
            (First::Blank, Line::Indent(_)) => byte == b'`' || byte == b'~',
            (First::Blank, Line::Run { .. } | Line::Info { .. }) => true,
            _ => false,
        };
        if !blank && !opening {
            self.first = First::Past;
        }
    }

    fn in_text(&mut self, byte: u8, at: u64, guards: Guards) -> Line {
        match (self.line, byte) {
            (Line::Info { mark, len } | Line::Run { mark, len: len @ 3.. }, b'\n')
                if guards.fences() =>
            {
                self.end_opening(mark, len, at)
            }
            (_, b'\n') => {
                if self.first == First::Blank && !matches!(self.line, Line::Indent(_)) {
                    // A run on a line of its own that is no fence.
                    let blank = matches!(self.line, Line::Middle { span: 0, run: 0 });
                    self.first = if blank { First::Blank } else { First::Past };
                }
                Line::Indent(0)
            }
            (Line::Indent(n @ 0..3), b' ') => Line::Indent(n + 1),
            (Line::Indent(_), b'`' | b'~') => Line::Run { mark: byte, len: 1 },
            (Line::Indent(_), _) => Line::Middle { span: 0, run: 0 },
            (Line::Run { mark, len }, _) if byte == mark => {
                Line::Run { mark, len: len.saturating_add(1) }
            }
            (Line::Run { mark, len: len @ 3.. }, _) if guards.fences() => {
                let waits = self.unwraps(mark, len) && matches!(byte, b' ' | b'\t' | b'\r');
                if waits { Line::Run { mark, len } } else { info(mark, len, byte) }
            }
            (Line::Run { mark: b'`', len }, _) => middle(0, len, byte),
            (Line::Run { .. }, _) => middle(0, 0, byte),
            (Line::Info { mark, len }, _) => info(mark, len, byte),
            (Line::Middle { span, run }, _) => middle(span, run, byte),
            (Line::Closing | Line::Code, _) => Line::Middle { span: 0, run: 0 },
        }
    }

    /// The end of a line of marks and an info string.
    fn end_opening(&mut self, mark: u8, len: u16, at: u64) -> Line {
        if self.unwraps(mark, len) && matches!(self.line, Line::Run { .. }) {
            self.wrapped = None;
        } else {
            self.fence = Some(Fence { mark, len, at });
            if self.first == First::Blank {
                self.first = First::Fence;
            }
        }
        Line::Indent(0)
    }

    fn in_fence(&mut self, fence: Fence, byte: u8) -> Line {
        let closes = match self.line {
            Line::Run { len, .. } => len >= fence.len,
            Line::Closing => true,
            _ => false,
        };
        match (self.line, byte) {
            (_, b'\n') => {
                if closes {
                    self.fence = None;
                    self.first = First::Past;
                }
                Line::Indent(0)
            }
            (Line::Indent(n @ 0..3), b' ') => Line::Indent(n + 1),
            (Line::Indent(_), _) if byte == fence.mark => Line::Run { mark: byte, len: 1 },
            (Line::Run { mark, len }, _) if byte == mark => {
                Line::Run { mark, len: len.saturating_add(1) }
            }
            (_, b' ' | b'\t' | b'\r') if closes => Line::Closing,
            _ => Line::Code,
        }
    }
}

/// An info string goes on. A backtick in it means that the marks before it opened a code span.
fn info(mark: u8, len: u16, byte: u8) -> Line {
    if byte == b'`' && mark == b'`' {
        return Line::Middle { span: len, run: 1 };
    }
    Line::Info { mark, len }
}

/// A byte in the middle of a line: a run of backticks that ends opens or closes a code span.
fn middle(span: u16, run: u16, byte: u8) -> Line {
    if byte == b'`' {
        return Line::Middle { span, run: run.saturating_add(1) };
    }
    let span = match (span, run) {
        (_, 0) => span,
        (0, run) => run,
        (span, run) if span == run => 0,
        _ => span,
    };
    Line::Middle { span, run: 0 }
}
