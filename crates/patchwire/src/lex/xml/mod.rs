//! Splits text into text, tags, comments and CDATA sections.
//!
//! Everything is decided as early as possible: bytes that may become a tag or an entity are held, and
//! the first character that cannot belong to one makes them text. Such text is read again from its next
//! `<` or `&` on, so that no tag in it is missed.

mod code;
mod entity;
mod names;
mod section;
mod tag;
#[cfg(test)]
mod tests;

use crate::caps::XmlCaps;
use crate::held::{Held, HeldBy};
use crate::lex::{Input, Slice};
use crate::text::WHITESPACE;
use code::XmlCode;
use entity::Entity;
pub(crate) use entity::decode_into;
pub(crate) use names::TagNames;
use section::{SectionPart, XmlSection};
use tag::{Markup, TagCandidate, TagPart, TagStep};

/// The kind of an XML token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum XmlTokenKind {
    /// Text. `explicit`: from an entity or a `CDATA` section, so that it counts even if it is whitespace.
    Text { explicit: bool },
    /// An opener. `closed`: it ends in `/>`.
    Opener { closed: bool },
    /// A closer.
    Closer,
    /// Text of a comment.
    CommentText,
    /// The end of a comment.
    CommentEnd,
    /// A document type or declaration.
    Prolog,
}

/// A token, and its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct XmlToken {
    pub(crate) kind: XmlTokenKind,
    /// The text of a text token, in the input or in the buffer of the caller.
    pub(crate) text: Slice,
    /// Stream offset of the first byte.
    pub(crate) start: u64,
    /// Stream offset just past the last byte.
    pub(crate) end: u64,
}

/// Which tags count at the position.
pub(crate) struct XmlScope<'s> {
    /// The names that are tags. None if every name is.
    pub(crate) known: Option<&'s TagNames>,
    /// Whether openers count.
    pub(crate) openers: bool,
    /// Whether an element is open.
    pub(crate) inside: bool,
    /// Whether an open element has a name (`true`), or a name with this beginning (`false`).
    pub(crate) open: &'s dyn Fn(&str, bool) -> bool,
}

impl XmlScope<'_> {
    /// Whether a closer may have a name with this beginning. If openers do not count, only open elements
    /// have closers.
    fn may_begin_closer(&self, start: &str) -> bool {
        match self.known {
            _ if !self.openers => (self.open)(start, false),
            Some(known) => known.any_begins(start),
            None => self.inside,
        }
    }

    fn may_close(&self, name: &str) -> bool {
        match self.known {
            _ if !self.openers => (self.open)(name, true),
            Some(known) => known.contains(name),
            None => self.inside,
        }
    }
}

/// The position in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum XmlState {
    Text,
    /// In bytes that may become markup.
    Markup(TagPart),
    /// In bytes that may become an entity.
    Entity,
    /// In a comment or section.
    Section(XmlSection),
}

/// Text of a refuted tag, which is read again.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct RereadText {
    text: String,
    at: usize,
    /// Stream offset of its end.
    end: u64,
}

/// The lexer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct XmlLexer {
    caps: XmlCaps,
    state: XmlState,
    /// The undecided bytes; or a complete tag, while its name and attributes are read.
    held: String,
    /// The number of attributes in the held tag.
    attributes: usize,
    again: RereadText,
    place: XmlPlace,
    code: XmlCode,
}

/// The text before the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct XmlPlace {
    /// Whether only whitespace was read on this line, or since the last tag.
    fresh: bool,
    /// Whether neither text nor an element was read so far.
    start: bool,
}

impl XmlLexer {
    pub(crate) fn new(caps: XmlCaps) -> Self {
        Self {
            caps,
            state: XmlState::Text,
            held: String::new(),
            attributes: 0,
            again: RereadText::default(),
            place: XmlPlace { fresh: true, start: true },
            code: XmlCode::new(true),
        }
    }

    /// Reads the next token. None when the input is used up. Text that does not lie in the input is
    /// appended to `out`.
    pub(crate) fn step(
        &mut self,
        input: &mut Input<'_>,
        scope: &XmlScope<'_>,
        out: &mut String,
    ) -> Option<XmlToken> {
        self.canonicalize();
        while !self.again.text.is_empty() {
            if let Some(read) = self.step_again(scope, out) {
                return Some(read);
            }
        }
        self.read(input, scope, out)
    }

    /// Reads the next token of refuted text.
    fn step_again(&mut self, scope: &XmlScope<'_>, out: &mut String) -> Option<XmlToken> {
        let RereadText { text, at, end } = core::mem::take(&mut self.again);
        let mut input = Input::new(&text, end - text.len() as u64);
        input.pos = at;
        let read = self
            .read(&mut input, scope, out)
            .map(|read| XmlToken { text: owned(read.text, &text, out), ..read });
        let at = input.pos;
        if at < text.len() {
            self.again_before(text, at, end);
        }
        read
    }

    /// Puts the rest of refuted text after the text that was refuted within it.
    fn again_before(&mut self, text: String, at: usize, end: u64) {
        if self.again.text.is_empty() {
            self.again = RereadText { text, at, end };
        } else {
            self.again.text.push_str(&text[at..]);
            self.again.end = end;
        }
    }

    fn read(
        &mut self,
        input: &mut Input<'_>,
        scope: &XmlScope<'_>,
        out: &mut String,
    ) -> Option<XmlToken> {
        while !input.is_done() {
            let read = match self.state {
                XmlState::Text => self.read_text(input),
                XmlState::Markup(part) => self.read_markup(part, input, scope, out),
                XmlState::Entity => self.read_entity(input, out),
                XmlState::Section(section) => self.read_section(section, input, out),
            };
            if read.is_some() {
                return read;
            }
        }
        None
    }

    fn read_text(&mut self, input: &mut Input<'_>) -> Option<XmlToken> {
        let start = input.pos;
        let bytes = input.bytes();
        let len = memchr::memchr2(b'<', b'&', bytes).unwrap_or(bytes.len());
        if len > 0 {
            input.pos += len;
            self.pass(&input.text()[start..input.pos]);
            let text = Slice::input(start, input.pos);
            return Some(plain(text, input.offset_of(start), input.offset()));
        }
        self.held.clear();
        self.attributes = 0;
        self.state = if input.peek() == Some(b'<') {
            XmlState::Markup(TagPart::Start)
        } else {
            XmlState::Entity
        };
        self.held.push_str(&input.text()[start..=start]);
        input.pos += 1;
        None
    }

    /// Records whether a tag may begin after some text.
    fn pass(&mut self, text: &str) {
        let visible = text.trim_end_matches([' ', '\t', '\r']);
        let XmlPlace { fresh, start } = &mut self.place;
        *fresh = if visible.is_empty() { *fresh } else { visible.ends_with('\n') };
        *start &= visible.trim_end_matches(WHITESPACE).is_empty();
        self.code.push(text);
    }

    fn read_markup(
        &mut self,
        part: TagPart,
        input: &mut Input<'_>,
        scope: &XmlScope<'_>,
        out: &mut String,
    ) -> Option<XmlToken> {
        let in_code = scope.known.is_none() && self.code.is_code();
        let scope = &XmlScope { openers: scope.openers && !in_code, ..*scope };
        let mut part = part;
        while let Some(char) = input.peek_char() {
            self.held.push(char);
            let room = self.held.len() <= self.caps.tag && !input.is_replaced();
            let candidate = TagCandidate { held: &self.held, place: self.place, in_code, scope };
            let next = if room { candidate.take(part, char) } else { TagStep::Refuted };
            let begins = |next| next == TagStep::More(TagPart::Key) && part != TagPart::Key;
            if begins(next) {
                self.attributes += 1;
            }
            match next {
                TagStep::More(_) if self.attributes > self.caps.attributes => {}
                TagStep::More(next) => {
                    input.pos += char.len_utf8();
                    part = next;
                    self.state = XmlState::Markup(part);
                    continue;
                }
                TagStep::Whole(markup) => {
                    input.pos += char.len_utf8();
                    return self.whole(markup, input.offset());
                }
                TagStep::Refuted => {}
            }
            self.held.pop();
            return Some(self.refute(input.offset(), out));
        }
        None
    }

    fn whole(&mut self, markup: Markup, end: u64) -> Option<XmlToken> {
        self.state = XmlState::Text;
        self.place.fresh = true;
        if matches!(markup, Markup::Opener { .. } | Markup::Closer) {
            self.place.start = false;
            self.code = XmlCode::new(false);
        }
        let kind = match markup {
            Markup::Opener { closed } => XmlTokenKind::Opener { closed },
            Markup::Closer => XmlTokenKind::Closer,
            Markup::Prolog => XmlTokenKind::Prolog,
            Markup::Comment | Markup::Cdata => {
                self.state = XmlState::Section(XmlSection::new(markup == Markup::Comment));
                self.held.clear();
                return None;
            }
        };
        let start = end - self.held.len() as u64;
        Some(XmlToken { kind, text: Slice::Empty, start, end })
    }

    /// Turns the held bytes into text, up to the next byte that may begin markup.
    fn refute(&mut self, end: u64, out: &mut String) -> XmlToken {
        let held = core::mem::take(&mut self.held);
        let first = held.chars().next().map_or(0, char::len_utf8);
        let len = held[first..].find(['<', '&']).map_or(held.len(), |at| first + at);
        if len < held.len() {
            self.again = RereadText { text: held[len..].to_owned(), at: 0, end };
        }
        self.state = XmlState::Text;
        self.pass(&held[..len]);
        let from = out.len();
        out.push_str(&held[..len]);
        let start = end - held.len() as u64;
        plain(Slice::buffer(from, out.len()), start, start + len as u64)
    }

    fn read_entity(&mut self, input: &mut Input<'_>, out: &mut String) -> Option<XmlToken> {
        while let Some(char) = input.peek_char() {
            self.held.push(char);
            let room = self.held.len() <= self.caps.entity;
            match if room { entity::look(&self.held) } else { Entity::Refuted } {
                Entity::More => input.pos += char.len_utf8(),
                Entity::Whole(meant) => {
                    input.pos += char.len_utf8();
                    self.state = XmlState::Text;
                    self.place = XmlPlace { fresh: false, start: false };
                    self.code.push_other();
                    let (end, from) = (input.offset(), out.len());
                    let start = end - self.held.len() as u64;
                    self.held.clear();
                    out.push(meant);
                    return Some(explicit(Slice::buffer(from, out.len()), start, end));
                }
                Entity::Refuted => {
                    self.held.pop();
                    return Some(self.refute(input.offset(), out));
                }
            }
        }
        None
    }

    fn read_section(
        &mut self,
        mut section: XmlSection,
        input: &mut Input<'_>,
        out: &mut String,
    ) -> Option<XmlToken> {
        let start = input.offset();
        let piece = section.read(input, out);
        self.state = XmlState::Section(section);
        let end = input.offset();
        let read = |kind, text| Some(XmlToken { kind, text, start, end });
        match piece {
            SectionPart::Nothing => None,
            SectionPart::Text(text) if section.comment => read(XmlTokenKind::CommentText, text),
            SectionPart::Text(text) => {
                self.place = XmlPlace { fresh: false, start: false };
                read(XmlTokenKind::Text { explicit: true }, text)
            }
            SectionPart::End => {
                self.state = XmlState::Text;
                section.comment.then_some(())?;
                read(XmlTokenKind::CommentEnd, Slice::Empty)
            }
        }
    }

    /// Decides the held bytes at the end of the text. Call it until it returns None.
    pub(crate) fn finish(
        &mut self,
        end: u64,
        scope: &XmlScope<'_>,
        out: &mut String,
    ) -> Option<XmlToken> {
        self.canonicalize();
        loop {
            if !self.again.text.is_empty() {
                if let Some(read) = self.step_again(scope, out) {
                    return Some(read);
                }
                continue;
            }
            return match &mut self.state {
                XmlState::Markup(_) | XmlState::Entity => Some(self.refute(end, out)),
                XmlState::Section(section) => {
                    let kind = if section.comment {
                        XmlTokenKind::CommentText
                    } else {
                        XmlTokenKind::Text { explicit: true }
                    };
                    section.flush(out).map(|text| XmlToken { kind, text, start: end, end })
                }
                XmlState::Text => None,
            };
        }
    }

    /// Whether a comment (`true`) or a CDATA section (`false`) is open.
    pub(crate) const fn open_section(&self) -> Option<bool> {
        match self.state {
            XmlState::Section(section) => Some(section.comment),
            _ => None,
        }
    }

    /// The name in the last tag.
    pub(crate) fn name(&self) -> &str {
        tag::name(&self.held)
    }

    /// The attributes in the last opener, as they are written.
    pub(crate) fn attributes(&self) -> impl Iterator<Item = (&str, &str)> {
        tag::attributes(&self.held)
    }

    /// Drops the last tag.
    pub(crate) fn canonicalize(&mut self) {
        if self.state == XmlState::Text {
            self.held.clear();
            self.attributes = 0;
        }
    }

    /// The bytes that are held back.
    pub(crate) fn held(&self, end: u64) -> Option<Held> {
        let by = match self.state {
            XmlState::Text => return None,
            XmlState::Markup(_) => HeldBy::XmlTag,
            XmlState::Entity => HeldBy::XmlEntity,
            XmlState::Section(section) => return section.held(end),
        };
        Some(Held::up_to(by, end, &self.held))
    }
}

const fn plain(text: Slice, start: u64, end: u64) -> XmlToken {
    XmlToken { kind: XmlTokenKind::Text { explicit: false }, text, start, end }
}

const fn explicit(text: Slice, start: u64, end: u64) -> XmlToken {
    XmlToken { kind: XmlTokenKind::Text { explicit: true }, text, start, end }
}

/// Moves text of an input that is about to be dropped into `out`.
fn owned(slice: Slice, input: &str, out: &mut String) -> Slice {
    let Slice::Input { start, end } = slice else { return slice };
    let from = out.len();
    out.push_str(&input[start as usize..end as usize]);
    Slice::buffer(from, out.len())
}
