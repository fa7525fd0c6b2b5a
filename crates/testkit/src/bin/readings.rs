//! Compares the search for the cheapest reading with an oracle that tries all readings, until stopped.
//!
//! ```text
//! cargo run -p testkit --release --bin readings -- [--seed N] [--seconds N]
//! ```
//!
//! The texts are short and depend on the seed alone (default 1); the program ends after a number of seconds (60).
//! It counts texts with too many readings for the oracle, and texts of which the search dropped the cheapest
//! reading. The status is 1 if more than one text in fifty is of the second kind, or if a final value replaced a
//! streamed one that costs about as little.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use patchwire::internals::Explorer;
use testkit::all_readings::{ALPHABETS, cheapest, text, wrong_replacement};
use testkit::generate::Rng;

/// The longest text has one more character.
const LONGEST: usize = 9;
/// Of so many texts the search may drop the cheapest reading of one.
const PRUNED_ONE_IN: usize = 50;

#[derive(Default)]
struct Row {
    texts: usize,
    too_many: usize,
    pruned: Vec<String>,
    wrong: Vec<String>,
}

fn main() -> io::Result<ExitCode> {
    let mut out = io::stdout().lock();
    let Some((seed, time)) = options(std::env::args().skip(1)) else {
        writeln!(out, "options: --seed N, --seconds N")?;
        return Ok(ExitCode::from(2));
    };
    let (mut rng, started) = (Rng::new(seed), Instant::now());
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    while started.elapsed() < time {
        for alphabet in ALPHABETS {
            rows.entry(alphabet).or_default().add(text(&mut rng, alphabet, LONGEST));
        }
    }
    let (mut is_fine, mut texts, mut pruned) = (true, 0, 0);
    writeln!(
        out,
        "{:<12} {:>9} {:>9} {:>7} {:>6}",
        "alphabet", "texts", "too many", "dropped", "wrong"
    )?;
    for (alphabet, row) in &rows {
        let (dropped, wrong) = (row.pruned.len(), row.wrong.len());
        let name = format!("{alphabet:?}");
        writeln!(out, "{name:<12} {:>9} {:>9} {dropped:>7} {wrong:>6}", row.texts, row.too_many)?;
        for line in row.wrong.iter().chain(&row.pruned).take(5) {
            writeln!(out, "    {line}")?;
        }
        is_fine &= wrong == 0;
        (texts, pruned) = (texts + row.texts, pruned + dropped);
    }
    is_fine &= pruned <= texts / PRUNED_ONE_IN;
    Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

impl Row {
    fn add(&mut self, text: String) {
        self.texts += 1;
        self.wrong.extend(wrong_replacement(&text));
        match (cheapest(&text), Explorer::found(&text)) {
            (None, _) => self.too_many += 1,
            (Some(cost), found) if cost != found => {
                self.pruned.push(format!("{text:?}: {cost:?}, found {found:?}"));
            }
            _ => {}
        }
    }
}

fn options(mut args: impl Iterator<Item = String>) -> Option<(u64, Duration)> {
    let (mut seed, mut time) = (1, Duration::from_secs(60));
    while let Some(name) = args.next() {
        let number = args.next()?.parse().ok()?;
        match &*name {
            "--seed" => seed = number,
            "--seconds" => time = Duration::from_secs(number),
            _ => return None,
        }
    }
    Some((seed, time))
}
