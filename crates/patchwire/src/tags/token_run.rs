//! Facts that a source knows about tokens: special tokens, and tokens of ordinary text.

/// The kind of tokens in a part of the stream. Set by [`Parser::set_run`](crate::Parser::set_run).
///
/// A model has tokens of its own for some markers. It may also spell a marker letter by letter, when it
/// writes about markers. A source that sees tokens knows the difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum TokenRun {
    /// The source knows nothing: text that looks like a marker is one, unless code hides it.
    #[default]
    Text,
    /// Special tokens: code does not hide the markers in them.
    Special,
    /// Tokens of text: no marker begins or ends in them. A marker that began in a special run may
    /// continue through them, as `<|channel|>final<|message|>` does.
    Plain,
}

/// The runs of a stream, by their offsets.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct TokenRuns {
    /// The offset where each run begins. [`TokenRun::Text`] comes before the first.
    list: Vec<(u64, TokenRun)>,
    /// Whether runs of text that was read are kept, for a reparse.
    keep: bool,
}

impl TokenRuns {
    pub(super) fn new(keep: bool) -> Self {
        Self { keep, ..Self::default() }
    }

    pub(super) fn set(&mut self, from: u64, run: TokenRun) {
        if self.list.last().is_some_and(|&(at, _)| at == from) {
            self.list.pop();
        }
        if self.list.last().map_or(TokenRun::Text, |&(_, last)| last) != run {
            self.list.push((from, run));
        }
    }

    pub(super) fn all(&self) -> &[(u64, TokenRun)] {
        &self.list
    }

    #[inline]
    pub(super) fn at(&self, offset: u64) -> TokenRun {
        let after = match self.list.last() {
            None => return TokenRun::Text,
            Some(&(from, _)) if from <= offset => self.list.len(),
            Some(_) => self.list.partition_point(|&(from, _)| from <= offset),
        };
        after.checked_sub(1).map_or(TokenRun::Text, |at| self.list[at].1)
    }

    /// Drops the runs before an offset, unless a reparse may need them.
    pub(super) fn drop_before(&mut self, offset: u64) {
        if self.keep {
            return;
        }
        let past = self.list.partition_point(|&(from, _)| from <= offset);
        if past > 1 {
            self.list.drain(..past - 1);
        }
        if let [(from, TokenRun::Text)] = self.list[..]
            && from <= offset
        {
            self.list.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{TokenRun, TokenRuns};

    #[test]
    fn a_run_lasts_until_the_next() {
        let mut runs = TokenRuns::new(false);
        runs.set(4, TokenRun::Special);
        runs.set(7, TokenRun::Special);
        runs.set(9, TokenRun::Plain);
        runs.set(9, TokenRun::Text);
        assert_eq!(runs.all(), [(4, TokenRun::Special), (9, TokenRun::Text)]);
        let kinds = [3, 4, 8, 9].map(|offset| runs.at(offset));
        let (text, special) = (TokenRun::Text, TokenRun::Special);
        assert_eq!(kinds, [text, special, special, text]);
        runs.drop_before(6);
        assert_eq!(runs.all().len(), 2);
        runs.drop_before(9);
        assert_eq!(runs, TokenRuns::new(false));
    }

    #[test]
    fn a_reparse_keeps_every_run() {
        let mut runs = TokenRuns::new(true);
        runs.set(1, TokenRun::Plain);
        runs.set(2, TokenRun::Text);
        runs.drop_before(9);
        assert_eq!(runs.all().len(), 2);
    }
}
