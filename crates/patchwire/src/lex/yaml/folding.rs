//! Whitespace and folded line ends between the words of plain and quoted scalars.
//!
//! Whitespace around a line end is dropped. A single line end becomes a space; of several, the first is
//! dropped (section 6.5). The whitespace is undecided until the next word.

/// The text that is held between two words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Folding {
    blanks: String,
    breaks: u64,
    /// Line ends that were emitted before they were certain.
    given: u64,
    /// The first line end was escaped, and is dropped.
    escaped: bool,
}

impl Folding {
    /// Holds a space or tab. Returns whether the bound on held text was reached.
    pub(crate) fn blank(&mut self, char: char, most: u64) -> bool {
        if self.breaks == 0 {
            self.blanks.push(char);
        }
        self.blanks.len() as u64 > most
    }

    /// Holds a line end. Returns whether the bound on held line ends was reached.
    pub(crate) fn line_end(&mut self, most: u64) -> bool {
        self.blanks.clear();
        self.breaks += 1;
        self.breaks - self.given > most.saturating_add(1)
    }

    /// Holds a line end after a backslash.
    pub(crate) fn escaped_line_end(&mut self) {
        self.blanks.clear();
        self.breaks = 1;
        self.escaped = true;
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.blanks.is_empty() && self.breaks == 0
    }

    /// Whether a line ended.
    pub(crate) const fn has_line_end(&self) -> bool {
        self.breaks > 0
    }

    /// Emits the line ends that are held so far.
    pub(crate) fn give(&mut self, out: &mut String) {
        if self.breaks == 0 {
            out.push_str(&self.blanks);
            self.blanks.clear();
            return;
        }
        let sure = self.breaks - 1;
        out.extend((self.given..sure).map(|_| '\n'));
        self.given = sure.max(self.given);
    }

    /// Decides the held text, because a word follows.
    pub(crate) fn join(&mut self, out: &mut String) {
        match self.breaks {
            0 => out.push_str(&self.blanks),
            1 if !self.escaped => out.push(' '),
            breaks => out.extend((self.given..breaks - 1).map(|_| '\n')),
        }
        self.drop_all();
    }

    /// Drops the held text, because nothing follows.
    pub(crate) fn drop_all(&mut self) {
        self.blanks.clear();
        (self.breaks, self.given, self.escaped) = (0, 0, false);
    }
}
