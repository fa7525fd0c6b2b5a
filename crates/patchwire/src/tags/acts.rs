//! The effects of a marker on the open elements, in the order in which the parser takes them.

use crate::codes::Code;
use crate::element::CloseReason;
use crate::lex::marker::MarkerParams;
use crate::span::Span;

/// One effect of a marker. `end` is the stream offset up to which the effect consumed the marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Act {
    Open { id: u32, parent: Option<u32>, family: u16, params: MarkerParams, end: u64 },
    Close { id: u32, reason: CloseReason, end: u64 },
    Stray { family: u16, end: u64 },
    Reclassify { from: u64, to: u64, family: u16 },
    Notice(Code, Span),
}

/// The effects of the last marker.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct ActQueue {
    acts: Vec<Act>,
    /// The number of effects that the parser has taken.
    taken: usize,
}

impl ActQueue {
    pub(super) fn push(&mut self, act: Act) {
        self.acts.push(act);
    }

    pub(super) fn take_next(&mut self) -> Option<Act> {
        let act = self.acts.get(self.taken).cloned();
        self.taken += 1;
        if act.is_none() {
            self.acts.clear();
            self.taken = 0;
        }
        act
    }

    /// Whether the marker closed nothing.
    pub(super) fn has_stray(&self) -> bool {
        self.acts.iter().any(|act| matches!(act, Act::Stray { .. }))
    }
}

#[cfg(test)]
mod tests {
    use super::{Act, ActQueue};

    #[test]
    fn acts_come_in_order_and_stay_visible_until_the_last_is_taken() {
        let stray = Act::Stray { family: 1, end: 9 };
        let close = Act::Reclassify { from: 0, to: 4, family: 1 };
        let mut queue = ActQueue::default();
        queue.push(stray.clone());
        queue.push(close.clone());
        assert_eq!(queue.take_next(), Some(stray));
        assert!(queue.has_stray());
        assert_eq!(queue.take_next(), Some(close));
        assert_eq!(queue.take_next(), None);
        assert_eq!(queue, ActQueue::default());
    }
}
