//! An answer in Markdown, as models write it: paragraphs, lists, code spans, and a `<` now and then.

use super::prose::word;
use super::random::Random;

/// So many bytes of it.
#[must_use]
pub fn answer(bytes: usize) -> String {
    let mut random = Random::new(7);
    let mut out = String::with_capacity(bytes + 128);
    while out.len() < bytes {
        match random.below(9) {
            0 => out.push_str("\n\n"),
            1 => out.push_str("\n- **"),
            2 => out.push_str("** and `"),
            3 => out.push_str("vec<T>` "),
            4 => out.push_str("a < b, "),
            _ => {}
        }
        for _ in 0..8 {
            out.push_str(word(&mut random));
            out.push(' ');
        }
    }
    out.truncate(bytes);
    out
}
