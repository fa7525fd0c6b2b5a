//! What fuzzing found, as plain tests; and its seeds, so that they stay readable.

use std::fs;
use std::path::Path;

use testkit::fuzzing::TARGETS;

/// Runs every input of a folder of the fuzz targets; how many there were.
fn replay(folder: &str) -> usize {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz").join(folder);
    let mut count = 0;
    for (name, target) in TARGETS {
        let Ok(files) = fs::read_dir(root.join(name)) else { continue };
        for file in files {
            let path = file.expect("a folder that can be listed").path();
            target(&fs::read(&path).expect("a file that can be read"));
            count += 1;
        }
    }
    count
}

#[test]
fn past_findings_stay_mended() {
    assert!(replay("findings") >= 3);
}
