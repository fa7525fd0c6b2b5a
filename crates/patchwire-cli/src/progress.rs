//! A line on the terminal while something takes long.

use std::fmt::Display;
use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use crate::output;
use crate::text::printable;

/// What takes less time is not reported.
const PATIENCE: Duration = Duration::from_millis(700);
/// The time between two reports.
const STEP: Duration = Duration::from_millis(100);

/// Writes how far a long work is, over and over into one line of stderr. Writes nothing if stderr is no terminal.
pub(crate) struct Progress {
    /// When the next report is due; `None` if nobody sees it.
    due: Option<Instant>,
    is_shown: bool,
}

impl Progress {
    pub(crate) fn new() -> Self {
        let is_seen = io::stderr().is_terminal();
        Self { due: is_seen.then(|| Instant::now() + PATIENCE), is_shown: false }
    }

    /// Reports how far the work is, if that is due.
    pub(crate) fn at(&mut self, what: impl FnOnce() -> String) {
        let now = Instant::now();
        if self.due.is_some_and(|due| now >= due) {
            self.due = Some(now + STEP);
            self.is_shown = true;
            write(&output::cut(&printable(&what()), output::width() - 1));
        }
    }

    /// Removes the line, before something else is printed.
    pub(crate) fn clear(&mut self) {
        if core::mem::take(&mut self.is_shown) {
            write(&"");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}

/// Writes over the line. If stderr is closed, nobody needs it.
fn write(line: &dyn Display) {
    let _ = write!(io::stderr().lock(), "\r\x1b[K{line}");
}
