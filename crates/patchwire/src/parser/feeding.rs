//! How chunks are read: on the fast path in a payload or in text, on the general path elsewhere, and one
//! event at a time when the caller pulls.

#[cfg(debug_assertions)]
use core::ops::ControlFlow;

use bytestring::ByteString;

use super::Parser;
use super::fast_path::{NextChunk, PatchSink, Stop, text_of};
use super::reader::RoutedText;
use super::split_char::SplitChar;
use crate::answer::Answer;
use crate::codes::Code;
use crate::error::{Error, ErrorKind};
use crate::event::{Event, Flow, ReasoningEvent, Text, TextEvent};
use crate::fold::Emission;
use crate::format::{AfterRun, FormatMachine, TextRun};
use crate::lex::json::{Cursor, FastPathEnd, TokenSink};
use crate::lex::{Input, TokenKind};
use crate::scan::{ShortText, short_prose};
use crate::span::Span;
use crate::spec::Strictness;
use crate::tags::Router;
use crate::text::{Piece, as_text_soon};
use crate::transcript::Route;

/// The largest number of bytes checked at a time when events are pulled, so that a call checks little more
/// than it reads.
const PULL_WINDOW: usize = 1024;

/// The parts of the next event: an emission, and its text if that lies in the chunk.
pub(super) type Pulled<'c> = (Emission, Option<&'c str>);

/// Takes an event that nobody wants.
const fn ignore(_: Event<'_>) {}

impl Parser {
    /// Reads a chunk. A build with debug assertions has one copy of the fast path for all closures, which
    /// compiles faster; other builds have one for each, which runs faster.
    #[cfg(debug_assertions)]
    pub(super) fn feed_chunk<R: Flow>(
        &mut self,
        chunk: &[u8],
        buffer: Option<&ByteString>,
        mut on_event: impl FnMut(Event<'_>) -> R,
    ) -> Result<(), Error> {
        self.feed_through(chunk, buffer, &mut |event| match on_event(event).goes_on() {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        })
    }

    #[cfg(debug_assertions)]
    fn feed_through(
        &mut self,
        chunk: &[u8],
        buffer: Option<&ByteString>,
        on_event: &mut dyn FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Result<(), Error> {
        self.read_chunk(chunk, buffer, on_event)
    }

    #[cfg(not(debug_assertions))]
    #[inline(always)]
    pub(super) fn feed_chunk<R: Flow>(
        &mut self,
        chunk: &[u8],
        buffer: Option<&ByteString>,
        on_event: impl FnMut(Event<'_>) -> R,
    ) -> Result<(), Error> {
        self.read_chunk(chunk, buffer, on_event)
    }

    /// Reads a chunk whose events nobody takes. Each closure makes a copy of the loops of the fast path: the readings
    /// of the engine itself share this one. In WebAssembly, where each copy is downloaded, they take the general path.
    #[inline(never)]
    pub(super) fn read_silently(&mut self, chunk: &[u8]) -> Result<(), Error> {
        if cfg!(target_family = "wasm") {
            return self.feed_general(chunk, None, &mut ignore);
        }
        self.feed(chunk, ignore)
    }

    /// Ends a stream that was read [silently](Self::read_silently).
    pub(super) fn end_silently(&mut self) -> Result<Answer, Error> {
        self.finish(ignore)
    }

    /// Reads a chunk, on the fast path if possible.
    // Inlined into nearly every caller of `feed`, because each closure makes a copy of its own: one more
    // call would make a short chunk a tenth slower.
    #[inline(always)]
    fn read_chunk<R: Flow>(
        &mut self,
        chunk: &[u8],
        buffer: Option<&ByteString>,
        mut on_event: impl FnMut(Event<'_>) -> R,
    ) -> Result<(), Error> {
        let mut room = ShortText::new();
        if matches!(self.fast_path.next, NextChunk::Payload) && self.intake.has_room(chunk) {
            if let FormatMachine::Json(json) = &mut self.reader.machines.format
                && let Some(text) = json.string_run(chunk, &mut room)
            {
                return self.read_string_run(text, buffer, &mut on_event);
            }
            return self.read_payload(chunk, buffer, &mut on_event);
        }
        if let NextChunk::Prose { holds_space } = self.fast_path.next
            && self.intake.has_room(chunk)
        {
            return self.read_prose(chunk, holds_space, buffer, &mut on_event);
        }
        if let NextChunk::Text(route) = self.fast_path.next
            && self.intake.has_room(chunk)
            && let Some(more) = self.read_text(chunk, route, buffer, &mut on_event)
        {
            return if more { Ok(()) } else { Err(self.fail(ErrorKind::Cancelled)) };
        }
        self.feed_general(chunk, buffer, &mut on_event)
    }

    /// Fast path: reads a chunk of a payload.
    #[inline(always)]
    fn read_payload<R: Flow>(
        &mut self,
        chunk: &[u8],
        buffer: Option<&ByteString>,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Result<(), Error> {
        let FormatMachine::Json(json) = &mut self.reader.machines.format else {
            return self.read_text_run(chunk, buffer, on_event);
        };
        self.intake.fed += chunk.len() as u64;
        self.reader.collected.keep_raw(chunk);
        let fold = &mut self.reader.fold;
        fold.clear_emitted();
        let mut sink = PatchSink { fold, buffer, on_event: &mut *on_event, stopped: None };
        let mut room = ShortText::new();
        let text = buffer.map_or_else(|| as_text_soon(chunk, &mut room), |buffer| Some(buffer));
        let mut at = Cursor::new(chunk, text, self.intake.offset);
        let fast_end = json.run(&mut at, &mut sink);
        self.intake.offset += at.pos() as u64;
        if fast_end == FastPathEnd::InputRead {
            return Ok(());
        }
        match sink.stopped {
            None => self.read_rest(&chunk[at.pos()..], buffer, on_event),
            Some(stop) => Err(self.stop(stop)),
        }
    }

    /// Fast path: reads a chunk within the text of a field. `holds_space`: whether the machine holds a space.
    #[inline(never)]
    fn read_prose<R: Flow>(
        &mut self,
        chunk: &[u8],
        holds_space: bool,
        buffer: Option<&ByteString>,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Result<(), Error> {
        if holds_space || chunk.ends_with(b" ") {
            return self.read_spaced_prose(chunk, buffer, on_event);
        }
        let mut room = ShortText::new();
        let Some(text) = short_prose(chunk, &mut room) else {
            return self.read_text_run(chunk, buffer, on_event);
        };
        if let FormatMachine::Other(machine) = &mut self.reader.machines.format {
            machine.pass_prose(self.intake.offset + text.len() as u64);
        }
        self.read_string_run(text, buffer, on_event)
    }

    /// Fast path: reads a chunk within the text of a field, where a space comes before the chunk or ends it.
    // Kept out of the function for other prose: there are not enough registers for both.
    #[inline(never)]
    fn read_spaced_prose<R: Flow>(
        &mut self,
        chunk: &[u8],
        buffer: Option<&ByteString>,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Result<(), Error> {
        let mut room = ShortText::new();
        let end = self.intake.offset + chunk.len() as u64;
        let scratch = &mut self.fast_path.scratch;
        let run = match (&mut self.reader.machines.format, short_prose(chunk, &mut room)) {
            (FormatMachine::Other(machine), Some(text)) => {
                machine.prose_run(text, end, scratch).map(|run| (text, run))
            }
            _ => None,
        };
        let Some((text, run)) = run else { return self.read_text_run(chunk, buffer, on_event) };
        let text = buffer.map_or(text, |buffer| &**buffer);
        self.emit_run(text, run, buffer, on_event)
    }

    /// Fast path: emits a short chunk that is one run of the open string. The text may be a copy.
    #[inline(always)]
    fn read_string_run<R: Flow>(
        &mut self,
        text: &str,
        buffer: Option<&ByteString>,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Result<(), Error> {
        let text = buffer.map_or(text, |buffer| &**buffer);
        self.intake.fed += text.len() as u64;
        self.intake.offset += text.len() as u64;
        self.reader.collected.keep_raw(text.as_bytes());
        let fold = &mut self.reader.fold;
        fold.clear_emitted();
        let mut sink = PatchSink { fold, buffer, on_event: &mut *on_event, stopped: None };
        let more = sink.token(TokenKind::StringText, text, self.intake.offset);
        match sink.stopped {
            None if more => Ok(()),
            None => self.read_rest(&[], buffer, on_event),
            Some(stop) => Err(self.stop(stop)),
        }
    }

    /// Fast path: reads a chunk that is one run of text of the open string. Other chunks go to the general
    /// path.
    #[inline(never)]
    fn read_text_run<R: Flow>(
        &mut self,
        chunk: &[u8],
        buffer: Option<&ByteString>,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Result<(), Error> {
        let end = self.intake.offset + chunk.len() as u64;
        let scratch = &mut self.fast_path.scratch;
        let mut room = ShortText::new();
        let text = text_of(chunk, buffer, &mut room);
        let run = match (&mut self.reader.machines.format, text) {
            (FormatMachine::Other(machine), Some(text)) => {
                machine.text_run(text, end, scratch).map(|run| (text, run))
            }
            _ => None,
        };
        let Some((text, run)) = run else { return self.feed_general(chunk, buffer, on_event) };
        self.emit_run(text, run, buffer, on_event)
    }

    /// Fast path: emits a chunk, whose text this is, as one run of text of the open string.
    #[inline(always)]
    fn emit_run<R: Flow>(
        &mut self,
        text: &str,
        run: TextRun,
        buffer: Option<&ByteString>,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Result<(), Error> {
        self.intake.fed += text.len() as u64;
        self.reader.collected.keep_raw(text.as_bytes());
        let emitted = self.intake.offset + run.len as u64;
        self.intake.offset += text.len() as u64;
        self.fast_path.next = match run.then {
            AfterRun::Prose { holds_space } => NextChunk::Prose { holds_space },
            AfterRun::Any => NextChunk::Payload,
        };
        if run.len == 0 {
            return Ok(());
        }
        let fold = &mut self.reader.fold;
        fold.clear_emitted();
        let delta = if run.in_scratch { &*self.fast_path.scratch } else { &text[..run.len] };
        let mut sink = PatchSink { fold, buffer, on_event: &mut *on_event, stopped: None };
        let more = sink.token(TokenKind::StringText, delta, emitted);
        match sink.stopped {
            None if more => Ok(()),
            None => self.read_rest(&[], buffer, on_event),
            Some(stop) => Err(self.stop(stop)),
        }
    }

    /// Fast path: emits a chunk as one text event. Returns whether the caller wants more, or `None` with
    /// nothing read if a marker may begin in the chunk or it cuts a code point.
    // Kept out of the function for payloads: there are not enough registers for both.
    #[inline(never)]
    fn read_text<R: Flow>(
        &mut self,
        chunk: &[u8],
        route: Route,
        buffer: Option<&ByteString>,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Option<bool> {
        let mut room = ShortText::new();
        let text = text_of(chunk, buffer, &mut room)?;
        if text.is_empty() {
            return Some(true);
        }
        let (reader, start) = (&mut self.reader, self.intake.offset);
        if let Some(router) = &mut reader.router
            && !router.passes(text, start)
        {
            return None;
        }
        let end = start + text.len() as u64;
        self.intake.fed += chunk.len() as u64;
        self.intake.offset = end;
        reader.collected.keep_raw(chunk);
        let span = Span::new(reader.fold.outbox.last_end, end);
        reader.fold.outbox.last_end = end;
        let innermost = reader.open_elements.last().copied().unwrap_or(0);
        reader.collected.transcript.emit(innermost, route, text, span);
        let (element, delta) = (reader.element(), Text::new(text, buffer));
        let event = match route {
            Route::Reasoning => Event::Reasoning(ReasoningEvent { element, delta, span }),
            _ => {
                let channel = reader.collected.transcript.channel(route);
                Event::Text(TextEvent { channel, element, delta, span })
            }
        };
        Some(on_event(event).goes_on())
    }

    /// Reads the part of a chunk that the fast path left.
    #[cold]
    #[inline(never)]
    fn read_rest<R: Flow>(
        &mut self,
        rest: &[u8],
        buffer: Option<&ByteString>,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Result<(), Error> {
        if !self.read_bytes(rest, buffer, on_event)? {
            return Err(self.fail(ErrorKind::Cancelled));
        }
        self.end_chunk();
        Ok(())
    }

    /// General path: reads any chunk, in any state of the stream.
    #[inline(never)]
    fn feed_general<R: Flow>(
        &mut self,
        chunk: &[u8],
        buffer: Option<&ByteString>,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Result<(), Error> {
        self.ending.check_open(self.intake.fed)?;
        let (taken, over) = self.intake.fitting(chunk);
        self.intake.fed += taken.len() as u64;
        self.reader.collected.keep_raw(taken);
        if !self.read_bytes(taken, buffer, on_event)? {
            return Err(self.fail(ErrorKind::Cancelled));
        }
        self.end_chunk();
        over.map_or(Ok(()), |error| Err(self.latch(error)))
    }

    /// Reads bytes that fit into the limit. Whether the caller wants more.
    fn read_bytes<R: Flow>(
        &mut self,
        bytes: &[u8],
        buffer: Option<&ByteString>,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Result<bool, Error> {
        match core::str::from_utf8(bytes) {
            Ok(text) if self.intake.carry.is_empty() => self.read_run(text, buffer, on_event),
            _ => self.read_pieces(bytes, buffer, on_event),
        }
    }

    /// Reads bytes that begin or end within a code point, or are not UTF-8.
    fn read_pieces<R: Flow>(
        &mut self,
        mut rest: &[u8],
        buffer: Option<&ByteString>,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Result<bool, Error> {
        let mut any = false;
        while let Some(piece) = self.intake.carry.next(&mut rest) {
            any = true;
            let more = match piece {
                Piece::Run(text) => self.read_run(text, buffer, on_event)?,
                Piece::Joined { char, len } => {
                    self.read_split_char(SplitChar::new(char, len, false), on_event)?
                }
                Piece::Replaced { len } => {
                    // Text before the invalid bytes is emitted first.
                    self.drain_pending(on_event)? && {
                        self.refuse_invalid(len)?;
                        let char = SplitChar::new(char::REPLACEMENT_CHARACTER, len, true);
                        self.read_split_char(char, on_event)?
                    }
                }
            };
            if !more {
                return Ok(false);
            }
        }
        // Only the start of a code point came: emit what was read before it.
        if any { Ok(true) } else { self.drain_pending(on_event) }
    }

    /// Reads a run of text. Whether the caller wants more.
    fn read_run<R: Flow>(
        &mut self,
        text: &str,
        buffer: Option<&ByteString>,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Result<bool, Error> {
        let mut input = Input::new(text, self.intake.offset);
        self.intake.offset += text.len() as u64;
        self.drain(&mut input, buffer, on_event)
    }

    fn read_split_char<R: Flow>(
        &mut self,
        char: SplitChar,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Result<bool, Error> {
        let mut input = char.input(self.intake.offset);
        self.intake.offset += u64::from(char.raw);
        self.drain(&mut input, None, on_event)
    }

    /// Bytes that are not UTF-8: an error under strict reading, else a notice.
    fn refuse_invalid(&mut self, len: u8) -> Result<(), Error> {
        let start = self.intake.offset;
        if self.reader.spec.0.strictness == Strictness::Strict {
            return Err(self.latch(Error::new(ErrorKind::InvalidUtf8, start)));
        }
        self.reader.fold.notice(Code::InvalidUtf8, Span::new(start, start + u64::from(len)));
        Ok(())
    }

    /// Emits what is pending without more input. Whether the caller wants more.
    pub(super) fn drain_pending<R: Flow>(
        &mut self,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Result<bool, Error> {
        self.drain(&mut Input::new("", self.intake.offset), None, on_event)
    }

    /// Emits all events of a run. Whether the caller wants more.
    #[inline(never)]
    fn drain<R: Flow>(
        &mut self,
        input: &mut Input<'_>,
        buffer: Option<&ByteString>,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Result<bool, Error> {
        loop {
            match self.drain_fast(input, buffer, on_event)? {
                None => return Ok(false),
                Some(FastPathEnd::InputRead) => return Ok(true),
                Some(_) => {}
            }
            if self.reader.is_read_up(input) {
                return Ok(true);
            }
            let Some(emission) = self.advance(input)? else { return Ok(true) };
            if !on_event(self.reader.event(&emission, input.text(), buffer)).goes_on() {
                return Ok(false);
            }
        }
    }

    /// Emits tokens on the fast path until it ends. `None` if the caller wants no more.
    #[inline]
    fn drain_fast<R: Flow>(
        &mut self,
        input: &mut Input<'_>,
        buffer: Option<&ByteString>,
        on_event: &mut impl FnMut(Event<'_>) -> R,
    ) -> Result<Option<FastPathEnd>, Error> {
        let reader = &mut self.reader;
        let elsewhere = !reader.open_elements.is_empty()
            || !reader.fold.all_emitted()
            || reader.machines.token_log.is_on();
        if !matches!(reader.routed, RoutedText::None) || elsewhere {
            return Ok(Some(FastPathEnd::GeneralPath));
        }
        reader.fold.clear_emitted();
        let fold = &mut reader.fold;
        let mut sink = PatchSink { fold, buffer, on_event, stopped: None };
        let fast_end = match &mut reader.machines.format {
            FormatMachine::Json(json) => json.run_fast_path(input, &mut sink),
            FormatMachine::Other(machine)
                if reader.router.as_ref().is_none_or(Router::is_clear) =>
            {
                sink.run(&mut **machine, input)
            }
            FormatMachine::Other(_) => FastPathEnd::GeneralPath,
        };
        match sink.stopped {
            None => Ok(Some(fast_end)),
            Some(Stop::Cancelled) => Ok(None),
            Some(Stop::Failed(error)) => Err(self.latch(error)),
        }
    }

    /// Reads until there is an emission. An error is kept.
    pub(super) fn advance(&mut self, input: &mut Input<'_>) -> Result<Option<Emission>, Error> {
        self.reader.advance(input).map_err(|error| self.latch(error))
    }

    /// Called after each chunk: clears per-chunk caches, so that equal parsers compare equal.
    fn end_chunk(&mut self) {
        self.reader.canonicalize();
        self.fast_path.next = NextChunk::after(&self.intake, &self.reader);
    }

    fn stop(&mut self, stop: Stop) -> Error {
        match stop {
            Stop::Cancelled => self.fail(ErrorKind::Cancelled),
            Stop::Failed(error) => self.latch(error),
        }
    }

    /// The next event of a chunk; advances the caller's cursor.
    pub(super) fn pull<'c>(&mut self, rest: &mut &'c [u8]) -> Result<Option<Pulled<'c>>, Error> {
        self.fast_path.next = NextChunk::General;
        loop {
            if let Some(found) = self.pull_split_char()? {
                return Ok(Some((found, None)));
            }
            if rest.is_empty() {
                self.ending.check_failed()?;
                let emission = self.advance(&mut Input::new("", self.intake.offset))?;
                if emission.is_none() {
                    self.end_chunk();
                }
                return Ok(emission.map(|emission| (emission, Some(""))));
            }
            self.ending.check_open(self.intake.fed)?;
            let window = &rest[..rest.len().min(PULL_WINDOW)];
            let (taken, over) = self.intake.fitting(window);
            let mut left = taken;
            let Some(piece) = self.intake.carry.next(&mut left) else {
                self.take_pulled(rest, taken.len());
                if let Some(error) = over {
                    // Events of the text before the limit come first.
                    let emission = self.advance(&mut Input::new("", self.intake.offset))?;
                    let emission = emission.ok_or_else(|| self.latch(error))?;
                    return Ok(Some((emission, Some(""))));
                }
                continue;
            };
            let consumed = taken.len() - left.len();
            match piece {
                Piece::Run(text) => {
                    let mut input = Input::new(text, self.intake.offset);
                    let emission = self.advance(&mut input)?;
                    self.reader.own_pending_text(text);
                    self.intake.offset += input.pos as u64;
                    self.take_pulled(rest, input.pos);
                    if let Some(emission) = emission {
                        return Ok(Some((emission, Some(text))));
                    }
                }
                Piece::Joined { char, len } => {
                    self.take_pulled(rest, consumed);
                    self.intake.split_char = Some(SplitChar::new(char, len, false));
                }
                Piece::Replaced { len } => {
                    self.take_pulled(rest, consumed);
                    let char = SplitChar::new(char::REPLACEMENT_CHARACTER, len, true);
                    self.intake.split_char = Some(char);
                }
            }
        }
    }

    /// Continues with a code point that is read separately.
    pub(super) fn pull_split_char(&mut self) -> Result<Option<Emission>, Error> {
        let Some(mut char) = self.intake.split_char else { return Ok(None) };
        let offset = self.intake.offset;
        if char.replaced && !char.noted {
            // Text before the invalid bytes is emitted first.
            if let Some(emission) = self.advance(&mut Input::new("", offset))? {
                return Ok(Some(emission));
            }
            self.refuse_invalid(char.raw)?;
            char.noted = true;
            self.intake.split_char = Some(char);
        }
        let mut input = char.input(offset);
        input.pos = usize::from(char.read);
        let emission = self.advance(&mut input)?;
        if emission.is_some() {
            let read = input.pos as u8;
            self.intake.split_char = Some(SplitChar { read, ..char });
        } else {
            self.intake.offset += u64::from(char.raw);
            self.intake.split_char = None;
        }
        Ok(emission)
    }

    /// Moves the caller's cursor past bytes that were read.
    fn take_pulled(&mut self, rest: &mut &[u8], len: usize) {
        let (taken, after) = rest.split_at(len);
        self.intake.fed += len as u64;
        self.reader.collected.keep_raw(taken);
        *rest = after;
    }
}
