//! Whether a field ends at a `<` in its content, and how.
//!
//! Models write about tags. So `</field>` is content unless text follows that may follow a field.

use super::{Literals, continues};
use crate::format::fields::FieldNames;
use crate::lex::attributes::AttributeReader;
use crate::text::is_whitespace;

/// Longest tag that closes the field before it, in bytes.
const MOST_IMPLICIT: usize = 256;

/// What a character decides about the text from the `<` on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldVerdict {
    /// Undecided.
    Wait,
    /// The text is content.
    Content,
    /// The field ends after this many bytes. The text after them is read again.
    Closed(usize),
    /// A CDATA section begins after the text.
    Cdata,
    /// Another field opens, and this one ends before it.
    Opened,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum CloserState {
    /// In `</field`, in `<field`, or in `<![CDATA[`.
    Name,
    /// After `</field`.
    Closer,
    /// After the `>`.
    Behind,
    /// In text that may follow a field, from this byte on.
    Follower(usize),
    /// After a fence that may end the text.
    Fence,
    /// In a tag that opens another field.
    Tag(Box<AttributeReader>),
    /// In the end of a CDATA section, `]]>`, or after it.
    Section,
}

/// A place where a field may end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct FieldCloser {
    state: CloserState,
    text: String,
    /// The length up to and including the `>`.
    len: usize,
    /// Whether the text may open another field, or a CDATA section.
    opens: bool,
    cdata: bool,
    /// Length of the end of a section before the closer.
    section: usize,
}

/// What a `<` may begin, apart from a closer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct MayBe {
    /// A tag that opens another field.
    pub(super) opens: bool,
    /// A CDATA section.
    pub(super) cdata: bool,
}

impl FieldCloser {
    /// At a `<`.
    pub(super) fn new(may_be: MayBe) -> Self {
        Self {
            state: CloserState::Name,
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
        Self { state: CloserState::Section, text: "]".to_owned(), ..Self::new(may_be) }
    }

    /// The text so far.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether the end of a CDATA section came before the closer.
    pub(super) const fn ends_section(&self) -> bool {
        self.section > 0
    }

    /// Reads one character.
    pub(super) fn push(
        &mut self,
        char: char,
        literals: &Literals,
        names: &FieldNames,
    ) -> FieldVerdict {
        let verdict = self.judge(char, literals, names);
        if matches!(verdict, FieldVerdict::Wait | FieldVerdict::Cdata) {
            self.text.push(char);
        }
        verdict
    }

    fn judge(&mut self, char: char, literals: &Literals, names: &FieldNames) -> FieldVerdict {
        let blank = is_whitespace(char);
        match (&mut self.state, char) {
            (CloserState::Section, _) => return self.section(char, blank),
            (CloserState::Name, _) => return self.name(char, blank),
            (CloserState::Tag(attributes), _) => {
                attributes.push(char);
                return opening(attributes, self.text.len() + char.len_utf8(), names);
            }
            (CloserState::Closer, '>') => {
                self.state = CloserState::Behind;
                self.len = self.text.len() + 1;
            }
            (CloserState::Closer | CloserState::Behind | CloserState::Fence, _) if blank => {}
            (CloserState::Behind, '<' | '`') => self.state = CloserState::Follower(self.text.len()),
            (CloserState::Follower(from), _) => {
                let from = *from;
                return self.follower(from, char, literals);
            }
            _ => return FieldVerdict::Content,
        }
        FieldVerdict::Wait
    }

    fn section(&mut self, char: char, blank: bool) -> FieldVerdict {
        match (self.text.as_str(), char) {
            ("]", ']') | ("]]", '>') => FieldVerdict::Wait,
            (text, '<') if text.starts_with("]]>") => {
                self.section = text.len();
                self.state = CloserState::Name;
                FieldVerdict::Wait
            }
            (text, _) if blank && text.starts_with("]]>") => FieldVerdict::Wait,
            _ => FieldVerdict::Content,
        }
    }

    fn name(&mut self, char: char, blank: bool) -> FieldVerdict {
        let name = &self.text[self.section..];
        if name.eq_ignore_ascii_case("</field") {
            return match char {
                '>' => {
                    self.state = CloserState::Behind;
                    self.len = self.text.len() + 1;
                    FieldVerdict::Wait
                }
                _ if blank => {
                    self.state = CloserState::Closer;
                    FieldVerdict::Wait
                }
                _ => FieldVerdict::Content,
            };
        }
        if self.opens && name.eq_ignore_ascii_case("<field") && (blank || char == '/') {
            self.state = CloserState::Tag(Box::default());
            return FieldVerdict::Wait;
        }
        let goes_on = |literal: &str| continues(literal, name, char);
        const CDATA: &str = "<![CDATA[";
        let cdata =
            self.cdata && CDATA.strip_prefix(name).is_some_and(|rest| rest.starts_with(char));
        match cdata {
            true if name.len() + 1 == CDATA.len() => FieldVerdict::Cdata,
            true => FieldVerdict::Wait,
            false if goes_on("</field") || (self.opens && goes_on("<field")) => FieldVerdict::Wait,
            false => FieldVerdict::Content,
        }
    }

    fn follower(&mut self, from: usize, char: char, literals: &Literals) -> FieldVerdict {
        let mut follower = self.text[from..].to_owned();
        let is_end = |ends: &[char]| ends.contains(&char);
        let opener =
            follower.eq_ignore_ascii_case("<field") && is_end(&[' ', '\t', '\n', '\r', '/', '>']);
        let root = literals.is_closer(&follower) && is_end(&[' ', '\t', '\n', '\r', '>']);
        follower.push(char);
        if opener || root || follower == "<!--" {
            return FieldVerdict::Closed(self.len);
        }
        if follower == "```" {
            self.state = CloserState::Fence;
            return FieldVerdict::Wait;
        }
        let mut followers =
            literals.closers.iter().map(String::as_str).chain(["<field", "<!--", "```"]);
        let goes_on = |whole: &str| {
            whole.get(..follower.len()).is_some_and(|start| start.eq_ignore_ascii_case(&follower))
        };
        if followers.any(goes_on) { FieldVerdict::Wait } else { FieldVerdict::Content }
    }

    /// Where the field ends if the input ends here. None if it does not.
    pub(super) const fn end(&self) -> Option<usize> {
        match self.state {
            CloserState::Behind | CloserState::Follower(_) | CloserState::Fence => Some(self.len),
            _ => None,
        }
    }
}

/// Decides about a tag that may open another field, after `len` bytes.
fn opening(attributes: &AttributeReader, len: usize, names: &FieldNames) -> FieldVerdict {
    let expected = match (attributes.get("name"), attributes.reading("name")) {
        (Some(name), _) => names.is_missing(name),
        (None, Some(starts)) => starts.iter().any(|start| names.is_missing_beginning(start)),
        (None, None) => !attributes.is_done(),
    };
    match expected {
        true if attributes.is_done() && len <= MOST_IMPLICIT => FieldVerdict::Opened,
        true if len < MOST_IMPLICIT => FieldVerdict::Wait,
        _ => FieldVerdict::Content,
    }
}
