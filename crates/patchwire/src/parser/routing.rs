//! From text to tokens: what the tag layer clears goes to the format, or to the open element; what it
//! finds becomes elements.

use super::Parser;
use super::elements::Sink;
use crate::error::Error;
use crate::fold::{Emission, TextAt};
use crate::format::Region;
use crate::lex::{Input, Slice};
use crate::tags::{Around, Routed};

/// Text that was routed and is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Segment {
    /// None.
    None,
    /// The input, up to this offset of the stream.
    Clear { until: u64 },
    /// What the router held and released, from this position on; it ends at this offset.
    Released { read: usize, end: u64 },
    /// A marker, which began there: what it did is emitted.
    Marker { start: u64 },
}

impl Parser {
    /// Reads on until there is something to emit; none when the input is used up.
    #[inline(never)]
    pub(super) fn advance(&mut self, input: &mut Input<'_>) -> Result<Option<Emission>, Error> {
        loop {
            if let Some(emission) = self.fold.pop() {
                self.keep(&emission, input.text());
                return Ok(Some(emission));
            }
            let progress = match self.segment {
                Segment::Clear { until } => self.read_clear(until, input),
                Segment::Released { read, end } => self.read_released(read, end),
                Segment::Marker { start } => self.take_act(start).map(|()| true),
                Segment::None if input.is_done() && self.is_drained() => return Ok(None),
                Segment::None => self.find(input),
            };
            if !progress.map_err(|error| self.latch(error))? {
                return Ok(None);
            }
        }
    }

    /// Whether it is sure that nothing is left to read or to emit.
    pub(super) fn is_read_up(&self, input: &Input<'_>) -> bool {
        let waits = matches!(self.segment, Segment::None) && self.fold.all_emitted();
        waits && input.is_done() && self.is_drained()
    }

    /// Whether it is sure that there is no token before more input comes.
    fn is_drained(&self) -> bool {
        match (&self.body, self.sink()) {
            (Some((_, body)), Sink::Body) => body.machine.position().drained,
            (_, Sink::Text(_)) => true,
            _ => self.format.position().drained,
        }
    }

    /// What markers count, by what is being read.
    fn around(&self) -> Around {
        if let (Some((_, body)), Sink::Body) = (&self.body, self.sink()) {
            return match body.machine.position().region {
                Region::String => Around::String,
                Region::Outside => Around::Text,
                _ => Around::Payload,
            };
        }
        if self.open_elements.is_empty() || !self.format.position().is_inside() {
            return Around::Text;
        }
        // In a payload in an element, only what ends the element counts.
        if self.format.position().region == Region::String {
            Around::String
        } else {
            Around::Payload
        }
    }

    /// Finds out whose the next text is. False when there is none left.
    fn find(&mut self, input: &mut Input<'_>) -> Result<bool, Error> {
        let around = self.around();
        if !input.is_done() {
            self.resume();
        }
        let router = match &mut self.router {
            Some(router)
                if !self.open_elements.is_empty() || !self.format.position().is_inside() =>
            {
                router
            }
            Some(router) => {
                if let Some(Routed::Released { end }) =
                    router.interrupted(self.format.position().region == Region::Candidate)
                {
                    self.segment = Segment::Released { read: 0, end };
                    return Ok(true);
                }
                return self.read_payload(input);
            }
            None => return self.read(input),
        };
        if input.is_done() {
            // A token may be left that the format made of the last text.
            return self.read(input);
        }
        if input.offset() < self.cleared && around == Around::Text {
            self.segment = Segment::Clear { until: self.cleared };
            return Ok(true);
        }
        match router.step(input, around) {
            None => return Ok(false),
            Some(Routed::Clear(pos)) => {
                self.segment = Segment::Clear { until: input.offset_of(pos) };
            }
            Some(Routed::Released { end }) => self.segment = Segment::Released { read: 0, end },
            Some(Routed::Marker { start }) => self.meet_marker(start)?,
        }
        Ok(true)
    }

    /// A marker was found: what the format held because of what might have followed comes first.
    fn meet_marker(&mut self, start: u64) -> Result<(), Error> {
        self.segment = Segment::Marker { start };
        if self.sink() == Sink::Format { self.interrupt_format(start) } else { Ok(()) }
    }

    /// The format, or the open body, reads one token's worth. False when there is nothing left.
    fn read(&mut self, input: &mut Input<'_>) -> Result<bool, Error> {
        let sink = self.sink();
        if let (Some((id, body)), Sink::Body) = (&mut self.body, sink) {
            let id = *id;
            let Some(token) = body.machine.step(input)? else { return Ok(!input.is_done()) };
            body.note(token);
            let text = body.machine.resolve(token.text, input.text());
            self.fold.apply(token, text)?;
            self.note_document(id);
            return Ok(true);
        }
        if let Sink::Text(_) = sink {
            return Ok(!input.is_done());
        }
        let Some(token) = self.format.step(input)? else { return Ok(!input.is_done()) };
        let text = self.format.resolve(token.text, input.text());
        self.token_log.add(token, text);
        self.fold.apply(token, text)?;
        Ok(true)
    }

    fn read_clear(&mut self, until: u64, input: &mut Input<'_>) -> Result<bool, Error> {
        let (start, end) = (input.pos, input.position_of(until));
        match self.sink() {
            Sink::Text(_) if start >= end => self.segment = Segment::None,
            Sink::Text(emitted) => {
                self.pass(input, start, end);
                input.pos = end;
                let text = TextAt::Format(Slice::input(start, end));
                self.fold.outbox.emit_text(emitted, text, until);
            }
            Sink::Format if self.open_elements.is_empty() && self.format.position().is_inside() => {
                // Markers are data now: the payload is read without them in mind.
                self.cleared = until;
                self.segment = Segment::None;
            }
            Sink::Format | Sink::Body => {
                let inside = self.is_surely_in_payload();
                if start < end {
                    self.resume();
                }
                let mut part = input.up_to(end);
                let more = self.read(&mut part)?;
                if !inside && !self.is_surely_in_payload() {
                    self.pass(input, start, part.pos);
                }
                input.pos = part.pos;
                if !more {
                    self.segment = Segment::None;
                }
            }
        }
        Ok(true)
    }

    /// The tag layer is emitted that a payload lies behind, if one does.
    fn resume(&mut self) {
        if self.is_in_payload() {
            return;
        }
        if let (Some((payloads, fence)), Some(router)) = (self.payloads(), &mut self.router) {
            router.resume(payloads, fence);
        }
    }

    /// Payloads that began so far where text goes now, and the fence that the text stands in.
    pub(super) fn payloads(&self) -> Option<(u32, Option<(u8, u16)>)> {
        match (self.sink(), &self.body) {
            (Sink::Body, Some((_, body))) => {
                body.machine.position().payloads.map(|it| (it.begun, it.fence))
            }
            (Sink::Format, _) => self.format.position().payloads.map(|it| (it.begun, it.fence)),
            _ => None,
        }
    }

    /// Whether what is read is a payload's.
    fn is_in_payload(&self) -> bool {
        match (&self.body, self.sink()) {
            (Some((_, body)), Sink::Body) => {
                body.machine.position().payloads.is_some() && body.machine.position().is_inside()
            }
            (_, Sink::Text(_)) => false,
            _ => self.format.position().is_inside(),
        }
    }

    /// The same, if it cannot turn out to be text any more: of text the tag layer wants to know what
    /// code stands in it, however it was cut.
    fn is_surely_in_payload(&self) -> bool {
        let undecided = match (&self.body, self.sink()) {
            (Some((_, body)), Sink::Body) => body.machine.position().region == Region::Candidate,
            _ => self.format.position().region == Region::Candidate,
        };
        !undecided && self.is_in_payload()
    }

    /// Reads on in a payload, or in what may be one.
    fn read_payload(&mut self, input: &mut Input<'_>) -> Result<bool, Error> {
        let (start, payload) = (input.pos, self.is_surely_in_payload());
        let more = self.read(input)?;
        if !payload && !self.is_surely_in_payload() {
            self.pass(input, start, input.pos);
        }
        Ok(more)
    }

    /// Text outside payloads was read: the tag layer wants to know what code stands in it.
    fn pass(&mut self, input: &Input<'_>, start: usize, end: usize) {
        if let Some(router) = &mut self.router {
            router.passed(&input.text()[start..end], input.offset_of(start));
        }
    }

    fn read_released(&mut self, read: usize, end: u64) -> Result<bool, Error> {
        let (sink, payload) = (self.sink(), self.is_surely_in_payload());
        if self.router.as_ref().is_some_and(|router| read < router.released().len()) {
            self.resume();
        }
        let Some(router) = &mut self.router else { return Ok(false) };
        let len = router.released().len();
        if let (Sink::Text(emitted), true) = (sink, read < len) {
            router.pass_released(read, len, end);
            self.segment = Segment::Released { read: len, end };
            self.fold.outbox.emit_text(emitted, TextAt::Format(Slice::input(read, len)), end);
            return Ok(true);
        }
        if let Sink::Text(_) = sink {
            self.segment = Segment::None;
            return Ok(true);
        }
        let inside = payload;
        let text = router.released();
        let mut input = Input::new(text, end - len as u64);
        input.pos = read;
        let token = match (&mut self.body, sink) {
            (Some((_, body)), Sink::Body) => body.machine.step(&mut input)?,
            _ => self.format.step(&mut input)?,
        };
        let pos = input.pos;
        match token {
            Some(token) => {
                let text = match (&mut self.body, sink) {
                    (Some((_, body)), Sink::Body) => {
                        body.note(token);
                        body.machine.resolve(token.text, text)
                    }
                    _ => {
                        let text = self.format.resolve(token.text, text);
                        self.token_log.add(token, text);
                        text
                    }
                };
                self.fold.apply(token, text)?;
                if let (Some((id, _)), Sink::Body) = (&self.body, sink) {
                    self.note_document(*id);
                }
                self.segment = Segment::Released { read: pos, end };
            }
            None if pos >= len => self.segment = Segment::None,
            None => self.segment = Segment::Released { read: pos, end },
        }
        if !inside
            && !self.is_surely_in_payload()
            && let Some(router) = &mut self.router
        {
            router.pass_released(read, pos, end);
        }
        Ok(true)
    }

    /// The input is about to go while tokens are left that may name it, or what the router released.
    pub(super) fn settle(&mut self, input: &str) {
        let text = match (self.segment, &self.router) {
            (Segment::Released { .. }, Some(router)) => router.released(),
            _ => input,
        };
        self.format.get_mut().own_pending_text(text);
        if let Some((_, body)) = &mut self.body {
            body.machine.get_mut().own_pending_text(text);
        }
    }

    /// What the format held because of what might have followed is emitted: a marker follows. In an
    /// element its payload ends here.
    pub(super) fn interrupt_format(&mut self, at: u64) -> Result<(), Error> {
        while let Some(token) = self.format.get_mut().interrupt(at) {
            let text = self.format.resolve(token.text, "");
            self.token_log.add(token, text);
            self.fold.apply(token, text)?;
        }
        Ok(())
    }

    /// The text an emission names.
    pub(super) fn text_of<'a>(&'a self, text: TextAt, input: &'a str) -> &'a str {
        match text {
            TextAt::Nowhere => "",
            TextAt::Pending => self.fold.pending(),
            TextAt::Format(slice) => {
                let input = match (self.segment, &self.router) {
                    (Segment::Released { .. }, Some(router)) => router.released(),
                    _ => input,
                };
                match (&self.body, self.sink()) {
                    (Some((_, body)), Sink::Body) => body.machine.resolve(slice, input),
                    _ => self.format.resolve(slice, input),
                }
            }
        }
    }

    /// The end of the input for the tag layer: what it held is text, and what is open closes. Whether
    /// there was anything.
    pub(super) fn finish_tags(&mut self, end: u64) -> Result<bool, Error> {
        let around = self.around();
        let routed = self.router.as_mut().and_then(|router| router.finish(end, around));
        let Some(routed) = routed else { return Ok(false) };
        match routed {
            Routed::Released { end } => self.segment = Segment::Released { read: 0, end },
            Routed::Marker { start } => self.meet_marker(start)?,
            Routed::Clear(_) => {}
        }
        Ok(true)
    }
}
