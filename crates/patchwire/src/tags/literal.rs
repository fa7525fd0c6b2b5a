//! Markers that count for nothing, and why: for people who wonder. They are looked for only where
//! somebody asked.

use super::guard::{Guard, Rule};
use super::router::{Around, Router};
use super::run::TokenRun;
use super::set::Side;
use crate::lex::marker::{Accept, Mask, Walk};
use crate::span::Span;

/// A text that is spelt as a marker and is none.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LiteralMarker {
    /// The marker, as the tag set declares it.
    pub marker: String,
    /// Where it stands.
    pub span: Span,
    /// Why it is text.
    pub why: Literal,
}

/// Why a marker is text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Literal {
    /// A code span or a fence hides it.
    Code,
    /// It counts only at the start of a line.
    MidLine,
    /// It would open what the place does not take.
    Place,
    /// It would close what is not open.
    NothingToClose,
    /// What follows it may not follow it.
    Follower,
    /// Its parameters or attributes are not those that it may have here.
    Params,
    /// It was fed as plain text.
    Plain,
}

impl Literal {
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

    /// What it means, for a person to read.
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

/// The search for them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Watch {
    shadows: Vec<Shadow>,
    /// Where the text ended that was looked at.
    end: u64,
    found: Vec<LiteralMarker>,
}

/// A place where one may have begun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Shadow {
    start: u64,
    walk: Walk,
    rule: Rule,
    fresh: bool,
}

impl Router {
    /// From now on they are looked for. Changes nothing of what is found.
    pub(crate) fn watch(&mut self) {
        self.watch = Some(Box::default());
    }

    /// Those found since the last call.
    pub(crate) fn take_literals(&mut self) -> Vec<LiteralMarker> {
        self.watch.as_mut().map(|watch| core::mem::take(&mut watch.found)).unwrap_or_default()
    }

    /// Looks for them in text that begins in the stream at `at`, before the guard reads it.
    pub(super) fn watch_text(&mut self, text: &str, at: u64) {
        let Some(mut watch) = self.watch.take() else { return };
        if watch.end != at {
            watch.shadows.clear();
        }
        let mut guard = self.guard;
        for (byte, offset) in text.bytes().zip(at..) {
            self.watch_byte(&mut watch, byte, (offset, &guard));
            if self.place.guarded {
                guard.step(byte, offset, self.tags.0.code);
            }
        }
        watch.end = at + text.len() as u64;
        self.watch = Some(watch);
    }

    fn watch_byte(&self, watch: &mut Watch, byte: u8, (offset, guard): (u64, &Guard)) {
        let automaton = &self.tags.0.automaton;
        let every = *automaton.reaches(Walk::START.at);
        if !automaton.begins(byte).is_empty() {
            let (walk, rule) = (Walk::START, self.rule(guard, offset, Around::Text));
            watch.shadows.push(Shadow { start: offset, walk, rule, fresh: guard.fresh });
        }
        let found = &mut watch.found;
        watch.shadows.retain_mut(|shadow| {
            shadow.walk = automaton.go(shadow.walk, byte);
            if let Some(accept) = automaton.accept(shadow.walk.at, &every) {
                let marker = self.tags.0.texts[usize::from(accept.pattern)].clone();
                let span = Span::new(shadow.start, offset + 1);
                found.push(LiteralMarker { marker, span, why: self.why(shadow, accept, offset) });
                return false;
            }
            automaton.reaches(shadow.walk.at).meets(&every)
        });
    }

    fn why(&self, shadow: &Shadow, accept: Accept, end: u64) -> Literal {
        let counts = |rule, fresh| -> bool {
            let enabled: Mask = self.place.enabled(rule, fresh);
            enabled.contains(accept.marker)
        };
        let plain = [shadow.start, end].map(|at| self.runs.at(at)).contains(&TokenRun::Plain);
        match Side::of(accept.marker) {
            _ if plain => Literal::Plain,
            Side::Open(_) if !counts(Rule::Open, true) => Literal::Place,
            Side::Close(_) if !counts(Rule::Open, true) => Literal::NothingToClose,
            _ if !counts(Rule::Open, shadow.fresh) => Literal::MidLine,
            _ if !counts(shadow.rule, shadow.fresh) => Literal::Code,
            Side::Close(_) if self.place.raw => Literal::Follower,
            _ => Literal::Params,
        }
    }
}
