//! Where output goes.

use std::fmt::Display;
use std::io::{self, BufWriter, StdoutLock, Write};

use anstyle::Style;

use crate::style;

/// Stdout, written in blocks: whoever wants a line to be seen flushes.
pub(crate) type Out = BufWriter<StdoutLock<'static>>;

pub(crate) fn stdout() -> Out {
    BufWriter::with_capacity(1 << 16, io::stdout().lock())
}

/// One line on stderr: why the run fails.
pub(crate) fn error(what: &dyn Display) {
    line(style::ERROR, "error", what);
}

/// One line on stderr: what to know about a run that goes on.
pub(crate) fn note(what: &dyn Display) {
    line(style::NOTE, "note", what);
}

fn line(style: Style, word: &str, what: &dyn Display) {
    // If stderr is closed, there is nobody left to tell.
    let _ = writeln!(anstream::stderr().lock(), "{style}{word}:{style:#} {what}");
}
