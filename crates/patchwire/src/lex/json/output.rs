//! The tokens that are made and not returned yet, and their text.

use super::super::{Queue, Slice, Token, TokenKind};
use super::StringRole;
use crate::codes::Code;
use crate::error::Error;
use crate::span::Span;

/// What the lexer returns next.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct TokenOutput {
    pub(super) queue: Queue,
    /// The text of tokens that is not in the input.
    pub(super) text: String,
    /// Memory for decoded escapes. Always empty between steps.
    pub(super) scratch: String,
    /// The error that is returned after the tokens that were made before it.
    pub(super) failed: Option<Error>,
}

impl TokenOutput {
    /// Whether nothing is pending.
    #[inline(always)]
    pub(super) const fn is_empty(&self) -> bool {
        self.queue.is_empty() && self.failed.is_none()
    }

    pub(super) fn emit(&mut self, what: TokenKind, end: u64) {
        self.queue.push(Token::new(what, end));
    }

    pub(super) fn emit_text(&mut self, what: TokenKind, text: Slice, end: u64) {
        self.queue.push(Token::with(what, text, end));
    }

    pub(super) fn note(&mut self, code: Code, span: Span) {
        self.queue.push(Token::notice(code, span));
    }

    /// Notes a repair of the text of a key or a value.
    pub(super) fn note_text(&mut self, role: StringRole, code: Code, span: Span) {
        match role {
            StringRole::Key => self.queue.push(Token::notice_of_key(code, span)),
            StringRole::Value => self.note(code, span),
        }
    }

    /// Notes a repair of the value that begins next.
    pub(super) fn note_next(&mut self, code: Code, span: Span) {
        self.queue.push(Token::notice_of_next(code, span));
    }

    /// Appends text to the buffer.
    pub(super) fn keep(&mut self, text: &str) -> Slice {
        let start = self.text.len();
        self.text.push_str(text);
        Slice::buffer(start, self.text.len())
    }

    /// Copies the text of pending tokens into the buffer, before the input is dropped.
    pub(super) fn own_inputs(&mut self, input: &str) {
        self.queue.own_inputs(input, &mut self.text);
    }
}

#[cfg(test)]
mod tests {
    use super::{Code, Slice, Span, StringRole, TokenKind, TokenOutput};

    #[test]
    fn tokens_are_returned_in_order_and_own_their_text() {
        let mut output = TokenOutput::default();
        assert!(output.is_empty());
        let kept = output.keep("kept");
        output.emit_text(TokenKind::StringText, kept, 4);
        output.note_text(StringRole::Value, Code::RawControl, Span::new(4, 5));
        output.emit_text(TokenKind::StringText, Slice::input(1, 3), 7);
        output.own_inputs("abcd");
        let mut texts = Vec::new();
        while let Some(token) = output.queue.pop() {
            texts.push(token.text.of("", &output.text).to_owned());
        }
        assert_eq!(texts, ["kept", "", "bc"]);
        assert!(output.is_empty());
    }
}
