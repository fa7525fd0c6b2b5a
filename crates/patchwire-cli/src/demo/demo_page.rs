//! The page that the demo fills: one line for each field, with a mark between its deltas.

use std::io::{self, Write};

use anstyle::Style;

use crate::style;

/// Column at which values begin.
const INDENT: usize = 18;
/// The mark between two deltas.
const SEAM: &str = "│";

/// Writes to a terminal, or to a writer that strips colours.
pub(crate) struct DemoPage<W> {
    pub(super) out: W,
    width: usize,
    /// Characters on the current line.
    column: usize,
    line: PageLine,
}

/// The line that is being written.
#[derive(Debug, Clone, PartialEq)]
enum PageLine {
    None,
    /// A line that grows. `begun` is whether some of its text was written; `owed` are spaces that
    /// are written when text follows them; `joins` is whether the last delta was only whitespace,
    /// so that the next one continues it without a mark.
    Growing {
        label: String,
        begun: bool,
        owed: String,
        joins: bool,
    },
}

impl<W: Write> DemoPage<W> {
    pub(crate) fn new(out: W, width: usize) -> Self {
        Self { out, width: width.max(INDENT * 2), column: 0, line: PageLine::None }
    }

    pub(super) fn title(&mut self, title: &str, legend: &str) -> io::Result<()> {
        let (bold, faint) = (style::TITLE, style::FAINT);
        writeln!(self.out, "{bold}{title}{bold:#}")?;
        writeln!(self.out, "{faint}{SEAM} {legend}{faint:#}\n")
    }

    pub(super) fn note(&mut self, label: &str, text: &str) -> io::Result<()> {
        self.begin(label, style::NOTE)?;
        self.words(text, style::NOTE)?;
        self.end()
    }

    /// Adds a delta to its field's line, with a mark before it unless it is the first.
    pub(super) fn grow(
        &mut self,
        label: &str,
        text: &str,
        name: Style,
        style: Style,
    ) -> io::Result<()> {
        self.begin(label, name)?;
        let mut blanks = String::new();
        if let PageLine::Growing { begun, owed, joins, .. } = &mut self.line {
            blanks = core::mem::take(owed);
            let is_joined = core::mem::replace(joins, text.trim().is_empty());
            if core::mem::replace(begun, true) && !is_joined {
                self.words(&blanks, style)?;
                blanks.clear();
                let faint = style::FAINT;
                write!(self.out, "{faint}{SEAM}{faint:#}")?;
                self.column += 1;
            }
        }
        let text = blanks + text;
        let shown = text.trim_end_matches(' ');
        if let PageLine::Growing { owed, .. } = &mut self.line {
            text[shown.len()..].clone_into(owed);
        }
        self.words(shown, style)
    }

    /// Begins a field's line, unless it is the current one.
    pub(super) fn begin(&mut self, label: &str, style: Style) -> io::Result<()> {
        if self.is_at(label) {
            return Ok(());
        }
        self.end()?;
        self.line = PageLine::Growing {
            label: label.to_owned(),
            begun: false,
            owed: String::new(),
            joins: false,
        };
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

    /// Writes text with line wrapping. Line ends are shown as `↵`.
    pub(super) fn words(&mut self, text: &str, style: Style) -> io::Result<()> {
        let shown = text.replace('\n', "↵");
        let mut rest = shown.as_str();
        while !rest.is_empty() {
            let blanks = rest.len() - rest.trim_start_matches(' ').len();
            let len = rest[blanks..].find(' ').unwrap_or(rest.len() - blanks);
            let (mut word, after) = rest.split_at(blanks + len);
            rest = after;
            // Leaves room for the mark and for `✓`.
            if self.column + word.chars().count() > self.width - 3 && self.column > INDENT {
                self.wrap()?;
                word = word.trim_start_matches(' ');
            }
            write!(self.out, "{style}{word}{style:#}")?;
            self.column += word.chars().count();
        }
        Ok(())
    }

    pub(super) fn done(&mut self) -> io::Result<()> {
        let done = style::DONE;
        write!(self.out, " {done}✓{done:#}")?;
        self.end()
    }

    pub(super) fn end(&mut self) -> io::Result<()> {
        match core::mem::replace(&mut self.line, PageLine::None) {
            PageLine::None => Ok(()),
            PageLine::Growing { .. } => writeln!(self.out),
        }
    }

    /// Whether this field's line is the current one.
    pub(super) fn is_at(&self, label: &str) -> bool {
        matches!(&self.line, PageLine::Growing { label: current, .. } if current == label)
    }

    /// Writes paragraphs at the left edge, with line wrapping.
    pub(super) fn paragraphs(&mut self, text: &str) -> io::Result<()> {
        text.lines().try_for_each(|line| self.paragraph(line))
    }

    fn paragraph(&mut self, text: &str) -> io::Result<()> {
        let mut column = 0;
        for word in text.split_whitespace() {
            let len = word.chars().count();
            let seam = match column {
                0 => "",
                _ if column + 1 + len > self.width => "\n",
                _ => " ",
            };
            column = if seam == " " { column + 1 + len } else { len };
            write!(self.out, "{seam}{word}")?;
        }
        writeln!(self.out)
    }

    /// Writes the commands to try next.
    pub(super) fn next(&mut self, next: &[(&'static str, String)]) -> io::Result<()> {
        let (faint, name) = (style::FAINT, style::NAME);
        writeln!(self.out)?;
        for (what, command) in next {
            writeln!(self.out, "{faint}{what:19}{faint:#} {name}{command}{name:#}")?;
        }
        Ok(())
    }
}
