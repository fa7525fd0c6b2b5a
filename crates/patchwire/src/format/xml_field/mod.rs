//! Fields between tags.
//!
//! ```text
//! Here it is:                            outside: Text
//! <answer_fields>                       the object opens
//! <field name="title" type="text">       a field: text, without whitespace around it
//! Hello </field> there                   content: ` there` cannot follow a field
//! </field>
//! <field name="n" type="json">[1]</field>
//! </answer_fields>                      the object is complete; what follows is Text
//! ```

mod between;
mod closer;
mod content;
mod row;
#[cfg(test)]
mod tests;

use super::fields::{
    EnvelopeName, FieldDeclaration, FieldNames, FieldOptions, FieldText, Payload, PendingTokens,
    Unwraps,
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
use closer::FieldCloser;
pub(crate) use row::XmlFieldRow;

/// Longest tag.
const MOST_TAG: usize = 4096;

/// The tags of the root, in lower case.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Literals {
    /// `<root`, for each name of the root.
    openers: Vec<String>,
    /// `</root`, for each name of the root.
    closers: Vec<String>,
}

impl Literals {
    fn new(root: &EnvelopeName) -> Self {
        let tags = |start: &str| {
            root.read().iter().map(|name| format!("{start}{}", name.to_ascii_lowercase())).collect()
        };
        Self { openers: tags("<"), closers: tags("</") }
    }

    /// Whether a text is a closer of the root, but for its `>`.
    fn is_closer(&self, text: &str) -> bool {
        self.closers.iter().any(|closer| closer.eq_ignore_ascii_case(text))
    }
}

/// Whether a character continues a text towards a literal.
fn continues(literal: &str, text: &str, char: char) -> bool {
    let next = literal.as_bytes().get(text.len()).copied().map(char::from);
    next.is_some_and(|next| next.eq_ignore_ascii_case(&char))
        && literal.get(..text.len()).is_some_and(|start| start.eq_ignore_ascii_case(text))
}

/// The position in the format.
#[derive(Debug, Clone, PartialEq, Eq)]
enum FieldPlace {
    /// Before or after the root. A possible tag of the root is held.
    Outside {
        after: bool,
    },
    /// In the tag of the root.
    Root {
        after: bool,
        tag: AttributeReader,
    },
    /// Between fields. `ticks`: backticks that may be the end of the text. `noted`: stray text had a
    /// notice.
    Between {
        ticks: u8,
        noted: bool,
    },
    /// In a possible tag between fields, inside a comment or not.
    Tag {
        comment: bool,
    },
    /// In a comment between fields, which hides no field. `hyphens`: hyphens that may begin its end.
    Comment {
        hyphens: u8,
    },
    /// In the tag of a field.
    Field(AttributeReader),
    /// In the closing tag of the root.
    Closing,
    Content(FieldContent),
}

/// The position in the content of a field.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct FieldContent {
    /// Only whitespace was read so far.
    blank: bool,
    /// Only whitespace was read on this line, and the line is not that of the opening tag.
    line_blank: bool,
    /// The line is that of the opening tag.
    first_line: bool,
    /// In a CDATA section.
    section: bool,
    closer: Option<FieldCloser>,
}

/// How the content of a field is read.
#[derive(Debug, Clone, PartialEq)]
enum FieldBody {
    Text(FieldText),
    Json(Box<Payload>),
    /// The content is skipped.
    None,
}

/// The machine.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct XmlFieldFormat {
    literals: Literals,
    json: JsonOptions,
    unwraps: Unwraps,
    names: FieldNames,
    place: FieldPlace,
    body: FieldBody,
    /// A possible tag, from its `<` on. In content, the closer holds the text.
    held: String,
    held_from: u64,
    held_limit: usize,
    /// Stream offset where the text that is read ends.
    until: u64,
    roots: u32,
    /// Whether the input ended.
    ended: bool,
    out: PendingTokens,
}

impl XmlFieldFormat {
    pub(crate) fn new(names: &FieldOptions, json: &JsonOptions) -> Self {
        Self {
            literals: Literals::new(&names.root_tag),
            json: json.clone(),
            unwraps: names.unwraps.clone(),
            names: FieldNames::new(json.schema.as_ref()),
            place: FieldPlace::Outside { after: false },
            body: FieldBody::None,
            held: String::new(),
            held_from: 0,
            held_limit: json.limits.size(Limit::Held),
            until: 0,
            roots: 0,
            ended: false,
            out: PendingTokens::default(),
        }
    }

    /// A machine inside the root, for fields without a root.
    pub(crate) fn in_root(names: &FieldOptions, json: &JsonOptions) -> Self {
        let mut machine = Self::new(names, json);
        machine.out.push(TokenKind::ObjectOpen, 0);
        machine.roots = 1;
        Self { place: FieldPlace::Between { ticks: 0, noted: false }, ..machine }
    }

    /// The position of the first tag of a field in a text.
    pub(crate) fn first_field(text: &str) -> Option<usize> {
        let opens = |at: &usize| {
            let rest = &text.as_bytes()[*at..];
            rest.get(..6).is_some_and(|tag| tag.eq_ignore_ascii_case(b"<field"))
                && rest.get(6).is_some_and(u8::is_ascii_whitespace)
        };
        memchr::memchr_iter(b'<', text.as_bytes()).find(opens)
    }

    /// Reads a part of a text that begins at the stream offset `base`. Returns the bytes consumed.
    fn read(&mut self, text: &str, base: u64) -> Result<usize, Error> {
        let Some(char) = text.chars().next() else { return Ok(0) };
        let span = self.span(base, char.len_utf8());
        let end = span.end;
        match &mut self.place {
            FieldPlace::Outside { .. } if self.held.is_empty() => {
                return Ok(self.outside(text, base));
            }
            FieldPlace::Outside { .. } => return Ok(self.root_name(char, span)),
            FieldPlace::Root { .. } => self.root_tag(char, end),
            FieldPlace::Between { .. } => self.between(char, end),
            FieldPlace::Tag { .. } => return self.tag(char, span),
            FieldPlace::Comment { .. } => self.comment(char, end),
            FieldPlace::Field(attributes) => {
                attributes.push(char);
                self.field_tag(char, end)?;
            }
            FieldPlace::Closing => return Ok(self.closing(char, span)),
            FieldPlace::Content(_) => return self.content(text, base),
        }
        Ok(char.len_utf8())
    }

    /// The span of text at an offset. Text in place of invalid bytes is longer than in the stream.
    fn span(&self, base: u64, len: usize) -> Span {
        Span::new(base.min(self.until), self.until.min(base + len as u64))
    }

    /// Reads all of a held text, whose bytes are this span of the stream.
    fn read_again(&mut self, text: &str, held: Span) -> Result<(), Error> {
        let until = core::mem::replace(&mut self.until, held.end);
        let mut from = 0;
        while from < text.len() {
            from += self.read(&text[from..], held.start + from as u64)?;
        }
        self.until = until;
        Ok(())
    }

    /// Reads text outside the root, up to a possible tag.
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

    /// Reads a possible name of the root. Returns the bytes consumed.
    fn root_name(&mut self, char: char, span: Span) -> usize {
        let FieldPlace::Outside { after } = self.place else { return 0 };
        let len = char.len_utf8();
        let openers = &self.literals.openers;
        let is_opener = openers.iter().any(|opener| opener.eq_ignore_ascii_case(&self.held));
        if is_opener && (is_whitespace(char) || matches!(char, '/' | '>')) {
            self.place = FieldPlace::Root { after, tag: AttributeReader::default() };
            self.root_tag(char, span.end);
            return len;
        }
        if openers.iter().any(|opener| continues(opener, &self.held, char)) {
            self.held.push(char);
            return len;
        }
        let held = core::mem::take(&mut self.held);
        self.out.push_text(TokenKind::Outside, &held, span.start);
        0
    }

    fn root_tag(&mut self, char: char, end: u64) {
        let FieldPlace::Root { after, tag } = &mut self.place else { return };
        let after = *after;
        tag.push(char);
        self.held.push(char);
        if self.held.len() > MOST_TAG {
            self.out.notice(Code::HoldCap, Span::new(self.held_from, end));
            return self.release_root(after, end);
        }
        let FieldPlace::Root { tag, .. } = &self.place else { return };
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
        self.place = FieldPlace::Between { ticks: 0, noted: false };
        if empty {
            self.close_root(end);
        }
    }

    /// Turns a possible tag of the root into text.
    fn release_root(&mut self, after: bool, end: u64) {
        let held = core::mem::take(&mut self.held);
        self.out.push_text(TokenKind::Outside, &held, end);
        self.place = FieldPlace::Outside { after };
    }

    fn close_root(&mut self, end: u64) {
        self.held.clear();
        self.note_missing(end);
        self.out.push(TokenKind::Close, end);
        self.out.push(TokenKind::RootComplete, end);
        self.place = FieldPlace::Outside { after: true };
    }

    fn note_missing(&mut self, end: u64) {
        let free = matches!(self.place, FieldPlace::Between { .. } | FieldPlace::Closing);
        for name in self.names.missing() {
            if free {
                self.out.push_text(TokenKind::Key, name, end);
            }
            self.out.notice(Code::MissingField, Span::at(end));
        }
    }

    /// Opens the field of a complete tag.
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
            FieldDeclaration::Duplicate => {
                self.out.notice_of_member(Code::DuplicateField, name, Span::at(end));
                FieldBody::None
            }
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
        self.place = FieldPlace::Content(FieldContent {
            blank: true,
            first_line: true,
            ..FieldContent::default()
        });
        if tag.is_empty() { self.close_field(end, end) } else { Ok(()) }
    }

    fn pass_over(&mut self, code: Code, end: u64) -> FieldBody {
        self.out.notice(code, Span::at(end));
        FieldBody::None
    }

    fn open_text(&mut self, name: &str, end: u64) -> FieldBody {
        self.out.push_text(TokenKind::Key, name, end);
        self.out.push(TokenKind::StringOpen, end);
        FieldBody::Text(FieldText::new(true, self.unwraps.of(name), self.held_limit))
    }

    fn open_json(&self, name: &str) -> FieldBody {
        FieldBody::Json(Box::new(Payload::new(name, &self.json)))
    }

    /// Completes the field, whose text ends at `closer`.
    fn close_field(&mut self, closer: u64, end: u64) -> Result<(), Error> {
        match core::mem::replace(&mut self.body, FieldBody::None) {
            FieldBody::Text(mut text) => {
                text.finish(end, &mut self.out);
                self.out.push(TokenKind::StringClose, end);
            }
            FieldBody::Json(mut payload) => {
                let whole = payload.close(closer, end, &mut self.out)?;
                if !whole {
                    payload.notice(Code::BadJson, Span::at(end), &mut self.out);
                }
            }
            FieldBody::None => {}
        }
        self.place = FieldPlace::Between { ticks: 0, noted: false };
        Ok(())
    }

    fn end_input(&mut self, end: u64) -> Result<(), Error> {
        match &self.place {
            FieldPlace::Outside { after } | FieldPlace::Root { after, .. } => {
                let after = *after;
                if after && matches!(self.place, FieldPlace::Root { .. }) {
                    self.out.notice(Code::SecondRoot, Span::new(self.held_from, end));
                }
                if !self.held.is_empty() {
                    self.release_root(after, end);
                }
                if !after {
                    self.note_missing(end);
                }
            }
            FieldPlace::Between { .. }
            | FieldPlace::Tag { .. }
            | FieldPlace::Comment { .. }
            | FieldPlace::Closing => {
                self.close_root(end);
            }
            // The object stays open: the text was cut.
            FieldPlace::Field(_) => self.note_missing(end),
            FieldPlace::Content(content) => {
                let closed = content.closer.as_ref().and_then(FieldCloser::end);
                match (closed, &mut self.body) {
                    (Some(_), _) => {
                        self.end_section();
                        self.close_field(self.held_from, end)?;
                        self.close_root(end);
                    }
                    (None, FieldBody::Json(payload)) => {
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

/// Whether a field without a schema is JSON by the type in its tag: no type, or a type of JSON.
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

    fn prose_run(&mut self, prose: &str, _end: u64, scratch: &mut String) -> Option<TextRun> {
        let FieldBody::Text(field) = &mut self.body else { return None };
        Some(field.prose_run(prose, scratch))
    }

    fn finish(&mut self, end: u64) -> Result<Option<Token>, Error> {
        if !core::mem::replace(&mut self.ended, true) {
            self.until = end;
            self.end_input(end)?;
        }
        Ok(self.out.pop())
    }

    /// Turns a possible tag of the root into text, because a marker is inside it.
    fn interrupt(&mut self, end: u64) -> Option<Token> {
        if let FieldPlace::Outside { after } | FieldPlace::Root { after, .. } = self.place
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
        self.out.canonicalize();
        self.until = 0;
        let looking =
            matches!(&self.place, FieldPlace::Content(content) if content.closer.is_some());
        if self.held.is_empty() && !looking {
            self.held_from = 0;
        }
    }

    fn own_pending_text(&mut self, input: &str) {
        self.out.own_pending_text(input);
    }

    fn position(&self) -> Position {
        let drained = self.out.is_empty();
        let (region, takes_runs) = match (&self.place, &self.body) {
            (FieldPlace::Outside { .. } | FieldPlace::Root { .. }, _) if drained => {
                (Region::Outside, false)
            }
            (FieldPlace::Content(FieldContent { section: true, .. }), _) => (Region::String, false),
            (_, FieldBody::Json(payload)) if payload.is_in_string() => (Region::String, false),
            (FieldPlace::Content(content), FieldBody::Text(_)) => {
                (Region::Payload, drained && content.closer.is_none())
            }
            _ => (Region::Payload, false),
        };
        let payloads = Some(Payloads { begun: self.roots, fence: None });
        Position { region, drained, takes_runs, payloads }
    }

    fn held(&self, emitted: u64, end: u64) -> Vec<Held> {
        let FieldPlace::Content(content) = &self.place else {
            let tag = (!self.held.is_empty())
                .then(|| Held::new(HeldBy::FieldTag, self.held_from, &self.held));
            return tag.into_iter().collect();
        };
        let before = if content.closer.is_some() { self.held_from } else { end };
        let mut held = match &self.body {
            FieldBody::Text(text) if !text.held().is_empty() => {
                vec![Held::up_to(HeldBy::FieldBlanks, before, text.held())]
            }
            FieldBody::Json(payload) => payload.held(emitted, before),
            _ => Vec::new(),
        };
        let closer = content.closer.as_ref();
        held.extend(closer.map(|it| Held::new(HeldBy::FieldCloser, self.held_from, it.text())));
        held
    }

    fn leave(&mut self) {
        self.place = FieldPlace::Outside { after: true };
        self.ended = false;
    }
}
