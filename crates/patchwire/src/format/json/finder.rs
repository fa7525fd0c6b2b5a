//! Where in the text a root may begin.
//!
//! A start must be plausible, or prose about `{braces}` and formulas would be taken for JSON. What is
//! held while that is decided is bounded; what turns out to be text is given out as text.

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

/// Most roots that are remembered beside the one that is streamed.
const MARKS_CAP: usize = 64;

/// What was found.
pub(super) enum Found {
    /// A root begins in what is held; see [`Finder::take_root`].
    Root,
    /// No root.
    Aside(Aside),
}

/// What is no root.
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
    /// Where in the held bytes it begins.
    at: usize,
}

/// What is held, and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hold {
    Nothing,
    /// A line that may open or close the payload's fence.
    Fence(FenceLine),
    /// The opening line of a fence, and blanks.
    FenceBody,
    /// Closers after the root, noted or not.
    Closers {
        noted: bool,
    },
    /// A bracket that may open a root; it lies so far into what is held.
    Bracket(Brace, u32),
}

/// Whether a byte order mark may still come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Begin {
    /// Nothing came.
    Start,
    /// A byte order mark stands at the position, and was noted.
    Bom,
    /// Text came.
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
    /// Whether anything visible came.
    seen: bool,
    /// Whether only blanks came since the line began.
    line_start: bool,
    /// Whether only blanks came since a root ended.
    after_root: bool,
    had_root: bool,
    /// The byte before was a letter or digit, or belongs to a formula: no empty object follows.
    after_word: bool,
    fence: Option<OpenFence>,
    /// A line that may open or close a fence that is not the payload's: its text is given out.
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

    /// Whether what is held is JSON as far as it goes, so that markers in it are data.
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

    /// The root that [`Found::Root`] emitted of.
    pub(super) fn take_root(&mut self) -> Root {
        let at = match self.hold {
            Hold::Bracket(_, at) => at as usize,
            _ => 0,
        };
        self.hold = Hold::Nothing;
        Root { start: self.held_from + at as u64, fenced: self.fence.is_some(), at }
    }

    pub(super) fn held_root(&self, root: &Root) -> &str {
        &self.held[root.at..]
    }

    pub(super) fn forget_held(&mut self) {
        self.held.clear();
        self.see();
    }

    /// The mark and the length of the fence that the text stands in.
    pub(super) fn fence(&self) -> Option<(u8, u16)> {
        self.fence.map(OpenFence::run)
    }

    /// A root ended, perhaps by the closing line of its fence.
    pub(super) fn root_ended(&mut self, fence: bool) {
        self.had_root = true;
        self.after_root = !fence;
        self.line_start = false;
        self.after_word = false;
        if fence {
            self.fence = None;
        }
    }

    /// Something visible came.
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

    /// Text, up to the next byte that may begin something.
    fn scan_text(&mut self, input: &mut Input<'_>) -> Option<Found> {
        let start = input.pos;
        while let Some(byte) = input.peek() {
            if self.passes_line(byte) {
                self.pass_line(input);
                continue;
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
            self.pass(byte);
            input.pos += 1;
            if !is_whitespace_byte(byte) {
                input.pos += run(input.bytes());
            }
            let last = input.text().as_bytes()[input.pos - 1];
            self.after_word = last.is_ascii_alphanumeric() || b"\\$_^}".contains(&last);
        }
        let text = Slice::input(start, input.pos);
        Some(Aside::Text(text, input.offset()).into())
    }

    /// What a byte may begin here.
    fn hold_at(&self, byte: u8) -> Option<Hold> {
        match byte {
            b'`' | b'~' if self.begins_fence_line() => Some(Hold::Fence(FenceLine::begin(byte))),
            b'}' | b']' if self.after_root => Some(Hold::Closers { noted: false }),
            b'{' if self.may_begin() => {
                Some(Hold::Bracket(Brace::object(self.is_first(), self.line_start), 0))
            }
            b'[' if self.may_begin() && self.lists_may_begin() => {
                Some(Hold::Bracket(Brace::list(), 0))
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

    /// Whether backticks here may open the payload's fence, or close it.
    fn begins_fence_line(&self) -> bool {
        match self.fence {
            Some(_) => self.after_root,
            None => (self.line_start || self.after_root) && self.root_may_come(),
        }
    }

    /// Whether a line is under way, or begins with this byte, that may close or open a fence but is
    /// text either way.
    fn passes_line(&mut self, byte: u8) -> bool {
        let closes = self.fence.is_some() && self.line_start && !self.after_root;
        if closes && self.passing.is_none() && matches!(byte, b'`' | b'~') {
            self.passing = Some(FenceLine::begin(byte));
        }
        self.passing.is_some()
    }

    fn pass_line(&mut self, input: &mut Input<'_>) {
        let Some(mut line) = self.passing.take() else { return };
        if self.line_start {
            // Its first mark.
            self.see();
            input.pos += 1;
        }
        self.after_word = false;
        while let Some(char) = input.peek_char() {
            match line.step(char, self.fence, self.caps.info) {
                FenceStep::Pass | FenceStep::Hold => input.pos += char.len_utf8(),
                FenceStep::Text => return,
                FenceStep::Closes => {
                    self.fence = None;
                    return;
                }
                FenceStep::Opens(fence) => {
                    input.pos += char.len_utf8();
                    self.fence = Some(fence);
                    self.line_start = true;
                    return;
                }
            }
        }
        self.passing = Some(line);
    }

    pub(super) const fn may_skip_closers(&self) -> bool {
        self.rules.allow(Leniency::SurplusClosers)
    }

    /// Whether nothing visible came in the text or the fence.
    fn is_first(&self) -> bool {
        !self.seen || self.fence.is_some_and(|fence| fence.fresh)
    }

    fn lists_may_begin(&self) -> bool {
        match &self.schema {
            None => self.is_first() || self.is_next_root(),
            Some(schema) => schema.may_be_list(schema.root()),
        }
    }

    /// Whether the next of several roots may stand here.
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

    /// A bracket that is all a fence of another language begins with may be the payload in the end.
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

    /// What is held is text.
    fn release(&mut self, end: u64) -> Aside {
        core::mem::swap(&mut self.out, &mut self.held);
        self.held.clear();
        self.hold = Hold::Nothing;
        let line = self.out.rfind('\n').map_or(&*self.out, |at| &self.out[at + 1..]);
        let blank = line.bytes().all(is_whitespace_byte) && self.out.contains('\n');
        self.see();
        self.line_start = blank;
        self.after_word = false;
        Aside::Text(Slice::buffer(0, self.out.len()), end)
    }

    /// In a line of backticks or tildes.
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

    /// The closing line of the payload's fence is passed over.
    fn close_fence(&mut self, end: u64) -> Aside {
        self.fence = None;
        self.release(end);
        self.after_root = true;
        Aside::Skipped(SkipReason::Fence, end)
    }

    /// After the opening line of a fence that may hold the payload.
    fn scan_fence_body(&mut self, input: &mut Input<'_>) -> Option<Found> {
        while let Some(char) = input.peek_char() {
            let at = self.held.len() as u32;
            let bracket = match char {
                '{' if self.may_begin() => Brace::object(true, true),
                '[' if self.may_begin() && self.lists_may_begin() => Brace::list(),
                _ if is_whitespace(char) && self.held.len() < self.caps.fence => {
                    self.eat_held(char, input);
                    continue;
                }
                _ => {
                    let fence = self.fence;
                    let found = self.release(input.offset());
                    self.fence = fence;
                    return Some(found.into());
                }
            };
            self.eat_held(char, input);
            self.hold = Hold::Bracket(bracket, at);
            return self.scan(input);
        }
        None
    }

    /// In closers with nothing to close.
    fn scan_closers(&mut self, noted: bool, input: &mut Input<'_>) -> Option<Found> {
        while let Some(byte @ (b'}' | b']')) = input.peek() {
            // They are never given out: the first of them are enough to show what is held.
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

    fn scan_bracket(&mut self, mut brace: Brace, at: u32, input: &mut Input<'_>) -> Option<Found> {
        loop {
            let rules = Rules {
                slips: self.rules,
                schema: self.schema.as_ref(),
                caps: self.caps,
                after_word: self.after_word,
            };
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

    /// An element begins or ends here: what is held is text.
    pub(super) fn interrupt(&mut self, end: u64) -> Option<Aside> {
        self.passing = None;
        match self.hold {
            Hold::Nothing => None,
            Hold::Closers { noted } => Some(self.end_closers(noted, end)),
            _ => Some(self.release(end)),
        }
    }

    /// Forgets what is no state: text that was emitted, and where it was held.
    pub(super) fn canonicalize(&mut self) {
        self.out.clear();
        if self.hold == Hold::Nothing {
            self.held.clear();
            self.held_from = 0;
        }
    }

    /// The input ended.
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

/// Length of the run that can neither begin a root nor a line.
fn run(bytes: &[u8]) -> usize {
    memchr::memchr3(b'\n', b'{', b'[', bytes).unwrap_or(bytes.len())
}
