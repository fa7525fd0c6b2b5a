//! Markers that are text, and why. The router does not know them: it drops what is not enabled at its
//! first byte. So this search runs beside the router, and only if a trace asked for it.

use super::code_guard::{CodeGuard, MarkerRule};
use super::marker_rules::{Around, MarkerRules};
use super::tag_set::{MarkerSide, TagSet};
use crate::lex::marker::{Accept, Walk};
use crate::span::Span;

/// Text that is spelt like a marker and is not one.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LiteralMarker {
    /// The marker as the tag set declares it.
    pub marker: String,
    /// The bytes of the text.
    pub span: Span,
    /// Why the marker does not count.
    pub why: LiteralReason,
}

/// Why a marker is text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LiteralReason {
    /// A code span, a fence or indented code hides the marker.
    Code,
    /// The marker counts only at the start of a line.
    MidLine,
    /// The element around takes no such element.
    Place,
    /// The closer has nothing to close.
    NothingToClose,
    /// The text after the closer may not follow it.
    Follower,
    /// The parameters or attributes are not allowed here.
    Params,
    /// The marker was fed as plain text.
    Plain,
}

impl LiteralReason {
    /// The name on the wire.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Code => "code",
            Self::MidLine => "mid_line",
            Self::Place => "place",
            Self::NothingToClose => "nothing_to_close",
            Self::Follower => "follower",
            Self::Params => "params",
            Self::Plain => "plain",
        }
    }

    /// A sentence for people.
    #[must_use]
    pub const fn what(self) -> &'static str {
        match self {
            Self::Code => "code hides it",
            Self::MidLine => "it counts only at the start of a line",
            Self::Place => "what it stands in takes no such element",
            Self::NothingToClose => "there is nothing here that it may close",
            Self::Follower => "what follows it may not follow the end of the element",
            Self::Params => "its parameters or attributes are not those that it may have here",
            Self::Plain => "it was fed as plain text",
        }
    }
}

/// The search for markers that are text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct LiteralSearch {
    candidates: Vec<LiteralCandidate>,
    /// Stream offset just past the text that was searched.
    end: u64,
    found: Vec<LiteralMarker>,
}

/// A place where a marker may have begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct LiteralCandidate {
    start: u64,
    walk: Walk,
    rule: MarkerRule,
    fresh: bool,
    /// Whether it begins in a token of text. The run may be forgotten at its end.
    begins_plain: bool,
}

/// The data that the search needs from the router. `guard` is the code before the text.
#[derive(Clone, Copy)]
pub(super) struct LiteralContext<'r> {
    pub(super) tags: &'r TagSet,
    pub(super) rules: &'r MarkerRules,
    pub(super) guard: CodeGuard,
}

impl LiteralSearch {
    /// The markers found since the last call.
    pub(super) fn take_found(&mut self) -> Vec<LiteralMarker> {
        core::mem::take(&mut self.found)
    }

    /// Searches text that begins at a stream offset.
    pub(super) fn read(&mut self, text: &str, start: u64, mut context: LiteralContext<'_>) {
        if self.end != start {
            self.candidates.clear();
        }
        for (byte, offset) in text.bytes().zip(start..) {
            self.step(byte, offset, context);
            if context.rules.place.guarded {
                context.guard.step(byte, offset, context.rules.code);
            }
        }
        self.end = start + text.len() as u64;
    }

    fn step(&mut self, byte: u8, offset: u64, context: LiteralContext<'_>) {
        let LiteralContext { tags, rules, guard } = context;
        let automaton = &tags.0.automaton;
        let every = *automaton.reaches(Walk::START.at);
        if !automaton.begins(byte).is_empty() {
            let (walk, rule) = (Walk::START, rules.at(&guard, offset, Around::Text));
            self.candidates.push(LiteralCandidate {
                start: offset,
                walk,
                rule,
                fresh: guard.fresh,
                begins_plain: rules.is_plain_text_token(offset),
            });
        }
        let found = &mut self.found;
        self.candidates.retain_mut(|candidate| {
            candidate.walk = automaton.go(candidate.walk, byte);
            if let Some(accept) = automaton.accept(candidate.walk.at, &every) {
                let marker = tags.0.texts[usize::from(accept.pattern)].clone();
                let span = Span::new(candidate.start, offset + 1);
                let why = candidate.why(accept, offset, rules);
                found.push(LiteralMarker { marker, span, why });
                return false;
            }
            automaton.reaches(candidate.walk.at).meets(&every)
        });
    }
}

impl LiteralCandidate {
    fn why(&self, accept: Accept, end: u64, rules: &MarkerRules) -> LiteralReason {
        let counts = |rule, fresh| rules.place.enabled(rule, fresh).contains(accept.marker);
        match MarkerSide::of(accept.marker) {
            _ if self.begins_plain || rules.is_plain_text_token(end) => LiteralReason::Plain,
            MarkerSide::Open(_) if !counts(MarkerRule::Open, true) => LiteralReason::Place,
            MarkerSide::Close(_) if !counts(MarkerRule::Open, true) => {
                LiteralReason::NothingToClose
            }
            _ if !counts(MarkerRule::Open, self.fresh) => LiteralReason::MidLine,
            _ if !counts(self.rule, self.fresh) => LiteralReason::Code,
            MarkerSide::Close(_) if rules.place.raw => LiteralReason::Follower,
            _ => LiteralReason::Params,
        }
    }
}
