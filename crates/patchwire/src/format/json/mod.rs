//! JSON as models write it: prose and fences, with roots among them.
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
mod row;

use super::{Machine, Payloads, Position, Region};
use crate::caps::Caps;
use crate::codes::{Code, SkipReason};
use crate::error::{Error, ErrorKind, SyntaxError};
use crate::held::{Held, HeldBy};
use crate::leniency::Leniencies;
use crate::lex::json::{Cursor, FastPathEnd, JsonLexer, TokenSink};
use crate::lex::{Input, Queue, Slice, Token, TokenKind};
use crate::limits::Limits;
use crate::repair::JUDGE;
use crate::scan::ShortText;
use crate::schema::Schema;
use crate::text::whitespace_len;
use finder::{Aside, Finder, Found};
pub(crate) use row::JsonRow;

/// Which root is the payload, if there are several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Roots {
    /// The first root is streamed. At the end the root that fits the schema best is the answer. Without a
    /// schema, a fenced root is preferred to a bare one. Between equal roots the last wins.
    #[default]
    Best,
    /// The first root is streamed. At the end the answer is the first root that has every required member,
    /// each with a kind of value that the schema allows there. Without such a root it is the best one,
    /// judged first by members that must not be blank; between equal roots the first wins.
    FirstFit,
    /// The first root is the answer.
    First,
    /// The first root is streamed. At the end the last is the answer.
    Last,
    /// Each root is a document of its own: NDJSON, or consecutive values.
    Concatenated,
}

/// The settings of the machine.
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
    /// The options for strict reading.
    pub(crate) fn into_strict(self) -> Self {
        Self { rules: Leniencies::NONE, roots: Roots::First, strict: true, ..self }
    }

    /// The options of a spec without settings.
    #[cfg(test)]
    pub(crate) fn standard() -> Self {
        Self {
            rules: Leniencies::ALL,
            roots: Roots::default(),
            schema: None,
            limits: Limits::default(),
            caps: Caps::STANDARD,
            strict: false,
        }
    }
}

/// The start of a root that was not streamed.
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
    /// In a root that is skipped.
    Muted,
}

/// The machine of JSON answers.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct JsonFormat {
    strict: bool,
    roots: Roots,
    phase: Phase,
    finder: Finder,
    lexer: JsonLexer,
    queue: Queue,
    /// Text of pending tokens that is neither in the input nor in the buffers of finder and lexer.
    leftover: String,
    source: Source,
    payloads: u32,
    /// The first streamed root: whether it was in a fence, and where it ended.
    taken: Option<Taken>,
}

/// The buffer with the text of the last token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Source {
    Finder,
    Lexer,
    Leftover,
}

/// What the finalizer needs to know about a text that was read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Candidates {
    /// The first streamed root.
    pub(crate) taken: Option<Taken>,
    /// Roots that were not streamed, in order.
    pub(crate) marks: Vec<Mark>,
}

/// The streamed root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Taken {
    /// Its first byte.
    pub(crate) start: u64,
    pub(crate) fenced: bool,
    /// The offset just past its last byte, once it is complete.
    pub(crate) end: Option<u64>,
}

impl JsonFormat {
    pub(crate) fn new(options: &JsonOptions) -> Self {
        Self {
            strict: options.strict,
            roots: options.roots,
            phase: Phase::Outside,
            finder: Finder::new(options),
            lexer: JsonLexer::new(options.rules, &options.limits, options.caps, JUDGE),
            queue: Queue::default(),
            leftover: String::new(),
            source: Source::Lexer,
            payloads: 0,
            taken: None,
        }
    }

    /// A machine inside a root, which reads a candidate again.
    pub(crate) fn at_root(options: &JsonOptions) -> Self {
        Self { phase: Phase::Taken, ..Self::new(options) }
    }

    /// A machine inside a root, after a member or item, which reads on after a closer that came too early.
    pub(crate) fn in_root(options: &JsonOptions, object: bool) -> Self {
        let mut machine = Self::at_root(options);
        machine.lexer.continue_in(object);
        machine
    }

    pub(crate) fn candidates(&self) -> Candidates {
        Candidates { taken: self.taken, marks: self.finder.marks().to_vec() }
    }

    /// The offset where the answer's root ended. `None` if each root is an answer of its own.
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

    /// Tokens of the streamed root, until the general path is needed.
    #[inline]
    pub(crate) fn run_fast_path(
        &mut self,
        input: &mut Input<'_>,
        sink: &mut impl TokenSink,
    ) -> FastPathEnd {
        // In a root no token is queued: those of the end of the last one came before it began.
        if self.phase != Phase::Taken {
            return FastPathEnd::GeneralPath;
        }
        self.source = Source::Lexer;
        let Some(mut at) = self.lexer.cursor(input) else { return FastPathEnd::GeneralPath };
        // In WebAssembly size counts: there the loop is compiled once for both of its callers, elsewhere once for each.
        let fast_end = if cfg!(target_family = "wasm") {
            self.run(&mut at, sink)
        } else {
            self.lexer.run(&mut at, sink)
        };
        input.pos = at.pos();
        fast_end
    }

    /// Whether the position is in the streamed root with nothing pending.
    pub(crate) fn takes_fast_path(&self) -> bool {
        self.phase == Phase::Taken && self.lexer.takes_fast_path()
    }

    /// Reads a chunk of the streamed root on the fast path, if [possible](Self::takes_fast_path).
    // A call for each chunk makes short ones up to a tenth slower.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn run(&mut self, at: &mut Cursor<'_>, sink: &mut impl TokenSink) -> FastPathEnd {
        self.lexer.run(at, sink)
    }

    /// A short chunk that is one run of the open string, if it is one. Requires [`Self::takes_fast_path`].
    #[inline(always)]
    pub(crate) fn string_run<'t>(
        &mut self,
        chunk: &[u8],
        room: &'t mut ShortText,
    ) -> Option<&'t str> {
        self.lexer.string_run(chunk, room)
    }

    /// Turns the finder's result into a token.
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
        self.lexer.set_in_fence(root.fenced);
        self.lexer.read_first(self.finder.held_root(&root));
        if self.taken.is_none() || self.roots == Roots::Concatenated {
            self.phase = Phase::Taken;
            let start = root.start;
            self.taken.get_or_insert(Taken { start, fenced: root.fenced, end: None });
        } else {
            self.finder.mark(Mark { start: root.start, fenced: root.fenced });
            self.phase = Phase::Muted;
        }
        self.finder.forget_held();
        self.finder.canonicalize();
        self.leftover.clear();
    }

    /// Strict reading: only whitespace around one root.
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
        let start = input.offset();
        self.taken.get_or_insert(Taken { start, fenced: false, end: None });
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

    /// Ends the root. The bytes that the lexer still holds are text.
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
        let region = match self.phase {
            // Tokens that are pending at the end of a root come before a marker that follows it.
            Phase::Outside if !self.queue.is_empty() => Region::Payload,
            Phase::Outside if self.finder.is_inside() => Region::Candidate,
            Phase::Outside => Region::Outside,
            _ if self.lexer.is_in_string() => Region::String,
            _ => Region::Payload,
        };
        let drained = self.phase == Phase::Taken && self.lexer.is_drained();
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
