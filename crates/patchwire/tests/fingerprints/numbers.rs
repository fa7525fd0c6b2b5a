//! Numbers from a seed, and readings as numbers in a file. The tests of other crates use this file, too.

use std::fmt::Write;
use std::path::Path;

/// Numbers that depend on a seed alone (splitmix64). No crate is used, because another version of it could give other numbers,
/// and every fingerprint would change.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below a bound that is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap()
    }

    pub(crate) fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }
}

/// FNV-1a, whose numbers are equal everywhere.
pub(crate) fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3)
    })
}

/// Compares readings that a seed chooses: so many lines, and so many numbers in each. The file is named by both words.
pub(crate) fn compare_seeded(
    words: [&str; 2],
    counts: [u64; 2],
    read: impl Fn(&mut Random) -> String,
) {
    let ([kind, file], [lines, numbers]) = (words, counts);
    let seed = fnv(file.as_bytes());
    let lines = (0..lines).map(|line| {
        let readings = (0..numbers).map(|number| {
            read(&mut Random::new(seed.wrapping_add((line * numbers + number).rotate_left(32))))
        });
        (format!("{file} {line}"), readings.collect())
    });
    compare_readings(&format!("{kind} {file}"), lines.collect());
}

/// Compares what was read with the numbers in a file.
#[expect(clippy::print_stderr, reason = "`SHOW` asks for it")]
pub(crate) fn compare_readings(file: &str, cases: Vec<(String, Vec<String>)>) {
    assert!(!cases.is_empty(), "{file} has no case");
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fingerprints")
        .join(format!("{}.txt", file.replace(['/', ' '], "-")));
    let show = std::env::var("SHOW").unwrap_or_default();
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    let mut known = known.lines();
    let (mut all, mut changed) = (String::new(), Vec::new());
    for (at, (name, readings)) in cases.iter().enumerate() {
        if show == format!("{file} {at}") {
            eprintln!("{}", readings.join("\n"));
        }
        let mut line = String::new();
        for reading in readings {
            write!(line, "{:06x} ", fnv(reading.as_bytes()) & 0xff_ffff).unwrap();
        }
        line.push_str(name);
        if known.next() != Some(&line) {
            changed.push(format!("{file} {at}"));
        }
        writeln!(all, "{line}").unwrap();
    }
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(path, all).unwrap();
        return;
    }
    let first = changed.first().cloned().unwrap_or_default();
    assert!(
        changed.is_empty() && known.next().is_none(),
        "{} of {} cases of {file} are read in another way: {}. `SHOW=\"{first}\" cargo test -p {} fingerprints -- \
         --nocapture` prints the readings of one, here and at an older commit. If all changes are meant, run the tests with BLESS=1.",
        changed.len(),
        cases.len(),
        changed.iter().take(20).cloned().collect::<Vec<_>>().join(", "),
        env!("CARGO_PKG_NAME"),
    );
}
