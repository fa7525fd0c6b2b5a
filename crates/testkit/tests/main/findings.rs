//! Findings of fuzzing as plain tests, and the fuzzing seeds, so that they stay readable.

use std::fs;
use std::path::Path;

use testkit::fuzzing::TARGETS;

/// The inputs in a folder of `fuzz/`; none if the folder does not exist.
fn inputs(folder: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz").join(folder);
    let Ok(files) = fs::read_dir(folder) else { return Vec::new() };
    let read = |file: std::io::Result<fs::DirEntry>| {
        fs::read(file.expect("a folder that can be listed").path())
            .expect("a file that can be read")
    };
    files.map(read).collect()
}

#[test]
fn past_findings_stay_mended() {
    let mut count = 0;
    for (name, target) in TARGETS {
        for input in inputs(&format!("findings/{name}")) {
            target(&input);
            count += 1;
        }
    }
    assert!(count >= 4, "{count} findings");
}

#[test]
fn seeds_find_nothing_in_any_target() {
    let seeds = inputs("seeds");
    assert!(seeds.len() >= 250, "{} seeds", seeds.len());
    for (_, target) in TARGETS {
        seeds.iter().for_each(|seed| target(seed));
    }
}
