//! Texts made of two texts, with slips: what stands in one comes to stand in the other.

use super::damage::{Random, damaged, pieces};

/// A text of pieces of both, damaged or not.
pub(super) fn spliced(text: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let (own, foreign) = (pieces(text), pieces(other));
    let at = random.below(own.len() + 1);
    let from = random.below(foreign.len() + 1);
    let most = foreign.len() - from;
    let text = match random.below(6) {
        // The beginning of one and the end of the other.
        0 => [&own[..at], &foreign[from..]].concat().concat(),
        // A run of the other, as long as a field or as long as a word.
        1 | 2 => {
            let run = &foreign[from..from + most.min(1 + random.below(24))];
            [&own[..at], run, &own[at..]].concat().concat()
        }
        3 => {
            let run = &foreign[from..from + most.min(1 + random.below(5))];
            let behind = own.len().min(at + random.below(6));
            [&own[..at], run, &own[behind..]].concat().concat()
        }
        // One behind the other.
        4 => {
            let between: [&[u8]; 5] = [b"\n", b"\n\n", b" ", b"\nOr better:\n", b""];
            [text, random.pick(&between), other].concat()
        }
        _ => text.to_vec(),
    };
    if random.below(3) == 0 { text } else { damaged(&text, random) }
}
