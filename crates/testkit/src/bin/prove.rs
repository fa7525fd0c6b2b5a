//! Proves for whole files that no cutting of them matters, under every way of reading.
//!
//! ```text
//! cargo run -p testkit --release --bin prove -- [--up-to BYTES] [--setup NAME] FILE|FOLDER…
//! ```
//!
//! A `.ndjson` file of cases is read case by case, of recordings stream by stream; any other file is
//! one input. Inputs longer than `--up-to` (2048 if not said) are cut there. The work grows with the
//! square of the length. The status is 1 if any proof fails.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use testkit::pairs::{self, Proof};
use testkit::setups::{self, Setup};

fn main() -> io::Result<ExitCode> {
    let options = Options::read(std::env::args().skip(1));
    let mut out = io::stdout().lock();
    let inputs: Vec<(String, Vec<u8>)> =
        options.paths.iter().flat_map(|path| inputs(path)).collect();
    let mut failed = 0;
    for setup in setups::all() {
        if options.setup.as_deref().is_some_and(|name| name != setup.name) {
            continue;
        }
        let started = Instant::now();
        let mut proof = Proof::default();
        for (name, input) in &inputs {
            let input = &input[..input.len().min(options.up_to)];
            match pairs::prove(&setup.spec, input) {
                Ok(more) => proof = proof.and(more),
                Err(why) => {
                    failed += 1;
                    writeln!(out, "{}: {name}: {why}", setup.name)?;
                }
            }
        }
        report(&mut out, &setup, proof, started)?;
    }
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn report(out: &mut impl Write, setup: &Setup, proof: Proof, started: Instant) -> io::Result<()> {
    let Proof { inputs, bytes, pairs } = proof;
    let seconds = started.elapsed().as_secs_f64();
    writeln!(out, "{}: {inputs} inputs, {bytes} bytes, {pairs} pairs in {seconds:.2} s", setup.name)
}

struct Options {
    up_to: usize,
    setup: Option<String>,
    paths: Vec<PathBuf>,
}

impl Options {
    fn read(mut args: impl Iterator<Item = String>) -> Self {
        let mut options = Self { up_to: 2048, setup: None, paths: Vec::new() };
        while let Some(arg) = args.next() {
            match &*arg {
                "--up-to" => {
                    let number = args.next().and_then(|number| number.parse().ok());
                    options.up_to = number.expect("--up-to takes a number of bytes");
                }
                "--setup" => options.setup = args.next(),
                _ => options.paths.push(arg.into()),
            }
        }
        options
    }
}

/// The inputs of a file or folder, with names.
fn inputs(path: &Path) -> Vec<(String, Vec<u8>)> {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).expect("a folder that can be read");
        let mut paths: Vec<PathBuf> =
            entries.map(|entry| entry.expect("an entry").path()).collect();
        paths.sort();
        return paths.iter().flat_map(|path| inputs(path)).collect();
    }
    let bytes = std::fs::read(path).expect("a file that can be read");
    let whole = || vec![(path.display().to_string(), bytes.clone())];
    if path.extension().is_none_or(|extension| extension != "ndjson") {
        return whole();
    }
    let Ok(text) = core::str::from_utf8(&bytes) else { return whole() };
    text.lines().zip(1..).map(|(line, at)| named(path, at, line)).collect()
}

/// The input that a line of cases or recordings holds.
fn named(path: &Path, at: usize, line: &str) -> (String, Vec<u8>) {
    use testkit::corpus::{Case, Recording};
    let name = format!("{}, line {at}", path.display());
    if let Ok(case) = serde_json::from_str::<Case>(line) {
        return (format!("{name} ({})", case.name), case.bytes());
    }
    match serde_json::from_str::<Recording>(line) {
        Ok(recording) => (name, recording.text().into_bytes()),
        Err(_) => (name, line.as_bytes().to_vec()),
    }
}
