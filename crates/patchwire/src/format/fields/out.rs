//! Pending tokens, and their text.

use crate::codes::Code;
use crate::lex::{Queue, Slice, Token, TokenKind};
use crate::span::Span;

/// Tokens in order. Their text is kept until a token is made after all others were taken.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct PendingTokens {
    queue: Queue,
    text: String,
}

impl PendingTokens {
    /// Adds a token without text.
    pub(crate) fn push(&mut self, what: TokenKind, end: u64) {
        self.token(Token::new(what, end));
    }

    /// Adds a token with text.
    pub(crate) fn push_text(&mut self, what: TokenKind, text: &str, end: u64) {
        self.begin();
        let start = self.text.len();
        self.text.push_str(text);
        self.queue.push(Token::with(what, Slice::buffer(start, self.text.len()), end));
    }

    /// Adds a notice about the value that is open or just closed.
    pub(crate) fn notice(&mut self, code: Code, span: Span) {
        self.token(Token::notice(code, span));
    }

    /// Adds a notice about the member of a name, of which nothing follows.
    pub(crate) fn notice_of_member(&mut self, code: Code, name: &str, span: Span) {
        self.named(TokenKind::NoticeOfMember(code), name, span);
    }

    fn named(&mut self, what: TokenKind, name: &str, span: Span) {
        self.begin();
        let start = self.text.len();
        self.text.push_str(name);
        let text = Slice::buffer(start, self.text.len());
        let token = Token::with(what, text, span.end);
        self.queue.push(Token { start: span.start, ..token });
    }

    /// Adds a token about the field of a name, of which these bytes are the value.
    pub(crate) fn slipped_field(&mut self, name: &str, span: Span) {
        self.named(TokenKind::SlippedField, name, span);
    }

    /// Adds a token whose text is in the input, or that has none.
    pub(crate) fn token(&mut self, token: Token) {
        self.begin();
        self.queue.push(token);
    }

    fn begin(&mut self) {
        if self.queue.is_empty() {
            self.text.clear();
        }
    }

    pub(crate) fn pop(&mut self) -> Option<Token> {
        self.queue.pop()
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// The text that [`Slice::Buffer`] refers to.
    pub(crate) fn buffer(&self) -> &str {
        &self.text
    }

    /// Clears buffers that are not part of the state, once every token was taken.
    pub(crate) fn canonicalize(&mut self) {
        if self.queue.is_empty() {
            self.text.clear();
        }
    }

    /// Copies the text of pending tokens, before the input is dropped.
    pub(crate) fn own_pending_text(&mut self, input: &str) {
        self.queue.own_inputs(input, &mut self.text);
    }
}

#[cfg(test)]
mod tests {
    use super::PendingTokens;
    use crate::codes::Code;
    use crate::lex::TokenKind;
    use crate::span::Span;

    /// However tokens come, the text of those that were taken is dropped, and no other.
    #[test]
    fn text_is_kept_as_long_as_its_tokens() {
        type Add = fn(&mut PendingTokens);
        let adds: [(Add, &str); 5] = [
            (|out| out.push(TokenKind::StringClose, 9), ""),
            (|out| out.notice(Code::HoldCap, Span::at(9)), ""),
            (|out| out.push_text(TokenKind::StringText, "b", 9), "b"),
            (|out| out.notice_of_member(Code::HoldCap, "c", Span::at(9)), "c"),
            (|out| out.slipped_field("d", Span::at(9)), "d"),
        ];
        for (add, text) in adds {
            let mut out = PendingTokens::default();
            out.push_text(TokenKind::StringText, "a", 1);
            add(&mut out);
            assert_eq!(out.buffer(), format!("a{text}"));
            while out.pop().is_some() {}
            assert!(out.is_empty());
            add(&mut out);
            out.push_text(TokenKind::StringText, "e", 10);
            assert_eq!(out.buffer(), format!("{text}e"));
            out.canonicalize();
            assert_eq!(out.buffer(), format!("{text}e"));
            while out.pop().is_some() {}
            out.canonicalize();
            assert_eq!(out.buffer(), "");
        }
    }
}
