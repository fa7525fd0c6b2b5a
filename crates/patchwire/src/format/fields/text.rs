//! The text of a field: trimmed and, if the settings say so, without a code fence around all of it.

use super::{PendingTokens, Run, Trim};
use crate::codes::Code;
use crate::format::TextRun;
use crate::lex::fence_line::{FenceCloser, FenceOpener, FenceRun};
use crate::span::Span;

/// Whether a fence around the whole value of a text field is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Unwrap {
    /// The fence is part of the value.
    #[default]
    Never,
    /// Removed if the whole value is one fence. Only the end shows that: the value streams with its fence
    /// and is replaced at the end, with a notice.
    Auto,
    /// Removed if the value begins with a fence: the value streams without it. Text after the fence is
    /// dropped, with a notice. In YAML this works like [`Auto`](Self::Auto).
    Always,
}

/// The settings of a text field.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Unwraps {
    pub(crate) all: Unwrap,
    pub(crate) fields: Vec<(String, Unwrap)>,
}

impl Unwraps {
    pub(crate) fn of(&self, name: &str) -> Unwrap {
        let own = self.fields.iter().rev().find(|(field, _)| field == name);
        own.map_or(self.all, |(_, unwrap)| *unwrap)
    }
}

/// The text of a field that is being read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct FieldText {
    trim: Trim,
    unwrapping: Option<Unwrapping>,
}

/// The fence around the value.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Unwrapping {
    place: TextPlace,
    /// The line so far, if it may open or close the fence.
    held: String,
    /// The stream offset of the held line.
    from: u64,
    /// The largest number of held bytes.
    cap: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TextPlace {
    /// Before the value, or in a possible first line of its fence.
    Before(FenceOpener),
    /// In a possible last line of the fence.
    Line(FenceRun, FenceCloser),
    /// In another line inside the fence.
    Inside(FenceRun),
    /// After the fence. The flag: whether text after it was noted.
    After(bool),
}

impl FieldText {
    /// The state before the first byte of a field. `same_line`: whether the line of the opener continues.
    pub(crate) fn new(same_line: bool, unwrap: Unwrap, cap: usize) -> Self {
        let place = TextPlace::Before(FenceOpener::default());
        let unwrapping = Unwrapping { place, held: String::new(), from: 0, cap };
        Self {
            trim: Trim::new(same_line).capped(cap),
            unwrapping: (unwrap == Unwrap::Always).then_some(unwrapping),
        }
    }

    /// Whether only whitespace was read so far.
    pub(crate) const fn is_blank(&self) -> bool {
        self.trim.is_blank()
    }

    /// The held text.
    pub(crate) fn held(&self) -> &str {
        let line = self.unwrapping.as_ref().map_or("", |unwrapping| &unwrapping.held);
        if line.is_empty() { self.trim.held() } else { line }
    }

    /// Reads text without carriage returns as one run, if it is one: see [`Trim::text_run`].
    pub(crate) fn text_run(&mut self, text: &str, scratch: &mut String) -> Option<TextRun> {
        if self.unwrapping.is_some() { None } else { self.trim.text_run(text, scratch) }
    }

    /// Reads short prose behind a run of text: see [`Trim::prose_run`].
    pub(crate) fn prose_run(&mut self, prose: &str, scratch: &mut String) -> TextRun {
        self.trim.prose_run(prose, scratch)
    }

    /// Reads text, and emits decided text as text of the open string.
    pub(crate) fn emit(&mut self, run: Run<'_>, out: &mut PendingTokens) {
        let mut from = 0;
        while from < run.text.len() {
            let Some(unwrapping) = &mut self.unwrapping else {
                return self.trim.emit(run.part(from, run.text.len()), out);
            };
            let (len, own) = unwrapping.read(run.part(from, run.text.len()), out);
            match own {
                Own::None => {}
                Own::Read => self.trim.emit(run.part(from, from + len), out),
                Own::Held => self.release(run.offset(from), out),
            }
            from += len;
        }
    }

    /// Releases the held text as content: it is no line of the fence. It ends at `end`.
    fn release(&mut self, end: u64, out: &mut PendingTokens) {
        let Some(unwrapping) = &mut self.unwrapping else { return };
        let held = core::mem::take(&mut unwrapping.held);
        let span = Span::new(unwrapping.from, end);
        match unwrapping.place {
            TextPlace::Line(fence, _) => unwrapping.place = TextPlace::Inside(fence),
            _ => self.unwrapping = None,
        }
        self.trim.emit(Run { text: &held, place: None, span }, out);
    }

    /// Ends the field.
    pub(crate) fn finish(&mut self, end: u64, out: &mut PendingTokens) {
        let is_fence = match self.unwrapping.as_ref().map(|unwrapping| unwrapping.place) {
            Some(TextPlace::Before(opener)) => opener.end().is_some(),
            Some(TextPlace::Line(fence, closer)) => closer.end(fence),
            Some(TextPlace::Inside(_) | TextPlace::After(_)) | None => return,
        };
        if !is_fence {
            self.release(end, out);
        }
    }
}

/// The part of a text that belongs to the value.
enum Own {
    /// Nothing yet, or nothing at all.
    None,
    /// The whole text.
    Read,
    /// All of the held text; it is read again.
    Held,
}

impl Unwrapping {
    /// Reads text. Returns how much of it was read.
    fn read(&mut self, run: Run<'_>, out: &mut PendingTokens) -> (usize, Own) {
        let Some(char) = run.text.chars().next() else { return (0, Own::None) };
        let len = char.len_utf8();
        match self.place {
            TextPlace::Before(opener) => match (char, opener.end()) {
                ('\n', Some(fence)) => {
                    self.held.clear();
                    self.place = TextPlace::Line(fence, FenceCloser::default());
                    (len, Own::None)
                }
                ('\n', None) if self.held.trim().is_empty() => {
                    self.held.clear();
                    self.place = TextPlace::Before(FenceOpener::default());
                    (len, Own::Read)
                }
                ('\r', _) => (len, self.hold(char, run.span.start)),
                _ => {
                    let opener = opener.push(char);
                    let over = opener == FenceOpener::Other || char == '\n' || self.is_full();
                    self.place = TextPlace::Before(opener);
                    if over { (0, Own::Held) } else { (len, self.hold(char, run.span.start)) }
                }
            },
            TextPlace::Line(fence, closer) => match (char, closer.end(fence)) {
                ('\n', true) => {
                    self.held.clear();
                    self.place = TextPlace::After(false);
                    (len, Own::None)
                }
                ('\r', _) => (len, self.hold(char, run.span.start)),
                _ => {
                    let closer = closer.push(char, fence);
                    if closer == FenceCloser::Other || char == '\n' || self.is_full() {
                        return (0, Own::Held);
                    }
                    self.place = TextPlace::Line(fence, closer);
                    (len, self.hold(char, run.span.start))
                }
            },
            TextPlace::Inside(fence) => match memchr::memchr(b'\n', run.text.as_bytes()) {
                Some(at) => {
                    self.place = TextPlace::Line(fence, FenceCloser::default());
                    (at + 1, Own::Read)
                }
                None => (run.text.len(), Own::Read),
            },
            TextPlace::After(noted) => {
                let visible = run.text.find(|char: char| !char.is_ascii_whitespace());
                if let (false, Some(at)) = (noted, visible) {
                    out.notice(Code::TrailingContent, Span::at(run.offset(at)));
                    self.place = TextPlace::After(true);
                }
                (run.text.len(), Own::None)
            }
        }
    }

    fn is_full(&self) -> bool {
        self.held.len() >= self.cap
    }

    fn hold(&mut self, char: char, start: u64) -> Own {
        if self.held.is_empty() {
            self.from = start;
        }
        self.held.push(char);
        Own::None
    }
}

#[cfg(test)]
mod tests {
    use super::{FieldText, Unwrap};
    use crate::format::fields::{PendingTokens, Run};
    use crate::lex::{Slice, TokenKind};
    use crate::span::Span;

    fn read(parts: &[&str]) -> String {
        capped(64, parts)
    }

    fn capped(cap: usize, parts: &[&str]) -> String {
        let (mut text, mut out) =
            (FieldText::new(true, Unwrap::Always, cap), PendingTokens::default());
        let mut at = 0;
        for part in parts {
            let span = Span::new(at, at + part.len() as u64);
            text.emit(Run { text: part, place: None, span }, &mut out);
            at = span.end;
        }
        text.finish(at, &mut out);
        let mut value = String::new();
        while let Some(token) = out.pop() {
            if let (TokenKind::StringText, Slice::Buffer { start, end }) = (token.kind, token.text)
            {
                value.push_str(&out.buffer()[start as usize..end as usize]);
            }
        }
        value
    }

    #[test]
    fn a_fence_round_a_value_is_no_part_of_it_at_any_cut() {
        for (text, value) in [
            ("```html\n<p>\n```\n", "<p>"),
            ("\n \n  ~~~\na\n\nb\n~~~", "a\n\nb"),
            ("```\r\na\r\n```\r\nmore", "a"),
            ("a\n```\nb\n```", "a\n```\nb\n```"),
            ("````\n```\nx\n```\n````\n", "```\nx\n```"),
            ("```\nopen", "open"),
            ("```", ""),
            ("``", "``"),
            ("``x\ny", "``x\ny"),
            ("``\nx", "``\nx"),
            ("\n  ``\nx", "  ``\nx"),
            ("`\n```\na\n```", "`\n```\na\n```"),
            (" \r\n```\na\n```", "a"),
            ("```\n`` `\n``", "`` `\n``"),
            (" a", "a"),
        ] {
            assert_eq!(read(&[text]), value, "{text:?}");
            for cut in 0..=text.len() {
                assert_eq!(read(&[&text[..cut], &text[cut..]]), value, "{text:?} at {cut}");
            }
            let chars: Vec<String> = text.chars().map(String::from).collect();
            let chars: Vec<&str> = chars.iter().map(String::as_str).collect();
            assert_eq!(read(&chars), value, "{text:?}");
        }
    }

    /// What is held after a text, and since when.
    #[test]
    fn a_line_is_held_while_it_may_be_one_of_a_fence() {
        for (text, held, blank) in [
            ("", "", true),
            ("``", "``", true),
            ("  ```ht", "  ```ht", true),
            (" \n", "", true),
            (" \n  ``", "  ``", true),
            ("\n\n``", "``", true),
            ("```\n", "", true),
            ("```\n``", "``", true),
            ("```\na", "", false),
            ("```\na\n", "\n", false),
            ("```\na\n``", "``", false),
            ("```\na\n```", "```", false),
            ("```\na\n```\n", "\n", false),
            ("``x", "", false),
            ("```\r", "```\r", true),
        ] {
            let mut field = FieldText::new(true, Unwrap::Always, 64);
            let mut out = PendingTokens::default();
            let span = Span::new(0, text.len() as u64);
            field.emit(Run { text, place: None, span }, &mut out);
            assert_eq!((field.held(), field.is_blank()), (held, blank), "{text:?}");
        }
    }

    /// A line of a fence has no more bytes than may be held.
    #[test]
    fn longer_lines_are_text() {
        for (cap, text, value) in [
            (3, "```\na\n```\n", "a"),
            (3, "````\na\n````\n", "````\na\n````"),
            (4, "````\na\n````\n", "a"),
            (4, "```\na\n `````\n", "a\n `````"),
            (5, "```\na\n `````\n", "a\n `````"),
            (6, "```\na\n `````\n", "a"),
        ] {
            assert_eq!(capped(cap, &[text]), value, "{cap} {text:?}");
        }
    }

    #[test]
    fn text_behind_the_fence_is_noted_once_where_it_begins() {
        for (text, noted) in [
            ("```\na\n```\n \n", None),
            ("```\na\n```\n \nmore and\nmore", Some(12)),
            ("```\na\n```\nx", Some(10)),
            ("a\n```\nb", None),
        ] {
            let (mut field, mut out) =
                (FieldText::new(true, Unwrap::Always, 64), PendingTokens::default());
            for (at, char) in text.char_indices() {
                let span = Span::new(at as u64, (at + char.len_utf8()) as u64);
                let text = &text[at..at + char.len_utf8()];
                field.emit(Run { text, place: None, span }, &mut out);
            }
            let mut found = Vec::new();
            while let Some(token) = out.pop() {
                if token.kind.notice().is_some() {
                    found.push(token.end);
                }
            }
            assert_eq!(found, Vec::from_iter(noted), "{text:?}");
        }
    }
}
