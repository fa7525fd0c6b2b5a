//! An input cut in two, at every position.

use patchwire::{Error, Parser, Spec};

use super::{Found, positions};
use crate::event_log::{Mark, Recorded, Recorder, Run, end, run_whole};

/// At one of so many positions, a clone reads the second half, too.
const CLONED: usize = 3;

/// L1 and L2 of every cut in two: events before the cut begin those of the uncut input, and with the events after
/// it they are equal to those. A clone made at the cut continues like the original.
///
/// # Errors
/// The first position for which that is false.
pub fn halves(spec: &Spec, input: &[u8]) -> Found {
    let whole = run_whole(spec, input);
    positions(input).enumerate().try_for_each(|(number, at)| {
        let is_cloned = number % CLONED == 0;
        halves_at(spec, input.split_at(at), &whole, is_cloned)
            .map_err(|why| format!("cut at {at}: {why}"))
    })
}

fn halves_at(spec: &Spec, (first, second): (&[u8], &[u8]), whole: &Run, is_cloned: bool) -> Found {
    let mut parser = spec.parser();
    let mut recorder = Recorder::default();
    let fed = parser.feed(first, |event| recorder.push(&event));
    begins(recorder.events(), &whole.events)?;
    let clone = is_cloned.then(|| (stray_clone(&parser), recorder.clone()));
    same(whole, &rest((parser, recorder), fed, second))?;
    // The original is dropped by now.
    clone.map_or(Ok(()), |clone| {
        same(whole, &rest(clone, fed, second)).map_err(|why| format!("a clone: {why}"))
    })
}

/// A clone of a clone that continues with another input.
fn stray_clone(parser: &Parser) -> Parser {
    let mut stray = parser.clone();
    let clone = stray.clone();
    // An error is fine: the second clone must not change.
    let _ = stray.feed("\"]}x", |_| {});
    clone
}

/// Reads the second half, unless the first was an error, and finishes.
fn rest(
    (mut parser, mut recorder): (Parser, Recorder),
    fed: Result<(), Error>,
    second: &[u8],
) -> Run {
    let result = fed
        .and_then(|()| parser.feed(second, |event| recorder.push(&event)))
        .and_then(|()| end(&mut parser, &mut recorder));
    Run { events: recorder.into_events(), marks: Vec::new(), fed: Mark::default(), result }
}

fn same(whole: &Run, cut: &Run) -> Found {
    whole.difference(cut).map_or(Ok(()), |found| Err(format!("uncut, {found}")))
}

/// Checks that one list of events begins another. The last event may have grown.
fn begins(short: &[Recorded], long: &[Recorded]) -> Found {
    let Some((last, before)) = short.split_last() else { return Ok(()) };
    let at = before.len();
    if let Some(at) = (0..at).find(|&at| long.get(at) != Some(&before[at])) {
        return Err(format!(
            "event {at} was\n    {}\n  and became\n    {}",
            before[at],
            shown(long, at)
        ));
    }
    if long.get(at).is_some_and(|event| last.begins(event)) {
        return Ok(());
    }
    Err(format!("the last event was\n    {last}\n  and became\n    {}", shown(long, at)))
}

fn shown(events: &[Recorded], at: usize) -> String {
    events.get(at).map_or_else(|| "nothing".to_owned(), ToString::to_string)
}
