//! From text to tokens: what the tag layer clears goes to the format, what it finds becomes elements.

use super::Parser;
use crate::error::Error;
use crate::fold::{Emit, TextAt, Told};
use crate::lex::{Input, Slice};
use crate::tags::Routed;

/// Text that was routed and is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Segment {
    /// None.
    None,
    /// The input, up to this offset of the stream.
    Clear { until: u64 },
    /// What the router held and released, from this position on; it ends at this offset.
    Released { read: usize, end: u64 },
}

impl Parser {
    /// Reads on until there is something to tell; none when the input is used up.
    #[inline(never)]
    pub(super) fn advance(&mut self, input: &mut Input<'_>) -> Result<Option<Emit>, Error> {
        loop {
            if let Some(emit) = self.fold.pop() {
                self.keep(&emit, input.text());
                return Ok(Some(emit));
            }
            let progress = match self.segment {
                Segment::Clear { until } => self.read_clear(until, input),
                Segment::Released { read, end } => self.read_released(read, end),
                Segment::None if input.is_done() && self.format.is_drained() => return Ok(None),
                Segment::None => self.route(input),
            };
            if !progress.map_err(|error| self.latch(error))? {
                return Ok(None);
            }
        }
    }

    /// Whether it is sure that nothing is left to read or to tell.
    pub(super) fn is_read_up(&self, input: &Input<'_>) -> bool {
        let waits = matches!(self.segment, Segment::None) && self.fold.is_told();
        waits && input.is_done() && self.format.is_drained()
    }

    /// Finds out whose the next text is. False when there is none left.
    fn route(&mut self, input: &mut Input<'_>) -> Result<bool, Error> {
        let router = match &mut self.router {
            Some(router) if self.elements.is_inside() || !self.format.is_inside() => router,
            _ => return self.read(input),
        };
        if input.is_done() {
            // A token may be left that the format made of the last text.
            return self.read(input);
        }
        if input.offset() < self.cleared {
            self.segment = Segment::Clear { until: self.cleared };
            return Ok(true);
        }
        match router.step(input) {
            None => return Ok(false),
            Some(Routed::Clear(pos)) => {
                self.segment = Segment::Clear { until: input.offset_of(pos) };
            }
            Some(Routed::Released { end }) => self.segment = Segment::Released { read: 0, end },
            Some(Routed::Marker(marker)) => self.marker(marker, input.offset())?,
        }
        Ok(true)
    }

    /// The format reads one token's worth. False when there is nothing left for it.
    fn read(&mut self, input: &mut Input<'_>) -> Result<bool, Error> {
        let Some(token) = self.format.step(input)? else { return Ok(!input.is_done()) };
        let text = self.format.resolve(token.text, input.text());
        self.fold.apply(token, text)?;
        Ok(true)
    }

    fn read_clear(&mut self, until: u64, input: &mut Input<'_>) -> Result<bool, Error> {
        let end = input.position_of(until);
        if self.elements.is_inside() && input.pos < end {
            let text = TextAt::Format(Slice::input(input.pos, end));
            input.pos = end;
            self.fold.tell_text(self.elements.told(), text, until);
            return Ok(true);
        }
        if !self.elements.is_inside() && self.format.is_inside() {
            // Markers are data now: the payload is read without them in mind.
            self.cleared = until;
            self.segment = Segment::None;
            return Ok(true);
        }
        let mut part = input.up_to(end);
        let more = !self.elements.is_inside() && self.read(&mut part)?;
        input.pos = part.pos;
        if !more {
            self.segment = Segment::None;
        }
        Ok(true)
    }

    fn read_released(&mut self, read: usize, end: u64) -> Result<bool, Error> {
        let Some(router) = &self.router else { return Ok(false) };
        let text = router.released();
        let len = text.len();
        if self.elements.is_inside() && read < len {
            let text = TextAt::Format(Slice::input(read, len));
            self.segment = Segment::Released { read: len, end };
            self.fold.tell_text(self.elements.told(), text, end);
            return Ok(true);
        }
        let mut input = Input::new(text, end - len as u64);
        input.pos = read;
        let token = if self.elements.is_inside() { None } else { self.format.step(&mut input)? };
        self.segment = Segment::Released { read: input.pos, end };
        match token {
            Some(token) => {
                let text = self.format.resolve(token.text, input.text());
                self.fold.apply(token, text)?;
            }
            None if input.is_done() => self.segment = Segment::None,
            None => {}
        }
        Ok(true)
    }

    /// What the format held because of what might have followed is told: a marker follows.
    pub(super) fn interrupt_format(&mut self, at: u64) -> Result<(), Error> {
        while let Some(token) = self.format.interrupt(at) {
            let text = self.format.resolve(token.text, "");
            self.fold.apply(token, text)?;
        }
        Ok(())
    }

    /// The text an emit names.
    pub(super) fn text_of<'a>(&'a self, text: TextAt, input: &'a str) -> &'a str {
        match text {
            TextAt::Nowhere => "",
            TextAt::Pending => self.fold.pending(),
            TextAt::Format(slice) => {
                let input = match (self.segment, &self.router) {
                    (Segment::Released { .. }, Some(router)) => router.released(),
                    _ => input,
                };
                self.format.resolve(slice, input)
            }
        }
    }

    /// The end of the input for the tag layer: what it held is text. Whether there was anything.
    pub(super) fn finish_tags(&mut self, end: u64) -> bool {
        let held = self.router.as_mut().and_then(|router| router.finish(end));
        if let Some(Routed::Released { end }) = held {
            self.segment = Segment::Released { read: 0, end };
            return true;
        }
        if self.elements.is_inside() {
            self.close_unfinished(end);
            return true;
        }
        false
    }

    pub(super) fn tell(&mut self, what: Told, end: u64) {
        self.fold.tell(what, end);
    }
}
