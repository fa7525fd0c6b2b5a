//! The shape of a long answer: few fields, long strings.

use core::fmt::Write as _;

use super::prose::{prose, word};
use super::random::Random;

/// Longest body of a section, in bytes.
const BODY: usize = 4_000;
/// What a section takes beside its body, at most.
const AROUND_BODY: usize = 250;
/// What the head and the tail take beside their prose.
const AROUND: usize = 140;

/// An object of long strings of prose: a title, a summary, sections in a list, a conclusion.
#[must_use]
pub fn report(bytes: usize) -> String {
    let mut random = Random::new(11);
    let mut out = String::with_capacity(bytes + 1_000);
    let room = bytes.saturating_sub(AROUND);
    out.push_str("{\n  \"title\": \"");
    prose(&mut random, 60, &mut out);
    out.push_str("\",\n  \"written_by\": \"Inés Åkerlund\",\n  \"summary\": \"");
    prose(&mut random, (room / 4).min(BODY / 2), &mut out);
    out.push_str("\",\n  \"sections\": [");
    let mut lead = "\n";
    while out.len() + AROUND_BODY + AROUND < bytes {
        out.push_str(lead);
        lead = ",\n";
        let left = bytes - out.len() - AROUND_BODY - AROUND;
        let wanted = BODY / 4 + random.below(BODY * 3 / 4);
        section(&mut random, wanted.min(left), &mut out);
    }
    out.push_str("\n  ],\n  \"conclusion\": \"");
    let left = bytes.saturating_sub(out.len() + 24);
    prose(&mut random, left, &mut out);
    out.push_str("\",\n  \"final\": true\n}");
    out
}

fn section(random: &mut Random, body: usize, out: &mut String) {
    out.push_str("    {\n      \"heading\": \"");
    prose(random, 40, out);
    out.push_str("\",\n      \"text\": \"");
    prose(random, body, out);
    let (weight, one, other) = (random.below(1000), word(random), word(random));
    let _ = write!(
        out,
        "\",\n      \"weight\": 0.{weight:03},\n      \"keywords\": [\"{one}\", \"{other}\"]\n    }}"
    );
}
