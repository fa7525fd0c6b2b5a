//! JSON as models send it: prose, fences, and a root somewhere in them.
//!
//! ```text
//! Sure! Here it is:          outside: Text
//! ```json                    outside, held: it may be the payload's fence
//! {"title": "x"}             taken: the lexer's tokens; the fence line lies in the root's span
//! ```                        outside: Skipped
//! or {"title": "y"}          muted: Skipped; the finalizer compares the two
//! ```

mod brace;
mod fence;
mod finder;

use super::{Machine, Payloads, Position, Region};
use crate::caps::Caps;
use crate::codes::{Code, SkipReason};
use crate::error::{Error, ErrorKind, SyntaxError};
use crate::held::{Held, HeldBy};
use crate::leniency::Leniencies;
use crate::lex::json::{Cursor, FastPathEnd, JsonLexer, TokenSink};
use crate::lex::{Input, Queue, Slice, Token, TokenKind};
use crate::limits::Limits;
use crate::schema::Schema;
use crate::text::whitespace_len;
use finder::{Aside, Finder, Found};

/// Which root is the payload, where there is more than one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Roots {
    /// The first is streamed; at the end the one that fits the schema best is the answer. Without a
    /// schema a fenced one beats a bare one. Of equals the last wins.
    #[default]
    Best,
    /// The first is streamed; at the end the first is the answer that has every required member, each
    /// of a kind of value that the schema wants there. If there is none, the best, where members that
    /// have to say something come before all else; of equals the first.
    FirstFit,
    /// The first.
    First,
    /// The first is streamed; at the end the last is the answer.
    Last,
    /// Each is a document of its own: NDJSON, or values in a row.
    Concatenated,
}

/// What shapes the reading.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct JsonOptions {
    pub(crate) rules: Leniencies,
    pub(crate) roots: Roots,
    pub(crate) schema: Option<Schema>,
    pub(crate) limits: Limits,
    pub(crate) caps: Caps,
    pub(crate) strict: bool,
}

impl JsonOptions {
    /// These options for strict reading.
    pub(crate) fn into_strict(self) -> Self {
        Self { rules: Leniencies::NONE, roots: Roots::First, strict: true, ..self }
    }
}

/// Where a root that was not streamed begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Mark {
    pub(crate) start: u64,
    pub(crate) fenced: bool,
}

/// The position among prose and roots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    /// Outside any root.
    Outside,
    /// In the root that is streamed.
    Taken,
    /// In a root that is only passed over.
    Muted,
}

/// The machine.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct JsonFormat {
    strict: bool,
    roots: Roots,
    phase: Phase,
    finder: Finder,
    lexer: JsonLexer,
    queue: Queue,
    /// Text of queued tokens that lies neither in the input nor with finder or lexer.
    leftover: String,
    source: Source,
    payloads: u32,
    /// The root that was streamed first: whether it stood in a fence, and where it ended.
    taken: Option<Taken>,
}

/// Whose buffer the last token's text lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Finder,
    Lexer,
    Leftover,
}

/// What the finalizer wants to know of a text that was read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Candidates {
    /// The root that was streamed first.
    pub(crate) taken: Option<Taken>,
    /// Roots that were not streamed, in order.
    pub(crate) marks: Vec<Mark>,
}

/// The streamed root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Taken {
    pub(crate) fenced: bool,
    /// Just past its last byte, once it is complete.
    pub(crate) end: Option<u64>,
}

impl JsonFormat {
    pub(crate) fn new(options: &JsonOptions) -> Self {
        Self {
            strict: options.strict,
            roots: options.roots,
            phase: Phase::Outside,
            finder: Finder::new(options),
            lexer: JsonLexer::new(options.rules, &options.limits, options.caps),
            queue: Queue::default(),
            leftover: String::new(),
            source: Source::Lexer,
            payloads: 0,
            taken: None,
        }
    }

    /// A machine that stands in a root already: for reading a candidate again.
    pub(crate) fn at_root(options: &JsonOptions) -> Self {
        Self { phase: Phase::Taken, ..Self::new(options) }
    }

    /// A machine that stands in a root after a member or item: for reading on behind a closer that
    /// came too early.
    pub(crate) fn in_root(options: &JsonOptions, object: bool) -> Self {
        let mut machine = Self::at_root(options);
        machine.lexer.continue_in(object);
        machine
    }

    pub(crate) fn candidates(&self) -> Candidates {
        Candidates { taken: self.taken, marks: self.finder.marks().to_vec() }
    }

    /// Where the root that is the answer ended: none where each root is an answer of its own.
    pub(crate) fn answer_end(&self) -> Option<u64> {
        self.taken.filter(|_| self.roots != Roots::Concatenated)?.end
    }

    fn step_outside(&mut self, input: &mut Input<'_>) -> Result<Option<Token>, Error> {
        if self.strict {
            return self.step_strict(input);
        }
        self.source = Source::Finder;
        let Some(found) = self.finder.step(input) else { return Ok(None) };
        match found {
            Found::Aside(aside) => self.outside_token(aside).map(Some),
            Found::Root => {
                self.begin_root();
                self.step(input)
            }
        }
    }

    /// Tokens of the streamed root, as long as they come without detours.
    #[inline]
    pub(crate) fn run_fast_path(
        &mut self,
        input: &mut Input<'_>,
        sink: &mut impl TokenSink,
    ) -> FastPathEnd {
        if self.phase != Phase::Taken || !self.queue.is_empty() {
            return FastPathEnd::GeneralPath;
        }
        self.source = Source::Lexer;
        self.lexer.run_fast_path(input, sink)
    }

    /// Whether the stream stands in the streamed root with nothing waiting before it.
    pub(crate) fn takes_fast_path(&self) -> bool {
        self.phase == Phase::Taken && self.queue.is_empty() && self.lexer.takes_fast_path()
    }

    /// A chunk of tokens of the streamed root, where that [is plain](Self::takes_fast_path).
    #[inline]
    pub(crate) fn run(&mut self, at: &mut Cursor<'_>, sink: &mut impl TokenSink) -> FastPathEnd {
        self.lexer.run(at, sink)
    }

    /// What the finder found, as a token.
    fn outside_token(&self, aside: Aside) -> Result<Token, Error> {
        Ok(match aside {
            Aside::Text(text, end) => Token::with(TokenKind::Outside, text, end),
            Aside::Skipped(reason, end) => Token::new(TokenKind::Skipped(reason), end),
            Aside::Notice(Code::SurplusClose, span) if !self.finder.may_skip_closers() => {
                let error = ErrorKind::Syntax(SyntaxError::TrailingText);
                return Err(Error::new(error, span.start));
            }
            Aside::Notice(code, span) => Token::notice(code, span),
        })
    }

    fn begin_root(&mut self) {
        self.payloads += 1;
        let root = self.finder.take_root();
        self.lexer.restart();
        self.lexer.read_first(self.finder.held_root(&root));
        if self.taken.is_none() || self.roots == Roots::Concatenated {
            self.phase = Phase::Taken;
            self.taken.get_or_insert(Taken { fenced: root.fenced, end: None });
        } else {
            self.finder.mark(Mark { start: root.start, fenced: root.fenced });
            self.phase = Phase::Muted;
        }
        self.finder.forget_held();
        self.finder.canonicalize();
        self.leftover.clear();
        self.source = Source::Lexer;
    }

    /// Strict: nothing but blanks around one root.
    fn step_strict(&mut self, input: &mut Input<'_>) -> Result<Option<Token>, Error> {
        let bytes = input.bytes();
        let len = whitespace_len(bytes);
        if len > 0 {
            let start = input.pos;
            input.pos += len;
            let text = Slice::input(start, input.pos);
            return Ok(Some(Token::with(TokenKind::Outside, text, input.offset())));
        }
        if input.is_done() {
            return Ok(None);
        }
        if self.taken.is_some() && self.roots != Roots::Concatenated {
            let error = ErrorKind::Syntax(SyntaxError::TrailingText);
            return Err(Error::new(error, input.offset()));
        }
        self.lexer.restart();
        self.taken.get_or_insert(Taken { fenced: false, end: None });
        self.phase = Phase::Taken;
        self.step(input)
    }

    fn step_taken(&mut self, input: &mut Input<'_>) -> Result<Option<Token>, Error> {
        self.source = Source::Lexer;
        if let Some(token) = self.lexer.step(input)? {
            return Ok(Some(token));
        }
        if self.lexer.is_done() {
            return Ok(Some(self.end_root(input.offset())));
        }
        Ok(None)
    }

    /// The root is complete: what is left of the lexer's held bytes is text.
    fn end_root(&mut self, offset: u64) -> Token {
        self.phase = Phase::Outside;
        self.leftover = self.lexer.take_replay();
        let fence = self.lexer.is_fence_ended();
        let end = offset - self.leftover.len() as u64 - if fence { 3 } else { 0 };
        if let Some(taken) = &mut self.taken {
            taken.end.get_or_insert(end);
        }
        self.finder.root_ended(fence);
        if fence {
            self.queue.push(Token::new(TokenKind::Skipped(SkipReason::Fence), end + 3));
        }
        if !self.leftover.is_empty() {
            let text = Slice::buffer(0, self.leftover.len());
            self.queue.push(Token::with(TokenKind::Outside, text, offset));
        }
        Token::new(TokenKind::RootComplete, end)
    }

    fn step_muted(&mut self, input: &mut Input<'_>) -> Result<Option<Token>, Error> {
        while self.lexer.step(input)?.is_some() {}
        if !self.lexer.is_done() {
            return Ok(None);
        }
        self.phase = Phase::Outside;
        self.lexer.take_replay();
        self.finder.root_ended(self.lexer.is_fence_ended());
        Ok(Some(Token::new(TokenKind::Skipped(SkipReason::Candidate), input.offset())))
    }

    fn finish_taken(&mut self, end: u64) -> Result<Option<Token>, Error> {
        self.source = Source::Lexer;
        if let Some(token) = self.lexer.finish(end)? {
            return Ok(Some(token));
        }
        if self.lexer.is_done() {
            return Ok(Some(self.end_root(end)));
        }
        if self.strict {
            return Err(Error::new(ErrorKind::UnexpectedEnd, end));
        }
        Ok(None)
    }
}

impl Machine for JsonFormat {
    fn step(&mut self, input: &mut Input<'_>) -> Result<Option<Token>, Error> {
        if let Some(token) = self.queue.pop() {
            self.source = Source::Leftover;
            return Ok(Some(token));
        }
        match self.phase {
            Phase::Outside => self.step_outside(input),
            Phase::Taken => self.step_taken(input),
            Phase::Muted => {
                if let Some(token) = self.step_muted(input)? {
                    return Ok(Some(token));
                }
                Ok(None)
            }
        }
    }

    fn finish(&mut self, end: u64) -> Result<Option<Token>, Error> {
        if let Some(token) = self.queue.pop() {
            self.source = Source::Leftover;
            return Ok(Some(token));
        }
        match self.phase {
            Phase::Taken => self.finish_taken(end),
            Phase::Muted => {
                self.phase = Phase::Outside;
                Ok(Some(Token::new(TokenKind::Skipped(SkipReason::Candidate), end)))
            }
            Phase::Outside if self.strict && self.taken.is_none() => {
                Err(Error::new(ErrorKind::UnexpectedEnd, end))
            }
            Phase::Outside => {
                self.source = Source::Finder;
                self.finder.finish(end).map(|aside| self.outside_token(aside)).transpose()
            }
        }
    }

    fn interrupt(&mut self, end: u64) -> Option<Token> {
        self.source = Source::Finder;
        self.finder.interrupt(end).and_then(|aside| self.outside_token(aside).ok())
    }

    fn buffer(&self) -> &str {
        match self.source {
            Source::Finder => self.finder.out(),
            Source::Lexer => self.lexer.out(),
            Source::Leftover => &self.leftover,
        }
    }

    fn canonicalize(&mut self) {
        self.lexer.canonicalize();
        if self.phase != Phase::Taken {
            self.finder.canonicalize();
            self.leftover.clear();
            self.source = Source::Lexer;
        }
    }

    #[inline]
    fn position(&self) -> Position {
        let queued = !self.queue.is_empty();
        let region = match self.phase {
            // Tokens that the end of a root left in the queue come before a marker that follows.
            Phase::Outside if queued => Region::Payload,
            Phase::Outside if self.finder.is_inside() => Region::Candidate,
            Phase::Outside => Region::Outside,
            _ if self.lexer.is_in_string() => Region::String,
            _ => Region::Payload,
        };
        let drained = self.phase == Phase::Taken && !queued && self.lexer.is_drained();
        let payloads = Payloads { begun: self.payloads, fence: self.finder.fence() };
        Position { region, drained, takes_runs: false, payloads: Some(payloads) }
    }

    fn leave(&mut self) {
        self.phase = Phase::Outside;
        self.lexer.restart();
        self.finder.root_ended(false);
    }

    fn own_pending_text(&mut self, input: &str) {
        self.lexer.own_pending_text(input);
    }

    fn held(&self, emitted: u64, end: u64) -> Vec<Held> {
        match self.phase {
            Phase::Outside => self.finder.held().into_iter().collect(),
            Phase::Taken => self.lexer.held(emitted, end),
            Phase::Muted => vec![Held::new(HeldBy::Candidate, emitted, "")],
        }
    }
}
