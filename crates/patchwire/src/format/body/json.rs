//! A body with JSON texts, and whitespace or a code fence around them. If no JSON begins, the body is one string,
//! because tools that fail answer in prose. After a value, objects and lists are more roots; anything else is text.

use crate::codes::Code;
use crate::error::Error;
use crate::format::json::JsonOptions;
use crate::format::{Machine, Position, Region};
use crate::held::{Held, HeldBy};
use crate::lex::json::{JsonLexer, scalar};
use crate::lex::{Input, Queue, Scalar, Slice, Token, TokenKind};
use crate::limits::Limit;
use crate::repair::JUDGE;
use crate::span::Span;
use crate::text::{WHITESPACE, is_whitespace, whitespace_len};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JsonBodyPhase {
    /// Only whitespace so far.
    Before,
    /// In a line that may open a fence around JSON, and the whitespace after it.
    Fence,
    /// In a possible number or literal, which only its end decides.
    Scalar,
    Value,
    /// In a body that is not JSON.
    Text,
    /// After the value.
    After {
        blank: bool,
        /// Whether another root may begin here: after an object, or on another line.
        may_begin: bool,
        /// Whether a comma or semicolon was read, which is text, and no more.
        separated: bool,
    },
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct JsonBody {
    phase: JsonBodyPhase,
    lexer: JsonLexer,
    /// The lexer before a root.
    unused: JsonLexer,
    queue: Queue,
    /// The word that may be a scalar, or the line that may open a fence.
    word: String,
    word_limit: usize,
    /// Whether the last root is an object.
    is_object: bool,
    /// The text of pending tokens.
    out: String,
    own: bool,
}

impl JsonBody {
    pub(crate) fn new(options: &JsonOptions) -> Self {
        let limit = options.limits.get(Limit::Number);
        let unused = JsonLexer::new(options.rules, &options.limits, options.caps, JUDGE);
        Self {
            phase: JsonBodyPhase::Before,
            lexer: unused.clone(),
            unused,
            queue: Queue::default(),
            word: String::new(),
            word_limit: usize::try_from(limit).unwrap_or(usize::MAX),
            is_object: false,
            out: String::new(),
            own: false,
        }
    }

    /// Decides the kind of the body by its first visible byte. Returns false without one.
    fn begin(&mut self, input: &mut Input<'_>) -> bool {
        input.pos += whitespace_len(input.bytes());
        match input.peek() {
            None => return false,
            Some(first @ (b'{' | b'[' | b'"')) => self.begin_value(first),
            Some(b'`') => self.phase = JsonBodyPhase::Fence,
            Some(b'-' | b'0'..=b'9' | b't' | b'f' | b'n') => self.phase = JsonBodyPhase::Scalar,
            Some(_) => self.become_text(input.offset()),
        }
        true
    }

    fn begin_value(&mut self, first: u8) {
        self.is_object = first == b'{';
        self.phase = JsonBodyPhase::Value;
    }

    fn value(&mut self, input: &mut Input<'_>) -> Result<Option<Token>, Error> {
        self.own = false;
        if let Some(token) = self.lexer.step(input)? {
            return Ok(Some(token));
        }
        if !self.lexer.is_done() {
            return Ok(None);
        }
        Ok(Some(self.end_value(input.offset())))
    }

    const fn after(&self, blank: bool) -> JsonBodyPhase {
        JsonBodyPhase::After { blank, may_begin: self.is_object, separated: false }
    }

    /// Completes the value. Bytes that the lexer still holds are text.
    fn end_value(&mut self, offset: u64) -> Token {
        let rest = self.lexer.take_replay();
        let end = offset - rest.len() as u64;
        let visible = rest.trim_start_matches(WHITESPACE);
        self.phase = self.after(visible.is_empty());
        if !visible.is_empty() {
            self.out.clear();
            self.out.push_str(visible);
            let text = Slice::buffer(0, visible.len());
            self.queue.push(Token::with(TokenKind::Outside, text, offset));
        }
        Token::new(TokenKind::RootComplete, end)
    }

    /// A comma or semicolon between two roots, or whitespace after it.
    fn separator(&mut self, input: &mut Input<'_>) -> Option<Token> {
        let JsonBodyPhase::After { blank: true, may_begin, separated } = self.phase else {
            return None;
        };
        let start = input.pos;
        let len = whitespace_len(input.bytes());
        if separated {
            input.pos += len;
        } else {
            let may_begin = may_begin || input.bytes()[..len].contains(&b'\n');
            let is_mark = matches!(input.bytes().get(len), Some(b',' | b';'));
            if !is_mark || !may_begin {
                return None;
            }
            input.pos += len + 1;
            self.phase = JsonBodyPhase::After { blank: true, may_begin, separated: true };
            return Some(outside(input.pos - 1, input));
        }
        (len > 0).then(|| outside(start, input))
    }

    /// Reads whitespace after a value. Whether another root begins.
    fn behind_value(&mut self, input: &mut Input<'_>) -> bool {
        let JsonBodyPhase::After { blank, may_begin, separated } = self.phase else { return false };
        let mut may_begin = may_begin && blank;
        if blank {
            let len = whitespace_len(input.bytes());
            may_begin |= input.bytes()[..len].contains(&b'\n');
            input.pos += len;
        }
        if let Some(first @ (b'{' | b'[')) = input.peek().filter(|_| may_begin) {
            self.lexer = self.unused.clone();
            self.begin_value(first);
            return true;
        }
        let blank = blank && input.is_done();
        self.phase = JsonBodyPhase::After { blank, may_begin, separated };
        false
    }

    /// Reads on in a line that may open a fence. Returns false when the input is used up.
    fn fence(&mut self, input: &mut Input<'_>) -> bool {
        while let Some(char) = input.peek_char() {
            let is_whole = self.word.contains('\n');
            if let Some(first @ (b'{' | b'[')) = input.peek().filter(|_| is_whole) {
                self.held_text(TokenKind::Outside, input.offset());
                self.begin_value(first);
                return true;
            }
            let fits = if is_whole { is_whitespace(char) } else { fence_goes_on(&self.word, char) };
            if !fits || self.word.len() >= self.word_limit {
                self.word_is_text(input.offset());
                return true;
            }
            self.hold(char, input);
        }
        false
    }

    /// Holds the next character.
    fn hold(&mut self, char: char, input: &mut Input<'_>) {
        self.word.push(char);
        input.pos += char.len_utf8();
    }

    /// The body is no JSON: what was held up to here is its first text.
    fn word_is_text(&mut self, end: u64) {
        self.become_text(end - self.word.len() as u64);
        self.held_text(TokenKind::StringText, end);
    }

    /// Queues what was held as text.
    fn held_text(&mut self, kind: TokenKind, end: u64) {
        self.out.clear();
        self.out.push_str(&self.word);
        self.queue.push(Token::with(kind, Slice::buffer(0, self.word.len()), end));
        self.word.clear();
    }

    /// Reads on in a word that may be a scalar. Returns false when the input is used up.
    fn word(&mut self, input: &mut Input<'_>) -> bool {
        while let Some(char) = input.peek_char() {
            if !self.may_go_on(char) {
                self.word_is_text(input.offset());
                return true;
            }
            self.hold(char, input);
        }
        false
    }

    /// Whether the word and this character may begin a number or literal with whitespace after it.
    fn may_go_on(&self, char: char) -> bool {
        if self.word.len() >= self.word_limit {
            return false;
        }
        let word = self.word.trim_end_matches(WHITESPACE);
        if is_whitespace(char) {
            return scalar(word).is_some();
        }
        if word.len() < self.word.len() {
            return false;
        }
        let literal = ["true", "false", "null"]
            .into_iter()
            .any(|literal| literal.strip_prefix(word).is_some_and(|rest| rest.starts_with(char)));
        literal || number_goes_on(word, char)
    }

    fn become_text(&mut self, start: u64) {
        self.phase = JsonBodyPhase::Text;
        self.queue.push(Token::notice(Code::BodyNotJson, Span::at(start)));
        self.queue.push(Token::new(TokenKind::StringOpen, start));
    }

    /// Decides a possible scalar at the end of the element.
    fn end_word(&mut self, end: u64) {
        let word = self.word.trim_end_matches([' ', '\t', '\r', '\n']);
        let len = word.len();
        let value = scalar(word);
        let visible = end - (self.word.len() - len) as u64;
        self.out.clear();
        self.out.push_str(&self.word);
        if let Some(value) = value {
            self.queue.push(Token::with(TokenKind::Scalar(value), Slice::buffer(0, len), visible));
            self.queue.push(Token::new(TokenKind::RootComplete, visible));
            self.phase = self.after(true);
        } else {
            self.become_text(end - self.word.len() as u64);
            let text = Slice::buffer(0, self.out.len());
            self.queue.push(Token::with(TokenKind::StringText, text, end));
        }
        self.word.clear();
    }
}

impl Machine for JsonBody {
    fn step(&mut self, input: &mut Input<'_>) -> Result<Option<Token>, Error> {
        loop {
            if let Some(token) = self.queue.pop() {
                self.own = true;
                return Ok(Some(token));
            }
            match self.phase {
                JsonBodyPhase::Before => {
                    if !self.begin(input) {
                        return Ok(None);
                    }
                }
                JsonBodyPhase::Fence => {
                    if !self.fence(input) {
                        return Ok(None);
                    }
                }
                JsonBodyPhase::Scalar => {
                    if !self.word(input) {
                        return Ok(None);
                    }
                }
                JsonBodyPhase::Value => return self.value(input),
                JsonBodyPhase::Text => return Ok(text(TokenKind::StringText, input)),
                JsonBodyPhase::After { .. } => {
                    if let Some(token) = self.separator(input) {
                        return Ok(Some(token));
                    }
                    if !self.behind_value(input) {
                        return Ok(text(TokenKind::Outside, input));
                    }
                }
            }
        }
    }

    fn finish(&mut self, end: u64) -> Result<Option<Token>, Error> {
        if let Some(token) = self.queue.pop() {
            self.own = true;
            return Ok(Some(token));
        }
        match self.phase {
            JsonBodyPhase::Before | JsonBodyPhase::After { .. } => Ok(None),
            JsonBodyPhase::Scalar | JsonBodyPhase::Fence => {
                self.end_word(end);
                self.finish(end)
            }
            JsonBodyPhase::Text => {
                self.phase = self.after(true);
                self.queue.push(Token::new(TokenKind::RootComplete, end));
                Ok(Some(Token::new(TokenKind::StringClose, end)))
            }
            JsonBodyPhase::Value => {
                self.own = false;
                if let Some(token) = self.lexer.finish(end)? {
                    return Ok(Some(token));
                }
                Ok(self.lexer.is_done().then(|| self.end_value(end)))
            }
        }
    }

    fn buffer(&self) -> &str {
        if self.own { &self.out } else { self.lexer.out() }
    }

    fn position(&self) -> Position {
        let in_value = self.phase == JsonBodyPhase::Value;
        let in_string = in_value && self.lexer.is_in_string();
        let region = if in_string { Region::String } else { Region::Outside };
        let drained = self.queue.is_empty() && (!in_value || self.lexer.is_drained());
        Position { region, drained, takes_runs: false, payloads: None }
    }

    fn own_pending_text(&mut self, input: &str) {
        self.lexer.own_pending_text(input);
    }

    fn held(&self, emitted: u64, end: u64) -> Vec<Held> {
        match self.phase {
            JsonBodyPhase::Value => self.lexer.held(emitted, end),
            JsonBodyPhase::Scalar | JsonBodyPhase::Fence => {
                vec![Held::up_to(HeldBy::Word, end, &self.word)]
            }
            _ => Vec::new(),
        }
    }

    fn canonicalize(&mut self) {
        self.lexer.canonicalize();
    }
}

/// The rest of the input as one token.
fn text(what: TokenKind, input: &mut Input<'_>) -> Option<Token> {
    let (start, end) = (input.pos, input.text().len());
    input.pos = end;
    (start < end).then(|| Token::with(what, Slice::input(start, end), input.offset()))
}

/// The input from a position on, as text outside the value.
fn outside(start: usize, input: &Input<'_>) -> Token {
    Token::with(TokenKind::Outside, Slice::input(start, input.pos), input.offset())
}

/// Whether the beginning of a line that opens a fence goes on with a character: backticks, and one word.
fn fence_goes_on(line: &str, char: char) -> bool {
    match char {
        '`' => line.bytes().all(|byte| byte == b'`'),
        _ if !line.starts_with("```") => false,
        ' ' | '\t' | '\r' | '\n' => true,
        _ => char.is_ascii_alphanumeric() && !line.ends_with([' ', '\t', '\r']),
    }
}

/// Whether a number may begin with the word and a character.
fn number_goes_on(word: &str, char: char) -> bool {
    let mut longer = String::with_capacity(word.len() + 2);
    longer.push_str(word);
    longer.push(char);
    let is_number = |word: &str| scalar(word) == Some(Scalar::Number);
    if is_number(&longer) {
        return true;
    }
    longer.push('0');
    is_number(&longer) && !char.is_ascii_digit()
}
