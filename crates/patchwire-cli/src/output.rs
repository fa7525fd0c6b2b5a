//! Stdout, stderr, and the width of the terminal.

use std::fmt::Display;
use std::io::{self, BufWriter, StdoutLock, Write};

use anstyle::Style;
use terminal_size::{Width, terminal_size};

use crate::style;
use crate::text::printable;

/// Buffered stdout. Callers flush when a line should be visible.
pub(crate) type Out = BufWriter<StdoutLock<'static>>;

pub(crate) fn stdout() -> Out {
    BufWriter::with_capacity(1 << 16, io::stdout().lock())
}

/// The width without a terminal, and the largest width that is used: long lines are hard to read.
const WIDTH: usize = 80;

/// The width of a page in columns.
pub(crate) fn width() -> usize {
    terminal_size().map_or(WIDTH, |(Width(width), _)| WIDTH.min(width.into()))
}

/// The end of a name, cut to `columns`.
pub(crate) fn shorten(name: &str, columns: usize) -> String {
    let len = name.chars().count();
    if len <= columns {
        return name.to_owned();
    }
    let end: String = name.chars().skip(len + 1 - columns).collect();
    format!("…{end}")
}

/// The beginning of a text, cut to `columns`.
pub(crate) fn cut(text: &str, columns: usize) -> String {
    if text.chars().count() <= columns {
        return text.to_owned();
    }
    let start: String = text.chars().take(columns.saturating_sub(1)).collect();
    format!("{start}…")
}

/// Prints one line on stderr: why the run fails.
pub(crate) fn error(what: &dyn Display) {
    line(style::ERROR, "error", what);
}

/// Prints one line on stderr: a hint about a run that goes on.
pub(crate) fn note(what: &dyn Display) {
    line(style::NOTE, "note", what);
}

/// Messages may quote the input. Control characters are made visible, so that they cannot act on
/// the terminal and a message stays on one line.
fn line(style: Style, word: &str, what: &dyn Display) {
    let what = printable(&what.to_string());
    // If stderr is closed, the message has no reader.
    let _ = writeln!(anstream::stderr().lock(), "{style}{word}:{style:#} {what}");
}
