//! Compares the search for the cheapest reading with an oracle that tries all readings, until stopped.
//!
//! ```text
//! cargo run -p testkit --release --bin readings -- [--seed N] [--seconds N]
//! ```
//!
//! The texts are short and depend on the seed alone (default 1); the program ends after a number of seconds (60).
//! It counts texts with too many readings for the oracle, values that another rule corrected, roots that are never
//! searched although a cheaper reading exists, texts of which the search dropped the reading that decides, and final
//! values that are wrong by the rule. The status is 1 if one is wrong, if more than one text in fifty lost a reading,
//! or if more than one in twenty was not searched.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use testkit::all_readings::{ALPHABETS, FinalVerdict, text, verdict};
use testkit::generate::Rng;

/// The longest text has one more character.
const LONGEST: usize = 9;
/// Of so many texts the search may drop the reading that decides in one.
const DROPPED_ONE_IN: usize = 50;
/// Of so many texts one may be of a kind that is not searched, and have a cheaper reading.
const NOT_SEARCHED_ONE_IN: usize = 20;
/// Lines of each kind that are printed for an alphabet.
const SHOWN: usize = 3;

#[derive(Default)]
struct Row {
    texts: usize,
    too_many: usize,
    other_rule: usize,
    not_searched: Vec<String>,
    dropped: Vec<String>,
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
            rows.entry(alphabet).or_default().add(&text(&mut rng, alphabet, LONGEST));
        }
    }
    print(&mut out, &rows)?;
    let count = |of: fn(&Row) -> usize| rows.values().map(of).sum::<usize>();
    let texts = count(|row| row.texts);
    let is_fine = count(|row| row.wrong.len()) == 0
        && count(|row| row.dropped.len()) <= texts / DROPPED_ONE_IN
        && count(|row| row.not_searched.len()) <= texts / NOT_SEARCHED_ONE_IN;
    Ok(if is_fine { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print(out: &mut impl Write, rows: &BTreeMap<&str, Row>) -> io::Result<()> {
    const NAMES: [&str; 6] =
        ["texts", "too many", "other rule", "not searched", "dropped", "wrong"];
    write!(out, "{:<12}", "alphabet")?;
    NAMES.iter().try_for_each(|name| write!(out, " {name:>12}"))?;
    writeln!(out)?;
    for (alphabet, row) in rows {
        let lines = [&row.not_searched, &row.dropped, &row.wrong];
        let counts = [row.texts, row.too_many, row.other_rule];
        write!(out, "{:<12}", format!("{alphabet:?}"))?;
        for count in counts.into_iter().chain(lines.map(Vec::len)) {
            write!(out, " {count:>12}")?;
        }
        writeln!(out)?;
        for (name, line) in NAMES[3..]
            .iter()
            .zip(lines)
            .flat_map(|(name, lines)| lines.iter().take(SHOWN).map(move |line| (name, line)))
        {
            writeln!(out, "    {name}: {line}")?;
        }
    }
    Ok(())
}

impl Row {
    fn add(&mut self, text: &str) {
        self.texts += 1;
        match verdict(text) {
            FinalVerdict::Right => {}
            FinalVerdict::TooMany => self.too_many += 1,
            FinalVerdict::OtherRule => self.other_rule += 1,
            FinalVerdict::NotSearched(line) => self.not_searched.push(line),
            FinalVerdict::Dropped(line) => self.dropped.push(line),
            FinalVerdict::Wrong(line) => self.wrong.push(line),
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
