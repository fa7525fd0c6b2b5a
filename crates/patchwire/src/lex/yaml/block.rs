//! Block scalars (section 8.1), line by line: which lines are text, and which line ends between them are
//! kept.

use super::header::{Chomp, Indicators};

/// The last line that was text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    None,
    Text,
    /// A line that begins with whitespace. It does not fold with its neighbours.
    Spaced,
}

/// The role of a line in an open block scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum BlockLine {
    /// Text, with this number of leading spaces that belong to it.
    Text(u64),
    /// Text with less indent than it should have.
    Under,
    /// The first line of text, after a blank line with more indent.
    Lower,
    /// A comment with less indent than the text: the scalar is over.
    Comment,
    /// A comment with less indent, before any text. It may have been meant as the first line of
    /// text.
    EarlyComment,
    /// It does not belong to the scalar.
    Outside,
}

/// A block scalar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct BlockScalar {
    folded: bool,
    chomp: Chomp,
    /// The column of the enclosing collection.
    parent: u64,
    /// The column of its text, once that is known.
    indent: Option<u64>,
    /// Tabs are a part of its indent.
    tabs: bool,
    /// The indent of the longest blank line before the text.
    longest: u64,
    last: Last,
    /// Line ends since the last text, and how many of the resulting line ends were emitted.
    ends: u64,
    given: u64,
    /// The number of held line ends reached its bound, and all are emitted.
    flowing: bool,
}

impl BlockScalar {
    /// A scalar after its header, inside a collection at this column.
    pub(crate) fn new(says: Indicators, parent: u64) -> Self {
        Self {
            folded: says.folded,
            chomp: says.chomp.unwrap_or_default(),
            parent,
            indent: says.indent.map(|digit| parent + u64::from(digit)),
            tabs: false,
            longest: 0,
            last: Last::None,
            ends: 0,
            given: 0,
            flowing: false,
        }
    }

    /// Whether whitespace at this column is text.
    pub(crate) fn is_text_at(&self, column: u64) -> bool {
        self.indent.map_or(column > self.parent, |indent| column >= indent)
    }

    /// The number of leading spaces that are text, once the indent is known.
    pub(crate) fn blanks_of(&self, spaces: u64) -> Option<u64> {
        self.indent.map(|indent| spaces.saturating_sub(indent))
    }

    /// Reads the leading spaces of a line. A line with more than the indent does not fold, so the line ends
    /// before it are kept.
    pub(crate) fn spaces(&mut self, spaces: u64, out: &mut String) {
        if self.indent.is_some_and(|indent| spaces == indent + 1) {
            self.push_up_to(self.at_close().min(self.ends), out);
        }
    }

    /// Ends a line of only spaces. Returns whether the bound on held line ends was reached.
    pub(crate) fn blank(&mut self, spaces: u64, most: u64, out: &mut String) -> bool {
        match self.indent {
            Some(indent) if spaces > indent => {
                self.begin(true, out);
                out.extend((indent..spaces).map(|_| ' '));
                return self.end_line(most, out);
            }
            Some(_) => {}
            None => self.longest = self.longest.max(spaces),
        }
        self.ends += 1;
        self.give(most, out)
    }

    /// The role of a line with this indent, `tabs` in it or not, and this first character.
    pub(crate) fn line(&mut self, spaces: u64, tabs: bool, first: char) -> BlockLine {
        if tabs && first == '#' && !self.tabs {
            return if self.last == Last::None {
                BlockLine::EarlyComment
            } else {
                BlockLine::Comment
            };
        }
        self.tabs |= tabs && self.indent.is_none();
        match self.indent {
            None if spaces > self.parent => {
                self.indent = Some(spaces);
                if self.longest > spaces { BlockLine::Lower } else { BlockLine::Text(0) }
            }
            None => BlockLine::Outside,
            Some(indent) if spaces >= indent => BlockLine::Text(spaces - indent),
            Some(_) if spaces <= self.parent => BlockLine::Outside,
            Some(_) if first == '#' && self.last == Last::None => BlockLine::EarlyComment,
            Some(_) if first == '#' => BlockLine::Comment,
            Some(_) => BlockLine::Under,
        }
    }

    /// Begins a line of text. `spaced`: whether it begins with whitespace.
    pub(crate) fn begin(&mut self, spaced: bool, out: &mut String) {
        let both = self.last == Last::Text && !spaced;
        match (self.folded && both, self.ends) {
            (true, 1) => out.push(' '),
            (true, ends) => self.push_up_to(ends.saturating_sub(1), out),
            (false, ends) => self.push_up_to(ends, out),
        }
        self.last = if spaced { Last::Spaced } else { Last::Text };
        (self.ends, self.given, self.flowing) = (0, 0, false);
    }

    /// Ends a line of text. Returns whether the bound on held line ends was reached.
    pub(crate) fn end_line(&mut self, most: u64, out: &mut String) -> bool {
        (self.ends, self.given) = (1, 0);
        self.give(most, out)
    }

    /// Ends the input after this number of leading spaces.
    pub(crate) fn end_of_input(&mut self, spaces: u64, most: u64, out: &mut String) {
        let deeper = self.indent.is_some_and(|indent| spaces > indent);
        let only_blank = self.last == Last::None && self.chomp == Chomp::Keep;
        if deeper || spaces > 0 && only_blank {
            self.blank(spaces, most, out);
        }
    }

    /// Ends the scalar.
    pub(crate) fn close(&mut self, out: &mut String) {
        self.push_up_to(self.at_close(), out);
    }

    /// The number of line ends that are kept if nothing follows.
    fn at_close(&self) -> u64 {
        match self.chomp {
            Chomp::Strip => 0,
            Chomp::Clip if self.last == Last::None => 0,
            Chomp::Clip => self.ends.min(1),
            Chomp::Keep => self.ends,
        }
    }

    /// The least number of line ends that are kept if text follows.
    fn before_text(&self) -> u64 {
        let fold = u64::from(self.folded && self.last == Last::Text);
        self.ends.saturating_sub(fold)
    }

    /// Emits the line ends that are kept in any case. Returns whether uncertain ones were emitted, too.
    fn give(&mut self, most: u64, out: &mut String) -> bool {
        let full = self.before_text().saturating_sub(self.given.max(self.at_close())) > most;
        let first = full && !core::mem::replace(&mut self.flowing, true);
        let sure = self.before_text();
        let sure = if self.flowing { sure } else { sure.min(self.at_close()) };
        self.push_up_to(sure, out);
        first
    }

    /// Emits line ends until `count` are emitted.
    fn push_up_to(&mut self, count: u64, out: &mut String) {
        out.extend((self.given..count).map(|_| '\n'));
        self.given = self.given.max(count);
    }
}
