//! A trace for people: offsets at the left, tokens beside them, events below.

use std::io::{self, Write};

use anstyle::Style;
use patchwire::internals::{LiteralMarker, TokenRecord};
use patchwire::{Error, Event, held::Held};

use super::event_summary::{EventSummarizer, EventSummary};
use super::token_display;
use super::{Chunk, Tracer};
use crate::source::Name;
use crate::style;

/// Width of the offset column.
const GUTTER: usize = 7;
/// Width of the token names.
const NAME: usize = 14;
/// Column at which a token's text begins.
const SAYS: usize = GUTTER + 2 + NAME + 1;

const LEGEND: &str = "Each token has the offset at which it ends, with → its events below. ▪ is \
                      what a chunk leaves undecided, with the offset at which it begins.";

/// Writes to a terminal, or to a writer that strips colours.
pub(crate) struct TracePage<W> {
    out: W,
    width: usize,
    begun: bool,
    summarizer: EventSummarizer,
}

impl<W: Write> TracePage<W> {
    pub(crate) fn new(out: W, width: usize) -> Self {
        Self {
            out,
            width: width.max(SAYS * 2),
            begun: false,
            summarizer: EventSummarizer::default(),
        }
    }

    fn heading(&mut self, what: &str, text: Option<&[u8]>) -> io::Result<()> {
        let title = style::TITLE;
        write!(self.out, "\n{title}{what}{title:#}")?;
        if let Some(bytes) = text {
            let room = self.width - what.chars().count() - 2;
            write!(self.out, "  {}", token_display::quoted(bytes, room))?;
        }
        writeln!(self.out)
    }

    /// Writes text with line wrapping. `indent` is the column of the text on each line.
    fn words(&mut self, text: &str, indent: usize, style: Style) -> io::Result<()> {
        let mut column = indent;
        write!(self.out, "{style}")?;
        for (at, word) in text.split(' ').enumerate() {
            let len = word.chars().count();
            if at > 0 && column + 1 + len > self.width {
                write!(self.out, "{style:#}\n{:indent$}{style}", "")?;
                column = indent;
            } else if at > 0 {
                write!(self.out, " ")?;
                column += 1;
            }
            write!(self.out, "{word}")?;
            column += len;
        }
        writeln!(self.out, "{style:#}")
    }

    fn one_held(&mut self, held: &Held) -> io::Result<()> {
        let (faint, note) = (style::FAINT, style::NOTE);
        write!(self.out, "{faint}{:>GUTTER$}{faint:#}  {note}▪ ", held.from)?;
        let mut what = format!("held by {}: {}", held.by.layer(), held.by.what());
        let indent = GUTTER + 4;
        let text = token_display::quoted(&held.bytes, self.width - indent);
        let is_kept = !held.bytes.is_empty();
        let fits = indent + what.chars().count() + 1 + text.chars().count() <= self.width;
        if is_kept && fits {
            what = format!("{what} {text}");
        }
        write!(self.out, "{note:#}")?;
        self.words(&what, indent, note)?;
        if is_kept && !fits {
            writeln!(self.out, "{:indent$}{note}{text}{note:#}", "")?;
        }
        if !held.could_be.is_empty() {
            write!(self.out, "{:indent$}", "")?;
            self.words(&format!("may become {}", held.could_be.join(", ")), indent, Style::new())?;
        }
        write!(self.out, "{:indent$}", "")?;
        self.words(&format!("decided by {}", held.by.until()), indent, style::FAINT)
    }
}

impl<W: Write> Tracer for TracePage<W> {
    type Summary = EventSummary;

    fn summarize(&mut self, event: &Event<'_>) -> EventSummary {
        self.summarizer.summarize(event)
    }

    fn stream(&mut self, name: &Name) -> io::Result<()> {
        self.summarizer = EventSummarizer::default();
        if !core::mem::replace(&mut self.begun, true) {
            self.words(LEGEND, 0, style::FAINT)?;
        }
        match name.line {
            Some(_) => self.heading(&name.to_string(), None),
            None => Ok(()),
        }
    }

    fn chunk(&mut self, chunk: &Chunk<'_>) -> io::Result<()> {
        let (from, to) = (chunk.offset, chunk.offset + chunk.bytes.len() as u64);
        self.heading(&format!("chunk {}, {from} to {to}", chunk.number), Some(chunk.bytes))
    }

    fn token(&mut self, seen: &TokenRecord) -> io::Result<()> {
        let (faint, scalar) = (style::FAINT, style::SCALAR);
        let (name, statement) = token_display::of_token(seen);
        write!(self.out, "{faint}{:>GUTTER$}{faint:#}  ", seen.token.end)?;
        if seen.text.is_empty() && statement.is_empty() {
            return writeln!(self.out, "{name}");
        }
        write!(self.out, "{name:NAME$} {statement}")?;
        if !seen.text.is_empty() {
            let text = token_display::quoted(seen.text.as_bytes(), self.width - SAYS);
            write!(self.out, "{scalar}{text}{scalar:#}")?;
        }
        writeln!(self.out)
    }

    fn event(&mut self, summary: EventSummary) -> io::Result<()> {
        let (faint, name) =
            (style::FAINT, if summary.is_warning { style::NOTE } else { style::NAME });
        let subject = token_display::quoted(summary.subject.as_bytes(), self.width / 2);
        let subject = subject.trim_start_matches('‹').trim_end_matches('›');
        let indent = GUTTER + 2;
        let used = indent + 3 + subject.chars().count();
        write!(self.out, "{:indent$}{faint}→{faint:#} {name}{subject}{name:#} ", "")?;
        match summary.text {
            None => self.words(&summary.statement, used, Style::new()),
            Some(text) => {
                let room = self.width.saturating_sub(used + summary.statement.chars().count() + 1);
                writeln!(
                    self.out,
                    "{} {}",
                    summary.statement,
                    token_display::quoted(text.as_bytes(), room)
                )
            }
        }
    }

    fn literal(&mut self, literal: &LiteralMarker) -> io::Result<()> {
        let (faint, note) = (style::FAINT, style::NOTE);
        write!(self.out, "{faint}{:>GUTTER$}{faint:#}    ", literal.span.start)?;
        let marker = token_display::quoted(literal.marker.as_bytes(), self.width / 2);
        let statement = format!("{marker} is text: {}", literal.why.what());
        self.words(&statement, GUTTER + 4, note)
    }

    fn held(&mut self, held: &[Held]) -> io::Result<()> {
        held.iter().try_for_each(|held| self.one_held(held))
    }

    fn end(&mut self, offset: u64) -> io::Result<()> {
        self.heading(&format!("end of input, {offset}"), None)
    }

    fn error(&mut self, error: Error) -> io::Result<()> {
        let wrong = style::ERROR;
        write!(self.out, "{wrong}{:>GUTTER$}{wrong:#}  ", error.offset)?;
        self.words(&error.kind.to_string(), GUTTER + 2, style::ERROR)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
