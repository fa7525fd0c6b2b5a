//! The assertions of the fuzz targets. An input contains everything (options, cuts, document), so that a
//! finding replays without other data.
//!
//! ```text
//! byte 0        which way of reading, from `reading_modes::all`
//! byte 1        how many cuts follow, at most 8
//! 2 bytes each  a cut, little-endian, taken modulo the document's length
//! the rest      the document
//! ```

mod recordings;
mod schemas;

use std::sync::LazyLock;

use patchwire::{Spec, TagSet};
use patchwire_sources::{DecodeError, Decoder, Delta, End, Protocol};

use crate::cuts::Cuts;
use crate::event_log::{run_cut, run_whole};
use crate::oracle::fields::{Format, Schema, Type};
use crate::oracle::tags::{Profile, table};
use crate::oracle::{foreign, observe};
use crate::reading_modes::{self, ReadingMode};
use crate::{field_agreement, generate, laws, tag_agreement};

pub use recordings::recordings;
pub use schemas::schemas;

/// Built once, because specs compile tag sets.
static SETUPS: LazyLock<Vec<ReadingMode>> = LazyLock::new(reading_modes::all);
static STRICT: LazyLock<Spec> = LazyLock::new(Spec::strict_json);

/// Profiles of the corpus for [`tags`]. Inputs contain their numbers, so new ones are added at the end.
pub const PROFILES: [&str; 25] = [
    "anthropic",
    "bolt",
    "cline-code-guard",
    "cline",
    "everything",
    "gemma",
    "granite",
    "hermes-json",
    "hermes",
    "kimi-k2",
    "kimi",
    "mistral",
    "proto-fence",
    "proto-reclassify",
    "proto",
    "qwen-fence",
    "qwen-interrupt",
    "qwen",
    "reason-group",
    "think-code-guard",
    "think-icase-ws",
    "think-literal-stray",
    "think",
    "ubik",
    "agents",
];

/// Each profile, and its tag set for the engine.
static TAGGED: LazyLock<Vec<(&str, Profile, TagSet)>> = LazyLock::new(|| {
    let sets = tag_agreement::sets();
    let names = PROFILES.into_iter();
    let all = names.map(|name| (name, table::profile(name), sets[name].clone()));
    all.map(|(name, profile, set)| (name, profile.expect("a profile"), set)).collect()
});
/// The schema for [`fields`] and [`agree`]: names with common beginnings, and each kind of value.
static DECLARED: LazyLock<Schema> = LazyLock::new(|| {
    let fields = [
        ("a", Type::Str),
        ("ab", Type::Str),
        ("b", Type::Str),
        ("j", Type::Any),
        ("n", Type::Int),
        ("l", Type::List),
    ];
    Schema::new(fields)
});

/// The reading modes for fields: each format, with and without a schema, with and without tags. Inputs
/// contain their numbers, so new ones are added at the end.
static FIELDED: LazyLock<Vec<ReadingMode>> = LazyLock::new(|| {
    let formats = [
        (Format::XmlField, patchwire::Format::XmlField),
        (Format::Hybrid, patchwire::Format::Hybrid),
        (Format::Markdown, patchwire::Format::Markdown),
        (Format::YamlLiteral, patchwire::Format::YamlLiteral),
    ];
    let mut all = Vec::new();
    for schema in [Some(&*DECLARED), None] {
        all.extend(
            formats.map(|(format, _)| (format.name(), field_agreement::spec(format, schema))),
        );
        for (format, own) in formats {
            let builder = Spec::builder().format(own).tags(TagSet::think());
            let declared = schema.map(field_agreement::declared);
            let builder = declared.into_iter().fold(builder, patchwire::SpecBuilder::schema);
            all.push((format.name(), builder.build().expect("the settings agree")));
        }
    }
    all.into_iter().map(|(name, spec)| ReadingMode { name, spec }).collect()
});

/// The longest text for the oracle, which reads the whole text at each position.
const LONGEST_TEXT: usize = 1024;

/// The parts of an input.
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

/// Asserts that events do not depend on the cuts of the input, in any reading mode, nor on feeding byte by
/// byte.
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

/// Asserts every law that is cheap enough: spans tile the input, folding gives the value, nothing stays
/// open, and others.
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

/// Asserts that the body of a provider's response gives one result under any cuts and byte by byte, and
/// that every body is either read or an error with a position.
///
/// # Panics
/// If one of these does not hold.
pub fn bodies(data: &[u8]) {
    let Some(job) = Job::read(data) else { return };
    let protocol = Protocol::ALL[job.setup % Protocol::ALL.len()];
    let whole = said(protocol, [job.document]);
    let cuts = sorted(job.cuts);
    let ends = cuts.iter().copied().chain([job.document.len()]);
    let starts = [0].into_iter().chain(cuts.iter().copied());
    let pieces = starts.zip(ends).map(|(from, to)| &job.document[from..to]);
    assert_eq!(said(protocol, pieces), whole, "{protocol}, cut at {cuts:?}");
    assert_eq!(said(protocol, job.document.chunks(1)), whole, "{protocol}, byte by byte");
    if let Err(error) = whole.1 {
        assert!(error.offset <= job.document.len() as u64 + 2, "{error}");
    }
}

/// Small, so that some events exceed it.
const EVENT_BYTES: usize = 256;

fn said<'b>(
    protocol: Protocol,
    pieces: impl IntoIterator<Item = &'b [u8]>,
) -> (Vec<Delta>, Result<End, DecodeError>) {
    let mut decoder = Decoder::with_limit(protocol, EVENT_BYTES);
    let mut deltas = Vec::new();
    for piece in pieces {
        if let Err(error) = decoder.feed(piece, |delta| deltas.push(delta)) {
            assert_eq!(decoder.finish(|_| {}), Err(error.clone()), "errors stay");
            return (deltas, Err(error));
        }
    }
    let end = decoder.finish(|delta| deltas.push(delta));
    (deltas, end)
}

/// Asserts that strict reading accepts and rejects texts like `serde_json`, and reads equal values.
///
/// # Panics
/// If the two disagree.
pub fn strict_against_serde(data: &[u8]) {
    let Some(job) = Job::read(data) else { return };
    let seen = observe::run(&STRICT, job.document, &sorted(job.cuts));
    match (foreign::read(job.document), seen.outcome) {
        (Ok(theirs), Ok(_)) => assert_eq!(seen.value, Some(theirs.settled())),
        (Err(_), Err(_)) => {}
        // The limits of depth differ: serde_json's is 128, the engine's 256.
        (Err(why), Ok(_)) if why.contains("recursion") => {}
        (theirs, ours) => panic!("serde_json: {theirs:?}, here: {ours:?}"),
    }
}

/// Asserts that lenient and strict reading emit equal events for valid JSON with an object or a list as its
/// root.
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

/// Asserts that the engine reads text with elements like the tag oracle, under any cuts and byte by byte.
///
/// Byte 0 modulo the number of profiles chooses one of [`PROFILES`]. The quotient chooses the family that
/// the text begins inside of, if any.
///
/// # Panics
/// If the two disagree.
pub fn tags(data: &[u8]) {
    let Some(job) = Job::read(data) else { return };
    let Ok(text) = core::str::from_utf8(job.document) else { return };
    if text.len() > LONGEST_TEXT {
        return;
    }
    let (name, profile, set) = &TAGGED[job.setup % TAGGED.len()];
    let start_in = beginning(profile, job.setup / TAGGED.len());
    let spec = tag_agreement::spec(set, start_in);
    let chunkings = [Cuts::at(job.cuts), Cuts::bytewise(text.len())];
    let chunkings = chunkings.iter().map(|cuts| cuts.chunks(text.as_bytes()).collect());
    if let Err(why) = tag_agreement::against_oracle(profile, &spec, text, start_in, chunkings) {
        panic!("{name}: {why}");
    }
}

/// The families that a text may begin inside of, by number; `None` for 0 and for numbers past the last.
fn beginning(profile: &Profile, number: usize) -> Option<&str> {
    let mut families = generate::tags::beginnings(profile);
    families.nth(number.checked_sub(1)?).map(|family| family.name.as_str())
}

/// Asserts for fields in any format that cuts do not matter, and every law for short inputs.
///
/// Byte 0 chooses the mode: each format, without and then with tags, first with a schema and then without.
///
/// # Panics
/// If a law does not hold.
pub fn fields(data: &[u8]) {
    let Some(job) = Job::read(data) else { return };
    let setup = &FIELDED[job.setup % FIELDED.len()];
    if job.document.len() > LONGEST_TEXT {
        return;
    }
    let whole = run_whole(&setup.spec, job.document);
    for cuts in [Cuts::at(job.cuts), Cuts::bytewise(job.document.len())] {
        if let Some(found) = whole.difference(&run_cut(&setup.spec, job.document, &cuts)) {
            panic!("{}: {cuts}: uncut, {found}", setup.name);
        }
    }
    if job.document.len() <= 192
        && let Err(why) = laws::all(&setup.spec, job.document)
    {
        panic!("{}: {why}", setup.name);
    }
}

/// The formats of [`agree`]. Inputs contain their numbers, so new ones are added at the end.
const AGREED: [Format; 3] = [Format::XmlField, Format::Hybrid, Format::Markdown];

/// Asserts that the engine reads the fields of which the oracle is certain. YAML is left out, because the
/// oracle is certain of too little in it. Notices are not compared.
///
/// Byte 0 chooses a format; from 128 on there is no schema.
///
/// # Panics
/// If the two disagree.
pub fn agree(data: &[u8]) {
    let Some(job) = Job::read(data) else { return };
    let Ok(text) = core::str::from_utf8(job.document) else { return };
    if text.len() > LONGEST_TEXT {
        return;
    }
    // The oracle counts the bytes of long tags as if each line end had one byte.
    let text = &text.replace("\r\n", "\n");
    let format = AGREED[job.setup % AGREED.len()];
    let schema = (job.setup < 128).then_some(&*DECLARED);
    if let Err(why) = field_agreement::compare(format, schema, text, |_| false) {
        panic!("{}: {why}", format.name());
    }
}

/// Asserts that folding all patches gives the answer's value.
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

/// The function of a target.
pub type Target = fn(&[u8]);

/// The targets, by name.
pub const TARGETS: [(&str, Target); 11] = [
    ("cuts", cuts),
    ("laws", all_laws),
    ("strict_serde", strict_against_serde),
    ("lenient_strict", lenient_against_strict),
    ("fold", fold),
    ("tags", tags),
    ("fields", fields),
    ("agree", agree),
    ("bodies", bodies),
    ("schemas", schemas),
    ("recordings", recordings),
];
