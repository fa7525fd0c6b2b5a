//! Decides which value an element becomes, as soon as its content shows it.

use super::XmlFormat;
use super::stack::ElementShape;
use super::value::{is_number, may_be_number, typed};
use crate::codes::Code;
use crate::lex::xml::XmlToken;
use crate::lex::{Scalar, Slice, Token, TokenKind};
use crate::limits::Limit;
use crate::span::Span;
use crate::text::is_whitespace;

/// The member for the attributes of an element.
pub(super) const ATTRIBUTES: &str = "_attributes";
/// The member for the text between the children of an element.
pub(super) const TEXT: &str = "_text";

impl XmlFormat {
    /// Begins an element after its opener.
    pub(super) fn begin(&mut self, attributes: &[(String, String)], end: u64) {
        self.pending.clear();
        let shape = self.options.shape(self.stack.top().schema);
        let plain = matches!(shape, ElementShape::Verbatim | ElementShape::Scalar);
        let bare = attributes.is_empty();
        match shape {
            ElementShape::Verbatim => self.push(TokenKind::StringOpen, "", end),
            ElementShape::Children => self.push(TokenKind::ObjectOpen, "", end),
            _ if bare || plain => {}
            _ => self.push(TokenKind::ObjectOpen, "", end),
        }
        if bare || plain {
            return self.stack.set_shape(shape);
        }
        self.stack.set_shape(ElementShape::Children);
        self.emit_attributes(attributes, end);
    }

    /// Emits the attributes. Of two attributes with one name the last value counts, at the place of the
    /// first.
    fn emit_attributes(&mut self, attributes: &[(String, String)], end: u64) {
        let above = self.options.child(self.stack.top().schema, ATTRIBUTES);
        self.push(TokenKind::Name, ATTRIBUTES, end);
        self.push(TokenKind::ObjectOpen, "", end);
        for (at, (name, _)) in attributes.iter().enumerate() {
            let mut same = attributes.iter().filter(|(other, _)| other == name);
            let value = same.next_back().map_or("", |(_, value)| value);
            if attributes[..at].iter().any(|(other, _)| other == name) {
                self.queue.push(Token::notice(Code::DuplicateKey, Span::at(end)));
                continue;
            }
            self.push(TokenKind::Key, name, end);
            let schema = self.options.child(above, name);
            let scalar = self.options.shape(schema) == ElementShape::Scalar;
            let known = schema.filter(|_| scalar).zip(self.options.schema.as_ref());
            match known.and_then(|(id, schema)| typed(schema, id, value)) {
                Some((scalar, text)) => self.push(TokenKind::Scalar(scalar), &text, end),
                None => self.string(value, end),
            }
        }
        self.push(TokenKind::Close, "", end);
    }

    fn string(&mut self, text: &str, end: u64) {
        self.begin_string(text, end);
        self.push(TokenKind::StringClose, "", end);
    }

    fn begin_string(&mut self, text: &str, end: u64) {
        self.push(TokenKind::StringOpen, "", end);
        if !text.is_empty() {
            self.push(TokenKind::StringText, text, end);
        }
    }

    /// Begins a string with the held text.
    fn begin_pending(&mut self, end: u64) {
        let pending = core::mem::take(&mut self.pending);
        self.begin_string(&pending, end);
        self.pending = pending;
        self.pending.clear();
    }

    /// Makes the innermost element an object, because a child begins.
    pub(super) fn before_child(&mut self, end: u64) {
        match self.stack.shape() {
            ElementShape::Undecided => self.push(TokenKind::ObjectOpen, "", end),
            ElementShape::Number => {
                self.push(TokenKind::ObjectOpen, "", end);
                self.push(TokenKind::Name, TEXT, end);
                self.begin_pending(end);
                self.push(TokenKind::StringClose, "", end);
            }
            ElementShape::Text => self.push(TokenKind::StringToObject, TEXT, end),
            ElementShape::Piece => self.push(TokenKind::StringClose, "", end),
            // The latter two have no children: openers in them are text.
            ElementShape::Children | ElementShape::Verbatim | ElementShape::Scalar => {}
        }
        self.pending.clear();
        self.stack.set_shape(ElementShape::Children);
    }

    /// Reads text in the innermost element.
    pub(super) fn text(&mut self, read: XmlToken, explicit: bool, input: &str) {
        match self.stack.shape() {
            ElementShape::Text | ElementShape::Verbatim | ElementShape::Piece => {
                self.queue.push(Token::with(TokenKind::StringText, read.text, read.end));
            }
            ElementShape::Undecided | ElementShape::Children => {
                self.blanks_or_text(read, explicit, input)
            }
            ElementShape::Number => self.number_or_text(read, explicit, input),
            ElementShape::Scalar => self.scalar_text(read, input),
        }
    }

    /// Reads text after nothing but whitespace.
    fn blanks_or_text(&mut self, read: XmlToken, explicit: bool, input: &str) {
        let text = resolve(read.text, input, &self.out);
        let visible = if explicit { Some(0) } else { text.find(|char| !is_whitespace(char)) };
        let room = self.options.caps.blanks.saturating_sub(self.pending.len());
        let blanks = visible.unwrap_or(text.len());
        if blanks > room {
            let at = read.start + room as u64;
            self.queue.push(Token::notice(Code::HoldCap, Span::at(at)));
            return self.decide_text(read, at);
        }
        if visible.is_none() {
            return self.pending.push_str(text);
        }
        let by_content =
            self.options.typed_by_content && self.stack.shape() == ElementShape::Undecided;
        if by_content && !explicit && blanks == 0 && self.pending.is_empty() {
            self.stack.set_shape(ElementShape::Number);
            return self.number_or_text(read, false, input);
        }
        self.decide_text(read, read.start + blanks as u64);
    }

    /// Makes the held text and new text a string. The decision fell at a stream offset.
    fn decide_text(&mut self, read: XmlToken, at: u64) {
        if self.stack.shape() == ElementShape::Children {
            self.push(TokenKind::Name, TEXT, at);
            self.stack.set_shape(ElementShape::Piece);
        } else {
            self.stack.set_shape(ElementShape::Text);
        }
        self.begin_pending(at);
        self.queue.push(Token::with(TokenKind::StringText, read.text, read.end));
    }

    fn number_or_text(&mut self, read: XmlToken, explicit: bool, input: &str) {
        let text = resolve(read.text, input, &self.out);
        let before = self.pending.len();
        for char in text.chars() {
            self.pending.push(char);
            if explicit || self.pending.len() > LONGEST_NUMBER || !may_be_number(&self.pending) {
                self.pending.pop();
                let at = read.start + (self.pending.len() - before) as u64;
                self.pending.truncate(before);
                return self.decide_text(read, at);
            }
        }
    }

    fn scalar_text(&mut self, read: XmlToken, input: &str) {
        let text = resolve(read.text, input, &self.out);
        let room = self.options.limits.get(Limit::Number).saturating_sub(self.pending.len() as u64);
        if text.len() as u64 <= room {
            return self.pending.push_str(text);
        }
        let at = read.end.min(read.start + room);
        self.queue.push(Token::notice(Code::TypeMismatch, Span::at(at)));
        self.begin_pending(at);
        self.stack.set_shape(ElementShape::Verbatim);
        self.queue.push(Token::with(TokenKind::StringText, read.text, read.end));
    }

    /// Completes the value of the innermost element.
    pub(super) fn end_value(&mut self, end: u64) {
        match self.stack.shape() {
            ElementShape::Undecided => {
                self.begin_pending(end);
                self.push(TokenKind::StringClose, "", end);
            }
            ElementShape::Text | ElementShape::Verbatim => {
                self.push(TokenKind::StringClose, "", end)
            }
            ElementShape::Children => self.push(TokenKind::Close, "", end),
            ElementShape::Piece => {
                self.push(TokenKind::StringClose, "", end);
                self.push(TokenKind::Close, "", end);
            }
            ElementShape::Number | ElementShape::Scalar => {
                if !self.whole_scalar(end) {
                    self.mismatch(end);
                    self.begin_pending(end);
                    self.push(TokenKind::StringClose, "", end);
                }
            }
        }
        self.pending.clear();
    }

    fn mismatch(&mut self, end: u64) {
        if self.stack.shape() == ElementShape::Scalar {
            self.queue.push(Token::notice(Code::TypeMismatch, Span::at(end)));
        }
    }

    /// Ends the input within the innermost element. Its value stays open.
    pub(super) fn cut_value(&mut self, end: u64) {
        match self.stack.shape() {
            ElementShape::Undecided => self.begin_pending(end),
            ElementShape::Number | ElementShape::Scalar if self.whole_scalar(end) => {}
            ElementShape::Number => self.begin_pending(end),
            ElementShape::Scalar => {
                self.queue.push(Token::notice(Code::TruncatedScalar, Span::at(end)));
            }
            ElementShape::Text
            | ElementShape::Verbatim
            | ElementShape::Children
            | ElementShape::Piece => {}
        }
        self.pending.clear();
    }

    /// Emits the held text as a number, bool or null, if it is one.
    fn whole_scalar(&mut self, end: u64) -> bool {
        let found = match (self.stack.shape(), &self.options.schema, self.stack.top().schema) {
            (ElementShape::Number, ..) => {
                is_number(&self.pending).then(|| (Scalar::Number, self.pending.clone()))
            }
            (_, Some(schema), Some(id)) => typed(schema, id, &self.pending),
            _ => None,
        };
        let Some((scalar, text)) = found else { return false };
        self.push(TokenKind::Scalar(scalar), &text, end);
        true
    }
}

/// Most bytes of a number. Longer numbers are text.
const LONGEST_NUMBER: usize = 64;

/// The text of a slice, in the input or in the buffer.
pub(super) fn resolve<'t>(slice: Slice, input: &'t str, out: &'t str) -> &'t str {
    match slice {
        Slice::Empty => "",
        Slice::Input { start, end } => &input[start as usize..end as usize],
        Slice::Buffer { start, end } => &out[start as usize..end as usize],
    }
}
