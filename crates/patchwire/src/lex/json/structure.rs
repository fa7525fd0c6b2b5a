//! The states between tokens (RFC 8259 §2, §4, §5): at a key, a colon, a value, a comma or a closer.

use super::probe::WordProbe;
use super::{
    Code, Error, ErrorKind, Input, JsonContainer, JsonLexer, JsonPlace, JsonQuote, JsonResume,
    JsonState, Leniency, Limit, Span, StringRole, SyntaxError, TokenKind, word,
};
use crate::text::is_whitespace_byte;

impl JsonLexer {
    /// Where a value is expected.
    pub(super) fn scan_value(
        &mut self,
        place: JsonPlace,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        let Some(byte) = skip_whitespace(input) else { return Ok(()) };
        let lenient = !self.settings.is_strict();
        match byte {
            b'{' => self.open(JsonContainer::Object, input),
            b'[' => self.open(JsonContainer::List, input),
            b'"' => {
                self.open_text(StringRole::Value, JsonQuote::Double, 1, input);
                Ok(())
            }
            b'-' | b'0'..=b'9' | b't' | b'f' | b'n' => self.begin_word(input),
            b']' if place == JsonPlace::First => self.close(byte, input),
            _ if lenient => self.scan_loose_value(place, byte, input),
            _ => Err(Self::syntax(SyntaxError::ExpectedValue, input.offset())),
        }
    }

    /// At a byte that begins no value of RFC 8259.
    fn scan_loose_value(
        &mut self,
        place: JsonPlace,
        byte: u8,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        let then = JsonResume::Value(place);
        match byte {
            b'/' | b'#' if self.comment_begins(byte, then, input) => Ok(()),
            _ if self.spaces_begin(byte, then, input) => Ok(()),
            b'`' | b'~' if place != JsonPlace::Root => self.begin_fence_run(byte, then, input),
            b'(' if self.settings.allow(Leniency::Tuples) => {
                let at = input.offset();
                self.output.note_next(Code::Tuple, Span::new(at, at + 1));
                self.open(JsonContainer::Tuple, input)
            }
            b',' | b'}' | b']' | b')' => self.no_value(place, byte, input),
            b':' | b'=' | b';' | b'>' => self.begin_junk(then, input),
            _ => match self.opening(input.rest()) {
                Some((quote, len)) => {
                    self.open_text(StringRole::Value, quote, len, input);
                    Ok(())
                }
                None => self.begin_word(input),
            },
        }
    }

    /// At a separator or closer in place of a value.
    fn no_value(&mut self, place: JsonPlace, byte: u8, input: &mut Input<'_>) -> Result<(), Error> {
        let at = Span::new(input.offset(), input.offset() + 1);
        match (place, byte) {
            (JsonPlace::Member, _) => {
                self.forgive(Leniency::MissingValues, Code::MissingValue, Span::at(at.start))?;
                self.state = JsonState::After;
                Ok(())
            }
            (_, b',') => {
                self.forgive(Leniency::ExtraCommas, Code::ExtraComma, at)?;
                input.pos += 1;
                Ok(())
            }
            (JsonPlace::Next, _) => {
                self.forgive(Leniency::ExtraCommas, Code::TrailingComma, Span::at(at.start))?;
                self.close(byte, input)
            }
            _ => self.close(byte, input),
        }
    }

    /// Where a member name is expected.
    pub(super) fn scan_key(&mut self, first: bool, input: &mut Input<'_>) -> Result<(), Error> {
        let Some(byte) = skip_whitespace(input) else { return Ok(()) };
        match byte {
            b'"' => {
                self.open_text(StringRole::Key, JsonQuote::Double, 1, input);
                Ok(())
            }
            b'}' if first => self.close(byte, input),
            _ if self.settings.is_strict() => {
                Err(Self::syntax(SyntaxError::ExpectedKey, input.offset()))
            }
            _ => self.scan_loose_key(first, byte, input),
        }
    }

    fn scan_loose_key(
        &mut self,
        first: bool,
        byte: u8,
        input: &mut Input<'_>,
    ) -> Result<(), Error> {
        let then = JsonResume::Key { first };
        let at = Span::new(input.offset(), input.offset() + 1);
        match byte {
            b'/' | b'#' if self.comment_begins(byte, then, input) => Ok(()),
            b'<' if self.html_comment_begins(then, input) => Ok(()),
            _ if self.spaces_begin(byte, then, input) => Ok(()),
            b'`' | b'~' => self.begin_fence_run(byte, then, input),
            b',' => {
                self.forgive(Leniency::ExtraCommas, Code::ExtraComma, at)?;
                input.pos += 1;
                Ok(())
            }
            b'{' if !first && self.is_item() && self.settings.allow(Leniency::MissingClosers) => {
                self.next_item(at.start);
                Ok(())
            }
            b'}' | b']' => {
                if !first {
                    let before = Span::at(at.start);
                    self.forgive(Leniency::ExtraCommas, Code::TrailingComma, before)?;
                }
                self.close(byte, input)
            }
            _ => self.scan_foreign_key(then, input),
        }
    }

    /// Whether the open object is an item of a list.
    fn is_item(&self) -> bool {
        matches!(
            self.stack[..],
            [.., JsonContainer::List | JsonContainer::Tuple, JsonContainer::Object]
        )
    }

    /// `[{"a": 1, {"a": 2}]`: no key begins with `{`, but the list's next item does.
    fn next_item(&mut self, at: u64) {
        self.output.note(Code::MissingClose, Span::at(at));
        self.stack.pop();
        self.output.emit(TokenKind::Close, at);
        self.state = JsonState::Value(JsonPlace::Next);
    }

    /// At a key in other quotes or without quotes, or at a byte that begins no key.
    fn scan_foreign_key(&mut self, then: JsonResume, input: &mut Input<'_>) -> Result<(), Error> {
        if let Some((quote, len)) = self.opening(input.rest()) {
            self.open_text(StringRole::Key, quote, len, input);
            return Ok(());
        }
        let names = self.settings.allow(Leniency::UnquotedKeys);
        match input.peek_char() {
            Some(c) if names && (word::is_name_start(c) || c.is_ascii_digit()) => {
                self.key.clear();
                self.held.from = input.offset();
                self.state = JsonState::BareKey;
                Ok(())
            }
            _ => self.begin_junk(then, input),
        }
    }

    /// Where the colon of a member is expected.
    pub(super) fn scan_colon(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        let Some(byte) = skip_whitespace(input) else { return Ok(()) };
        let at = Span::at(input.offset());
        match byte {
            b':' => {
                input.pos += 1;
                self.state = JsonState::Value(JsonPlace::Member);
                Ok(())
            }
            _ if self.settings.is_strict() => {
                Err(Self::syntax(SyntaxError::ExpectedColon, at.start))
            }
            b'/' | b'#' if self.comment_begins(byte, JsonResume::Colon, input) => Ok(()),
            _ if self.spaces_begin(byte, JsonResume::Colon, input) => Ok(()),
            b',' | b'}' => {
                self.forgive(Leniency::MissingValues, Code::MissingValue, at)?;
                self.state = JsonState::After;
                Ok(())
            }
            b'`' | b'~' => self.begin_fence_run(byte, JsonResume::Colon, input),
            b']' | b')' | b';' | b'*' => self.begin_junk(JsonResume::Colon, input),
            _ if self.foreign_sign(&["：", "﹕"], input) => {
                self.state = JsonState::Value(JsonPlace::Member);
                Ok(())
            }
            _ => {
                self.forgive(Leniency::MissingColons, Code::MissingColon, at)?;
                // Other languages write `=` or `=>` instead of the colon.
                input.pos += usize::from(byte == b'=');
                self.state = JsonState::Value(JsonPlace::Member);
                Ok(())
            }
        }
    }

    /// After a value: a comma or a closer is expected.
    pub(super) fn scan_after(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        let Some(byte) = skip_whitespace(input) else { return Ok(()) };
        match byte {
            b',' => {
                input.pos += 1;
                self.after_comma_sign();
                Ok(())
            }
            b'}' | b']' => self.close(byte, input),
            _ if self.settings.is_strict() => {
                Err(Self::syntax(SyntaxError::ExpectedSeparator, input.offset()))
            }
            b')' if self.top() == Some(JsonContainer::Tuple) => self.close(byte, input),
            b'/' | b'#' if self.comment_begins(byte, JsonResume::After, input) => Ok(()),
            b'<' if self.html_comment_begins(JsonResume::After, input) => Ok(()),
            _ if self.spaces_begin(byte, JsonResume::After, input) => Ok(()),
            b'`' | b'~' => self.begin_fence_run(byte, JsonResume::After, input),
            b';' if self.settings.allow(Leniency::MissingCommas) => {
                let at = input.offset();
                self.output.note(Code::MissingComma, Span::new(at, at + 1));
                input.pos += 1;
                self.after_comma_sign();
                Ok(())
            }
            _ if self.foreign_sign(&["，", "、"], input) => {
                self.after_comma_sign();
                Ok(())
            }
            _ => self.scan_missing_comma(byte, input),
        }
    }

    /// After an item without quotes and its line end.
    pub(super) fn scan_after_line(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        if skip_whitespace(input).is_none() {
            return Ok(());
        }
        let char = input.peek_char().unwrap_or(' ');
        if word::is_name_start(char) {
            self.missing_comma(input.offset());
        } else {
            self.state = JsonState::After;
        }
        Ok(())
    }

    pub(super) fn is_in_list(&self) -> bool {
        matches!(self.top(), Some(JsonContainer::List | JsonContainer::Tuple))
    }

    /// After a comma.
    fn after_comma_sign(&mut self) {
        self.state = match self.top() {
            Some(JsonContainer::Object) => JsonState::Key { first: false },
            _ => JsonState::Value(JsonPlace::Next),
        };
    }

    /// Reads full-width punctuation, if it comes next. Whether it did.
    fn foreign_sign(&mut self, signs: &[&str], input: &mut Input<'_>) -> bool {
        let sign = signs.iter().find(|sign| input.rest().starts_with(**sign));
        let Some(sign) = sign.filter(|_| self.settings.allow(Leniency::UnexpectedText)) else {
            return false;
        };
        let at = input.offset();
        self.output.note(Code::UnexpectedBytes, Span::new(at, at + sign.len() as u64));
        input.pos += sign.len();
        true
    }

    /// At neither a comma nor a closer: a comma is missing, or the text is dropped.
    fn scan_missing_comma(&mut self, byte: u8, input: &mut Input<'_>) -> Result<(), Error> {
        let commas = self.settings.allow(Leniency::MissingCommas);
        let opening = self.opening(input.rest());
        let char = input.peek_char().unwrap_or(' ');
        match self.top() {
            // No string begins with a closing quote.
            _ if matches!(char, '”' | '’' | '»') => self.begin_trailing(input.offset()),
            Some(JsonContainer::Object) if commas && opening.is_some() => {
                let (quote, len) = opening.unwrap_or((JsonQuote::Double, 1));
                self.begin_probe(WordProbe::Run { quote, escaped: false }, len, input);
            }
            Some(JsonContainer::Object) if commas && word::is_name_start(char) => {
                self.begin_probe(WordProbe::Name, char.len_utf8(), input);
            }
            Some(JsonContainer::List | JsonContainer::Tuple) if commas => match byte {
                b'{' | b'[' | b'-' | b'0'..=b'9' => self.missing_comma(input.offset()),
                _ if opening.is_some() => self.missing_comma(input.offset()),
                _ if char.is_ascii_alphabetic() => self.begin_probe(WordProbe::Word, 1, input),
                _ => self.begin_trailing(input.offset()),
            },
            _ => self.begin_trailing(input.offset()),
        }
        Ok(())
    }

    fn open(&mut self, container: JsonContainer, input: &mut Input<'_>) -> Result<(), Error> {
        if self.stack.len() >= self.settings.depth {
            return Err(Error::new(ErrorKind::Limit(Limit::Depth), input.offset()));
        }
        input.pos += 1;
        self.stack.push(container);
        let end = input.offset();
        if container == JsonContainer::Object {
            self.output.emit(TokenKind::ObjectOpen, end);
            self.state = JsonState::Key { first: true };
        } else {
            self.output.emit(TokenKind::ListOpen, end);
            self.state = JsonState::Value(JsonPlace::First);
        }
        Ok(())
    }

    /// At a closer.
    fn close(&mut self, byte: u8, input: &mut Input<'_>) -> Result<(), Error> {
        let fits = |container: &JsonContainer| match byte {
            b'}' => *container == JsonContainer::Object,
            b')' => *container == JsonContainer::Tuple,
            _ => *container == JsonContainer::List,
        };
        let from = input.offset();
        if self.stack.last().is_some_and(fits) {
            input.pos += 1;
            self.stack.pop();
            self.output.emit(TokenKind::Close, from + 1);
            self.after_value();
            return Ok(());
        }
        if let Some(outer) = self.stack.iter().rposition(fits) {
            self.forgive(Leniency::MissingClosers, Code::MissingClose, Span::at(from))?;
            input.pos += 1;
            self.close_all_but(outer as u32, from + 1);
            return Ok(());
        }
        self.forgive(
            Leniency::MismatchedClosers,
            Code::MismatchedClose,
            Span::new(from, from + 1),
        )?;
        input.pos += 1;
        self.stack.pop();
        self.output.emit(TokenKind::Close, from + 1);
        self.after_value();
        Ok(())
    }

    /// Closes containers, one per step, until `depth` are open. They end at `end`.
    pub(super) fn close_all_but(&mut self, depth: u32, end: u64) {
        self.held.since = end;
        self.state = JsonState::Closing { depth };
    }

    /// Closes one more container, until `depth` are open.
    pub(super) fn close_down_to(&mut self, depth: u32) {
        if self.stack.len() > depth as usize {
            self.stack.pop();
            self.output.emit(TokenKind::Close, self.held.since);
        } else {
            self.after_value();
        }
    }

    /// Notes a slip if it is forgiven; otherwise returns the error of strict reading.
    pub(super) fn forgive(
        &mut self,
        leniency: Leniency,
        code: Code,
        span: Span,
    ) -> Result<(), Error> {
        if !self.settings.allow(leniency) {
            let error = match leniency {
                Leniency::MissingColons => SyntaxError::ExpectedColon,
                Leniency::MissingValues | Leniency::ExtraCommas => SyntaxError::ExpectedValue,
                _ => SyntaxError::ExpectedSeparator,
            };
            return Err(Self::syntax(error, span.start));
        }
        self.output.note(code, span);
        Ok(())
    }
}

/// Consumes whitespace (RFC 8259, section 2). Returns the byte after it.
pub(super) fn skip_whitespace(input: &mut Input<'_>) -> Option<u8> {
    loop {
        match input.peek()? {
            byte if is_whitespace_byte(byte) => input.pos += 1,
            byte => return Some(byte),
        }
    }
}
