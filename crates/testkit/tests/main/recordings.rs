//! Recorded streams, where `PATCHWIRE_STREAMS` names a file of them.

use serde_json::Value;
use testkit::corpus::{Recording, recordings};
use testkit::cuts::{Cuts, Random};
use testkit::record::{Run, run, run_cut, run_whole};
use testkit::setups;
use testkit::tree::Tree;

/// How many streams of each sort there were.
#[derive(Debug, Default)]
struct Counts {
    streams: usize,
    deltas: usize,
    bytes: usize,
    json: usize,
    prose: usize,
    other: usize,
}

#[test]
fn recorded_streams_read_the_same_in_any_cuts() {
    let Some(recordings) = recordings() else { return };
    for (at, recording) in recordings.iter().enumerate() {
        let text = recording.text();
        let input = text.as_bytes();
        let own = Cuts::lengths(recording.deltas.iter().map(String::len));
        let seed = at as u64;
        let random = Cuts::random(input.len(), 12, &mut Random::new(seed));
        for setup in setups::main() {
            let whole = run_whole(&setup.spec, input);
            for cuts in [&own, &Cuts::bytewise(input.len()), &random] {
                if let Some(found) = whole.difference(&run_cut(&setup.spec, input, cuts)) {
                    panic!(
                        "stream {at} ({}), under {}, seed {seed}, {cuts}: uncut, {found}",
                        recording.source, setup.name
                    );
                }
            }
        }
    }
}

#[test]
fn recorded_streams_give_what_serde_json_gives() {
    let Some(recordings) = recordings() else { return };
    let mut counts = Counts::default();
    for (at, recording) in recordings.iter().enumerate() {
        counts.streams += 1;
        counts.deltas += recording.deltas.len();
        counts.bytes += recording.text().len();
        let own = run(&setups::lenient().spec, recording.deltas.iter().map(String::as_bytes));
        if let Err(why) = check(recording, &own, &mut counts) {
            panic!("stream {at} ({}): {why}", recording.source);
        }
    }
    report(&counts);
}

fn check(recording: &Recording, own: &Run, counts: &mut Counts) -> Result<(), String> {
    let text = recording.text();
    let summary = own.result.as_ref().map_err(ToString::to_string)?;
    if let Ok(expected) = serde_json::from_str::<Value>(&text) {
        counts.json += 1;
        let found = summary.value.as_ref().and_then(Tree::to_json);
        return if found.as_ref() == Some(&expected) {
            Ok(())
        } else {
            Err(format!("the value is {found:?}, not {expected}"))
        };
    }
    if summary.value.is_some() {
        counts.other += 1;
        return Ok(());
    }
    counts.prose += 1;
    match own.patches().next() {
        Some(patch) => Err(format!("no value, and yet {patch}")),
        None => Ok(()),
    }
}

#[expect(clippy::print_stdout, reason = "counts that a person reads with --nocapture")]
fn report(counts: &Counts) {
    println!("{counts:?}");
}
