//! The walk over a text.

use core::ops::Range;

use super::code::{self, Cover, MARKER};
use super::marker::{Match, Spelling};
use super::place::{self, Closing, Element};
use super::profile::{ANSWER, Body, Family, Guards, Profile, REASONING, Stray, TOP};
use super::{Reading, Reason, Step};

/// How many blanks and line breaks may stand between a closer and its follower.
const LONGEST_GAP: usize = 64;
const COMMENT: (&str, &str) = ("<!--", "-->");

/// A marker that counts where it stands.
#[derive(Debug, Clone)]
struct Marked<'p> {
    family: &'p Family,
    found: Match,
    does: Does,
}

#[derive(Debug, Clone)]
enum Does {
    /// Begins an element, after the innermost elements end so.
    Open(Vec<Reason>),
    Close(Closing),
}

impl Does {
    /// Of two markers of one length, the one that does more counts.
    const fn rank(&self) -> usize {
        match self {
            Self::Close(Closing::Ends(..)) => 2,
            Self::Open(_) => 1,
            Self::Close(Closing::Stray) => 0,
        }
    }
}

/// A text, how far it is read, and what is open there.
#[derive(Debug)]
pub struct Reader<'p> {
    profile: &'p Profile,
    text: &'p str,
    at: usize,
    open: Vec<Element<'p>>,
    /// The text outside of elements, as [`code`] wants it.
    top: Vec<u8>,
    /// Families of which an element was opened.
    opened: Vec<&'p Family>,
    /// Where the last element ended.
    last_end: usize,
    /// The fence around the whole text, if it is one.
    wrapping: Option<usize>,
    /// How many elements are open where the text begins.
    depth_at_start: usize,
    /// Markers that a fence hid: how deep it is, where it begins, and where they stand.
    hidden: Vec<(usize, usize, usize)>,
    reading: Reading,
}

impl<'p> Reader<'p> {
    /// At the start of a text.
    ///
    /// # Panics
    ///
    /// If the profile has no family named `start_in`.
    #[must_use]
    pub fn new(profile: &'p Profile, text: &'p str, start_in: Option<&str>) -> Self {
        let start = start_in.map(|name| {
            let named = profile.families.iter().find(|family| family.name == name);
            let family = named.unwrap_or_else(|| panic!("{} has no {name}", profile.name));
            Element { by_marker: false, ..Element::new(family, Vec::new(), &[]) }
        });
        let open: Vec<_> = start.into_iter().collect();
        Self {
            profile,
            text,
            at: 0,
            opened: open.iter().map(|element| element.family).collect(),
            depth_at_start: open.len(),
            open,
            top: Vec::new(),
            last_end: 0,
            wrapping: None,
            hidden: Vec::new(),
            reading: Reading::default(),
        }
    }

    /// Reads it all.
    #[must_use]
    pub fn read(mut self) -> Reading {
        while self.at < self.text.len() {
            if self.comment() {
                continue;
            }
            match self.marker() {
                Some(marked) => self.take(marked),
                None => self.eat_char(),
            }
        }
        self.end();
        self.reading
    }

    // What stands here.

    fn marker(&mut self) -> Option<Marked<'p>> {
        let candidates = self.candidates(self.at);
        if candidates.is_empty() {
            return None;
        }
        let cover = self.cover();
        let (hidden, seen): (Vec<_>, Vec<_>) =
            candidates.into_iter().partition(|marked| self.hides(cover, marked));
        if let (Cover::Fence { start, .. }, false) = (cover, hidden.is_empty()) {
            self.hidden.push((self.open.len(), start, self.at));
        }
        // Of equals the first declared.
        seen.into_iter().rev().max_by_key(|marked| (marked.found.end, marked.does.rank()))
    }

    /// The markers that count at a place if no code hides them.
    fn candidates(&self, at: usize) -> Vec<Marked<'p>> {
        if self.json_string().is_some() {
            return Vec::new();
        }
        let families = self.profile.families.iter();
        families.flat_map(|family| self.candidates_of(family, at)).collect()
    }

    fn candidates_of(&self, family: &'p Family, at: usize) -> Vec<Marked<'p>> {
        let mut all = Vec::new();
        for found in self.openers(family, at) {
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

    fn closers(&self, family: &'p Family, at: usize) -> Vec<Match> {
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

    /// Whether what comes behind a closer shows that it ends the element, and is not content.
    fn has_legal_follower(&self, element: usize, end: usize) -> bool {
        let around = &self.open[..element];
        let Some(parent) = around.last() else { return true };
        if self.open[element].family.within.is_empty() {
            return true;
        }
        let rest = self.text[end..].trim_start_matches([' ', '\t', '\n', '\r']);
        let follower = self.text.len() - rest.len();
        if follower - end > LONGEST_GAP {
            return false;
        }
        let closes = |element: &Element<'p>| {
            let mut closers = self.closers(element.family, follower).into_iter();
            closers.any(|found| place::is_of(element, element.family, &found))
        };
        let mut siblings = place::siblings(self.profile, parent);
        rest.is_empty()
            || siblings.any(|family| !self.openers(family, follower).is_empty())
            || around.iter().any(closes)
    }

    /// Where the string begins that this is in: only in bodies that begin as JSON does.
    fn json_string(&self) -> Option<usize> {
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

    // What code hides.

    fn cover(&mut self) -> Cover {
        if matches!(place::body(&self.open), Body::Raw | Body::Json) {
            return Cover::None;
        }
        let guards = self.profile.guards;
        let cover = code::cover(self.view(), guards, self.wrapping());
        if matches!(cover, Cover::Fence { .. }) && self.is_wrapped_here() {
            let Cover::Fence { start, .. } = cover else { return cover };
            self.wrapping = Some(start);
            return code::cover(self.view(), guards, self.wrapping());
        }
        cover
    }

    /// The fence around the text; it is in the element, or none, in which the text begins.
    fn wrapping(&self) -> Option<usize> {
        self.wrapping.filter(|_| self.open.len() == self.depth_at_start)
    }

    /// Whether the text so far is the first line of a fence, and an opener stands behind it.
    fn is_wrapped_here(&self) -> bool {
        let opens = |marked: Marked<'_>| matches!(marked.does, Does::Open(_));
        self.view().len() == self.at
            && code::is_only_fence_line(&self.text.as_bytes()[..self.at])
            && self.candidates(self.at).into_iter().any(opens)
    }

    fn hides(&self, cover: Cover, marked: &Marked<'p>) -> bool {
        let ends = matches!(marked.does, Does::Close(Closing::Ends(..)));
        match cover {
            Cover::None => false,
            Cover::Fence { ends_here: true, .. } if ends => false,
            Cover::Span | Cover::Fence { .. } => !ends || marked.family.guards_closers(),
        }
    }

    fn view(&self) -> &[u8] {
        self.open.last().map_or(&self.top, |element| &element.text)
    }

    fn view_mut(&mut self) -> &mut Vec<u8> {
        self.open.last_mut().map_or(&mut self.top, |element| &mut element.text)
    }

    // What it does.

    fn take(&mut self, marked: Marked<'p>) {
        let span = self.at..marked.found.end;
        self.at = span.end;
        match marked.does {
            Does::Open(ends) => {
                for reason in ends {
                    self.close(reason, span.start..span.start);
                }
                self.begin(marked.family, marked.found, span);
            }
            Does::Close(Closing::Ends(element, reason)) => {
                while self.open.len() > element + 1 {
                    self.close(Reason::CloseThrough, span.start..span.start);
                }
                if reason == Reason::Mismatched {
                    let name = &self.open[element].family.name;
                    let detail = format!("{name}/{}", marked.family.name);
                    self.notice("mismatched_marker", &detail);
                }
                self.close(reason, span);
            }
            Does::Close(Closing::Stray) => self.stray(marked.family, span),
        }
    }

    fn begin(&mut self, family: &'p Family, found: Match, span: Range<usize>) {
        let element = Element::new(family, found.params.clone(), &self.open);
        self.view_mut().push(MARKER);
        self.open.push(element);
        self.opened.push(family);
        let end = span.end..span.end;
        self.step(Step::Open { name: family.name.clone(), params: found.params }, span);
        if family.is_void() || found.closes_itself {
            self.close(Reason::Observed, end);
        }
    }

    fn close(&mut self, reason: Reason, span: Range<usize>) {
        let Some(element) = self.open.pop() else { return };
        let name = element.family.name.clone();
        if !reason.has_closer() {
            self.notice("unclosed_element", &name);
        }
        // A fence never outlives its element.
        let depth = self.open.len();
        self.hidden.retain(|hidden| hidden.0 <= depth);
        self.last_end = span.end;
        self.step(Step::Close { name, reason }, span);
    }

    fn stray(&mut self, family: &'p Family, span: Range<usize>) {
        self.notice("stray_closer", &family.name);
        let policy = family.stray.unwrap_or(self.profile.stray);
        if policy == Stray::Literal {
            self.eat_text(span);
            return;
        }
        self.view_mut().push(MARKER);
        let was_opened = self.opened.iter().any(|opened| opened.is_akin(family));
        let may_end = [REASONING, ANSWER].contains(&family.channel.as_str());
        let reclassifies = match policy {
            Stray::Reclassify => true,
            Stray::Auto => may_end && !was_opened,
            Stray::Drop | Stray::Literal => false,
        };
        let (from, to, end) = (self.last_end, span.start, span.end);
        self.step(Step::Stray { name: family.name.clone() }, span);
        if reclassifies && !self.open.iter().any(|element| element.by_marker) {
            self.reclassify(family, from..to, end);
        }
    }

    /// The text so far was an element whose opener was in the prompt: it has ended now.
    fn reclassify(&mut self, family: &'p Family, text: Range<usize>, end: usize) {
        self.opened.push(family);
        self.last_end = end;
        if !text.is_empty() {
            let channel = family.channel.clone();
            let step = Step::Reclassify { from: text.start, to: text.end, channel };
            self.step(step, end..end);
        }
    }

    /// Takes a comment that begins here.
    fn comment(&mut self) -> bool {
        let may_stand = self.profile.comments && place::takes_elements(place::body(&self.open));
        if !may_stand || !self.text[self.at..].starts_with(COMMENT.0) {
            return false;
        }
        let cover = self.cover();
        if let Cover::Fence { start, .. } = cover {
            self.hidden.push((self.open.len(), start, self.at));
        }
        if cover != Cover::None {
            return false;
        }
        let start = self.at + COMMENT.0.len();
        let len = self.text[start..].find(COMMENT.1);
        if len.is_none() {
            let hidden = (start..self.text.len())
                .filter(|at| self.text.is_char_boundary(*at))
                .find(|at| !self.candidates(*at).is_empty());
            if let Some(at) = hidden {
                self.notice("comment_hid_markers", &at.to_string());
            }
        }
        let end = len.map_or(self.text.len(), |len| start + len);
        let behind = (end + COMMENT.1.len()).min(self.text.len());
        self.view_mut().push(MARKER);
        let step = Step::Comment { text: self.text[start..end].to_owned() };
        self.step(step, self.at..behind);
        self.at = behind;
        true
    }

    fn eat_char(&mut self) {
        let len = self.text[self.at..].chars().next().map_or(1, char::len_utf8);
        let span = self.at..self.at + len;
        self.at = span.end;
        self.eat_text(span);
    }

    fn eat_text(&mut self, span: Range<usize>) {
        let text = &self.text[span.clone()];
        self.view_mut().extend_from_slice(text.as_bytes());
        if let (Some(Step::Text { text: before, .. }), Some(eaten)) =
            (self.reading.steps.last_mut(), self.reading.spans.last_mut())
        {
            before.push_str(text);
            eaten.end = span.end;
            return;
        }
        let channel = self.open.last().map_or(TOP, |element| &element.channel).to_owned();
        self.step(Step::Text { channel, text: text.to_owned() }, span);
    }

    fn end(&mut self) {
        let guards_fences = matches!(self.profile.guards, Guards::Both | Guards::Fences);
        if guards_fences && let Some(start) = code::open_fence(self.view()) {
            let depth = self.open.len();
            let mut hidden = self.hidden.iter();
            let first = hidden.find(|hidden| (hidden.0, hidden.1) == (depth, start));
            if let Some(at) = first.map(|hidden| hidden.2) {
                self.notice("fence_hid_markers", &at.to_string());
            }
        }
        if self.json_string().is_some_and(|string| self.closes_behind(string)) {
            let body = self.open.last().map_or("", |element| &element.family.name).to_owned();
            self.notice("json_string_unclosed", &body);
        }
        let end = self.text.len()..self.text.len();
        while !self.open.is_empty() {
            self.close(Reason::EndOfInput, end.clone());
        }
    }

    /// Whether a closer of an open element stands at a place or behind it.
    fn closes_behind(&self, start: usize) -> bool {
        let mut places = (start..self.text.len()).filter(|at| self.text.is_char_boundary(*at));
        places
            .any(|at| self.open.iter().any(|element| !self.closers(element.family, at).is_empty()))
    }

    fn notice(&mut self, code: &str, detail: &str) {
        self.reading.notices.push(format!("{code}:{detail}"));
    }

    fn step(&mut self, step: Step, span: Range<usize>) {
        self.reading.steps.push(step);
        self.reading.spans.push(span);
    }
}
