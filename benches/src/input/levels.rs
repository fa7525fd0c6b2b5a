//! The shape of trees: objects and lists in one another.

use core::fmt::Write as _;

use super::prose::word;
use super::random::Random;

/// Levels of [`nested`].
const MODERATE: usize = 60;
/// Longest a level can be, with its closer.
const LEVEL: usize = 32;

/// Trees sixty levels deep, as many as fit; less deep where not even one fits.
#[must_use]
pub fn nested(bytes: usize) -> String {
    levels(MODERATE.min(bytes / LEVEL - 1), bytes)
}

/// Trees `depth` levels deep in a list: as many as fit, the last one less deep. There is at least
/// one, so that a great depth may exceed the size.
///
/// The bytes are alike at every depth: of three levels two are objects with a string before the
/// next level, and one is a list with a number before it.
#[must_use]
pub fn levels(depth: usize, bytes: usize) -> String {
    let mut random = Random::new(37);
    let mut out = String::with_capacity(bytes + LEVEL);
    out.push('[');
    tower(&mut random, depth, &mut out);
    while out.len() + 2 * LEVEL < bytes {
        out.push_str(", ");
        let fits = (bytes - out.len()) / LEVEL;
        tower(&mut random, depth.min(fits), &mut out);
    }
    out.push(']');
    out
}

fn tower(random: &mut Random, depth: usize, out: &mut String) {
    let mut closers = String::with_capacity(depth);
    for level in 0..depth {
        if level % 3 == 2 {
            let _ = write!(out, "[{}, ", random.below(100));
            closers.push(']');
        } else {
            let _ = write!(out, "{{\"n{}\": \"{}\", \"in\": ", level % 100, word(random));
            closers.push('}');
        }
    }
    out.push_str("null");
    out.extend(closers.chars().rev());
}
