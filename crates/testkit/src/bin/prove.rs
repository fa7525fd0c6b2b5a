//! Proves for whole files that cuts do not matter, in every reading mode.
//!
//! ```text
//! cargo run -p testkit --release --bin prove -- [--up-to BYTES] [--setup NAME] FILE|FOLDER…
//! ```
//!
//! A `.ndjson` file of cases is read case by case, a file of recordings stream by stream; any other file is
//! one input. Cases of `corpus/tags`, `corpus/xml` and `corpus/formats` name their reading modes and are
//! proven in those alone (`own`; cases of formats with their schema and without one). With `--setup`, every
//! input is read in that mode. Inputs longer than `--up-to` (default 2048) are cut off there. The work
//! grows with the square of the length. The status is 1 if a proof fails, and 101 if there is nothing to prove.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use patchwire::TagSet;
use testkit::corpus::{Case, Recording};
use testkit::oracle::fields::table;
use testkit::oracle::tags::table::TagCase;
use testkit::pairs::{self, Proof};
use testkit::preset_cases::PresetCase;
use testkit::reading_modes::{self, ReadingMode};
use testkit::{field_agreement, stray_closers, tag_agreement};

/// An input to prove.
struct Input {
    name: String,
    bytes: Vec<u8>,
    /// The reading modes that the input names; empty if it names none.
    own: Vec<ReadingMode>,
}

fn main() -> io::Result<ExitCode> {
    let options = Options::read(std::env::args().skip(1));
    let mut out = io::stdout().lock();
    let sets = tag_agreement::sets();
    let inputs: Vec<Input> = options.paths.iter().flat_map(|path| inputs(path, &sets)).collect();
    // Nothing proven is no success.
    assert!(!inputs.is_empty(), "there is no input to prove");
    let is_mode = |name: &String| reading_modes::all().iter().any(|mode| mode.name == *name);
    assert!(options.setup.as_ref().is_none_or(is_mode), "no reading mode has this name");
    let mut failed = 0;
    if options.setup.is_none() && inputs.iter().any(|input| !input.own.is_empty()) {
        let own = inputs.iter().flat_map(|input| input.own.iter().map(move |own| (own, input)));
        failed += prove_all(&mut out, "own", own, options.up_to)?;
    }
    for setup in reading_modes::all() {
        let wanted = options.setup.as_deref();
        if wanted.is_some_and(|name| name != setup.name) {
            continue;
        }
        let read = inputs.iter().filter(|input| wanted.is_some() || input.own.is_empty());
        let read: Vec<_> = read.map(|input| (&setup, input)).collect();
        if !read.is_empty() {
            failed += prove_all(&mut out, setup.name, read, options.up_to)?;
        }
    }
    Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Proves inputs and reports. Returns the number of failures.
fn prove_all<'i>(
    out: &mut impl Write,
    name: &str,
    read: impl IntoIterator<Item = (&'i ReadingMode, &'i Input)>,
    up_to: usize,
) -> io::Result<u32> {
    let started = Instant::now();
    let (mut proof, mut failed) = (Proof::default(), 0);
    for (setup, input) in read {
        let bytes = &input.bytes[..input.bytes.len().min(up_to)];
        match pairs::prove(&setup.spec, bytes) {
            Ok(more) => proof = proof.and(more),
            Err(why) => {
                failed += 1;
                writeln!(out, "{}: {}: {why}", setup.name, input.name)?;
            }
        }
    }
    let Proof { inputs, bytes, pairs } = proof;
    let seconds = started.elapsed().as_secs_f64();
    writeln!(out, "{name}: {inputs} inputs, {bytes} bytes, {pairs} pairs in {seconds:.2} s")?;
    Ok(failed)
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

/// The inputs of a file or folder. Tag sets in folders are left out.
fn inputs(path: &Path, sets: &BTreeMap<String, TagSet>) -> Vec<Input> {
    if path.is_dir() {
        let entries = std::fs::read_dir(path).expect("a folder that can be read");
        let mut paths: Vec<PathBuf> =
            entries.map(|entry| entry.expect("an entry").path()).collect();
        paths.sort();
        paths.retain(|path| !is_tag_set(path));
        return paths.iter().flat_map(|path| inputs(path, sets)).collect();
    }
    let bytes = std::fs::read(path).expect("a file that can be read");
    let name = path.display().to_string();
    let whole = || vec![Input { name: name.clone(), bytes: bytes.clone(), own: Vec::new() }];
    if path.extension().is_none_or(|extension| extension != "ndjson") {
        return whole();
    }
    let Ok(text) = core::str::from_utf8(&bytes) else { return whole() };
    let lines = text.lines().zip(1..).filter(|(line, _)| !line.is_empty());
    lines.map(|(line, at)| input(path, (line, at), sets)).collect()
}

/// Whether a file is a tag set instead of cases.
fn is_tag_set(path: &Path) -> bool {
    let profiles = path.is_dir() && path.ends_with("tags/profiles");
    profiles || path.extension().is_some_and(|extension| extension == "toml")
}

/// The input in a line of cases or recordings.
fn input(path: &Path, (line, at): (&str, usize), sets: &BTreeMap<String, TagSet>) -> Input {
    let named = |name: &str, bytes: Vec<u8>, own: Vec<ReadingMode>| {
        let name = format!("{}, line {at} ({name})", path.display());
        Input { name, bytes, own }
    };
    if let Ok(case) = serde_json::from_str::<Case>(line) {
        return named(&case.name, case.bytes(), xml_setup(path).into_iter().collect());
    }
    if let Ok(case) = table::case(line) {
        let ways = [("own", Some(&case.schema)), ("free", None)];
        let own = ways.map(|(name, schema)| ReadingMode {
            name,
            spec: field_agreement::spec(case.format, schema),
        });
        return named(&case.name, case.input.clone().into_bytes(), own.to_vec());
    }
    if let Ok(case) = serde_json::from_str::<TagCase>(line) {
        let set = sets.get(&case.profile);
        let spec = set.map(|set| tag_agreement::spec(set, case.start_in.as_deref()));
        let own = spec.into_iter().map(|spec| ReadingMode { name: "own", spec });
        return named(&case.name, case.input.text().into_bytes(), own.collect());
    }
    if let Ok(case) = serde_json::from_str::<PresetCase>(line) {
        let own = ReadingMode { name: "own", spec: case.spec() };
        return named(&case.name, case.input.into_bytes(), vec![own]);
    }
    if let Ok(place) = serde_json::from_str::<stray_closers::StrayPlace>(line) {
        let own = stray_closers::POLICIES.map(|name| ReadingMode { name, spec: place.spec(name) });
        return named(&place.place, place.input.into_bytes(), own.to_vec());
    }
    match Recording::from_line(line) {
        Ok(recording) => named(&recording.source, recording.text().into_bytes(), Vec::new()),
        Err(_) => named("as it is", line.as_bytes().to_vec(), Vec::new()),
    }
}

/// The reading mode of a file of trees.
fn xml_setup(path: &Path) -> Option<ReadingMode> {
    let is_xml = path.parent().is_some_and(|folder| folder.ends_with("xml"));
    let name = path.file_stem().filter(|_| is_xml)?;
    let (_, body, schema) =
        reading_modes::xml_files().into_iter().find(|(file, ..)| name == *file)?;
    Some(ReadingMode { name: "own", spec: reading_modes::xml_spec(&body, schema) })
}
