//! What happens once the meaning of a held quote is known.

use super::look::{LookPhase, QuoteLook};
use super::{
    Code, Error, Input, JsonContainer, JsonLexer, JsonPlace, JsonQuote, JsonState, Leniency, Span,
    StringRole, TokenKind,
};

impl JsonLexer {
    /// The length of the held quote.
    #[inline]
    pub(super) fn held_quote(&self) -> usize {
        self.held.text.chars().next().map_or(0, char::len_utf8)
    }

    /// In a window, the quote ends the text. If it is a key and ends in a colon, its closing quote is missing:
    /// then the quote opens the value.
    pub(super) fn confirm_in_window(&mut self, role: StringRole) -> Result<(), Error> {
        let colon = self.key.trim_end().strip_suffix(':').map(str::len);
        let Some(colon) = colon.filter(|_| role == StringRole::Key) else {
            return self.confirm(role);
        };
        if !self.settings.allow(Leniency::UnquotedKeys) {
            return self.confirm(role);
        }
        let at = self.held.from.saturating_sub((self.key.len() - colon) as u64);
        self.output.note_text(role, Code::UnquotedKey, Span::at(at));
        self.key.truncate(colon);
        self.emit_key(at);
        self.state = JsonState::Value(JsonPlace::Member);
        self.reread_held(0);
        Ok(())
    }

    /// The quote ends the text. The held bytes after it are read again.
    pub(super) fn confirm(&mut self, role: StringRole) -> Result<(), Error> {
        let quote = self.held_quote();
        self.close_text(role, self.held.from + quote as u64);
        if !self.skip_separator(quote) {
            self.reread_held(quote);
        }
        Ok(())
    }

    /// Skips the held bytes from `from` on without reading them again, if they are only whitespace and at
    /// most one comma. That is nearly always so. Whether it was.
    pub(super) fn skip_separator(&mut self, from: usize) -> bool {
        let mut commas = 0;
        for byte in self.held.text[from..].bytes() {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => {}
                b',' if commas == 0 => commas += 1,
                _ => return false,
            }
        }
        match (self.state, self.top()) {
            (JsonState::Colon, _) if commas == 0 => {}
            (JsonState::After, _) if commas == 0 => {}
            (JsonState::After, Some(JsonContainer::Object)) => {
                self.state = JsonState::Key { first: false }
            }
            (JsonState::After, Some(_)) => self.state = JsonState::Value(JsonPlace::Next),
            _ => return false,
        }
        self.held.text.clear();
        true
    }

    /// The quote is part of the text. The held bytes after it are read again, and `next` comes after them.
    pub(super) fn refute(&mut self, role: StringRole, next: Option<char>) -> Result<(), Error> {
        let len = self.held_quote();
        let end = self.held.from + len as u64;
        let quote = self.held.text[..len].to_owned();
        if self.string.quote.marks() == 1 {
            self.output.note_text(role, Code::InnerQuote, Span::new(self.held.from, end));
        }
        self.state = JsonState::Text(role);
        self.string.inner.add(self.string.quote, self.held.text[len..].chars().next().or(next));
        self.reread_held(len);
        self.give_kept(role, &quote, end)
    }

    pub(super) fn reread_held(&mut self, from: usize) {
        self.replay.push(&self.held.text[from..]);
        self.held.text.clear();
    }

    pub(super) fn become_triple(
        &mut self,
        quote: JsonQuote,
        input: &Input<'_>,
    ) -> Result<(), Error> {
        self.output
            .note(Code::TripleQuotes, Span::new(self.held.from.saturating_sub(1), input.offset()));
        self.held.text.clear();
        self.string.quote = quote;
        self.state = JsonState::Text(StringRole::Value);
        Ok(())
    }

    /// The held quote is the second of two opening quotes.
    pub(super) fn become_doubled(&mut self, role: StringRole) {
        let start = self.held.from.saturating_sub(1);
        self.output.note_text(role, Code::TripleQuotes, Span::new(start, start + 2));
        self.held.text.clear();
        self.string.quote = JsonQuote::DoubledDouble;
        self.string.has_doubled_quotes = true;
        self.state = JsonState::Text(role);
    }

    pub(super) fn join(&mut self, quote: JsonQuote, input: &Input<'_>) -> Result<(), Error> {
        self.output.note(Code::StringConcat, Span::new(self.held.from, input.offset()));
        self.held.text.clear();
        self.string.quote = quote;
        self.string.started = true;
        self.state = JsonState::Text(StringRole::Value);
        Ok(())
    }

    /// The string item was the next key of the enclosing object: the list ended before it.
    pub(super) fn item_was_key(&mut self) -> Result<(), Error> {
        let quote = self.held_quote();
        let end = self.held.from + quote as u64;
        self.output.emit(TokenKind::StringClose, end);
        self.output.note(Code::MissingClose, Span::at(end));
        self.output.emit(TokenKind::ItemWasKey, end);
        self.stack.pop();
        self.output.emit(TokenKind::Close, end);
        let key = self.item.take();
        self.key.clear();
        let start = end.saturating_sub(key.len() as u64);
        self.push_key(&key, Span::new(start, end))?;
        self.emit_key(end);
        self.state = JsonState::Colon;
        self.reread_held(quote);
        Ok(())
    }

    /// The input ended after the quote.
    pub(super) fn end_look(
        &mut self,
        role: StringRole,
        look: QuoteLook,
        end: u64,
    ) -> Result<(), Error> {
        match (role, look.phase) {
            (_, LookPhase::Repeated) => {
                self.close_text(role, end);
                self.held.text.clear();
                Ok(())
            }
            (_, LookPhase::Window) => match self.judge_window(role, None, true) {
                Some(false) => self.refute(role, None),
                _ => self.confirm_in_window(role),
            },
            (StringRole::Key, _) => {
                self.held.text.clear();
                self.state = JsonState::Colon;
                Ok(())
            }
            (
                StringRole::Value,
                LookPhase::Quote
                | LookPhase::Comma
                | LookPhase::Name
                | LookPhase::NameEnd
                | LookPhase::Plus,
            ) => self.confirm(role),
            (StringRole::Value, _) => self.refute(role, None),
        }
    }
}
