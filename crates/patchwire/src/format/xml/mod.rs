//! The text of an element's body, read as a tree and emitted as a value.
//!
//! An element without children is its text. One with children is an object in their order; a name that
//! comes again makes a list of all that have it. Attributes are in `_attributes`, text between children
//! in `_text`.
//!
//! ```text
//! <issue id="1">       issue: an object, with _attributes
//!   <type>Slow</type>  blanks before a child are none of the value; type: a string
//!   see <b>this</b>    _text: "see "; b: a string
//! </issue>
//! ```

mod options;
mod reader;
mod shape;
mod stack;
mod value;

use std::sync::Arc;

use super::{Machine, Position, Region};
use crate::codes::{Code, SkipReason};
use crate::error::{Error, ErrorKind};
use crate::held::{Held, HeldBy};
use crate::lex::xml::{Lexeme, Lexer, Read, Scope, decode_into};
use crate::lex::{Input, Queue, Slice, Token, TokenKind};
use crate::limits::Limit;
use crate::schema::Schema;
use crate::span::Span;
use options::Options;
pub use options::XmlBody;
use stack::{Shape, Stack};

/// The machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct XmlFormat {
    options: Arc<Options>,
    lexer: Lexer,
    stack: Stack,
    /// What is held of the innermost element: blanks, or what may be a value that is no text.
    pending: String,
    queue: Queue,
    /// Text of tokens that does not lie in the input.
    out: String,
    /// The attributes of the element itself, until its value begins.
    own: Option<Vec<(String, String)>>,
    ended: bool,
}

impl XmlFormat {
    fn new(options: Arc<Options>, attributes: &[(String, String)]) -> Self {
        let schema = options.schema.as_ref().map(Schema::root);
        Self {
            lexer: Lexer::new(options.caps),
            stack: Stack::new(schema),
            pending: String::new(),
            queue: Queue::default(),
            out: String::new(),
            own: Some(attributes.to_vec()),
            ended: false,
            options,
        }
    }

    /// The body begins here, if it has not begun before.
    fn begin_body(&mut self, at: u64) -> bool {
        let Some(attributes) = self.own.take() else { return false };
        self.begin(&attributes, at);
        true
    }

    /// What was read becomes tokens.
    fn take(&mut self, read: Read, input: &str) -> Result<(), Error> {
        match read.what {
            Lexeme::Text { explicit } => self.text(read, explicit, input),
            Lexeme::Opener { closed } => self.opener(closed, read.end)?,
            Lexeme::Closer => self.closer(Span::new(read.start, read.end)),
            Lexeme::CommentText => {}
            Lexeme::CommentEnd | Lexeme::Prolog => {
                self.queue.push(Token::new(TokenKind::Skipped(SkipReason::Comment), read.end));
            }
        }
        Ok(())
    }

    fn opener(&mut self, closed: bool, end: u64) -> Result<(), Error> {
        let limit = |limit, offset| Err(Error::new(ErrorKind::Limit(limit), offset));
        let name = self.lexer.name().to_owned();
        let limits = &self.options.limits;
        if name.len() as u64 > limits.get(Limit::Key) {
            return limit(Limit::Key, end);
        }
        if self.stack.depth() as u64 >= limits.get(Limit::Depth) {
            return limit(Limit::Depth, end);
        }
        self.before_child(end);
        self.push(TokenKind::Name, &name, end);
        let schema = self.options.child(self.stack.top().schema, &name);
        self.stack.push(&name, schema);
        let attributes = self.attributes();
        self.begin(&attributes, end);
        if closed {
            self.close_element(end);
        }
        Ok(())
    }

    /// The attributes in the opener just read.
    fn attributes(&self) -> Vec<(String, String)> {
        let longest = self.options.caps.entity;
        let owned = |(name, value): (&str, &str)| {
            let mut text = String::new();
            decode_into(&mut text, value, longest);
            (name.to_owned(), text)
        };
        self.lexer.attributes().map(owned).collect()
    }

    fn closer(&mut self, span: Span) {
        let Some(above) = self.stack.above(self.lexer.name()) else {
            self.queue.push(Token::notice(Code::StrayCloser, span));
            self.queue.push(Token::new(TokenKind::Skipped(SkipReason::SurplusClose), span.end));
            return;
        };
        for _ in 0..above {
            self.queue.push(Token::notice(Code::MissingClose, span));
            self.close_element(span.end);
        }
        self.close_element(span.end);
    }

    /// The innermost element closes.
    fn close_element(&mut self, end: u64) {
        self.end_value(end);
        self.stack.pop();
    }

    fn push(&mut self, what: TokenKind, text: &str, end: u64) {
        let slice = if text.is_empty() { Slice::Empty } else { self.keep(text) };
        self.queue.push(Token::with(what, slice, end));
    }

    fn keep(&mut self, text: &str) -> Slice {
        let from = self.out.len();
        self.out.push_str(text);
        Slice::buffer(from, self.out.len())
    }

    /// What the lexer reads next of this input.
    fn read(&mut self, input: &mut Input<'_>) -> Option<Read> {
        let Self { lexer, stack, options, out, .. } = self;
        lexer.step(input, &scope(options, stack, &|name, whole| stack.has(name, whole)), out)
    }

    /// What the lexer held, now that nothing follows.
    fn read_end(&mut self, end: u64) -> Option<Read> {
        let Self { lexer, stack, options, out, .. } = self;
        lexer.finish(end, &scope(options, stack, &|name, whole| stack.has(name, whole)), out)
    }

    /// The next token of what was held. None when nothing is.
    fn next_held(&mut self, end: u64) -> Result<Option<Token>, Error> {
        loop {
            if let Some(token) = self.queue.pop() {
                return Ok(Some(token));
            }
            match self.read_end(end) {
                Some(read) => self.take(read, "")?,
                None => return Ok(None),
            }
        }
    }

    /// A comment or section that is open is given up.
    fn end_section(&mut self, end: u64) {
        if let Some(comment) = self.lexer.open_section() {
            self.queue.push(Token::notice(Code::UnclosedSection, Span::at(end)));
            if comment {
                self.queue.push(Token::new(TokenKind::Skipped(SkipReason::Comment), end));
            }
            self.lexer.leave_section();
        }
    }
}

/// What can be a tag where the machine stands.
fn scope<'s>(
    options: &'s Options,
    stack: &Stack,
    open: &'s dyn Fn(&str, bool) -> bool,
) -> Scope<'s> {
    Scope {
        known: options.known.as_ref(),
        openers: !matches!(stack.shape(), Shape::Verbatim | Shape::Scalar),
        inside: stack.depth() > 0,
        open,
    }
}

impl Machine for XmlFormat {
    fn step(&mut self, input: &mut Input<'_>) -> Result<Option<Token>, Error> {
        loop {
            if let Some(token) = self.queue.pop() {
                return Ok(Some(token));
            }
            self.out.clear();
            if !input.is_done() && self.begin_body(input.offset()) {
                continue;
            }
            match self.read(input) {
                Some(read) => self.take(read, input.text())?,
                None => return Ok(None),
            }
        }
    }

    /// The input ended in the body: what is open is left to be closed by it.
    fn finish(&mut self, end: u64) -> Result<Option<Token>, Error> {
        if self.options.whole && (self.ended || self.stack.depth() == 0) {
            return self.close(end);
        }
        self.begin_body(end);
        if let Some(token) = self.next_held(end)? {
            return Ok(Some(token));
        }
        if core::mem::replace(&mut self.ended, true) {
            return Ok(None);
        }
        self.end_section(end);
        self.cut_value(end);
        Ok(self.queue.pop())
    }

    fn close(&mut self, end: u64) -> Result<Option<Token>, Error> {
        self.begin_body(end);
        if let Some(token) = self.next_held(end)? {
            return Ok(Some(token));
        }
        if core::mem::replace(&mut self.ended, true) {
            return Ok(None);
        }
        self.end_section(end);
        while self.stack.depth() > 0 {
            self.queue.push(Token::notice(Code::MissingClose, Span::at(end)));
            self.close_element(end);
        }
        self.end_value(end);
        Ok(self.queue.pop())
    }

    fn interrupt(&mut self, end: u64) -> Option<Token> {
        if self.lexer.open_section().is_some() {
            return self.queue.pop();
        }
        self.next_held(end).ok().flatten()
    }

    fn buffer(&self) -> &str {
        &self.out
    }

    fn canonicalize(&mut self) {
        self.lexer.forget();
        self.out.clear();
    }

    fn position(&self) -> Position {
        let in_section = self.lexer.open_section().is_some();
        let region = if in_section { Region::String } else { Region::Outside };
        Position { payloads: None, ..Position::at(region) }
    }

    fn own_pending_text(&mut self, input: &str) {
        self.queue.own_inputs(input, &mut self.out);
    }

    fn held(&self, _emitted: u64, end: u64) -> Vec<Held> {
        let held = self.lexer.held(end);
        let mut all = Vec::new();
        if !self.pending.is_empty() {
            let before = held.as_ref().map_or(end, |held| held.from);
            let by = match self.stack.shape() {
                Shape::Number | Shape::Scalar => HeldBy::XmlScalar,
                _ => HeldBy::XmlBlanks,
            };
            all.push(Held::up_to(by, before, &self.pending));
        }
        all.extend(held);
        all
    }
}
