//! The end of what may be a marker: the input ends, or bytes come that are no text.

use super::follow::Follow;
use super::place::Place;
use super::router::{Around, Looked, Routed, Router};
use crate::lex::Input;

impl Router {
    /// U+FFFD in place of bytes that are none is part of no marker.
    pub(super) fn refuse(&mut self, input: &Input<'_>, around: Around) -> Routed {
        let ended = self.end_candidates(input.offset(), (around, Behind::Other));
        ended.unwrap_or_else(|| Routed::Clear(input.text().len()))
    }

    /// Nothing more comes that may follow the closer of a raw element. The end of the input does too,
    /// but no half of a marker.
    fn end_behind(&mut self, nothing: &mut Input<'_>, behind: Behind) -> Looked {
        let half = self.follow.as_ref().is_some_and(Follow::is_in_follower);
        if half || behind == Behind::Other {
            return self.refute_closer(nothing);
        }
        self.close_raw(nothing)
    }

    /// No more comes to what is alive. None when nothing is left to decide.
    fn end_candidates(&mut self, end: u64, (around, behind): (Around, Behind)) -> Option<Routed> {
        let mut nothing = Input::new("", end);
        if self.held.is_empty() {
            self.candidates.clear();
            self.looked = end;
            return None;
        }
        loop {
            let looked = if self.follow.is_some() {
                match self.look_behind(&mut nothing) {
                    Looked::Up => self.end_behind(&mut nothing, behind),
                    looked => looked,
                }
            } else {
                match self.candidates.first() {
                    None => self.look_for_start(&mut nothing, around),
                    Some(oldest) if oldest.done => self.settle(&mut nothing),
                    Some(_) => match self.look_on(&mut nothing, around) {
                        Looked::Up => {
                            self.candidates[0].done = true;
                            Looked::On
                        }
                        looked => looked,
                    },
                }
            };
            match looked {
                Looked::Found(routed) => return Some(routed),
                Looked::Up => return None,
                Looked::On => {}
            }
        }
    }

    /// The input ended: the next of what was held; then the elements that are open, the innermost
    /// first. None when all is emitted.
    pub(crate) fn finish(&mut self, end: u64, around: Around) -> Option<Routed> {
        if let Some(routed) = self.end_candidates(end, (around, Behind::Nothing)) {
            return Some(routed);
        }
        if self.turn().end(end) {
            self.place = Place::of(&self.tags, &self.stack.open);
            return Some(Routed::Marker { start: end });
        }
        None
    }
}

/// What stands behind bytes that are held, where no more of a marker does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Behind {
    /// The end of the input.
    Nothing,
    /// What is no text.
    Other,
}
