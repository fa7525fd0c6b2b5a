//! The steps of a stream.

use patchwire::{Error, Event, Parser};

use crate::records::Records;
use crate::store;

/// What takes events. The engine compiles its loops anew for each type of it, so there is one.
pub type Take<'a> = dyn FnMut(Event<'_>) + 'a;

/// What a stream reads next.
#[derive(Debug, Clone, Copy)]
pub enum Step<'a> {
    /// A chunk of the answer.
    Chunk(&'a [u8]),
    /// Reasoning that the provider sends in a field of its own.
    Reasoning(&'a [u8]),
}

/// Takes a step.
///
/// # Errors
/// What stops the stream.
#[inline(never)]
pub fn take(parser: &mut Parser, step: Step<'_>, take: &mut Take<'_>) -> Result<(), Error> {
    match step {
        Step::Chunk(chunk) => parser.feed(chunk, take),
        Step::Reasoning(delta) => parser.feed_reasoning(delta, take),
    }
}

/// Reads a chunk from the input, whose events become records. False if there is no such parser.
#[must_use]
pub fn feed(parser: u32, len: usize) -> bool {
    store::with_input(len, |chunk| pass(parser, Step::Chunk(chunk)))
}

/// Reads reasoning from the input, like [`feed`].
#[must_use]
pub fn feed_reasoning(parser: u32, len: usize) -> bool {
    store::with_input(len, |delta| pass(parser, Step::Reasoning(delta)))
}

fn pass(parser: u32, step: Step<'_>) -> bool {
    store::with_stream(parser, |stream| record(stream, |parser, events| take(parser, step, events)))
        .is_some()
}

/// Keeps the events of some work as records, and the error that ends it.
pub fn record(
    stream: &mut store::Stream,
    work: impl FnOnce(&mut Parser, &mut Take<'_>) -> Result<(), Error>,
) {
    let store::Stream { parser, recorder } = stream;
    store::answer(|out: &mut Records| {
        if let Err(error) = work(parser, &mut |event| recorder.record(&event, out)) {
            out.error(&error);
        }
    });
}
