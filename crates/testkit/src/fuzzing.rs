//! What fuzz targets assert. Targets are thin; an input holds everything (options, cuts, document), so
//! that a finding replays as it is.
//!
//! ```text
//! byte 0        which way of reading, from `reading_modes::all`
//! byte 1        how many cuts follow, at most 8
//! 2 bytes each  a cut, little-endian, taken modulo the document's length
//! the rest      the document
//! ```

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

/// Specs compile tag sets: once is enough.
static SETUPS: LazyLock<Vec<ReadingMode>> = LazyLock::new(reading_modes::all);
static STRICT: LazyLock<Spec> = LazyLock::new(Spec::strict_json);

/// Profiles of the corpus for [`tags`]. Inputs name them by number: new ones come last.
pub const PROFILES: [&str; 24] = [
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
];

/// Those, for the oracle and for the engine.
static TAGGED: LazyLock<Vec<(&str, Profile, TagSet)>> = LazyLock::new(|| {
    let sets = tag_agreement::sets();
    let names = PROFILES.into_iter();
    let all = names.map(|name| (name, table::profile(name), sets[name].clone()));
    all.map(|(name, profile, set)| (name, profile.expect("a profile"), set)).collect()
});
/// What is declared for [`fields`] and [`agree`]: names that begin alike, and each kind of value.
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

/// The ways of reading fields: each format, with a schema or none, with tags or none. Inputs name them
/// by number: new ones come last.
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

/// Longest text that the oracle reads: it looks at the whole of it at each place.
const LONGEST_TEXT: usize = 1024;

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

/// The body of a provider's response says the same under any cuts, and byte by byte; whatever it is, it
/// is read, or is an error with a place.
///
/// # Panics
/// If it does not.
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

/// So small that events are too long at times.
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

/// Text with elements is told, under any cuts and byte by byte, as the tag oracle reads it.
///
/// Byte 0 is a profile of the corpus, in the order of [`PROFILES`], and what is left of it after
/// that one of the families that a text may begin inside of.
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

/// The families that may be begun inside of, by number; 0 and numbers too high are none.
fn beginning(profile: &Profile, number: usize) -> Option<&str> {
    let mut families = generate::tags::beginnings(profile);
    families.nth(number.checked_sub(1)?).map(|family| family.name.as_str())
}

/// Fields in any of the formats: cuts do not matter, and every law holds of what is not long.
///
/// Byte 0 is one of the ways of reading fields: each format, tagless and then with tags, first with a
/// schema and then without.
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

/// The formats of [`agree`]. Inputs name them by number: new ones come last.
const AGREED: [Format; 3] = [Format::XmlField, Format::Hybrid, Format::Markdown];

/// Fields are those that the oracle reads, as far as it is sure of them. Of YAML it is sure of too
/// little, and of notices it speaks with other words.
///
/// Byte 0 is a format; from 128 on there is no schema.
///
/// # Panics
/// If the two disagree.
pub fn agree(data: &[u8]) {
    let Some(job) = Job::read(data) else { return };
    let Ok(text) = core::str::from_utf8(job.document) else { return };
    if text.len() > LONGEST_TEXT {
        return;
    }
    // The oracle counts the bytes of long tags where line ends have one.
    let text = &text.replace("\r\n", "\n");
    let format = AGREED[job.setup % AGREED.len()];
    let schema = (job.setup < 128).then_some(&*DECLARED);
    if let Err(why) = field_agreement::compare(format, schema, text, |_| false) {
        panic!("{}: {why}", format.name());
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
pub const TARGETS: [(&str, Target); 9] = [
    ("cuts", cuts),
    ("laws", all_laws),
    ("strict_serde", strict_against_serde),
    ("lenient_strict", lenient_against_strict),
    ("fold", fold),
    ("tags", tags),
    ("fields", fields),
    ("agree", agree),
    ("bodies", bodies),
];
