//! The open collections by their columns, and the value that is expected in the innermost one.

/// A value that is expected after a key or a dash.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Expect {
    /// The offset just past its key, dash or last line.
    pub(super) end: u64,
    /// Whether it may be a mapping or sequence that begins here.
    pub(super) fresh: bool,
    /// Whether the line is that of the key or dash.
    pub(super) same_line: bool,
    /// Whether a tab precedes it on this line.
    pub(super) tab: bool,
}

/// An open mapping or sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Nest {
    pub(super) list: bool,
    pub(super) column: u64,
}

/// The open collections, and the expected value.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Nests {
    pub(super) open: Vec<Nest>,
    pub(super) expect: Option<Expect>,
}

impl Nests {
    /// The innermost open collection.
    pub(super) fn last(&self) -> Option<Nest> {
        self.open.last().copied()
    }

    /// The column of the innermost open collection.
    pub(super) fn parent(&self) -> Option<u64> {
        self.last().map(|nest| nest.column)
    }

    /// Whether a collection around this column is open, or none is.
    pub(super) fn is_inside(&self, column: u64) -> bool {
        self.parent().is_none_or(|parent| column > parent)
    }

    /// Opens a collection at this column.
    pub(super) fn push(&mut self, list: bool, column: u64) {
        self.open.push(Nest { list, column });
    }

    /// The number of collections that an entry at this column does not belong to. `dash`: whether the entry
    /// is an item. The outermost collection takes every entry.
    pub(super) fn left_by(&self, column: u64, dash: bool) -> usize {
        let belongs = |above: Nest, last: Nest| match last.list {
            true => dash && (last.column == column || column > above.column),
            false => column > above.column,
        };
        let pairs = self.open.iter().zip(self.open.iter().skip(1)).rev();
        pairs.take_while(|(above, last)| !belongs(**above, **last)).count()
    }

    /// Expects a value.
    pub(super) fn expect(&mut self, expect: Expect) {
        self.expect = Some(expect);
    }

    /// Expects a value after the key that ends at this offset.
    pub(super) fn expect_member(&mut self, end: u64) {
        self.expect(Expect { end, same_line: true, ..Expect::default() });
    }

    /// Expects a value after the dash at this offset.
    pub(super) fn expect_item(&mut self, dash: u64) {
        let end = dash + 1;
        self.expect(Expect { end, fresh: true, same_line: true, ..Expect::default() });
    }

    /// Ends the expectation of a value.
    pub(super) fn take_expected(&mut self) -> Expect {
        self.expect.take().unwrap_or_default()
    }

    /// Records that the next line begins.
    pub(super) fn next_line(&mut self) {
        if let Some(expect) = &mut self.expect {
            (expect.fresh, expect.same_line, expect.tab) = (true, false, false);
        }
    }

    /// Whether the expected value may be a mapping or sequence that begins here.
    pub(super) fn is_fresh(&self) -> bool {
        self.expect.is_some_and(|expect| expect.fresh)
    }

    /// Records whitespace before the expected value.
    pub(super) fn read_blank(&mut self, char: char) {
        if let Some(expect) = &mut self.expect {
            expect.tab |= char == '\t';
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Expect, Nests};

    /// Collections by their columns, lists as negative numbers from -1 for column 0.
    fn nests(columns: &[i64]) -> Nests {
        let mut nests = Nests::default();
        for column in columns {
            let list = *column < 0;
            nests.push(list, if list { column.unsigned_abs() - 1 } else { column.unsigned_abs() });
        }
        nests
    }

    #[test]
    fn an_entry_leaves_the_collections_that_it_is_not_in() {
        for (open, column, dash, left) in [
            (&[][..], 0, false, 0),
            (&[0], 0, false, 0),
            (&[4], 0, false, 0),
            (&[0, 2], 2, false, 0),
            (&[0, 2], 1, false, 0),
            (&[0, 2], 0, false, 1),
            (&[0, 2, 4], 2, false, 1),
            (&[0, 2, 4], 0, false, 2),
            // A list may have the column of its key. Only a dash continues it.
            (&[0, -1], 0, true, 0),
            (&[0, -1], 0, false, 1),
            (&[0, -3], 2, false, 1),
            (&[0, -3], 1, true, 0),
            (&[0, -1, 2], 0, true, 1),
            (&[0, -1, 2], 2, false, 0),
        ] {
            assert_eq!(nests(open).left_by(column, dash), left, "{open:?} {column} {dash}");
        }
    }

    #[test]
    fn the_next_line_may_begin_a_collection() {
        let mut nests = nests(&[0]);
        nests.expect_member(2);
        nests.read_blank('\t');
        assert_eq!(nests.expect, Some(Expect { end: 2, fresh: false, same_line: true, tab: true }));
        nests.next_line();
        assert!(nests.is_fresh());
        let expect = Expect { end: 2, fresh: true, same_line: false, tab: false };
        assert_eq!(nests.take_expected(), expect);
        assert_eq!(nests.take_expected(), Expect::default());
    }

    #[test]
    fn text_deeper_than_the_innermost_collection_is_inside() {
        assert!(nests(&[]).is_inside(0));
        assert!(!nests(&[0, 2]).is_inside(2));
        assert!(nests(&[0, 2]).is_inside(3));
    }
}
