//! L4: what can be given out is given out.
//!
//! After each feed the text given out is the longest common prefix of what all continuations would
//! give. There are endlessly many of those; a few dozen *witnesses* stand for them. If whatever
//! witness follows, the end of the input included, the next thing told is the same byte of a string,
//! of reasoning or of text that has begun, or the same doing of a marker, then nothing was left to
//! decide, and it was late.

mod fields;
mod tags;
mod walk;
mod witnesses;

use patchwire::{Event, PatchOp, Spec};

use crate::event_log::{Recorded, Run, run_whole};

pub use fields::check_xml_field;
pub use tags::{TinySet, check_tags};
use witnesses::{SECTION_WITNESSES, WITNESSES, XML_WITNESSES, YAML_WITNESSES};

/// What to explore: all inputs made of some symbols.
#[derive(Debug, Clone, Copy)]
pub struct Alphabet<'a> {
    /// What every input begins with.
    pub start: &'a str,
    /// At most seven.
    pub symbols: &'a [&'a str],
    /// Most bytes after the start.
    pub most: usize,
}

/// How much was explored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Explored {
    /// Inputs that were looked at.
    pub inputs: usize,
    /// Those that no witness tells apart counted once.
    pub states: usize,
    /// Most bytes that were held because they might be a marker.
    pub held: usize,
}

/// Checks all inputs of an alphabet. Inputs after which all witnesses tell the same are followed
/// once.
///
/// # Errors
/// The input after which a byte was late.
pub fn check(spec: &Spec, alphabet: Alphabet<'_>) -> Result<Explored, String> {
    check_by(spec, alphabet, &WITNESSES, None)
}

/// Checks eagerness of a body with tags in it.
///
/// # Errors
/// As [`check`].
pub fn check_xml(spec: &Spec, alphabet: Alphabet<'_>) -> Result<Explored, String> {
    check_by(spec, alphabet, &XML_WITNESSES, None)
}

/// Checks eagerness of a YAML document after each character of a symbol.
///
/// # Errors
/// As [`check`].
pub fn check_yaml(spec: &Spec, alphabet: Alphabet<'_>) -> Result<Explored, String> {
    check_by(spec, alphabet, &YAML_WITNESSES, Some(&|_, _| Ok(())))
}

/// Checks eagerness of sections under headers after each character of a symbol.
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
    walk::walk(spec, alphabet, &witnesses, judge)
}

/// Plain text never waits: a letter or digit right behind a byte that was given out with its own
/// feed, or behind the opening of a string that was, is given out with its own feed too.
///
/// `n` is left out: it begins a marker of [`reading_modes::tiny_tags`](crate::reading_modes::tiny_tags).
///
/// # Errors
/// The byte that waited.
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

/// Whether the byte is text in the end, and not the beginning of something else.
fn brings_text(run: &Run, at: u64) -> bool {
    let holds =
        |event: &&Recorded| event.span().is_some_and(|span| span.start <= at && at < span.end);
    run.events.iter().find(holds).is_some_and(|event| !event.text().is_empty())
}

/// Whether the event brings text up to `end`, or opens a string there.
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
