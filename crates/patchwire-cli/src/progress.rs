//! A line on the terminal while something takes long.

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Stderr, Write};
use std::time::{Duration, Instant};

use crate::output;
use crate::text::printable;

/// What takes less time is not reported.
const PATIENCE: Duration = Duration::from_millis(700);
/// The time between two reports.
const STEP: Duration = Duration::from_millis(100);

/// Writes how far a long work is, over and over into one line of stderr. Writes nothing if stderr is no terminal.
pub(crate) struct Progress<W: Write = Stderr> {
    out: W,
    /// When the next report is due; `None` if nobody sees it.
    due: Option<Instant>,
    is_shown: bool,
}

impl Progress {
    pub(crate) fn new() -> Self {
        let out = io::stderr();
        let is_seen = out.is_terminal();
        Self { out, due: is_seen.then(|| Instant::now() + PATIENCE), is_shown: false }
    }

    /// Reports how far the work is, if that is due.
    pub(crate) fn at(&mut self, what: impl FnOnce() -> String) {
        self.at_time(Instant::now(), what);
    }
}

impl<W: Write> Progress<W> {
    fn at_time(&mut self, now: Instant, what: impl FnOnce() -> String) {
        if self.due.is_some_and(|due| now >= due) {
            self.due = Some(now + STEP);
            self.is_shown = true;
            self.write(&output::cut(&printable(&what()), output::width() - 1));
        }
    }

    /// Removes the line, before something else is printed.
    pub(crate) fn clear(&mut self) {
        if core::mem::take(&mut self.is_shown) {
            self.write(&"");
        }
    }

    /// Writes over the line. If stderr is closed, nobody needs it.
    fn write(&mut self, line: &dyn Display) {
        let _ = write!(self.out, "\r\x1b[K{line}");
    }
}

impl<W: Write> Drop for Progress<W> {
    fn drop(&mut self) {
        self.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_work_is_reported_now_and_then_and_leaves_no_line() {
        let mut out = Vec::new();
        let begun = Instant::now();
        let mut progress = Progress { out: &mut out, due: Some(begun + PATIENCE), is_shown: false };
        for step in 0..9 {
            let now = begun + PATIENCE - STEP + step * STEP / 2;
            progress.at_time(now, || format!("{step} of 9\n"));
        }
        drop(progress);
        let written = String::from_utf8(out).unwrap();
        let lines: Vec<&str> = written.split("\r\x1b[K").collect();
        assert_eq!(lines.len(), 6, "{lines:?}");
        assert!(lines[1].starts_with("2 of 9") && lines[4].starts_with("8 of 9"), "{lines:?}");
        assert_eq!((lines[0], lines[5]), ("", ""));
        assert!(!written.contains('\n'), "{written:?}");
    }

    #[test]
    fn a_short_work_and_one_that_nobody_sees_write_nothing() {
        let begun = Instant::now();
        for due in [Some(begun + PATIENCE), None] {
            let mut out = Vec::new();
            let mut progress = Progress { out: &mut out, due, is_shown: false };
            let now = if due.is_some() { begun } else { begun + 10 * PATIENCE };
            progress.at_time(now, || unreachable!("nothing is due"));
            drop(progress);
            assert!(out.is_empty());
        }
    }
}
