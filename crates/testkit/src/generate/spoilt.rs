//! Randomly spoilt documents. They have no expected value, but every law must hold.

use super::Rng;
use super::json::{self, JsonShape};

/// Pieces to insert, with every byte that a rule of lenient reading depends on.
const BITS: [&str; 60] = [
    "\"",
    "'",
    "`",
    "“",
    "”",
    "‘",
    "＂",
    "\\",
    "\\\"",
    "\\u",
    "\\ud83d",
    "\\ude00",
    "{",
    "}",
    "[",
    "]",
    "(",
    ")",
    ",",
    ":",
    ";",
    "=",
    "+",
    "-",
    ".",
    "0",
    "0x",
    "1",
    "e",
    "t",
    "true",
    "null",
    "None",
    "NaN",
    " ",
    "\n",
    "\n\n",
    "\t",
    "\u{0}",
    "//",
    "/*",
    "*/",
    "/",
    "#",
    "```",
    "\n```\n",
    "```json\n",
    "~~~",
    "\"\"\"",
    "'''",
    "é",
    "...",
    "…",
    "\u{a0}",
    "\u{3000}",
    "😀",
    "<think>",
    "</think>",
    "\u{feff}",
    "{\"a\":",
];

/// A document with a few random changes, some of which are not UTF-8.
pub fn document(rng: &mut Rng) -> Vec<u8> {
    let shape = JsonShape { depth: 2, width: 3, blanks: 4, repeats: 6 };
    let bytes = json::container(rng, shape).into_bytes();
    spoil(rng, bytes)
}

/// Makes a few random changes to a text, some of which are not UTF-8.
pub fn spoil(rng: &mut Rng, mut bytes: Vec<u8>) -> Vec<u8> {
    for _ in 0..1 + rng.below(4) {
        let at = rng.below(bytes.len() + 1);
        let end = bytes.len().min(at + rng.below(4));
        let bit: &[u8] = match rng.below(24) {
            0 => b"\xff",
            1 => b"\xe2\x80",
            2..5 => b"",
            _ => rng.pick(&BITS).as_bytes(),
        };
        let end = if rng.once_in(2) { at } else { end };
        bytes.splice(at..end, bit.iter().copied());
    }
    bytes
}
