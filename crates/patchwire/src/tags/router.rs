//! Finds markers in text, and says which text lies in which element.
//!
//! What is held are the bytes from the oldest place on where a marker may have begun. A candidate that
//! dies gives back exactly the bytes before the next one; nothing is searched twice, but for what lies
//! behind a marker that waited to grow longer, or behind a closer that turned out to be content.

use super::candidate::{Candidate, char_len};
use super::family::Channel;
use super::follow::{Follow, Verdict};
use super::guard::{Guard, Rule};
use super::place::Place;
use super::set::{Side, TagSet};
use super::stack::{Act, Found, Stack};
use super::turn::Turn;
use crate::lex::Input;
use crate::notice::Code;
use crate::span::Span;

/// What was found at the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Routed {
    /// The input is free of markers up to this position. Nothing was eaten.
    Clear(usize),
    /// Bytes that were held are text after all: they lie in [`Router::released`], and ended in the
    /// stream at this offset.
    Released { end: u64 },
    /// A marker, which began there and whose bytes were eaten: [`Router::act`] tells what it did.
    Marker { start: u64 },
}

/// What is being read, as far as it says which markers count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Around {
    /// The place says.
    Text,
    /// A payload: only what ends the element round it counts.
    Payload,
    /// A string, where markers are data.
    String,
}

/// The position among markers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Router {
    pub(super) tags: TagSet,
    pub(super) stack: Stack,
    pub(super) place: Place,
    /// The code around the text that was routed.
    pub(super) guard: Guard,
    /// The code around what is looked at, where a candidate is alive: it may be text.
    ahead: Guard,
    /// Payloads that text was looked at behind of.
    payloads: u32,
    pub(super) candidates: Vec<Candidate>,
    pub(super) follow: Option<Follow>,
    /// From here on in the stream nothing hides markers: the reading beside, of an open fence.
    bare_from: u64,
    /// The bytes from the oldest candidate on that are not in the input any more.
    pub(super) held: String,
    /// Where they begin in the stream.
    base: u64,
    /// Where what was not looked at yet begins, if candidates are alive.
    looked: u64,
    released: String,
    acts: Vec<Act>,
    told: usize,
}

impl Router {
    pub(crate) fn new(tags: TagSet, start_in: Option<u16>, bare_from: Option<u64>) -> Self {
        let mut stack = Stack::new();
        if let Some(family) = start_in {
            stack.start_in(&tags, family);
        }
        Self {
            place: Place::of(&tags, &stack.open),
            tags,
            stack,
            guard: Guard::START,
            ahead: Guard::MIDDLE,
            payloads: 0,
            candidates: Vec::new(),
            follow: None,
            bare_from: bare_from.unwrap_or(u64::MAX),
            held: String::new(),
            base: 0,
            looked: 0,
            released: String::new(),
            acts: Vec::new(),
            told: 0,
        }
    }

    pub(crate) const fn tags(&self) -> &TagSet {
        &self.tags
    }

    pub(crate) fn released(&self) -> &str {
        &self.released
    }

    /// The next thing a marker did.
    pub(crate) fn act(&mut self) -> Option<Act> {
        let act = self.acts.get(self.told).cloned();
        self.told += 1;
        if act.is_none() {
            self.acts.clear();
            self.told = 0;
        }
        act
    }

    /// Whether the marker that was just read closes nothing.
    pub(crate) fn is_stray(&self) -> bool {
        self.acts.iter().any(|act| matches!(act, Act::Stray { .. }))
    }

    /// The chunk is told: what is no state is forgotten.
    pub(crate) fn forget(&mut self) {
        self.released.clear();
        if self.candidates.is_empty() && self.follow.is_none() {
            self.looked = 0;
            self.ahead = Guard::MIDDLE;
        }
        if self.held.is_empty() {
            self.base = 0;
        }
    }

    /// Whether no marker has begun and nothing is left to tell.
    pub(crate) fn is_clear(&self) -> bool {
        self.candidates.is_empty()
            && self.follow.is_none()
            && self.held.is_empty()
            && self.acts.is_empty()
    }

    /// Whether no marker may begin in a text, where the router [is clear](Self::is_clear): each place
    /// where one might is refuted by the bytes behind it. If so, it was passed.
    #[inline]
    pub(crate) fn passes(&mut self, text: &str, at: u64) -> bool {
        let (automaton, mut rest) = (&self.tags.0.automaton, text.as_bytes());
        while let Some(start) = automaton.find_start(rest) {
            rest = &rest[start..];
            if !automaton.refutes(rest) {
                return false;
            }
            rest = &rest[1..];
        }
        self.passed(text, at);
        true
    }

    /// Text was read that is not in a payload: it began in the stream at `at`.
    pub(crate) fn passed(&mut self, text: &str, at: u64) {
        if self.place.guarded {
            self.guard.read(text.as_bytes(), at, self.tags.0.code);
        }
    }

    /// The same of what was [released](Self::released): from one position to another.
    pub(crate) fn pass_released(&mut self, from: usize, to: usize, end: u64) {
        if self.place.guarded {
            let at = end - (self.released.len() - from) as u64;
            let text = &self.released.as_bytes()[from..to];
            self.guard.read(text, at, self.tags.0.code);
        }
    }

    /// A payload began: markers in it are data.
    pub(crate) fn interrupted(&mut self) {
        self.guard = Guard::MIDDLE;
        self.candidates.clear();
    }

    /// So many payloads began so far. Behind a new one the text goes on in the fence that stands round
    /// it.
    pub(crate) fn resume(&mut self, payloads: u32, fence: Option<(u8, u16)>) {
        if core::mem::replace(&mut self.payloads, payloads) != payloads {
            self.guard = Guard::behind_payload(fence);
        }
    }

    /// So many payloads began before the text that comes.
    pub(crate) fn count_from(&mut self, payloads: u32) {
        self.payloads = payloads;
    }

    /// The same at the end of a chunk: what stands behind the last one comes with the next.
    pub(crate) fn rest(&mut self, payloads: u32) {
        if self.payloads != payloads {
            self.interrupted();
        }
    }

    /// Looks on from the position. The input is not at its end.
    pub(crate) fn step(&mut self, input: &mut Input<'_>, around: Around) -> Option<Routed> {
        if input.is_replaced() {
            return Some(self.refuse(input));
        }
        let front = if self.held.is_empty() { input.offset() } else { self.base };
        self.looked = self.looked.max(front);
        loop {
            let routed = if self.follow.is_some() {
                self.look_behind(input)
            } else {
                match self.candidates.first() {
                    None => self.look_for_start(input, around),
                    Some(oldest) if oldest.done => self.settle(input),
                    Some(_) => self.look_on(input, around),
                }
            };
            match routed {
                Looked::On => {}
                Looked::Found(routed) => return Some(routed),
                Looked::Up => {
                    self.absorb(input);
                    return None;
                }
            }
        }
    }

    /// U+FFFD in place of bytes that are none is part of no marker.
    fn refuse(&mut self, input: &Input<'_>) -> Routed {
        self.end_candidates(input.offset()).unwrap_or_else(|| Routed::Clear(input.text().len()))
    }

    /// Looks for the next byte that begins a marker.
    fn look_for_start(&mut self, input: &mut Input<'_>, around: Around) -> Looked {
        let front = self.front(input);
        let automaton = &self.tags.0.automaton;
        let Some(byte) = self.byte(input, front) else { return Looked::Up };
        let rule = self.rule(&self.guard, front, around);
        let counts = automaton.begins(byte).meets(&self.place.seen(rule, self.guard.fresh));
        let around = if front >= self.bare_from { Around::Text } else { around };
        if self.looked > front || around == Around::String || !counts {
            // All before the next byte that may begin one is text; the first byte is.
            let from = self.looked.max(front + char_len(byte));
            self.looked = from;
            let next = self.next_start(input, from);
            return Looked::Found(self.give(input, next));
        }
        self.ahead = self.guard;
        self.begin(front, rule);
        self.take(byte, front);
        self.looked = front + 1;
        self.settle(input)
    }

    /// The next place from an offset on where a byte may begin a marker; the end, if there is none.
    fn next_start(&self, input: &Input<'_>, from: u64) -> u64 {
        let automaton = &self.tags.0.automaton;
        let seam = self.base + self.held.len() as u64;
        if !self.held.is_empty() && from < seam {
            let at = (from - self.base) as usize;
            let next = automaton.find_start(&self.held.as_bytes()[at..]);
            return next.map_or(seam, |next| from + next as u64);
        }
        let bytes = &input.text().as_bytes()[input.position_of(from)..];
        from + automaton.find_start(bytes).unwrap_or(bytes.len()) as u64
    }

    /// One byte more for the candidates that are alive.
    fn look_on(&mut self, input: &mut Input<'_>, around: Around) -> Looked {
        let at = self.looked;
        let Some(byte) = self.byte(input, at) else { return self.up_to_candidates(input) };
        let rule = self.rule(&self.ahead, at, around);
        let begins = self.tags.0.automaton.begins(byte);
        if begins.meets(&self.place.seen(rule, self.ahead.fresh)) {
            self.begin(at, rule);
        }
        self.take(byte, at);
        self.looked += 1;
        self.settle(input)
    }

    fn begin(&mut self, start: u64, rule: Rule) {
        let at = self.tags.0.automaton.start();
        let (guard, fresh) = (self.ahead, self.ahead.fresh);
        self.candidates.push(Candidate {
            start,
            at,
            count: 0,
            rule,
            fresh,
            guard,
            whole: None,
            done: false,
        });
    }

    /// Moves all candidates over a byte.
    fn take(&mut self, byte: u8, offset: u64) {
        let automaton = &self.tags.0.automaton;
        for candidate in &mut self.candidates {
            candidate.step(automaton, &self.place, byte, offset);
        }
        if self.place.guarded {
            self.ahead.step(byte, offset, self.tags.0.code);
        }
    }

    /// What the oldest candidates have come to.
    fn settle(&mut self, input: &mut Input<'_>) -> Looked {
        self.candidates.retain(|candidate| !candidate.done || candidate.whole.is_some());
        match self.candidates.first() {
            Some(&oldest) if oldest.done => self.complete(oldest, input),
            _ => Looked::On,
        }
    }

    /// The oldest candidate is a marker.
    fn complete(&mut self, oldest: Candidate, input: &mut Input<'_>) -> Looked {
        let front = self.front(input);
        let text_until = self.text_until(&oldest);
        if text_until > front {
            return Looked::Found(self.give(input, text_until));
        }
        let Some(found) = self.found(&oldest, input) else {
            // Noted, and text; or it has more attributes than a marker may have.
            self.candidates.remove(0);
            return if self.acts.is_empty() {
                Looked::On
            } else {
                Looked::Found(Routed::Marker { start: oldest.start })
            };
        };
        let closes = self.stack.closes(&self.tags, &found);
        let opens = matches!(Side::of(found.first), Side::Open(_));
        let unnamed = self.tags.family(found.first / 2).named_by.is_none();
        let content = self.place.closed || oldest.rule == Rule::Ends || !unnamed;
        if closes.is_none() && !opens && content {
            // Its parameters are not those of the element: it is content.
            self.candidates.remove(0);
            return Looked::On;
        }
        self.candidates.clear();
        if let (true, false, Some(at)) = (self.place.raw, opens, closes)
            && let Some(follow) = Follow::behind(&self.tags, &self.stack.open, at, &found)
        {
            self.looked = found.span.end;
            self.follow = Some(follow);
            return Looked::On;
        }
        self.guard = oldest.guard;
        let start = self.mark(found, input);
        Looked::Found(Routed::Marker { start })
    }

    /// Up to where the text before a marker that is whole is told first: up to the marker; where it is
    /// text itself, up to its end, so that what is noted of it comes behind.
    fn text_until(&self, marker: &Candidate) -> u64 {
        let enabled = self.place.enabled(marker.rule, marker.fresh);
        let automaton = &self.tags.0.automaton;
        let end = match marker.whole {
            Some((at, end)) if automaton.accept(at, &enabled).is_none() => end,
            _ => return marker.start,
        };
        let holds = |other: &&Candidate| {
            other.start > marker.start
                && automaton.reaches(other.at).meets(&self.place.enabled(other.rule, other.fresh))
        };
        let held = self.candidates.iter().find(holds).map(|candidate| candidate.start);
        held.unwrap_or(end).min(end)
    }

    /// What the candidate says, if it counts.
    fn found(&mut self, candidate: &Candidate, input: &Input<'_>) -> Option<Found> {
        let (at, end) = candidate.whole?;
        let automaton = &self.tags.0.automaton;
        let enabled = self.place.enabled(candidate.rule, candidate.fresh);
        let span = Span::new(candidate.start, end);
        let Some(first) = automaton.accept(at, &enabled) else {
            self.acts.push(Act::Notice(Code::StrayCloser, span));
            return None;
        };
        let markers = automaton.accepted(at, &enabled);
        let text = self.text(input, span);
        let params = self.tags.params(first.pattern, &text)?;
        Some(Found { markers, first: first.marker, params, empty: first.empty, span })
    }

    /// A marker counts: its bytes are eaten, and what it says is done.
    fn mark(&mut self, found: Found, input: &mut Input<'_>) -> u64 {
        let start = found.span.start;
        self.eat(input, found.span.end);
        self.looked = found.span.end;
        let family = self.tags.family(found.first / 2);
        let reasoning = family.channel() == &Channel::Reasoning || family.comment;
        self.guard.marked(found.first.is_multiple_of(2));
        self.turn().take(found);
        if !reasoning {
            // Reasoning before the answer leaves the answer the first thing; all else does not.
            self.guard.pass_first();
            self.stack.pass_first();
        }
        self.place = Place::of(&self.tags, &self.stack.open);
        start
    }

    fn turn(&mut self) -> Turn<'_> {
        let Self { tags, stack, guard, acts, .. } = self;
        Turn { tags, stack, guard, acts }
    }

    /// Looks at what follows the closer of a raw element.
    fn look_behind(&mut self, input: &mut Input<'_>) -> Looked {
        let at = self.looked;
        let Some(byte) = self.byte(input, at) else { return Looked::Up };
        let Some(follow) = &mut self.follow else { return Looked::On };
        self.looked += 1;
        match follow.step(&self.tags.0.automaton, byte) {
            Verdict::Wait => Looked::On,
            Verdict::Closer => self.close_raw(input),
            Verdict::Content => self.refute_closer(input),
        }
    }

    /// The input ended behind the closer of a raw element: it follows too, but no half of a marker.
    fn end_behind(&mut self, nothing: &mut Input<'_>) -> Looked {
        if self.follow.as_ref().is_some_and(Follow::is_in_follower) {
            return self.refute_closer(nothing);
        }
        self.close_raw(nothing)
    }

    /// It was content: its first byte is text, and all behind that is looked at again.
    fn refute_closer(&mut self, input: &Input<'_>) -> Looked {
        let Some(follow) = self.follow.take() else { return Looked::On };
        let start = follow.closer.span.start;
        self.looked = start + 1;
        Looked::Found(self.give(input, start + 1))
    }

    fn close_raw(&mut self, input: &mut Input<'_>) -> Looked {
        let Some(follow) = self.follow.take() else { return Looked::On };
        let start = self.mark(follow.closer, input);
        Looked::Found(Routed::Marker { start })
    }

    /// The input ends: what lies before the oldest candidate that holds is text.
    fn up_to_candidates(&mut self, input: &Input<'_>) -> Looked {
        let holds = |candidate: &&Candidate| {
            let enabled = self.place.enabled(candidate.rule, candidate.fresh);
            self.tags.0.automaton.reaches(candidate.at).meets(&enabled)
        };
        let oldest = self.candidates.iter().find(holds).map(|candidate| candidate.start);
        let until = oldest.unwrap_or(self.looked);
        if until > self.front(input) {
            return Looked::Found(self.give(input, until));
        }
        Looked::Up
    }

    /// Keeps what is held of an input that is about to go.
    fn absorb(&mut self, input: &mut Input<'_>) {
        if input.is_done() {
            return;
        }
        if self.held.is_empty() {
            self.base = input.offset();
        }
        self.held.push_str(input.rest());
        input.pos = input.text().len();
    }

    /// Gives out what lies before an offset: what is held first.
    fn give(&mut self, input: &Input<'_>, until: u64) -> Routed {
        if self.held.is_empty() {
            return Routed::Clear(input.position_of(until));
        }
        let end = until.min(self.base + self.held.len() as u64);
        let len = (end - self.base) as usize;
        self.released.clear();
        self.released.push_str(&self.held[..len]);
        self.held.drain(..len);
        self.base = end;
        Routed::Released { end }
    }

    /// Passes over the bytes of a marker.
    fn eat(&mut self, input: &mut Input<'_>, until: u64) {
        let seam = self.base + self.held.len() as u64;
        if !self.held.is_empty() && until < seam {
            self.held.drain(..(until - self.base) as usize);
            self.base = until;
            return;
        }
        self.held.clear();
        if until > input.offset() {
            input.pos = input.position_of(until);
        }
    }

    /// Where what is neither text nor marker yet begins.
    fn front(&self, input: &Input<'_>) -> u64 {
        if self.held.is_empty() { input.offset() } else { self.base }
    }

    fn byte(&self, input: &Input<'_>, at: u64) -> Option<u8> {
        let held = at.checked_sub(self.base).filter(|_| !self.held.is_empty());
        if let Some(&byte) = held.and_then(|at| self.held.as_bytes().get(at as usize)) {
            return Some(byte);
        }
        let at = input.pos + usize::try_from(at.checked_sub(input.offset())?).ok()?;
        input.text().as_bytes().get(at).copied()
    }

    fn text(&self, input: &Input<'_>, span: Span) -> String {
        let bytes = (span.start..span.end).filter_map(|at| self.byte(input, at)).collect();
        String::from_utf8(bytes).unwrap_or_default()
    }

    fn rule(&self, guard: &Guard, at: u64, around: Around) -> Rule {
        match around {
            Around::Payload => return Rule::Ends,
            Around::String if at >= self.bare_from => return Rule::Ends,
            _ if at >= self.bare_from => return Rule::Bare,
            Around::Text | Around::String => {}
        }
        if !self.place.guarded {
            return Rule::Open;
        }
        guard.rule(self.tags.0.code)
    }

    /// No more comes to what is alive. None when nothing is left to decide.
    fn end_candidates(&mut self, end: u64) -> Option<Routed> {
        let mut nothing = Input::new("", end);
        if self.held.is_empty() {
            self.candidates.clear();
            self.looked = end;
            return None;
        }
        loop {
            let looked = if self.follow.is_some() {
                match self.look_behind(&mut nothing) {
                    Looked::Up => self.end_behind(&mut nothing),
                    looked => looked,
                }
            } else {
                match self.candidates.first() {
                    None => self.look_for_start(&mut nothing, Around::Text),
                    Some(oldest) if oldest.done => self.settle(&mut nothing),
                    Some(_) => match self.look_on(&mut nothing, Around::Text) {
                        Looked::Up => {
                            self.candidates[0].done = true;
                            Looked::On
                        }
                        looked => looked,
                    },
                }
            };
            match looked {
                Looked::Found(routed) => return Some(routed),
                Looked::Up => return None,
                Looked::On => {}
            }
        }
    }

    /// The input ended: the next of what was held; then the elements that are open, the innermost
    /// first. None when all is told.
    pub(crate) fn finish(&mut self, end: u64) -> Option<Routed> {
        if let Some(routed) = self.end_candidates(end) {
            return Some(routed);
        }
        if self.turn().end(end) {
            self.place = Place::of(&self.tags, &self.stack.open);
            return Some(Routed::Marker { start: end });
        }
        None
    }
}

/// What looking came to.
enum Looked {
    /// There is more to look at.
    On,
    Found(Routed),
    /// The input is used up.
    Up,
}
