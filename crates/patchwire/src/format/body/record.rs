//! Text whose `Key: value` lines are also fields. Text is emitted as it arrives, a field at the end of its
//! line.

use crate::error::Error;
use crate::format::json::JsonOptions;
use crate::format::{Machine, Position, Region};
use crate::lex::{Input, Queue, Slice, Token, TokenKind};
use crate::limits::Limit;
use crate::tags::Family;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RecordBody {
    keys: Vec<String>,
    any_key: bool,
    /// The beginning of the line, if it may be a field.
    line: String,
    limit: usize,
    /// Whether the line is too long for a field.
    passed: bool,
    begun: bool,
    ended: bool,
    queue: Queue,
    out: String,
}

impl RecordBody {
    pub(crate) fn new(family: &Family, options: &JsonOptions) -> Self {
        Self {
            keys: family.body.keys.clone(),
            any_key: family.body.any_key,
            line: String::new(),
            limit: options.limits.size(Limit::Held),
            passed: false,
            begun: false,
            ended: false,
            queue: Queue::default(),
            out: String::new(),
        }
    }

    fn keep(&mut self, text: &str) {
        if self.line.len() + text.len() > self.limit {
            self.passed = true;
            self.line.clear();
        }
        if !self.passed {
            self.line.push_str(text);
        }
    }

    /// Emits the field of a complete line, if it is one.
    fn end_line(&mut self, end: u64) {
        let line = core::mem::take(&mut self.line);
        if !core::mem::take(&mut self.passed)
            && let Some((key, value)) = self.field(line.trim())
        {
            self.out.clear();
            self.out.push_str(key);
            self.out.push_str(value);
            let (key, all) = (key.len(), self.out.len());
            if !core::mem::replace(&mut self.begun, true) {
                self.queue.push(Token::new(TokenKind::ObjectOpen, end));
            }
            self.queue.push(Token::with(TokenKind::Key, Slice::buffer(0, key), end));
            self.queue.push(Token::new(TokenKind::StringOpen, end));
            if all > key {
                self.queue.push(Token::with(TokenKind::StringText, Slice::buffer(key, all), end));
            }
            self.queue.push(Token::new(TokenKind::StringClose, end));
        }
        self.line = line;
        self.line.clear();
    }

    fn field<'l>(&self, line: &'l str) -> Option<(&'l str, &'l str)> {
        let (key, value) = line.split_once(':')?;
        let key = key.trim_end();
        let is_word = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-');
        let any = self.any_key && !key.is_empty() && key.chars().all(is_word);
        let known = self.keys.iter().any(|known| known.eq_ignore_ascii_case(key));
        (any || known).then(|| (key, value.trim_start()))
    }
}

impl Machine for RecordBody {
    /// Reads a line, or the part of it in the input, and then its field.
    fn step(&mut self, input: &mut Input<'_>) -> Result<Option<Token>, Error> {
        if let Some(token) = self.queue.pop() {
            return Ok(Some(token));
        }
        if input.is_done() {
            return Ok(None);
        }
        let start = input.pos;
        let rest = input.rest();
        let line = memchr::memchr(b'\n', rest.as_bytes());
        let len = line.map_or(rest.len(), |at| at + 1);
        self.keep(&rest[..len]);
        input.pos += len;
        let end = input.offset();
        if line.is_some() {
            self.end_line(end);
        }
        let text = Slice::input(start, start + len);
        Ok(Some(Token::with(TokenKind::Outside, text, end)))
    }

    fn finish(&mut self, end: u64) -> Result<Option<Token>, Error> {
        if self.queue.is_empty() && !self.line.is_empty() {
            self.end_line(end);
        }
        if let Some(token) = self.queue.pop() {
            return Ok(Some(token));
        }
        if !self.begun || core::mem::replace(&mut self.ended, true) {
            return Ok(None);
        }
        self.queue.push(Token::new(TokenKind::RootComplete, end));
        Ok(Some(Token::new(TokenKind::Close, end)))
    }

    fn buffer(&self) -> &str {
        &self.out
    }

    fn position(&self) -> Position {
        let drained = self.queue.is_empty();
        Position { drained, payloads: None, ..Position::at(Region::Outside) }
    }
}
