//! The look-ahead after a quote that may end its text.
//!
//! Models forget to escape quotes inside strings. The bytes after a quote decide whether it ends the
//! string. Until then, the quote and the bytes after it are held back, so emitted text never has to be
//! corrected. In valid JSON the next visible byte confirms the quote, or the visible byte after a comma.

use super::{
    Error, Input, JsonContainer, JsonLexer, JsonQuote, JsonState, Leniency, StringRole, word,
};
use crate::held::HeldBy;

/// The bytes seen after the quote.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct QuoteLook {
    pub(super) phase: LookPhase,
    blanks: u8,
    breaks: u8,
    /// In a name or run: its bytes. In `Repeated`: the quotes. In `Comma`: the surplus commas. In
    /// `Window`: the visible characters.
    pub(super) len: u8,
    /// Whether a space of Unicode was seen, which the fast path must not skip without its notice.
    foreign: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum LookPhase {
    /// After the quote and whitespace.
    Quote,
    /// After a comma and whitespace.
    Comma,
    /// In a name after a comma.
    Name,
    /// In whitespace after a comma and a name: only a colon confirms.
    NameEnd,
    /// In a quoted run: perhaps a key after a missing comma.
    Run { quote: JsonQuote, escaped: bool },
    /// In whitespace after a quoted run: only a colon confirms.
    RunEnd,
    /// After a plus sign and whitespace: only an opening quote joins the strings.
    Plus,
    /// After a slash: perhaps a comment.
    Slash,
    /// In a word after a key: a literal confirms.
    Word,
    /// In quotes that may end a text in several quotes.
    Repeated,
    /// In text that no valid document has here. The cheaper reading of the held bytes decides.
    Window,
}

/// What a character decides about the quote.
pub(super) enum LookVerdict {
    /// Not decided.
    Hold,
    /// The quote ends the text.
    Ends,
    /// The character is the last of the quotes that end the text.
    EndsHere,
    /// The quote is part of the text.
    Content,
    /// The quote was the second of three opening quotes, and the character is the third.
    Tripled(JsonQuote),
    /// The quote was the second of two opening quotes. The character is the first of the text.
    Doubled,
    /// The text continues after a plus sign, in these quotes. The opener has this length.
    Joined(JsonQuote, usize),
    /// The text is a key: the list ended before it.
    WasKey,
}

impl QuoteLook {
    pub(super) const START: Self =
        Self { phase: LookPhase::Quote, blanks: 0, breaks: 0, len: 0, foreign: false };
    pub(super) const REPEATED: Self = Self { phase: LookPhase::Repeated, len: 1, ..Self::START };

    /// In a window with so many visible characters.
    pub(super) const fn window(visible: u8) -> Self {
        Self { phase: LookPhase::Window, len: visible, ..Self::START }
    }

    /// Why the bytes are held back.
    pub(super) const fn held_by(self, role: StringRole) -> HeldBy {
        match (self.phase, role) {
            (LookPhase::Quote, StringRole::Value) => HeldBy::ValueQuote,
            (LookPhase::Quote, StringRole::Key) => HeldBy::KeyQuote,
            (LookPhase::Window, _) => HeldBy::QuoteWindow,
            (LookPhase::Comma, _) => HeldBy::Comma,
            (LookPhase::Name | LookPhase::NameEnd, _) => HeldBy::NextName,
            (LookPhase::Run { .. } | LookPhase::RunEnd, _) => HeldBy::NextQuoted,
            (LookPhase::Plus, _) => HeldBy::Plus,
            (LookPhase::Slash, _) => HeldBy::Slash,
            (LookPhase::Word, _) => HeldBy::KeyWord,
            (LookPhase::Repeated, _) => HeldBy::TripleQuote,
        }
    }

    /// Whether only the quote was seen.
    pub(super) fn is_fresh(self) -> bool {
        self == Self::START
    }

    /// Whether only whitespace of ASCII, or that and one comma, was seen.
    pub(super) const fn is_simple(self) -> bool {
        matches!(self.phase, LookPhase::Quote | LookPhase::Comma) && self.len == 0 && !self.foreign
    }

    /// Whether a comma was seen. Only for a look-ahead that [is simple](Self::is_simple).
    pub(super) fn has_comma(self) -> bool {
        self.phase == LookPhase::Comma
    }

    /// Decides one more byte in the most common cases: true if the quote ends its text, false if the byte
    /// is held. `None` in all other cases.
    pub(super) fn decide_fast(&mut self, byte: u8, object: bool, blanks: usize) -> Option<bool> {
        match (self.phase, byte) {
            (LookPhase::Quote, b'}' | b']') | (LookPhase::Comma, b'}' | b']' | b'"') => Some(true),
            (LookPhase::Quote, b',') if object => {
                self.go(LookPhase::Comma);
                Some(false)
            }
            (LookPhase::Quote, b',') => Some(true),
            (LookPhase::Quote | LookPhase::Comma, b' ') if usize::from(self.blanks) < blanks => {
                self.blanks += 1;
                Some(false)
            }
            _ => None,
        }
    }

    /// Enters another phase, and counts whitespace from zero.
    fn go(&mut self, phase: LookPhase) -> LookVerdict {
        *self = Self { phase, foreign: self.foreign, ..Self::START };
        LookVerdict::Hold
    }

    /// Counts one more character of whitespace. Too many of them, or a second line end, confirm the quote.
    fn blank(&mut self, char: char, cap: usize) -> LookVerdict {
        self.blanks += 1;
        self.foreign |= !char.is_ascii();
        self.breaks += u8::from(char == '\n');
        if usize::from(self.blanks) > cap || self.breaks > 1 {
            LookVerdict::Ends
        } else {
            LookVerdict::Hold
        }
    }

    const fn has_blanks(self) -> bool {
        self.blanks > 0
    }

    /// Counts one more character of a name or run.
    fn grow(&mut self, char: char, cap: usize) -> LookVerdict {
        self.len = self.len.saturating_add(char.len_utf8() as u8);
        if usize::from(self.len) > cap { LookVerdict::Content } else { LookVerdict::Hold }
    }
}

impl JsonLexer {
    /// Begins to hold the quote at the position.
    pub(super) fn begin_look(&mut self, len: usize, input: &mut Input<'_>) {
        self.held.text.clear();
        self.held.text.push_str(&input.rest()[..len]);
        self.held.from = input.offset();
        input.pos += len;
    }

    pub(super) fn scan_look(
        &mut self,
        role: StringRole,
        mut look: QuoteLook,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        while let Some(char) = input.peek_char() {
            let verdict = if input.is_replaced() {
                LookVerdict::Content
            } else {
                self.judge(role, &mut look, char, input.rest())
            };
            let verdict = match verdict {
                LookVerdict::Content if !input.is_replaced() && self.opens_window(look, char) => {
                    look = self.open_window();
                    self.in_window(role, &mut look, char)
                }
                verdict => verdict,
            };
            match verdict {
                LookVerdict::Hold => {
                    self.held.text.push(char);
                    input.pos += char.len_utf8();
                }
                LookVerdict::Ends if look.phase == LookPhase::Window => {
                    return self.confirm_in_window(role);
                }
                LookVerdict::Ends => return self.confirm(role),
                LookVerdict::EndsHere => {
                    input.pos += char.len_utf8();
                    self.held.text.clear();
                    self.close_text(role, input.offset());
                    return Ok(());
                }
                LookVerdict::Content => return self.refute(role, Some(char)),
                LookVerdict::Tripled(quote) => {
                    input.pos += char.len_utf8();
                    return self.become_triple(quote, input);
                }
                LookVerdict::Doubled => {
                    self.become_doubled(role);
                    return Ok(());
                }
                LookVerdict::Joined(quote, len) => {
                    input.pos += len;
                    return self.join(quote, input);
                }
                LookVerdict::WasKey => return self.item_was_key(),
            }
        }
        self.state = JsonState::Look(role, look);
        Ok(())
    }

    fn judge(&self, role: StringRole, look: &mut QuoteLook, char: char, rest: &str) -> LookVerdict {
        match (look.phase, role) {
            (LookPhase::Quote, _) if self.opens_doubled(role, *look, char) => LookVerdict::Doubled,
            (LookPhase::Quote, StringRole::Value) => self.after_quote(look, char, rest),
            (LookPhase::Quote, StringRole::Key) => self.after_key_quote(look, char, rest),
            (LookPhase::Comma, _) => self.after_comma(look, char, rest),
            (LookPhase::Name, _) => match char {
                ':' => LookVerdict::Ends,
                c if self.settings.is_blank(c) => look.go(LookPhase::NameEnd),
                c if word::is_name_char(c) => look.grow(c, self.settings.caps.run),
                _ => LookVerdict::Content,
            },
            (LookPhase::Run { quote, escaped }, _) => {
                in_run(look, quote, escaped, rest, self.settings.caps.run)
            }
            (LookPhase::NameEnd | LookPhase::RunEnd, _) => match char {
                ':' => LookVerdict::Ends,
                c if self.settings.is_blank(c) => look.blank(c, self.settings.caps.blanks),
                _ => LookVerdict::Content,
            },
            (LookPhase::Plus, _) => match self.opening(rest) {
                Some((quote, len)) => LookVerdict::Joined(quote, len),
                None if self.settings.is_blank(char) => look.blank(char, self.settings.caps.blanks),
                None => LookVerdict::Content,
            },
            (LookPhase::Slash, _) if matches!(char, '/' | '*') => LookVerdict::Ends,
            (LookPhase::Slash, _) => LookVerdict::Content,
            (LookPhase::Word, _) => self.in_word(look, char),
            (LookPhase::Window, _) => self.in_window(role, look, char),
            (LookPhase::Repeated, _) => match self.string.quote.closing(rest) {
                Some(_) if look.len + 1 == self.string.quote.marks() => LookVerdict::EndsHere,
                Some(_) => {
                    look.len += 1;
                    LookVerdict::Hold
                }
                None => LookVerdict::Content,
            },
        }
    }

    /// Whether the quote was the second of two opening quotes: of a key, or of a value where keys have them.
    fn opens_doubled(&self, role: StringRole, look: QuoteLook, char: char) -> bool {
        let follows = match role {
            StringRole::Key => word::is_name_start(char),
            StringRole::Value => {
                self.string.has_doubled_quotes
                    && !self.settings.is_blank(char)
                    && !matches!(char, ',' | '}' | ']')
            }
        };
        follows
            && look.is_fresh()
            && !self.string.started
            && self.string.quote == JsonQuote::Double
            && self.settings.allow(Leniency::TripleQuotes)
    }

    /// After a quote that may end a value.
    fn after_quote(&self, look: &mut QuoteLook, char: char, rest: &str) -> LookVerdict {
        match char {
            c if self.settings.is_blank(c) => look.blank(c, self.settings.caps.blanks),
            '}' | ']' => LookVerdict::Ends,
            ')' if self.top() == Some(JsonContainer::Tuple) => LookVerdict::Ends,
            ',' if self.top() != Some(JsonContainer::Object) => LookVerdict::Ends,
            ',' => look.go(LookPhase::Comma),
            ':' if self.item.may_be_key => LookVerdict::WasKey,
            '+' if self.settings.allow(Leniency::StringConcat) => look.go(LookPhase::Plus),
            '/' if self.settings.allow(Leniency::Comments) => look.go(LookPhase::Slash),
            '#' if look.has_blanks() && self.settings.allow(Leniency::Comments) => {
                LookVerdict::Ends
            }
            '`' | '~' if look.breaks > 0 => LookVerdict::Ends,
            _ => self.after_quote_a_quote(look, rest),
        }
    }

    /// At a second quote: the last two of three, or the next key or item after a missing comma.
    fn after_quote_a_quote(&self, look: &mut QuoteLook, rest: &str) -> LookVerdict {
        if !look.has_blanks()
            && !self.string.started
            && self.string.quote.closing(rest).is_some()
            && self.settings.allow(Leniency::TripleQuotes)
            && let Some(triple) = self.string.quote.tripled()
        {
            return LookVerdict::Tripled(triple);
        }
        let Some((quote, _)) = self.opening(rest) else { return LookVerdict::Content };
        match self.top() {
            _ if !self.settings.allow(Leniency::MissingCommas) => LookVerdict::Content,
            Some(JsonContainer::Object) => look.go(LookPhase::Run { quote, escaped: false }),
            _ if look.has_blanks() => LookVerdict::Ends,
            _ => LookVerdict::Content,
        }
    }

    fn after_comma(&self, look: &mut QuoteLook, char: char, rest: &str) -> LookVerdict {
        match char {
            c if self.settings.is_blank(c) => look.blank(c, self.settings.caps.blanks),
            '}' | ']' => LookVerdict::Ends,
            ',' if self.settings.allow(Leniency::ExtraCommas) => {
                look.len = look.len.saturating_add(1);
                LookVerdict::Hold
            }
            '/' if self.settings.allow(Leniency::Comments) => look.go(LookPhase::Slash),
            '#' if self.settings.allow(Leniency::Comments) => LookVerdict::Ends,
            '`' | '~' if look.breaks > 0 => LookVerdict::Ends,
            _ if self.opening(rest).is_some() => LookVerdict::Ends,
            c if (word::is_name_start(c) || c.is_ascii_digit())
                && self.settings.allow(Leniency::UnquotedKeys) =>
            {
                look.go(LookPhase::Name);
                look.grow(c, self.settings.caps.run)
            }
            _ => LookVerdict::Content,
        }
    }

    /// After a quote that may end a key.
    fn after_key_quote(&self, look: &mut QuoteLook, char: char, rest: &str) -> LookVerdict {
        let missing_colon = self.settings.allow(Leniency::MissingColons);
        match char {
            ':' => LookVerdict::Ends,
            c if self.settings.is_blank(c) => look.blank(c, self.settings.caps.blanks),
            '=' | '{' | '[' if missing_colon => LookVerdict::Ends,
            '/' if self.settings.allow(Leniency::Comments) => look.go(LookPhase::Slash),
            '#' if look.has_blanks() && self.settings.allow(Leniency::Comments) => {
                LookVerdict::Ends
            }
            _ if !missing_colon || !look.has_blanks() => LookVerdict::Content,
            '-' | '0'..='9' => LookVerdict::Ends,
            _ if self.opening(rest).is_some() => LookVerdict::Ends,
            c if c.is_ascii_alphabetic() => {
                look.go(LookPhase::Word);
                look.grow(c, self.settings.caps.run)
            }
            _ => LookVerdict::Content,
        }
    }

    /// In a word after a key without a colon: only a whole literal is a value there.
    fn in_word(&self, look: &mut QuoteLook, char: char) -> LookVerdict {
        if char.is_ascii_alphanumeric() {
            return look.grow(char, self.settings.caps.run);
        }
        let start = self.held.text.len() - usize::from(look.len);
        let literal = word::literal(&self.held.text[start..]).is_some();
        if literal { LookVerdict::Ends } else { LookVerdict::Content }
    }

    /// The quotes that begin `text`, if they are allowed, and their length.
    pub(super) fn opening(&self, text: &str) -> Option<(JsonQuote, usize)> {
        JsonQuote::opening(text).filter(|(quote, _)| {
            quote.slip().is_none_or(|(leniency, _)| self.settings.allow(leniency))
        })
    }
}

/// In a quoted run that may be a key.
fn in_run(
    look: &mut QuoteLook,
    quote: JsonQuote,
    escaped: bool,
    rest: &str,
    cap: usize,
) -> LookVerdict {
    let Some(char) = rest.chars().next() else { return LookVerdict::Hold };
    let len = look.len;
    match char {
        '\n' => return LookVerdict::Content,
        _ if escaped => look.phase = LookPhase::Run { quote, escaped: false },
        '\\' => look.phase = LookPhase::Run { quote, escaped: true },
        _ if quote.closing(rest).is_some() => return look.go(LookPhase::RunEnd),
        _ => {}
    }
    look.len = len;
    look.grow(char, cap)
}

#[cfg(test)]
mod tests {
    use super::super::window::QuoteJudge;
    use super::{JsonContainer, JsonLexer, LookVerdict, QuoteLook, StringRole};
    use crate::caps::Caps;
    use crate::leniency::Leniencies;
    use crate::limits::Limits;

    /// The decision about a quote with this text after it, and the number of bytes that were held before.
    fn judged(role: StringRole, around: JsonContainer, after: &str) -> (&'static str, usize) {
        let mut lexer = JsonLexer::new(
            Leniencies::ALL,
            &Limits::default(),
            Caps::STANDARD,
            QuoteJudge::NEVER_ENDS,
        );
        lexer.stack.push(around);
        lexer.held.text.push('"');
        let mut look = QuoteLook::START;
        for (at, char) in after.char_indices() {
            let name = match lexer.judge(role, &mut look, char, &after[at..]) {
                LookVerdict::Hold => {
                    lexer.held.text.push(char);
                    continue;
                }
                LookVerdict::Ends => "ends",
                LookVerdict::EndsHere => "ends here",
                LookVerdict::Content => "content",
                LookVerdict::Tripled(_) => "tripled",
                LookVerdict::Doubled => "doubled",
                LookVerdict::Joined(..) => "joined",
                LookVerdict::WasKey => "was key",
            };
            return (name, at);
        }
        ("held", after.len())
    }

    #[test]
    fn after_a_quote_that_may_end_a_value() {
        let (object, list, tuple) =
            (JsonContainer::Object, JsonContainer::List, JsonContainer::Tuple);
        for (around, after, verdict, held) in [
            (object, "", "held", 0),
            (object, "}", "ends", 0),
            (object, " x", "content", 1),
            (object, ":", "content", 0),
            (object, ", \"", "ends", 2),
            (object, ", b: 1", "ends", 3),
            (object, ", b c", "content", 4),
            (object, ",, }", "ends", 3),
            (object, ", b", "held", 3),
            (object, " \"b\": 1", "ends", 4),
            (object, " \"b\" c", "content", 5),
            (object, " \"b\\\" c", "held", 7),
            (object, " + \"", "joined", 3),
            (object, " //", "ends", 2),
            (object, " /x", "content", 2),
            (object, "\n\n", "ends", 1),
            (object, "\n`", "ends", 1),
            (object, "\u{A0},\u{3000}\"", "ends", 6),
            (object, "\u{A0}x", "content", 2),
            (object, "\"", "tripled", 0),
            (list, ",", "ends", 0),
            (list, " \"", "ends", 1),
            (list, ")", "content", 0),
            (tuple, ")", "ends", 0),
        ] {
            let found = judged(StringRole::Value, around, after);
            assert_eq!(found, (verdict, held), "{around:?} {after:?}");
        }
    }

    #[test]
    fn after_a_quote_that_may_end_a_key() {
        for (after, verdict, held) in [
            (":", "ends", 0),
            (".", "content", 0),
            (" x", "held", 2),
            ("5", "content", 0),
            (" 5", "ends", 1),
            ("=", "ends", 0),
            (" \"v\"", "ends", 1),
            (" true,", "ends", 5),
            ("\u{A0}:", "ends", 2),
            ("x\"\": 1", "doubled", 0),
            (" tru,", "content", 4),
            ("\n\n", "ends", 1),
        ] {
            let found = judged(StringRole::Key, JsonContainer::Object, after);
            assert_eq!(found, (verdict, held), "{after:?}");
        }
    }

    #[test]
    fn whitespace_and_names_are_held_up_to_their_caps() {
        let blanks = Caps::STANDARD.blanks;
        let found = judged(StringRole::Value, JsonContainer::List, &" ".repeat(blanks + 1));
        assert_eq!(found, ("ends", blanks));
        let name = format!(",{}", "n".repeat(Caps::STANDARD.run + 1));
        let found = judged(StringRole::Value, JsonContainer::Object, &name);
        assert_eq!(found, ("content", name.len() - 1));
    }

    #[test]
    fn the_common_cases_need_no_search() {
        for (after, object, decided) in [
            ("}", true, vec![Some(true)]),
            (",\"", true, vec![Some(false), Some(true)]),
            (",", false, vec![Some(true)]),
            ("  ", true, vec![Some(false), None]),
            ("x", true, vec![None]),
            (",x", true, vec![Some(false), None]),
        ] {
            let mut look = QuoteLook::START;
            let found: Vec<_> =
                after.bytes().map(|byte| look.decide_fast(byte, object, 1)).collect();
            assert_eq!(found, decided, "{after:?}");
        }
    }
}
