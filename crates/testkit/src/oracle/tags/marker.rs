//! A marker at a place of a text.

use serde::Deserialize;

use super::attributes;
use super::profile::{Attributes, Family, LetterCase, Parameter};

/// A part of a marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MarkerPart {
    /// Literal text.
    Char(char),
    /// A parameter.
    Param(String),
    /// Spaces and tabs, or none.
    Gap,
}

/// A marker in a tag set: literal text with `{parameters}`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct Marker {
    /// Its parts in order.
    pub parts: Vec<MarkerPart>,
}

impl TryFrom<String> for Marker {
    type Error = String;

    fn try_from(written: String) -> Result<Self, String> {
        let mut parts = Vec::new();
        let mut rest = written.as_str();
        while let Some(first) = rest.chars().next() {
            let doubled = rest.starts_with("{{") || rest.starts_with("}}");
            if first == '{' && !doubled {
                let (name, behind) =
                    rest[1..].split_once('}').ok_or_else(|| format!("no }} in {written}"))?;
                let gap = (name == "_").then_some(MarkerPart::Gap);
                parts.push(gap.unwrap_or_else(|| MarkerPart::Param(name.to_owned())));
                rest = behind;
            } else {
                parts.push(MarkerPart::Char(first));
                rest = &rest[first.len_utf8() * if doubled { 2 } else { 1 }..];
            }
        }
        let ends_itself = matches!(parts.last(), Some(MarkerPart::Char(_)));
        if ends_itself { Ok(Self { parts }) } else { Err(format!("{written} has no end")) }
    }
}

impl Marker {
    /// The first character.
    #[must_use]
    pub fn first(&self) -> Option<char> {
        match self.parts.first() {
            Some(MarkerPart::Char(first)) => Some(*first),
            _ => None,
        }
    }
}

/// A marker that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// The position after its last byte.
    pub end: usize,
    /// Its parameters, then its attributes.
    pub params: Vec<(String, String)>,
    /// Whether it ends in `/>`.
    pub closes_itself: bool,
}

/// How a family spells its markers.
#[derive(Debug, Clone, Copy)]
pub struct Spelling<'p> {
    /// The family.
    pub family: &'p Family,
    /// Whether letter case matters.
    pub case: LetterCase,
}

impl Spelling<'_> {
    /// Finds an opener at a place.
    #[must_use]
    pub fn opener(self, marker: &Marker, text: &str, at: usize) -> Option<Match> {
        let ends_in_angle = marker.parts.last() == Some(&MarkerPart::Char('>'));
        if self.family.attributes == Attributes::None || !ends_in_angle {
            return self.plain(&marker.parts, text, at);
        }
        let name = &marker.parts[..marker.parts.len() - 1];
        let mut found = self.plain(name, text, at)?;
        let bare = self.family.attributes == Attributes::Bare;
        let list = attributes::read(text, found.end, bare)?;
        found.end = list.end;
        found.params.extend(list.attributes);
        found.closes_itself = list.closes_itself;
        Some(found)
    }

    /// Finds a closer at a place.
    #[must_use]
    pub fn closer(self, marker: &Marker, text: &str, at: usize) -> Option<Match> {
        self.plain(&marker.parts, text, at)
    }

    fn plain(self, parts: &[MarkerPart], text: &str, at: usize) -> Option<Match> {
        let mut end = at;
        let mut params = Vec::new();
        for (index, part) in parts.iter().enumerate() {
            match part {
                MarkerPart::Char(char) => end = self.char(*char, text, end)?,
                MarkerPart::Gap => {
                    let count = text[end..].chars().take_while(|char| is_blank(*char)).count();
                    end = (count <= MOST_GAP).then_some(end + count)?;
                }
                MarkerPart::Param(name) => {
                    let value = self.param(name, &parts[index + 1..], &text[end..])?;
                    end += value.len();
                    params.push((name.clone(), value.to_owned()));
                }
            }
        }
        Some(Match { end, params, closes_itself: false })
    }

    /// The end of a literal character, and of the whitespace that may surround it.
    fn char(self, char: char, text: &str, at: usize) -> Option<usize> {
        let before = self.family.blanks && matches!(char, '/' | '>');
        let behind = self.family.blanks && matches!(char, '/' | '<');
        let at = if before { skip_blanks(text, at)? } else { at };
        let found = text[at..].chars().next()?;
        let fold = self.case == LetterCase::Fold;
        let equal = found == char || (fold && found.eq_ignore_ascii_case(&char));
        let end = at + found.len_utf8();
        if equal && behind { skip_blanks(text, end) } else { equal.then_some(end) }
    }

    /// The value of a parameter: the text up to the character that follows the parameter in the marker.
    fn param<'t>(self, name: &str, next: &[MarkerPart], text: &'t str) -> Option<&'t str> {
        let (next, gap) = match next {
            [MarkerPart::Char(next), ..] => (next, false),
            [MarkerPart::Gap, MarkerPart::Char(next), ..] => (next, true),
            _ => return None,
        };
        let fold = self.case == LetterCase::Fold;
        let ends = |char: char| {
            char == *next || (fold && char.eq_ignore_ascii_case(next)) || (gap && is_blank(char))
        };
        let value = &text[..text.find(ends)?];
        let usual = Parameter::default();
        let rule = self.family.params.get(name).unwrap_or(&usual);
        let allowed = |char: char| !matches!(char, '\n' | '\r' | '<' | '>') && rule.allows(char);
        let (value, rest) = value.split_at(value.find(|c| !allowed(c)).unwrap_or(value.len()));
        // Whitespace before the end of the marker need not belong to the parameter.
        let blanks = self.family.blanks && *next == '>';
        let right = rest.is_empty() || (blanks && rest.chars().all(is_blank));
        (right && !value.is_empty() && value.len() <= rule.cap).then_some(value)
    }
}

/// The most whitespace at one place, in bytes.
const MOST_BLANKS: usize = 64;
/// The most whitespace at a gap, in bytes.
const MOST_GAP: usize = 8;

const fn is_blank(char: char) -> bool {
    matches!(char, ' ' | '\t')
}

/// The position after whitespace; none if there is too much.
fn skip_blanks(text: &str, at: usize) -> Option<usize> {
    let count = text[at..].chars().take_while(|char| is_blank(*char)).count();
    (count <= MOST_BLANKS).then_some(at + count)
}
