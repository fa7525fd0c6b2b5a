//! L4: decided bytes are emitted at once.
//!
//! After each feed, the emitted text must be the longest common prefix of the results of all continuations.
//! There are infinitely many; a few dozen *witnesses* represent them. The end of the input is one of them.
//! If, for all witnesses, the next emission is one and the same byte of an open string, of reasoning or of
//! text, or the same act of a marker, then nothing was undecided and the emission was late.

mod fields;
mod tags;
mod walk;
mod witnesses;

use patchwire::{Event, PatchOp, Spec};

use crate::event_log::{Recorded, Run, run_whole};

pub use fields::check_xml_field;
pub use tags::{TinySet, check_tags};
use witnesses::{SECTION_WITNESSES, WITNESSES, XML_WITNESSES, YAML_WITNESSES};

/// The inputs to explore: all sequences of some symbols.
#[derive(Debug, Clone, Copy)]
pub struct Alphabet<'a> {
    /// The beginning of every input.
    pub start: &'a str,
    /// The symbols; at most seven.
    pub symbols: &'a [&'a str],
    /// The most bytes after the beginning.
    pub most: usize,
}

/// The extent of an exploration.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Explored {
    /// The number of inputs that were checked.
    pub inputs: usize,
    /// The number of states. Inputs that no witness distinguishes have one state.
    pub states: usize,
    /// The most bytes that were held as a possible marker.
    pub held: usize,
}

/// Checks all inputs over an alphabet. If all witnesses give equal results after several inputs, only one
/// of them is continued.
///
/// # Errors
/// The input after which a byte was late.
pub fn check(spec: &Spec, alphabet: Alphabet<'_>) -> Result<Explored, String> {
    check_by(spec, alphabet, &WITNESSES, None)
}

/// Checks the eagerness of a body with tags in it.
///
/// # Errors
/// As [`check`].
pub fn check_xml(spec: &Spec, alphabet: Alphabet<'_>) -> Result<Explored, String> {
    check_by(spec, alphabet, &XML_WITNESSES, None)
}

/// Checks the eagerness of a YAML document, after each character of a symbol.
///
/// # Errors
/// As [`check`].
pub fn check_yaml(spec: &Spec, alphabet: Alphabet<'_>) -> Result<Explored, String> {
    check_by(spec, alphabet, &YAML_WITNESSES, Some(&|_, _| Ok(())))
}

/// Checks the eagerness of sections under headers, after each character of a symbol.
///
/// # Errors
/// As [`check`].
pub fn check_sections(spec: &Spec, alphabet: Alphabet<'_>) -> Result<Explored, String> {
    check_by(spec, alphabet, &SECTION_WITNESSES, Some(&|_, _| Ok(())))
}

fn check_by(
    spec: &Spec,
    alphabet: Alphabet<'_>,
    witnesses: &[&[u8]],
    judge: Option<&walk::Judge<'_>>,
) -> Result<Explored, String> {
    let witnesses: Vec<_> = witnesses.iter().map(|witness| witness.to_vec()).collect();
    // Eagerness is a law of the stream. The search at the end would take most of the time.
    walk::walk(&spec.without_repair(), alphabet, &witnesses, judge)
}

/// Checks that plain text is never held back. A letter or digit must be emitted by its own feed if the byte
/// before it was, or if it follows the opening of a string that was.
///
/// `n` is left out: it begins a marker of [`reading_modes::tiny_tags`](crate::reading_modes::tiny_tags).
///
/// # Errors
/// The byte that was held back.
pub fn prompt(spec: &Spec, input: &[u8]) -> Result<(), String> {
    let mut parser = spec.parser();
    let run = run_whole(spec, input);
    let mut in_text = false;
    for (at, byte) in input.iter().enumerate() {
        let mut given = false;
        let result = parser.feed([*byte], |event| given = is_growing(&event, at as u64 + 1));
        if result.is_err() {
            return Ok(());
        }
        let plain = byte.is_ascii_alphanumeric() && !byte.eq_ignore_ascii_case(&b'n');
        if in_text && plain && !given && brings_text(&run, at as u64) {
            return Err(format!("byte {at}, {:?}, waits", char::from(*byte)));
        }
        in_text = given;
    }
    Ok(())
}

/// Whether the byte turns out to be text, and not the beginning of something else.
fn brings_text(run: &Run, at: u64) -> bool {
    let holds =
        |event: &&Recorded| event.span().is_some_and(|span| span.start <= at && at < span.end);
    run.events.iter().find(holds).is_some_and(|event| !event.text().is_empty())
}

/// Whether the event has text up to `end`, or opens a string there.
fn is_growing(event: &Event<'_>, end: u64) -> bool {
    let growing = match event {
        Event::Patch(patch) => {
            patch.op == PatchOp::Delta
                || patch.op == PatchOp::Open && patch.value.as_str().is_some()
        }
        Event::Text(_) | Event::Reasoning(_) => true,
        _ => false,
    };
    growing && event.span().is_some_and(|span| span.end == end)
}
