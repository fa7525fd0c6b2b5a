//! The search for the next marker: the candidates that are alive, and how far the text was searched.

use super::code_guard::{CodeGuard, MarkerRule};
use super::marker_candidate::MarkerCandidate;
use super::marker_rules::{Around, MarkerRules};
use super::pending_marker::PendingMarker;
use crate::lex::marker::{Automaton, Walk};

/// The candidates, the oldest first, and the position after them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct MarkerSearch {
    pub(super) candidates: Vec<MarkerCandidate>,
    /// A complete marker that the text after it decides. Meanwhile there are no candidates.
    pub(super) pending: Option<PendingMarker>,
    /// The code around the next byte. The router's own guard stays before the oldest candidate, which
    /// may turn out to be text.
    pub(super) ahead: CodeGuard,
    /// The parser's position when the candidates began.
    pub(super) around: Around,
    /// Stream offset of the next byte to search.
    pub(super) looked: u64,
}

impl MarkerSearch {
    pub(super) const fn new() -> Self {
        Self {
            candidates: Vec::new(),
            pending: None,
            ahead: CodeGuard::MIDDLE,
            around: Around::Text,
            looked: 0,
        }
    }

    /// Whether no marker has begun.
    pub(super) fn is_idle(&self) -> bool {
        self.candidates.is_empty() && self.pending.is_none()
    }

    /// Drops what does not influence later results.
    pub(super) fn canonicalize(&mut self) {
        if self.is_idle() {
            self.looked = 0;
            self.ahead = CodeGuard::MIDDLE;
            self.around = Around::Text;
        }
    }

    /// Restarts at `front` if the parser now reads something else, where other markers count.
    pub(super) fn restart_if_changed(&mut self, front: u64, around: Around) {
        self.looked = self.looked.max(front);
        if self.around != around {
            self.drop_candidates(front);
            self.around = around;
        }
    }

    /// Drops the candidates. What they read is searched again, from an offset on.
    pub(super) fn drop_candidates(&mut self, from: u64) {
        if !self.candidates.is_empty() {
            self.candidates.clear();
            self.looked = from;
        }
    }

    pub(super) fn begin(&mut self, start: u64, rule: MarkerRule) {
        self.candidates.push(MarkerCandidate {
            start,
            walk: Walk::START,
            rule,
            fresh: self.ahead.fresh,
            guard: self.ahead,
            whole: None,
            done: false,
        });
    }

    /// Moves all candidates over a byte.
    pub(super) fn take(
        &mut self,
        byte: u8,
        offset: u64,
        automaton: &Automaton,
        rules: &MarkerRules,
    ) {
        let end = (!rules.is_plain_text_token(offset)).then_some(offset + 1);
        for candidate in &mut self.candidates {
            candidate.step(automaton, &rules.place, byte, end);
        }
        if rules.place.guarded {
            self.ahead.step(byte, offset, rules.code);
        }
        self.looked = offset + 1;
    }

    /// Drops the candidates that are not markers. Returns the oldest one if it is decided.
    pub(super) fn decided(&mut self) -> Option<MarkerCandidate> {
        self.candidates.retain(|candidate| !candidate.done || candidate.whole.is_some());
        self.candidates.first().copied().filter(|oldest| oldest.done)
    }

    /// Start of the oldest candidate from an offset on that may still become a marker that counts.
    /// Candidates that can only become a notice hold no text back.
    pub(super) fn holding_from(
        &self,
        offset: u64,
        automaton: &Automaton,
        rules: &MarkerRules,
    ) -> Option<u64> {
        let holds = |candidate: &&MarkerCandidate| {
            let enabled = rules.place.enabled(candidate.rule, candidate.fresh);
            candidate.start >= offset && automaton.reaches(candidate.walk.at).meets(&enabled)
        };
        self.candidates.iter().find(holds).map(|candidate| candidate.start)
    }
}

#[cfg(test)]
mod tests {
    use super::{Around, MarkerRule, MarkerSearch};

    /// Where other markers count now, the bytes of candidates are searched again.
    #[test]
    fn candidates_of_another_place_are_searched_again() {
        let (text, string) = (Around::Text, Around::String);
        for (starts, front, around, left, looked) in [
            (&[5][..], 5, string, 0, 5),
            (&[5, 7], 5, string, 0, 5),
            (&[5], 6, string, 0, 6),
            (&[5], 5, text, 1, 9),
            (&[], 5, string, 0, 9),
            (&[], 12, string, 0, 12),
            (&[], 12, text, 0, 12),
        ] {
            let mut search = MarkerSearch::new();
            starts.iter().for_each(|start| search.begin(*start, MarkerRule::Open));
            search.looked = 9;
            search.restart_if_changed(front, around);
            assert_eq!(
                (search.candidates.len(), search.looked),
                (left, looked),
                "{starts:?} {front}"
            );
            assert_eq!(search.around, around, "{starts:?} {front}");
        }
    }
}
