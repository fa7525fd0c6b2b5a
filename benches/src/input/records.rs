//! The shape of extracted data: many members, little in each.

use super::prose::word;
use super::random::Random;

/// Longest a record can be.
const RECORD: usize = 170;

/// A list of small objects with integers, decimals, bools, nulls and short strings.
#[must_use]
pub fn records(bytes: usize) -> String {
    let mut random = Random::new(23);
    let mut out = String::with_capacity(bytes + RECORD);
    out.push('[');
    let mut number = 20_000;
    let mut lead = "\n";
    loop {
        out.push_str(lead);
        lead = ",\n";
        number += 1;
        out.push_str(&record(&mut random, number));
        if out.len() + RECORD > bytes {
            break;
        }
    }
    out.push_str("\n]");
    out
}

fn record(random: &mut Random, number: usize) -> String {
    let bools = ["true", "false"];
    let site = format!("{} {}", word(random), word(random));
    let parent =
        if random.chance(330) { "null".to_owned() } else { random.below(100_000).to_string() };
    format!(
        "  {{\"id\": {number}, \"site\": \"{site}\", \"floor\": {}, \"load\": {}.{:02}, \
         \"open\": {}, \"checked\": {}, \"parent\": {parent}, \"drift\": -{}}}",
        random.below(80),
        random.below(100),
        random.below(100),
        random.pick(&bools),
        random.pick(&bools),
        random.below(1_000),
    )
}
