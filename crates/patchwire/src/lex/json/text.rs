//! Inside quotes (RFC 8259 §7): plain runs, escapes, and quotes that may end the text.

use super::escape::{EscapeStep, JsonEscape};
use super::{
    Code, Error, ErrorKind, Input, JsonContainer, JsonLexer, JsonQuote, JsonState, Leniency, Limit,
    QuoteLook, Slice, Span, StringRole, SyntaxError, TokenKind,
};

/// The result of reading an escape.
enum Decoded {
    /// The input ended in the escape.
    More,
    /// The escape is complete.
    Whole,
    /// The escape is wrong. Its replacement begins at this position of the buffer.
    Flawed(EscapeStep, usize),
}

impl JsonLexer {
    /// Reads an opener of `len` bytes. The text follows.
    pub(super) fn open_text(
        &mut self,
        role: StringRole,
        quote: JsonQuote,
        len: usize,
        input: &mut Input<'_>,
    ) {
        let from = input.offset();
        input.pos += len;
        self.begin_text(role, quote);
        if let Some((_, code)) = quote.slip() {
            let span = Span::new(from, input.offset());
            match role {
                StringRole::Key => self.output.note_text(role, code, span),
                StringRole::Value => self.output.note_next(code, span),
            }
        }
        if role == StringRole::Value {
            self.output.emit(TokenKind::StringOpen, input.offset());
        }
    }

    /// Enters the state after an opener.
    #[cfg_attr(target_family = "wasm", inline)]
    pub(super) fn begin_text(&mut self, role: StringRole, quote: JsonQuote) {
        self.string.begin(quote);
        self.state = JsonState::Text(role);
        match role {
            StringRole::Key => self.key.clear(),
            StringRole::Value => {
                let may_be_key = self.begins_item_or_key();
                self.item.begin(may_be_key);
            }
        }
    }

    /// Whether the string that begins could be the next key of the object around its list.
    fn begins_item_or_key(&self) -> bool {
        matches!(
            self.stack[..],
            [.., JsonContainer::Object, JsonContainer::List | JsonContainer::Tuple]
        ) && self.settings.allow(Leniency::MissingClosers)
            && self.settings.allow(Leniency::InnerQuotes)
    }

    pub(super) fn scan_text(
        &mut self,
        role: StringRole,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        let start = input.pos;
        let run = plain_run(self.string.quote, input.bytes());
        input.pos += run;
        match input.peek() {
            None => self.give_run(role, start, input),
            Some(b'\\') => {
                self.string.started = true;
                if role == StringRole::Value {
                    return self.scan_decoded(start, input);
                }
                self.give_run(role, start, input)?;
                input.pos += 1;
                self.string.escape = JsonEscape::begin();
                self.state = JsonState::Escape(role);
                Ok(())
            }
            Some(byte) if byte < b' ' => self.scan_control(role, start, input),
            Some(_) => self.scan_quote(role, start, input),
        }
    }

    /// At a control character, which should be escaped.
    fn scan_control(
        &mut self,
        role: StringRole,
        start: usize,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        if !self.settings.allow(Leniency::RawControls) {
            self.give_run(role, start, input)?;
            return Err(Self::syntax(SyntaxError::ControlCharacter, input.offset()));
        }
        if !self.string.noted.control {
            self.string.noted.control = true;
            self.give_run(role, start, input)?;
            let at = input.offset();
            self.output.note_text(role, Code::RawControl, Span::new(at, at + 1));
            let start = input.pos;
            input.pos += 1;
            return self.give_run(role, start, input);
        }
        input.pos += 1;
        self.give_run(role, start, input)
    }

    /// At a byte that may begin a quote of this kind.
    fn scan_quote(
        &mut self,
        role: StringRole,
        start: usize,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        let Some(char) = input.peek_char() else { return Ok(()) };
        let len = char.len_utf8();
        if !self.string.quote.is_closed_by(char) {
            input.pos += len;
            return self.give_run(role, start, input);
        }
        self.give_run(role, start, input)?;
        if self.is_closed_here(role, &input.bytes()[len..]) {
            input.pos += len;
            self.close_text(role, input.offset());
            return Ok(());
        }
        self.begin_look(len, input);
        let look = match self.string.quote.marks() > 1 {
            true => QuoteLook::REPEATED,
            false if self.string.inner.is_any() && self.windows.left > 0 => self.open_window(),
            false => QuoteLook::START,
        };
        self.state = JsonState::Look(role, look);
        Ok(())
    }

    /// Whether the quote before `rest` certainly ends the text. Decides the most common cases of the
    /// look-ahead without holding anything.
    #[inline(always)]
    pub(super) fn is_closed_here(&self, role: StringRole, rest: &[u8]) -> bool {
        if !self.settings.allow(Leniency::InnerQuotes) {
            return self.string.quote.marks() == 1;
        }
        if self.string.quote.marks() > 1 || self.string.inner.is_any() {
            return false;
        }
        match role {
            StringRole::Key => rest.first() == Some(&b':'),
            StringRole::Value => match (rest, self.top()) {
                // The most common cases, without a search.
                ([], _) | ([b','] | [b',', b' '], Some(JsonContainer::Object)) => false,
                ([b'}' | b']', ..] | [b',', b'"', ..], _) if self.settings.caps.blanks > 0 => true,
                ([b',', b' ', b'"', ..], _) if self.settings.caps.blanks > 1 => true,
                (rest, top) => self.is_closed_before(rest, top),
            },
        }
    }

    /// Whether a value is closed before whitespace, or before a less common byte.
    #[inline(never)]
    fn is_closed_before(&self, rest: &[u8], top: Option<JsonContainer>) -> bool {
        match next_visible(rest, self.settings.caps.blanks) {
            Some((b'}' | b']', _)) => true,
            Some((b',', after)) => {
                top != Some(JsonContainer::Object)
                    || matches!(
                        next_visible(after, self.settings.caps.blanks),
                        Some((b'"' | b'}', _))
                    )
            }
            _ => false,
        }
    }

    /// Ends the text. `end` is just past its closer.
    pub(super) fn close_text(&mut self, role: StringRole, end: u64) {
        match role {
            StringRole::Key => {
                self.emit_key(end);
                self.state = JsonState::Colon;
            }
            StringRole::Value => {
                self.output.emit(TokenKind::StringClose, end);
                self.after_value();
            }
        }
    }

    pub(super) fn emit_key(&mut self, end: u64) {
        let text = self.give_key();
        self.output.emit_text(TokenKind::Key, text, end);
    }

    /// Copies the complete key into the buffer.
    pub(super) fn give_key(&mut self) -> Slice {
        let start = self.output.text.len();
        self.output.text.push_str(&self.key);
        self.key.clear();
        Slice::buffer(start, self.output.text.len())
    }

    /// Emits the input from `start` to the position, if there is any.
    fn give_run(&mut self, role: StringRole, start: usize, input: &Input<'_>) -> Result<(), Error> {
        if start == input.pos {
            return Ok(());
        }
        let text = &input.text()[start..input.pos];
        self.string.see(text);
        match role {
            StringRole::Key => {
                self.push_key(text, Span::new(input.offset_of(start), input.offset()))
            }
            StringRole::Value => {
                self.item.push(text, self.settings.caps.item);
                let slice = Slice::input(start, input.pos);
                self.output.emit_text(TokenKind::StringText, slice, input.offset());
                Ok(())
            }
        }
    }

    /// Appends text to the key. `span` is its place in the stream; its length differs from the text's after
    /// an escape, or after bytes that are not UTF-8.
    pub(super) fn push_key(&mut self, text: &str, span: Span) -> Result<(), Error> {
        let room = self.settings.key - self.key.len();
        if text.len() > room {
            let offset = (span.start + room as u64).min(span.end);
            return Err(Error::new(ErrorKind::Limit(Limit::Key), offset));
        }
        self.key.push_str(text);
        Ok(())
    }

    /// Emits text that lies in the machine's buffer.
    pub(super) fn give_kept(
        &mut self,
        role: StringRole,
        text: &str,
        end: u64,
    ) -> Result<(), Error> {
        self.string.see(text);
        match role {
            StringRole::Key => {
                let start = end.saturating_sub(text.len() as u64);
                self.push_key(text, Span::new(start, end))
            }
            StringRole::Value => {
                self.item.push(text, self.settings.caps.item);
                let slice = self.output.keep(text);
                self.output.emit_text(TokenKind::StringText, slice, end);
                Ok(())
            }
        }
    }

    /// Decodes a run with escapes into the buffer, up to the end of the input or the next quote: it is one
    /// delta, however many escapes it has.
    fn scan_decoded(&mut self, start: usize, input: &mut Input<'_>) -> Result<(), Error> {
        let from = self.output.text.len();
        self.output.text.push_str(&input.text()[start..input.pos]);
        let mut end = input.offset();
        while input.peek() == Some(b'\\') {
            input.pos += 1;
            self.string.escape = JsonEscape::begin();
            self.state = JsonState::Escape(StringRole::Value);
            match self.decode(input) {
                Decoded::More => break,
                Decoded::Whole => {
                    let run = plain_run(self.string.quote, input.bytes());
                    self.output.text.push_str(&input.rest()[..run]);
                    input.pos += run;
                    end = input.offset();
                }
                Decoded::Flawed(step, became) => {
                    // First the text before the wrong escape, then the notice, then the replacement.
                    let became = self.output.text.split_off(became);
                    self.flush_decoded(from, end);
                    return self.flawed(StringRole::Value, &became, step, input);
                }
            }
        }
        self.flush_decoded(from, end);
        Ok(())
    }

    fn flush_decoded(&mut self, from: usize, end: u64) {
        if self.output.text.len() > from {
            self.string.inner.see(&self.output.text[from..]);
            self.item.push(&self.output.text[from..], self.settings.caps.item);
            self.output.emit_text(
                TokenKind::StringText,
                Slice::buffer(from, self.output.text.len()),
                end,
            );
        }
    }

    /// Decodes an escape into the buffer.
    fn decode(&mut self, input: &mut Input<'_>) -> Decoded {
        while let Some(byte) = input.peek() {
            let before = self.output.text.len();
            let step =
                self.string.escape.step(byte, self.string.quote.escaped(), &mut self.output.text);
            if step.flaw.is_some() {
                return Decoded::Flawed(step, before);
            }
            input.pos += usize::from(step.eaten);
            if step.over {
                self.state = JsonState::Text(StringRole::Value);
                return Decoded::Whole;
            }
        }
        Decoded::More
    }

    /// In an escape at the start of a chunk, or in a key.
    pub(super) fn scan_escape(
        &mut self,
        role: StringRole,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        let mut decoded = core::mem::take(&mut self.output.scratch);
        let result = self.scan_escape_into(&mut decoded, role, input);
        decoded.clear();
        self.output.scratch = decoded;
        result
    }

    fn scan_escape_into(
        &mut self,
        decoded: &mut String,
        role: StringRole,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        let Some(byte) = input.peek() else { return Ok(()) };
        let step = self.string.escape.step(byte, self.string.quote.escaped(), decoded);
        if step.flaw.is_some() {
            return self.flawed(role, decoded, step, input);
        }
        input.pos += usize::from(step.eaten);
        if step.over {
            self.state = JsonState::Text(role);
        }
        if decoded.is_empty() { Ok(()) } else { self.give_kept(role, decoded, input.offset()) }
    }

    /// Handles a wrong escape or half a surrogate pair. `became` is its replacement.
    fn flawed(
        &mut self,
        role: StringRole,
        became: &str,
        step: EscapeStep,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        let (leniency, error, code) = match step.flaw {
            Some(code @ Code::LoneSurrogate) => {
                (Leniency::LoneSurrogates, SyntaxError::Surrogate, code)
            }
            _ => (Leniency::InvalidEscapes, SyntaxError::Escape, Code::InvalidEscape),
        };
        if !self.settings.allow(leniency) {
            return Err(Self::syntax(error, input.offset()));
        }
        input.pos += usize::from(step.eaten);
        let pending = if step.over { 0 } else { u64::from(self.string.escape.len()) };
        let end = input.offset() - pending;
        if !self.string.noted.escape || code == Code::LoneSurrogate {
            self.string.noted.escape |= code == Code::InvalidEscape;
            self.output.note_text(role, code, Span::at(end));
        }
        self.state = if step.over { JsonState::Text(role) } else { JsonState::Escape(role) };
        self.give_kept(role, became, end)
    }
}

/// The length of the run without escapes, closers or control characters.
fn plain_run(quote: JsonQuote, bytes: &[u8]) -> usize {
    match quote {
        JsonQuote::Double | JsonQuote::TripleDouble | JsonQuote::DoubledDouble => {
            crate::scan::plain_string_bytes(bytes)
        }
        _ => bytes.iter().position(|&byte| quote.stops_at(byte)).unwrap_or(bytes.len()),
    }
}

/// The next visible byte, and the bytes after it, if at most `cap` bytes of whitespace come before it.
fn next_visible(bytes: &[u8], cap: usize) -> Option<(u8, &[u8])> {
    let mut breaks = 0;
    for (at, &byte) in bytes.iter().enumerate().take(cap) {
        match byte {
            b'\n' if breaks == 1 => return None,
            b'\n' => breaks += 1,
            b' ' | b'\t' | b'\r' => {}
            _ => return Some((byte, &bytes[at + 1..])),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::window::QuoteJudge;
    use super::{JsonContainer, JsonLexer, JsonQuote, StringRole, next_visible, plain_run};
    use crate::caps::Caps;
    use crate::leniency::Leniencies;
    use crate::limits::Limits;

    #[test]
    fn runs_end_at_bytes_that_may_mean_something_else() {
        for (quote, text, len) in [
            (JsonQuote::Double, "ab\"c", 2),
            (JsonQuote::Double, "it's", 4),
            (JsonQuote::Double, "a\\n", 1),
            (JsonQuote::Double, "a\nb", 1),
            (JsonQuote::Single, "it's", 2),
            (JsonQuote::Backtick, "a`", 1),
            (JsonQuote::SmartDouble, "aé”", 3),
            (JsonQuote::TripleSingle, "a\"b'", 3),
            (JsonQuote::Double, "", 0),
        ] {
            assert_eq!(plain_run(quote, text.as_bytes()), len, "{quote:?} {text:?}");
        }
    }

    #[test]
    fn the_next_visible_byte_within_a_cap() {
        for (text, cap, found) in [
            ("}x", 1, Some((b'}', &b"x"[..]))),
            (" \n }", 4, Some((b'}', b""))),
            (" \n }", 3, None),
            ("\n\n}", 4, None),
            ("  ", 4, None),
        ] {
            assert_eq!(next_visible(text.as_bytes(), cap), found, "{text:?} {cap}");
        }
    }

    /// Whether a quote with this text after it ends its string at once, in an object, in a list, and as the
    /// quote of a key.
    #[test]
    fn quotes_that_end_their_text_without_doubt() {
        let closed = |rules, around, role, rest: &str| {
            let mut lexer =
                JsonLexer::new(rules, &Limits::default(), Caps::STANDARD, QuoteJudge::NEVER_ENDS);
            lexer.stack.push(around);
            lexer.is_closed_here(role, rest.as_bytes())
        };
        for (rest, object, list, key) in [
            ("", false, false, false),
            ("}", true, true, false),
            (" \n]", true, true, false),
            (",", false, true, false),
            (", ", false, true, false),
            (",\"", true, true, false),
            (", \"", true, true, false),
            (",\n  \"", true, true, false),
            (", }", true, true, false),
            (", b", false, true, false),
            ("x", false, false, false),
            (":", false, false, true),
            (" :", false, false, false),
        ] {
            for (around, role, want) in [
                (JsonContainer::Object, StringRole::Value, object),
                (JsonContainer::List, StringRole::Value, list),
                (JsonContainer::Object, StringRole::Key, key),
            ] {
                assert_eq!(closed(Leniencies::ALL, around, role, rest), want, "{rest:?} {role:?}");
                assert!(closed(Leniencies::NONE, around, role, rest), "strict: {rest:?}");
            }
        }
    }
}
