//! What `trace` shows: what each chunk becomes, and what is left undecided at its end.

mod lines;
mod screen;
mod told;
mod words;

pub(crate) use lines::Lines;
pub(crate) use screen::Screen;
pub(crate) use told::closing;

use std::io;

use patchwire::internals::{LiteralMarker, Seen};
use patchwire::{Error, Event, Parser, held::Held};

use crate::exit::Failure;
use crate::reading::Ended;
use crate::settings::Settings;
use crate::source::{Name, Stream};

/// What is fed at once.
pub(crate) struct Chunk<'a> {
    /// From 1.
    number: usize,
    /// Where it begins in the stream.
    offset: u64,
    bytes: &'a [u8],
}

/// Who is told what happens, in order: of a chunk, then tokens and the events that each became, then
/// what is held.
pub(crate) trait Tracer {
    /// An event on its own, for it comes after the tokens it was made of.
    type Told;

    fn tell(&mut self, event: &Event<'_>) -> Self::Told;

    fn stream(&mut self, name: &Name) -> io::Result<()>;
    fn chunk(&mut self, chunk: &Chunk<'_>) -> io::Result<()>;
    fn token(&mut self, seen: &Seen) -> io::Result<()>;
    fn event(&mut self, told: Self::Told) -> io::Result<()>;
    fn literal(&mut self, marker: &LiteralMarker) -> io::Result<()>;
    fn held(&mut self, held: &[Held]) -> io::Result<()>;
    fn end(&mut self, offset: u64) -> io::Result<()>;
    fn error(&mut self, error: Error) -> io::Result<()>;
    /// All of a chunk was told.
    fn flush(&mut self) -> io::Result<()>;
}

/// Reads a stream to its end, or to the error that ends it. Events are pulled one by one, so that
/// the tokens between them are known.
pub(crate) fn read<T: Tracer>(
    settings: &Settings,
    mut stream: Stream,
    tracer: &mut T,
) -> Result<Ended, Failure> {
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
            let told = parser
                .next_event(&mut rest)
                .map(|event| event.as_ref().map(|event| tracer.tell(event)));
            if !pass_on(told, &mut parser, tracer, &mut failed)? {
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
            let told = parser
                .next_final_event()
                .map(|event| event.as_ref().map(|event| tracer.tell(event)));
            if !pass_on(told, &mut parser, tracer, &mut failed)? {
                break;
            }
        }
    }
    tracer.flush()?;
    let result = failed.map_or_else(|| parser.answer(), Err);
    Ok(Ended::new(stream.name, parser, result))
}

/// Tells of an event, before it of the tokens it was made of, and behind it of the markers in it that
/// are text. Whether there may be more.
fn pass_on<T: Tracer>(
    told: Result<Option<T::Told>, Error>,
    parser: &mut Parser,
    tracer: &mut T,
    failed: &mut Option<Error>,
) -> io::Result<bool> {
    for seen in parser.take_seen() {
        tracer.token(&seen)?;
    }
    match told {
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
