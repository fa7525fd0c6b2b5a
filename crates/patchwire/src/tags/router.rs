//! Finds markers in text, and says which text lies in which element.
//!
//! What is held are the bytes from the oldest place on where a marker may have begun. A candidate that
//! dies gives back exactly the bytes before the next one; nothing is searched twice, but for what lies
//! behind a marker that waited to grow longer, or behind a closer that turned out to be content.

use super::candidate::{Candidate, char_len};
use super::family::Channel;
use super::follow::{Follow, Verdict};
use super::guard::{Guard, Rule};
use super::literal::Watch;
use super::place::Place;
use super::run::{Runs, TokenRun};
use super::set::{Side, TagSet};
use super::stack::{Act, Found, Stack};
use super::turn::Turn;
use crate::codes::Code;
use crate::lex::Input;
use crate::lex::marker::Walk;
use crate::span::Span;

/// What was found at the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Routed {
    /// The input is free of markers up to this position. Nothing was eaten.
    Clear(usize),
    /// Bytes that were held are text after all: they lie in [`Router::released`], and ended in the
    /// stream at this offset.
    Released { end: u64 },
    /// A marker, which began there and whose bytes were eaten: [`Router::act`] emits what it did.
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

/// Chunks shorter than this are looked at byte by byte.
const SHORT: usize = 16;

/// How a stream begins.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Begin {
    /// InReasoning an element of this family.
    pub(crate) start_in: Option<u16>,
    /// From here on in the stream nothing hides markers.
    pub(crate) bare_from: Option<u64>,
    /// It may be read again, and with it what its tokens are.
    pub(crate) keep_runs: bool,
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
    /// What was being read when the candidates began.
    under: Around,
    pub(super) follow: Option<Follow>,
    /// From here on in the stream nothing hides markers: the reading beside, of an open fence.
    bare_from: u64,
    pub(super) runs: Runs,
    pub(super) watch: Option<Box<Watch>>,
    /// The bytes from the oldest candidate on that are not in the input any more.
    pub(super) held: String,
    /// Where they begin in the stream.
    pub(super) base: u64,
    /// Where what was not looked at yet begins, if candidates are alive.
    pub(super) looked: u64,
    pub(super) released: String,
    acts: Vec<Act>,
    emitted: usize,
}

impl Router {
    pub(crate) fn new(tags: TagSet, begin: Begin) -> Self {
        let mut stack = Stack::new();
        if let Some(family) = begin.start_in {
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
            under: Around::Text,
            follow: None,
            bare_from: begin.bare_from.unwrap_or(u64::MAX),
            runs: Runs::new(begin.keep_runs),
            watch: None,
            held: String::new(),
            base: 0,
            looked: 0,
            released: String::new(),
            acts: Vec::new(),
            emitted: 0,
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
        let act = self.acts.get(self.emitted).cloned();
        self.emitted += 1;
        if act.is_none() {
            self.acts.clear();
            self.emitted = 0;
        }
        act
    }

    /// Whether the marker that was just read closes nothing.
    pub(crate) fn is_stray(&self) -> bool {
        self.acts.iter().any(|act| matches!(act, Act::Stray { .. }))
    }

    /// The chunk is emitted: what is no state is forgotten.
    pub(crate) fn forget(&mut self) {
        self.released.clear();
        if self.candidates.is_empty() && self.follow.is_none() {
            self.looked = 0;
            self.ahead = Guard::MIDDLE;
            self.under = Around::Text;
        }
        if self.held.is_empty() {
            self.base = 0;
        }
    }

    /// Whether no marker has begun and nothing is left to emit.
    pub(crate) fn is_clear(&self) -> bool {
        self.candidates.is_empty()
            && self.follow.is_none()
            && self.held.is_empty()
            && self.acts.is_empty()
    }

    /// Whether no marker may begin in a text, where the router [is clear](Self::is_clear): each place
    /// where one might is refuted by the bytes behind it. If so, it was passed.
    #[inline(always)]
    pub(crate) fn passes(&mut self, text: &str, at: u64) -> bool {
        let quiet = text.len() < SHORT && self.is_idle() && self.is_quiet(text.as_bytes());
        quiet || self.passes_slowly(text, at)
    }

    #[inline(never)]
    fn passes_slowly(&mut self, text: &str, at: u64) -> bool {
        let (automaton, mut rest) = (&self.tags.0.automaton, text.as_bytes());
        if self.runs.at(at) == TokenRun::Plain {
            rest = b"";
        }
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

    /// Whether nobody wants to know what text passes, unless it is [loud](Self::is_quiet).
    #[inline]
    fn is_idle(&self) -> bool {
        self.watch.is_none() && (!self.place.guarded || self.guard.is_idle())
    }

    #[inline]
    fn is_quiet(&self, bytes: &[u8]) -> bool {
        let quiet = |byte: u8| self.tags.0.quiet[usize::from(byte)];
        // Four at a time: all but a few are.
        let (fours, rest) = bytes.as_chunks::<4>();
        fours.iter().all(|&[a, b, c, d]| quiet(a) & quiet(b) & quiet(c) & quiet(d))
            && rest.iter().all(|&byte| quiet(byte))
    }

    /// Text was read that is not in a payload: it began in the stream at `at`.
    pub(crate) fn passed(&mut self, text: &str, at: u64) {
        if self.watch.is_some() {
            self.watch_text(text, at);
        }
        if self.place.guarded {
            self.guard.read(text.as_bytes(), at, self.tags.0.code);
        }
    }

    /// The same of what was [released](Self::released): from one position to another.
    pub(crate) fn pass_released(&mut self, from: usize, to: usize, end: u64) {
        let released = core::mem::take(&mut self.released);
        self.passed(&released[from..to], end - (released.len() - from) as u64);
        self.released = released;
    }

    /// A payload began: markers in it are data. What may yet turn out to be text leaves the code
    /// that it stands in.
    pub(crate) fn in_payload(&mut self, undecided: bool) {
        if !undecided {
            self.guard = Guard::MIDDLE;
        }
        self.candidates.clear();
    }

    /// The same, and what was held is data too.
    pub(crate) fn interrupted(&mut self, undecided: bool) -> Option<Routed> {
        self.in_payload(undecided);
        let end = self.base + self.held.len() as u64;
        (!self.held.is_empty()).then(|| self.release(end))
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
            self.in_payload(false);
        }
    }

    /// Looks on from the position. The input is not at its end.
    pub(crate) fn step(&mut self, input: &mut Input<'_>, around: Around) -> Option<Routed> {
        if input.is_replaced() {
            return Some(self.refuse(input, around));
        }
        let front = if self.held.is_empty() { input.offset() } else { self.base };
        self.looked = self.looked.max(front);
        self.look_again(front, around);
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

    /// What was read since the candidates began may say that other markers count here.
    fn look_again(&mut self, front: u64, around: Around) {
        let known = self.candidates.first().is_some_and(|oldest| oldest.start > front);
        if self.follow.is_none() && !known && self.under != around {
            if !self.candidates.is_empty() {
                self.candidates.clear();
                self.looked = front;
            }
            self.under = around;
        }
    }

    /// Looks for the next byte that begins a marker.
    pub(super) fn look_for_start(&mut self, input: &mut Input<'_>, around: Around) -> Looked {
        let front = self.front(input);
        let Some(byte) = self.byte(input, front) else { return Looked::Up };
        let rule = self.rule(&self.guard, front, around);
        let counts = self.may_begin((byte, front), rule, self.guard.fresh);
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
    pub(super) fn look_on(&mut self, input: &mut Input<'_>, around: Around) -> Looked {
        let at = self.looked;
        let Some(byte) = self.byte(input, at) else { return self.up_to_candidates(input) };
        let rule = self.rule(&self.ahead, at, around);
        if self.may_begin((byte, at), rule, self.ahead.fresh) {
            self.begin(at, rule);
        }
        self.take(byte, at);
        self.looked += 1;
        self.settle(input)
    }

    /// Whether a byte may begin a marker that counts, or is noted.
    /// Whether a marker that counts or is noted may begin with this byte.
    fn may_begin(&self, (byte, at): (u8, u64), rule: Rule, fresh: bool) -> bool {
        let begins = self.tags.0.automaton.begins(byte);
        begins.meets(&self.place.seen(rule, fresh)) && self.runs.at(at) != TokenRun::Plain
    }

    fn begin(&mut self, start: u64, rule: Rule) {
        let (guard, fresh) = (self.ahead, self.ahead.fresh);
        self.candidates.push(Candidate {
            start,
            walk: Walk::START,
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
        let may_end = self.runs.at(offset) != TokenRun::Plain;
        for candidate in &mut self.candidates {
            candidate.step(automaton, &self.place, (byte, offset), may_end);
        }
        if self.place.guarded {
            self.ahead.step(byte, offset, self.tags.0.code);
        }
    }

    /// What the oldest candidates have come to.
    pub(super) fn settle(&mut self, input: &mut Input<'_>) -> Looked {
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
            // Noted, and text.
            self.candidates.remove(0);
            return Looked::Found(Routed::Marker { start: oldest.start });
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

    /// Up to where the text before a marker that is whole is emitted first: up to the marker; where it is
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
                && automaton
                    .reaches(other.walk.at)
                    .meets(&self.place.enabled(other.rule, other.fresh))
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
        let params = self.tags.params(first.pattern, &text);
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

    pub(super) fn turn(&mut self) -> Turn<'_> {
        let Self { tags, stack, guard, acts, .. } = self;
        Turn { tags, stack, guard, acts }
    }

    /// Looks at what follows the closer of a raw element.
    pub(super) fn look_behind(&mut self, input: &mut Input<'_>) -> Looked {
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

    /// It was content: its first byte is text, and all behind that is looked at again.
    pub(super) fn refute_closer(&mut self, input: &Input<'_>) -> Looked {
        let Some(follow) = self.follow.take() else { return Looked::On };
        let start = follow.closer.span.start;
        self.looked = start + 1;
        Looked::Found(self.give(input, start + 1))
    }

    pub(super) fn close_raw(&mut self, input: &mut Input<'_>) -> Looked {
        let Some(follow) = self.follow.take() else { return Looked::On };
        let start = self.mark(follow.closer, input);
        Looked::Found(Routed::Marker { start })
    }

    /// The input ends: what lies before the oldest candidate that holds is text.
    fn up_to_candidates(&mut self, input: &Input<'_>) -> Looked {
        let holds = |candidate: &&Candidate| {
            let enabled = self.place.enabled(candidate.rule, candidate.fresh);
            self.tags.0.automaton.reaches(candidate.walk.at).meets(&enabled)
        };
        let oldest = self.candidates.iter().find(holds).map(|candidate| candidate.start);
        let until = oldest.unwrap_or(self.looked);
        if until > self.front(input) {
            return Looked::Found(self.give(input, until));
        }
        Looked::Up
    }

    /// Which markers count at a place; in a payload whatever code stands round it.
    pub(super) fn rule(&self, guard: &Guard, at: u64, around: Around) -> Rule {
        let bare = at >= self.bare_from || self.runs.at(at) == TokenRun::Special;
        match around {
            Around::Payload => return Rule::Ends,
            Around::String if bare => return Rule::Ends,
            Around::Text if bare => return Rule::Bare,
            Around::Text | Around::String => {}
        }
        if !self.place.guarded {
            return Rule::Open;
        }
        guard.rule(self.tags.0.code)
    }
}

/// What looking came to.
pub(super) enum Looked {
    /// There is more to look at.
    On,
    Found(Routed),
    /// The input is used up.
    Up,
}
