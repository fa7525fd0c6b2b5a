//! Many whole answers at once: one spec for all threads, one parser for each.
//!
//! `cargo run -p patchwire --example batch`
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::thread;

use patchwire::schema::{Schema, int, str};
use patchwire::{Outcome, Spec};

const OUTPUTS: [&str; 6] = [
    "{\"title\": \"One\", \"score\": 1}",
    "Sure!\n```json\n{\"title\": \"Two\", \"score\": 2}\n```",
    "{'title': 'Three', score: 3,}",
    "{\"title\": \"Four\", \"sco",
    "<think>{\"title\": \"no\"}</think>{\"title\": \"Five\", \"score\": 5}",
    "I cannot answer that.",
];

/// How many answers ended how.
#[derive(Debug, Default)]
struct Counts {
    complete: usize,
    repaired: usize,
    truncated: usize,
    other: usize,
    /// Those that are a [`Row`].
    typed: usize,
}

#[derive(Debug, serde::Deserialize)]
struct Row {
    #[expect(dead_code, reason = "only counted")]
    title: String,
    #[expect(dead_code, reason = "only counted")]
    score: u64,
}

fn count(spec: &Spec, outputs: &[&str]) -> Counts {
    let mut counts = Counts::default();
    for output in outputs {
        let Ok(answer) = spec.parse(output) else {
            counts.other += 1;
            continue;
        };
        match answer.outcome() {
            Outcome::Complete => counts.complete += 1,
            Outcome::Repaired => counts.repaired += 1,
            Outcome::Truncated => counts.truncated += 1,
            _ => counts.other += 1,
        }
        counts.typed += usize::from(answer.data::<Row>().is_ok());
    }
    counts
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let schema =
        Schema::object().field("title", str("one line").required()).field("score", int(""));
    let spec = Spec::builder().schema(schema).build()?;
    let halves = OUTPUTS.split_at(OUTPUTS.len() / 2);
    thread::scope(|scope| {
        // Cloning a spec copies a pointer; borrowing one does as well.
        let first = scope.spawn(|| count(&spec, halves.0));
        println!("second half: {:?}", count(&spec, halves.1));
        println!("first half:  {:?}", first.join().unwrap_or_default());
    });
    Ok(())
}
