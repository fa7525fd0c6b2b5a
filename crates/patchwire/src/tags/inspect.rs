//! Reading the state of the router without changing it: what it holds back, and what hid markers to the
//! end of the input.

use super::code_guard::MarkerRule;
use super::marker_place::MarkerPlace;
use super::router::Router;
use crate::codes::Code;
use crate::held::{Held, HeldBy};
use crate::lex::marker::{Mask, Walk};

/// An unclosed construct that hid markers up to the end of the input.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OpenCover {
    pub(crate) code: Code,
    /// Stream offset where the construct began.
    pub(crate) from: u64,
    /// The markers it may have hidden.
    pub(crate) markers: Mask,
}

impl Router {
    /// The held text that may become a marker, if any. `end` is the offset just past it.
    pub(crate) fn held(&self, end: u64) -> Option<Held> {
        let held = Held::up_to(HeldBy::Marker, end, self.held.as_str());
        (!self.held.is_empty()).then(|| held.or(self.possible_markers()))
    }

    /// The markers that the oldest candidate may become.
    fn possible_markers(&self) -> Vec<String> {
        let tables = &self.tags.0;
        let oldest = self.search.candidates.first();
        let reach = match (&self.search.pending, oldest) {
            (Some(pending), _) => Mask::NONE.with(pending.marker().first),
            (None, Some(oldest)) => *tables.automaton.reaches(oldest.walk.at),
            (None, None) => return Vec::new(),
        };
        let (rule, fresh) =
            oldest.map_or((MarkerRule::Open, true), |oldest| (oldest.rule, oldest.fresh));
        let enabled = self.rules.place.enabled(rule, fresh);
        let markers = tables.markers.iter().zip(&tables.texts);
        let mut names: Vec<String> = markers
            .filter(|&(&marker, _)| reach.contains(marker) && enabled.contains(marker))
            .map(|(_, text)| text.clone())
            .collect();
        names.dedup();
        names
    }

    /// What hides markers at the end of the input.
    pub(crate) fn open_cover(&self) -> Option<OpenCover> {
        let place = &self.rules.place;
        if let Some(from) = place.guarded.then(|| self.guard.open_fence()).flatten() {
            let markers = place.enabled(MarkerRule::Open, true);
            return Some(OpenCover { code: Code::FenceHidMarkers, from, markers });
        }
        let (open, around) = self.stack.open.split_last()?;
        if self.tags.family(open.family).comment {
            let markers = MarkerPlace::of(&self.tags, around).enabled(MarkerRule::Open, true);
            return Some(OpenCover { code: Code::CommentHidMarkers, from: open.from, markers });
        }
        let markers = place.enabled(MarkerRule::Ends, true);
        Some(OpenCover { code: Code::StringHidCloser, from: u64::MAX, markers })
    }

    /// The position of the first of some markers in a text.
    pub(crate) fn first_of(&self, markers: &Mask, text: &[u8]) -> Option<usize> {
        let automaton = &self.tags.0.automaton;
        (0..text.len()).find(|&start| {
            let mut walk = Walk::START;
            for &byte in &text[start..] {
                walk = automaton.go(walk, byte);
                if !automaton.reaches(walk.at).meets(markers) {
                    return false;
                }
                if automaton.accept(walk.at, markers).is_some() {
                    return true;
                }
            }
            false
        })
    }
}
