//! Fields between tags:
//!
//! ```text
//! Here it is:                            outside: Text
//! <agently_output>                       the object opens
//! <field name="title" type="text">       a field: text, with the blanks round it trimmed
//! Hello </field> there                   content: nothing follows that may follow a field
//! </field>
//! <field name="n" type="json">[1]</field>
//! </agently_output>                      the object is complete; what follows is Text
//! ```

mod between;
mod closer;
mod content;

use super::fields::{
    FieldDeclaration, FieldNames, FieldOptions, Payload, PendingTokens, Text, Unwraps,
};
use super::json::JsonOptions;
use super::{Machine, Payloads, Position, Region, TextRun};
use crate::codes::Code;
use crate::error::Error;
use crate::held::{Held, HeldBy};
use crate::lex::attributes::AttributeReader;
use crate::lex::{Input, Token, TokenKind};
use crate::limits::Limit;
use crate::span::Span;
use crate::text::is_whitespace;
use closer::Closer;

/// Longest tag.
const MOST_TAG: usize = 4096;

/// The spellings that are looked for, in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Literals {
    /// `<root`.
    root_opener: String,
    /// `</root`.
    root_closer: String,
}

/// Where the reading stands.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    /// Before the root, or behind it. What may be its tag is held.
    Outside {
        after: bool,
    },
    /// In the tag of the root.
    Root {
        after: bool,
        tag: AttributeReader,
    },
    /// Between fields. So many backticks may be the last of the text; whether it was noted that
    /// something stands there.
    Between {
        ticks: u8,
        noted: bool,
    },
    /// In what may be a tag between fields, in a comment or not.
    Tag {
        comment: bool,
    },
    /// In a comment between fields, which hides no field: so many hyphens that may be the first of
    /// its end.
    Comment {
        hyphens: u8,
    },
    /// In the tag of a field.
    Field(AttributeReader),
    /// In the closing tag of the root.
    Closing,
    Content(Content),
}

/// In a field.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Content {
    /// Nothing but blanks came so far.
    blank: bool,
    /// Nothing but blanks came so far on this line, which is not that of the opening tag.
    line_blank: bool,
    /// This is the line of the opening tag.
    first_line: bool,
    /// In a CDATA section.
    section: bool,
    closer: Option<Closer>,
}

/// What becomes of a field's content.
#[derive(Debug, Clone, PartialEq)]
enum Body {
    Text(Text),
    Json(Box<Payload>),
    /// It is passed over.
    None,
}

/// The machine.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct XmlFieldFormat {
    literals: Literals,
    json: JsonOptions,
    unwraps: Unwraps,
    names: FieldNames,
    place: Place,
    body: Body,
    /// What is held: what may be a tag, from its `<` on. Of content the closer holds it.
    held: String,
    held_from: u64,
    held_limit: usize,
    /// Where what is read ends in the stream.
    until: u64,
    roots: u32,
    /// The input ended.
    ended: bool,
    out: PendingTokens,
}

impl XmlFieldFormat {
    pub(crate) fn new(names: &FieldOptions, json: &JsonOptions) -> Self {
        let root = names.root_tag.to_ascii_lowercase();
        Self {
            literals: Literals {
                root_opener: format!("<{root}"),
                root_closer: format!("</{root}"),
            },
            json: json.clone(),
            unwraps: names.unwraps.clone(),
            names: FieldNames::new(json.schema.as_ref()),
            place: Place::Outside { after: false },
            body: Body::None,
            held: String::new(),
            held_from: 0,
            held_limit: json.limits.size(Limit::Held),
            until: 0,
            roots: 0,
            ended: false,
            out: PendingTokens::default(),
        }
    }

    /// A machine that stands in the root already: for fields without one.
    pub(crate) fn in_root(names: &FieldOptions, json: &JsonOptions) -> Self {
        let mut machine = Self::new(names, json);
        machine.out.push(TokenKind::ObjectOpen, 0);
        machine.roots = 1;
        Self { place: Place::Between { ticks: 0, noted: false }, ..machine }
    }

    /// Where the first tag of a field begins in a text.
    pub(crate) fn first_field(text: &str) -> Option<usize> {
        let opens = |at: &usize| {
            let rest = &text.as_bytes()[*at..];
            rest.get(..6).is_some_and(|tag| tag.eq_ignore_ascii_case(b"<field"))
                && rest.get(6).is_some_and(u8::is_ascii_whitespace)
        };
        memchr::memchr_iter(b'<', text.as_bytes()).find(opens)
    }

    /// Reads some of the text, which begins in the stream at `base`. How much was eaten.
    fn read(&mut self, text: &str, base: u64) -> Result<usize, Error> {
        let Some(char) = text.chars().next() else { return Ok(0) };
        let span = self.span(base, char.len_utf8());
        let end = span.end;
        match &mut self.place {
            Place::Outside { .. } if self.held.is_empty() => return Ok(self.outside(text, base)),
            Place::Outside { .. } => return Ok(self.root_name(char, span)),
            Place::Root { .. } => self.root_tag(char, end),
            Place::Between { .. } => self.between(char, end),
            Place::Tag { .. } => return self.tag(char, span),
            Place::Comment { .. } => self.comment(char, end),
            Place::Field(attributes) => {
                attributes.push(char);
                self.field_tag(char, end)?;
            }
            Place::Closing => return Ok(self.closing(char, span)),
            Place::Content(_) => return self.content(text, base),
        }
        Ok(char.len_utf8())
    }

    /// So many bytes of text from there on. What stands for invalid bytes is longer here than in the
    /// stream.
    fn span(&self, base: u64, len: usize) -> Span {
        Span::new(base.min(self.until), self.until.min(base + len as u64))
    }

    /// Reads all of a text that was held, which stands for this span of the stream.
    fn read_again(&mut self, text: &str, held: Span) -> Result<(), Error> {
        let until = core::mem::replace(&mut self.until, held.end);
        let mut from = 0;
        while from < text.len() {
            from += self.read(&text[from..], held.start + from as u64)?;
        }
        self.until = until;
        Ok(())
    }

    /// Text outside the root, up to what may be its tag.
    fn outside(&mut self, text: &str, base: u64) -> usize {
        let len = memchr::memchr(b'<', text.as_bytes()).unwrap_or(text.len());
        if len > 0 {
            let end = self.span(base, len).end;
            self.out.push_text(TokenKind::Outside, &text[..len], end);
            return len;
        }
        self.held.push('<');
        self.held_from = base;
        1
    }

    /// In what may be the name of the root's tag. How much was eaten.
    fn root_name(&mut self, char: char, span: Span) -> usize {
        let Place::Outside { after } = self.place else { return 0 };
        let len = char.len_utf8();
        let opener = &self.literals.root_opener;
        if self.held.len() == opener.len() && (is_whitespace(char) || matches!(char, '/' | '>')) {
            self.place = Place::Root { after, tag: AttributeReader::default() };
            self.root_tag(char, span.end);
            return len;
        }
        let next = opener.as_bytes().get(self.held.len()).copied().map(char::from);
        if next.is_some_and(|next| next.eq_ignore_ascii_case(&char)) {
            self.held.push(char);
            return len;
        }
        let held = core::mem::take(&mut self.held);
        self.out.push_text(TokenKind::Outside, &held, span.start);
        0
    }

    fn root_tag(&mut self, char: char, end: u64) {
        let Place::Root { after, tag } = &mut self.place else { return };
        let after = *after;
        tag.push(char);
        self.held.push(char);
        if self.held.len() > MOST_TAG {
            self.out.notice(Code::HoldCap, Span::new(self.held_from, end));
            return self.release_root(after, end);
        }
        let Place::Root { tag, .. } = &self.place else { return };
        if !tag.is_done() {
            return;
        }
        let empty = tag.is_empty();
        if after {
            self.out.notice(Code::SecondRoot, Span::new(self.held_from, end));
            return self.release_root(after, end);
        }
        self.held.clear();
        self.roots += 1;
        self.out.push(TokenKind::ObjectOpen, end);
        self.place = Place::Between { ticks: 0, noted: false };
        if empty {
            self.close_root(end);
        }
    }

    /// The tag of the root is text.
    fn release_root(&mut self, after: bool, end: u64) {
        let held = core::mem::take(&mut self.held);
        self.out.push_text(TokenKind::Outside, &held, end);
        self.place = Place::Outside { after };
    }

    fn close_root(&mut self, end: u64) {
        self.held.clear();
        self.note_missing(end);
        self.out.push(TokenKind::Close, end);
        self.out.push(TokenKind::RootComplete, end);
        self.place = Place::Outside { after: true };
    }

    fn note_missing(&mut self, end: u64) {
        let free = matches!(self.place, Place::Between { .. } | Place::Closing);
        for name in self.names.missing() {
            if free {
                self.out.push_text(TokenKind::Key, name, end);
            }
            self.out.notice(Code::MissingField, Span::at(end));
        }
    }

    /// The tag of a field is whole.
    fn open_field(&mut self, tag: &AttributeReader, end: u64) -> Result<(), Error> {
        let kind = tag.get("type").unwrap_or_default().to_ascii_lowercase();
        let (says_json, says_text) = (kind == "json", kind == "text");
        let name = tag.get("name").unwrap_or("");
        let found = match self.names.find(name) {
            FieldDeclaration::Free if name.is_empty() => FieldDeclaration::Unknown,
            found => found,
        };
        self.body = match found {
            FieldDeclaration::Unknown => {
                self.out.push_text(TokenKind::Key, name, end);
                self.pass_over(Code::UnknownField, end)
            }
            FieldDeclaration::Duplicate => self.pass_over(Code::DuplicateField, end),
            FieldDeclaration::Text => self.open_text(name, end),
            FieldDeclaration::Typed => self.open_json(name),
            FieldDeclaration::Free if says_json => self.open_json(name),
            FieldDeclaration::Free => self.open_text(name, end),
            FieldDeclaration::Any if !is_of_json(&kind) => self.open_text(name, end),
            FieldDeclaration::Any => self.open_json(name),
        };
        let differs = match found {
            FieldDeclaration::Text => says_json,
            FieldDeclaration::Typed => says_text,
            _ => false,
        };
        if differs {
            self.out.notice(Code::TypeMismatch, Span::at(end));
        }
        if !matches!(found, FieldDeclaration::Unknown | FieldDeclaration::Duplicate) {
            self.names.open(name);
        }
        self.place =
            Place::Content(Content { blank: true, first_line: true, ..Content::default() });
        if tag.is_empty() { self.close_field(end) } else { Ok(()) }
    }

    fn pass_over(&mut self, code: Code, end: u64) -> Body {
        self.out.notice(code, Span::at(end));
        Body::None
    }

    fn open_text(&mut self, name: &str, end: u64) -> Body {
        self.out.push_text(TokenKind::Key, name, end);
        self.out.push(TokenKind::StringOpen, end);
        Body::Text(Text::new(true, self.unwraps.of(name), self.held_limit))
    }

    fn open_json(&self, name: &str) -> Body {
        Body::Json(Box::new(Payload::new(name, &self.json)))
    }

    /// The field is complete.
    fn close_field(&mut self, end: u64) -> Result<(), Error> {
        match core::mem::replace(&mut self.body, Body::None) {
            Body::Text(mut text) => {
                text.finish(end, &mut self.out);
                self.out.push(TokenKind::StringClose, end);
            }
            Body::Json(mut payload) => {
                let whole = payload.close(end, &mut self.out)?;
                if !whole {
                    payload.notice(Code::BadJson, Span::at(end), &mut self.out);
                }
            }
            Body::None => {}
        }
        self.place = Place::Between { ticks: 0, noted: false };
        Ok(())
    }

    fn end_input(&mut self, end: u64) -> Result<(), Error> {
        match &self.place {
            Place::Outside { after } | Place::Root { after, .. } => {
                let after = *after;
                if after && matches!(self.place, Place::Root { .. }) {
                    self.out.notice(Code::SecondRoot, Span::new(self.held_from, end));
                }
                if !self.held.is_empty() {
                    self.release_root(after, end);
                }
                if !after {
                    self.note_missing(end);
                }
            }
            Place::Between { .. } | Place::Tag { .. } | Place::Comment { .. } | Place::Closing => {
                self.close_root(end);
            }
            // The object stays open: the text was cut.
            Place::Field(_) => self.note_missing(end),
            Place::Content(content) => {
                let closed = content.closer.as_ref().and_then(Closer::end);
                match (closed, &mut self.body) {
                    (Some(_), _) => {
                        self.end_section();
                        self.close_field(end)?;
                        self.close_root(end);
                    }
                    (None, Body::Json(payload)) => {
                        payload.finish(end, &mut self.out)?;
                        self.note_missing(end);
                    }
                    (None, _) => self.note_missing(end),
                }
            }
        }
        Ok(())
    }
}

/// Whether what may be anything is JSON by its type: where none is said, or one that JSON has.
fn is_of_json(kind: &str) -> bool {
    const KINDS: [&str; 13] = [
        "", "json", "list", "array", "object", "dict", "map", "number", "integer", "int", "float",
        "bool", "boolean",
    ];
    KINDS.contains(&kind)
}

impl Machine for XmlFieldFormat {
    fn step(&mut self, input: &mut Input<'_>) -> Result<Option<Token>, Error> {
        loop {
            if let Some(token) = self.out.pop() {
                return Ok(Some(token));
            }
            if input.is_done() {
                return Ok(None);
            }
            self.until = input.offset_of(input.text().len());
            input.pos += self.read(input.rest(), input.offset())?;
        }
    }

    fn text_run(&mut self, chunk: &str, _end: u64, scratch: &mut String) -> Option<TextRun> {
        debug_assert!(self.position().takes_runs, "callers check the position first");
        self.content_run(chunk, scratch)
    }

    fn finish(&mut self, end: u64) -> Result<Option<Token>, Error> {
        if let Some(token) = self.out.pop() {
            return Ok(Some(token));
        }
        if !core::mem::replace(&mut self.ended, true) {
            self.until = end;
            self.end_input(end)?;
        }
        Ok(self.out.pop())
    }

    /// What may be the root's tag is text: a marker stands in it.
    fn interrupt(&mut self, end: u64) -> Option<Token> {
        if let Place::Outside { after } | Place::Root { after, .. } = self.place
            && !self.held.is_empty()
        {
            self.release_root(after, end);
        }
        self.out.pop()
    }

    fn buffer(&self) -> &str {
        self.out.buffer()
    }

    fn canonicalize(&mut self) {
        self.out.forget();
        self.until = 0;
        let looking = matches!(&self.place, Place::Content(content) if content.closer.is_some());
        if self.held.is_empty() && !looking {
            self.held_from = 0;
        }
    }

    fn own_pending_text(&mut self, input: &str) {
        self.out.settle(input);
    }

    fn position(&self) -> Position {
        let drained = self.out.is_empty();
        let (region, takes_runs) = match (&self.place, &self.body) {
            (Place::Outside { .. } | Place::Root { .. }, _) if drained => (Region::Outside, false),
            (Place::Content(Content { section: true, .. }), _) => (Region::String, false),
            (_, Body::Json(payload)) if payload.is_in_string() => (Region::String, false),
            (Place::Content(content), Body::Text(_)) => {
                (Region::Payload, drained && content.closer.is_none())
            }
            _ => (Region::Payload, false),
        };
        let payloads = Some(Payloads { begun: self.roots, fence: None });
        Position { region, drained, takes_runs, payloads }
    }

    fn held(&self, emitted: u64, end: u64) -> Vec<Held> {
        let Place::Content(content) = &self.place else {
            let tag = (!self.held.is_empty())
                .then(|| Held::new(HeldBy::FieldTag, self.held_from, &self.held));
            return tag.into_iter().collect();
        };
        let before = if content.closer.is_some() { self.held_from } else { end };
        let mut held = match &self.body {
            Body::Text(text) if !text.held().is_empty() => {
                vec![Held::up_to(HeldBy::FieldBlanks, before, text.held())]
            }
            Body::Json(payload) => payload.held(emitted, before),
            _ => Vec::new(),
        };
        let closer = content.closer.as_ref();
        held.extend(closer.map(|it| Held::new(HeldBy::FieldCloser, self.held_from, it.text())));
        held
    }

    fn leave(&mut self) {
        self.place = Place::Outside { after: true };
        self.ended = false;
    }
}
