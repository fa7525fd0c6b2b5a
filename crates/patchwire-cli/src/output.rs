//! Where output goes.

use std::fmt::Display;
use std::io::{self, BufWriter, StdoutLock, Write};

use anstyle::Style;
use terminal_size::{Width, terminal_size};

use crate::style;
use crate::text::printable;

/// Stdout, written in blocks: whoever wants a line to be seen flushes.
pub(crate) type Out = BufWriter<StdoutLock<'static>>;

pub(crate) fn stdout() -> Out {
    BufWriter::with_capacity(1 << 16, io::stdout().lock())
}

/// Columns where there is no terminal, and most that are used: long lines are hard to read.
const WIDTH: usize = 80;

/// Columns of a page.
pub(crate) fn width() -> usize {
    terminal_size().map_or(WIDTH, |(Width(width), _)| WIDTH.min(width.into()))
}

/// The end of a name that has more columns.
pub(crate) fn shorten(name: &str, columns: usize) -> String {
    let len = name.chars().count();
    if len <= columns {
        return name.to_owned();
    }
    let end: String = name.chars().skip(len + 1 - columns).collect();
    format!("…{end}")
}

/// The beginning of a text that has more columns.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    if text.chars().count() <= columns {
        return text.to_owned();
    }
    let start: String = text.chars().take(columns.saturating_sub(1)).collect();
    format!("{start}…")
}

/// One line on stderr: why the run fails.
pub(crate) fn error(what: &dyn Display) {
    line(style::ERROR, "error", what);
}

/// One line on stderr: what to know about a run that goes on.
pub(crate) fn note(what: &dyn Display) {
    line(style::NOTE, "note", what);
}

/// What others say stands in messages: whatever would control the terminal is shown as a sign, and a
/// line stays one line.
fn line(style: Style, word: &str, what: &dyn Display) {
    let what = printable(&what.to_string());
    // If stderr is closed, there is nobody left to tell.
    let _ = writeln!(anstream::stderr().lock(), "{style}{word}:{style:#} {what}");
}
