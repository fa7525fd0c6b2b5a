//! The fast path of JSON: the transitions of RFC 8259 that need no look-ahead and no notice.
//!
//! At any other byte the fast path stops without a change, and the general path in `scan` continues.
//! The general path reads everything, so these transitions exist twice. Tokens go straight to a
//! [`TokenSink`] with their text: a queue between machine and fold made short chunks slower.

use super::escape::{JsonEscape, decode_simple};
use super::look::QuoteLook;
use super::word_end::word_end;
use super::{
    Input, JsonContainer, JsonLexer, JsonPlace, JsonQuote, JsonState, Leniency, StringRole,
    TokenKind, word,
};
use crate::scan::{ShortText, plain_string_bytes, short_plain_text};

/// The receiver of tokens on the fast path.
pub(crate) trait TokenSink {
    /// Takes a token that ends at `end`. Returns whether the next one may come.
    fn token(&mut self, what: TokenKind, text: &str, end: u64) -> bool;
}

/// Why the fast path ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum FastPathEnd {
    /// All input is read, and nothing is pending.
    InputRead,
    /// The next byte is for the general path.
    GeneralPath,
    /// The sink takes no more.
    SinkStopped,
}

/// The effect of a transition.
enum FastStep {
    On,
    Off(FastPathEnd),
}

const GENERAL_PATH: FastStep = FastStep::Off(FastPathEnd::GeneralPath);
const INPUT_READ: FastStep = FastStep::Off(FastPathEnd::InputRead);

/// A cursor over bytes that are the stream's own, without replaced bytes.
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    /// The bytes as text, if they are known to be UTF-8. Otherwise each run of text is checked before it is
    /// emitted; all other bytes that the cursor passes are ASCII.
    text: Option<&'a str>,
    pos: usize,
    base: u64,
}

impl<'a> Cursor<'a> {
    /// A cursor at the start of bytes whose stream offset is `base`.
    #[inline]
    pub(crate) const fn new(bytes: &'a [u8], text: Option<&'a str>, base: u64) -> Self {
        Self { bytes, text, pos: 0, base }
    }

    /// The number of bytes read.
    #[inline]
    pub(crate) const fn pos(&self) -> usize {
        self.pos
    }

    #[inline]
    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.pos).copied()
    }

    #[inline]
    const fn is_done(&self) -> bool {
        self.pos >= self.bytes.len()
    }

    #[inline]
    fn rest(&self) -> &'a [u8] {
        &self.bytes[self.pos..]
    }

    /// The rest as text, if it is known to be UTF-8.
    #[inline]
    fn known_text(&self) -> Option<&'a str> {
        self.text.map(|text| &text[self.pos..])
    }

    #[inline]
    fn offset(&self) -> u64 {
        self.base + self.pos as u64
    }

    /// Skips whitespace and returns the byte after it.
    #[inline]
    fn skip_whitespace(&mut self) -> Option<u8> {
        loop {
            match self.peek()? {
                b' ' | b'\t' | b'\n' | b'\r' => self.pos += 1,
                byte => return Some(byte),
            }
        }
    }

    /// Takes the next `len` bytes, if they are UTF-8.
    #[inline]
    fn text(&self, len: usize) -> Option<&'a str> {
        let range = self.pos..self.pos + len;
        match self.text {
            Some(text) => Some(&text[range]),
            None if len == 0 => Some(""),
            None => core::str::from_utf8(&self.bytes[range]).ok(),
        }
    }

    /// Takes all remaining bytes, if they are UTF-8.
    #[inline(always)]
    fn rest_text(&self) -> Option<&'a str> {
        self.text(self.bytes.len() - self.pos)
    }
}

impl JsonLexer {
    /// A cursor for [`run`](Self::run) at the position of the input. `None` if the general path has to read it.
    #[inline]
    pub(crate) fn cursor<'t>(&self, input: &Input<'t>) -> Option<Cursor<'t>> {
        if !self.takes_fast_path() || input.is_replaced() {
            return None;
        }
        let text = input.text();
        let at = Cursor::new(text.as_bytes(), Some(text), input.offset_of(0));
        Some(Cursor { pos: input.pos, ..at })
    }

    /// Reads a short chunk that is one run of the open string. `None` for any other chunk, which stays
    /// unread. Precondition: nothing is pending.
    #[inline(always)]
    pub(crate) fn string_run<'t>(
        &mut self,
        chunk: &[u8],
        room: &'t mut ShortText,
    ) -> Option<&'t str> {
        let is_open = matches!(self.state, JsonState::Text(StringRole::Value));
        if !is_open || !self.string.is_plain() {
            return None;
        }
        let text = short_plain_text(chunk, room)?;
        self.string.see_plain(text);
        self.item.push(text, self.settings.caps.item);
        Some(text)
    }

    /// Whether nothing is pending that must be emitted or read before the input.
    #[cfg_attr(target_family = "wasm", inline)]
    pub(crate) const fn takes_fast_path(&self) -> bool {
        self.output.is_empty() && self.replay.is_empty()
    }

    /// Reads on the fast path until it ends. Precondition: nothing is pending, and the input contains no
    /// replaced bytes. Resets the offsets of bytes that are no longer held, like
    /// [`canonicalize`](Self::canonicalize).
    #[inline(always)]
    pub(crate) fn run(&mut self, at: &mut Cursor<'_>, sink: &mut impl TokenSink) -> FastPathEnd {
        loop {
            let step = match self.state {
                JsonState::Text(StringRole::Value) => self.fast_text(at, sink),
                JsonState::Text(StringRole::Key) => self.fast_key_text(at, sink),
                JsonState::Key { first } => self.fast_key(first, at, sink),
                JsonState::Colon => self.fast_colon(at),
                JsonState::Value(place) => self.fast_value(place, at, sink),
                JsonState::Word => self.fast_word(at, sink),
                JsonState::After => self.fast_after(at, sink),
                JsonState::Look(StringRole::Key, look) => self.fast_key_look(look, at, sink),
                JsonState::Look(StringRole::Value, look) => self.fast_look(look, at, sink),
                _ => GENERAL_PATH,
            };
            match step {
                FastStep::Off(fast_end) => return fast_end,
                // Without input these states do nothing, except at the end of the root.
                FastStep::On if at.is_done() && !self.stack.is_empty() => {
                    return FastPathEnd::InputRead;
                }
                FastStep::On => {}
            }
        }
    }

    /// In a string: reads a run of text, or the closer.
    #[inline(always)]
    fn fast_text(&mut self, at: &mut Cursor<'_>, sink: &mut impl TokenSink) -> FastStep {
        if !self.string.is_plain() {
            return GENERAL_PATH;
        }
        let bytes = at.rest();
        let run = plain_string_bytes(bytes);
        let next = bytes.get(run).copied();
        if let Some(byte) = next.filter(|byte| *byte != b'"') {
            return if byte == b'\\' { self.fast_escapes(at, sink) } else { GENERAL_PATH };
        }
        if run > 0 {
            let Some(text) = at.text(run) else { return GENERAL_PATH };
            at.pos += run;
            self.string.see_plain(text);
            self.item.push(text, self.settings.caps.item);
            if !sink.token(TokenKind::StringText, text, at.offset()) {
                return stopped();
            }
        }
        if next.is_none() {
            return INPUT_READ;
        }
        if self.is_closed_here(StringRole::Value, &bytes[run + 1..]) {
            at.pos += 1;
            self.after_value();
            let more = sink.token(TokenKind::StringClose, "", at.offset());
            return self.fast_comma(more, at);
        }
        if !self.settings.allow(Leniency::InnerQuotes) {
            return GENERAL_PATH;
        }
        self.hold_quote(StringRole::Value, at.offset());
        at.pos += 1;
        FastStep::On
    }

    /// In a string: reads text with escapes of two characters, up to the next quote or the end of the input.
    // Kept out of the function for plain runs: there are not enough registers for both.
    #[inline(never)]
    fn fast_escapes(&mut self, at: &mut Cursor<'_>, sink: &mut impl TokenSink) -> FastStep {
        let mut decoded = core::mem::take(&mut self.output.scratch);
        let step = match decode_simple(at.rest(), at.known_text(), &mut decoded) {
            Some(len) => {
                at.pos += len;
                // The general path leaves this state, too.
                self.string.escape = JsonEscape::begin();
                self.string.see_plain(&decoded);
                self.item.push(&decoded, self.settings.caps.item);
                go_on(sink.token(TokenKind::StringText, &decoded, at.offset()))
            }
            None => GENERAL_PATH,
        };
        decoded.clear();
        self.output.scratch = decoded;
        step
    }

    /// After a quote at `offset` that may end its text.
    #[inline(always)]
    fn hold_quote(&mut self, role: StringRole, offset: u64) {
        self.held.text.clear();
        self.held.text.push('"');
        self.held.from = offset;
        self.state = JsonState::Look(role, QuoteLook::START);
    }

    /// In a key: reads the rest of it, or the part in this chunk.
    #[inline(always)]
    fn fast_key_text(&mut self, at: &mut Cursor<'_>, sink: &mut impl TokenSink) -> FastStep {
        let bytes = at.rest();
        let run = plain_string_bytes(bytes);
        if !self.string.is_plain() || self.key.len() + run > self.settings.key {
            return GENERAL_PATH;
        }
        let Some(mut key) = at.text(run) else { return GENERAL_PATH };
        self.string.inner.see_plain(key);
        match bytes.get(run) {
            None => {
                self.string.started |= run > 0;
                self.key.push_str(key);
                at.pos += run;
                INPUT_READ
            }
            Some(b'"') if self.is_closed_here(StringRole::Key, &bytes[run + 1..]) => {
                self.string.started |= run > 0;
                at.pos += run + 1;
                self.state = JsonState::Colon;
                if !self.key.is_empty() {
                    self.key.push_str(key);
                    key = &self.key;
                }
                let more = sink.token(TokenKind::Key, key, at.offset());
                self.key.clear();
                if more && at.peek() == Some(b':') {
                    at.pos += 1;
                    self.state = JsonState::Value(JsonPlace::Member);
                }
                go_on(more)
            }
            Some(b'"') if self.settings.allow(Leniency::InnerQuotes) => {
                self.string.started |= run > 0;
                self.key.push_str(key);
                at.pos += run;
                self.hold_quote(StringRole::Key, at.offset());
                at.pos += 1;
                FastStep::On
            }
            _ => GENERAL_PATH,
        }
    }

    /// After a quote that may end a key: reads the colon.
    #[inline(always)]
    fn fast_key_look(
        &mut self,
        look: QuoteLook,
        at: &Cursor<'_>,
        sink: &mut impl TokenSink,
    ) -> FastStep {
        match at.peek() {
            None => INPUT_READ,
            Some(b':') if look.is_fresh() => {
                self.held.text.clear();
                self.held.from = 0;
                self.state = JsonState::Colon;
                let more = sink.token(TokenKind::Key, &self.key, at.offset());
                self.key.clear();
                go_on(more)
            }
            Some(_) => GENERAL_PATH,
        }
    }

    /// After a quote that may end a string: reads whitespace, a comma, and the byte that confirms the
    /// quote.
    #[inline(always)]
    fn fast_look(
        &mut self,
        mut look: QuoteLook,
        at: &mut Cursor<'_>,
        sink: &mut impl TokenSink,
    ) -> FastStep {
        if self.string.quote != JsonQuote::Double || !look.is_simple() {
            return GENERAL_PATH;
        }
        let object = self.top() == Some(JsonContainer::Object);
        while let Some(byte) = at.peek() {
            match look.decide_fast(byte, object, self.settings.caps.blanks) {
                Some(true) => {
                    let end = core::mem::take(&mut self.held.from) + 1;
                    self.held.text.clear();
                    if look.has_comma() {
                        // A comma is only held inside an object.
                        self.state = JsonState::Key { first: false };
                    } else {
                        self.after_value();
                    }
                    return go_on(sink.token(TokenKind::StringClose, "", end));
                }
                Some(false) => {
                    self.held.text.push(char::from(byte));
                    at.pos += 1;
                }
                None => {
                    self.state = JsonState::Look(StringRole::Value, look);
                    return GENERAL_PATH;
                }
            }
        }
        self.state = JsonState::Look(StringRole::Value, look);
        INPUT_READ
    }

    #[inline(always)]
    fn fast_key(
        &mut self,
        first: bool,
        at: &mut Cursor<'_>,
        sink: &mut impl TokenSink,
    ) -> FastStep {
        match at.skip_whitespace() {
            Some(b'"') => {
                at.pos += 1;
                self.begin_text(StringRole::Key, JsonQuote::Double);
                FastStep::On
            }
            Some(b'}') if first => self.fast_close(at, sink),
            None => INPUT_READ,
            Some(_) => GENERAL_PATH,
        }
    }

    #[inline(always)]
    fn fast_colon(&mut self, at: &mut Cursor<'_>) -> FastStep {
        match at.skip_whitespace() {
            Some(b':') => {
                at.pos += 1;
                self.state = JsonState::Value(JsonPlace::Member);
                FastStep::On
            }
            None => INPUT_READ,
            Some(_) => GENERAL_PATH,
        }
    }

    #[inline(always)]
    fn fast_value(
        &mut self,
        place: JsonPlace,
        at: &mut Cursor<'_>,
        sink: &mut impl TokenSink,
    ) -> FastStep {
        match at.skip_whitespace() {
            Some(b'"') => {
                at.pos += 1;
                self.begin_text(StringRole::Value, JsonQuote::Double);
                go_on(sink.token(TokenKind::StringOpen, "", at.offset()))
            }
            Some(b'{') => self.fast_open(JsonContainer::Object, at, sink),
            Some(b'[') => self.fast_open(JsonContainer::List, at, sink),
            Some(b']') if place == JsonPlace::First && self.top() == Some(JsonContainer::List) => {
                self.fast_close(at, sink)
            }
            Some(b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => self.fast_scalar(at, sink),
            None => INPUT_READ,
            Some(_) => GENERAL_PATH,
        }
    }

    #[inline(always)]
    fn fast_scalar(&mut self, at: &mut Cursor<'_>, sink: &mut impl TokenSink) -> FastStep {
        let Some(len) = word_end(at.rest()) else {
            self.word.clear();
            if !at.rest_text().is_some_and(|rest| self.carry_fast_word(rest)) {
                return GENERAL_PATH;
            }
            self.held.from = at.offset();
            at.pos = at.bytes.len();
            self.state = JsonState::Word;
            return INPUT_READ;
        };
        let Some(text) = at.text(len) else { return GENERAL_PATH };
        match word::standard(text) {
            Some(scalar) if len <= self.settings.word => {
                at.pos += len;
                self.after_value();
                let more = sink.token(TokenKind::Scalar(scalar), text, at.offset());
                self.fast_comma(more, at)
            }
            _ => GENERAL_PATH,
        }
    }

    /// In a word that a chunk boundary cut.
    #[inline(always)]
    fn fast_word(&mut self, at: &mut Cursor<'_>, sink: &mut impl TokenSink) -> FastStep {
        let known = self.word.len();
        if at.rest().is_empty() {
            return INPUT_READ;
        }
        if known == 0 {
            return GENERAL_PATH;
        }
        let Some(len) = word_end(at.rest()) else {
            if !at.rest_text().is_some_and(|rest| self.carry_fast_word(rest)) {
                return GENERAL_PATH;
            }
            at.pos = at.bytes.len();
            return INPUT_READ;
        };
        let Some(text) = at.text(len) else { return GENERAL_PATH };
        self.word.push_str(text);
        match word::standard(&self.word) {
            Some(scalar) if known + len <= self.settings.word => {
                at.pos += len;
                self.held.from = 0;
                self.after_value();
                let more = sink.token(TokenKind::Scalar(scalar), &self.word, at.offset());
                self.word.clear();
                self.fast_comma(more, at)
            }
            _ => {
                self.word.truncate(known);
                GENERAL_PATH
            }
        }
    }

    /// The chunk ends in a word that may continue. Whether the word certainly still fits a scalar.
    #[cfg_attr(target_family = "wasm", inline)]
    fn carry_fast_word(&mut self, more: &str) -> bool {
        let known = self.word.len();
        self.word.push_str(more);
        // Earlier bytes of the word were checked in their chunk. A number continues, unless its last byte
        // is a slash.
        let word = self.word.as_bytes();
        let number = word.first().is_some_and(u8::is_ascii_digit);
        let slash = known > 0 && word[known - 1] == b'/';
        let from = if number && !slash { known } else { 0 };
        let goes_on = word::may_go_on(word, from);
        if self.word.len() > self.settings.word || !goes_on {
            self.word.truncate(known);
            return false;
        }
        true
    }

    /// After a value: reads a comma that follows directly. This saves an iteration.
    #[inline(always)]
    fn fast_comma(&mut self, more: bool, at: &mut Cursor<'_>) -> FastStep {
        if more && at.peek() == Some(b',') {
            match self.top() {
                Some(JsonContainer::Object) => self.state = JsonState::Key { first: false },
                Some(_) => self.state = JsonState::Value(JsonPlace::Next),
                None => return FastStep::On,
            }
            at.pos += 1;
        }
        go_on(more)
    }

    #[inline(always)]
    fn fast_after(&mut self, at: &mut Cursor<'_>, sink: &mut impl TokenSink) -> FastStep {
        match (at.skip_whitespace(), self.top()) {
            (Some(b','), Some(JsonContainer::Object)) => {
                at.pos += 1;
                self.state = JsonState::Key { first: false };
                FastStep::On
            }
            (Some(b','), Some(_)) => {
                at.pos += 1;
                self.state = JsonState::Value(JsonPlace::Next);
                FastStep::On
            }
            (Some(b'}'), Some(JsonContainer::Object)) | (Some(b']'), Some(JsonContainer::List)) => {
                self.fast_close(at, sink)
            }
            (None, _) => INPUT_READ,
            _ => GENERAL_PATH,
        }
    }

    #[inline(always)]
    fn fast_open(
        &mut self,
        container: JsonContainer,
        at: &mut Cursor<'_>,
        sink: &mut impl TokenSink,
    ) -> FastStep {
        if self.stack.len() >= self.settings.depth {
            return GENERAL_PATH;
        }
        at.pos += 1;
        self.stack.push(container);
        let what = if container == JsonContainer::Object {
            self.state = JsonState::Key { first: true };
            TokenKind::ObjectOpen
        } else {
            self.state = JsonState::Value(JsonPlace::First);
            TokenKind::ListOpen
        };
        go_on(sink.token(what, "", at.offset()))
    }

    /// At the closer of the innermost container.
    #[inline(always)]
    fn fast_close(&mut self, at: &mut Cursor<'_>, sink: &mut impl TokenSink) -> FastStep {
        at.pos += 1;
        self.stack.pop();
        self.after_value();
        let more = sink.token(TokenKind::Close, "", at.offset());
        self.fast_comma(more, at)
    }
}

#[inline]
const fn go_on(more: bool) -> FastStep {
    if more { FastStep::On } else { stopped() }
}

const fn stopped() -> FastStep {
    FastStep::Off(FastPathEnd::SinkStopped)
}
