//! Closers that reasoning may only have mentioned: another closer of its family followed.

use crate::span::Span;

/// How many closers are kept. With more, no reading is likely.
const MOST: usize = 64;

/// Closers of reasoning that were mentions if the last closer of their family is the real one.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct DoubtedClosers {
    mentions: Vec<Span>,
    /// The element that the last of these closers may belong to, and that closer.
    last: Option<(u32, Span)>,
}

impl DoubtedClosers {
    /// Adds a closer with nothing to close. `element` is the one that closed before, and `closer` its closer.
    pub(super) fn add(&mut self, element: u32, closer: Span, stray: Span) {
        if self.mentions.len() <= MOST {
            let last = self.last.filter(|&(id, _)| id == element);
            self.mentions.push(last.map_or(closer, |(_, stray)| stray));
            self.last = Some((element, stray));
        }
    }

    /// The closers, in order. None if there are so many that no reading is likely.
    pub(super) fn mentions(&self) -> &[Span] {
        if self.mentions.len() > MOST { &[] } else { &self.mentions }
    }
}
