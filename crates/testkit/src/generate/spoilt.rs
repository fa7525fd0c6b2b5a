//! Documents spoilt at random: no value is promised, but every law is.

use super::Rng;
use super::json::{self, JsonShape};

/// What is put in or put in place of something: every byte a rule of lenient reading looks at.
const BITS: [&str; 56] = [
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
    "😀",
    "<think>",
    "</think>",
    "\u{feff}",
    "{\"a\":",
];

/// A document with a few random changes, now and then with bytes that are not UTF-8.
pub fn document(rng: &mut Rng) -> Vec<u8> {
    let shape = JsonShape { depth: 2, width: 3, blanks: 4, repeats: 6 };
    let bytes = json::container(rng, shape).into_bytes();
    spoil(rng, bytes)
}

/// A text with a few random changes, now and then with bytes that are not UTF-8.
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
