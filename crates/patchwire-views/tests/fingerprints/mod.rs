//! No change goes unseen: what the views make of answers that a seed writes, as numbers. `crates/patchwire/tests/fingerprints`
//! says what the numbers mean, and how a change that is meant writes them again.

mod diagrams;
mod history;
mod kinds;
#[path = "../../../patchwire/tests/fingerprints/numbers.rs"]
mod numbers;

use patchwire::{Answer, Spec};

use numbers::{Random, compare_seeded};

/// Compares so many lines of ten numbers, each for three views.
fn compare(file: &str, lines: u64, view: impl Fn(&mut Random) -> String) {
    compare_seeded(["viewed", file], [lines, 10], |random| {
        (0..3).map(|_| view(random)).collect::<Vec<_>>().join("\n")
    });
}

/// Pieces of a text, one after another.
fn joined(pieces: &[&str], most: usize, random: &mut Random) -> String {
    (0..random.below(most)).map(|_| random.pick(pieces)).collect()
}

/// The answer to a text, of which a part may be missing at the end, and reasoning may come apart.
fn answer(spec: &Spec, text: &str, random: &mut Random) -> Answer {
    let mut end = text.len();
    if random.below(3) == 0 {
        end = random.below(text.len() + 1);
    }
    let end = (0..=end).rev().find(|end| text.is_char_boundary(*end)).unwrap_or_default();
    let mut parser = spec.parser();
    if random.below(8) == 0 {
        parser.feed_reasoning("Apart.\n```mermaid\npie\n", |_| {}).unwrap();
    }
    parser.feed(&text[..end], |_| {}).unwrap();
    if random.below(8) == 0 {
        parser.feed_reasoning("A: b\n```\n", |_| {}).unwrap();
    }
    parser.finish(|_| {}).unwrap()
}

#[test]
fn contracts() {
    compare("contracts", 30, kinds::contract);
}

#[test]
fn replies() {
    compare("replies", 80, kinds::reply);
}

#[test]
fn replies_of_other_specs() {
    compare("other specs", 40, kinds::reply_of_another_spec);
}

#[test]
fn verdicts() {
    compare("verdicts", 20, kinds::verdict);
}

#[test]
fn mermaid() {
    compare("mermaid", 80, diagrams::found);
}

#[test]
fn kinds_of_diagrams() {
    compare("diagram kinds", 30, diagrams::kind);
}

#[test]
fn markdown() {
    compare("markdown", 80, history::markdown);
}

#[test]
fn parts() {
    compare("parts", 60, history::parts);
}

#[test]
fn live() {
    compare("live", 30, history::live);
}
