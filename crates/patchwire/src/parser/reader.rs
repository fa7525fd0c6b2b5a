//! The general path: text becomes tokens and elements, and these become emissions.
//!
//! The tag layer finds markers and clears the text between them. Cleared text goes to its [`Destination`]:
//! to a machine, or directly into an event.

#[cfg(test)]
mod tests;

use super::collected::Collected;
use super::machines::{Destination, Machines, Standing};
use super::text_parts::CutBody;
use crate::error::Error;
use crate::fold::{Emission, Fold, TextAt};
use crate::format::{FormatMachine, Machine, Region, TokenLog};
use crate::lex::{Input, Slice, Token};
use crate::spec::{Settings, Spec};
use crate::tags::{Act, Around, Routed, Router, RouterStart};
use crate::transcript::Transcript;

/// Routed text that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RoutedText {
    None,
    /// Text of the input, up to this offset of the stream.
    Clear {
        until: u64,
    },
    /// Text that the router held and released: from the position `read` on, up to the offset `end`.
    Released {
        read: usize,
        end: u64,
    },
    /// A marker that began at this offset. Its acts are being emitted.
    Marker {
        start: u64,
    },
}

/// Lets a machine make a token without input.
type MakeLast<'a> = dyn FnMut(&mut dyn Machine) -> Result<Option<Token>, Error> + 'a;

/// The stages between text and emissions.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Reader {
    pub(super) spec: Spec,
    pub(super) router: Option<Router>,
    pub(super) routed: RoutedText,
    /// No marker begins before this offset. Reset after each chunk.
    marker_free_until: u64,
    /// An act of a marker that waits until pending tokens are emitted.
    pub(super) act: Option<Act>,
    /// The elements that are open, the innermost last.
    pub(super) open_elements: Vec<u32>,
    /// The families of the reasoning that the next opener interrupts.
    pub(super) interrupted: Vec<u16>,
    /// The body that is being closed was cut, and the notice was emitted.
    pub(super) cut_body: Option<CutBody>,
    pub(super) machines: Machines,
    pub(super) fold: Fold,
    pub(super) collected: Collected,
}

impl Reader {
    pub(super) fn new(spec: Spec) -> Self {
        let settings: &Settings = &spec.0;
        let json = &settings.json;
        let format = match &settings.machine {
            Some(machine) => FormatMachine::Other(machine.clone()),
            None => settings.new_machine(),
        };
        let start_in = settings.start_in;
        let begin =
            RouterStart { start_in, bare_from: settings.bare_from, keep_runs: settings.keep_raw };
        let router = settings.tags.clone().map(|tags| Router::new(tags, begin));
        let transcript = settings.tags.as_ref().map_or_else(Transcript::default, |tags| {
            Transcript::new(tags.names(), !settings.keep_value && !settings.keep_raw)
        });
        let schema = json.schema.clone();
        let mut fold = Fold::new(schema, &json.limits, settings.keep_value, settings.seed.clone());
        fold.watch(&settings.checks, json.rules);
        let mut reader = Self {
            router,
            routed: RoutedText::None,
            marker_free_until: 0,
            act: None,
            open_elements: Vec::new(),
            interrupted: Vec::new(),
            cut_body: None,
            machines: Machines { format, bodies: Vec::new(), token_log: TokenLog::default() },
            fold,
            collected: Collected::new(transcript, settings.keep_raw, &json.limits),
            spec,
        };
        if let Some(family) = start_in {
            reader.begin_inside(family);
        }
        reader
    }

    /// Reads until there is an emission; `None` when the input is used up.
    #[inline(never)]
    pub(super) fn advance(&mut self, input: &mut Input<'_>) -> Result<Option<Emission>, Error> {
        loop {
            if let Some(emission) = self.fold.pop() {
                self.keep(&emission, input.text());
                return Ok(Some(emission));
            }
            let more = match self.routed {
                RoutedText::Clear { until } => self.read_clear(until, input)?,
                RoutedText::Released { read, end } => self.read_released(read, end)?,
                RoutedText::Marker { start } => {
                    self.take_act(start)?;
                    true
                }
                RoutedText::None if input.is_done() && self.is_drained() => return Ok(None),
                RoutedText::None => self.find(input)?,
            };
            if !more {
                return Ok(None);
            }
        }
    }

    /// Whether nothing is left to read or to emit. False if that is not certain.
    pub(super) fn is_read_up(&self, input: &Input<'_>) -> bool {
        let idle = self.routed == RoutedText::None && self.fold.all_emitted();
        idle && input.is_done() && self.is_drained()
    }

    /// Whether no token can come before more input. False if that is not certain.
    fn is_drained(&self) -> bool {
        self.standing().position.drained
    }

    #[inline(always)]
    pub(super) fn standing(&self) -> Standing {
        self.machines.standing(self.destination())
    }

    /// The surroundings that decide which markers count.
    fn around(&self, at: Standing) -> Around {
        // A payload outside elements bypasses the router. Inside an element the closer still counts.
        if at.to != Destination::Body && self.open_elements.is_empty() {
            return Around::Text;
        }
        match at.position.region {
            Region::Outside => Around::Text,
            Region::String => Around::String,
            Region::Candidate | Region::Payload => Around::Payload,
        }
    }

    /// Finds the destination of the next text. False when no text is left.
    fn find(&mut self, input: &mut Input<'_>) -> Result<bool, Error> {
        let at = self.standing();
        let around = self.around(at);
        if !input.is_done() {
            self.resume(at);
        }
        let Some(router) = &mut self.router else { return self.read(at.to, input) };
        if self.open_elements.is_empty() && at.position.is_inside() {
            let undecided = at.position.region == Region::Candidate;
            if let Some(Routed::Released { end }) = router.interrupted(undecided) {
                self.routed = RoutedText::Released { read: 0, end };
                return Ok(true);
            }
            return self.read_payload(at, input);
        }
        if input.is_done() {
            // The machine may still have a token of the text before.
            return self.read(at.to, input);
        }
        if input.offset() < self.marker_free_until && around == Around::Text {
            self.routed = RoutedText::Clear { until: self.marker_free_until };
            return Ok(true);
        }
        match router.step(input, around) {
            // The router holds the rest. The machine may still have a token of the text before.
            None => return self.read(at.to, input),
            Some(Routed::Clear(pos)) => {
                self.routed = RoutedText::Clear { until: input.offset_of(pos) };
            }
            Some(Routed::Released { end }) => self.routed = RoutedText::Released { read: 0, end },
            Some(Routed::Marker { start }) => self.meet_marker(start)?,
        }
        Ok(true)
    }

    /// Handles a marker that was found. It decides the bytes that the machine holds, and their tokens come
    /// first. In an element, the payload ends here.
    fn meet_marker(&mut self, start: u64) -> Result<(), Error> {
        self.routed = RoutedText::Marker { start };
        if self.destination() == Destination::Format {
            while self.fold_held(Destination::Format, start)? {}
        }
        Ok(())
    }

    /// Folds the next token of the bytes that a machine holds before a marker. Whether there was one.
    pub(super) fn fold_held(&mut self, to: Destination, at: u64) -> Result<bool, Error> {
        self.fold_last_token(to, &mut |machine| Ok(machine.interrupt(at)))
    }

    /// [Folds a token](Self::fold_token) that a machine makes without input. Such tokens are few: one copy of the
    /// code serves all who ask for them.
    #[inline(never)]
    pub(super) fn fold_last_token(
        &mut self,
        to: Destination,
        make: &mut MakeLast<'_>,
    ) -> Result<bool, Error> {
        self.fold_token(to, "", |machine| make(machine.get_mut()))
    }

    /// Lets the machine of a destination make a token, and folds it. Whether there was one.
    fn fold_token(
        &mut self,
        to: Destination,
        input: &str,
        make: impl FnOnce(&mut FormatMachine) -> Result<Option<Token>, Error>,
    ) -> Result<bool, Error> {
        let made = self.machines.fold_token(to, &mut self.fold, input, make)?;
        if made && to == Destination::Body {
            self.note_document();
        }
        Ok(made)
    }

    /// Reads input until there is a token. False when nothing is left.
    fn read(&mut self, to: Destination, input: &mut Input<'_>) -> Result<bool, Error> {
        let is_text = matches!(to, Destination::Text(_));
        let made = !is_text && self.fold_token(to, input.text(), |machine| machine.step(input))?;
        Ok(made || !input.is_done())
    }

    fn read_clear(&mut self, until: u64, input: &mut Input<'_>) -> Result<bool, Error> {
        let (start, end) = (input.pos, input.position_of(until));
        let at = self.standing();
        match at.to {
            Destination::Text(_) if start >= end => self.routed = RoutedText::None,
            Destination::Text(kind) => {
                self.pass(input, start, end);
                input.pos = end;
                let text = TextAt::Format(Slice::input(start, end));
                self.fold.outbox.emit_text(kind, text, until);
            }
            Destination::Format if self.open_elements.is_empty() && at.position.is_inside() => {
                // Markers are data from here on: the payload is read without the router.
                self.marker_free_until = until;
                self.routed = RoutedText::None;
            }
            Destination::Format | Destination::Body => {
                if start < end {
                    self.resume(at);
                }
                let mut part = input.up_to(end);
                let more = self.read(at.to, &mut part)?;
                self.pass_text(at, input, part.pos);
                input.pos = part.pos;
                if !more {
                    self.routed = RoutedText::None;
                }
            }
        }
        Ok(true)
    }

    /// Tells the router how many payloads have begun. After a payload, text continues inside the fence that
    /// encloses the payload.
    fn resume(&mut self, at: Standing) {
        if let (Some(payloads), Some(router)) = (at.payloads_before(), &mut self.router) {
            router.resume(payloads.begun, payloads.fence);
        }
    }

    /// Continues in a payload, or in a candidate for one.
    fn read_payload(&mut self, at: Standing, input: &mut Input<'_>) -> Result<bool, Error> {
        let start = input.pos;
        let more = self.read(at.to, input)?;
        let end = core::mem::replace(&mut input.pos, start);
        self.pass_text(at, input, end);
        input.pos = end;
        Ok(more)
    }

    /// Passes text outside payloads to the router, from the input's position to `end`.
    fn pass_text(&mut self, before: Standing, input: &Input<'_>, end: usize) {
        if !before.is_surely_in_payload() && !self.standing().is_surely_in_payload() {
            self.pass(input, input.pos, end);
        }
    }

    /// Passes text without markers to the router, which tracks code in it.
    fn pass(&mut self, input: &Input<'_>, start: usize, end: usize) {
        if let Some(router) = &mut self.router {
            router.passed(&input.text()[start..end], input.offset_of(start));
        }
    }

    fn read_released(&mut self, read: usize, end: u64) -> Result<bool, Error> {
        let at = self.standing();
        let Some(len) = self.router.as_ref().map(|router| router.released().len()) else {
            return Ok(false);
        };
        if read < len {
            self.resume(at);
        }
        let Self { router: Some(router), machines, fold, .. } = self else { return Ok(false) };
        if let Destination::Text(kind) = at.to {
            if read < len {
                router.pass_released(read, len, end);
                fold.outbox.emit_text(kind, TextAt::Format(Slice::input(read, len)), end);
                self.routed = RoutedText::Released { read: len, end };
            } else {
                self.routed = RoutedText::None;
            }
            return Ok(true);
        }
        let text = router.released();
        let mut input = Input::new(text, end - len as u64);
        input.pos = read;
        let made = machines.fold_token(at.to, fold, text, |machine| machine.step(&mut input))?;
        let pos = input.pos;
        if made && at.to == Destination::Body {
            self.note_document();
        }
        // A machine that has no token more has read all of its input.
        self.routed = if made { RoutedText::Released { read: pos, end } } else { RoutedText::None };
        if !at.is_surely_in_payload()
            && !self.standing().is_surely_in_payload()
            && let Some(router) = &mut self.router
        {
            router.pass_released(read, pos, end);
        }
        Ok(true)
    }

    /// The text that slices of tokens refer to: text that the router released, or the input.
    fn source<'a>(&'a self, input: &'a str) -> &'a str {
        match (self.routed, &self.router) {
            (RoutedText::Released { .. }, Some(router)) => router.released(),
            _ => input,
        }
    }

    /// Copies the text of pending tokens, before the input is dropped.
    pub(super) fn own_pending_text(&mut self, input: &str) {
        let text = match (self.routed, &self.router) {
            (RoutedText::Released { .. }, Some(router)) => router.released(),
            _ => input,
        };
        self.machines.own_pending_text(text);
    }

    /// The text of an emission.
    pub(super) fn text_of<'a>(&'a self, text: TextAt, input: &'a str) -> &'a str {
        match text {
            TextAt::Nowhere => "",
            TextAt::Pending => self.fold.pending(),
            TextAt::Format(slice) => {
                self.machines.get(self.destination()).resolve(slice, self.source(input))
            }
        }
    }

    /// Called after each chunk: clears per-chunk caches, so that equal readers compare equal.
    pub(super) fn canonicalize(&mut self) {
        self.marker_free_until = 0;
        self.machines.canonicalize();
        let at = self.standing();
        let Some(router) = &mut self.router else { return };
        if self.open_elements.is_empty() && at.position.is_inside() {
            router.in_payload(at.position.region == Region::Candidate);
        }
        if let Some(payloads) = at.payloads() {
            router.rest(payloads.begun);
        }
        router.canonicalize();
    }

    /// Ends the input for the tag layer: held bytes become text, and open elements close. Whether there was
    /// anything to do.
    pub(super) fn finish_tags(&mut self, end: u64) -> Result<bool, Error> {
        let at = self.standing();
        self.resume(at);
        let around = self.around(at);
        let routed = self.router.as_mut().and_then(|router| router.finish(end, around));
        let Some(routed) = routed else { return Ok(false) };
        match routed {
            Routed::Released { end } => self.routed = RoutedText::Released { read: 0, end },
            Routed::Marker { start } => self.meet_marker(start)?,
            Routed::Clear(_) => {}
        }
        Ok(true)
    }
}
