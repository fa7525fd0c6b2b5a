//! The body of an element, read as a tree of tags and emitted as a value.
//!
//! An element without children is its text. An element with children is an object in their order, and
//! children of one name are a list. Attributes are in `_attributes`, text between children in `_text`.
//!
//! ```text
//! <issue id="1">       issue: an object, with _attributes
//!   <type>Slow</type>  whitespace before a child is dropped; type: a string
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
use crate::lex::xml::{XmlLexer, XmlScope, XmlToken, XmlTokenKind, decode_into};
use crate::lex::{Input, Queue, Slice, Token, TokenKind};
use crate::limits::Limit;
use crate::schema::Schema;
use crate::span::Span;
pub use options::XmlBody;
use options::XmlOptions;
use stack::{ElementShape, XmlStack};

/// The machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct XmlFormat {
    options: Arc<XmlOptions>,
    lexer: XmlLexer,
    stack: XmlStack,
    /// Held text of the innermost element: whitespace, or a possible number, bool or null.
    pending: String,
    queue: Queue,
    /// Text of tokens that lies outside of the input.
    out: String,
    /// The attributes of the body's own element, until its value begins.
    own: Option<Vec<(String, String)>>,
    ended: bool,
}

impl XmlFormat {
    fn new(options: Arc<XmlOptions>, attributes: &[(String, String)]) -> Self {
        let schema = options.schema.as_ref().map(Schema::root);
        Self {
            lexer: XmlLexer::new(options.caps),
            stack: XmlStack::new(schema),
            pending: String::new(),
            queue: Queue::default(),
            out: String::new(),
            own: Some(attributes.to_vec()),
            ended: false,
            options,
        }
    }

    /// Begins the body. Returns false if it has begun before.
    fn begin_body(&mut self, at: u64) -> bool {
        let Some(attributes) = self.own.take() else { return false };
        self.begin(&attributes, at);
        true
    }

    /// Turns a token of the lexer into tokens of the format.
    fn take(&mut self, read: XmlToken, input: &str) -> Result<(), Error> {
        match read.kind {
            XmlTokenKind::Text { explicit } => self.text(read, explicit, input),
            XmlTokenKind::Opener { closed } => self.opener(closed, read.end)?,
            XmlTokenKind::Closer => self.closer(Span::new(read.start, read.end)),
            XmlTokenKind::CommentText => {}
            XmlTokenKind::CommentEnd | XmlTokenKind::Prolog => {
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

    /// The attributes in the last opener, with their entities resolved.
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

    /// Closes the innermost element.
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

    /// Reads the next token of the lexer.
    fn read(&mut self, input: &mut Input<'_>) -> Option<XmlToken> {
        let Self { lexer, stack, options, out, .. } = self;
        lexer.step(input, &scope(options, stack, &|name, whole| stack.has(name, whole)), out)
    }

    /// Reads the next token of the text that the lexer holds, at the end.
    fn read_end(&mut self, end: u64) -> Option<XmlToken> {
        let Self { lexer, stack, options, out, .. } = self;
        lexer.finish(end, &scope(options, stack, &|name, whole| stack.has(name, whole)), out)
    }

    /// The next token of held text. None without held text.
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

    /// Emits a notice if a comment or section is still open.
    fn end_section(&mut self, end: u64) {
        if let Some(comment) = self.lexer.open_section() {
            self.queue.push(Token::notice(Code::UnclosedSection, Span::at(end)));
            if comment {
                self.queue.push(Token::new(TokenKind::Skipped(SkipReason::Comment), end));
            }
        }
    }
}

/// Which tags count at the position.
fn scope<'s>(
    options: &'s XmlOptions,
    stack: &XmlStack,
    open: &'s dyn Fn(&str, bool) -> bool,
) -> XmlScope<'s> {
    XmlScope {
        known: options.known.as_ref(),
        openers: !matches!(stack.shape(), ElementShape::Verbatim | ElementShape::Scalar),
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

    /// Ends the input within the body. Open elements stay open, unless the input is the whole body.
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
        self.lexer.canonicalize();
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
                ElementShape::Number | ElementShape::Scalar => HeldBy::XmlScalar,
                _ => HeldBy::XmlBlanks,
            };
            all.push(Held::up_to(by, before, &self.pending));
        }
        all.extend(held);
        all
    }
}
