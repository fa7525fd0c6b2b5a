//! The JSON in a field that is not text, bare or in a fence. Text around it is skipped.

use super::prose::{Prose, foreign_literal};
use super::{PendingTokens, Run};
use crate::codes::{Code, Severity};
use crate::document::ValueKind;
use crate::error::Error;
use crate::format::json::JsonOptions;
use crate::held::{Held, HeldBy};
use crate::leniency::{Leniencies, Leniency};
use crate::lex::fence_line::{FenceCloser, FenceRun};
use crate::lex::json::{JsonLexer, scalar};
use crate::lex::{Input, Scalar, Slice, Token, TokenKind};
use crate::limits::Limit;
use crate::repair::JUDGE;
use crate::schema::{Schema, SchemaId};
use crate::span::Span;

/// The position in the text of a JSON field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PayloadPhase {
    /// At the start of a line, or in a word after it.
    Seek(Lead),
    /// In a possible opening line of a fence.
    Run(FenceRun),
    /// In a possible closing line of the open fence.
    Shut(FenceCloser),
    /// In the rest of a fence's first line.
    Info(FenceRun),
    /// In the rest of a line without JSON.
    Stray,
    Value,
    /// After the value, or after a fence without one.
    After(Behind),
}

/// The start of a line, before its text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Lead {
    /// Whitespace.
    Blanks,
    /// Marks of lists and quotes: only a fence may follow.
    Marks,
    /// A lone carriage return: only a value may follow.
    Return,
}

/// The state after the value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Behind {
    /// The line, which may close the fence.
    closer: FenceCloser,
    /// Whether the line has anything visible.
    visible: bool,
    /// Whether text after the value was noted.
    noted: bool,
}

impl Behind {
    /// On the last line of the value.
    const VALUE: Self = Self { closer: FenceCloser::Other, visible: false, noted: false };
    /// After the closing line of the fence.
    const FENCE: Self = Self { closer: FenceCloser::Start, ..Self::VALUE };
}

/// The reader of one field's JSON.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Payload {
    /// The name of the field, until its value begins.
    key: Option<String>,
    /// The name of the field and the offset of its value, from the bracket on until it is known to have slips.
    bracket: Option<(String, u64)>,
    /// The schema of the value.
    wanted: Option<(Schema, SchemaId)>,
    phase: PayloadPhase,
    /// The fence that is open.
    fence: Option<FenceRun>,
    /// After a carriage return, which is half of a line end if a line feed follows.
    half: bool,
    lexer: JsonLexer,
    /// Only JSON without slips is a value. Slips are forgiven while streaming, and the value is removed at
    /// the end.
    strict: bool,
    /// There was a slip.
    slipped: bool,
    /// The word that may be a number or literal, or the mark of a list.
    word: String,
    word_end: u64,
    word_limit: usize,
    /// Whether a line without JSON came, and the last line is not the beginning of a scalar.
    has_prose: bool,
    /// The text so far, if the field may turn out to be a string instead of JSON.
    prose: Option<Prose>,
}

impl Payload {
    pub(crate) fn new(name: &str, options: &JsonOptions) -> Self {
        let limit = options.limits.get(Limit::Number);
        let member = |schema: &Schema| schema.member(schema.root(), name);
        let wanted = options.schema.as_ref().and_then(|it| Some((it.clone(), member(it)?)));
        let takes_text = wanted.as_ref().is_none_or(|(schema, id): &(Schema, SchemaId)| {
            schema.matches_kind(*id, ValueKind::String)
        });
        let prose = || Prose::new(options.limits.size(Limit::Held));
        let rules = if options.strict { Leniencies::ALL } else { options.rules };
        Self {
            wanted,
            key: Some(name.to_owned()),
            bracket: None,
            phase: PayloadPhase::Seek(Lead::Blanks),
            fence: None,
            half: false,
            lexer: JsonLexer::new(rules, &options.limits, options.caps, JUDGE),
            strict: options.strict,
            slipped: false,
            word: String::new(),
            word_end: 0,
            word_limit: usize::try_from(limit).unwrap_or(usize::MAX),
            has_prose: false,
            prose: (takes_text && !options.strict).then(prose),
        }
    }

    /// Ignores the text before the value.
    pub(crate) fn begin_again(&mut self) {
        if self.phase == PayloadPhase::Seek(Lead::Return) {
            self.phase = PayloadPhase::Seek(Lead::Blanks);
        }
        self.half = false;
    }

    /// Whether the position is certainly in a string.
    pub(crate) fn is_in_string(&self) -> bool {
        self.phase == PayloadPhase::Value && self.lexer.is_in_string()
    }

    /// Reads text whose stream offset is `base`.
    pub(crate) fn read(
        &mut self,
        text: &str,
        base: u64,
        out: &mut PendingTokens,
    ) -> Result<(), Error> {
        let span = Span::new(base, base + text.len() as u64);
        self.read_run(Run { text, place: None, span }, out)
    }

    /// Reads a run of text.
    pub(crate) fn read_run(&mut self, run: Run<'_>, out: &mut PendingTokens) -> Result<(), Error> {
        let mut input = Input::of_span(run.text, run.span);
        while let Some(char) = input.peek_char() {
            if self.phase == PayloadPhase::Value {
                self.value(&mut input, out)?;
                continue;
            }
            let next = input.pos + char.len_utf8();
            if self.char(char, input.offset_of(next), out) {
                input.pos = next;
                self.prose = self.prose.take().and_then(|prose| prose.push(char));
            }
        }
        Ok(())
    }

    /// Reads a character outside the value, which ends there. Returns whether the character was consumed.
    fn char(&mut self, char: char, end: u64, out: &mut PendingTokens) -> bool {
        if core::mem::replace(&mut self.half, char == '\r') && char != '\n' {
            self.lone_return();
        }
        match (self.phase, char) {
            (PayloadPhase::Shut(_) | PayloadPhase::After(_), '\r') => {}
            (PayloadPhase::Shut(closer), _) => return self.shut(closer, char, end, out),
            (PayloadPhase::Seek(lead), _) => return self.seek(char, lead, end, out),
            (PayloadPhase::Run(fence), _) => return self.run(fence, char, end, out),
            (PayloadPhase::Info(FenceRun { mark: b'`', .. }), '`') => self.stray(end, out),
            (PayloadPhase::Info(fence), '\n') => {
                self.fence = Some(fence);
                self.phase = PayloadPhase::Seek(Lead::Blanks);
            }
            (PayloadPhase::Stray, '\n') => self.phase = PayloadPhase::Seek(Lead::Blanks),
            (PayloadPhase::After(behind), _) => self.after(char, behind, end, out),
            (PayloadPhase::Info(_) | PayloadPhase::Stray | PayloadPhase::Value, _) => {}
        }
        true
    }

    /// Looks for the value. Returns whether the character was consumed.
    fn seek(&mut self, char: char, lead: Lead, end: u64, out: &mut PendingTokens) -> bool {
        let (values, fences) = (lead != Lead::Marks, lead != Lead::Return);
        let ends_word = matches!(char, ' ' | '\t' | '\r' | '\n' | ',' | '}' | ']');
        match char {
            '{' | '[' | '"' if self.word.is_empty() && values => {
                // A string that is the whole value ends with its quote, because the next field may follow.
                if char == '"' {
                    self.lexer.forbid(Leniency::InnerQuotes);
                }
                self.bracket = self.key.clone().map(|name| (name, end - 1));
                self.lexer.set_in_fence(self.fence.is_some());
                self.phase = PayloadPhase::Value;
                return false;
            }
            '>' if self.word.is_empty() && fences && self.fence.is_some() => {
                self.phase = PayloadPhase::Shut(FenceCloser::Start);
            }
            '`' | '~' if self.word.is_empty() && fences => {
                let run = PayloadPhase::Run(FenceRun { mark: char as u8, len: 1 });
                let shut = |fence| PayloadPhase::Shut(FenceCloser::Start.push(char, fence));
                self.phase = self.fence.map_or(run, shut);
            }
            '\n' if self.word.is_empty() && values => self.phase = PayloadPhase::Seek(Lead::Blanks),
            ' ' | '\t' | '\r' if self.word.is_empty() => {}
            _ if ends_word && values && self.end_word(out) => return false,
            ' ' | '\t' if fences && is_mark(&self.word) => self.pass_mark(),
            '>' if fences && self.word == ">" => {
                self.pass_mark();
                self.word.push('>');
            }
            _ if ends_word || self.word.len() >= self.word_limit => {
                self.stray(end, out);
                return false;
            }
            _ => {
                self.word.push(char);
                self.word_end = end;
            }
        }
        true
    }

    fn pass_mark(&mut self) {
        self.word.clear();
        self.phase = PayloadPhase::Seek(Lead::Marks);
    }

    /// Reads on in a possible opening line of a fence. Returns whether the character was consumed.
    fn run(&mut self, run: FenceRun, char: char, end: u64, out: &mut PendingTokens) -> bool {
        if char == char::from(run.mark) {
            self.phase = PayloadPhase::Run(FenceRun { len: run.len.saturating_add(1), ..run });
            return true;
        }
        if run.len >= 3 {
            self.phase = PayloadPhase::Info(run);
            self.set_stray(false);
        } else {
            self.stray(end, out);
        }
        false
    }

    /// Reads on in a possible closing line of the fence. Returns whether the character was consumed.
    fn shut(&mut self, closer: FenceCloser, char: char, end: u64, out: &mut PendingTokens) -> bool {
        let Some(fence) = self.fence else { return true };
        match char {
            '\n' if closer.end(fence) => {
                self.fence = None;
                self.phase = PayloadPhase::After(Behind::FENCE);
            }
            '\n' => {
                self.stray(end, out);
                return false;
            }
            _ => match closer.push(char, fence) {
                FenceCloser::Other => self.stray(end, out),
                closer => self.phase = PayloadPhase::Shut(closer),
            },
        }
        true
    }

    /// Handles a lone carriage return: no line of a fence contains one.
    fn lone_return(&mut self) {
        match &mut self.phase {
            PayloadPhase::Shut(closer) | PayloadPhase::After(Behind { closer, .. }) => {
                *closer = FenceCloser::Other
            }
            PayloadPhase::Seek(lead @ Lead::Blanks) => *lead = Lead::Return,
            _ => {}
        }
    }

    /// Skips text after the value.
    fn after(&mut self, char: char, mut behind: Behind, end: u64, out: &mut PendingTokens) {
        if char == '\n' {
            return self.end_after(behind, end, out);
        }
        behind.closer =
            self.fence.map_or(FenceCloser::Other, |fence| behind.closer.push(char, fence));
        behind.visible |= !matches!(char, ' ' | '\t');
        self.phase = PayloadPhase::After(behind);
        if behind.closer == FenceCloser::Other {
            self.note_trailing(behind, end, out);
        }
    }

    /// Ends a line after the value. If it did not close the fence, it is content.
    fn end_after(&mut self, behind: Behind, end: u64, out: &mut PendingTokens) {
        if self.fence.is_some_and(|fence| behind.closer.end(fence)) {
            self.fence = None;
            self.phase = PayloadPhase::After(Behind { noted: behind.noted, ..Behind::FENCE });
        } else {
            let noted = self.note_trailing(behind, end, out);
            self.phase = PayloadPhase::After(Behind { noted, ..Behind::FENCE });
        }
    }

    /// Adds one notice about text after the value. Returns whether it did.
    fn note_trailing(&mut self, behind: Behind, end: u64, out: &mut PendingTokens) -> bool {
        if behind.visible && !behind.noted {
            out.notice(Code::TrailingContent, Span::at(end));
            self.phase = PayloadPhase::After(Behind { noted: true, ..behind });
        }
        behind.visible || behind.noted
    }

    /// Ends a word that may be the value. Returns whether it is.
    fn end_word(&mut self, out: &mut PendingTokens) -> bool {
        let Some(value) = scalar(&self.word) else { return false };
        let word = core::mem::take(&mut self.word);
        self.begin(TokenKind::Scalar(value), &word, self.word_end, out);
        let text = if value == Scalar::Number { word.as_str() } else { "" };
        out.push_text(TokenKind::Scalar(value), text, self.word_end);
        self.phase = PayloadPhase::After(Behind::VALUE);
        true
    }

    fn stray(&mut self, end: u64, out: &mut PendingTokens) {
        self.notice(Code::StrayText, Span::at(end), out);
        self.word.clear();
        self.has_prose = true;
        self.phase = PayloadPhase::Stray;
        self.set_stray(true);
    }

    /// Records whether the last text is not JSON. A fence without JSON counts, too.
    const fn set_stray(&mut self, is_stray: bool) {
        if let Some(prose) = &mut self.prose {
            prose.is_stray = is_stray;
        }
    }

    /// Adds a notice about the field.
    pub(crate) fn notice(&self, code: Code, span: Span, out: &mut PendingTokens) {
        if let Some(key) = &self.key {
            out.push_text(TokenKind::Key, key, span.start);
        }
        out.notice(code, span);
    }

    /// Reads on in the value.
    fn value(&mut self, input: &mut Input<'_>, out: &mut PendingTokens) -> Result<(), Error> {
        while let Some(token) = self.lexer.step(input)? {
            self.emit(token, input.text(), out);
        }
        if self.lexer.is_done() {
            self.end_value();
            let rest = self.lexer.take_replay();
            let from = input.offset() - rest.len() as u64;
            self.read(&rest, from, out)?;
        }
        self.lexer.canonicalize();
        Ok(())
    }

    /// Ends the value, which is complete or ended with its fence.
    fn end_value(&mut self) {
        self.phase = PayloadPhase::After(Behind::VALUE);
        if self.lexer.is_fence_ended() {
            self.fence = None;
            self.phase = PayloadPhase::After(Behind { noted: true, ..Behind::VALUE });
        }
    }

    fn emit(&mut self, token: Token, input: &str, out: &mut PendingTokens) {
        let notice = token.kind.notice();
        self.slipped |= notice.is_some_and(|code| code.severity() != Severity::Info);
        if self.key.is_some() {
            let text = resolve(&self.lexer, token.text, input).to_owned();
            self.begin(token.kind, &text, token.end, out);
        }
        match token.text {
            Slice::Empty => out.token(token),
            slice => out.push_text(token.kind, resolve(&self.lexer, slice, input), token.end),
        }
    }

    /// Begins the value with this token. Its key comes first, and notices about a scalar come before it.
    fn begin(&mut self, what: TokenKind, text: &str, end: u64, out: &mut PendingTokens) {
        let Some(key) = &self.key else { return };
        out.push_text(TokenKind::Key, key, end);
        let Some(kind) = kind(what) else { return };
        self.key = None;
        self.prose = None;
        let Some((schema, id)) = self.wanted.take() else { return };
        if !schema.matches_kind(id, kind) || what == NUMBER && !schema.matches_number(id, text) {
            out.token(Token::notice_of_next(Code::TypeMismatch, Span::at(end)));
        }
    }

    /// Ends the input inside the field. Returns whether the field has a complete value.
    pub(crate) fn finish(&mut self, end: u64, out: &mut PendingTokens) -> Result<bool, Error> {
        self.finish_before(end, end, out)
    }

    /// Ends the field at `end`; its text ends at `closer`, where the tag begins that closes it.
    fn finish_before(
        &mut self,
        closer: u64,
        end: u64,
        out: &mut PendingTokens,
    ) -> Result<bool, Error> {
        self.end_line(end, out);
        if self.phase == PayloadPhase::Value {
            while let Some(token) = self.lexer.finish(end)? {
                self.emit(token, "", out);
            }
            if self.lexer.is_done() {
                self.end_value();
            }
        }
        self.end_bracket(closer, out);
        let over = self.is_over() && self.has_begun();
        let whole = over && !self.lexer.is_fence_ended() && !(self.strict && self.slipped);
        if self.strict && over && !whole {
            out.push(TokenKind::MemberWasNone, end);
        }
        Ok(whole)
    }

    /// Emits where the value and the rest of the field stand, if they have slips or no end.
    fn end_bracket(&mut self, end: u64, out: &mut PendingTokens) {
        let is_open = self.phase == PayloadPhase::Value;
        let has_more = matches!(self.phase, PayloadPhase::After(Behind { noted: true, .. }));
        if let Some((name, start)) = self.bracket.take()
            && (self.slipped || is_open || has_more)
        {
            out.slipped_field(&name, Span::new(start, end));
        }
    }

    /// Decides the last line at the end of the text.
    fn end_line(&mut self, end: u64, out: &mut PendingTokens) {
        match self.phase {
            PayloadPhase::Seek(lead) => {
                let is_value = lead != Lead::Marks && self.end_word(out);
                if lead == Lead::Marks || !is_value && !self.word.is_empty() {
                    let is_cut = is_cut_scalar(&self.word);
                    self.stray(end, out);
                    self.has_prose &= !is_cut;
                }
            }
            PayloadPhase::Shut(closer) if self.fence.is_some_and(|fence| closer.end(fence)) => {
                self.fence = None;
                self.phase = PayloadPhase::After(Behind::VALUE);
            }
            PayloadPhase::After(behind) => self.end_after(behind, end, out),
            PayloadPhase::Shut(_) | PayloadPhase::Run(FenceRun { len: ..3, .. }) => {
                self.stray(end, out)
            }
            PayloadPhase::Run(_) => self.set_stray(false),
            _ => {}
        }
    }

    /// Whether no more text counts: a value is complete, or a fence is closed.
    pub(crate) const fn is_over(&self) -> bool {
        matches!(self.phase, PayloadPhase::After(_))
    }

    /// Whether the field has text, and none of it is JSON.
    pub(crate) const fn is_prose(&self) -> bool {
        // Behind a value the phase is another one.
        let is_outside = matches!(self.phase, PayloadPhase::Seek(_) | PayloadPhase::Stray);
        self.has_prose && is_outside && self.fence.is_none()
    }

    /// Ends the field: open values close. Its text ends at `closer`, where the tag begins that closes it. Returns
    /// whether it has a complete value.
    pub(crate) fn close(
        &mut self,
        closer: u64,
        end: u64,
        out: &mut PendingTokens,
    ) -> Result<bool, Error> {
        let whole = self.finish_before(closer, end, out)?;
        if self.phase == PayloadPhase::Value {
            self.lexer.end_here(end)?;
            while let Some(token) = self.lexer.finish(end)? {
                self.emit(token, "", out);
            }
            if self.strict && self.has_begun() {
                out.push(TokenKind::MemberWasNone, end);
            }
        }
        Ok(whole || self.end_as_text(end, out))
    }

    /// Ends a field without JSON. If the schema allows a string, the text becomes one; if it allows anything, a
    /// literal of Python is its value. Returns whether there is a value.
    pub(crate) fn end_as_text(&mut self, end: u64, out: &mut PendingTokens) -> bool {
        let Some(prose) = self.prose.take().filter(|_| self.key.is_some()) else { return false };
        if !prose.is_stray {
            return false;
        }
        let is_free = self.wanted.as_ref().is_none_or(|(schema, id)| schema.is_any(*id));
        if let Some(literal) = foreign_literal(&prose.text).filter(|_| is_free) {
            self.begin(TokenKind::Scalar(literal), "", end, out);
            out.token(Token::notice_of_next(Code::ForeignLiteral, Span::at(end)));
            out.push(TokenKind::Scalar(literal), end);
            return true;
        }
        self.begin(TokenKind::StringOpen, "", end, out);
        out.token(Token::notice_of_next(Code::BadJson, Span::at(end)));
        out.push(TokenKind::StringOpen, end);
        out.push_text(TokenKind::StringText, &prose.emitted(), end);
        out.push(TokenKind::StringClose, end);
        true
    }

    /// Whether the field ended in a fence.
    pub(crate) const fn is_fenced(&self) -> bool {
        self.fence.is_some()
    }

    /// The held bytes that end at this offset.
    pub(crate) fn held(&self, emitted: u64, end: u64) -> Vec<Held> {
        match self.phase {
            PayloadPhase::Value => self.lexer.held(emitted, end),
            _ if self.word.is_empty() || self.prose.is_some() => {
                let prose = self.prose.as_ref().filter(|prose| !prose.text.is_empty());
                let held = prose.map(|prose| Held::up_to(HeldBy::Word, end, &prose.text));
                held.into_iter().collect()
            }
            _ => vec![Held::up_to(HeldBy::Word, end, &self.word)],
        }
    }

    /// Whether a value began.
    pub(crate) const fn has_begun(&self) -> bool {
        self.key.is_none()
    }
}

const NUMBER: TokenKind = TokenKind::Scalar(Scalar::Number);

/// The kind of value that a token begins; none for a notice.
const fn kind(what: TokenKind) -> Option<ValueKind> {
    Some(match what {
        TokenKind::ObjectOpen => ValueKind::Object,
        TokenKind::ListOpen => ValueKind::List,
        TokenKind::StringOpen => ValueKind::String,
        TokenKind::Scalar(Scalar::Null) => ValueKind::Null,
        TokenKind::Scalar(Scalar::True | Scalar::False) => ValueKind::Bool,
        TokenKind::Scalar(Scalar::Number) => ValueKind::Number,
        _ => return None,
    })
}

fn resolve<'t>(lexer: &'t JsonLexer, slice: Slice, input: &'t str) -> &'t str {
    match slice {
        Slice::Empty => "",
        Slice::Input { start, end } => &input[start as usize..end as usize],
        Slice::Buffer { start, end } => &lexer.out()[start as usize..end as usize],
    }
}

/// Whether a word at the end of the text may be the beginning of a literal or number.
fn is_cut_scalar(word: &str) -> bool {
    let is_literal = ["true", "false", "null"].iter().any(|literal| literal.starts_with(word));
    !word.is_empty()
        && (is_literal || word.starts_with(|it: char| it == '-' || it.is_ascii_digit()))
}

/// The marker of a list item or of a quoted line.
fn is_mark(word: &str) -> bool {
    let digits = word.trim_end_matches(['.', ')']);
    let numbered = digits.len() + 1 == word.len()
        && (1..=9).contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit());
    matches!(word, ">" | "-" | "*" | "+") || numbered
}

#[cfg(test)]
mod tests;
