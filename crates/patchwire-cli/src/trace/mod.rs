//! What `trace` shows: what each chunk becomes, and what is left undecided at its end.

mod event_summary;
mod json_lines;
mod token_display;
mod trace_page;

pub(crate) use event_summary::closing;
pub(crate) use json_lines::JsonLines;
pub(crate) use trace_page::TracePage;

use std::io;

use patchwire::internals::{LiteralMarker, TokenRecord};
use patchwire::{Error, Event, Parser, held::Held};

use crate::exit::Failure;
use crate::settings::Settings;
use crate::source::{Name, Stream};
use crate::stream_result::StreamResult;

/// What is fed at once.
pub(crate) struct Chunk<'a> {
    /// From 1.
    number: usize,
    /// Where it begins in the stream.
    offset: u64,
    bytes: &'a [u8],
}

/// Who is summary what happens, in order: of a chunk, then tokens and the events that each became, then
/// what is held.
pub(crate) trait Tracer {
    /// An event on its own, for it comes after the tokens it was made of.
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
    /// All of a chunk was summary.
    fn flush(&mut self) -> io::Result<()>;
}

/// Reads a stream to its end, or to the error that ends it. Events are pulled one by one, so that
/// the tokens between them are known.
pub(crate) fn read<T: Tracer>(
    settings: &Settings,
    mut stream: Stream,
    tracer: &mut T,
) -> Result<StreamResult, Failure> {
    let mut parser = settings.spec.parser();
    parser.watch();
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

/// Tells of an event, before it of the tokens it was made of, and behind it of the markers in it that
/// are text. Whether there may be more.
fn pass_on<T: Tracer>(
    summary: Result<Option<T::Summary>, Error>,
    parser: &mut Parser,
    tracer: &mut T,
    failed: &mut Option<Error>,
) -> io::Result<bool> {
    for seen in parser.take_seen() {
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
