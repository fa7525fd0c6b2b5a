//! The laws, one function each. Each takes a spec and an input and returns a message if the law is broken.

mod settled;
mod shape;
mod ways;

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use patchwire::Spec;

use crate::cuts::{Cuts, Random};
use crate::event_log::{Mark, Recorded, Run, run_cut, run_whole};
use crate::show;

pub use settled::{settled, stays};
pub use shape::{closed, completions, notices, spans, structure, texts, values};
pub use ways::{bytes, clones, latched, looking, owned, pulled, reset};

/// What a law finds: nothing, or what is wrong.
pub type Found = Result<(), String>;

/// One law.
pub type Law = fn(&Spec, &[u8]) -> Found;

/// Every law, by name.
pub const ALL: [(&str, Law); 17] = [
    ("cuts", cuts),
    ("prefix", prefix),
    ("completions", completions),
    ("structure", structure),
    ("values", values),
    ("settled", settled),
    ("spans", spans),
    ("closed", closed),
    ("notices", notices),
    ("texts", texts),
    ("latched", latched),
    ("looking", looking),
    ("pulled", pulled),
    ("clones", clones),
    ("bytes", bytes),
    ("owned", owned),
    ("reset", reset),
];

/// Every law, with an effort that depends on the length of the input.
///
/// # Errors
/// The first law that does not hold.
pub fn all(spec: &Spec, input: &[u8]) -> Found {
    ALL.iter().try_for_each(|(name, law)| {
        law(spec, input).map_err(|why| format!("{name}: input {}\n  {why}", show::input(input)))
    })
}

/// Longest input of which every cut in two is tried.
const EVERY_CUT: usize = 256;
/// Cuts tried of longer inputs.
const SOME_CUTS: usize = 48;

/// L1: cuts do not matter. Every cut in two, byte by byte, chunks of 2, 3, 5 and 16 bytes, and
/// random cuts.
///
/// # Errors
/// The cut that shows otherwise.
pub fn cuts(spec: &Spec, input: &[u8]) -> Found {
    let whole = run_whole(spec, input);
    let sizes = [1, 2, 3, 5, 16].map(|size| Cuts::every(size, input.len()));
    sizes.iter().try_for_each(|cuts| same(spec, input, &whole, cuts))?;
    positions(input)
        .map(|at| Cuts::at([at]))
        .try_for_each(|cuts| same(spec, input, &whole, &cuts))?;
    random_cuts(input, 12).try_for_each(|(cuts, seed)| {
        same(spec, input, &whole, &cuts).map_err(|why| format!("seed {seed}: {why}"))
    })
}

fn same(spec: &Spec, input: &[u8], whole: &Run, cuts: &Cuts) -> Found {
    match whole.difference(&run_cut(spec, input, cuts)) {
        None => Ok(()),
        Some(found) => Err(format!("{cuts}: uncut, {found}")),
    }
}

/// L2: what was told of a prefix begins what is told of the whole.
///
/// # Errors
/// The prefix that shows otherwise.
pub fn prefix(spec: &Spec, input: &[u8]) -> Found {
    let whole = run_whole(spec, input);
    positions(input).try_for_each(|at| {
        let part = run_cut(spec, input, &Cuts::at([at]));
        let mark = part.marks.first().copied().unwrap_or_default();
        let told = run_whole_unfinished(spec, &input[..at]);
        begins(&told, &whole.events).map_err(|why| format!("after the first {at} bytes: {why}"))?;
        if Mark::of(&told) != mark {
            return Err(format!("the first {at} bytes tell less before more bytes than alone"));
        }
        Ok(())
    })
}

fn run_whole_unfinished(spec: &Spec, input: &[u8]) -> Vec<Recorded> {
    let mut recorder = crate::event_log::Recorder::default();
    // An error ends the record; that it is the same however the input is cut is another law.
    let _ = spec.parser().feed(input, |event| recorder.push(&event));
    recorder.into_events()
}

/// Whether these events begin those; the last may have grown.
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

/// The positions to cut at: all, or some of a long input.
fn positions(input: &[u8]) -> Box<dyn Iterator<Item = usize>> {
    let len = input.len();
    if len <= EVERY_CUT {
        return Box::new(0..=len);
    }
    let mut random = Random::new(seed_of(input));
    Box::new((0..SOME_CUTS).map(move |_| random.below(len + 1)))
}

/// Random cuts, and the seed that gives them.
fn random_cuts(input: &[u8], count: usize) -> impl Iterator<Item = (Cuts, u64)> {
    let (len, first) = (input.len(), seed_of(input));
    (0..count).map(move |at| {
        let seed = first.wrapping_add(at as u64);
        let most = [2, 4, 9, 40][at % 4];
        (Cuts::random(len, most, &mut Random::new(seed)), seed)
    })
}

/// Every input has its own seed, the same in every run.
fn seed_of(input: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    hasher.finish()
}
