//! Laws about ways of use that must give equal results.

use bytes::Bytes;
use patchwire::{Error, ErrorKind, Event, OwnedEvent, Parser, Spec, wire::IncludeValues};

use super::{Found, random_cuts};
use crate::cuts::Cuts;
use crate::event_log::{Mark, Recorder, Run, Summary, end, run_cut, run_whole};
use crate::pairs::state_difference;
use crate::tree::Tree;

/// L7: after an error every call returns that error, and the value so far stays readable. Without an error,
/// a second `finish` returns an equal answer and emits nothing.
///
/// # Errors
/// The call that violates this.
pub fn latched(spec: &Spec, input: &[u8]) -> Found {
    let mut parser = spec.parser();
    let mut recorder = Recorder::default();
    let result = parser
        .feed(input, |event| recorder.push(&event))
        .and_then(|()| end(&mut parser, &mut recorder));
    match result {
        Ok(summary) => finished(&mut parser, &summary),
        Err(error) => failed(&mut parser, error, input),
    }
}

/// Events owned by a recorder equal events owned one by one.
///
/// # Errors
/// The first event that differs.
pub fn owned(spec: &Spec, input: &[u8]) -> Found {
    [usize::MAX, 1, 3].into_iter().try_for_each(|size| owned_in(spec, input, size))
}

fn owned_in(spec: &Spec, input: &[u8], size: usize) -> Found {
    let (mut parser, mut recorder) = (spec.parser(), patchwire::event::Recorder::default());
    let mut found = Ok(());
    let mut compare = |event: Event<'_>| {
        let (together, alone) = (recorder.own(&event), event.to_owned());
        if found.is_ok() && !same_event(&together, &alone) {
            found = Err(format!("in chunks of {size}: {together} is owned together, not {alone}"));
        }
    };
    // An error ends the stream. Another law compares errors.
    let fed = input.chunks(size).try_for_each(|chunk| parser.feed(chunk, &mut compare));
    let _ = fed.and_then(|()| parser.finish(&mut compare).map(drop));
    found
}

/// Whether two events are equal. Answers have no equality of their own.
fn same_event(one: &OwnedEvent, other: &OwnedEvent) -> bool {
    match (one, other) {
        (OwnedEvent::Final(_), OwnedEvent::Final(_)) => one.to_string() == other.to_string(),
        _ => one == other,
    }
}

fn finished(parser: &mut Parser, summary: &Summary) -> Found {
    let mut emitted = 0;
    let again = parser.finish(|_| emitted += 1).map(|answer| Summary::of(&answer));
    if again.as_ref() != Ok(summary) || emitted > 0 {
        return Err(format!("a second finish tells {emitted} events and gives {again:?}"));
    }
    let fed = parser.feed("{\"more\":1}", |_| emitted += 1);
    if fed.map_err(|error| error.kind) != Err(ErrorKind::Finished) || emitted > 0 {
        return Err(format!("after the end, feed gives {fed:?}"));
    }
    let value = Tree::of(parser.value());
    if value != summary.value {
        return Err(format!("after the end, the value is {value:?}, not {:?}", summary.value));
    }
    match parser.answer() {
        Ok(answer) if Summary::of(&answer) == *summary => Ok(()),
        other => Err(format!("after the end, the answer is {other:?}")),
    }
}

fn failed(parser: &mut Parser, error: Error, input: &[u8]) -> Found {
    if error.offset > input.len() as u64 {
        return Err(format!("an error behind the input: {error}"));
    }
    let value = parser.snapshot();
    let mut emitted = 0;
    let mut rest: &[u8] = b"\"x\":1}";
    let calls = [
        ("feed", parser.feed("{\"a\":1}", |_| emitted += 1).err()),
        ("an empty feed", parser.feed("", |_| emitted += 1).err()),
        ("feed_bytes", parser.feed_bytes(Bytes::from_static(b"}"), |_| emitted += 1).err()),
        ("next_event", parser.next_event(&mut rest).err()),
        ("finish", parser.finish(|_| emitted += 1).err()),
        ("next_final_event", parser.next_final_event().err()),
        ("answer", parser.answer().err()),
    ];
    if let Some((name, other)) = calls.iter().find(|(_, other)| *other != Some(error)) {
        return Err(format!("after {error:?}, {name} gives {other:?}"));
    }
    if emitted > 0 {
        return Err(format!("{emitted} events after {error}"));
    }
    if value != parser.value() {
        return Err(format!("the value changed after {error}"));
    }
    Ok(())
}

/// L8: reading everything after every chunk changes nothing.
///
/// # Errors
/// The first change.
pub fn looking(spec: &Spec, input: &[u8]) -> Found {
    for cuts in [Cuts::bytewise(input.len()), Cuts::every(6, input.len())] {
        let never = run_cut(spec, input, &cuts);
        let always = run_looking(spec, input, &cuts)?;
        if let Some(found) = never.difference(&always) {
            return Err(format!("{cuts}: without looking, {found}"));
        }
    }
    Ok(())
}

fn run_looking(spec: &Spec, input: &[u8], cuts: &Cuts) -> Result<Run, String> {
    let mut parser = spec.parser();
    let mut recorder = Recorder::default();
    let mut wrong = None;
    let mut result = Ok(());
    for chunk in cuts.chunks(input) {
        result = parser.feed(chunk, |event| {
            wrong = wrong.take().or_else(|| look_at_event(&event));
            recorder.push(&event);
        });
        look_at_parser(&parser)?;
        if result.is_err() {
            break;
        }
    }
    let fed = recorder.mark();
    let result = result.and_then(|()| end(&mut parser, &mut recorder));
    look_at_parser(&parser)?;
    match wrong {
        Some(wrong) => Err(wrong),
        None => Ok(Run { events: recorder.into_events(), marks: Vec::new(), fed, result }),
    }
}

/// Reads all data of an event. Its owned form must print an equal line.
fn look_at_event(event: &Event<'_>) -> Option<String> {
    if let Event::Patch(patch) = event {
        let (value, root) = (patch.value.to_value(), patch.root());
        if value != patch.value || root.to_string() != root.to_value().as_ref().to_string() {
            return Some(format!("a copy of a value is another one, at {}", patch.path));
        }
    }
    let borrowed = event.wire(IncludeValues::Leaf).to_string();
    let owned = event.to_owned().to_string();
    (borrowed != owned).then(|| format!("owned it is {owned}, borrowed {borrowed}"))
}

fn look_at_parser(parser: &Parser) -> Found {
    let copy = parser.clone();
    if copy != *parser {
        return Err("a clone is not equal".to_owned());
    }
    if parser.snapshot() != parser.value() {
        return Err("a snapshot is not the value".to_owned());
    }
    let _ = (parser.value().to_string(), parser.max_held(), parser.answer().is_ok());
    Ok(())
}

/// Pulled events equal pushed ones, and lead to the same state.
///
/// # Errors
/// The first difference.
pub fn pulled(spec: &Spec, input: &[u8]) -> Found {
    let sizes = [1, 3, 11, input.len().max(1)];
    for cuts in sizes.map(|size| Cuts::every(size, input.len())) {
        let pushed = run_cut(spec, input, &cuts);
        let (pulled, states) = run_pulled(spec, input, &cuts);
        if let Some(found) = pushed.difference(&pulled) {
            return Err(format!("{cuts}: pushed, {found}"));
        }
        if pushed.result.is_ok() {
            same_states(spec, input, &cuts, &states)?;
        }
    }
    Ok(())
}

fn run_pulled(spec: &Spec, input: &[u8], cuts: &Cuts) -> (Run, Vec<Parser>) {
    let mut parser = spec.parser();
    let mut recorder = Recorder::default();
    let mut states = Vec::new();
    let mut result = Ok(());
    for chunk in cuts.chunks(input) {
        result = pull_chunk(&mut parser, chunk, &mut recorder);
        states.push(parser.clone());
        if result.is_err() {
            break;
        }
    }
    let fed = recorder.mark();
    let result = result.and_then(|()| pull_end(&mut parser, &mut recorder));
    (Run { events: recorder.into_events(), marks: Vec::new(), fed, result }, states)
}

fn pull_chunk(parser: &mut Parser, chunk: &[u8], recorder: &mut Recorder) -> Result<(), Error> {
    let mut rest = chunk;
    while let Some(event) = parser.next_event(&mut rest)? {
        recorder.push(&event);
    }
    Ok(())
}

fn pull_end(parser: &mut Parser, recorder: &mut Recorder) -> Result<Summary, Error> {
    while let Some(event) = parser.next_final_event()? {
        recorder.push(&event);
    }
    parser.answer().map(|answer| Summary::of(&answer))
}

fn same_states(spec: &Spec, input: &[u8], cuts: &Cuts, pulled: &[Parser]) -> Found {
    let mut parser = spec.parser();
    for (at, chunk) in cuts.chunks(input).enumerate() {
        // The run before this one had no error.
        let _ = parser.feed(chunk, |_| {});
        if parser != pulled[at] {
            let found = state_difference(&parser, &pulled[at]);
            return Err(format!("{cuts}: after chunk {at}, pushed or pulled, {found}"));
        }
    }
    Ok(())
}

/// Shared buffers give the events of slices.
///
/// # Errors
/// The first difference.
pub fn bytes(spec: &Spec, input: &[u8]) -> Found {
    let whole = run_whole(spec, input);
    let buffer = Bytes::copy_from_slice(input);
    let sizes = [Cuts::none(), Cuts::bytewise(input.len()), Cuts::every(9, input.len())];
    for cuts in sizes.into_iter().chain(random_cuts(input, 2).map(|(cuts, _)| cuts)) {
        let mut parser = spec.parser();
        let mut recorder = Recorder::default();
        let mut wrong = None;
        let mut feed = |chunk: &[u8]| {
            parser.feed_bytes(buffer.slice_ref(chunk), |event| {
                wrong = wrong.take().or_else(|| look_at_event(&event));
                recorder.push(&event);
            })
        };
        let result = cuts.chunks(&buffer).try_for_each(&mut feed);
        let result = result.and_then(|()| end(&mut parser, &mut recorder));
        let fed =
            Run { events: recorder.into_events(), marks: Vec::new(), fed: Mark::default(), result };
        let found = wrong.or_else(|| whole.difference(&fed));
        if let Some(found) = found {
            return Err(format!("{cuts}, as shared buffers: slices, {found}"));
        }
    }
    Ok(())
}

/// A parser after `reset` equals a new one.
///
/// # Errors
/// The first difference.
pub fn reset(spec: &Spec, input: &[u8]) -> Found {
    let fresh = spec.parser();
    for at in [input.len() / 3, input.len() / 2, input.len()] {
        let mut parser = spec.parser();
        // The reset must clear errors, too.
        let _ = parser.feed(&input[..at], |_| {});
        if at == input.len() {
            let _ = parser.finish(|_| {});
        }
        parser.reset();
        if parser != fresh {
            return Err(format!("reset after {at} bytes it is not as a fresh one"));
        }
    }
    Ok(())
}
