//! The hot loop: what needs no detour is told as it is read, and nothing waits in between.

use bytestring::ByteString;

use super::Parser;
use super::routing::Segment;
use crate::error::Error;
use crate::event::{Event, Flow, Text};
use crate::fold::Fold;
use crate::format::Format;
use crate::lex::json::{Pace, Sink};
use crate::lex::{Input, Token, What};

/// Folds tokens and tells the patches they make.
struct Lane<'p, F> {
    fold: &'p mut Fold,
    buffer: Option<&'p ByteString>,
    on_event: &'p mut F,
    stopped: Option<Stop>,
}

/// Why a lane ended.
enum Stop {
    /// The sink wants no more.
    Cancelled,
    Failed(Error),
}

impl<R: Flow, F: FnMut(Event<'_>) -> R> Sink for Lane<'_, F> {
    #[inline]
    fn token(&mut self, what: What, text: &str, end: u64) -> bool {
        if let Err(error) = self.fold.apply(Token::new(what, end), text) {
            self.stopped = Some(Stop::Failed(error));
            return false;
        }
        let Some((change, span)) = self.fold.pop_patch() else {
            // Nothing to tell, or more than one patch: the rest is told at leisure.
            return self.fold.is_told();
        };
        let delta = if matches!(what, What::StringText) { text } else { "" };
        let patch = self.fold.patch(&change, Text::new(delta, self.buffer), span);
        let more = (self.on_event)(Event::Patch(patch)).goes_on();
        if !more {
            self.stopped = Some(Stop::Cancelled);
        }
        more
    }
}

impl Parser {
    /// Tells the events of tokens that come without detours. What is left is for the full way; none
    /// if the sink wants no more.
    #[inline]
    pub(super) fn drain_quick<R: Flow>(
        &mut self,
        input: &mut Input<'_>,
        buffer: Option<&ByteString>,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Result<Option<Pace>, Error> {
        if !matches!(self.segment, Segment::None) || !self.fold.is_told() {
            return Ok(Some(Pace::Left));
        }
        self.fold.end_telling();
        let Format::Json(json) = &mut self.format else { return Ok(Some(Pace::Left)) };
        let mut lane = Lane { fold: &mut self.fold, buffer, on_event, stopped: None };
        let pace = json.quick(input, &mut lane);
        match lane.stopped {
            None => Ok(Some(pace)),
            Some(Stop::Cancelled) => Ok(None),
            Some(Stop::Failed(error)) => Err(self.latch(error)),
        }
    }
}
