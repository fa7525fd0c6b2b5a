//! JSON (RFC 8259), pushed, with an explicit stack, and the slips of [`Leniency`] where they are
//! allowed.
//!
//! What a byte means depends on the [`JsonState`] alone. Where a slip can only be emitted by what follows,
//! the bytes are *held* and decided later, never taken back: see [`look`]. A machine with no leniency
//! allowed is the strict one; it reads valid input exactly as the lenient one does.
//!
//! ```text
//! {"title": "Hi", "n": 1.5}        state after the byte
//! ^ Key                            (first: a closer may follow)
//!  ^ Text(Key)
//!        ^ Look, confirmed by `:`  strict: Colon
//!         ^ Value
//!           ^ Text(Value)
//!              ^ Look, confirmed by `,"`
//!                     ^ Word, ended by the `}`
//! ```

mod aside;
mod escape;
mod fast_path;
mod held;
mod look;
mod number;
mod probe;
mod quote;
mod structure;
mod text;
mod word;

use super::{Input, Queue, Slice, Token, TokenKind};
use crate::caps::Caps;
use crate::codes::Code;
use crate::error::{Error, ErrorKind, SyntaxError};
use crate::leniency::{Leniencies, Leniency};
use crate::limits::{Limit, Limits};
use crate::span::Span;
use aside::JsonComment;
use escape::JsonEscape;
pub(crate) use fast_path::{Cursor, FastPathEnd, TokenSink};
use look::QuoteLook;
use probe::WordProbe;
use quote::JsonQuote;
pub(crate) use word::standard as scalar;

/// Containers that there is room for from the start: to grow into it costs more than all of it.
const STACK_ROOM: usize = 64;

/// What an open container is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JsonContainer {
    Object,
    List,
    /// A list that was opened with a round bracket.
    Tuple,
}

/// Where a value is expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JsonPlace {
    /// The root.
    Root,
    /// After the colon of a member.
    Member,
    /// First in a list: its closer may come instead.
    First,
    /// After a comma of a list.
    Next,
}

/// What a quoted text is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StringRole {
    Key,
    Value,
}

/// The position, in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JsonState {
    /// A value must come (§3).
    Value(JsonPlace),
    /// A member name must come (§4), or the closer: always if `first`, else as a slip.
    Key { first: bool },
    /// The colon after a member name (§4).
    Colon,
    /// After a value: a comma or a closer (§4, §5).
    After,
    /// In a quoted text (§7).
    Text(StringRole),
    /// After a backslash in a quoted text (§7).
    Escape(StringRole),
    /// After a quote that may end the text: slips only.
    Look(StringRole, QuoteLook),
    /// In a number (§6), a literal (§3), or text that may turn out to be either.
    Word,
    /// In a string without quotes: a slip. Whether a run of blanks in it grew too long to hold.
    Unquoted { capped: bool },
    /// In a key without quotes: a slip.
    BareKey,
    /// After a value, where a missing comma would be followed by this: a slip.
    Probe(WordProbe),
    /// In a comment: a slip. Then back to the state packed with it.
    Comment(JsonComment, JsonResume),
    /// Bytes that fit nowhere: a slip.
    Junk { then: JsonResume },
    /// Text between a value and the next separator: a slip.
    Trailing,
    /// Backticks or tildes outside a string: three are the end of the payload's fence.
    FenceRun { mark: u8, count: u8, then: JsonResume },
    /// Containers close, down to this many, without further input.
    Closing { depth: u32 },
    /// The root is complete.
    Done,
}

/// The structural states a detour comes back to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum JsonResume {
    Value(JsonPlace),
    Key { first: bool },
    Colon,
    After,
}

impl From<JsonResume> for JsonState {
    fn from(resume: JsonResume) -> Self {
        match resume {
            JsonResume::Value(place) => Self::Value(place),
            JsonResume::Key { first } => Self::Key { first },
            JsonResume::Colon => Self::Colon,
            JsonResume::After => Self::After,
        }
    }
}

/// The machine.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct JsonLexer {
    rules: Leniencies,
    caps: Caps,
    depth_limit: usize,
    key_limit: usize,
    word_limit: usize,
    held_limit: usize,
    state: JsonState,
    stack: Vec<JsonContainer>,
    /// Of the quoted text being read.
    quote: JsonQuote,
    /// Whether any text of the string was seen; three quotes need that there was none.
    started: bool,
    /// Which once-a-string notices were given.
    noted: Noted,
    escape: JsonEscape,
    /// Always empty between steps: memory for what an escape stands for.
    scratch: String,
    /// The key being read, or read last.
    key: String,
    /// A number or literal cut by a chunk.
    word: String,
    /// The beginning of a string item of a list in an object, if it may turn out to be the next key.
    item: String,
    item_may_be_key: bool,
    /// Bytes held back undecided, as they came, and where they began.
    held: String,
    held_from: u64,
    /// Where what is passed over began, or where what closes ended.
    since: u64,
    /// Held bytes that are to be read again, before any input.
    replay: String,
    replayed: usize,
    /// Text of tokens that does not lie in the input.
    out: String,
    queue: Queue,
    /// Whether the payload was ended by the closing line of its fence.
    fence_ended: bool,
    failed: Option<Error>,
}

/// Once-a-string notices that were given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Noted {
    control: bool,
    escape: bool,
}

impl JsonLexer {
    pub(crate) fn new(rules: Leniencies, limits: &Limits, caps: Caps) -> Self {
        let limit = |limit| limits.size(limit);
        Self {
            rules,
            caps,
            depth_limit: limit(Limit::Depth),
            key_limit: limit(Limit::Key),
            word_limit: limit(Limit::Number),
            held_limit: limit(Limit::Held),
            state: JsonState::Value(JsonPlace::Root),
            stack: Vec::with_capacity(STACK_ROOM),
            quote: JsonQuote::Double,
            started: false,
            noted: Noted::default(),
            escape: JsonEscape::default(),
            scratch: String::new(),
            key: String::new(),
            word: String::new(),
            item: String::new(),
            item_may_be_key: false,
            held: String::new(),
            held_from: 0,
            since: 0,
            replay: String::new(),
            replayed: 0,
            out: String::new(),
            queue: Queue::default(),
            fence_ended: false,
            failed: None,
        }
    }

    /// Ready for another root. Keeps the memory.
    pub(crate) fn restart(&mut self) {
        self.state = JsonState::Value(JsonPlace::Root);
        self.stack.clear();
        self.held.clear();
        self.replay.clear();
        self.replayed = 0;
        self.forget_item();
        self.word.clear();
        self.key.clear();
        self.escape = JsonEscape::default();
        self.fence_ended = false;
    }

    /// Text that came before: to be read first, as if it were input that ends where the next input
    /// begins.
    pub(crate) fn read_first(&mut self, text: &str) {
        self.replay.push_str(text);
    }

    /// The machine stands inside an object whose opener it never saw.
    pub(crate) fn continue_in(&mut self, object: bool) {
        self.restart();
        self.stack.push(if object { JsonContainer::Object } else { JsonContainer::List });
        self.state = JsonState::After;
    }

    pub(crate) fn is_done(&self) -> bool {
        matches!(self.state, JsonState::Done) && self.queue.is_empty()
    }

    pub(crate) const fn is_fence_ended(&self) -> bool {
        self.fence_ended
    }

    /// Whether there is nothing to emit before more input comes.
    pub(crate) fn is_drained(&self) -> bool {
        self.queue.is_empty()
            && self.replay.is_empty()
            && self.failed.is_none()
            && !matches!(self.state, JsonState::Closing { .. } | JsonState::Done)
    }

    /// Whether it is sure that the text stands in quotes.
    pub(crate) const fn is_in_string(&self) -> bool {
        matches!(self.state, JsonState::Text(_) | JsonState::Escape(_))
    }

    /// What is left of the replay: read by somebody else when the root is done.
    pub(crate) fn take_replay(&mut self) -> String {
        let rest = self.replay[self.replayed..].to_owned();
        self.replay.clear();
        self.replayed = 0;
        rest
    }

    pub(crate) fn out(&self) -> &str {
        &self.out
    }

    /// The input is about to go: tokens that are left name the machine's own buffer.
    pub(crate) fn own_pending_text(&mut self, input: &str) {
        self.queue.own_inputs(input, &mut self.out);
    }

    /// The next token, or none when all input is used up or the root is done.
    pub(crate) fn step(&mut self, input: &mut Input<'_>) -> Result<Option<Token>, Error> {
        loop {
            if let Some(token) = self.queue.pop() {
                return Ok(Some(token));
            }
            if let Some(error) = self.failed {
                return Err(error);
            }
            let read = match self.state {
                JsonState::Done => return Ok(None),
                JsonState::Closing { depth } => {
                    self.close_down_to(depth);
                    Ok(())
                }
                _ if self.replayed < self.replay.len() => self.scan_replay(input),
                _ if input.is_done() => return Ok(None),
                _ => {
                    self.out.clear();
                    self.scan(input)
                }
            };
            // What was read before the error is emitted first.
            self.failed = read.err();
        }
    }

    /// Reads on in held bytes. They end where the input stands, so that offsets are right.
    fn scan_replay(&mut self, input: &Input<'_>) -> Result<(), Error> {
        self.out.clear();
        let text = core::mem::take(&mut self.replay);
        let again = &text[self.replayed..];
        let mut again = Input::new(again, input.offset() - again.len() as u64);
        let result = self.scan(&mut again);
        self.queue.own_inputs(again.text(), &mut self.out);
        let unread = self.replayed + again.pos;
        self.replayed = 0;
        // What was held meanwhile and is to be read again comes before the rest.
        if self.replay.is_empty() && unread < text.len() {
            self.replayed = unread;
            self.replay = text;
        } else {
            self.replay.push_str(&text[unread..]);
        }
        result
    }

    /// One transition, or one run of bytes that change nothing.
    fn scan(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        match self.state {
            JsonState::Text(role) => self.scan_text(role, input),
            JsonState::Escape(role) => self.scan_escape(role, input),
            JsonState::Look(role, look) => self.scan_look(role, look, input),
            JsonState::Word => self.scan_word(input),
            JsonState::Unquoted { capped } => self.scan_unquoted(capped, input),
            JsonState::BareKey => self.scan_bare_key(input),
            JsonState::Value(place) => self.scan_value(place, input),
            JsonState::Key { first } => self.scan_key(first, input),
            JsonState::Colon => self.scan_colon(input),
            JsonState::After => self.scan_after(input),
            JsonState::Probe(probe) => self.scan_probe(probe, input),
            JsonState::Comment(comment, then) => self.scan_comment(comment, then, input),
            JsonState::Junk { then } => self.scan_junk(then, input),
            JsonState::Trailing => self.scan_trailing(input),
            JsonState::FenceRun { mark, count, then } => {
                self.scan_fence_run((mark, count, then), input)
            }
            JsonState::Closing { .. } | JsonState::Done => Ok(()),
        }
    }

    /// Forgets what is no state: text that was emitted, and where bytes began that are no longer held.
    pub(crate) fn canonicalize(&mut self) {
        self.out.clear();
        let holds = matches!(
            self.state,
            JsonState::Look(..) | JsonState::Probe(_) | JsonState::Word | JsonState::BareKey
        );
        if !holds {
            self.held_from = 0;
        }
    }

    /// The end of the input: what the held bytes mean now, token by token.
    pub(crate) fn finish(&mut self, end: u64) -> Result<Option<Token>, Error> {
        loop {
            let mut nothing = Input::new("", end);
            if let Some(token) = self.step(&mut nothing)? {
                return Ok(Some(token));
            }
            if !self.end_state(end)? {
                return Ok(self.queue.pop());
            }
        }
    }

    /// Leaves a state that only made sense while more could come. Whether there was one.
    fn end_state(&mut self, end: u64) -> Result<bool, Error> {
        match self.state {
            JsonState::Done => return Ok(false),
            JsonState::Word => self.end_word(end)?,
            JsonState::Look(role, look) => self.end_look(role, look, end)?,
            JsonState::Probe(_) => self.refute_probe(),
            JsonState::Trailing => self.end_trailing(end)?,
            JsonState::Junk { then } => self.end_junk(then, end)?,
            JsonState::Unquoted { .. } => self.close_unquoted(end),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// From now on this slip is not forgiven.
    pub(crate) fn forbid(&mut self, leniency: Leniency) {
        self.rules = self.rules.without(leniency);
    }

    /// The text ends here and something else goes on: what is open closes.
    pub(crate) fn end_here(&mut self, end: u64) -> Result<(), Error> {
        let in_string = matches!(
            self.state,
            JsonState::Text(StringRole::Value) | JsonState::Escape(StringRole::Value)
        );
        if self.stack.is_empty() && !in_string {
            return Ok(());
        }
        self.forgive(Leniency::MissingClosers, Code::MissingClose, Span::at(end))?;
        if in_string {
            self.emit(TokenKind::StringClose, end);
        }
        self.close_all_but(0, end);
        Ok(())
    }

    // What transitions are made of.

    fn allows(&self, leniency: Leniency) -> bool {
        self.rules.allow(leniency)
    }

    fn is_strict(&self) -> bool {
        self.rules == Leniencies::NONE
    }

    fn top(&self) -> Option<JsonContainer> {
        self.stack.last().copied()
    }

    fn emit(&mut self, what: TokenKind, end: u64) {
        self.queue.push(Token::new(what, end));
    }

    fn emit_text(&mut self, what: TokenKind, text: Slice, end: u64) {
        self.queue.push(Token::with(what, text, end));
    }

    fn note(&mut self, code: Code, span: Span) {
        self.queue.push(Token::notice(code, span));
    }

    /// Notes a repair of a key's text or of a value's text.
    fn note_text(&mut self, role: StringRole, code: Code, span: Span) {
        match role {
            StringRole::Key => self.queue.push(Token::notice_of_key(code, span)),
            StringRole::Value => self.note(code, span),
        }
    }

    /// Notes something about the value that begins next.
    fn note_next(&mut self, code: Code, span: Span) {
        self.queue.push(Token::notice_of_next(code, span));
    }

    /// Puts text into the machine's buffer.
    fn keep(&mut self, text: &str) -> Slice {
        let start = self.out.len();
        self.out.push_str(text);
        Slice::buffer(start, self.out.len())
    }

    /// The state after a value: its container's next, or the end.
    fn after_value(&mut self) {
        self.state = if self.stack.is_empty() { JsonState::Done } else { JsonState::After };
    }

    const fn syntax(error: SyntaxError, offset: u64) -> Error {
        Error::new(ErrorKind::Syntax(error), offset)
    }
}
