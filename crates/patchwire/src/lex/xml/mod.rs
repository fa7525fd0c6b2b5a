//! Text with tags in it, as text, tags, comments and sections.
//!
//! Everything is decided as early as it can be: what may still be a tag or an entity is held, and the
//! first character that it cannot have makes it text. A run that turns out to be text is read again
//! from the next `<` or `&` in it on, so that nothing in it is missed.

mod entity;
mod names;
mod section;
mod tag;

use crate::caps::XmlCaps;
use crate::held::{Held, HeldBy};
use crate::lex::{Input, Slice};
use crate::text::WHITESPACE;
use entity::Entity;
pub(crate) use entity::decode_into;
pub(crate) use names::Names;
use section::{Piece, Section};
use tag::{Candidate, Markup, Next, Part};

/// What was read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lexeme {
    /// Text; whether it says that it is text: from an entity or a `CDATA` section.
    Text { explicit: bool },
    /// An opener; whether it is its own closer.
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

/// What was read, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Read {
    pub(crate) what: Lexeme,
    /// The text, if it is text: in the input, or in the buffer it was given.
    pub(crate) text: Slice,
    /// Where it begins in the stream.
    pub(crate) start: u64,
    /// Just past it in the stream.
    pub(crate) end: u64,
}

/// Where the lexer stands: what can be a tag there.
pub(crate) struct Scope<'s> {
    /// The names that are tags; none if all are.
    pub(crate) known: Option<&'s Names>,
    /// Whether openers count.
    pub(crate) openers: bool,
    /// Whether an element is open.
    pub(crate) inside: bool,
    /// The names of the open elements.
    pub(crate) open: &'s dyn Fn(&str, bool) -> bool,
}

impl Scope<'_> {
    /// Whether a closer may begin with this name's beginning. Where openers do not count only the
    /// open elements have closers.
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

/// The position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Text,
    /// In what may be markup.
    Markup(Part),
    /// In what may be an entity.
    Entity,
    /// In a comment or section.
    Section(Section),
}

/// Text to be read again: of a candidate that was refuted.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Again {
    text: String,
    at: usize,
    /// Where it ends in the stream.
    end: u64,
}

/// The machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Lexer {
    caps: XmlCaps,
    state: State,
    /// What is not decided; a whole tag while it is emitted.
    held: String,
    /// Attributes begun in the held tag.
    attributes: usize,
    again: Again,
    place: Place,
}

/// What went by: what may begin here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Place {
    /// Nothing but blanks stands before this on its line, or since the last tag.
    fresh: bool,
    /// No text and no element so far.
    start: bool,
}

impl Lexer {
    pub(crate) const fn new(caps: XmlCaps) -> Self {
        let again = Again { text: String::new(), at: 0, end: 0 };
        Self {
            caps,
            state: State::Text,
            held: String::new(),
            attributes: 0,
            again,
            place: Place { fresh: true, start: true },
        }
    }

    /// Reads on; none when the input is used up. Text that does not lie in the input is appended to
    /// `out`.
    pub(crate) fn step(
        &mut self,
        input: &mut Input<'_>,
        scope: &Scope<'_>,
        out: &mut String,
    ) -> Option<Read> {
        self.forget();
        while !self.again.text.is_empty() {
            if let Some(read) = self.step_again(scope, out) {
                return Some(read);
            }
        }
        self.read(input, scope, out)
    }

    /// Reads on in text that is read again.
    fn step_again(&mut self, scope: &Scope<'_>, out: &mut String) -> Option<Read> {
        let Again { text, at, end } = core::mem::take(&mut self.again);
        let mut input = Input::new(&text, end - text.len() as u64);
        input.pos = at;
        let read = self
            .read(&mut input, scope, out)
            .map(|read| Read { text: owned(read.text, &text, out), ..read });
        let at = input.pos;
        if at < text.len() {
            self.again_before(text, at, end);
        }
        read
    }

    /// What is left of text that is read again comes after what was refuted in it.
    fn again_before(&mut self, text: String, at: usize, end: u64) {
        if self.again.text.is_empty() {
            self.again = Again { text, at, end };
        } else {
            self.again.text.push_str(&text[at..]);
            self.again.end = end;
        }
    }

    fn read(&mut self, input: &mut Input<'_>, scope: &Scope<'_>, out: &mut String) -> Option<Read> {
        while !input.is_done() {
            let read = match self.state {
                State::Text => self.read_text(input),
                State::Markup(part) => self.read_markup(part, input, scope, out),
                State::Entity => self.read_entity(input, out),
                State::Section(section) => self.read_section(section, input, out),
            };
            if read.is_some() {
                return read;
            }
        }
        None
    }

    fn read_text(&mut self, input: &mut Input<'_>) -> Option<Read> {
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
        self.state =
            if input.peek() == Some(b'<') { State::Markup(Part::Start) } else { State::Entity };
        self.held.push_str(&input.text()[start..=start]);
        input.pos += 1;
        None
    }

    /// Text went by: whether it ends where a tag may begin.
    fn pass(&mut self, text: &str) {
        let visible = text.trim_end_matches([' ', '\t', '\r']);
        let Place { fresh, start } = &mut self.place;
        *fresh = if visible.is_empty() { *fresh } else { visible.ends_with('\n') };
        *start &= visible.trim_end_matches(WHITESPACE).is_empty();
    }

    fn read_markup(
        &mut self,
        part: Part,
        input: &mut Input<'_>,
        scope: &Scope<'_>,
        out: &mut String,
    ) -> Option<Read> {
        let mut part = part;
        while let Some(char) = input.peek_char() {
            self.held.push(char);
            let room = self.held.len() <= self.caps.tag && !input.is_replaced();
            let candidate = Candidate { held: &self.held, place: self.place, scope };
            let next = if room { candidate.take(part, char) } else { Next::Refuted };
            let begins = |next| next == Next::More(Part::Key) && part != Part::Key;
            if begins(next) {
                self.attributes += 1;
            }
            match next {
                Next::More(_) if self.attributes > self.caps.attributes => {}
                Next::More(next) => {
                    input.pos += char.len_utf8();
                    part = next;
                    self.state = State::Markup(part);
                    continue;
                }
                Next::Whole(markup) => {
                    input.pos += char.len_utf8();
                    return self.whole(markup, input.offset());
                }
                Next::Refuted => {}
            }
            self.held.pop();
            return Some(self.refute(input.offset(), out));
        }
        None
    }

    fn whole(&mut self, markup: Markup, end: u64) -> Option<Read> {
        self.state = State::Text;
        self.place.fresh = true;
        self.place.start &= !matches!(markup, Markup::Opener { .. } | Markup::Closer);
        let what = match markup {
            Markup::Opener { closed } => Lexeme::Opener { closed },
            Markup::Closer => Lexeme::Closer,
            Markup::Prolog => Lexeme::Prolog,
            Markup::Comment | Markup::Cdata => {
                self.state = State::Section(Section::new(markup == Markup::Comment));
                self.held.clear();
                return None;
            }
        };
        let start = end - self.held.len() as u64;
        Some(Read { what, text: Slice::Empty, start, end })
    }

    /// What is held is text, up to the next place in it where something else may begin.
    fn refute(&mut self, end: u64, out: &mut String) -> Read {
        let held = core::mem::take(&mut self.held);
        let first = held.chars().next().map_or(0, char::len_utf8);
        let len = held[first..].find(['<', '&']).map_or(held.len(), |at| first + at);
        if len < held.len() {
            self.again = Again { text: held[len..].to_owned(), at: 0, end };
        }
        self.state = State::Text;
        self.pass(&held[..len]);
        let from = out.len();
        out.push_str(&held[..len]);
        let start = end - held.len() as u64;
        plain(Slice::buffer(from, out.len()), start, start + len as u64)
    }

    fn read_entity(&mut self, input: &mut Input<'_>, out: &mut String) -> Option<Read> {
        while let Some(char) = input.peek_char() {
            self.held.push(char);
            let room = self.held.len() <= self.caps.entity;
            match if room { entity::look(&self.held) } else { Entity::Refuted } {
                Entity::More => input.pos += char.len_utf8(),
                Entity::Whole(meant) => {
                    input.pos += char.len_utf8();
                    self.state = State::Text;
                    self.place = Place { fresh: false, start: false };
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
        mut section: Section,
        input: &mut Input<'_>,
        out: &mut String,
    ) -> Option<Read> {
        let start = input.offset();
        let piece = section.read(input, out);
        self.state = State::Section(section);
        let end = input.offset();
        let read = |what, text| Some(Read { what, text, start, end });
        match piece {
            Piece::Nothing => None,
            Piece::Text(text) if section.comment => read(Lexeme::CommentText, text),
            Piece::Text(text) => {
                self.place = Place { fresh: false, start: false };
                read(Lexeme::Text { explicit: true }, text)
            }
            Piece::End => {
                self.state = State::Text;
                section.comment.then_some(())?;
                read(Lexeme::CommentEnd, Slice::Empty)
            }
        }
    }

    /// The end of the text, or of what is read in one go: what is held is decided. None when nothing
    /// is held any more.
    pub(crate) fn finish(&mut self, end: u64, scope: &Scope<'_>, out: &mut String) -> Option<Read> {
        self.forget();
        loop {
            if !self.again.text.is_empty() {
                if let Some(read) = self.step_again(scope, out) {
                    return Some(read);
                }
                continue;
            }
            return match &mut self.state {
                State::Markup(_) | State::Entity => Some(self.refute(end, out)),
                State::Section(section) => {
                    let what = if section.comment {
                        Lexeme::CommentText
                    } else {
                        Lexeme::Text { explicit: true }
                    };
                    section.flush(out).map(|text| Read { what, text, start: end, end })
                }
                State::Text => None,
            };
        }
    }

    /// Whether a comment or section is open, and then whether a comment.
    pub(crate) const fn open_section(&self) -> Option<bool> {
        match self.state {
            State::Section(section) => Some(section.comment),
            _ => None,
        }
    }

    /// The section is given up.
    pub(crate) const fn leave_section(&mut self) {
        self.state = State::Text;
    }

    /// The name in the tag just emitted.
    pub(crate) fn name(&self) -> &str {
        tag::name(&self.held)
    }

    /// The attributes in the opener just emitted, as they are written.
    pub(crate) fn attributes(&self) -> impl Iterator<Item = (&str, &str)> {
        tag::attributes(&self.held)
    }

    /// The tag just emitted is no longer needed.
    pub(crate) fn forget(&mut self) {
        if self.state == State::Text {
            self.held.clear();
            self.attributes = 0;
        }
    }

    /// What is held back.
    pub(crate) fn held(&self, end: u64) -> Option<Held> {
        let by = match self.state {
            State::Text => return None,
            State::Markup(_) => HeldBy::XmlTag,
            State::Entity => HeldBy::XmlEntity,
            State::Section(section) => return section.held(end),
        };
        Some(Held::up_to(by, end, &self.held))
    }
}

const fn plain(text: Slice, start: u64, end: u64) -> Read {
    Read { what: Lexeme::Text { explicit: false }, text, start, end }
}

const fn explicit(text: Slice, start: u64, end: u64) -> Read {
    Read { what: Lexeme::Text { explicit: true }, text, start, end }
}

/// Text of an input that is about to go.
fn owned(slice: Slice, input: &str, out: &mut String) -> Slice {
    let Slice::Input { start, end } = slice else { return slice };
    let from = out.len();
    out.push_str(&input[start as usize..end as usize]);
    Slice::buffer(from, out.len())
}
