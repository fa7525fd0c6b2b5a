//! The markers that begin at a place and count there, unless code hides them.

use super::Reason;
use super::code::MARKER;
use super::marker::{Match, Spelling};
use super::place::{self, Closing, OpenElement};
use super::profile::{Body, Family};
use super::reader::Reader;

/// The most whitespace between a closer and its follower, in bytes.
const LONGEST_GAP: usize = 64;

/// A marker that counts at its place.
#[derive(Debug, Clone)]
pub(super) struct Marked<'p> {
    pub(super) family: &'p Family,
    pub(super) found: Match,
    pub(super) does: Does,
}

#[derive(Debug, Clone)]
pub(super) enum Does {
    /// Opens an element, after the innermost elements close for these reasons.
    Open(Vec<Reason>),
    /// Repeats the opener of the element in which the text begins.
    Repeat,
    Close(Closing),
}

impl Does {
    /// The priority among markers of one length.
    pub(super) const fn rank(&self) -> usize {
        match self {
            Self::Close(Closing::Ends(..)) => 2,
            Self::Open(_) | Self::Repeat => 1,
            Self::Close(Closing::Stray) => 0,
        }
    }
}

impl<'p> Reader<'p> {
    /// The markers that count at a place, unless code hides them.
    pub(super) fn candidates(&self, at: usize) -> Vec<Marked<'p>> {
        let mut firsts = self.firsts.iter();
        if !firsts.any(|first| self.may_begin(Some(*first), at)) || self.json_string().is_some() {
            return Vec::new();
        }
        let families = self.profile.families.iter();
        families.flat_map(|family| self.candidates_of(family, at)).collect()
    }

    fn candidates_of(&self, family: &'p Family, at: usize) -> Vec<Marked<'p>> {
        let mut all = Vec::new();
        for found in self.openers(family, at) {
            if self.repeats(family) {
                all.push(Marked { family, found, does: Does::Repeat });
                continue;
            }
            if let Some(ends) = place::ends_by_opener(&self.open, family) {
                all.push(Marked { family, found, does: Does::Open(ends) });
            }
        }
        for found in self.closers(family, at) {
            if let Some(closing) = self.closing(family, &found) {
                all.push(Marked { family, found, does: Does::Close(closing) });
            }
        }
        all
    }

    /// Whether an opener here repeats the one in the prompt: only whitespace and closed elements of reasoning
    /// come before it.
    fn repeats(&self, family: &Family) -> bool {
        let Some(element) = self.open.last().filter(|element| !element.by_marker) else {
            return false;
        };
        let blank = |byte: &u8| matches!(*byte, b' ' | b'\t' | b'\n' | b'\r' | MARKER);
        !self.is_begun
            && !self.answering
            && !matches!(element.family.body, Body::Raw | Body::Json)
            && element.family.is_akin(family)
            && element.text.iter().all(blank)
    }

    fn spelling(&self, family: &'p Family) -> Spelling<'p> {
        Spelling { family, case: family.case.unwrap_or(self.profile.case) }
    }

    fn may_begin(&self, first: Option<char>, at: usize) -> bool {
        let here = self.text[at..].chars().next();
        here.zip(first).is_some_and(|(here, first)| here.eq_ignore_ascii_case(&first))
    }

    fn openers(&self, family: &'p Family, at: usize) -> Vec<Match> {
        let spelling = self.spelling(family);
        let markers = family.open.iter().filter(|marker| self.may_begin(marker.first(), at));
        markers.filter_map(|marker| spelling.opener(marker, self.text, at)).collect()
    }

    pub(super) fn closers(&self, family: &'p Family, at: usize) -> Vec<Match> {
        let spelling = self.spelling(family);
        let markers = family.close.iter().filter(|marker| self.may_begin(marker.first(), at));
        markers.filter_map(|marker| spelling.closer(marker, self.text, at)).collect()
    }

    fn closing(&self, family: &Family, found: &Match) -> Option<Closing> {
        let closing = place::closing(&self.open, family, found)?;
        match closing {
            Closing::Ends(at, _) if place::body(&self.open) == Body::Raw => {
                self.has_legal_follower(at, found.end).then_some(closing)
            }
            _ => Some(closing),
        }
    }

    /// Whether the text after a closer shows that it ends the element and is not content.
    fn has_legal_follower(&self, element: usize, end: usize) -> bool {
        let around = &self.open[..element];
        let Some(parent) = around.last() else { return true };
        let own = self.open[element].family;
        let is_outer = element + 1 < self.open.len();
        if !is_outer && own.within.is_empty() {
            return true;
        }
        let rest = self.text[end..].trim_start_matches([' ', '\t', '\n', '\r']);
        let follower = self.text.len() - rest.len();
        if follower - end > LONGEST_GAP {
            return false;
        }
        let closes = |element: &OpenElement<'p>| {
            let mut closers = self.closers(element.family, follower).into_iter();
            closers.any(|found| place::is_of(element, element.family, &found))
        };
        let mut siblings = place::siblings(self.profile, parent);
        rest.is_empty()
            || siblings.any(|family| !self.openers(family, follower).is_empty())
            || is_outer && !self.openers(own, follower).is_empty()
            || around.iter().any(closes)
    }

    /// The position of the string around the current place. Only in bodies that begin like JSON.
    pub(super) fn json_string(&self) -> Option<usize> {
        let element = self.open.last()?;
        if !matches!(element.family.body, Body::Json | Body::Fields) {
            return None;
        }
        let body = &element.text;
        let first = body.iter().find(|byte| !byte.is_ascii_whitespace())?;
        let mut string = None;
        let mut at = 0;
        while let Some(byte) = body.get(at) {
            match (byte, string) {
                (b'"', None) => string = Some(self.at - body.len() + at),
                (b'"', Some(_)) => string = None,
                (b'\\', Some(_)) => at += 1,
                _ => {}
            }
            at += 1;
        }
        string.filter(|_| b"{[\"".contains(first))
    }
}
