//! Sections under headers. Each section is a field.
//!
//! ````text
//! Sure!                outside: Text
//! ### title            the object opens, its member `title` begins
//! A *cat*              text, emitted as it comes, without whitespace around it
//! ### tags             `title` is complete
//! ```json              hybrid: a field that is not declared as text is JSON
//! ["x"]
//! ```
//! ````
//!
//! The first header fixes the level of all headers. The machine holds a line that may become a header,
//! and whitespace that may be the last of a field. In a code fence, or in a string of JSON, no line is a
//! header.

mod row;
mod scaffold;
mod section;
mod section_end;
mod section_fences;
#[cfg(test)]
mod tests;

pub(crate) use row::SectionsRow;
use std::sync::Arc;

use super::fields::{FieldNames, FieldOptions, PendingTokens, Run, Unwraps, has_either};
use super::json::JsonOptions;
use super::{Machine, Payloads, Position, Region, TextRun};
use crate::codes::{Code, SkipReason};
use crate::error::Error;
use crate::held::{Held, HeldBy};
use crate::leniency::Leniency;
use crate::lex::heading::{Heading, LineStep, Titles};
use crate::lex::{Input, Slice, Token, TokenKind};
use crate::limits::Limit;
use crate::span::Span;
use crate::text::{BOM, WHITESPACE};
use scaffold::Scaffold;
use section::Section;
use section_fences::{HeaderRules, SectionFences};

/// The level of headers, unless leniency allows others.
const LEVEL: u8 = 3;

/// The settings of the machine.
#[derive(Debug, PartialEq)]
struct SectionOptions {
    titles: Titles,
    /// Whether fields of other types than text are JSON.
    typed: bool,
    json: JsonOptions,
    unwraps: Unwraps,
    /// Most undecided bytes.
    held: usize,
}

impl SectionOptions {
    const fn forgives(&self, leniency: Leniency) -> bool {
        self.json.rules.allow(leniency)
    }
}

/// The machine.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Sections {
    options: Arc<SectionOptions>,
    names: FieldNames,
    /// The level of headers, once it is known.
    level: Option<u8>,
    /// The name of the open section.
    name: String,
    section: Section,
    /// Whether only whitespace was read in the section.
    blank: bool,
    fences: SectionFences,
    line: SectionLine,
    out: PendingTokens,
    roots: u32,
    ended: bool,
    failed: Option<Error>,
}

/// The position in a line.
#[derive(Debug, Clone, PartialEq, Eq)]
enum SectionLine {
    /// At the start of the line.
    Start,
    /// In a line that may be a header.
    Header(Heading),
    /// In a line that may be copied from the prompt.
    Scaffold(Scaffold),
    /// In the rest of the line, where nothing is held.
    Rest,
}

impl Sections {
    /// A machine before the first byte. `typed`: fields of other types than text are JSON. Otherwise they
    /// are text, which gets its type at the end.
    pub(crate) fn new(fields: &FieldOptions, json: &JsonOptions, typed: bool) -> Self {
        let names = FieldNames::new(json.schema.as_ref());
        let titles = if names.are_declared() {
            Titles::new(names.declared(), json.rules.allow(Leniency::HeaderNames))
        } else {
            Titles::any()
        };
        let held = json.limits.size(Limit::Held);
        let options = SectionOptions {
            titles,
            typed,
            json: json.clone(),
            unwraps: fields.unwraps.clone(),
            held,
        };
        Self::begin(Arc::new(options), names, 0)
    }

    fn begin(options: Arc<SectionOptions>, names: FieldNames, roots: u32) -> Self {
        let level = (!options.forgives(Leniency::HeaderLevels)).then_some(LEVEL);
        Self {
            names,
            level,
            name: String::new(),
            section: Section::Outside,
            blank: true,
            fences: SectionFences::default(),
            line: SectionLine::Start,
            out: PendingTokens::default(),
            roots,
            ended: false,
            failed: None,
            options,
        }
    }

    /// Reads at least a byte, or changes the position in the line.
    fn advance(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        match &self.line {
            SectionLine::Start => {
                self.begin_line(input);
                Ok(())
            }
            SectionLine::Header(_) => self.read_header(input),
            SectionLine::Scaffold(_) => self.read_scaffold(input),
            SectionLine::Rest => self.read_rest(input),
        }
    }

    /// Decides by the first byte of a line what the line may be.
    fn begin_line(&mut self, input: &mut Input<'_>) {
        let Some(byte) = input.peek() else { return };
        let start = input.offset();
        if start == 0 && input.peek_char() == Some(BOM) {
            input.pos += BOM.len_utf8();
            self.out.notice(Code::Bom, Span::new(0, input.offset()));
            self.out.push(TokenKind::Skipped(SkipReason::Bom), input.offset());
            return;
        }
        let open = !self.fences.is_open() && !self.section.is_in_string();
        self.line = match byte {
            b'#' if open => SectionLine::Header(Heading::new(start)),
            _ if self.may_be_scaffold(byte) => SectionLine::Scaffold(Scaffold::new(start)),
            _ => {
                self.fences.begin_line(byte, start);
                SectionLine::Rest
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
        let SectionLine::Header(heading) = &mut self.line else { return Ok(()) };
        let mut capped = false;
        while let Some(char) = input.peek_char() {
            let step = heading.push(char, &self.options.titles, self.level);
            capped = heading.text().len() > self.options.held;
            match step {
                LineStep::More if !capped => input.pos += char.len_utf8(),
                LineStep::Whole => {
                    input.pos += char.len_utf8();
                    return self.end_header(input.offset());
                }
                LineStep::More => {
                    input.pos += char.len_utf8();
                    break;
                }
                LineStep::Refuted => break,
            }
        }
        if capped || !input.is_done() { self.refute(capped, input.offset()) } else { Ok(()) }
    }

    /// Opens the section of a complete header.
    fn end_header(&mut self, end: u64) -> Result<(), Error> {
        let SectionLine::Header(heading) = core::mem::replace(&mut self.line, SectionLine::Start)
        else {
            return Ok(());
        };
        let Some(header) = heading.end(&self.options.titles) else { return Ok(()) };
        self.open_section(header, Span::new(heading.start(), end))
    }

    fn read_scaffold(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        let SectionLine::Scaffold(scaffold) = &mut self.line else { return Ok(()) };
        while let Some(char) = input.peek_char() {
            match scaffold.push(char) {
                LineStep::More => {
                    input.pos += char.len_utf8();
                    if scaffold.is_full() {
                        return self.refute(true, input.offset());
                    }
                }
                LineStep::Whole => {
                    input.pos += char.len_utf8();
                    self.drop_scaffold(input.offset());
                    return Ok(());
                }
                LineStep::Refuted => return self.refute(false, input.offset()),
            }
        }
        Ok(())
    }

    /// Skips a complete line of the prompt.
    fn drop_scaffold(&mut self, end: u64) {
        let SectionLine::Scaffold(scaffold) =
            core::mem::replace(&mut self.line, SectionLine::Start)
        else {
            return;
        };
        self.notice(Code::ScaffoldComment, Span::new(scaffold.start(), end));
        self.out.push(TokenKind::Skipped(SkipReason::Comment), end);
    }

    /// Turns the held line into content. `capped`: because it is too long.
    fn refute(&mut self, capped: bool, end: u64) -> Result<(), Error> {
        let line = core::mem::replace(&mut self.line, SectionLine::Rest);
        let (text, start) = match &line {
            SectionLine::Header(heading) => (heading.text(), heading.start()),
            SectionLine::Scaffold(scaffold) => (scaffold.text(), scaffold.start()),
            SectionLine::Start | SectionLine::Rest => return Ok(()),
        };
        if capped {
            self.notice(Code::HoldCap, Span::at(end));
        }
        self.fences.begin_line(text.as_bytes().first().copied().unwrap_or(b' '), start);
        self.read_fences(text);
        self.emit(Run { text, place: None, span: Span::new(start, end) })
    }

    /// Reads text of lines that cannot become headers.
    fn read_rest(&mut self, input: &mut Input<'_>) -> Result<(), Error> {
        let (from, start) = (input.pos, input.offset());
        loop {
            input.pos += if self.section.has_fences() {
                self.read_fences(input.rest())
            } else {
                line_len(input.bytes())
            };
            if !input.text()[from..input.pos].ends_with('\n') {
                break;
            }
            let next = input.peek().filter(|byte| self.goes_on(*byte));
            let Some(byte) = next else {
                self.line = SectionLine::Start;
                break;
            };
            self.fences.begin_line(byte, input.offset());
        }
        let text = &input.text()[from..input.pos];
        self.emit(Run { text, place: Some(from), span: Span::new(start, input.offset()) })
    }

    /// Whether a line with this first byte is certainly content.
    fn goes_on(&self, byte: u8) -> bool {
        match self.section {
            Section::Outside => byte != b'#',
            Section::Text(ref trim) if trim.is_blank() => false,
            Section::Text(_) | Section::Skipped(None) => {
                !self.blank && (byte != b'#' || self.fences.is_open())
            }
            // The JSON value decides where a header is possible.
            Section::Json(_) | Section::Skipped(Some(_)) => false,
        }
    }

    fn read_fences(&mut self, text: &str) -> usize {
        let Self { fences, options, names, level, section, .. } = self;
        if !section.has_fences() {
            return text.len();
        }
        let is_new = |name: &str| names.is_new(name);
        let watch = HeaderRules { titles: &options.titles, level: *level, is_new: &is_new };
        fences.read(text, &watch)
    }

    /// Emits content of the section.
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

    /// Adds a notice about the section.
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
            // Tokens from before the error come first.
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

    fn prose_run(&mut self, prose: &str, _end: u64, scratch: &mut String) -> Option<TextRun> {
        let Section::Text(text) = &mut self.section else { return None };
        Some(text.prose_run(prose, scratch))
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

    /// In a payload, only the end decides the held line.
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
        self.out.canonicalize();
    }

    fn position(&self) -> Position {
        let region = match &self.section {
            Section::Outside => Region::Outside,
            section if section.is_in_string() => Region::String,
            _ => Region::Payload,
        };
        let drained = self.out.is_empty() && self.failed.is_none();
        let in_text = self.line == SectionLine::Rest && matches!(self.section, Section::Text(_));
        let takes_runs = drained && in_text && self.fences.is_indifferent();
        let payloads = Some(Payloads { begun: self.roots, fence: None });
        Position { region, drained, takes_runs, payloads }
    }

    fn hidden_payload(&self) -> Option<(u64, Box<dyn Machine>)> {
        let start = self.fences.hidden_header()?;
        let options = Arc::clone(&self.options);
        let rest = Self { level: self.level, ..Self::begin(options, self.names.clone(), 0) };
        Some((start, Box::new(rest)))
    }

    fn leave(&mut self) {
        let names = FieldNames::new(self.options.json.schema.as_ref());
        let line = SectionLine::Rest;
        *self = Self { line, ..Self::begin(Arc::clone(&self.options), names, self.roots) };
    }

    fn own_pending_text(&mut self, input: &str) {
        self.out.own_pending_text(input);
    }

    fn held(&self, emitted: u64, end: u64) -> Vec<Held> {
        let (by, text, start) = match &self.line {
            SectionLine::Header(heading) => (HeldBy::Header, heading.text(), heading.start()),
            SectionLine::Scaffold(scaffold) => {
                (HeldBy::Scaffold, scaffold.text(), scaffold.start())
            }
            SectionLine::Start | SectionLine::Rest => return self.section.held(emitted, end),
        };
        let mut held = self.section.held(emitted, start);
        held.push(Held::new(by, start, text));
        held
    }
}
