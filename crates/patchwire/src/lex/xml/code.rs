//! Code in the text of a body: fences, and code spans. Models write markdown in their elements.

use crate::lex::fence_line::{FenceCloser, FenceOpener, FenceRun};

/// Whether the position is in code. Each tag begins anew.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct XmlCode {
    line: CodeLine,
    /// How many backticks opened the code span. 0 outside spans.
    span: u16,
    /// How many backticks come right before the position, unless they began the span.
    run: u16,
    info: FenceInfo,
    /// Whether only whitespace came before the line.
    first: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum CodeLine {
    /// Outside fences.
    Text(FenceOpener),
    Fence(FenceRun, FenceCloser),
}

/// What follows the run that opens a fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FenceInfo {
    /// Nothing yet.
    Begun,
    X,
    Xm,
    Xml,
    Other,
}

impl XmlCode {
    /// At the start of a line. `first`: whether only whitespace came before it.
    pub(super) const fn new(first: bool) -> Self {
        let line = CodeLine::Text(FenceOpener::Start);
        Self { line, span: 0, run: 0, info: FenceInfo::Begun, first }
    }

    /// Whether the position is in code.
    pub(super) const fn is_code(&self) -> bool {
        match self.line {
            CodeLine::Fence(..) => true,
            // A run of the same length closes the span, another one is in it.
            CodeLine::Text(_) if self.span > 0 => self.run != self.span,
            CodeLine::Text(_) => self.run > 0,
        }
    }

    /// Reads text. A fence that is the first thing in the body encloses it, if it says `xml` or nothing: then it is
    /// no code.
    pub(super) fn push(&mut self, text: &str) {
        let mut rest = text;
        while let Some(char) = rest.chars().next() {
            let skipped = if self.is_idle() { next_mark(rest) } else { 0 };
            if skipped > 0 {
                rest = &rest[skipped..];
                continue;
            }
            self.step(char);
            rest = &rest[char.len_utf8()..];
        }
    }

    /// Reads an entity, which is no mark of code.
    pub(super) fn push_other(&mut self) {
        self.step('&');
    }

    /// Whether only a backtick or the end of the line can change something.
    const fn is_idle(&self) -> bool {
        let is_other = matches!(
            self.line,
            CodeLine::Text(FenceOpener::Other) | CodeLine::Fence(_, FenceCloser::Other)
        );
        is_other && self.run == 0
    }

    fn step(&mut self, char: char) {
        match self.line {
            _ if char == '\r' => {}
            CodeLine::Fence(run, closer) if char == '\n' => {
                let is_closed = closer.end(run);
                let line = CodeLine::Fence(run, FenceCloser::default());
                *self = Self::new(false);
                self.line = if is_closed { self.line } else { line };
            }
            CodeLine::Fence(run, closer) => {
                self.line = CodeLine::Fence(run, closer.push(char, run))
            }
            CodeLine::Text(opener) if char == '\n' => self.end_line(opener),
            CodeLine::Text(opener) => {
                let next = opener.push(char);
                if let FenceOpener::Info(_) = next {
                    self.info = self.info.after(char);
                }
                self.line = CodeLine::Text(next);
                self.span_step(char);
            }
        }
    }

    fn end_line(&mut self, opener: FenceOpener) {
        let encloses = self.first && matches!(self.info, FenceInfo::Begun | FenceInfo::Xml);
        *self = Self::new(self.first && opener == FenceOpener::Start);
        if let Some(run) = opener.end().filter(|_| !encloses) {
            self.line = CodeLine::Fence(run, FenceCloser::default());
        }
    }

    fn span_step(&mut self, char: char) {
        if char == '`' {
            self.run = self.run.saturating_add(1);
            return;
        }
        match (self.span, self.run) {
            (_, 0) => {}
            (0, run) => self.span = run,
            (span, run) if span == run => self.span = 0,
            _ => {}
        }
        self.run = 0;
    }
}

impl FenceInfo {
    const fn after(self, char: char) -> Self {
        match (self, char) {
            (Self::Begun, ' ' | '\t') => Self::Begun,
            (Self::Begun, 'x' | 'X') => Self::X,
            (Self::X, 'm' | 'M') => Self::Xm,
            (Self::Xm, 'l' | 'L') | (Self::Xml, ' ' | '\t') => Self::Xml,
            _ => Self::Other,
        }
    }
}

/// How many bytes come before the next backtick or line break.
fn next_mark(text: &str) -> usize {
    memchr::memchr2(b'`', b'\n', text.as_bytes()).unwrap_or(text.len())
}

#[cfg(test)]
mod tests {
    use super::XmlCode;

    fn is_code(text: &str, first: bool) -> bool {
        let mut whole = XmlCode::new(first);
        whole.push(text);
        let mut cut = XmlCode::new(first);
        text.chars().for_each(|char| cut.push(char.encode_utf8(&mut [0; 4])));
        assert_eq!(whole, cut, "{text:?}");
        whole.is_code()
    }

    #[test]
    fn text_is_code_in_fences_and_spans() {
        for text in [
            "`",
            "a `",
            "a `b ",
            "``",
            "``a `",
            "`a` b `c",
            "```\n",
            "\n```html\nx",
            "- ~~~\n\n```\n",
            "```\r\nx\r\n",
            "````\n```\n",
            // The closing line of a fence is in it until it ends.
            "```\nx\n```",
        ] {
            assert!(is_code(text, false), "{text:?}");
        }
        for text in
            ["", "a", "`a`", "`a\n", "``a ` b``", "```\nx\n```\n", "~~~\r\nx\r\n~~~\r\n", "a ```\n"]
        {
            assert!(!is_code(text, false), "{text:?}");
        }
    }

    #[test]
    fn a_fence_around_the_body_is_no_code() {
        for (text, code) in [
            ("```\n", false),
            ("\n``` xml \n", false),
            (" \n```XML\n", false),
            ("```html\n", true),
            ("```xmlx\n", true),
            ("a\n```xml\n", true),
        ] {
            assert_eq!(is_code(text, true), code, "{text:?}");
            assert!(is_code(text, false), "{text:?}");
        }
    }
}
