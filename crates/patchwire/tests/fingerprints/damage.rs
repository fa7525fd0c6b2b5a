//! Copies of a text with slips: pieces that are missing, doubled, swapped, cut or foreign. A seed decides which.

pub(super) use super::numbers::Random;

/// Pieces that change how a text is read.
const PIECES: [&str; 84] = [
    "\"",
    "'",
    "`",
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
    "\n",
    "\n\n",
    "\r\n",
    "\r",
    "\t",
    " ",
    "  ",
    "    ",
    "\\",
    "\\n",
    "\\\"",
    "\\u00e9",
    "\\ud83d",
    "\u{a0}",
    "é",
    "“",
    "”",
    "’",
    "«",
    "null",
    "None",
    "true",
    "False",
    "yes",
    "NaN",
    "undefined",
    "0",
    "-",
    "1",
    ".5",
    "e3",
    "1,000",
    "0x1f",
    "//",
    "/*",
    "*/",
    "#",
    "## ",
    "### ",
    "**",
    "_",
    "- ",
    "* ",
    "1. ",
    "> ",
    "|",
    "|\n",
    ">\n",
    "~",
    "!",
    "&a ",
    "*a",
    "&amp;",
    "---\n",
    "===\n",
    "```",
    "```json\n",
    "```\n",
    "~~~\n",
    "<",
    ">",
    "</",
    "/>",
    "<think>",
    "</think>",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
    "title: ",
    "Here is the answer:\n",
];

/// A copy of a text with one to three slips.
pub(super) fn damaged(text: &[u8], random: &mut Random) -> Vec<u8> {
    let mut pieces = pieces(text);
    for _ in 0..=random.below(3) {
        slip(&mut pieces, random);
    }
    pieces.concat()
}

/// The words, the runs of blanks and the other bytes of a text.
pub(super) fn pieces(text: &[u8]) -> Vec<Vec<u8>> {
    let kind = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | 0x80.. => 1,
        b' ' => 2,
        _ => 0,
    };
    let joins = |left: &u8, right: &u8| kind(*left) != 0 && kind(*left) == kind(*right);
    text.chunk_by(joins).map(<[u8]>::to_vec).collect()
}

fn slip(pieces: &mut Vec<Vec<u8>>, random: &mut Random) {
    let at = random.below(pieces.len() + 1);
    let other = random.below(pieces.len() + 1);
    let piece = pieces.get(at).cloned();
    match (random.below(12), piece) {
        (0, _) => pieces.truncate(at),
        (1..=3, Some(_)) => drop(pieces.remove(at)),
        (4, Some(piece)) => pieces.insert(other, piece),
        (5, Some(piece)) => pieces[at] = piece[..random.below(piece.len() + 1)].to_vec(),
        (6, Some(_)) if other < pieces.len() => pieces.swap(at, other),
        (7, Some(_)) => drop(pieces.drain(at.min(other)..at.max(other).min(at.min(other) + 12))),
        (8, Some(_)) => {
            let run = pieces[at.min(other)..at.max(other).min(at.min(other) + 12)].to_vec();
            pieces.splice(at..at, run);
        }
        (9, Some(_)) => pieces[at] = random.pick(&PIECES).as_bytes().to_vec(),
        _ => pieces.insert(at, random.pick(&PIECES).as_bytes().to_vec()),
    }
}
