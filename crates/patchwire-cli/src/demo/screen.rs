//! Patches for people to read: a line a field, on which its deltas follow one another.

use std::io::{self, Write};

use anstyle::Style;
use patchwire::{Answer, Event, Kind, Patch, ValueKind};

use super::json;
use crate::reading::Sink;
use crate::style;

/// Column at which values begin.
const INDENT: usize = 18;
/// Between two deltas.
const SEAM: &str = "│";

/// What to do after the demo.
const NEXT: [(&str, &str); 2] = [
    ("The same as events:", "patchwire demo --json"),
    ("Now yours:", "my-model | patchwire parse"),
];

/// Writes to a terminal, or to what strips the colours.
pub(crate) struct Screen<W> {
    out: W,
    width: usize,
    /// Characters on the line so far.
    column: usize,
    line: Line,
}

/// What the line that is being written is about.
#[derive(Debug, Clone, PartialEq)]
enum Line {
    None,
    /// Text that grows: the field, and whether some of it was written.
    Growing {
        label: String,
        begun: bool,
    },
}

impl<W: Write> Screen<W> {
    pub(crate) fn new(out: W, width: usize) -> Self {
        Self { out, width: width.max(INDENT * 2), column: 0, line: Line::None }
    }

    pub(crate) fn title(&mut self, title: &str) -> io::Result<()> {
        let (bold, faint) = (style::TITLE, style::FAINT);
        writeln!(self.out, "{bold}{title}{bold:#}")?;
        let legend =
            format!("{SEAM} is where one patch ends and the next begins, ✓ a completed field.");
        writeln!(self.out, "{faint}{legend}{faint:#}\n")
    }

    fn patch(&mut self, patch: &Patch<'_>) -> io::Result<()> {
        let path = if patch.path.is_empty() { "(root)".to_owned() } else { patch.path.to_string() };
        let is_string = patch.value.kind() == ValueKind::String;
        match patch.kind {
            Kind::Open if is_string => self.begin(&path, style::NAME),
            Kind::Delta => self.grow(&path, &patch.delta, style::NAME, Style::new()),
            Kind::Done if is_string => {
                self.begin(&path, style::NAME)?;
                self.done()
            }
            Kind::Done => self.whole(&path, patch),
            Kind::Replace => self.note(&path, &format!("becomes {}", patch.value)),
            Kind::Remove => self.note(&path, "is taken out"),
            Kind::Open => Ok(()),
        }
    }

    /// A scalar, or a container that is complete.
    fn whole(&mut self, path: &str, patch: &Patch<'_>) -> io::Result<()> {
        let len = patch.value.len();
        let (text, style) = match patch.value.kind() {
            ValueKind::Object => (format!("{len} fields"), style::FAINT),
            ValueKind::List => (format!("{len} items"), style::FAINT),
            _ => (patch.value.to_string(), style::SCALAR),
        };
        self.begin(path, style::NAME)?;
        self.words(&text, style)?;
        self.done()
    }

    fn note(&mut self, label: &str, text: &str) -> io::Result<()> {
        self.begin(label, style::NOTE)?;
        self.words(text, style::NOTE)?;
        self.end()
    }

    /// Text of a field: on its line, after a seam if it is not the first.
    fn grow(&mut self, label: &str, text: &str, name: Style, style: Style) -> io::Result<()> {
        self.begin(label, name)?;
        if let Line::Growing { begun, .. } = &mut self.line
            && core::mem::replace(begun, true)
        {
            let faint = style::FAINT;
            write!(self.out, "{faint}{SEAM}{faint:#}")?;
            self.column += 1;
        }
        self.words(text, style)
    }

    /// A line for a field, unless it is the one being written.
    fn begin(&mut self, label: &str, style: Style) -> io::Result<()> {
        if matches!(&self.line, Line::Growing { label: current, .. } if current == label) {
            return Ok(());
        }
        self.end()?;
        self.line = Line::Growing { label: label.to_owned(), begun: false };
        write!(self.out, "  {style}{label}{style:#}")?;
        self.column = 2 + label.chars().count();
        if self.column >= INDENT {
            return self.wrap();
        }
        self.pad()
    }

    fn pad(&mut self) -> io::Result<()> {
        let blanks = INDENT - self.column;
        self.column = INDENT;
        write!(self.out, "{:blanks$}", "")
    }

    fn wrap(&mut self) -> io::Result<()> {
        writeln!(self.out)?;
        self.column = 0;
        self.pad()
    }

    /// Text that may go on on the next line. Line breaks in it are shown as a sign.
    fn words(&mut self, text: &str, style: Style) -> io::Result<()> {
        let shown = text.replace('\n', "↵");
        let mut rest = shown.as_str();
        while !rest.is_empty() {
            let blanks = rest.len() - rest.trim_start_matches(' ').len();
            let len = rest[blanks..].find(' ').unwrap_or(rest.len() - blanks);
            let (mut word, after) = rest.split_at(blanks + len);
            rest = after;
            // Room is left for a seam and for the sign at the end.
            if self.column + word.chars().count() > self.width - 3 && self.column > INDENT {
                self.wrap()?;
                word = word.trim_start_matches(' ');
            }
            write!(self.out, "{style}{word}{style:#}")?;
            self.column += word.chars().count();
        }
        Ok(())
    }

    fn done(&mut self) -> io::Result<()> {
        let done = style::DONE;
        write!(self.out, " {done}✓{done:#}")?;
        self.end()
    }

    fn end(&mut self) -> io::Result<()> {
        match core::mem::replace(&mut self.line, Line::None) {
            Line::None => Ok(()),
            Line::Growing { .. } => writeln!(self.out),
        }
    }

    fn answer(&mut self, answer: &Answer) -> io::Result<()> {
        self.end()?;
        let title = style::TITLE;
        writeln!(self.out, "\n{title}The value{title:#} ({}):\n", answer.outcome())?;
        json::write(&mut self.out, &format!("{:#}", answer.value()))?;
        let (faint, name) = (style::FAINT, style::NAME);
        writeln!(self.out)?;
        for (what, command) in NEXT {
            writeln!(self.out, "{faint}{what:19}{faint:#} {name}{command}{name:#}")?;
        }
        Ok(())
    }
}

impl<W: Write> Sink for Screen<W> {
    fn event(&mut self, event: Event<'_>) -> io::Result<()> {
        match event {
            Event::Patch(patch) => self.patch(&patch),
            Event::Reasoning(text) => {
                self.grow("reasoning", &text.delta, style::FAINT, style::FAINT)
            }
            Event::ReasoningDone { .. } => self.done(),
            Event::Text(text) if text.delta.trim().is_empty() => Ok(()),
            Event::Text(text) => {
                self.grow("text", text.delta.trim_end_matches('\n'), style::FAINT, Style::new())
            }
            Event::Notice(notice) => {
                let (code, at) = (notice.code, notice.span.start);
                self.note("notice", &format!("{code} at byte {at}: {}", code.message()))
            }
            Event::Final(answer) => self.answer(answer),
            _ => Ok(()),
        }
    }

    fn chunk_done(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
