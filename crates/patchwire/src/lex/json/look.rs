//! After a quote that may end its text.
//!
//! Models forget to escape the quotes inside a string. Whether a quote ends the string is emitted by
//! what follows; until that is decided the quote and what follows it are held, and nothing is ever
//! taken back. Valid JSON is always confirmed by the next visible byte, or by the one after a comma.

use super::{
    Code, Container, Error, Input, Leniency, Lexer, Place, Quote, Role, Span, State, TokenKind,
    word,
};
use crate::held::HeldBy;

/// What was seen after the quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Look {
    phase: Phase,
    blanks: u8,
    breaks: u8,
    /// Of a name or run, in bytes; of quotes; of commas, how many are too many.
    len: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// The quote, and blanks.
    Quote,
    /// A comma, and blanks.
    Comma,
    /// A comma and part of a name.
    Name,
    /// A comma and a name, and blanks: only a colon confirms.
    NameEnd,
    /// An opening quote: perhaps a key after a missing comma.
    Run { quote: Quote, escaped: bool },
    /// A quoted run, and blanks: only a colon confirms.
    RunEnd,
    /// A plus sign, and blanks: only an opening quote joins.
    Plus,
    /// A slash: perhaps a comment.
    Slash,
    /// Part of a word after a key: a literal confirms.
    Word,
    /// Quotes that may be the last of three.
    Triple,
}

/// What one more character means for the quote.
enum Verdict {
    /// Not decided.
    Hold,
    /// It ends the text.
    Ends,
    /// This is the last of the three quotes that end the text.
    EndsHere,
    /// It is part of the text.
    Content,
    /// It was the second of three opening quotes, and this is the third.
    Tripled(Quote),
    /// The text goes on after a plus sign, in these quotes.
    Joined(Quote, usize),
    /// The text is a key: its list ended before it.
    WasKey,
}

impl Look {
    pub(super) const START: Self = Self { phase: Phase::Quote, blanks: 0, breaks: 0, len: 0 };
    pub(super) const TRIPLE: Self = Self { phase: Phase::Triple, blanks: 0, breaks: 0, len: 1 };

    /// What is waited for.
    pub(super) const fn held_by(self, role: Role) -> HeldBy {
        match (self.phase, role) {
            (Phase::Quote, Role::Value) => HeldBy::ValueQuote,
            (Phase::Quote, Role::Key) => HeldBy::KeyQuote,
            (Phase::Comma, _) => HeldBy::Comma,
            (Phase::Name | Phase::NameEnd, _) => HeldBy::NextName,
            (Phase::Run { .. } | Phase::RunEnd, _) => HeldBy::NextQuoted,
            (Phase::Plus, _) => HeldBy::Plus,
            (Phase::Slash, _) => HeldBy::Slash,
            (Phase::Word, _) => HeldBy::KeyWord,
            (Phase::Triple, _) => HeldBy::TripleQuote,
        }
    }

    /// Whether nothing but the quote was seen.
    pub(super) fn is_fresh(self) -> bool {
        self == Self::START
    }

    /// Whether nothing but blanks was seen, and a comma, or nothing at all.
    pub(super) const fn is_simple(self) -> bool {
        matches!(self.phase, Phase::Quote | Phase::Comma) && self.len == 0
    }

    /// Of what [is simple](Self::is_simple): whether a comma was seen.
    pub(super) fn has_comma(self) -> bool {
        self.phase == Phase::Comma
    }

    /// What one more byte means in the commonest cases: that the quote ends its text, or that it
    /// is to be held; none in any other case.
    pub(super) fn quick(&mut self, byte: u8, object: bool, blanks: usize) -> Option<bool> {
        match (self.phase, byte) {
            (Phase::Quote, b'}' | b']') | (Phase::Comma, b'}' | b']' | b'"') => Some(true),
            (Phase::Quote, b',') if object => {
                self.go(Phase::Comma);
                Some(false)
            }
            (Phase::Quote, b',') => Some(true),
            (Phase::Quote | Phase::Comma, b' ') if usize::from(self.blanks) < blanks => {
                self.blanks += 1;
                Some(false)
            }
            _ => None,
        }
    }

    /// On to another phase; blanks are counted anew.
    fn go(&mut self, phase: Phase) -> Verdict {
        *self = Self { phase, blanks: 0, breaks: 0, len: 0 };
        Verdict::Hold
    }

    /// One more blank: too many of them confirm the quote, and so does a second line end.
    fn blank(&mut self, char: char, cap: usize) -> Verdict {
        self.blanks += 1;
        self.breaks += u8::from(char == '\n');
        if usize::from(self.blanks) > cap || self.breaks > 1 {
            Verdict::Ends
        } else {
            Verdict::Hold
        }
    }

    const fn has_blanks(self) -> bool {
        self.blanks > 0
    }

    /// One more character of a name or run.
    fn grow(&mut self, char: char, cap: usize) -> Verdict {
        self.len = self.len.saturating_add(char.len_utf8() as u8);
        if usize::from(self.len) > cap { Verdict::Content } else { Verdict::Hold }
    }
}

impl Lexer {
    /// Holds the quote at the position.
    pub(super) fn begin_look(&mut self, len: usize, input: &mut Input<'_>) {
        self.held.clear();
        self.held.push_str(&input.rest()[..len]);
        self.held_from = input.offset();
        input.pos += len;
    }

    pub(super) fn scan_look(
        &mut self,
        role: Role,
        mut look: Look,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        while let Some(char) = input.peek_char() {
            let verdict = if input.is_replaced() {
                Verdict::Content
            } else {
                self.judge(role, &mut look, char, input.rest())
            };
            match verdict {
                Verdict::Hold => {
                    self.held.push(char);
                    input.pos += char.len_utf8();
                }
                Verdict::Ends => return self.confirm(role),
                Verdict::EndsHere => {
                    input.pos += char.len_utf8();
                    self.held.clear();
                    self.close_text(role, input.offset());
                    return Ok(());
                }
                Verdict::Content => return self.refute(role),
                Verdict::Tripled(quote) => {
                    input.pos += char.len_utf8();
                    return self.become_triple(quote, input);
                }
                Verdict::Joined(quote, len) => {
                    input.pos += len;
                    return self.join(quote, input);
                }
                Verdict::WasKey => return self.item_was_key(),
            }
        }
        self.state = State::Look(role, look);
        Ok(())
    }

    fn judge(&self, role: Role, look: &mut Look, char: char, rest: &str) -> Verdict {
        match (look.phase, role) {
            (Phase::Quote, Role::Value) => self.after_quote(look, char, rest),
            (Phase::Quote, Role::Key) => self.after_key_quote(look, char, rest),
            (Phase::Comma, _) => self.after_comma(look, char, rest),
            (Phase::Name, _) => match char {
                ':' => Verdict::Ends,
                c if is_blank(c) => look.go(Phase::NameEnd),
                c if word::is_name_char(c) => look.grow(c, self.caps.run),
                _ => Verdict::Content,
            },
            (Phase::Run { quote, escaped }, _) => {
                in_run(look, (quote, escaped), rest, self.caps.run)
            }
            (Phase::NameEnd | Phase::RunEnd, _) => match char {
                ':' => Verdict::Ends,
                c if is_blank(c) => look.blank(c, self.caps.blanks),
                _ => Verdict::Content,
            },
            (Phase::Plus, _) => match self.opening(rest) {
                Some((quote, len)) => Verdict::Joined(quote, len),
                None if is_blank(char) => look.blank(char, self.caps.blanks),
                None => Verdict::Content,
            },
            (Phase::Slash, _) if matches!(char, '/' | '*') => Verdict::Ends,
            (Phase::Slash, _) => Verdict::Content,
            (Phase::Word, _) => self.in_word(look, char),
            (Phase::Triple, _) => match self.quote.closing(rest) {
                Some(_) if look.len == 2 => Verdict::EndsHere,
                Some(_) => {
                    look.len += 1;
                    Verdict::Hold
                }
                None => Verdict::Content,
            },
        }
    }

    /// After a quote that may end a value.
    fn after_quote(&self, look: &mut Look, char: char, rest: &str) -> Verdict {
        match char {
            c if is_blank(c) => look.blank(c, self.caps.blanks),
            '}' | ']' => Verdict::Ends,
            ')' if self.top() == Some(Container::Tuple) => Verdict::Ends,
            ',' if self.top() != Some(Container::Object) => Verdict::Ends,
            ',' => look.go(Phase::Comma),
            ':' if self.item_may_be_key => Verdict::WasKey,
            '+' if self.allows(Leniency::StringConcat) => look.go(Phase::Plus),
            '/' if self.allows(Leniency::Comments) => look.go(Phase::Slash),
            '#' if look.has_blanks() && self.allows(Leniency::Comments) => Verdict::Ends,
            '`' | '~' if look.breaks > 0 => Verdict::Ends,
            _ => self.after_quote_a_quote(look, rest),
        }
    }

    /// A second quote: the last two of three, or the next key or item without its comma.
    fn after_quote_a_quote(&self, look: &mut Look, rest: &str) -> Verdict {
        if !look.has_blanks()
            && !self.started
            && self.quote.closing(rest).is_some()
            && self.allows(Leniency::TripleQuotes)
            && let Some(triple) = self.quote.tripled()
        {
            return Verdict::Tripled(triple);
        }
        let Some((quote, _)) = self.opening(rest) else { return Verdict::Content };
        match self.top() {
            _ if !self.allows(Leniency::MissingCommas) => Verdict::Content,
            Some(Container::Object) => look.go(Phase::Run { quote, escaped: false }),
            _ if look.has_blanks() => Verdict::Ends,
            _ => Verdict::Content,
        }
    }

    fn after_comma(&self, look: &mut Look, char: char, rest: &str) -> Verdict {
        match char {
            c if is_blank(c) => look.blank(c, self.caps.blanks),
            '}' | ']' => Verdict::Ends,
            ',' if self.allows(Leniency::ExtraCommas) => {
                look.len = look.len.saturating_add(1);
                Verdict::Hold
            }
            '/' if self.allows(Leniency::Comments) => look.go(Phase::Slash),
            '#' if self.allows(Leniency::Comments) => Verdict::Ends,
            '`' | '~' if look.breaks > 0 => Verdict::Ends,
            _ if self.opening(rest).is_some() => Verdict::Ends,
            c if (word::is_name_start(c) || c.is_ascii_digit())
                && self.allows(Leniency::UnquotedKeys) =>
            {
                look.go(Phase::Name);
                look.grow(c, self.caps.run)
            }
            _ => Verdict::Content,
        }
    }

    /// After a quote that may end a key.
    fn after_key_quote(&self, look: &mut Look, char: char, rest: &str) -> Verdict {
        let missing_colon = self.allows(Leniency::MissingColons);
        match char {
            ':' => Verdict::Ends,
            c if is_blank(c) => look.blank(c, self.caps.blanks),
            '=' | '{' | '[' if missing_colon => Verdict::Ends,
            '/' if self.allows(Leniency::Comments) => look.go(Phase::Slash),
            '#' if look.has_blanks() && self.allows(Leniency::Comments) => Verdict::Ends,
            _ if !missing_colon || !look.has_blanks() => Verdict::Content,
            '-' | '0'..='9' => Verdict::Ends,
            _ if self.opening(rest).is_some() => Verdict::Ends,
            c if c.is_ascii_alphabetic() => {
                look.go(Phase::Word);
                look.grow(c, self.caps.run)
            }
            _ => Verdict::Content,
        }
    }

    /// In a word after a key without a colon: only a whole literal is a value there.
    fn in_word(&self, look: &mut Look, char: char) -> Verdict {
        if char.is_ascii_alphanumeric() {
            return look.grow(char, self.caps.run);
        }
        let start = self.held.len() - usize::from(look.len);
        let literal = word::literal(&self.held[start..]).is_some();
        if literal { Verdict::Ends } else { Verdict::Content }
    }

    /// The quotes that `text` opens with, if they are allowed.
    pub(super) fn opening(&self, text: &str) -> Option<(Quote, usize)> {
        Quote::opening(text)
            .filter(|(quote, _)| quote.slip().is_none_or(|(leniency, _)| self.allows(leniency)))
    }

    /// The length of the quote at the front of what is held.
    #[inline]
    pub(super) fn held_quote(&self) -> usize {
        self.held.chars().next().map_or(0, char::len_utf8)
    }

    /// The quote ends the text. What was held after it is read again.
    fn confirm(&mut self, role: Role) -> Result<(), Error> {
        let quote = self.held_quote();
        self.close_text(role, self.held_from + quote as u64);
        if !self.skip_separator(quote) {
            self.reread_held(quote);
        }
        Ok(())
    }

    /// What was held after the quote, from there on, is all but always blanks and a comma: they need
    /// not be read again. Whether that is so.
    pub(super) fn skip_separator(&mut self, from: usize) -> bool {
        let mut commas = 0;
        for byte in self.held[from..].bytes() {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => {}
                b',' if commas == 0 => commas += 1,
                _ => return false,
            }
        }
        match (self.state, self.top()) {
            (State::Colon, _) if commas == 0 => {}
            (State::After, _) if commas == 0 => {}
            (State::After, Some(Container::Object)) => self.state = State::Key { first: false },
            (State::After, Some(_)) => self.state = State::Value(Place::Next),
            _ => return false,
        }
        self.held.clear();
        true
    }

    /// The quote is part of the text. What was held after it is read again.
    fn refute(&mut self, role: Role) -> Result<(), Error> {
        let len = self.held_quote();
        let end = self.held_from + len as u64;
        let quote = self.held[..len].to_owned();
        if !self.quote.is_triple() {
            self.note_text(role, Code::InnerQuote, Span::new(self.held_from, end));
        }
        self.state = State::Text(role);
        self.reread_held(len);
        self.give_kept(role, &quote, end)
    }

    pub(super) fn reread_held(&mut self, from: usize) {
        self.replay.push_str(&self.held[from..]);
        self.held.clear();
    }

    fn become_triple(&mut self, quote: Quote, input: &Input<'_>) -> Result<(), Error> {
        self.note(Code::TripleQuotes, Span::new(self.held_from.saturating_sub(1), input.offset()));
        self.held.clear();
        self.quote = quote;
        self.state = State::Text(Role::Value);
        Ok(())
    }

    fn join(&mut self, quote: Quote, input: &Input<'_>) -> Result<(), Error> {
        self.note(Code::StringConcat, Span::new(self.held_from, input.offset()));
        self.held.clear();
        self.quote = quote;
        self.started = true;
        self.state = State::Text(Role::Value);
        Ok(())
    }

    /// The string item was the next key of the object above: the list ended before it.
    fn item_was_key(&mut self) -> Result<(), Error> {
        let quote = self.held_quote();
        let end = self.held_from + quote as u64;
        self.emit(TokenKind::StringClose, end);
        self.note(Code::MissingClose, Span::at(end));
        self.emit(TokenKind::ItemWasKey, end);
        self.stack.pop();
        self.emit(TokenKind::Close, end);
        let key = core::mem::take(&mut self.item);
        self.item_may_be_key = false;
        self.key.clear();
        let start = end.saturating_sub(key.len() as u64);
        self.push_key(&key, Span::new(start, end))?;
        self.emit_key(end);
        self.state = State::Colon;
        self.reread_held(quote);
        Ok(())
    }

    /// The input ended after the quote.
    pub(super) fn end_look(&mut self, role: Role, look: Look, end: u64) -> Result<(), Error> {
        match (role, look.phase) {
            (_, Phase::Triple) => {
                self.close_text(role, end);
                self.held.clear();
                Ok(())
            }
            (Role::Key, _) => {
                self.held.clear();
                self.state = State::Colon;
                Ok(())
            }
            (
                Role::Value,
                Phase::Quote | Phase::Comma | Phase::Name | Phase::NameEnd | Phase::Plus,
            ) => self.confirm(role),
            (Role::Value, _) => self.refute(role),
        }
    }
}

/// In a quoted run that may be a key.
fn in_run(look: &mut Look, (quote, escaped): (Quote, bool), rest: &str, cap: usize) -> Verdict {
    let Some(char) = rest.chars().next() else { return Verdict::Hold };
    let len = look.len;
    match char {
        '\n' => return Verdict::Content,
        _ if escaped => look.phase = Phase::Run { quote, escaped: false },
        '\\' => look.phase = Phase::Run { quote, escaped: true },
        _ if quote.closing(rest).is_some() => return look.go(Phase::RunEnd),
        _ => {}
    }
    look.len = len;
    look.grow(char, cap)
}

pub(super) const fn is_blank(char: char) -> bool {
    matches!(char, ' ' | '\t' | '\n' | '\r')
}
