//! Sections under headers: each is a field.
//!
//! ````text
//! Sure!                outside: Text
//! ### title            the object opens, its member `title` begins
//! A *cat*              text, emitted as it comes; blanks round it are not
//! ### tags             `title` is complete
//! ```json              hybrid: what is declared as something else than text is JSON
//! ["x"]
//! ```
//! ````
//!
//! The first header that is one says how many marks headers have. What stands at the start of a line
//! and may still become a header is held; nothing else is, but for the blanks that may be a field's
//! last. In a code fence, or in a string of JSON, no line is a header.

mod fencing;
mod finish;
mod scaffold;
mod section;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use super::fields::{FieldNames, FieldOptions, PendingTokens, Run, Unwraps, has_either};
use super::json::JsonOptions;
use super::{Machine, Payloads, Position, Region, TextRun};
use crate::codes::{Code, SkipReason};
use crate::error::Error;
use crate::held::{Held, HeldBy};
use crate::leniency::Leniency;
use crate::lex::heading::{Heading, Step, Titles};
use crate::lex::{Input, Slice, Token, TokenKind};
use crate::limits::Limit;
use crate::span::Span;
use crate::text::{BOM, WHITESPACE};
use fencing::{Fencing, Watch};
use scaffold::Scaffold;
use section::Section;

/// The level of headers where none other is forgiven.
const LEVEL: u8 = 3;

/// What shapes the reading.
#[derive(Debug, PartialEq)]
struct Options {
    titles: Titles,
    /// Whether what is not text is JSON.
    typed: bool,
    json: JsonOptions,
    unwraps: Unwraps,
    /// Most bytes that are held undecided.
    held: usize,
}

impl Options {
    const fn forgives(&self, leniency: Leniency) -> bool {
        self.json.rules.allow(leniency)
    }
}

/// The machine.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sections {
    options: Arc<Options>,
    names: FieldNames,
    /// How many marks a header has, once that is known.
    level: Option<u8>,
    /// The name of the section.
    name: String,
    section: Section,
    /// Whether nothing but blanks came in the section.
    blank: bool,
    fencing: Fencing,
    line: Line,
    out: PendingTokens,
    roots: u32,
    ended: bool,
    failed: Option<Error>,
}

/// The position in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Line {
    /// At its start.
    Start,
    /// In what may be a header.
    Header(Heading),
    /// In what may be a line of the prompt's form.
    Scaffold(Scaffold),
    /// Behind that: nothing is held any more.
    Rest,
}

impl Sections {
    /// Whether typed fields are JSON, or text that is typed at the end.
    pub(crate) fn new(fields: &FieldOptions, json: &JsonOptions, typed: bool) -> Self {
        let names = FieldNames::new(json.schema.as_ref());
        let titles = if names.are_declared() {
            Titles::new(names.declared(), json.rules.allow(Leniency::HeaderNames))
        } else {
            Titles::any()
        };
        let held = json.limits.size(Limit::Held);
        let options =
            Options { titles, typed, json: json.clone(), unwraps: fields.unwraps.clone(), held };
        Self::begin(Arc::new(options), names, 0)
    }

    fn begin(options: Arc<Options>, names: FieldNames, roots: u32) -> Self {
        let level = (!options.forgives(Leniency::HeaderLevels)).then_some(LEVEL);
        Self {
            names,
            level,
            name: String::new(),
            section: Section::Outside,
            blank: true,
            fencing: Fencing::default(),
            line: Line::Start,
            out: PendingTokens::default(),
            roots,
            ended: false,
            failed: None,
            options,
        }
    }

    /// Reads on: at least a byte, or to another position in the line.
    fn advance(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        match &self.line {
            Line::Start => {
                self.begin_line(input);
                Ok(())
            }
            Line::Header(_) => self.read_header(input),
            Line::Scaffold(_) => self.read_scaffold(input),
            Line::Rest => self.read_rest(input),
        }
    }

    /// The first byte of a line says what it may be.
    fn begin_line(&mut self, input: &mut Input<'_>) {
        let Some(byte) = input.peek() else { return };
        let start = input.offset();
        if start == 0 && input.peek_char() == Some(BOM) {
            input.pos += BOM.len_utf8();
            self.out.notice(Code::Bom, Span::new(0, input.offset()));
            self.out.push(TokenKind::Skipped(SkipReason::Bom), input.offset());
            return;
        }
        let open = !self.fencing.is_open() && !self.section.is_in_string();
        self.line = match byte {
            b'#' if open => Line::Header(Heading::new(start)),
            _ if self.may_be_scaffold(byte) => Line::Scaffold(Scaffold::new(start)),
            _ => {
                self.fencing.begin_line(byte, start);
                Line::Rest
            }
        };
    }

    fn may_be_scaffold(&self, byte: u8) -> bool {
        self.blank
            && Scaffold::may_begin(byte)
            && self.is_inside()
            && self.options.forgives(Leniency::ScaffoldLines)
    }

    fn read_header(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        let Line::Header(heading) = &mut self.line else { return Ok(()) };
        let mut capped = false;
        while let Some(char) = input.peek_char() {
            let step = heading.push(char, &self.options.titles, self.level);
            capped = heading.text().len() > self.options.held;
            match step {
                Step::More if !capped => input.pos += char.len_utf8(),
                Step::Whole => {
                    input.pos += char.len_utf8();
                    return self.end_header(input.offset());
                }
                Step::More => {
                    input.pos += char.len_utf8();
                    break;
                }
                Step::Refuted => break,
            }
        }
        if capped || !input.is_done() { self.refute(capped, input.offset()) } else { Ok(()) }
    }

    /// The line was a header, and ends there.
    fn end_header(&mut self, end: u64) -> Result<(), Error> {
        let Line::Header(heading) = core::mem::replace(&mut self.line, Line::Start) else {
            return Ok(());
        };
        let Some(header) = heading.end(&self.options.titles) else { return Ok(()) };
        self.open_section(header, Span::new(heading.start(), end))
    }

    fn read_scaffold(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        let Line::Scaffold(scaffold) = &mut self.line else { return Ok(()) };
        while let Some(char) = input.peek_char() {
            match scaffold.push(char) {
                Step::More => {
                    input.pos += char.len_utf8();
                    if scaffold.is_full() {
                        return self.refute(true, input.offset());
                    }
                }
                Step::Whole => {
                    input.pos += char.len_utf8();
                    self.drop_scaffold(input.offset());
                    return Ok(());
                }
                Step::Refuted => return self.refute(false, input.offset()),
            }
        }
        Ok(())
    }

    /// The line was one of the prompt's form, and ends there.
    fn drop_scaffold(&mut self, end: u64) {
        let Line::Scaffold(scaffold) = core::mem::replace(&mut self.line, Line::Start) else {
            return;
        };
        self.notice(Code::ScaffoldComment, Span::new(scaffold.start(), end));
        self.out.push(TokenKind::Skipped(SkipReason::Comment), end);
    }

    /// What is held of the line, up to there, is content; whether because it is too much.
    fn refute(&mut self, capped: bool, end: u64) -> Result<(), Error> {
        let line = core::mem::replace(&mut self.line, Line::Rest);
        let (text, start) = match &line {
            Line::Header(heading) => (heading.text(), heading.start()),
            Line::Scaffold(scaffold) => (scaffold.text(), scaffold.start()),
            Line::Start | Line::Rest => return Ok(()),
        };
        if capped {
            self.notice(Code::HoldCap, Span::at(end));
        }
        self.fencing.begin_line(text.as_bytes().first().copied().unwrap_or(b' '), start);
        self.read_fencing(text);
        self.emit(Run { text, place: None, span: Span::new(start, end) })
    }

    /// Reads text in which nothing may begin but at the start of a line.
    fn read_rest(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        let (from, start) = (input.pos, input.offset());
        loop {
            input.pos += if self.section.has_fences() {
                self.read_fencing(input.rest())
            } else {
                line_len(input.bytes())
            };
            if !input.text()[from..input.pos].ends_with('\n') {
                break;
            }
            let next = input.peek().filter(|byte| self.goes_on(*byte));
            let Some(byte) = next else {
                self.line = Line::Start;
                break;
            };
            self.fencing.begin_line(byte, input.offset());
        }
        let text = &input.text()[from..input.pos];
        self.emit(Run { text, place: Some(from), span: Span::new(start, input.offset()) })
    }

    /// Whether no line that begins so can be anything but content.
    fn goes_on(&self, byte: u8) -> bool {
        match self.section {
            Section::Outside => byte != b'#',
            Section::Text(ref trim) if trim.is_blank() => false,
            Section::Text(_) | Section::Skipped(None) => {
                !self.blank && (byte != b'#' || self.fencing.is_open())
            }
            // The value says where a header may stand.
            Section::Json(_) | Section::Skipped(Some(_)) => false,
        }
    }

    fn read_fencing(&mut self, text: &str) -> usize {
        let Self { fencing, options, names, level, section, .. } = self;
        if !section.has_fences() {
            return text.len();
        }
        let is_new = |name: &str| names.is_new(name);
        let watch = Watch { titles: &options.titles, level: *level, is_new: &is_new };
        fencing.read(text, &watch)
    }

    /// Tells content of the section.
    fn emit(&mut self, run: Run<'_>) -> Result<(), Error> {
        self.blank = self.blank && run.text.trim_matches(WHITESPACE).is_empty();
        match &mut self.section {
            Section::Outside => {
                let end = run.span.end;
                match run.place {
                    Some(from) => {
                        let text = Slice::input(from, from + run.text.len());
                        self.out.token(Token::with(TokenKind::Outside, text, end));
                    }
                    None => self.out.push_text(TokenKind::Outside, run.text, end),
                }
            }
            Section::Text(trim) => trim.emit(run, &mut self.out),
            Section::Json(payload) => payload.read_run(run, &mut self.out)?,
            Section::Skipped(Some(payload)) => {
                payload.read_run(run, &mut PendingTokens::default())?
            }
            Section::Skipped(None) => {}
        }
        Ok(())
    }

    /// Something was noticed of the section.
    fn notice(&mut self, code: Code, span: Span) {
        match &self.section {
            Section::Json(payload) => payload.notice(code, span, &mut self.out),
            _ => self.out.notice(code, span),
        }
    }
}

/// The length of the line that begins here, with its line feed.
fn line_len(bytes: &[u8]) -> usize {
    memchr::memchr(b'\n', bytes).map_or(bytes.len(), |at| at + 1)
}

impl Machine for Sections {
    fn step(&mut self, input: &mut Input<'_>) -> Result<Option<Token>, Error> {
        loop {
            if let Some(token) = self.out.pop() {
                return Ok(Some(token));
            }
            if let Some(error) = self.failed {
                return Err(error);
            }
            if input.is_done() {
                return Ok(None);
            }
            // What was read before the error is emitted first.
            self.failed = self.advance(input).err();
        }
    }

    fn text_run(&mut self, chunk: &str, _end: u64, scratch: &mut String) -> Option<TextRun> {
        debug_assert!(self.position().takes_runs, "callers check the position first");
        let Section::Text(text) = &mut self.section else { return None };
        if has_either(chunk, b'\n', b'\r') {
            return None;
        }
        let run = text.text_run(chunk, scratch)?;
        self.blank = false;
        Some(run)
    }

    fn finish(&mut self, end: u64) -> Result<Option<Token>, Error> {
        loop {
            if let Some(token) = self.out.pop() {
                return Ok(Some(token));
            }
            if let Some(error) = self.failed {
                return Err(error);
            }
            if core::mem::replace(&mut self.ended, true) {
                return Ok(None);
            }
            self.failed = self.end(end).err();
        }
    }

    /// In a payload only its end decides what is held.
    fn interrupt(&mut self, end: u64) -> Option<Token> {
        if !self.is_inside() {
            self.failed = self.refute(false, end).err();
        }
        self.out.pop()
    }

    fn buffer(&self) -> &str {
        self.out.buffer()
    }

    fn canonicalize(&mut self) {
        self.out.forget();
    }

    fn position(&self) -> Position {
        let region = match &self.section {
            Section::Outside => Region::Outside,
            section if section.is_in_string() => Region::String,
            _ => Region::Payload,
        };
        let drained = self.out.is_empty() && self.failed.is_none();
        let in_text = self.line == Line::Rest && matches!(self.section, Section::Text(_));
        let takes_runs = drained && in_text && self.fencing.is_indifferent();
        let payloads = Some(Payloads { begun: self.roots, fence: None });
        Position { region, drained, takes_runs, payloads }
    }

    fn hidden_payload(&self) -> Option<(u64, Box<dyn Machine>)> {
        let start = self.fencing.hidden_header()?;
        let options = Arc::clone(&self.options);
        let rest = Self { level: self.level, ..Self::begin(options, self.names.clone(), 0) };
        Some((start, Box::new(rest)))
    }

    fn leave(&mut self) {
        let names = FieldNames::new(self.options.json.schema.as_ref());
        let line = Line::Rest;
        *self = Self { line, ..Self::begin(Arc::clone(&self.options), names, self.roots) };
    }

    fn own_pending_text(&mut self, input: &str) {
        self.out.settle(input);
    }

    fn held(&self, emitted: u64, end: u64) -> Vec<Held> {
        let (by, text, start) = match &self.line {
            Line::Header(heading) => (HeldBy::Header, heading.text(), heading.start()),
            Line::Scaffold(scaffold) => (HeldBy::Scaffold, scaffold.text(), scaffold.start()),
            Line::Start | Line::Rest => return self.section.held(emitted, end),
        };
        let mut held = self.section.held(emitted, start);
        held.push(Held::new(by, start, text));
        held
    }
}
