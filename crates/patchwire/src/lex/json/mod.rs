//! JSON (RFC 8259), with an explicit stack, and the slips of [`Leniency`] that are allowed.
//!
//! The [`JsonState`] alone decides the meaning of a byte. If only later bytes can show a slip, the
//! undecided bytes are *held back*, so nothing emitted has to be corrected: see [`look`]. A machine without
//! any leniency is strict. On valid input it makes the tokens of the lenient machine.
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
mod bare;
mod current_text;
mod escape;
mod fast_path;
mod fenced;
mod held;
mod list_item;
mod look;
mod look_end;
mod number;
mod output;
mod probe;
mod quote;
mod replay;
mod settings;
mod structure;
#[cfg(test)]
mod tests;
mod text;
mod window;
mod word;
mod word_end;

use super::{Input, Slice, Token, TokenKind};
use crate::caps::Caps;
use crate::codes::Code;
use crate::error::{Error, ErrorKind, SyntaxError};
use crate::leniency::{Leniencies, Leniency};
use crate::limits::{Limit, Limits};
use crate::span::Span;
use aside::JsonComment;
use bare::{BareEnd, BareKeyEnd, BareText};
use current_text::CurrentText;
pub(crate) use escape::unescape;
pub(crate) use fast_path::{Cursor, FastPathEnd, TokenSink};
use fenced::FencedText;
use held::UndecidedBytes;
use list_item::ListItem;
use look::QuoteLook;
pub(crate) use number::whole_part;
use output::TokenOutput;
use probe::WordProbe;
pub(crate) use quote::JsonQuote;
use replay::Replay;
use settings::LexerSettings;
use window::QuoteWindows;
pub(crate) use window::{QuoteJudge, QuoteWindow};
pub(crate) use word::{foreign_literal, foreign_number, standard as scalar};

/// The initial capacity of the stack: growing from empty costs more than reserving it at once.
const STACK_ROOM: usize = 64;

/// The kind of an open container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum JsonContainer {
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
    /// The first item of a list, or its closer.
    First,
    /// After a comma of a list.
    Next,
}

/// The role of a quoted text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StringRole {
    Key,
    Value,
}

/// The state between two bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JsonState {
    /// A value must come (§3).
    Value(JsonPlace),
    /// A member name must come (§4). A closer may come instead: always if `first`, else as a slip.
    Key { first: bool },
    /// The colon after a member name (§4).
    Colon,
    /// After a value: a comma or a closer (§4, §5).
    After,
    /// After an item without quotes that its line end ended: the next line may be the next item.
    AfterLine,
    /// In a quoted text (§7).
    Text(StringRole),
    /// After a backslash in a quoted text (§7).
    Escape(StringRole),
    /// After a quote that may end the text. Lenient reading only.
    Look(StringRole, QuoteLook),
    /// In text between three backticks: a slip.
    Fenced(FencedText),
    /// In a number (§6), a literal (§3), or text that may turn out to be either.
    Word,
    /// In an unquoted string: a slip.
    Unquoted(BareText),
    /// After text that may end an unquoted string.
    UnquotedEnd(BareText, BareEnd),
    /// In an unquoted key: a slip.
    BareKey,
    /// After an unquoted key.
    BareKeyEnd(BareKeyEnd),
    /// After a value, at text that may follow a missing comma: a slip.
    Probe(WordProbe),
    /// In a comment: a slip. The second field is the state after it.
    Comment(JsonComment, JsonResume),
    /// In spaces of Unicode: a slip.
    Spaces { then: JsonResume },
    /// Bytes that fit nowhere: a slip.
    Junk { then: JsonResume },
    /// Text between a value and the next separator: a slip.
    Trailing,
    /// In backticks or tildes outside a string: three of them end the payload's fence.
    FenceRun(PayloadFenceRun),
    /// Containers close without further input, until this many are open.
    Closing { depth: u32 },
    /// The root is complete.
    Done,
}

/// Backticks or tildes outside a string so far, and the state that they may return to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct PayloadFenceRun {
    mark: u8,
    count: u8,
    then: JsonResume,
}

/// The structural states that a comment, spaces, junk or a fence run can return to.
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

/// The lexer of JSON. It reads one root.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct JsonLexer {
    settings: LexerSettings,
    state: JsonState,
    stack: Vec<JsonContainer>,
    string: CurrentText,
    windows: QuoteWindows,
    /// The current key, or the last one.
    key: String,
    /// The beginning of a word that a chunk boundary cut.
    word: String,
    item: ListItem,
    held: UndecidedBytes,
    replay: Replay,
    fence: RootFence,
    output: TokenOutput,
}

/// The fence around the root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct RootFence {
    /// Whether one is open: three backticks end the root.
    is_open: bool,
    /// Whether its closing line ended the root.
    ended_root: bool,
}

impl JsonLexer {
    pub(crate) fn new(rules: Leniencies, limits: &Limits, caps: Caps, judge: QuoteJudge) -> Self {
        Self {
            settings: LexerSettings::new(rules, limits, caps),
            state: JsonState::Value(JsonPlace::Root),
            stack: Vec::with_capacity(STACK_ROOM),
            string: CurrentText::new(),
            windows: QuoteWindows { judge, left: caps.windows },
            key: String::new(),
            word: String::new(),
            item: ListItem::default(),
            held: UndecidedBytes::default(),
            replay: Replay::default(),
            fence: RootFence::default(),
            output: TokenOutput::default(),
        }
    }

    /// Prepares for another root. Keeps the allocated memory.
    pub(crate) fn restart(&mut self) {
        self.state = JsonState::Value(JsonPlace::Root);
        self.stack.clear();
        debug_assert!(self.held.text.is_empty(), "a root ends without held text");
        self.replay.clear();
        self.item.begin(false);
        self.word.clear();
        self.key.clear();
        self.string.restart();
        self.fence = RootFence::default();
        self.windows.left = self.settings.caps.windows;
    }

    /// Sets whether a fence is open around the root that begins.
    pub(crate) const fn set_in_fence(&mut self, in_fence: bool) {
        self.fence.is_open = in_fence;
    }

    /// Queues text that is read before the next input, as if it directly preceded that input.
    pub(crate) fn read_first(&mut self, text: &str) {
        self.replay.push(text);
    }

    /// Continues inside an object or list whose opener was not read here.
    pub(crate) fn continue_in(&mut self, object: bool) {
        self.restart();
        self.stack.push(if object { JsonContainer::Object } else { JsonContainer::List });
        self.state = JsonState::After;
    }

    pub(crate) fn is_done(&self) -> bool {
        matches!(self.state, JsonState::Done) && self.output.queue.is_empty()
    }

    pub(crate) const fn is_fence_ended(&self) -> bool {
        self.fence.ended_root
    }

    /// Whether no token can come before more input.
    pub(crate) fn is_drained(&self) -> bool {
        self.output.is_empty()
            && self.replay.is_empty()
            && !matches!(self.state, JsonState::Closing { .. } | JsonState::Done)
    }

    /// Whether the position is certainly in a quoted text.
    pub(crate) const fn is_in_string(&self) -> bool {
        matches!(
            self.state,
            JsonState::Text(_) | JsonState::Escape(_) | JsonState::Fenced(FencedText::Body)
        )
    }

    /// Takes the unread part of the replay: after the root, another machine reads it.
    pub(crate) fn take_replay(&mut self) -> String {
        self.replay.take_rest()
    }

    pub(crate) fn out(&self) -> &str {
        &self.output.text
    }

    /// Copies the text of pending tokens into the machine's buffer, before the input is dropped.
    pub(crate) fn own_pending_text(&mut self, input: &str) {
        self.output.own_inputs(input);
    }

    /// The next token; `None` when the input is used up or the root is done.
    pub(crate) fn step(&mut self, input: &mut Input<'_>) -> Result<Option<Token>, Error> {
        loop {
            if let Some(token) = self.output.queue.pop() {
                return Ok(Some(token));
            }
            if let Some(error) = self.output.failed {
                return Err(error);
            }
            let read = match self.state {
                JsonState::Done => return Ok(None),
                JsonState::Closing { depth } => {
                    self.close_down_to(depth);
                    Ok(())
                }
                _ if !self.replay.is_read() => self.scan_replay(input),
                _ if input.is_done() => return Ok(None),
                _ => {
                    self.output.text.clear();
                    self.scan(input)
                }
            };
            // Tokens made before the error are returned first.
            self.output.failed = read.err();
        }
    }

    /// Reads held bytes again. They end where the input stands, which makes their offsets right.
    fn scan_replay(&mut self, input: &Input<'_>) -> Result<(), Error> {
        self.output.text.clear();
        let (text, from) = self.replay.take();
        let again = &text[from..];
        let mut again = Input::new(again, input.offset() - again.len() as u64);
        let result = self.scan(&mut again);
        self.output.own_inputs(again.text());
        let unread = from + again.pos;
        self.replay.put_back(text, unread);
        result
    }

    /// Makes one transition, or reads one run of bytes that change no state.
    fn scan(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        match self.state {
            JsonState::Text(role) => self.scan_text(role, input),
            JsonState::Escape(role) => self.scan_escape(role, input),
            JsonState::Look(role, look) => self.scan_look(role, look, input),
            JsonState::Fenced(at) => self.scan_fenced(at, input),
            JsonState::Word => self.scan_word(input),
            JsonState::Unquoted(bare) => self.scan_unquoted(bare, input),
            JsonState::UnquotedEnd(bare, end) => {
                self.scan_unquoted_end(bare, end, input);
                Ok(())
            }
            JsonState::BareKey => self.scan_bare_key(input),
            JsonState::BareKeyEnd(end) => {
                self.scan_bare_key_end(end, input);
                Ok(())
            }
            JsonState::Value(place) => self.scan_value(place, input),
            JsonState::Key { first } => self.scan_key(first, input),
            JsonState::Colon => self.scan_colon(input),
            JsonState::After => self.scan_after(input),
            JsonState::AfterLine => self.scan_after_line(input),
            JsonState::Probe(probe) => self.scan_probe(probe, input),
            JsonState::Comment(comment, then) => self.scan_comment(comment, then, input),
            JsonState::Spaces { then } => self.scan_spaces(then, input),
            JsonState::Junk { then } => self.scan_junk(then, input),
            JsonState::Trailing => self.scan_trailing(input),
            JsonState::FenceRun(run) => self.scan_fence_run(run, input),
            JsonState::Closing { .. } | JsonState::Done => Ok(()),
        }
    }

    /// Clears data that does not affect later tokens: emitted text, and the offset of bytes that are no
    /// longer held.
    pub(crate) fn canonicalize(&mut self) {
        self.output.text.clear();
        let holds = matches!(
            self.state,
            JsonState::Look(..)
                | JsonState::Probe(_)
                | JsonState::Word
                | JsonState::BareKey
                | JsonState::BareKeyEnd(_)
        );
        let in_fenced = matches!(self.state, JsonState::Fenced(at) if at != FencedText::Body);
        if !holds && !in_fenced {
            self.held.from = 0;
        }
    }

    /// Ends the input: decides the held bytes, one token per call.
    pub(crate) fn finish(&mut self, end: u64) -> Result<Option<Token>, Error> {
        loop {
            let mut nothing = Input::new("", end);
            if let Some(token) = self.step(&mut nothing)? {
                return Ok(Some(token));
            }
            if !self.end_state(end)? {
                return Ok(self.output.queue.pop());
            }
        }
    }

    /// Leaves a state that needs more input. Whether there was one.
    fn end_state(&mut self, end: u64) -> Result<bool, Error> {
        match self.state {
            JsonState::Done => return Ok(false),
            JsonState::Word => self.end_word(end)?,
            JsonState::Look(role, look) => self.end_look(role, look, end)?,
            JsonState::Fenced(at) => self.end_fenced_text(at, end)?,
            JsonState::Probe(_) => self.refute_probe(),
            JsonState::Trailing => self.end_trailing(end)?,
            JsonState::Spaces { then } => self.end_spaces(then, end),
            JsonState::Junk { then } => self.end_junk(then, end)?,
            JsonState::Unquoted(_) => self.close_unquoted(end),
            JsonState::UnquotedEnd(bare, ahead) => self.end_unquoted_end(bare, ahead, end),
            JsonState::BareKeyEnd(_) => self.end_bare_key(end),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// Stops to forgive this slip.
    pub(crate) fn forbid(&mut self, leniency: Leniency) {
        self.settings.rules = self.settings.rules.without(leniency);
    }

    /// Closes open values, because the payload ends here and other text follows.
    pub(crate) fn end_here(&mut self, end: u64) -> Result<(), Error> {
        let in_string = matches!(
            self.state,
            JsonState::Text(StringRole::Value)
                | JsonState::Escape(StringRole::Value)
                | JsonState::Fenced(_)
        );
        if self.stack.is_empty() && !in_string {
            return Ok(());
        }
        self.forgive(Leniency::MissingClosers, Code::MissingClose, Span::at(end))?;
        if in_string {
            self.output.emit(TokenKind::StringClose, end);
        }
        self.close_all_but(0, end);
        Ok(())
    }

    // Helpers of the transitions.

    #[cfg_attr(target_family = "wasm", inline)]
    fn top(&self) -> Option<JsonContainer> {
        self.stack.last().copied()
    }

    /// Enters the state after a value: that of its container, or the end.
    #[cfg_attr(target_family = "wasm", inline)]
    fn after_value(&mut self) {
        self.state = if self.stack.is_empty() { JsonState::Done } else { JsonState::After };
    }

    const fn syntax(error: SyntaxError, offset: u64) -> Error {
        Error::new(ErrorKind::Syntax(error), offset)
    }
}
