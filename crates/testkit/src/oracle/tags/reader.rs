//! The walk over a text.

use core::ops::Range;

use super::code::{self, Cover, MARKER};
use super::enclosed;
use super::find::{Does, Marked};
use super::marker::{Marker, Match};
use super::mentions::Answers;
use super::place::{self, Closing, OpenElement};
use super::profile::{ANSWER, At, Body, Family, Guards, Profile, REASONING, Same, Stray, TOP};
use super::{Reading, Reason, Step};

const COMMENT: (&str, &str) = ("<!--", "-->");

/// A text, the position in it, and the open elements.
#[derive(Debug)]
pub struct Reader<'p> {
    pub(super) profile: &'p Profile,
    pub(super) text: &'p str,
    pub(super) at: usize,
    pub(super) open: Vec<OpenElement<'p>>,
    /// The text outside elements, in the form that [`code`] needs.
    top: Vec<u8>,
    /// The first characters of markers.
    pub(super) firsts: Vec<char>,
    /// The families of which an element was opened.
    opened: Vec<&'p Family>,
    /// The families whose last element ended before its closer, which may still come.
    continued: Vec<&'p Family>,
    /// The families whose opener was last a mention.
    mentioned: Vec<&'p Family>,
    /// The end of the last element.
    last_end: usize,
    /// The start of the fence around the whole text, if there is one.
    wrapping: Option<usize>,
    /// Whether a marker occurred that does not belong to reasoning.
    pub(super) answering: bool,
    /// The number of elements that are open at the start of the text.
    depth_at_start: usize,
    /// Whether the opener of the element at the start was repeated, or something came before.
    pub(super) is_begun: bool,
    /// The markers that a fence hid: depth and start of the fence, position of the marker.
    hidden: Vec<(usize, usize, usize)>,
    answers: Answers<'p>,
    reading: Reading,
}

impl<'p> Reader<'p> {
    /// Starts at the beginning of a text.
    ///
    /// # Panics
    ///
    /// If the profile has no such family.
    #[must_use]
    pub fn new(profile: &'p Profile, text: &'p str, start_in: Option<&str>) -> Self {
        let start = start_in.map(|name| {
            let named = profile.families.iter().find(|family| family.name == name);
            let family = named.unwrap_or_else(|| panic!("{} has no {name}", profile.name));
            OpenElement { by_marker: false, ..OpenElement::new(family, Vec::new(), &[]) }
        });
        let open: Vec<_> = start.into_iter().collect();
        let markers =
            profile.families.iter().flat_map(|family| family.open.iter().chain(&family.close));
        Self {
            firsts: markers.filter_map(Marker::first).collect(),
            profile,
            text,
            at: 0,
            opened: open.iter().map(|element| element.family).collect(),
            depth_at_start: open.len(),
            is_begun: open.is_empty(),
            open,
            top: Vec::new(),
            continued: Vec::new(),
            mentioned: Vec::new(),
            last_end: 0,
            wrapping: None,
            answering: false,
            hidden: Vec::new(),
            answers: Answers::default(),
            reading: Reading::default(),
        }
    }

    /// Reads the whole text.
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

    // The constructs at the current position, and whether code hides them.

    fn marker(&mut self) -> Option<Marked<'p>> {
        let candidates = self.candidates(self.at);
        if candidates.is_empty() {
            return None;
        }
        let cover = self.cover();
        let (hidden, seen): (Vec<_>, Vec<_>) =
            candidates.into_iter().partition(|marked| self.hides(cover, marked));
        self.note_mentions(cover, &hidden);
        if let (Cover::Fence { start, .. }, false) = (cover, hidden.is_empty()) {
            self.hidden.push((self.open.len(), start, self.at));
        }
        // Of equal markers the first declared one counts.
        seen.into_iter().rev().max_by_key(|marked| (marked.found.end, marked.does.rank()))
    }

    /// Notes the families whose openers are mentions here, so that their next closers are mentions too.
    fn note_mentions(&mut self, cover: Cover, hidden: &[Marked<'p>]) {
        for Marked { family, found, does } in hidden {
            let is_known = [REASONING, ANSWER].contains(&family.channel.as_str());
            let is_pair = self.has_spans()
                && enclosed::is_pair(self.view(), &self.text.as_bytes()[found.end..]);
            let may_close = !is_known || is_pair;
            let opens = matches!(does, Does::Open(_)) && cover == Cover::None && may_close;
            let is_mention =
                self.is_mention(found.end, does, family) || !self.is_in_span(found.end);
            if opens && is_mention {
                self.mentioned.push(family);
            }
            // A closer that code hides says nothing.
            if cover == Cover::None && matches!(does, Does::Close(Closing::Stray)) {
                self.mentioned.retain(|mentioned| mentioned.name != family.name);
            }
        }
    }

    /// Whether a marker up to `end` is a mention by what stands around it.
    fn is_mention(&self, end: usize, does: &Does, family: &Family) -> bool {
        let after = &self.text.as_bytes()[end..];
        let among = match does {
            Does::Open(_) => {
                enclosed::is_opener_among_words(self.view(), after, family.at == At::Apart)
            }
            Does::Close(Closing::Stray) if self.open.is_empty() => {
                enclosed::is_closer_among_words(self.view(), after)
            }
            _ => false,
        };
        self.has_spans() && (among || enclosed::is_enclosed(self.view(), after))
    }

    fn cover(&mut self) -> Cover {
        if matches!(place::body(&self.open), Body::Raw | Body::Json) {
            return Cover::None;
        }
        let cover = self.code_cover();
        if matches!(cover, Cover::Fence { .. }) && self.is_wrapped_here() {
            let Cover::Fence { start, .. } = cover else { return cover };
            self.wrapping = Some(start);
            return self.code_cover();
        }
        cover
    }

    /// The code at this place, by the text of the innermost element. Only outside elements indented text is code.
    fn code_cover(&self) -> Cover {
        let guards = self.profile.guards;
        let cover = code::cover(self.view(), guards, self.wrapping());
        let fences = matches!(guards, Guards::Both | Guards::Fences);
        let may_be = cover == Cover::None && fences && self.open.is_empty();
        if may_be && code::is_indented(self.view()) { Cover::Indented } else { cover }
    }

    /// The fence around the text. It belongs to the element that the text begins in, or to none.
    fn wrapping(&self) -> Option<usize> {
        self.wrapping.filter(|_| self.open.len() == self.depth_at_start)
    }

    /// Whether the text so far is the first line of a fence, and an opener follows.
    fn is_wrapped_here(&self) -> bool {
        let opens = |marked: Marked<'_>| {
            let is_reasoning = marked.family.channel == REASONING;
            let wraps = is_reasoning || marked.family.is_answer() || marked.family.is_envelope();
            matches!(marked.does, Does::Open(_)) && wraps
        };
        let is_first = self.depth_at_start == 0 || !self.is_begun;
        self.open.len() == self.depth_at_start
            && is_first
            && !self.answering
            && self.profile.families.iter().any(Family::is_answer)
            && code::is_only_fence_line(self.view())
            && self.candidates(self.at).into_iter().any(opens)
    }

    fn hides(&self, cover: Cover, marked: &Marked<'p>) -> bool {
        let ends = matches!(marked.does, Does::Close(Closing::Ends(..)));
        let after = &self.text.as_bytes()[marked.found.end..];
        if matches!(marked.does, Does::Open(_))
            && !enclosed::is_followed(&marked.family.then, after)
        {
            return true;
        }
        match cover {
            Cover::None => {
                let end = marked.found.end;
                let belongs = |family: &&Family| family.name == marked.family.name;
                let is_stray = matches!(marked.does, Does::Close(Closing::Stray));
                (!ends || marked.family.guards_closers())
                    && (self.is_in_span(end) || self.is_mention(end, &marked.does, marked.family))
                    || is_stray && self.mentioned.iter().any(belongs)
            }
            Cover::Fence { ends_here: true, .. } if ends => false,
            Cover::Span | Cover::Indented | Cover::Fence { .. } => {
                !ends || marked.family.guards_closers()
            }
        }
    }

    /// Whether this place is in a code span, which ends after `end`.
    fn is_in_span(&self, end: usize) -> bool {
        let fences = self.profile.guards == Guards::Both;
        self.has_spans()
            && code::is_in_closed_span(self.view(), &self.text.as_bytes()[end..], fences)
    }

    /// Whether code spans hide markers here.
    fn has_spans(&self) -> bool {
        matches!(self.profile.guards, Guards::Both | Guards::Inline)
            && !matches!(place::body(&self.open), Body::Raw | Body::Json)
    }

    /// Whether signs enclose this place up to `end`.
    fn is_enclosed(&self, end: usize) -> bool {
        self.has_spans() && enclosed::is_enclosed(self.view(), &self.text.as_bytes()[end..])
    }

    fn view(&self) -> &[u8] {
        self.open.last().map_or(&self.top, |element| &element.text)
    }

    fn view_mut(&mut self) -> &mut Vec<u8> {
        self.open.last_mut().map_or(&mut self.top, |element| &mut element.text)
    }

    // The effects of markers.

    fn take(&mut self, marked: Marked<'p>) {
        let span = self.at..marked.found.end;
        self.at = span.end;
        if matches!(marked.does, Does::Repeat) {
            self.view_mut().push(MARKER);
            self.is_begun = true;
            return self.step(Step::Stray { name: marked.family.name.clone() }, span);
        }
        self.answering |= marked.family.channel != REASONING;
        match marked.does {
            Does::Open(ends) => {
                let mut interrupted = Vec::new();
                let reopens = ends.contains(&Reason::Reopened) && marked.family.channel == ANSWER;
                for reason in ends {
                    let innermost = self.open.last().map(|element| element.family);
                    interrupted.extend(innermost.filter(|_| reason == Reason::Interrupted));
                    self.close(reason, span.start..span.start);
                }
                self.answers.begin(marked.family, span.end, interrupted);
                self.begin(marked.family, marked.found, span, reopens);
            }
            Does::Close(Closing::Ends(element, reason)) => {
                let around = self.open[element].family;
                let goes_on = |it: &&OpenElement<'_>| {
                    around.same() == Same::Parallel && it.family.name == around.name
                };
                let inside = self.open[element + 1..].iter().filter(goes_on);
                let inside: Vec<_> = inside.map(|it| it.params.clone()).collect();
                while self.open.len() > element + 1 {
                    self.close(Reason::CloseThrough, span.start..span.start);
                }
                if reason == Reason::Mismatched {
                    let detail = format!("{}/{}", around.name, marked.family.name);
                    self.notice("mismatched_marker", &detail);
                }
                let end = span.end;
                self.close(reason, span);
                for params in inside {
                    let found = Match { end, params, closes_itself: false };
                    self.begin(around, found, end..end, false);
                }
            }
            Does::Close(Closing::Stray) => self.stray(marked.family, span),
            Does::Repeat => {}
        }
    }

    fn begin(&mut self, family: &'p Family, found: Match, span: Range<usize>, reopens: bool) {
        let element = OpenElement::new(family, found.params.clone(), &self.open);
        self.view_mut().push(MARKER);
        self.open.push(element);
        self.opened.push(family);
        self.mentioned.retain(|mentioned| mentioned.name != family.name);
        self.continued.retain(|continued| !continued.is_akin(family));
        if reopens {
            self.continued.push(family);
        }
        let end = span.end..span.end;
        self.step(Step::Open { name: family.name.clone(), params: found.params }, span);
        if family.is_void() || found.closes_itself {
            self.close(Reason::Observed, end);
        }
    }

    fn close(&mut self, reason: Reason, span: Range<usize>) {
        if self.open.len() == self.depth_at_start {
            // The element that the text began in closes, and so does a fence in it.
            self.wrapping = None;
            self.answering = true;
        }
        let Some(element) = self.open.pop() else { return };
        self.answers.close(&element, span.start);
        if reason == Reason::Interrupted {
            self.continued.push(element.family);
        }
        let name = element.family.name.clone();
        if !reason.has_closer() {
            self.notice("unclosed_element", &name);
        }
        // A fence ends with its element at the latest.
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
        self.answers.stray(family);
        self.view_mut().push(MARKER);
        let was_opened = self.opened.iter().any(|opened| opened.is_akin(family));
        let goes_on = self.continued.iter().any(|continued| continued.is_akin(family));
        let may_end = [REASONING, ANSWER].contains(&family.channel.as_str());
        let reclassifies = match policy {
            Stray::Reclassify => true,
            Stray::Auto => may_end && (!was_opened || goes_on),
            Stray::Drop | Stray::Literal => false,
        };
        let (from, to, end) = (self.last_end, span.start, span.end);
        self.step(Step::Stray { name: family.name.clone() }, span);
        if reclassifies && !self.open.iter().any(|element| element.by_marker) {
            self.reclassify(family, from..to, end);
        }
    }

    /// Reclassifies the text so far: it was an element whose opener was in the prompt.
    fn reclassify(&mut self, family: &'p Family, text: Range<usize>, end: usize) {
        self.opened.push(family);
        self.continued.retain(|continued| !continued.is_akin(family));
        self.last_end = end;
        if !text.is_empty() {
            let channel = family.channel.clone();
            let step = Step::Reclassify { from: text.start, to: text.end, channel };
            self.step(step, end..end);
        }
    }

    /// Reads a comment at the current position.
    fn comment(&mut self) -> bool {
        let may_stand = self.profile.comments && place::takes_elements(place::body(&self.open));
        if !may_stand || !self.text[self.at..].starts_with(COMMENT.0) {
            return false;
        }
        let raw = matches!(place::body(&self.open), Body::Raw | Body::Json);
        let cover = self.code_cover();
        if cover != Cover::None && !raw {
            // A comment as the first thing in a fence does not make it the wrapping of the answer. An
            // opener that begins like a comment does, and it is the opener that counts.
            if let (Cover::Fence { start, .. }, false) = (cover, self.is_wrapped_here()) {
                self.hidden.push((self.open.len(), start, self.at));
            }
            return false;
        }
        let start = self.at + COMMENT.0.len();
        if self.is_in_span(start) || self.is_enclosed(start) {
            return false;
        }
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
        for (from, to) in self.answers.mentions() {
            let step = Step::Reclassify { from, to, channel: REASONING.to_owned() };
            self.step(step, end.clone());
        }
    }

    /// Whether a closer of an open element is at this place or later.
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
