//! Code in Markdown, as far as it hides markers: code spans on one line or over two, fences, and indented code.
//!
//! Fences follow CommonMark 0.31, section 4.5, in lists and quotes too, with one more way to end: a closer of
//! an open element after the closing run.

use super::indented_code::IndentedCode;
use super::pending_mention::{LastBytes, last_bytes};
use crate::lex::fence_line::{FenceOpener, FenceRun};

/// Which code hides markers, as a tag set declares it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct GuardedCode {
    /// Code spans hide markers.
    pub(super) inline: bool,
    /// Fences hide markers, and so does indented code outside elements.
    pub(super) fences: bool,
    /// A fence around the whole answer hides nothing.
    pub(super) wraps: bool,
}

/// The position in Markdown code. It is small and `Copy`: the search keeps one for each candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct CodeGuard {
    line: GuardLine,
    fence: Option<GuardFence>,
    indented: IndentedCode,
    /// Length of the run that opened the code span on this line. 0 without a span; or [`ANY`].
    span: u16,
    /// Length of the run that opened a code span on the line before, which no run of this line follows. 0 without.
    carried: u16,
    /// Length of the run of backticks just read.
    run: u16,
    /// Whether only spaces and tabs were read since the line began or a marker ended.
    pub(super) fresh: bool,
    first: GuardFirst,
    /// The bytes before this place. 0 behind a marker or a payload.
    pub(super) before: LastBytes,
}

/// A byte that no text contains, in place of a marker.
const MARKER: u8 = 0xFF;

/// After a payload: the code span around it, with a run of unknown length.
const ANY: u16 = u16::MAX;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct GuardFence {
    run: FenceRun,
    /// Stream offset of the end of the opening line.
    at: u64,
    kind: GuardFenceKind,
}

/// What a fence hides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GuardFenceKind {
    Markers,
    /// Nothing: the fence is around the whole answer.
    Wrapping,
    /// Nothing: the fence is around a payload and ends after it.
    Payload,
}

/// The current line so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GuardLine {
    /// Spaces and tabs, and marks of lists and quotes.
    Start(FenceOpener),
    /// A run of marks.
    Run(FenceRun),
    /// After a run that opens a fence, if the line ends as an info string may.
    Opening(FenceRun),
    /// After a run that closes the fence, if only spaces and tabs follow.
    Closing,
    Other,
}

/// The code before the current line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum GuardFirst {
    /// Only whitespace, or the beginning of an opening line.
    Blank,
    /// Only the opening line of a fence.
    Fence,
    Past,
}

/// A code span that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct OpenSpan {
    /// Length of the run that opened it, and closes it.
    pub(super) run: u16,
    /// Whether the line before opened it.
    pub(super) carried: bool,
}

/// Which markers count at an offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MarkerRule {
    /// All markers that are enabled.
    Open = 0,
    /// Markers that code does not hide.
    Hidden = 1,
    /// Markers that code does not hide, and closers of open elements.
    FenceEnd = 2,
    /// Only closers of open elements.
    Ends = 3,
    /// Openers, and markers that code does not hide.
    Openers = 4,
    /// All but openers of comments: no code hides anything.
    Bare = 5,
    /// All markers that are enabled, and the opener that the prompt wrote already.
    Start = 6,
}

impl CodeGuard {
    /// Before the first byte of a stream.
    pub(super) const START: Self = Self { first: GuardFirst::Blank, ..Self::TOP };
    /// Outside elements, after the element that the stream began in.
    pub(super) const TOP: Self = Self { indented: IndentedCode::START, ..Self::ELEMENT };
    /// Before the first byte of a stream that begins in an element.
    pub(super) const START_IN: Self = Self { first: GuardFirst::Blank, ..Self::ELEMENT };
    /// Before the first byte of an element.
    pub(super) const ELEMENT: Self = Self {
        line: GuardLine::Start(FenceOpener::Start),
        fence: None,
        indented: IndentedCode::OFF,
        span: 0,
        carried: 0,
        run: 0,
        fresh: true,
        first: GuardFirst::Past,
        before: [0; 3],
    };
    /// In the middle of a line, without code.
    pub(super) const MIDDLE: Self = Self { line: GuardLine::Other, fresh: false, ..Self::ELEMENT };

    /// After a payload. `fence`: mark and length of the run that opened the fence around it.
    pub(super) fn behind_payload(fence: Option<(u8, u16)>) -> Self {
        let fence = fence.map(|(mark, len)| GuardFence {
            run: FenceRun { mark, len },
            at: 0,
            kind: GuardFenceKind::Payload,
        });
        Self { fence, span: ANY, ..Self::MIDDLE }
    }

    /// Which markers count here.
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
            _ if code.inline && self.opens_span() && (code.fences || !self.is_fence_run()) => {
                MarkerRule::Hidden
            }
            _ if code.fences && self.indented.is_here() => MarkerRule::Hidden,
            _ if self.is_at_start() => MarkerRule::Start,
            _ => MarkerRule::Open,
        }
    }

    /// Whether only whitespace was read since the stream began.
    pub(super) fn is_at_start(&self) -> bool {
        let blank = matches!(self.line, GuardLine::Start(_) | GuardLine::Other);
        self.first == GuardFirst::Blank && blank && self.fence.is_none()
    }

    /// Whether the run just read begins a code span. After a payload the run ends one, or it ends the fence
    /// if the line begins with it.
    const fn opens_span(&self) -> bool {
        let ends = match self.line {
            GuardLine::Run(run) => run.opens(),
            _ => true,
        };
        self.run > 0 && (self.span == 0 || self.span == ANY && !ends)
    }

    /// Whether the run just read begins its line and is as long as that of a fence. It opens a span only if another
    /// run closes it: it may end a fence, and where fences hide nothing, nobody notes where one began.
    const fn is_fence_run(&self) -> bool {
        matches!(self.line, GuardLine::Run(run) if run.opens())
    }

    /// The code span around this place, if one may be open.
    pub(super) const fn open_span(&self) -> Option<OpenSpan> {
        let is_closed = self.run > 0 && self.run == self.span;
        match self.span {
            0 if self.run > 0 && self.is_fence_run() => {
                Some(OpenSpan { run: self.run, carried: false })
            }
            0 if self.carried > 0 && self.run == 0 => {
                Some(OpenSpan { run: self.carried, carried: true })
            }
            0 | ANY => None,
            _ if is_closed => None,
            run => Some(OpenSpan { run, carried: false }),
        }
    }

    /// Stream offset of the open fence, if it hides markers.
    pub(super) fn open_fence(&self) -> Option<u64> {
        self.fence.filter(|fence| fence.hides() && !self.ends_fence()).map(|fence| fence.at)
    }

    /// Whether the open fence ends with this line, if only spaces and tabs follow.
    fn ends_fence(&self) -> bool {
        match self.line {
            GuardLine::Closing => true,
            GuardLine::Run(run) => self.fence.is_some_and(|fence| run.closes(fence.run)),
            _ => false,
        }
    }

    /// Notes that a marker counts here.
    pub(super) fn marked(&mut self, opens: bool) {
        if let (GuardFirst::Fence, true, Some(fence)) = (self.first, opens, &mut self.fence) {
            fence.kind = GuardFenceKind::Wrapping;
            self.first = GuardFirst::Past;
        }
        self.end_run();
        self.indented.see(MARKER);
        self.fresh = true;
        self.before = [0; 3];
        self.line = match (self.line, self.fence) {
            (GuardLine::Run(run), Some(fence)) if run.closes(fence.run) => GuardLine::Closing,
            (GuardLine::Run(run), None) if run.opens() => GuardLine::Opening(run),
            (GuardLine::Run(_), _) => GuardLine::Other,
            (line, _) => line,
        };
    }

    /// Whether only a line end or a backtick would change the state.
    #[inline]
    pub(super) fn is_idle(&self) -> bool {
        let plain = self.line == GuardLine::Other && self.run == 0 && self.span != ANY;
        plain && !self.fresh && self.first == GuardFirst::Past
    }

    /// Reads text that begins at a stream offset.
    pub(super) fn read(&mut self, text: &[u8], at: u64, code: GuardedCode) {
        let mut pos = 0;
        while pos < text.len() {
            if self.is_idle() {
                let Some(next) = find_mark(&text[pos..]) else { break };
                pos += next;
                if self.reads_common_mark(&text[pos..]) {
                    pos += 2;
                    continue;
                }
            }
            self.read_byte(text[pos], at + pos as u64, code);
            pos += 1;
        }
        self.pass_quiet(text);
    }

    /// Reads two bytes, if the text begins with a line end before a letter, or with a single backtick. Returns whether it
    /// does. Nearly all marks of prose are of these two kinds. The guard has to be idle, and is idle afterwards.
    fn reads_common_mark(&mut self, text: &[u8]) -> bool {
        match *text {
            [b'\n', next, ..] if next.is_ascii_alphabetic() => {
                self.carried = if self.fence.is_some() { 0 } else { self.span };
                self.span = 0;
                self.indented.end_line();
                self.indented.see(next);
                true
            }
            [b'`', next, ..] if !is_mark(next) => {
                self.indented.see(b'`');
                self.run = 1;
                self.end_run();
                true
            }
            _ => false,
        }
    }

    /// Reads text that changes nothing but what precedes the next marker.
    #[inline]
    pub(super) fn pass_quiet(&mut self, text: &[u8]) {
        self.before = last_bytes(self.before, text);
    }

    /// Reads the byte at a stream offset.
    #[inline]
    pub(super) fn step(&mut self, byte: u8, at: u64, code: GuardedCode) {
        self.read_byte(byte, at, code);
        self.pass_quiet(&[byte]);
    }

    #[inline]
    fn read_byte(&mut self, byte: u8, at: u64, code: GuardedCode) {
        match byte {
            b'\n' | b'\r' => {
                if byte == b'\n' {
                    self.indented.end_line();
                } else {
                    self.indented.see(byte);
                }
                return self.end_line(at, code);
            }
            b'`' => self.run = self.run.saturating_add(1).min(ANY - 1),
            b' ' | b'\t' if self.run == 0 => {}
            _ => self.end_run(),
        }
        self.indented.see(byte);
        self.fresh &= matches!(byte, b' ' | b'\t');
        if self.first != GuardFirst::Past {
            self.look_for_first(byte);
        }
        let marks = matches!(self.line, GuardLine::Run(_) | GuardLine::Opening(_));
        self.line = match (self.line, byte, self.fence) {
            (GuardLine::Start(start), _, None) => Self::start(start, byte),
            (GuardLine::Start(_), b' ' | b'\t' | b'>', Some(_)) => self.line,
            (GuardLine::Start(_), b'`' | b'~', Some(_)) => GuardLine::Run(FenceRun::begin(byte)),
            (GuardLine::Run(run), _, _) if byte == run.mark => GuardLine::Run(run.grown()),
            (GuardLine::Run(run), b' ' | b'\t', Some(fence)) if run.closes(fence.run) => {
                GuardLine::Closing
            }
            (GuardLine::Run(run), _, None) if run.opens() => GuardLine::Opening(run),
            (GuardLine::Opening(run), _, None) if run.allows_info(char::from(byte)) => {
                GuardLine::Opening(run)
            }
            (GuardLine::Closing, b' ' | b'\t', Some(_)) => GuardLine::Closing,
            _ => GuardLine::Other,
        };
        let blank = matches!(byte, b' ' | b'\t') && !marks;
        if self.line == GuardLine::Other && !blank {
            self.first = GuardFirst::Past;
        }
    }

    /// Reads a byte before the first word of a line.
    const fn start(start: FenceOpener, byte: u8) -> GuardLine {
        match start.push(byte as char) {
            FenceOpener::Run(run) => GuardLine::Run(run),
            FenceOpener::Info(_) | FenceOpener::Other => GuardLine::Other,
            start => GuardLine::Start(start),
        }
    }

    /// Records that other text came before any fence.
    pub(super) fn pass_first(&mut self) {
        self.first = GuardFirst::Past;
    }

    fn look_for_first(&mut self, byte: u8) {
        let blank = matches!(byte, b' ' | b'\t');
        let marks = matches!(byte, b'`' | b'~') && matches!(self.line, GuardLine::Start(_));
        let opens = matches!(self.line, GuardLine::Run(_) | GuardLine::Opening(_));
        if !blank && !(self.first == GuardFirst::Blank && (marks || opens)) {
            self.first = GuardFirst::Past;
        }
    }

    /// Ends a run of backticks, which opens or closes a code span.
    fn end_run(&mut self) {
        if self.run > 0 {
            self.carried = 0;
        }
        match (self.run, self.span) {
            (0, ANY) => self.span = 0,
            (0, _) => {}
            (run, _) if self.opens_span() => self.span = run,
            (run, span) if run == span || span == ANY => self.span = 0,
            _ => {}
        }
        self.run = 0;
    }

    /// Length of the run that opened a span on this line, if the next line may close it. Fences end spans.
    fn carried_on(&self) -> u16 {
        let mut ended = *self;
        ended.end_run();
        let fences = match self.line {
            GuardLine::Run(run) | GuardLine::Opening(run) => run.opens(),
            _ => false,
        };
        if fences || self.fence.is_some() || ended.span == ANY { 0 } else { ended.span }
    }

    fn end_line(&mut self, at: u64, code: GuardedCode) {
        self.carried = self.carried_on();
        match (self.line, self.fence) {
            (GuardLine::Closing, _) => self.fence = None,
            (GuardLine::Run(run), Some(fence)) if run.closes(fence.run) => self.fence = None,
            (GuardLine::Run(run) | GuardLine::Opening(run), None) if code.fences && run.opens() => {
                self.fence = Some(GuardFence { run, at, kind: GuardFenceKind::Markers });
                if self.first == GuardFirst::Blank {
                    self.first = GuardFirst::Fence;
                }
            }
            (GuardLine::Run(_) | GuardLine::Opening(_), _) => self.first = GuardFirst::Past,
            _ => {}
        }
        if self.span != ANY || self.run > 0 {
            self.span = 0;
        }
        self.run = 0;
        self.fresh = true;
        self.line = GuardLine::Start(FenceOpener::Start);
    }
}

impl GuardFence {
    const fn hides(&self) -> bool {
        matches!(self.kind, GuardFenceKind::Markers)
    }
}

/// Whether a byte is a line end or a backtick.
pub(super) const fn is_mark(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r' | b'`')
}

/// The next line end or backtick.
#[inline]
fn find_mark(text: &[u8]) -> Option<usize> {
    if text.len() < 16 {
        return text.iter().position(|&byte| is_mark(byte));
    }
    memchr::memchr3(b'\n', b'\r', b'`', text)
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
    fn text_is_read_as_its_bytes_are() {
        let code = GuardedCode { inline: true, fences: true, wraps: true };
        let mut seed = 11_u32;
        let mut below = |most: usize| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (seed >> 16) as usize % most
        };
        let words = [
            "a", "bc", " ", "\n", "\n\n", "\r\n", "`", "``", "```", "~~~", "- ", "    ", "> ", "é",
        ];
        for _ in 0..20_000 {
            let text: String = (0..below(24)).map(|_| words[below(words.len())]).collect();
            for start in [CodeGuard::START, CodeGuard::TOP, CodeGuard::ELEMENT, CodeGuard::MIDDLE] {
                let (mut whole, mut single) = (start, start);
                whole.read(text.as_bytes(), 0, code);
                for (at, byte) in text.bytes().enumerate() {
                    single.step(byte, at as u64, code);
                }
                assert_eq!(whole, single, "{text:?} behind {start:?}");
            }
        }
    }

    #[test]
    fn a_run_that_may_end_a_fence_hides_only_if_another_one_closes_it() {
        let code = GuardedCode { inline: true, fences: false, wraps: false };
        for (text, hides) in [("```", false), ("> ````", false), ("``", true), ("a ```", true)] {
            let mut guard = CodeGuard::ELEMENT;
            guard.read(text.as_bytes(), 0, code);
            let rule = if hides { MarkerRule::Hidden } else { MarkerRule::Open };
            assert_eq!(guard.rule(code), rule, "{text:?}");
            assert_eq!(guard.open_span().is_some(), !hides, "{text:?}");
        }
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
        for text in [
            "```\n",
            "~~~ py\nx",
            "   ```\n~~~\n",
            "````\n```\n",
            "```\n``` x",
            "- a\n\n    ```\n",
            "1. ```\n",
            "> ~~~\n> x",
        ] {
            assert_eq!(rule(text), MarkerRule::Hidden, "{text:?}");
        }
        for text in
            ["```\n```\n", "-```\n", "``\n", "``` `x\n", "~~~\r\n~~~~  \r\n", "> ```\n> ```\n"]
        {
            assert_eq!(rule(text), MarkerRule::Open, "{text:?}");
        }
        for text in ["```\n```", "~~~\n~~~~ "] {
            assert_eq!(rule(text), MarkerRule::FenceEnd, "{text:?}");
        }
    }
}
