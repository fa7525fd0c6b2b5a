//! What fuzz targets assert. Targets are thin; an input holds everything (options, cuts, document), so
//! that a finding replays as it is.
//!
//! ```text
//! byte 0        which way of reading, from `setups::all`
//! byte 1        how many cuts follow, at most 8
//! 2 bytes each  a cut, little-endian, taken modulo the document's length
//! the rest      the document
//! ```

use std::sync::LazyLock;

use patchwire::Spec;

use crate::cuts::Cuts;
use crate::laws;
use crate::oracle::{foreign, observe};
use crate::record::{run_cut, run_whole};
use crate::setups::{self, Setup};

/// Specs compile tag sets: once is enough.
static SETUPS: LazyLock<Vec<Setup>> = LazyLock::new(setups::all);
static STRICT: LazyLock<Spec> = LazyLock::new(Spec::strict_json);

/// An input, taken apart.
struct Job<'a> {
    setup: usize,
    cuts: Vec<usize>,
    document: &'a [u8],
}

impl<'a> Job<'a> {
    fn read(data: &'a [u8]) -> Option<Self> {
        let (&[setup, count], rest) = data.split_first_chunk()?;
        let count = usize::from(count % 9);
        let (raw, document) = rest.split_at_checked(2 * count)?;
        let cuts = raw
            .chunks_exact(2)
            .map(|pair| usize::from(u16::from_le_bytes([pair[0], pair[1]])) % (document.len() + 1))
            .collect();
        Some(Self { setup: usize::from(setup), cuts, document })
    }
}

/// Bytes to events under any cuts: the same as uncut, whatever the way of reading; and byte by byte.
///
/// # Panics
/// If a law does not hold.
pub fn cuts(data: &[u8]) {
    let Some(job) = Job::read(data) else { return };
    let setup = &SETUPS[job.setup % SETUPS.len()];
    let whole = run_whole(&setup.spec, job.document);
    for cuts in [Cuts::at(job.cuts), Cuts::bytewise(job.document.len())] {
        if let Some(found) = whole.difference(&run_cut(&setup.spec, job.document, &cuts)) {
            panic!("{}: {cuts}: uncut, {found}", setup.name);
        }
    }
}

/// Every law that is cheap enough: spans tile, the fold is the value, nothing is open, and so on.
///
/// # Panics
/// If a law does not hold.
pub fn all_laws(data: &[u8]) {
    let Some(job) = Job::read(data) else { return };
    if job.document.len() > 512 {
        return;
    }
    let setup = &SETUPS[job.setup % SETUPS.len()];
    if let Err(why) = laws::all(&setup.spec, job.document) {
        panic!("{}: {why}", setup.name);
    }
}

/// Strict reading accepts and rejects as `serde_json` does, and reads the same value.
///
/// # Panics
/// If the two disagree.
pub fn strict_against_serde(data: &[u8]) {
    let Some(job) = Job::read(data) else { return };
    let seen = observe::run(&STRICT, job.document, &sorted(job.cuts));
    match (foreign::read(job.document), seen.outcome) {
        (Ok(theirs), Ok(_)) => assert_eq!(seen.value, Some(theirs.settled())),
        (Err(_), Err(_)) => {}
        // serde_json stops at 128 levels, and so do we, at 256.
        (Err(why), Ok(_)) if why.contains("recursion") => {}
        (theirs, ours) => panic!("serde_json: {theirs:?}, here: {ours:?}"),
    }
}

/// On valid JSON with an object or list for its root, lenient reading tells what strict reading tells.
///
/// # Panics
/// If the two differ.
pub fn lenient_against_strict(data: &[u8]) {
    let Some(job) = Job::read(data) else { return };
    let first = job.document.trim_ascii_start().first();
    if !matches!(first, Some(b'{' | b'[')) || STRICT.parse(job.document).is_err() {
        return;
    }
    let cuts = Cuts::at(job.cuts);
    let lenient = &SETUPS[0].spec;
    let (one, other) =
        (run_cut(&STRICT, job.document, &cuts), run_cut(lenient, job.document, &cuts));
    if let Some(found) = one.difference(&other) {
        panic!("strict, {found}");
    }
}

/// Folding all patches gives the answer's value.
///
/// # Panics
/// If it does not.
pub fn fold(data: &[u8]) {
    let Some(job) = Job::read(data) else { return };
    let setup = &SETUPS[job.setup % SETUPS.len()];
    if let Err(why) = laws::values(&setup.spec, job.document) {
        panic!("{}: {why}", setup.name);
    }
    if matches!(setup.name, "without_value" | "bare") {
        return;
    }
    let seen = observe::run(&setup.spec, job.document, &sorted(job.cuts));
    assert!(seen.outcome.is_err() || seen.tiles(job.document.len()), "{}", seen.print());
}

fn sorted(mut cuts: Vec<usize>) -> Vec<usize> {
    cuts.sort_unstable();
    cuts.dedup();
    cuts
}

/// What a target does with an input.
pub type Target = fn(&[u8]);

/// The targets, by name.
pub const TARGETS: [(&str, Target); 5] = [
    ("cuts", cuts),
    ("laws", all_laws),
    ("strict_serde", strict_against_serde),
    ("lenient_strict", lenient_against_strict),
    ("fold", fold),
];
