//! Where the stream met slips that have several meanings. The finalizer reads such parts again.

use crate::codes::Code;
use crate::span::Span;

/// Most offsets that are kept. If there are more, every part after the last one counts as ambiguous.
const MOST: usize = 64;

/// The offsets of slips with several meanings, in order.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Ambiguities {
    offsets: Vec<u64>,
}

impl Ambiguities {
    /// Notes a slip, if it has several meanings.
    pub(super) fn note(&mut self, code: Code, at: u64) {
        if is_ambiguous(code) && self.offsets.len() <= MOST {
            self.offsets.push(at);
        }
    }

    /// Whether there is none.
    pub(crate) const fn is_empty(&self) -> bool {
        self.offsets.is_empty()
    }

    /// Whether there is one in this part of the stream.
    pub(crate) fn touches(&self, part: Span) -> bool {
        let within = |at: &u64| part.start <= *at && *at <= part.end;
        let is_full = self.offsets.len() > MOST;
        self.offsets.iter().any(within)
            || (is_full && self.offsets.last().is_some_and(|last| *last <= part.end))
    }
}

/// Whether a slip of this code might have been read in another way.
const fn is_ambiguous(code: Code) -> bool {
    matches!(
        code,
        Code::InnerQuote
            | Code::UnquotedKey
            | Code::UnquotedValue
            | Code::LeadingZero
            | Code::TripleQuotes
            | Code::MissingComma
            | Code::MissingColon
            | Code::MissingValue
            | Code::MissingClose
            | Code::MismatchedClose
            | Code::SurplusClose
            | Code::TrailingAfterValue
            | Code::TrailingContent
            | Code::UnexpectedBytes
    )
}

#[cfg(test)]
mod tests {
    use super::{Ambiguities, MOST};
    use crate::codes::Code;
    use crate::span::Span;

    #[test]
    fn only_slips_with_several_meanings_are_noted() {
        let mut noted = Ambiguities::default();
        noted.note(Code::TrailingComma, 3);
        assert!(noted.is_empty());
        assert!(!noted.touches(Span::new(0, 9)));
        noted.note(Code::InnerQuote, 5);
        assert!(!noted.is_empty());
        for (start, end, touched) in
            [(0, 9, true), (5, 9, true), (0, 5, true), (5, 5, true), (0, 4, false), (6, 9, false)]
        {
            assert_eq!(noted.touches(Span::new(start, end)), touched, "{start}..{end}");
        }
    }

    #[test]
    fn parts_after_the_last_offset_that_is_kept_are_ambiguous() {
        let mut noted = Ambiguities::default();
        (0..MOST as u64).for_each(|at| noted.note(Code::InnerQuote, 2 * at));
        assert!(!noted.touches(Span::new(900, 999)));
        (0..9).for_each(|_| noted.note(Code::InnerQuote, 2 * MOST as u64));
        assert!(noted.touches(Span::new(900, 999)) && !noted.touches(Span::new(1, 1)));
    }
}
