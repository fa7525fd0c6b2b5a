//! Text between three backticks: a slip that models copy from Markdown.
//!
//! The first line may be an info string (CommonMark 0.31, section 4.5), which is no text. Whitespace is held,
//! because that before the closing backticks is no text either. So are backticks, until three of them and a
//! separator end the value.

use super::{
    Code, Error, Input, JsonLexer, JsonPlace, JsonResume, JsonState, Leniency, Slice, Span,
    StringRole, TokenKind,
};

/// The position in such a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FencedText {
    /// On the line of the opening backticks.
    Opening,
    Body,
    /// In whitespace.
    Blanks,
    /// In so many backticks, with the whitespace before them.
    Ticks(u8),
    /// After three backticks, in whitespace.
    Closed,
}

impl JsonLexer {
    /// Whether three backticks begin a value here: no fence is open that they could end.
    pub(super) fn may_be_fenced_text(&self, mark: u8, then: JsonResume) -> bool {
        mark == b'`'
            && !self.fence.is_open
            && then == JsonResume::Value(JsonPlace::Member)
            && self.settings.allow(Leniency::BacktickQuotes)
    }

    /// After three backticks, which began at `since`.
    pub(super) fn begin_fenced_text(&mut self, end: u64) {
        self.begin_text(StringRole::Value, super::JsonQuote::Backtick);
        self.output.note_next(Code::BacktickQuotes, Span::new(self.held.since, end));
        self.hold_fenced(FencedText::Opening, end);
    }

    /// Enters a state in which text from `from` on is held.
    fn hold_fenced(&mut self, state: FencedText, from: u64) {
        self.held.text.clear();
        self.held.from = from;
        self.state = JsonState::Fenced(state);
    }

    pub(super) fn scan_fenced(
        &mut self,
        at: FencedText,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        let Some(char) = input.peek_char() else { return Ok(()) };
        match (at, char) {
            (FencedText::Opening, '\n') => {
                input.pos += 1;
                self.output.emit(TokenKind::StringOpen, input.offset());
                self.hold_fenced(FencedText::Body, input.offset());
                Ok(())
            }
            // No info string has such characters.
            (FencedText::Opening, '`' | '"' | '{' | '(' | ';') => {
                self.leave_opening(input.offset())
            }
            (FencedText::Opening, _)
                if input.is_replaced() || self.held.text.len() >= self.settings.caps.run =>
            {
                self.leave_opening(input.offset())
            }
            (FencedText::Opening, _) => self.hold_char(char, at, usize::MAX, input),
            (FencedText::Body, '`') => {
                self.hold_fenced(FencedText::Ticks(0), input.offset());
                Ok(())
            }
            (FencedText::Body, c) if c.is_ascii_whitespace() => {
                self.hold_fenced(FencedText::Blanks, input.offset());
                Ok(())
            }
            (FencedText::Body, _) => self.give_fenced_run(input),
            (FencedText::Blanks, c) if c.is_ascii_whitespace() => {
                self.hold_char(char, at, self.settings.held, input)
            }
            (FencedText::Blanks | FencedText::Ticks(0..3), '`') => {
                let count = if let FencedText::Ticks(count) = at { count + 1 } else { 1 };
                let next = if count == 3 { FencedText::Closed } else { FencedText::Ticks(count) };
                self.hold_char(char, next, usize::MAX, input)
            }
            (FencedText::Closed, ',' | ';' | '}' | ']' | '"') => {
                self.end_fenced(input.offset());
                Ok(())
            }
            (FencedText::Closed, c) if self.settings.is_blank(c) => {
                self.hold_char(char, at, self.settings.held, input)
            }
            _ => self.refute_fenced(input.offset()),
        }
    }

    /// Holds one more character. Too many of them are text.
    fn hold_char(
        &mut self,
        char: char,
        next: FencedText,
        most: usize,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        if self.held.text.len() + char.len_utf8() > most {
            return self.refute_fenced(input.offset());
        }
        self.held.text.push(char);
        input.pos += char.len_utf8();
        self.state = JsonState::Fenced(next);
        Ok(())
    }

    /// The held bytes are text.
    fn refute_fenced(&mut self, end: u64) -> Result<(), Error> {
        let held = core::mem::take(&mut self.held.text);
        let given = self.give_kept(StringRole::Value, &held, end);
        self.hold_fenced(FencedText::Body, end);
        given
    }

    /// The held bytes of the opening line are text, which begins here, but for the whitespace before them. That after them is
    /// held on.
    fn leave_opening(&mut self, end: u64) -> Result<(), Error> {
        let held = core::mem::take(&mut self.held.text);
        self.output.emit(TokenKind::StringOpen, end - held.len() as u64);
        let text = held.trim_end();
        let text_end = end - (held.len() - text.len()) as u64;
        let blanks = held[text.len()..].to_owned();
        let text = text.trim_start();
        self.hold_fenced(
            if blanks.is_empty() { FencedText::Body } else { FencedText::Blanks },
            text_end,
        );
        self.held.text = blanks;
        if text.is_empty() { Ok(()) } else { self.give_kept(StringRole::Value, text, text_end) }
    }

    /// Emits the text up to the next whitespace or backtick.
    fn give_fenced_run(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        let stops = |byte: &u8| *byte == b'`' || byte.is_ascii_whitespace();
        let bytes = input.bytes();
        let len = bytes.iter().position(stops).unwrap_or(bytes.len());
        let start = input.pos;
        input.pos += len;
        self.string.started = true;
        let text = Slice::input(start, input.pos);
        self.output.emit_text(TokenKind::StringText, text, input.offset());
        Ok(())
    }

    /// The value ends with the held backticks. Only whitespace was held after them.
    fn end_fenced(&mut self, offset: u64) {
        let blanks = self.held.text.len() - self.held.text.trim_end().len();
        self.held.text.clear();
        self.close_text(StringRole::Value, offset - blanks as u64);
    }

    /// The input ended in the text. What is held may be its closer.
    pub(super) fn end_fenced_text(&mut self, at: FencedText, end: u64) -> Result<(), Error> {
        if at == FencedText::Opening {
            self.leave_opening(end)?;
        }
        self.held.text.clear();
        self.close_text(StringRole::Value, end);
        Ok(())
    }
}
