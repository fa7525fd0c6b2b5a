//! Trimming of text fields: whitespace around the text does not count.
//!
//! Before the text, blank lines and whitespace on the line of the opener are dropped; the indent of
//! the first line with text stays. After the text, whitespace is held until other text comes, and
//! is dropped at the end. A line ends with LF or CRLF and is emitted with LF; any other CR is
//! content.

use super::PendingTokens;
use crate::codes::Code;
use crate::format::{AfterRun, TextRun};
use crate::lex::{Slice, Token, TokenKind};
use crate::span::Span;
use crate::text::{WHITESPACE, is_whitespace_byte, whitespace_len};

/// The whitespace state of the field that is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Trim {
    /// Only whitespace was read. The flag: whether the text began on the line of the opener.
    lead: Option<bool>,
    /// Held whitespace that may be at the end.
    held: String,
    /// The largest number of held bytes.
    cap: usize,
    /// The whitespace exceeds the bound and is content.
    capped: bool,
}

/// A run of a field's text, and its place.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run<'t> {
    pub(crate) text: &'t str,
    /// The position in the input; none if the run is not part of the input.
    pub(crate) place: Option<usize>,
    /// The span in the stream.
    pub(crate) span: Span,
}

impl<'t> Run<'t> {
    /// A part of the run.
    pub(super) fn part(self, from: usize, to: usize) -> Self {
        Self {
            text: &self.text[from..to],
            place: self.place.map(|place| place + from),
            span: Span::new(self.offset(from), self.offset(to)),
        }
    }

    /// The stream offset of a byte. A U+FFFD in the run may be longer than the bytes it replaces.
    pub(super) fn offset(&self, at: usize) -> u64 {
        if at == self.text.len() {
            return self.span.end;
        }
        self.span.end.min(self.span.start + at as u64)
    }
}

/// A part of a field that a run of text decides.
enum Piece<'h> {
    /// The held whitespace, which ended before this byte of the run.
    Held(&'h str, usize),
    /// These bytes of the run.
    Own(usize, usize),
    /// Before this byte of the run the bound on held whitespace was reached.
    Capped(usize),
}

/// The longest whitespace that is emitted together with the text after it.
const JOINED: usize = 64;

/// The most spaces in a row that short prose and a space before it can have.
const LONGEST_SPACES: usize = 8;

impl Trim {
    /// The state before the first byte of a field. `same_line`: whether the line of the opener continues.
    pub(crate) const fn new(same_line: bool) -> Self {
        Self { lead: Some(same_line), held: String::new(), cap: usize::MAX, capped: false }
    }

    /// The state with a bound on held whitespace. A longer run is content.
    pub(crate) fn capped(self, cap: usize) -> Self {
        Self { cap, ..self }
    }

    /// Reads text, and appends decided text to `out`.
    #[cfg(test)]
    fn read(&mut self, text: &str, out: &mut String) {
        self.split(text, |piece| match piece {
            Piece::Held(held, _) => out.push_str(held),
            Piece::Own(from, to) => out.push_str(&text[from..to]),
            Piece::Capped(_) => {}
        });
    }

    /// Reads text without carriage returns as one run. None before the first visible byte, for whitespace
    /// alone, and after a long run of whitespace: these need the general path.
    pub(super) fn text_run(&mut self, text: &str, scratch: &mut String) -> Option<TextRun> {
        let full = self.held.len() > JOINED || self.held.len() + text.len() > self.cap;
        if self.lead.is_some() || self.capped || full || self.held.ends_with('\r') {
            return None;
        }
        let visible = |byte: &u8| !matches!(byte, b' ' | b'\t' | b'\n');
        let len = text.as_bytes().iter().rposition(visible)? + 1;
        let in_scratch = !self.held.is_empty();
        if in_scratch {
            scratch.clear();
            scratch.push_str(&self.held);
            scratch.push_str(&text[..len]);
            self.held.clear();
        }
        if len < text.len() {
            self.held.push_str(&text[len..]);
        }
        let then = match &*self.held {
            "" | " " if self.cap > LONGEST_SPACES => {
                AfterRun::Prose { holds_space: !self.held.is_empty() }
            }
            _ => AfterRun::Any,
        };
        Some(TextRun { len, in_scratch, then })
    }

    /// Reads [short prose](AfterRun::Prose): at most one space is held before it and behind it.
    pub(super) fn prose_run(&mut self, prose: &str, scratch: &mut String) -> TextRun {
        let ends_in_space = prose.ends_with(' ');
        let len = prose.len() - usize::from(ends_in_space);
        let in_scratch = !self.held.is_empty();
        if in_scratch {
            scratch.clear();
            scratch.push(' ');
            scratch.push_str(&prose[..len]);
        }
        if ends_in_space && !in_scratch {
            self.held.push(' ');
        } else if !ends_in_space {
            self.held.clear();
        }
        TextRun { len, in_scratch, then: AfterRun::Prose { holds_space: ends_in_space } }
    }

    /// Reads text, and emits decided text as text of the open string.
    pub(crate) fn emit(&mut self, run: Run<'_>, out: &mut PendingTokens) {
        let Run { text, place, span } = run;
        let visible = text.trim_end_matches(WHITESPACE).len();
        // A U+FFFD may be longer here than its bytes in the stream. Whitespace has equal lengths.
        let offset = |at: usize| {
            if at < visible { span.start + at as u64 } else { span.end - (text.len() - at) as u64 }
        };
        self.split(text, |piece| match (piece, place) {
            (Piece::Held(held, at), _) => out.push_text(TokenKind::StringText, held, offset(at)),
            (Piece::Own(from, to), Some(place)) => {
                let slice = Slice::input(place + from, place + to);
                out.token(Token::with(TokenKind::StringText, slice, offset(to)));
            }
            (Piece::Own(from, to), None) => {
                out.push_text(TokenKind::StringText, &text[from..to], offset(to));
            }
            (Piece::Capped(at), _) => out.notice(Code::HoldCap, Span::at(offset(at))),
        });
    }

    fn split(&mut self, text: &str, mut give: impl FnMut(Piece<'_>)) {
        let visible = text.trim_end_matches(WHITESPACE);
        let end = visible.len();
        if end > 0 && self.lead.is_none() && self.held.is_empty() && !self.capped {
            self.visible(text, 0, end, &mut give);
        } else if end > 0 {
            let first = end - visible.trim_start_matches(WHITESPACE).len();
            self.hold(text, 0, first, &mut give);
            self.release(first, &mut give);
            self.visible(text, first, end, &mut give);
        }
        self.hold(text, end, text.len(), &mut give);
    }

    /// Whether only whitespace was read so far.
    pub(crate) const fn is_blank(&self) -> bool {
        self.lead.is_some()
    }

    /// The held whitespace.
    pub(crate) fn held(&self) -> &str {
        &self.held
    }

    /// Reads text that begins and ends with something visible.
    fn visible(
        &mut self,
        text: &str,
        mut from: usize,
        to: usize,
        give: &mut impl FnMut(Piece<'_>),
    ) {
        while let Some((start, end)) = flood(&text.as_bytes()[..to], from, self.cap) {
            own_lines(text, from, start, give);
            self.hold(text, start, end, give);
            self.release(end, give);
            from = end;
        }
        own_lines(text, from, to, give);
    }

    /// Reads whitespace.
    fn hold(&mut self, text: &str, from: usize, to: usize, give: &mut impl FnMut(Piece<'_>)) {
        for (at, byte) in text.bytes().enumerate().take(to).skip(from) {
            match (self.lead, byte) {
                _ if self.capped => return self.pass(text, at, to, give),
                (Some(_), b'\n') => {
                    self.held.clear();
                    self.lead = Some(false);
                    continue;
                }
                (Some(true), _) => continue,
                (None, b'\n') if self.held.ends_with('\r') => {
                    self.held.pop();
                }
                _ => {}
            }
            self.held.push(char::from(byte));
            if self.held.len() > self.cap {
                self.flush(at + 1, give);
            }
        }
    }

    /// Emits held whitespace that exceeds the bound: it is content, and so is the rest of the run. A
    /// carriage return may still be the first half of a line end.
    fn flush(&mut self, at: usize, give: &mut impl FnMut(Piece<'_>)) {
        let half = self.held.ends_with('\r');
        if half {
            self.held.pop();
        }
        let at = if half { at - 1 } else { at };
        give(Piece::Held(&self.held, at));
        give(Piece::Capped(at));
        self.held.clear();
        if half {
            self.held.push('\r');
        }
        self.lead = None;
        self.capped = true;
    }

    /// Reads whitespace that is content.
    fn pass(&mut self, text: &str, from: usize, to: usize, give: &mut impl FnMut(Piece<'_>)) {
        let bytes = text.as_bytes();
        if !self.held.is_empty() && bytes[from] != b'\n' {
            give(Piece::Held(&self.held, from));
        }
        self.held.clear();
        let half = bytes[to - 1] == b'\r';
        own_lines(text, from, to - usize::from(half), give);
        if half {
            self.held.push('\r');
        }
    }

    /// Emits the held whitespace, because it is not at the end.
    fn release(&mut self, at: usize, give: &mut impl FnMut(Piece<'_>)) {
        self.lead = None;
        self.capped = false;
        if !self.held.is_empty() {
            give(Piece::Held(&self.held, at));
            self.held.clear();
        }
    }
}

/// The next run of more than `cap` bytes of whitespace. It only looks at every `cap + 1`st byte, because
/// every such run contains one.
fn flood(bytes: &[u8], from: usize, cap: usize) -> Option<(usize, usize)> {
    let stride = cap.saturating_add(1);
    let mut at = from.saturating_add(cap);
    while let Some(byte) = bytes.get(at) {
        if !is_whitespace_byte(*byte) {
            at = at.saturating_add(stride);
            continue;
        }
        let trailing = bytes[from..at].iter().rev();
        let before = trailing.take_while(|&&byte| is_whitespace_byte(byte)).count();
        let behind = whitespace_len(&bytes[at..]);
        if before + behind > cap {
            return Some((at - before, at + behind));
        }
        at = (at + behind).saturating_add(stride);
    }
    None
}

/// Content, with line ends of one character.
fn own_lines(text: &str, mut from: usize, to: usize, give: &mut impl FnMut(Piece<'_>)) {
    let bytes = &text.as_bytes()[..to];
    let mut searched = from;
    while let Some(found) = memchr::memchr(b'\r', &bytes[searched..]) {
        let at = searched + found;
        searched = at + 1;
        if bytes.get(searched) == Some(&b'\n') {
            if from < at {
                give(Piece::Own(from, at));
            }
            from = searched;
        }
    }
    if from < to {
        give(Piece::Own(from, to));
    }
}

#[cfg(test)]
mod tests {
    use super::Trim;

    fn trimmed(parts: &[&str], same_line: bool) -> String {
        let (mut trim, mut out) = (Trim::new(same_line), String::new());
        parts.iter().for_each(|part| trim.read(part, &mut out));
        out
    }

    /// In a run that is content because it is long, half of a line end is held, and no piece is empty.
    #[test]
    fn half_a_line_end_in_a_long_run_is_no_piece() {
        let mut trim = Trim::new(false).capped(2);
        trim.split("a    ", |_| {});
        let mut pieces = 0;
        trim.split("\r", |_| pieces += 1);
        assert_eq!((pieces, trim.held()), (0, "\r"));
    }

    #[test]
    fn blanks_round_a_field_are_dropped_at_any_cut() {
        for (text, same_line, expected) in [
            (" a b \n", true, "a b"),
            (" a", false, " a"),
            ("\n \n  a\n\n b \r\n\r\n", true, "  a\n\n b"),
            ("a\r\nb\rc\r", true, "a\nb\rc"),
            ("\r\n\r\n", true, ""),
            ("a \r\n \r\nb", false, "a \n \nb"),
        ] {
            assert_eq!(trimmed(&[text], same_line), expected, "{text:?}");
            for cut in 0..=text.len() {
                let parts = [&text[..cut], &text[cut..]];
                assert_eq!(trimmed(&parts, same_line), expected, "{parts:?}");
            }
            let chars: Vec<String> = text.chars().map(String::from).collect();
            let chars: Vec<&str> = chars.iter().map(String::as_str).collect();
            assert_eq!(trimmed(&chars, same_line), expected, "{text:?}");
        }
    }

    #[test]
    fn a_run_of_too_many_blanks_is_content_at_any_cut() {
        for (text, expected) in [
            ("a   b", "a   b"),
            ("a    \r\n  \r\nb \r", "a    \n  \nb"),
            ("a  \r\n \r", "a  \n "),
            ("     a", "     a"),
            ("a  \r\r\rb", "a  \r\r\rb"),
            ("\n\n\n\n\n\n a    \n", " a    \n"),
        ] {
            for cut in 0..=text.len() {
                let (mut trim, mut out) = (Trim::new(false).capped(2), String::new());
                [&text[..cut], &text[cut..]].iter().for_each(|part| trim.read(part, &mut out));
                assert_eq!(out, expected, "{text:?}");
            }
        }
    }
}
