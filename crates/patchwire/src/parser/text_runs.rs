//! The fast path of text: chunks that are one run of the open string.

use bytestring::ByteString;

use super::Parser;
use super::fast_path::{NextChunk, PatchSink};
use crate::error::Error;
use crate::event::{Event, Flow};
use crate::format::{AfterRun, FormatMachine, TextRun};
use crate::lex::TokenKind;
use crate::lex::json::TokenSink;
use crate::scan::{ShortText, short_prose};
use crate::text::as_text;

impl Parser {
    /// Fast path: reads a chunk within the text of a field. `holds_space`: whether the machine holds a space.
    #[inline(never)]
    pub(super) fn read_prose<R: Flow>(
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
    pub(super) fn read_string_run<R: Flow>(
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
    pub(super) fn read_text_run<R: Flow>(
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
}

/// The text of a chunk, if it is UTF-8. A shared buffer was checked when it was fed.
#[inline(always)]
pub(super) fn text_of<'t>(
    chunk: &'t [u8],
    buffer: Option<&'t ByteString>,
    room: &'t mut ShortText,
) -> Option<&'t str> {
    match buffer {
        Some(buffer) => Some(buffer),
        None => as_text(chunk, room),
    }
}
