//! What was never closed, and hid markers to the end of the input.

use super::guard::Rule;
use super::place::Place;
use super::router::Router;
use crate::codes::Code;
use crate::lex::marker::{Mask, Walk};

/// What hid markers to the end of the input.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cover {
    pub(crate) code: Code,
    pub(crate) from: u64,
    pub(crate) markers: Mask,
}

impl Router {
    /// What hides markers at the end of the input, where it began, and which markers it may have hidden.
    pub(crate) fn open_cover(&self) -> Option<Cover> {
        let enabled = self.place.enabled(Rule::Open, true);
        if let Some(from) = self.place.guarded.then(|| self.guard.open_fence()).flatten() {
            return Some(Cover { code: Code::FenceHidMarkers, from, markers: enabled });
        }
        let (open, around) = self.stack.open.split_last()?;
        if self.tags.family(open.family).comment {
            let markers = Place::of(&self.tags, around).enabled(Rule::Open, true);
            return Some(Cover { code: Code::CommentHidMarkers, from: open.from, markers });
        }
        let ends = self.place.enabled(Rule::Ends, true);
        Some(Cover { code: Code::StringHidCloser, from: u64::MAX, markers: ends })
    }

    /// The first of these markers in a text.
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
