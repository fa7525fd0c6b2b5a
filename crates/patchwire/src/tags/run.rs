//! What the tokens of a text are, where the source knows: markers of their own, or spelt-out text.

use super::router::Router;

/// What the tokens of a piece of text are. Set by [`Parser::set_run`](crate::Parser::set_run).
///
/// A model has tokens of its own for some markers, and may also spell a marker letter by letter, when
/// it talks about it. A source that sees tokens knows which is which.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum TokenRun {
    /// Nothing is known: what looks like a marker is one, unless code hides it.
    #[default]
    Text,
    /// Tokens that stand for markers: code does not hide them.
    Special,
    /// Tokens of text: no marker begins or ends in them. One that began in a special run may go on
    /// through it, as `<|channel|>final<|message|>` does.
    Plain,
}

/// The runs of a stream.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Runs {
    /// Where each begins; before the first is [`TokenRun::Text`].
    list: Vec<(u64, TokenRun)>,
    /// All are kept, for reading the stream again.
    keep: bool,
}

impl Runs {
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

    #[inline]
    pub(super) fn at(&self, offset: u64) -> TokenRun {
        let after = match self.list.last() {
            None => return TokenRun::Text,
            Some(&(from, _)) if from <= offset => self.list.len(),
            Some(_) => self.list.partition_point(|&(from, _)| from <= offset),
        };
        after.checked_sub(1).map_or(TokenRun::Text, |at| self.list[at].1)
    }

    /// Nothing before this offset is looked at again.
    pub(super) fn forget(&mut self, before: u64) {
        if self.keep {
            return;
        }
        let past = self.list.partition_point(|&(from, _)| from <= before);
        if past > 1 {
            self.list.drain(..past - 1);
        }
        if let [(from, TokenRun::Text)] = self.list[..]
            && from <= before
        {
            self.list.clear();
        }
    }
}

impl Router {
    /// What comes from this offset on.
    pub(crate) fn set_run(&mut self, from: u64, run: TokenRun) {
        let front = if self.held.is_empty() { from } else { self.base };
        self.runs.set(from, run);
        self.runs.forget(front);
    }

    /// Where each run began, and what it is; before the first nothing is known.
    pub(crate) fn runs(&self) -> &[(u64, TokenRun)] {
        &self.runs.list
    }
}
