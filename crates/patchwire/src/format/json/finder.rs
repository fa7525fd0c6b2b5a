//! Finds the places in the text where a root may begin.
//!
//! Only a plausible bracket is a start; otherwise prose with `{braces}` and formulas would count as JSON.
//! The bytes held for the decision are bounded. If they turn out to be text, they are emitted as text.

mod lists;
mod passing_line;

use super::brace::{Brace, Judgement, Rules};
use super::fence::{FenceLine, FenceStep, OpenFence};
use super::{JsonOptions, Mark, Roots};
use crate::caps::Caps;
use crate::codes::{Code, SkipReason};
use crate::held::{Held, HeldBy};
use crate::leniency::{Leniencies, Leniency};
use crate::lex::{Input, Slice};
use crate::schema::Schema;
use crate::span::Span;
use crate::text::{BOM, is_whitespace, is_whitespace_byte};

/// The largest number of other roots that are remembered.
const MARKS_CAP: usize = 64;

/// The result of a search.
pub(super) enum Found {
    /// A root begins in the held bytes; see [`Finder::take_root`].
    Root,
    /// Something other than a root.
    Aside(Aside),
}

/// Bytes outside roots.
pub(super) enum Aside {
    Text(Slice, u64),
    Skipped(SkipReason, u64),
    Notice(Code, Span),
}

impl From<Aside> for Found {
    fn from(aside: Aside) -> Self {
        Self::Aside(aside)
    }
}

/// A root that begins in held bytes.
pub(super) struct Root {
    pub(super) start: u64,
    pub(super) fenced: bool,
    /// Its position in the held bytes.
    at: usize,
}

/// The bytes that are held, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hold {
    Nothing,
    /// A line that may open or close the payload's fence.
    Fence(FenceLine),
    /// The opening line of a fence, and whitespace.
    FenceBody,
    /// Closers after the root. `noted`: whether they have their notice.
    Closers {
        noted: bool,
    },
    /// A bracket that may open a root, at this position of the held text.
    Bracket(Brace, u32),
}

/// Whether a byte order mark may still come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Begin {
    /// At the start of the text.
    Start,
    /// At a byte order mark that was noted.
    Bom,
    /// After the first text.
    Begun,
}

/// The position in the text around roots.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Finder {
    rules: Leniencies,
    caps: Caps,
    schema: Option<Schema>,
    roots: Roots,
    begin: Begin,
    /// Whether anything visible was read.
    seen: bool,
    /// Whether only whitespace was read since the line began.
    line_start: bool,
    /// Whether only whitespace was read since a root ended.
    after_root: bool,
    had_root: bool,
    /// Whether the last root is a list.
    had_list: bool,
    /// Whether the last visible byte is `:`, `=` or `>`, or opens a call, so that a list may follow.
    list_may_follow: bool,
    /// Whether the last byte may end a name.
    after_name: bool,
    /// Whether the last byte is a letter, a digit or part of a formula: then no empty object follows.
    after_word: bool,
    fence: Option<OpenFence>,
    /// A line that may open or close a fence other than the payload's. Its text is emitted.
    passing: Option<FenceLine>,
    hold: Hold,
    held: String,
    held_from: u64,
    out: String,
    marks: Vec<Mark>,
}

impl Finder {
    pub(super) fn new(options: &JsonOptions) -> Self {
        Self {
            rules: options.rules,
            caps: options.caps,
            schema: options.schema.clone(),
            roots: options.roots,
            begin: Begin::Start,
            seen: false,
            line_start: true,
            after_root: false,
            had_root: false,
            had_list: false,
            list_may_follow: false,
            after_name: false,
            after_word: false,
            fence: None,
            passing: None,
            hold: Hold::Nothing,
            held: String::new(),
            held_from: 0,
            out: String::new(),
            marks: Vec::new(),
        }
    }

    pub(super) fn marks(&self) -> &[Mark] {
        &self.marks
    }

    pub(super) fn out(&self) -> &str {
        &self.out
    }

    pub(super) fn mark(&mut self, mark: Mark) {
        if self.marks.len() < MARKS_CAP {
            self.marks.push(mark);
        }
    }

    /// Whether the held bytes look like JSON so far, so that markers in them are data.
    pub(super) const fn is_inside(&self) -> bool {
        matches!(self.hold, Hold::Bracket(brace, _) if brace.is_scanning())
    }

    pub(super) fn held(&self) -> Option<Held> {
        let by = match self.hold {
            Hold::Nothing => return None,
            Hold::Fence(_) => HeldBy::FenceLine,
            Hold::FenceBody => HeldBy::FenceBody,
            Hold::Closers { .. } => HeldBy::SurplusClosers,
            Hold::Bracket(brace, _) if brace.is_scanning() => HeldBy::SchemaKey,
            Hold::Bracket(..) => HeldBy::Bracket,
        };
        Some(Held::new(by, self.held_from, &self.held))
    }

    /// Takes the root that [`Found::Root`] reported.
    pub(super) fn take_root(&mut self) -> Root {
        let at = match self.hold {
            Hold::Bracket(_, at) => at as usize,
            _ => 0,
        };
        self.hold = Hold::Nothing;
        self.had_list = !self.held[at..].starts_with('{');
        Root { start: self.held_from + at as u64, fenced: self.fence.is_some(), at }
    }

    pub(super) fn held_root(&self, root: &Root) -> &str {
        &self.held[root.at..]
    }

    pub(super) fn forget_held(&mut self) {
        self.held.clear();
        self.see();
    }

    /// The mark and the length of the fence around the current text.
    pub(super) fn fence(&self) -> Option<(u8, u16)> {
        self.fence.map(OpenFence::run)
    }

    /// Continues after a root. `fence`: whether the closing line of its fence ended it.
    pub(super) fn root_ended(&mut self, fence: bool) {
        self.had_root = true;
        self.after_root = !fence;
        self.line_start = false;
        self.after_word = false;
        self.list_may_follow = false;
        self.after_name = false;
        if fence {
            self.fence = None;
        }
    }

    /// Records that something visible was read.
    fn see(&mut self) {
        self.seen = true;
        self.line_start = false;
        self.after_root = false;
        if let Some(fence) = &mut self.fence {
            fence.fresh = false;
        }
    }

    pub(super) fn step(&mut self, input: &mut Input<'_>) -> Option<Found> {
        if input.is_done() {
            return None;
        }
        self.out.clear();
        if self.begin != Begin::Begun
            && let Some(found) = self.scan_bom(input)
        {
            return Some(found.into());
        }
        if input.is_replaced()
            && let Some(found) = self.interrupt(input.offset())
        {
            return Some(found.into());
        }
        self.scan(input)
    }

    fn scan(&mut self, input: &mut Input<'_>) -> Option<Found> {
        match self.hold {
            Hold::Nothing => self.scan_text(input),
            Hold::Fence(hold) => self.scan_fence(hold, input),
            Hold::FenceBody => self.scan_fence_body(input),
            Hold::Closers { noted } => self.scan_closers(noted, input),
            Hold::Bracket(brace, at) => self.scan_bracket(brace, at, input),
        }
    }

    fn scan_bom(&mut self, input: &mut Input<'_>) -> Option<Aside> {
        let is_bom = input.offset() == 0 && input.peek_char() == Some(BOM);
        if self.begin == Begin::Bom {
            self.begin = Begin::Begun;
            input.pos += BOM.len_utf8();
            return Some(Aside::Skipped(SkipReason::Bom, input.offset()));
        }
        if is_bom && !input.is_replaced() {
            self.begin = Begin::Bom;
            return Some(Aside::Notice(Code::Bom, Span::new(0, BOM.len_utf8() as u64)));
        }
        self.begin = Begin::Begun;
        None
    }

    /// Reads text up to the next byte that may begin a root or a fence.
    fn scan_text(&mut self, input: &mut Input<'_>) -> Option<Found> {
        let start = input.pos;
        while let Some(byte) = input.peek() {
            if self.passes_line(byte) {
                self.pass_line(input);
                continue;
            }
            if byte == b'{' {
                self.pass_braces(input);
            }
            if let Some(hold) = self.hold_at(byte) {
                if input.pos > start {
                    break;
                }
                self.hold = hold;
                self.held.clear();
                self.held_from = input.offset();
                self.eat_held(char::from(byte), input);
                return self.scan(input);
            }
            self.mark_foreign(byte, input.offset());
            self.mark_list_behind(byte, input.offset());
            let from = input.pos;
            self.pass(byte);
            input.pos += 1;
            if !is_whitespace_byte(byte) {
                input.pos += run(input.bytes());
            }
            self.note_colon(&input.text()[from..input.pos]);
            let last = input.text().as_bytes()[input.pos - 1];
            self.after_word = last.is_ascii_alphanumeric() || b"\\$_^}".contains(&last);
        }
        let text = Slice::input(start, input.pos);
        Some(Aside::Text(text, input.offset()).into())
    }

    /// Passes the braces that another one follows directly: no object begins with `{{`. Without this, each brace
    /// of a long run would be held and released.
    fn pass_braces(&mut self, input: &mut Input<'_>) {
        let run = input.bytes().iter().take_while(|&&byte| byte == b'{').count();
        let brace = Brace::object(self.is_first(), self.line_start);
        // At the smallest caps a brace is judged before the byte after it.
        if run < 2 || brace.at_cap(1, &self.bracket_rules()).is_some() {
            return;
        }
        self.mark_foreign(b'{', input.offset());
        self.see();
        input.pos += run - 1;
        self.list_may_follow = false;
        self.after_name = false;
        self.after_word = false;
    }

    /// The hold that a byte begins, if any.
    fn hold_at(&self, byte: u8) -> Option<Hold> {
        match byte {
            b'`' | b'~' if self.begins_fence_line() => Some(Hold::Fence(FenceLine::begin(byte))),
            b'}' | b']' if self.after_root => Some(Hold::Closers { noted: false }),
            b'{' if self.may_begin() => {
                Some(Hold::Bracket(Brace::object(self.is_first(), self.line_start), 0))
            }
            b'[' if self.may_begin() => {
                self.list_start().map(|start| Hold::Bracket(Brace::list(start), 0))
            }
            _ => None,
        }
    }

    fn may_begin(&self) -> bool {
        self.root_may_come() && self.fence.is_none_or(|fence| fence.json)
    }

    fn root_may_come(&self) -> bool {
        self.roots != Roots::First || !self.had_root
    }

    /// Whether backticks at the position may open or close the payload's fence.
    fn begins_fence_line(&self) -> bool {
        match self.fence {
            Some(_) => self.after_root,
            None => (self.line_start || self.after_root) && self.root_may_come(),
        }
    }

    pub(super) const fn may_skip_closers(&self) -> bool {
        self.rules.allow(Leniency::SurplusClosers)
    }

    /// Whether nothing visible was read yet in the text or the fence.
    fn is_first(&self) -> bool {
        !self.seen || self.fence.is_some_and(|fence| fence.fresh)
    }

    /// The text of a fence begins with something other than a root.
    fn end_fence_body(&mut self, end: u64) -> Aside {
        let fence = self.fence;
        let found = self.release(end);
        self.fence = fence;
        found
    }

    /// Whether the next of several roots may begin here.
    fn is_next_root(&self) -> bool {
        self.roots == Roots::Concatenated && (self.line_start || self.after_root)
    }

    fn pass(&mut self, byte: u8) {
        match byte {
            b'\n' => self.line_start = true,
            b' ' | b'\t' | b'\r' => {}
            _ => self.see(),
        }
    }

    /// Remembers a bracket that begins a fence of another language. The finalizer may choose it as the
    /// payload.
    fn mark_foreign(&mut self, byte: u8, start: u64) {
        let fresh = self.fence.is_some_and(|fence| fence.fresh && !fence.json);
        if fresh && matches!(byte, b'{' | b'[') {
            self.mark(Mark { start, fenced: true });
        }
    }

    fn eat_held(&mut self, char: char, input: &mut Input<'_>) {
        self.held.push(char);
        input.pos += char.len_utf8();
    }

    /// Releases the held bytes as text.
    fn release(&mut self, end: u64) -> Aside {
        core::mem::swap(&mut self.out, &mut self.held);
        self.held.clear();
        self.hold = Hold::Nothing;
        let text = core::mem::take(&mut self.out);
        self.note_colon(&text);
        self.out = text;
        let line = self.out.rfind('\n').map_or(&*self.out, |at| &self.out[at + 1..]);
        let blank = line.bytes().all(is_whitespace_byte) && self.out.contains('\n');
        self.see();
        self.line_start = blank;
        self.after_word = false;
        Aside::Text(Slice::buffer(0, self.out.len()), end)
    }

    /// Reads on in a line of backticks or tildes.
    fn scan_fence(&mut self, mut line: FenceLine, input: &mut Input<'_>) -> Option<Found> {
        while let Some(char) = input.peek_char() {
            match line.step(char, self.fence, self.caps.info) {
                FenceStep::Hold => self.eat_held(char, input),
                FenceStep::Pass => {
                    self.eat_held(char, input);
                    let found = self.release(input.offset());
                    self.passing = Some(line);
                    return Some(found.into());
                }
                FenceStep::Text => return Some(self.release(input.offset()).into()),
                FenceStep::Opens(fence) => {
                    if char == '\n' {
                        self.eat_held(char, input);
                    }
                    if !fence.json {
                        let found = self.release(input.offset());
                        self.fence = Some(fence);
                        return Some(found.into());
                    }
                    self.fence = Some(fence);
                    self.hold = Hold::FenceBody;
                    return self.step(input);
                }
                FenceStep::Closes => return Some(self.close_fence(input.offset()).into()),
            }
        }
        self.hold = Hold::Fence(line);
        None
    }

    /// Skips the closing line of the payload's fence.
    fn close_fence(&mut self, end: u64) -> Aside {
        self.fence = None;
        self.release(end);
        self.after_root = true;
        Aside::Skipped(SkipReason::Fence, end)
    }

    /// Reads on after the opening line of a fence that may contain the payload.
    fn scan_fence_body(&mut self, input: &mut Input<'_>) -> Option<Found> {
        while let Some(char) = input.peek_char() {
            let at = self.held.len() as u32;
            let bracket = match char {
                '{' if self.may_begin() => Brace::object(true, true),
                '[' | '(' => match self.fenced_list(char) {
                    Some(list) => list,
                    None => return Some(self.end_fence_body(input.offset()).into()),
                },
                _ if is_whitespace(char) && self.held.len() < self.caps.fence => {
                    self.eat_held(char, input);
                    continue;
                }
                _ => return Some(self.end_fence_body(input.offset()).into()),
            };
            self.eat_held(char, input);
            self.hold = Hold::Bracket(bracket, at);
            return self.scan(input);
        }
        None
    }

    /// Reads on in closers that close nothing.
    fn scan_closers(&mut self, noted: bool, input: &mut Input<'_>) -> Option<Found> {
        while let Some(byte @ (b'}' | b']')) = input.peek() {
            // Closers are never emitted, so the first of them are enough to show why bytes are held.
            if self.held.len() < self.caps.fence {
                self.held.push(char::from(byte));
            }
            input.pos += 1;
        }
        if input.is_done() {
            return None;
        }
        Some(self.end_closers(noted, input.offset()).into())
    }

    fn end_closers(&mut self, noted: bool, end: u64) -> Aside {
        if !noted {
            self.hold = Hold::Closers { noted: true };
            return Aside::Notice(Code::SurplusClose, Span::new(self.held_from, end));
        }
        self.hold = Hold::Nothing;
        self.held.clear();
        Aside::Skipped(SkipReason::SurplusClose, end)
    }

    const fn bracket_rules(&self) -> Rules<'_> {
        let (schema, after_word) = (self.schema.as_ref(), self.after_word);
        Rules { slips: self.rules, schema, caps: self.caps, after_word }
    }

    fn scan_bracket(&mut self, mut brace: Brace, at: u32, input: &mut Input<'_>) -> Option<Found> {
        loop {
            let rules = self.bracket_rules();
            let held = &self.held[at as usize..];
            let next = input.peek_char();
            let judgement = match (brace.at_cap(held.len(), &rules), next) {
                (Some(judgement), _) => judgement,
                (None, Some(char)) => brace.step(char, held, rules),
                (None, None) => break,
            };
            match (judgement, next) {
                (Judgement::Hold, Some(char)) => self.eat_held(char, input),
                (Judgement::Hold, None) => break,
                (Judgement::Root, _) => {
                    self.hold = Hold::Bracket(brace, at);
                    return Some(Found::Root);
                }
                (Judgement::Text, _) => return Some(self.release(input.offset()).into()),
                (Judgement::Candidate, _) => {
                    let start = self.held_from + u64::from(at);
                    self.mark(Mark { start, fenced: self.fence.is_some() });
                    return Some(self.release(input.offset()).into());
                }
            }
        }
        self.hold = Hold::Bracket(brace, at);
        None
    }

    /// Releases the held bytes as text, because an element begins or ends here.
    pub(super) fn interrupt(&mut self, end: u64) -> Option<Aside> {
        self.passing = None;
        match self.hold {
            Hold::Nothing => None,
            Hold::Closers { noted } => Some(self.end_closers(noted, end)),
            _ => Some(self.release(end)),
        }
    }

    /// Clears data that does not affect later tokens: emitted text and its positions.
    pub(super) fn canonicalize(&mut self) {
        self.out.clear();
        if self.hold == Hold::Nothing {
            self.held.clear();
            self.held_from = 0;
        }
    }

    /// Ends the input.
    pub(super) fn finish(&mut self, end: u64) -> Option<Aside> {
        self.out.clear();
        match self.hold {
            Hold::Nothing => None,
            Hold::Closers { noted } => Some(self.end_closers(noted, end)),
            Hold::Fence(line) if line.closes_at_end(self.fence) => Some(self.close_fence(end)),
            Hold::Bracket(brace, at) if brace.is_plausible() => {
                let start = self.held_from + u64::from(at);
                self.mark(Mark { start, fenced: self.fence.is_some() });
                Some(self.release(end))
            }
            _ => Some(self.release(end)),
        }
    }
}

/// The length of the run that can begin neither a root nor a line.
fn run(bytes: &[u8]) -> usize {
    memchr::memchr3(b'\n', b'{', b'[', bytes).unwrap_or(bytes.len())
}
