//! Whether a field ends at a `<` in its content, and how.
//!
//! `</field>` is content as long as nothing follows it that may follow a field: models write about tags.

use super::Literals;
use crate::format::fields::FieldNames;
use crate::lex::attributes::Attributes;

/// Longest tag that closes the field before it.
const MOST_IMPLICIT: usize = 256;

/// What a character makes of the text from the `<` on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// More has to come.
    Wait,
    /// It is content.
    Content,
    /// The field ends after so many bytes; what follows is looked at again.
    Closed(usize),
    /// A CDATA section begins behind what was read.
    Cdata,
    /// Another field opens: this one ends before it.
    Opened,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    /// In `</field`, in `<field`, or in `<![CDATA[`.
    Name,
    /// Behind `</field`.
    Closer,
    /// Behind its `>`.
    Behind,
    /// In what may follow; it begins at that byte.
    Follower(usize),
    /// Behind a fence's marks that may be the last of the text.
    Fence,
    /// In a tag that opens another field.
    Tag(Box<AttributeReader>),
    /// In the end of a CDATA section, `]]>`, or behind it.
    Section,
}

/// A place where a field may end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Closer {
    state: State,
    text: String,
    /// Just past the `>`.
    len: usize,
    /// What else than a closer it may be.
    opens: bool,
    cdata: bool,
    /// Bytes of the section's end before the closer.
    section: usize,
}

/// What may begin at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MayBe {
    /// A tag that opens another field.
    pub(super) opens: bool,
    /// A CDATA section.
    pub(super) cdata: bool,
}

impl Closer {
    /// At a `<`.
    pub(super) fn new(may_be: MayBe) -> Self {
        Self {
            state: State::Name,
            text: "<".to_owned(),
            len: 0,
            opens: may_be.opens,
            cdata: may_be.cdata,
            section: 0,
        }
    }

    /// At a `]` in a CDATA section.
    pub(super) fn in_section() -> Self {
        let may_be = MayBe { opens: false, cdata: false };
        Self { state: State::Section, text: "]".to_owned(), ..Self::new(may_be) }
    }

    /// All that was read.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether the end of a CDATA section came before the closer.
    pub(super) const fn ends_section(&self) -> bool {
        self.section > 0
    }

    /// One more character.
    pub(super) fn push(&mut self, char: char, literals: &Literals, names: &FieldNames) -> Verdict {
        let verdict = self.judge(char, literals, names);
        if matches!(verdict, Verdict::Wait | Verdict::Cdata) {
            self.text.push(char);
        }
        verdict
    }

    fn judge(&mut self, char: char, literals: &Literals, names: &FieldNames) -> Verdict {
        let blank = is_whitespace(char);
        match (&mut self.state, char) {
            (State::Section, _) => return self.section(char, blank),
            (State::Name, _) => return self.name(char, blank),
            (State::Tag(attributes), _) => {
                attributes.push(char);
                return opening(attributes, self.text.len() + char.len_utf8(), names);
            }
            (State::Closer, '>') => {
                self.state = State::Behind;
                self.len = self.text.len() + 1;
            }
            (State::Closer | State::Behind | State::Fence, _) if blank => {}
            (State::Behind, '<' | '`') => self.state = State::Follower(self.text.len()),
            (State::Follower(from), _) => {
                let from = *from;
                return self.follower(from, char, literals);
            }
            _ => return Verdict::Content,
        }
        Verdict::Wait
    }

    fn section(&mut self, char: char, blank: bool) -> Verdict {
        match (self.text.as_str(), char) {
            ("]", ']') | ("]]", '>') => Verdict::Wait,
            (text, '<') if text.starts_with("]]>") => {
                self.section = text.len();
                self.state = State::Name;
                Verdict::Wait
            }
            (text, _) if blank && text.starts_with("]]>") => Verdict::Wait,
            _ => Verdict::Content,
        }
    }

    fn name(&mut self, char: char, blank: bool) -> Verdict {
        let name = &self.text[self.section..];
        if name.eq_ignore_ascii_case("</field") {
            return match char {
                '>' => {
                    self.state = State::Behind;
                    self.len = self.text.len() + 1;
                    Verdict::Wait
                }
                _ if blank => {
                    self.state = State::Closer;
                    Verdict::Wait
                }
                _ => Verdict::Content,
            };
        }
        if self.opens && name.eq_ignore_ascii_case("<field") && (blank || char == '/') {
            self.state = State::Tag(Box::default());
            return Verdict::Wait;
        }
        let goes_on = |literal: &str| {
            let next = literal.as_bytes().get(name.len()).map(|&byte| char::from(byte));
            next.is_some_and(|next| next.eq_ignore_ascii_case(&char))
                && literal[..name.len()].eq_ignore_ascii_case(name)
        };
        const CDATA: &str = "<![CDATA[";
        let cdata =
            self.cdata && CDATA.strip_prefix(name).is_some_and(|rest| rest.starts_with(char));
        match cdata {
            true if name.len() + 1 == CDATA.len() => Verdict::Cdata,
            true => Verdict::Wait,
            false if goes_on("</field") || (self.opens && goes_on("<field")) => Verdict::Wait,
            false => Verdict::Content,
        }
    }

    fn follower(&mut self, from: usize, char: char, literals: &Literals) -> Verdict {
        let mut follower = self.text[from..].to_owned();
        let is_end = |ends: &[char]| ends.contains(&char);
        let opener =
            follower.eq_ignore_ascii_case("<field") && is_end(&[' ', '\t', '\n', '\r', '/', '>']);
        let root = follower.eq_ignore_ascii_case(&literals.root_closer)
            && is_end(&[' ', '\t', '\n', '\r', '>']);
        follower.push(char);
        if opener || root || follower == "<!--" {
            return Verdict::Closed(self.len);
        }
        if follower == "```" {
            self.state = State::Fence;
            return Verdict::Wait;
        }
        let followers = ["<field", &literals.root_closer, "<!--", "```"];
        let goes_on = |whole: &&str| {
            whole.get(..follower.len()).is_some_and(|start| start.eq_ignore_ascii_case(&follower))
        };
        if followers.iter().any(goes_on) { Verdict::Wait } else { Verdict::Content }
    }

    /// The input ended: where the field does, if it does.
    pub(super) const fn end(&self) -> Option<usize> {
        match self.state {
            State::Behind | State::Follower(_) | State::Fence => Some(self.len),
            _ => None,
        }
    }
}

/// In a tag that opens another field, behind so many bytes of it.
fn opening(attributes: &AttributeReader, len: usize, names: &FieldNames) -> Verdict {
    let expected = match (attributes.get("name"), attributes.reading("name")) {
        (Some(name), _) => names.is_expected(name, true),
        (None, Some(starts)) => starts.iter().any(|start| names.is_expected(start, false)),
        (None, None) => !attributes.is_done(),
    };
    match expected {
        true if attributes.is_done() && len <= MOST_IMPLICIT => Verdict::Opened,
        true if len < MOST_IMPLICIT => Verdict::Wait,
        _ => Verdict::Content,
    }
}
