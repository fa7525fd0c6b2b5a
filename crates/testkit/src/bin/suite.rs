//! Compares verdicts about values with the official test suite of JSON Schema.
//!
//! ```text
//! cargo run -p testkit --release --bin suite -- FOLDER [--show]
//! ```
//!
//! FOLDER is one of the suite's folders, such as `tests/draft2020-12`. Prints how many verdicts agree, for each
//! keyword and in all; with `--show` every test whose verdict differs. The status is 1 if fewer than 1,250 of
//! the 1,299 required tests of draft 2020-12 agree, or less than that part of another folder.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use testkit::suite::{Comparison, Judged, run};

/// The part of the verdicts that has to agree.
const LEAST: (usize, usize) = (1_250, 1_299);

fn main() -> io::Result<ExitCode> {
    let (mut folder, mut shows) = (None, false);
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--show" => shows = true,
            path => folder = Some(PathBuf::from(path)),
        }
    }
    let mut out = io::stdout().lock();
    let Some(folder) = folder else {
        writeln!(out, "name a folder of the suite, such as tests/draft2020-12")?;
        return Ok(ExitCode::FAILURE);
    };
    let judged = run(&folder)?;
    if shows {
        show(&mut out, &judged)?;
    }
    let mut keywords: BTreeMap<&str, Vec<&Judged>> = BTreeMap::new();
    for test in &judged {
        keywords.entry(&test.keyword).or_default().push(test);
    }
    for (keyword, tests) in &keywords {
        row(&mut out, keyword, tests)?;
    }
    let all: Vec<&Judged> = judged.iter().collect();
    row(&mut out, "all", &all)?;
    let agree = count(&all, Comparison::Agrees);
    let is_enough = !all.is_empty() && agree * LEAST.1 >= all.len() * LEAST.0;
    Ok(if is_enough { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn count(tests: &[&Judged], verdict: Comparison) -> usize {
    tests.iter().filter(|test| test.verdict == verdict).count()
}

fn row(out: &mut impl Write, name: &str, tests: &[&Judged]) -> io::Result<()> {
    let [agree, lax, strict, refused] =
        [Comparison::Agrees, Comparison::TooLax, Comparison::TooStrict, Comparison::Refused]
            .map(|verdict| count(tests, verdict));
    let total = tests.len();
    write!(out, "{name:<24} {agree:>5} of {total:<5} too lax {lax:<4} too strict {strict:<4}")?;
    writeln!(out, " schema refused {refused}")
}

fn show(out: &mut impl Write, judged: &[Judged]) -> io::Result<()> {
    for test in judged.iter().filter(|test| test.verdict != Comparison::Agrees) {
        let emitted = if test.is_emitted { " (with a notice)" } else { "" };
        writeln!(out, "{}: {:?}{emitted}: {}", test.keyword, test.verdict, test.name)?;
    }
    Ok(())
}
