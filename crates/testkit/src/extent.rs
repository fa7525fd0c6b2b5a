//! How much the tests check. `cargo test` takes a sample that is the same in each run; with
//! `PATCHWIRE_TESTS=whole` in the environment everything is checked, which takes about ten times as long.

use crate::reading_modes::{self, ReadingMode};

/// The number of inputs at which a walk of the sample ends. A walk goes by length, so the shortest inputs are
/// all visited.
const WALKED: usize = 400;
/// The share of the modes in which the sample checks one input.
const SHARE: usize = 5;

/// Whether everything is checked.
#[must_use]
pub fn is_whole() -> bool {
    std::env::var_os("PATCHWIRE_TESTS").is_some_and(|extent| extent == "whole")
}

/// The number of inputs at which an eager walk ends.
#[must_use]
pub fn walked() -> usize {
    if is_whole() { usize::MAX } else { WALKED }
}

/// A number of generated inputs: all of them, or a fifth.
#[must_use]
pub fn inputs(all: u64) -> u64 {
    if is_whole() { all } else { all.div_ceil(SHARE as u64) }
}

/// The modes in which the input of this number is checked. The sample has the mode of most callers and a fifth
/// of the others, so that five neighbours together are checked in all of them.
pub fn modes(all: &[ReadingMode], input: usize) -> impl Iterator<Item = &ReadingMode> {
    let whole = is_whole();
    let usual = reading_modes::lenient().name;
    let wanted = move |at: usize, mode: &ReadingMode| {
        whole || mode.name == usual || at % SHARE == input % SHARE
    };
    all.iter().enumerate().filter(move |(at, mode)| wanted(*at, mode)).map(|(_, mode)| mode)
}
