//! One reading, and what it allocated.

use allocation_counter::AllocationInfo;
use patchwire::{Answer, Error, Event, Spec};

/// The allocations of a reading, including building and dropping the parser.
pub(crate) struct Cost {
    pub(crate) info: AllocationInfo,
    pub(crate) events: u64,
    pub(crate) outcome: Result<(), Error>,
}

/// Reads an input in chunks of this size and drops everything.
pub(crate) fn cost(spec: &Spec, input: &[u8], chunk: usize) -> Cost {
    let (mut events, mut outcome) = (0, Ok(()));
    let info = allocation_counter::measure(|| {
        outcome = read(spec, input, chunk, |_| events += 1).map(drop);
    });
    Cost { info, events, outcome }
}

/// Reads an input in chunks of this size.
pub(crate) fn read(
    spec: &Spec,
    input: &[u8],
    chunk: usize,
    mut on_event: impl FnMut(&Event<'_>),
) -> Result<Answer, Error> {
    let mut parser = spec.parser();
    for chunk in input.chunks(chunk) {
        parser.feed(chunk, |event| on_event(&event))?;
    }
    parser.finish(|event| on_event(&event))
}
