//! The hot loop: what needs no detour is emitted as it is read, and nothing waits in between.

use bytestring::ByteString;

use super::Parser;
use super::ending::Stage;
use super::prose::Passed;
use super::routing::Segment;
use crate::error::{Error, ErrorKind};
use crate::event::{Event, Flow, Text};
use crate::fold::{Change, Fold};
use crate::format::{FormatMachine, Machine};
use crate::lex::json::{Cursor, Pace, Sink};
use crate::lex::{Input, Token, TokenKind};
use crate::span::Span;
use crate::tags::Router;
use crate::text::{as_text, as_text_soon};
use crate::transcript::Route;

/// Folds tokens and emits the patches they make.
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
    // What a token is, is known where it is read: inlined, the fold's dispatch goes away.
    #[inline(always)]
    fn token(&mut self, what: TokenKind, text: &str, end: u64) -> bool {
        // The change stays where the fold put it. To move it means to read four bytes and four as
        // eight while they are still on their way to memory, which costs more than the rest.
        match &self.fold.take_plain(what, text, end) {
            Ok(Some(change)) => {
                let span = self.fold.span(what, change, end);
                let delta = if matches!(what, TokenKind::StringText) { text } else { "" };
                let more = self.deliver(change, span, delta);
                // What closes may be found wrong: that is emitted next.
                let closes = matches!(
                    what,
                    TokenKind::StringClose | TokenKind::Scalar(_) | TokenKind::Close
                );
                more && (!closes || self.fold.all_emitted())
            }
            // Nothing to emit, or more than one patch: the rest is emitted at leisure.
            Ok(None) => self.fold.all_emitted(),
            Err(error) => {
                self.stopped = Some(Stop::Failed(*error));
                false
            }
        }
    }
}

impl<R: Flow, F: FnMut(Event<'_>) -> R> Lane<'_, F> {
    /// Tells what a machine reads in a payload, as long as that comes without detours.
    fn run(&mut self, machine: &mut dyn Machine, input: &mut Input<'_>) -> Pace {
        while machine.position().is_inside() {
            let token = match machine.step(input) {
                Ok(Some(token)) => token,
                Ok(None) if input.is_done() && machine.position().drained => return Pace::Done,
                Ok(None) => break,
                Err(error) => {
                    self.stopped = Some(Stop::Failed(error));
                    break;
                }
            };
            let text = token.text.of(input.text(), machine.buffer());
            if !self.emitted(token, text) {
                break;
            }
        }
        Pace::Left
    }

    /// Takes in a token of any kind. Whether the next one may come.
    fn emitted(&mut self, token: Token, text: &str) -> bool {
        if token.kind.is_plain() {
            return self.token(token.kind, text, token.end);
        }
        match self.fold.apply(token, text) {
            Ok(()) => self.fold.all_emitted(),
            Err(error) => {
                self.stopped = Some(Stop::Failed(error));
                false
            }
        }
    }

    /// Tells a patch. Whether the next token may come.
    #[inline(never)]
    fn deliver(&mut self, change: &Change, span: Span, delta: &str) -> bool {
        let patch = self.fold.patch(change, Text::new(delta, self.buffer), span);
        let more = (self.on_event)(Event::Patch(patch)).goes_on();
        if !more {
            self.stopped = Some(Stop::Cancelled);
        }
        more
    }
}

/// Whether the next chunk may go straight to the lane. No state: it is known from the rest.
#[derive(Debug, Clone, Copy, Default)]
pub(super) enum Open {
    #[default]
    No,
    /// In a payload.
    Payload,
    /// In text of this channel that nothing but markers interrupts.
    Text(Route),
}

/// Room for text that was held and what comes behind it. No state: it is empty between chunks to
/// whoever compares.
#[derive(Debug, Clone, Default)]
pub(super) struct Joint(String);

impl PartialEq for Joint {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl PartialEq for Open {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Parser {
    /// Whether the stream stands in a payload with nothing waiting before it.
    pub(super) fn lane_here(&self) -> Open {
        let idle = self.failed.is_none()
            && self.stage == Stage::Feeding
            && self.carry.is_empty()
            && self.segment == Segment::None
            && self.fold.all_emitted();
        let at_top = self.open_elements.is_empty() && !self.token_log.is_on();
        match &self.format {
            _ if !idle => Open::No,
            FormatMachine::Json(json) if at_top && json.is_plain() => Open::Payload,
            FormatMachine::Other(machine) if at_top && machine.position().takes_runs => {
                Open::Payload
            }
            _ => self.text_lane().map_or(Open::No, Open::Text),
        }
    }

    /// Reads a chunk, on the lane where it is open.
    // Each sink has a copy of this of its own, and so nearly every call of `feed`: to make a call of it
    // besides would cost a short chunk a tenth.
    #[inline(always)]
    pub(super) fn feed_chunk<R: Flow>(
        &mut self,
        chunk: &[u8],
        buffer: Option<&ByteString>,
        mut on_event: impl FnMut(Event<'_>) -> R,
    ) -> Result<(), Error> {
        if matches!(self.lane, Open::Payload) && self.has_room(chunk) {
            return self.feed_lane(chunk, buffer, &mut on_event);
        }
        if let Open::Text(route) = self.lane
            && self.has_room(chunk)
        {
            match self.feed_text(chunk, route, buffer, &mut on_event) {
                Passed::EmissionKind => return Ok(()),
                Passed::Stopped => return Err(self.fail(ErrorKind::Cancelled)),
                Passed::No => {}
            }
        }
        self.feed_slowly(chunk, buffer, &mut on_event)
    }

    const fn has_room(&self, chunk: &[u8]) -> bool {
        chunk.len() as u64 <= self.total_limit - self.fed
    }

    /// Reads a chunk where the lane is open.
    #[inline(always)]
    fn feed_lane<R: Flow>(
        &mut self,
        chunk: &[u8],
        buffer: Option<&ByteString>,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Result<(), Error> {
        let FormatMachine::Json(json) = &mut self.format else {
            return self.feed_plain(chunk, buffer, on_event);
        };
        self.fed += chunk.len() as u64;
        if let Some(raw) = &mut self.raw {
            raw.extend_from_slice(chunk);
        }
        self.fold.clear_emitted();
        let mut lane =
            Lane { fold: &mut self.fold, buffer, on_event: &mut *on_event, stopped: None };
        let mut at = Cursor::new(chunk, as_text_soon(chunk), self.offset);
        let pace = json.run(&mut at, &mut lane);
        self.offset += at.pos() as u64;
        if pace == Pace::Done {
            return Ok(());
        }
        match lane.stopped {
            None => self.feed_rest(&chunk[at.pos()..], buffer, on_event),
            Some(Stop::Cancelled) => Err(self.fail(ErrorKind::Cancelled)),
            Some(Stop::Failed(error)) => Err(self.latch(error)),
        }
    }

    /// Reads a chunk that is text of the open string, or anything else the long way.
    #[inline(never)]
    fn feed_plain<R: Flow>(
        &mut self,
        chunk: &[u8],
        buffer: Option<&ByteString>,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Result<(), Error> {
        let end = self.offset + chunk.len() as u64;
        let Self { format, joint: Joint(joint), .. } = self;
        let read = |format: &mut FormatMachine, joint: &mut String| match format {
            FormatMachine::Other(machine) => {
                let text = as_text(chunk)?;
                Some((text, machine.text_run(text, end, joint)?))
            }
            FormatMachine::Json(_) => None,
        };
        let Some((text, plain)) = read(format, joint) else {
            return self.feed_slowly(chunk, buffer, on_event);
        };
        self.fed += chunk.len() as u64;
        if let Some(raw) = &mut self.raw {
            raw.extend_from_slice(chunk);
        }
        let emitted = self.offset + plain.len as u64;
        self.offset = end;
        if plain.len == 0 {
            return Ok(());
        }
        self.fold.clear_emitted();
        let delta = if plain.in_scratch { &*self.joint.0 } else { &text[..plain.len] };
        let mut lane =
            Lane { fold: &mut self.fold, buffer, on_event: &mut *on_event, stopped: None };
        let more = lane.token(TokenKind::StringText, delta, emitted);
        match lane.stopped {
            None if more => Ok(()),
            None => self.feed_rest(&[], buffer, on_event),
            Some(Stop::Cancelled) => Err(self.fail(ErrorKind::Cancelled)),
            Some(Stop::Failed(error)) => Err(self.latch(error)),
        }
    }

    /// Reads what the lane left of a chunk.
    #[cold]
    #[inline(never)]
    fn feed_rest<R: Flow>(
        &mut self,
        rest: &[u8],
        buffer: Option<&ByteString>,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Result<(), Error> {
        if !self.feed_admitted(rest, buffer, on_event)? {
            return Err(self.fail(ErrorKind::Cancelled));
        }
        self.forget();
        Ok(())
    }

    /// Tells the events of tokens that come without detours. What is left is for the full way; none
    /// if the sink wants no more.
    #[inline]
    pub(super) fn drain_quick<R: Flow>(
        &mut self,
        input: &mut Input<'_>,
        buffer: Option<&ByteString>,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Result<Option<Pace>, Error> {
        let elsewhere =
            !self.open_elements.is_empty() || !self.fold.all_emitted() || self.token_log.is_on();
        if !matches!(self.segment, Segment::None) || elsewhere {
            return Ok(Some(Pace::Left));
        }
        self.fold.clear_emitted();
        let mut lane = Lane { fold: &mut self.fold, buffer, on_event, stopped: None };
        let pace = match &mut self.format {
            FormatMachine::Json(json) => json.quick(input, &mut lane),
            FormatMachine::Other(machine) if self.router.as_ref().is_none_or(Router::is_clear) => {
                lane.run(&mut **machine, input)
            }
            FormatMachine::Other(_) => Pace::Left,
        };
        match lane.stopped {
            None => Ok(Some(pace)),
            Some(Stop::Cancelled) => Ok(None),
            Some(Stop::Failed(error)) => Err(self.latch(error)),
        }
    }
}
