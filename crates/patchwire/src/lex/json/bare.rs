//! Text without quotes: values and keys. All of it is a slip.
//!
//! A value ends at `,` `}` `]` or the line end. In an object, a comma or a quoted run ends it only before the
//! next key; until the colon shows that key, the bytes are held.

use super::{
    Code, Error, Input, JsonContainer, JsonLexer, JsonState, Leniency, Slice, Span, StringRole,
    TokenKind, word,
};

/// A value without quotes that is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BareText {
    /// Whether a run of whitespace in it grew too long to hold.
    capped: bool,
    /// Brackets that are open in it.
    depth: u8,
    /// Whether a quote in it is open.
    quoted: bool,
}

impl BareText {
    pub(super) const START: Self = Self { capped: false, depth: 0, quoted: false };
}

/// What may end a value without quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BareEnd {
    /// A comma and whitespace.
    Comma,
    /// In a name after the comma: a colon confirms.
    Name,
    /// In whitespace after the name.
    NameEnd,
    /// In a quoted run after whitespace: a colon confirms.
    Run { escaped: bool },
    /// In whitespace after the quoted run.
    RunEnd,
    /// A closing quote without its opener, and whitespace.
    Quote,
}

impl BareEnd {
    /// The bytes that must still be held before a colon can confirm.
    const fn needs(self) -> usize {
        match self {
            Self::Run { escaped } => 1 + escaped as usize,
            _ => 0,
        }
    }
}

/// What comes after the name of a key without quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BareKeyEnd {
    /// Whitespace.
    Blanks,
    /// A quoted run: if it is a key, the name is a stray word.
    Run { escaped: bool },
    /// In whitespace after the quoted run.
    RunEnd,
}

impl BareKeyEnd {
    /// The bytes that must still be held before a colon can show that the quoted run is the key.
    const fn needs(self) -> usize {
        match self {
            Self::Run { escaped } => 1 + escaped as usize,
            Self::Blanks => 2,
            Self::RunEnd => 0,
        }
    }
}

/// What a character decides about held bytes.
enum BareVerdict<State> {
    Hold(State),
    /// The value or the name ends before them.
    Ends,
    /// They are no end. In a key: the name was a stray word.
    Refuted,
}

impl JsonLexer {
    /// In a value without quotes. Whitespace before the end is not part of it, unless there is too much to
    /// hold.
    pub(super) fn scan_unquoted(
        &mut self,
        bare: BareText,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        let members = self.top() == Some(JsonContainer::Object);
        let commas = members && self.settings.allow(Leniency::MissingCommas);
        let Some(byte) = input.peek() else { return Ok(()) };
        match byte {
            b',' if bare.depth > 0 => self.bare_byte(bare, input),
            b'}' | b']' if bare.depth > 0 => {
                self.bare_byte(BareText { depth: bare.depth - 1, ..bare }, input);
            }
            b',' if members => self.begin_bare_end(bare, BareEnd::Comma, input),
            b',' | b'}' | b']' => self.close_unquoted(input.offset()),
            b'\n' => {
                self.close_unquoted(input.offset());
                if self.is_in_list() && self.settings.allow(Leniency::MissingCommas) {
                    self.state = JsonState::AfterLine;
                }
            }
            b')' if self.top() == Some(JsonContainer::Tuple) => self.close_unquoted(input.offset()),
            b' ' | b'\t' | b'\r' => self.hold_blanks(bare, input),
            b'"' if self.held.text.is_empty() && !bare.quoted => {
                self.begin_bare_end(bare, BareEnd::Quote, input);
            }
            b'"' if !self.held.text.is_empty() && !bare.quoted && commas => {
                self.begin_bare_end(bare, BareEnd::Run { escaped: false }, input);
            }
            b'"' => self.bare_byte(BareText { quoted: !bare.quoted, ..bare }, input),
            b'{' | b'[' => {
                self.bare_byte(BareText { depth: bare.depth.saturating_add(1), ..bare }, input);
            }
            _ => {
                let len = self.unquoted_run(input.bytes());
                self.bare_run(bare, len, input);
            }
        }
        Ok(())
    }

    fn bare_byte(&mut self, bare: BareText, input: &mut Input<'_>) {
        self.bare_run(bare, 1, input);
    }

    /// Emits held whitespace and the next bytes.
    fn bare_run(&mut self, bare: BareText, len: usize, input: &mut Input<'_>) {
        let start = input.pos;
        input.pos += len;
        self.release_blanks(input.offset_of(start));
        self.output.emit_text(
            TokenKind::StringText,
            Slice::input(start, input.pos),
            input.offset(),
        );
        self.state = JsonState::Unquoted(BareText { capped: false, ..bare });
    }

    /// The length of the run without whitespace, quotes, brackets and end bytes.
    fn unquoted_run(&self, bytes: &[u8]) -> usize {
        let tuple = self.top() == Some(JsonContainer::Tuple);
        let stops = |byte: &u8| match byte {
            b',' | b'}' | b']' | b'{' | b'[' | b'"' | b'\n' | b' ' | b'\t' | b'\r' => true,
            b')' => tuple,
            _ => false,
        };
        let len = bytes.iter().skip(1).position(stops);
        len.map_or(bytes.len(), |len| len + 1)
    }

    /// Holds whitespace that may be the end of the text. At the cap it is text, and so is the rest of its
    /// run.
    fn hold_blanks(&mut self, bare: BareText, input: &mut Input<'_>) {
        let blanks = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r');
        let len = input.bytes().iter().take_while(blanks).count();
        let room = (self.settings.held + 1).saturating_sub(self.held.text.len());
        let taken = if bare.capped { len } else { len.min(room) };
        self.held.text.push_str(&input.rest()[..taken]);
        input.pos += taken;
        if bare.capped {
            self.release_blanks(input.offset());
        } else if self.held.text.len() > self.settings.held {
            self.output.note(Code::HoldCap, Span::at(input.offset()));
            self.release_blanks(input.offset());
            self.state = JsonState::Unquoted(BareText { capped: true, ..bare });
        }
    }

    fn release_blanks(&mut self, end: u64) {
        if !self.held.text.is_empty() {
            let held = core::mem::take(&mut self.held.text);
            let slice = self.output.keep(&held);
            self.output.emit_text(TokenKind::StringText, slice, end);
        }
    }

    pub(super) fn close_unquoted(&mut self, end: u64) {
        self.output.emit(TokenKind::StringClose, end - self.held.text.len() as u64);
        self.held.text.clear();
        self.after_value();
    }

    /// Holds the byte that may end the value.
    fn begin_bare_end(&mut self, bare: BareText, end: BareEnd, input: &mut Input<'_>) {
        self.held.text.push_str(&input.rest()[..1]);
        input.pos += 1;
        self.state = JsonState::UnquotedEnd(bare, end);
    }

    pub(super) fn scan_unquoted_end(
        &mut self,
        bare: BareText,
        mut end: BareEnd,
        input: &mut Input<'_>,
    ) {
        let most = self.held_blanks() + self.settings.caps.run;
        while let Some(char) = input.peek_char() {
            let held = self.held.text.len() + char.len_utf8();
            // Held text has as many bytes as the stream.
            let verdict = if input.is_replaced() {
                BareVerdict::Refuted
            } else {
                self.judge_bare_end(end, char, input.rest())
            };
            match verdict {
                BareVerdict::Hold(next) if held + next.needs() > most => {
                    return self.refute_bare_end(bare, input.offset());
                }
                BareVerdict::Hold(next) => {
                    end = next;
                    self.held.text.push(char);
                    input.pos += char.len_utf8();
                }
                BareVerdict::Ends => return self.confirm_bare_end(end, input.offset()),
                BareVerdict::Refuted => return self.refute_bare_end(bare, input.offset()),
            }
        }
        self.state = JsonState::UnquotedEnd(bare, end);
    }

    fn judge_bare_end(&self, end: BareEnd, char: char, rest: &str) -> BareVerdict<BareEnd> {
        let blank = self.settings.is_blank(char);
        match end {
            BareEnd::Comma | BareEnd::NameEnd | BareEnd::RunEnd if blank => BareVerdict::Hold(end),
            BareEnd::Comma if word::is_name_start(char) || char.is_ascii_digit() => {
                BareVerdict::Hold(BareEnd::Name)
            }
            BareEnd::Comma if matches!(char, '}' | ']' | ',' | '/' | '#' | '`' | '~') => {
                BareVerdict::Ends
            }
            BareEnd::Comma if self.opening(rest).is_some() => BareVerdict::Ends,
            BareEnd::Name if word::is_name_char(char) => BareVerdict::Hold(end),
            BareEnd::Name if blank => BareVerdict::Hold(BareEnd::NameEnd),
            BareEnd::Name | BareEnd::NameEnd | BareEnd::RunEnd if char == ':' => BareVerdict::Ends,
            BareEnd::Run { .. } if char == '\n' => BareVerdict::Refuted,
            BareEnd::Run { escaped: false } if char == '\\' => {
                BareVerdict::Hold(BareEnd::Run { escaped: true })
            }
            BareEnd::Run { escaped: false } if char == '"' => BareVerdict::Hold(BareEnd::RunEnd),
            BareEnd::Run { .. } => BareVerdict::Hold(BareEnd::Run { escaped: false }),
            BareEnd::Quote if matches!(char, ',' | '}' | ']' | '\n') => BareVerdict::Ends,
            BareEnd::Quote if blank => BareVerdict::Hold(end),
            _ => BareVerdict::Refuted,
        }
    }

    /// The whitespace that was held before what may end the value.
    fn held_blanks(&self) -> usize {
        let blanks = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r');
        self.held.text.bytes().take_while(blanks).count()
    }

    /// The value ended before the held bytes, which are read again. A closing quote is dropped.
    fn confirm_bare_end(&mut self, end: BareEnd, offset: u64) {
        let blanks = self.held_blanks();
        let start = offset - self.held.text.len() as u64;
        self.output.emit(TokenKind::StringClose, start);
        self.after_value();
        let from = match end {
            BareEnd::Quote => {
                self.output.note(Code::UnexpectedBytes, Span::new(start, start + 1));
                1
            }
            _ => blanks,
        };
        self.reread_held(from);
    }

    /// The first visible of the held bytes is part of the value. Those after it are read again.
    fn refute_bare_end(&mut self, bare: BareText, offset: u64) {
        let len = self.held_blanks() + 1;
        let quoted = bare.quoted ^ (self.held.text.as_bytes()[len - 1] == b'"');
        let end = offset - (self.held.text.len() - len) as u64;
        let text = self.held.text[..len].to_owned();
        let slice = self.output.keep(&text);
        self.output.emit_text(TokenKind::StringText, slice, end);
        self.state = JsonState::Unquoted(BareText { quoted, capped: false, ..bare });
        self.reread_held(len);
    }

    /// The input ended after what may end the value.
    pub(super) fn end_unquoted_end(&mut self, bare: BareText, end: BareEnd, offset: u64) {
        match end {
            BareEnd::Run { .. } | BareEnd::RunEnd => self.refute_bare_end(bare, offset),
            _ => self.confirm_bare_end(end, offset),
        }
    }

    pub(super) fn scan_bare_key(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        let rest = input.rest();
        let len = rest.find(|c| !word::is_name_char(c)).unwrap_or(rest.len());
        let span = Span::new(input.offset(), input.offset_of(input.pos + len));
        self.push_key(&rest[..len], span)?;
        input.pos += len;
        let Some(char) = input.peek_char() else { return Ok(()) };
        let drops = self.settings.allow(Leniency::UnexpectedText);
        if char == '"' && drops {
            // The quote that closes a key without an opener.
            self.emit_bare_key(input.offset());
            let at = input.offset();
            self.output.note_text(StringRole::Key, Code::UnexpectedBytes, Span::new(at, at + 1));
            input.pos += 1;
        } else if self.settings.is_blank(char) && drops {
            self.held.text.clear();
            self.state = JsonState::BareKeyEnd(BareKeyEnd::Blanks);
        } else {
            self.emit_bare_key(input.offset());
        }
        Ok(())
    }

    fn emit_bare_key(&mut self, end: u64) {
        self.output.note_text(StringRole::Key, Code::UnquotedKey, Span::new(self.held.from, end));
        self.emit_key(end);
        self.state = JsonState::Colon;
    }

    pub(super) fn scan_bare_key_end(&mut self, mut end: BareKeyEnd, input: &mut Input<'_>) {
        while let Some(char) = input.peek_char() {
            let held = self.held.text.len() + char.len_utf8();
            let verdict = if input.is_replaced() {
                BareVerdict::Ends
            } else {
                self.judge_bare_key_end(end, char)
            };
            match verdict {
                BareVerdict::Hold(next) if held + next.needs() > self.settings.caps.run => {
                    return self.end_bare_key(input.offset());
                }
                BareVerdict::Hold(next) => {
                    end = next;
                    self.held.text.push(char);
                    input.pos += char.len_utf8();
                }
                BareVerdict::Ends => return self.end_bare_key(input.offset()),
                BareVerdict::Refuted => return self.drop_stray_word(input.offset()),
            }
        }
        self.state = JsonState::BareKeyEnd(end);
    }

    fn judge_bare_key_end(&self, end: BareKeyEnd, char: char) -> BareVerdict<BareKeyEnd> {
        match (end, char) {
            (BareKeyEnd::Blanks, '"') => BareVerdict::Hold(BareKeyEnd::Run { escaped: false }),
            (BareKeyEnd::Blanks | BareKeyEnd::RunEnd, c) if self.settings.is_blank(c) => {
                BareVerdict::Hold(end)
            }
            (BareKeyEnd::RunEnd, ':') => BareVerdict::Refuted,
            (BareKeyEnd::Run { .. }, '\n') => BareVerdict::Ends,
            (BareKeyEnd::Run { escaped: false }, '\\') => {
                BareVerdict::Hold(BareKeyEnd::Run { escaped: true })
            }
            (BareKeyEnd::Run { escaped: false }, '"') => BareVerdict::Hold(BareKeyEnd::RunEnd),
            (BareKeyEnd::Run { .. }, _) => BareVerdict::Hold(BareKeyEnd::Run { escaped: false }),
            _ => BareVerdict::Ends,
        }
    }

    /// The name is the key. The held bytes are read again.
    pub(super) fn end_bare_key(&mut self, offset: u64) {
        self.emit_bare_key(offset - self.held.text.len() as u64);
        self.reread_held(0);
    }

    /// The name is no key, because a key in quotes follows.
    fn drop_stray_word(&mut self, offset: u64) {
        let end = offset - self.held.text.len() as u64;
        self.output.note(Code::UnexpectedBytes, Span::new(self.held.from, end));
        self.key.clear();
        self.state = JsonState::Key { first: false };
        self.reread_held(0);
    }
}
