//! The steps of a stream. The engine compiles its loops anew for each closure that takes events, so there is one.

use patchwire::{Error, Event, Parser};

/// What a stream reads next.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Step<'a> {
    Chunk(&'a [u8]),
    Reasoning(&'a [u8]),
    End,
}

/// Takes a step.
#[inline(never)]
pub(crate) fn take(
    parser: &mut Parser,
    step: Step<'_>,
    take: &mut dyn FnMut(Event<'_>),
) -> Result<(), Error> {
    // One closure for all three.
    let sink = |event: Event<'_>| take(event);
    match step {
        Step::Chunk(chunk) => parser.feed(chunk, sink),
        Step::Reasoning(delta) => parser.feed_reasoning(delta, sink),
        Step::End => parser.finish(sink).map(|_| ()),
    }
}
