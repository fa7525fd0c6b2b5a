//! The end of marker candidates: the input ends, or bytes come that are not UTF-8.

use super::marker_rules::Around;
use super::pending_marker::PendingMarker;
use super::routed::Routed;
use super::router::{Router, SearchStep};
use crate::lex::Input;

impl Router {
    /// Ends all candidates before U+FFFD that replaces invalid bytes: it belongs to no marker.
    pub(super) fn refuse(&mut self, input: &Input<'_>, around: Around) -> Routed {
        let ended = self.end_candidates(input.offset(), around, EndCause::InvalidBytes);
        ended.unwrap_or_else(|| Routed::Clear(input.text().len()))
    }

    /// Decides a pending marker that no text follows. The end of the input may follow a closer, half of a
    /// marker may not.
    fn end_pending(&mut self, nothing: &mut Input<'_>, cause: EndCause) -> SearchStep {
        let bytes_follow = cause == EndCause::InvalidBytes;
        let is_text = |pending: &PendingMarker| pending.ends_as_text(bytes_follow);
        if self.search.pending.as_ref().is_some_and(is_text) {
            return self.refute_pending(nothing);
        }
        self.take_pending(nothing)
    }

    /// Decides the next candidate that nothing more can complete. None if all are decided.
    fn end_candidates(&mut self, end: u64, around: Around, cause: EndCause) -> Option<Routed> {
        let mut nothing = Input::new("", end);
        if self.held.is_empty() {
            self.search.candidates.clear();
            self.search.looked = end;
            return None;
        }
        loop {
            let looked = if self.search.pending.is_some() {
                match self.decide_pending(&mut nothing) {
                    SearchStep::InputUsed => self.end_pending(&mut nothing, cause),
                    looked => looked,
                }
            } else {
                match self.search.candidates.first() {
                    None => self.find_start(&mut nothing, around),
                    Some(oldest) if oldest.done => self.settle(&mut nothing),
                    Some(_) => match self.advance(&mut nothing, around) {
                        SearchStep::InputUsed => {
                            self.search.candidates[0].done = true;
                            SearchStep::Continue
                        }
                        looked => looked,
                    },
                }
            };
            match looked {
                SearchStep::Found(routed) => return Some(routed),
                SearchStep::InputUsed => return None,
                SearchStep::Continue => {}
            }
        }
    }

    /// Ends the input: gives out held text, then closes the open elements, the innermost first. Call it
    /// until it returns None.
    pub(crate) fn finish(&mut self, end: u64, around: Around) -> Option<Routed> {
        if let Some(routed) = self.end_candidates(end, around, EndCause::EndOfInput) {
            return Some(routed);
        }
        if self.effect().end(end) {
            self.update_place();
            return Some(Routed::Marker { start: end });
        }
        None
    }
}

/// Why no more text can complete a candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum EndCause {
    EndOfInput,
    /// Bytes that are not UTF-8 follow.
    InvalidBytes,
}
