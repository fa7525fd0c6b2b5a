//! The laws, one function each. Each takes a spec and an input and returns a message if the law is broken.

mod halves;
mod settled;
mod shape;
mod ways;

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use patchwire::Spec;

use crate::cuts::{Cuts, Random};
use crate::event_log::{Run, run_cut, run_whole};
use crate::show;

pub use halves::halves;
pub use settled::{settled, stays};
pub use shape::{closed, completions, notices, spans, structure, texts, values};
pub use ways::{bytes, latched, looking, owned, pulled, reset};

/// The result of a law: nothing, or a description of the violation.
pub type Found = Result<(), String>;

/// A law.
pub type Law = fn(&Spec, &[u8]) -> Found;

/// All laws, by name.
pub const ALL: [(&str, Law); 16] = [
    ("cuts", cuts),
    ("halves", halves),
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
    ("bytes", bytes),
    ("owned", owned),
    ("reset", reset),
];

/// Checks every law, with an effort that depends on the length of the input.
///
/// # Errors
/// The first violation.
pub fn all(spec: &Spec, input: &[u8]) -> Found {
    ALL.iter().try_for_each(|(name, law)| {
        law(spec, input).map_err(|why| format!("{name}: input {}\n  {why}", show::input(input)))
    })
}

/// The longest input that is cut in two at every position.
const EVERY_CUT: usize = 256;
/// The number of cuts of longer inputs.
const SOME_CUTS: usize = 48;

/// L1: cuts do not matter. Checks chunks of 1, 2, 3, 5 and 16 bytes and random cuts; [`halves()`] checks cuts in two.
///
/// # Errors
/// The first cut that changes events.
pub fn cuts(spec: &Spec, input: &[u8]) -> Found {
    let whole = run_whole(spec, input);
    let sizes = [1, 2, 3, 5, 16].map(|size| Cuts::every(size, input.len()));
    sizes.iter().try_for_each(|cuts| same(spec, input, &whole, cuts))?;
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

/// The positions to cut at: all of them, or some of a long input's.
fn positions(input: &[u8]) -> Box<dyn Iterator<Item = usize>> {
    let len = input.len();
    if len <= EVERY_CUT {
        return Box::new(0..=len);
    }
    let mut random = Random::new(seed_of(input));
    Box::new((0..SOME_CUTS).map(move |_| random.below(len + 1)))
}

/// Random cuts, and the seed of each.
fn random_cuts(input: &[u8], count: usize) -> impl Iterator<Item = (Cuts, u64)> {
    let (len, first) = (input.len(), seed_of(input));
    (0..count).map(move |at| {
        let seed = first.wrapping_add(at as u64);
        let most = [2, 4, 9, 40][at % 4];
        (Cuts::random(len, most, &mut Random::new(seed)), seed)
    })
}

/// The seed of an input, equal in every run.
fn seed_of(input: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    hasher.finish()
}
