//! What the tag layer holds back, for people who wonder where a byte is.

use super::guard::Rule;
use super::router::Router;
use crate::held::{Held, HeldBy};
use crate::lex::marker::Mask;

impl Router {
    /// What may be a marker, if anything; it ends at `end`.
    pub(crate) fn held(&self, end: u64) -> Option<Held> {
        let held = Held::up_to(HeldBy::Marker, end, &self.held);
        (!self.held.is_empty()).then(|| held.or(self.could_be()))
    }

    /// The markers that the oldest candidate may become.
    fn could_be(&self) -> Vec<String> {
        let automaton = &self.tags.0.automaton;
        let oldest = self.candidates.first();
        let reach = match (&self.follow, oldest) {
            (Some(follow), _) => Mask::NONE.with(follow.closer.first),
            (None, Some(oldest)) => *automaton.reaches(oldest.walk.at),
            (None, None) => return Vec::new(),
        };
        let rule = oldest.map_or((Rule::Open, true), |oldest| (oldest.rule, oldest.fresh));
        let enabled = self.place.enabled(rule.0, rule.1);
        let markers = self.tags.0.markers.iter().zip(&self.tags.0.texts);
        let mut names: Vec<String> = markers
            .filter(|&(&marker, _)| reach.contains(marker) && enabled.contains(marker))
            .map(|(_, text)| text.clone())
            .collect();
        names.dedup();
        names
    }
}
