//! The JSON in a field that is not text: bare or in a fence, with what stands around it passed over.

use super::Out;
use crate::error::Error;
use crate::format::json::JsonOptions;
use crate::lex::json::{Lexer, scalar};
use crate::lex::{Input, Scalar, Slice, Token, What};
use crate::limits::Limit;
use crate::notice::Code;
use crate::span::Span;

/// Where a field's JSON stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// At the start of a line, behind blanks or marks of lists and quotes, or in a word.
    Seek {
        marks: bool,
    },
    /// In what may open a fence: its mark and how many of them came.
    Run {
        mark: char,
        len: usize,
    },
    /// In the rest of a fence's first line.
    Info {
        mark: char,
    },
    /// In the rest of a line that is no JSON.
    Stray,
    Value,
    /// Behind the value, and so far in the last line of the fence; whether something stood there.
    After {
        noted: bool,
    },
}

/// The reader of one field's JSON.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Payload {
    /// The name of the field, until its value begins.
    key: Option<String>,
    phase: Phase,
    lexer: Lexer,
    /// The word that may be a number or literal, or the mark of a list.
    word: String,
    word_end: u64,
    word_limit: usize,
    /// Containers that are open.
    depth: u32,
    in_string: bool,
}

impl Payload {
    pub(crate) fn new(name: &str, options: &JsonOptions) -> Self {
        let limit = options.limits.get(Limit::Number);
        Self {
            key: Some(name.to_owned()),
            phase: Phase::Seek { marks: false },
            lexer: Lexer::new(options.rules, &options.limits, options.caps),
            word: String::new(),
            word_end: 0,
            word_limit: usize::try_from(limit).unwrap_or(usize::MAX),
            depth: 0,
            in_string: false,
        }
    }

    /// Whether it is sure that the text stands in a string.
    pub(crate) fn is_in_string(&self) -> bool {
        self.phase == Phase::Value && self.lexer.is_in_string()
    }

    /// Reads text that begins in the stream at `base`.
    pub(crate) fn read(&mut self, text: &str, base: u64, out: &mut Out) -> Result<(), Error> {
        let mut from = 0;
        while let Some(char) = text[from..].chars().next() {
            if self.phase == Phase::Value {
                from += self.value(&text[from..], base + from as u64, out)?;
                continue;
            }
            let end = base + (from + char.len_utf8()) as u64;
            if self.char(char, end, out) {
                from += char.len_utf8();
            }
        }
        Ok(())
    }

    /// Reads a character outside the value. Whether it was eaten.
    fn char(&mut self, char: char, end: u64, out: &mut Out) -> bool {
        let blank = matches!(char, ' ' | '\t' | '\r');
        match (self.phase, char) {
            (Phase::Seek { marks }, _) => return self.seek(char, marks, end, out),
            (Phase::Run { mark, len }, _) if char == mark => {
                self.phase = Phase::Run { mark, len: len.saturating_add(1) };
            }
            (Phase::Run { mark, len: 3.. }, _) => {
                self.phase = Phase::Info { mark };
                return false;
            }
            (Phase::Run { .. }, _) => {
                self.stray(end, out);
                return false;
            }
            (Phase::Info { mark: '`' }, '`') => self.stray(end, out),
            (Phase::Info { .. } | Phase::Stray, '\n') => self.phase = Phase::Seek { marks: false },
            (Phase::After { noted: false }, _) if !blank && !matches!(char, '\n' | '`' | '~') => {
                self.phase = Phase::After { noted: true };
                out.notice(Code::TrailingContent, Span::new(end - char.len_utf8() as u64, end));
            }
            _ => {}
        }
        true
    }

    /// Looks for the value. Whether the character was eaten.
    fn seek(&mut self, char: char, marks: bool, end: u64, out: &mut Out) -> bool {
        let ends_word = matches!(char, ' ' | '\t' | '\r' | '\n' | ',' | '}' | ']');
        match char {
            '{' | '[' | '"' if self.word.is_empty() && !marks => {
                self.phase = Phase::Value;
                return false;
            }
            '`' | '~' if self.word.is_empty() => self.phase = Phase::Run { mark: char, len: 1 },
            '\n' if self.word.is_empty() => self.phase = Phase::Seek { marks: false },
            ' ' | '\t' | '\r' if self.word.is_empty() => {}
            _ if ends_word && !marks && self.end_word(out) => return false,
            ' ' | '\t' if is_mark(&self.word) => self.pass_mark(),
            '>' if self.word == ">" => {
                self.pass_mark();
                self.word.push('>');
            }
            _ if ends_word || self.word.len() >= self.word_limit => {
                self.stray(end, out);
                return false;
            }
            _ => {
                self.word.push(char);
                self.word_end = end;
            }
        }
        true
    }

    fn pass_mark(&mut self) {
        self.word.clear();
        self.phase = Phase::Seek { marks: true };
    }

    /// The word may be the value. Whether it is.
    fn end_word(&mut self, out: &mut Out) -> bool {
        let Some(value) = scalar(&self.word) else { return false };
        self.begin(out);
        let text = if value == Scalar::Number { self.word.as_str() } else { "" };
        out.push_text(What::Scalar(value), text, self.word_end);
        self.word.clear();
        self.phase = Phase::After { noted: false };
        true
    }

    fn stray(&mut self, end: u64, out: &mut Out) {
        out.notice(Code::StrayText, Span::at(end));
        self.word.clear();
        self.phase = Phase::Stray;
    }

    /// Reads on in the value. How much of the text was eaten.
    fn value(&mut self, text: &str, base: u64, out: &mut Out) -> Result<usize, Error> {
        let mut input = Input::new(text, base);
        while let Some(token) = self.lexer.step(&mut input)? {
            self.tell(token, text, out);
        }
        if self.lexer.is_done() {
            self.phase = Phase::After { noted: false };
            let rest = self.lexer.take_replay();
            let from = input.offset() - rest.len() as u64;
            self.read(&rest, from, out)?;
        }
        self.lexer.forget();
        Ok(input.pos)
    }

    fn tell(&mut self, token: Token, input: &str, out: &mut Out) {
        self.begin(out);
        match token.what {
            What::ObjectOpen | What::ListOpen => self.depth += 1,
            What::Close => self.depth -= 1,
            What::StringOpen => self.in_string = true,
            What::StringClose => self.in_string = false,
            _ => {}
        }
        let text = match token.text {
            Slice::Empty => return out.token(token),
            Slice::Input { start, end } => &input[start as usize..end as usize],
            Slice::Buffer { start, end } => &self.lexer.out()[start as usize..end as usize],
        };
        out.push_text(token.what, text, token.end);
    }

    /// The value begins: its key comes first.
    fn begin(&mut self, out: &mut Out) {
        if let Some(key) = self.key.take() {
            let end = self.word_end;
            out.push_text(What::Key, &key, end);
        }
    }

    /// The field ends there, and its value with it, whole or not. Whether it is whole.
    pub(crate) fn finish(&mut self, end: u64, out: &mut Out) -> Result<bool, Error> {
        let whole = self.end_input(end, out)?;
        if self.phase == Phase::Value && !whole {
            out.notice(Code::MissingClose, Span::at(end));
            if core::mem::take(&mut self.in_string) {
                out.push(What::StringClose, end);
            }
            for _ in 0..core::mem::take(&mut self.depth) {
                out.push(What::Close, end);
            }
        }
        if !self.has_begun() {
            out.notice(Code::BadJson, Span::at(end));
        }
        Ok(whole)
    }

    /// The input ends there: what may still be a value is one. What is open stays so. Whether there is a
    /// value that is whole.
    pub(crate) fn end_input(&mut self, end: u64, out: &mut Out) -> Result<bool, Error> {
        let is_value = matches!(self.phase, Phase::Seek { marks: false }) && self.end_word(out);
        let cut_word = matches!(self.phase, Phase::Seek { .. }) && !self.word.is_empty();
        if !is_value && (cut_word || matches!(self.phase, Phase::Run { len: ..3, .. })) {
            self.stray(end, out);
        }
        if self.phase == Phase::Value {
            while let Some(token) = self.lexer.finish(end)? {
                self.tell(token, "", out);
            }
            return Ok(self.lexer.is_done());
        }
        Ok(matches!(self.phase, Phase::After { .. }))
    }

    /// Whether nothing but blanks came so far.
    pub(crate) const fn is_blank(&self) -> bool {
        matches!(self.phase, Phase::Seek { marks: false }) && self.word.is_empty()
    }

    /// Whether a value began.
    pub(crate) const fn has_begun(&self) -> bool {
        self.key.is_none()
    }
}

/// What stands in front of an item of a list, or of a line of a quote.
fn is_mark(word: &str) -> bool {
    let digits = word.trim_end_matches(['.', ')']);
    let numbered = digits.len() + 1 == word.len()
        && (1..=9).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    matches!(word, ">" | "-" | "*" | "+") || numbered
}
