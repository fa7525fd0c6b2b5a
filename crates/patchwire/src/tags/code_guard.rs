//! Code in Markdown, as far as it hides markers: code spans on one line, and fences.
//!
//! Fences are those of CommonMark 0.31, section 4.5, with one more way to end: a closer of an open
//! element behind the closing run.

/// Which code hides markers, as a tag set declares it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct GuardedCode {
    /// Code spans hide markers.
    pub(super) inline: bool,
    /// Fences hide markers.
    pub(super) fences: bool,
    /// A fence round the whole answer hides none.
    pub(super) wraps: bool,
}

/// Where the text stands in its Markdown. Small, and a value: a search keeps a copy for each place
/// where a marker may begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CodeGuard {
    line: GuardLine,
    fence: Option<GuardFence>,
    /// Backticks of the code span that is open on the line; 0 if none is, or [`ANY`].
    span: u16,
    /// Backticks that were just read.
    run: u16,
    /// Whether only blanks stand before, since the line began or a marker ended.
    pub(super) fresh: bool,
    first: GuardFirst,
}

/// Behind a payload, and nothing but blanks: the code that it stands in, however it was opened.
const ANY: u16 = u16::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct GuardFence {
    mark: u8,
    len: u16,
    /// Where in the stream its first line ended.
    at: u64,
    kind: GuardFenceKind,
}

/// What a fence hides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GuardFenceKind {
    Markers,
    /// Nothing: it stands round the whole answer.
    Wrapping,
    /// Nothing: it stands round a payload, and ends behind it.
    Payload,
}

/// What a line is so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GuardLine {
    /// So many spaces, at most three.
    Indent(u8),
    /// So many marks.
    Run {
        mark: u8,
        len: u16,
    },
    /// The first line of a fence, if it ends like this.
    Opening {
        mark: u8,
        len: u16,
    },
    /// The last line of the fence, if only blanks follow.
    Closing,
    Other,
}

/// Whether anything came before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GuardFirst {
    /// Only blanks, or what may be the first line of a fence.
    Blank,
    /// Only the first line of a fence.
    Fence,
    Past,
}

/// Which markers count here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkerRule {
    /// All that are enabled.
    Open = 0,
    /// Those that code does not hide.
    Hidden = 1,
    /// Also closers of open elements.
    FenceEnd = 2,
    /// Nothing but closers of open elements.
    Ends = 3,
    /// Openers, and what code does not hide.
    Openers = 4,
    /// All but openers of comments: nothing hides anything.
    Bare = 5,
}

impl CodeGuard {
    /// Before the first byte of a stream.
    pub(super) const START: Self = Self { first: GuardFirst::Blank, ..Self::ELEMENT };
    /// Before the first byte of an element.
    pub(super) const ELEMENT: Self = Self {
        line: GuardLine::Indent(0),
        fence: None,
        span: 0,
        run: 0,
        fresh: true,
        first: GuardFirst::Past,
    };
    /// Behind a payload.
    pub(super) const MIDDLE: Self = Self { line: GuardLine::Other, fresh: false, ..Self::ELEMENT };

    /// The text goes on behind a payload, in the fence that stood round it, if it did.
    pub(super) fn behind_payload(fence: Option<(u8, u16)>) -> Self {
        let fence =
            fence.map(|(mark, len)| GuardFence { mark, len, at: 0, kind: GuardFenceKind::Payload });
        Self { fence, span: ANY, ..Self::MIDDLE }
    }

    /// Which markers count at this place.
    #[inline]
    pub(super) fn rule(&self, code: GuardedCode) -> MarkerRule {
        match self.fence {
            Some(fence) if fence.hides() && code.wraps && self.first == GuardFirst::Fence => {
                MarkerRule::Openers
            }
            Some(fence) if fence.hides() && !self.ends_fence() => MarkerRule::Hidden,
            Some(fence) if fence.hides() => MarkerRule::FenceEnd,
            Some(fence) if fence.kind == GuardFenceKind::Payload && self.ends_fence() => {
                MarkerRule::Open
            }
            _ if code.inline && self.opens_span() => MarkerRule::Hidden,
            _ => MarkerRule::Open,
        }
    }

    /// Whether the backticks that were just read begin a code span. Behind a payload they end one, or
    /// the fence around it if a line begins with them.
    const fn opens_span(&self) -> bool {
        let ends = match self.line {
            GuardLine::Run { len, .. } => len >= 3,
            _ => true,
        };
        self.run > 0 && (self.span == 0 || self.span == ANY && !ends)
    }

    /// Where the fence began that is open and hides markers.
    pub(super) fn open_fence(&self) -> Option<u64> {
        self.fence.filter(|fence| fence.hides() && !self.ends_fence()).map(|fence| fence.at)
    }

    /// Whether the open fence ends here, if only blanks follow.
    fn ends_fence(&self) -> bool {
        match self.line {
            GuardLine::Closing => true,
            GuardLine::Run { mark, len } => self.fence.is_some_and(|fence| fence.ends(mark, len)),
            _ => false,
        }
    }

    /// A marker counts here.
    pub(super) fn marked(&mut self, opens: bool) {
        if let (GuardFirst::Fence, true, Some(fence)) = (self.first, opens, &mut self.fence) {
            fence.kind = GuardFenceKind::Wrapping;
            self.first = GuardFirst::Past;
        }
        self.end_run();
        self.fresh = true;
        self.line = match (self.line, self.fence) {
            (GuardLine::Run { mark, len }, Some(fence)) if fence.ends(mark, len) => {
                GuardLine::Closing
            }
            (GuardLine::Run { mark, len: len @ 3.. }, None) => GuardLine::Opening { mark, len },
            (GuardLine::Run { .. }, _) => GuardLine::Other,
            (line, _) => line,
        };
    }

    /// Whether nothing but a line's end or a backtick matters.
    #[inline]
    pub(super) fn is_idle(&self) -> bool {
        let plain = self.line == GuardLine::Other && self.run == 0 && self.span != ANY;
        plain && !self.fresh && self.first == GuardFirst::Past
    }

    /// Reads text, which begins in the stream at `at`.
    pub(super) fn read(&mut self, text: &[u8], at: u64, code: GuardedCode) {
        let mut pos = 0;
        while pos < text.len() {
            if self.is_idle() {
                let Some(next) = find_mark(&text[pos..]) else { return };
                pos += next;
            }
            self.step(text[pos], at + pos as u64, code);
            pos += 1;
        }
    }

    /// Reads one byte.
    #[inline]
    pub(super) fn step(&mut self, byte: u8, at: u64, code: GuardedCode) {
        match byte {
            b'\n' | b'\r' => return self.end_line(at, code),
            b'`' => self.run = self.run.saturating_add(1).min(ANY - 1),
            b' ' | b'\t' if self.run == 0 => {}
            _ => self.end_run(),
        }
        self.fresh &= matches!(byte, b' ' | b'\t');
        if self.first != GuardFirst::Past {
            self.look_for_first(byte);
        }
        let marks = matches!(self.line, GuardLine::Run { .. } | GuardLine::Opening { .. });
        self.line = match (self.line, byte, self.fence) {
            (GuardLine::Indent(n @ 0..3), b' ', _) => GuardLine::Indent(n + 1),
            (GuardLine::Indent(_), b'`' | b'~', _) => GuardLine::Run { mark: byte, len: 1 },
            (GuardLine::Run { mark, len }, _, _) if byte == mark => {
                GuardLine::Run { mark, len: len.saturating_add(1) }
            }
            (GuardLine::Run { mark, len }, b' ' | b'\t', Some(fence)) if fence.ends(mark, len) => {
                GuardLine::Closing
            }
            (GuardLine::Run { mark, len: len @ 3.. }, _, None) => opening(mark, len, byte),
            (GuardLine::Opening { mark, len }, _, None) => opening(mark, len, byte),
            (GuardLine::Closing, b' ' | b'\t', Some(_)) => GuardLine::Closing,
            _ => GuardLine::Other,
        };
        let blank = matches!(byte, b' ' | b'\t') && !marks;
        if self.line == GuardLine::Other && !blank {
            self.first = GuardFirst::Past;
        }
    }

    /// Something else comes first.
    pub(super) fn pass_first(&mut self) {
        self.first = GuardFirst::Past;
    }

    fn look_for_first(&mut self, byte: u8) {
        let blank = matches!(byte, b' ' | b'\t');
        let marks = matches!(byte, b'`' | b'~') && matches!(self.line, GuardLine::Indent(_));
        let opens = matches!(self.line, GuardLine::Run { .. } | GuardLine::Opening { .. });
        if !blank && !(self.first == GuardFirst::Blank && (marks || opens)) {
            self.first = GuardFirst::Past;
        }
    }

    /// A run of backticks opens or closes a code span.
    fn end_run(&mut self) {
        match (self.run, self.span) {
            (0, ANY) => self.span = 0,
            (0, _) => {}
            (run, _) if self.opens_span() => self.span = run,
            (run, span) if run == span || span == ANY => self.span = 0,
            _ => {}
        }
        self.run = 0;
    }

    fn end_line(&mut self, at: u64, code: GuardedCode) {
        match (self.line, self.fence) {
            (GuardLine::Closing, _) => self.fence = None,
            (GuardLine::Run { mark, len }, Some(fence)) if fence.ends(mark, len) => {
                self.fence = None
            }
            (GuardLine::Run { mark, len: len @ 3.. } | GuardLine::Opening { mark, len }, None)
                if code.fences =>
            {
                self.fence = Some(GuardFence { mark, len, at, kind: GuardFenceKind::Markers });
                if self.first == GuardFirst::Blank {
                    self.first = GuardFirst::Fence;
                }
            }
            (GuardLine::Run { .. } | GuardLine::Opening { .. }, _) => self.first = GuardFirst::Past,
            _ => {}
        }
        if self.span != ANY || self.run > 0 {
            self.span = 0;
        }
        self.run = 0;
        self.fresh = true;
        self.line = GuardLine::Indent(0);
    }
}

impl GuardFence {
    const fn hides(&self) -> bool {
        matches!(self.kind, GuardFenceKind::Markers)
    }

    const fn ends(&self, mark: u8, len: u16) -> bool {
        mark == self.mark && len >= self.len
    }
}

/// Whether it is a line's end or a backtick.
pub(super) const fn is_mark(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r' | b'`')
}

/// The next of these.
#[inline]
fn find_mark(text: &[u8]) -> Option<usize> {
    if text.len() < 16 {
        return text.iter().position(|&byte| is_mark(byte));
    }
    memchr::memchr3(b'\n', b'\r', b'`', text)
}

/// The first line of a fence goes on: behind backticks it has none.
const fn opening(mark: u8, len: u16, byte: u8) -> GuardLine {
    if mark == b'`' && byte == b'`' { GuardLine::Other } else { GuardLine::Opening { mark, len } }
}

#[cfg(test)]
mod tests {
    use super::{CodeGuard, GuardedCode, MarkerRule};

    fn rule(text: &str) -> MarkerRule {
        let code = GuardedCode { inline: true, fences: true, wraps: true };
        let mut whole = CodeGuard::ELEMENT;
        whole.read(text.as_bytes(), 0, code);
        let mut single = CodeGuard::ELEMENT;
        for (at, byte) in text.bytes().enumerate() {
            single.step(byte, at as u64, code);
        }
        assert_eq!(whole, single, "{text:?}");
        whole.rule(code)
    }

    #[test]
    fn a_run_that_opens_a_span_hides_and_one_that_closes_it_does_not() {
        for text in ["`", "a ``", "`a` `", "```"] {
            assert_eq!(rule(text), MarkerRule::Hidden, "{text:?}");
        }
        for text in ["", "`a`", "`a", "``a`", "`a\n", "a ``b``"] {
            assert_eq!(rule(text), MarkerRule::Open, "{text:?}");
        }
    }

    #[test]
    fn fences_end_as_they_began() {
        for text in ["```\n", "~~~ py\nx", "   ```\n~~~\n", "````\n```\n", "```\n``` x"] {
            assert_eq!(rule(text), MarkerRule::Hidden, "{text:?}");
        }
        for text in ["```\n```\n", "    ```\n", "``\n", "``` `x\n", "~~~\r\n~~~~  \r\n"] {
            assert_eq!(rule(text), MarkerRule::Open, "{text:?}");
        }
        for text in ["```\n```", "~~~\n~~~~ "] {
            assert_eq!(rule(text), MarkerRule::FenceEnd, "{text:?}");
        }
    }
}
