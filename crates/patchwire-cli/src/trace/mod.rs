//! The parts of `patchwire trace`: what each chunk becomes, and what is held back at its end.

mod event_summary;
mod json_lines;
mod readings_table;
mod searched_text;
mod token_display;
mod trace_page;

pub(crate) use event_summary::closing;
pub(crate) use json_lines::JsonLines;
pub(crate) use readings_table::ReadingsTable;
pub(crate) use trace_page::TracePage;

use std::io;

use patchwire::internals::{LiteralMarker, TokenRecord};
use patchwire::{Error, Event, Parser, held::Held};

use crate::exit::Failure;
use crate::settings::Settings;
use crate::source::{Name, Stream};
use crate::stream_result::StreamResult;

/// A chunk.
pub(crate) struct Chunk<'a> {
    /// Counts from 1.
    number: usize,
    /// The offset in the stream.
    offset: u64,
    bytes: &'a [u8],
}

/// Prints a trace. For each chunk, it receives the chunk, then tokens and the events they became,
/// then what is held back.
pub(crate) trait Tracer {
    /// An event in printable form. It is kept until the tokens before it are printed.
    type Summary;

    fn summarize(&mut self, event: &Event<'_>) -> Self::Summary;

    fn stream(&mut self, name: &Name) -> io::Result<()>;
    fn chunk(&mut self, chunk: &Chunk<'_>) -> io::Result<()>;
    fn token(&mut self, seen: &TokenRecord) -> io::Result<()>;
    fn event(&mut self, summary: Self::Summary) -> io::Result<()>;
    fn literal(&mut self, marker: &LiteralMarker) -> io::Result<()>;
    fn held(&mut self, held: &[Held]) -> io::Result<()>;
    fn end(&mut self, offset: u64) -> io::Result<()>;
    fn error(&mut self, error: Error) -> io::Result<()>;
    /// Called after each chunk.
    fn flush(&mut self) -> io::Result<()>;
}

/// Reads a stream to its end, or to the error that stops the parser. Events are pulled one by one,
/// so that the tokens of each are known.
pub(crate) fn read<T: Tracer>(
    settings: &Settings,
    mut stream: Stream,
    tracer: &mut T,
) -> Result<StreamResult, Failure> {
    let mut parser = settings.spec.parser();
    parser.start_trace();
    tracer.stream(&stream.name)?;
    let (mut number, mut offset) = (0, 0);
    let mut failed = None;
    while let (None, Some(bytes)) = (failed, stream.next_chunk()?) {
        number += 1;
        tracer.chunk(&Chunk { number, offset, bytes })?;
        offset += bytes.len() as u64;
        let mut rest = bytes;
        loop {
            let summary = parser
                .next_event(&mut rest)
                .map(|event| event.as_ref().map(|event| tracer.summarize(event)));
            if !pass_on(summary, &mut parser, tracer, &mut failed)? {
                break;
            }
        }
        if failed.is_none() {
            tracer.held(&parser.held())?;
        }
        tracer.flush()?;
    }
    if failed.is_none() {
        tracer.end(offset)?;
        loop {
            let summary = parser
                .next_final_event()
                .map(|event| event.as_ref().map(|event| tracer.summarize(event)));
            if !pass_on(summary, &mut parser, tracer, &mut failed)? {
                break;
            }
        }
    }
    tracer.flush()?;
    let result = failed.map_or_else(|| parser.answer(), Err);
    Ok(StreamResult::new(stream.name, parser, result))
}

/// Prints the tokens of an event, the event, and the markers in it that are only text. Returns
/// whether there may be more events.
fn pass_on<T: Tracer>(
    summary: Result<Option<T::Summary>, Error>,
    parser: &mut Parser,
    tracer: &mut T,
    failed: &mut Option<Error>,
) -> io::Result<bool> {
    for seen in parser.take_tokens() {
        tracer.token(&seen)?;
    }
    match summary {
        Ok(Some(event)) => {
            tracer.event(event)?;
            parser.take_literals().iter().try_for_each(|marker| tracer.literal(marker))?;
            Ok(true)
        }
        Ok(None) => Ok(false),
        Err(error) => {
            *failed = Some(error);
            tracer.error(error).map(|()| false)
        }
    }
}
