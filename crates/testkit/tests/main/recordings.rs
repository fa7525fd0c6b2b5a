//! Recorded streams, where `PATCHWIRE_STREAMS` names a file of them.

use patchwire::{Event, Format, PatchOp, Spec, TagSet, held::HeldBy};
use serde_json::Value;
use testkit::corpus::{Recording, recordings};
use testkit::cuts::{Cuts, Random};
use testkit::event_log::{RecordedPatch, Run, run, run_cut, run_whole};
use testkit::reading_modes;
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
        for setup in reading_modes::main() {
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

/// Each stream under each preset: its own cuts and single bytes.
#[test]
fn recorded_streams_read_the_same_under_every_preset() {
    let Some(recordings) = recordings() else { return };
    for preset in TagSet::PRESETS {
        let tags = TagSet::preset(preset).expect("a preset");
        let spec = Spec::builder().format(Format::Text).tags(tags).build().expect("a spec");
        for (at, recording) in recordings.iter().enumerate() {
            let text = recording.text();
            let input = text.as_bytes();
            let whole = run_whole(&spec, input);
            let own = Cuts::lengths(recording.deltas.iter().map(String::len));
            for cuts in [&own, &Cuts::bytewise(input.len())] {
                let found = whole.difference(&run_cut(&spec, input, cuts));
                assert_eq!(found, None, "stream {at} ({}), {preset}, {cuts}", recording.source);
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
        let own =
            run(&reading_modes::lenient().spec, recording.deltas.iter().map(String::as_bytes));
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
    let taken_back =
        |patch: &RecordedPatch| patch.op == PatchOp::Remove && patch.pointer.is_empty();
    match own.patches().next() {
        // It was in text that turned out to be reasoning.
        _ if own.patches().any(taken_back) => Ok(()),
        Some(patch) => Err(format!("no value, and yet {patch}")),
        None => Ok(()),
    }
}

/// Where no marker is, text passes through as it is, under every tag set, and little is held.
#[test]
fn streams_without_markers_are_text_under_every_tag_set() {
    let Some(recordings) = recordings() else { return };
    let sets = [TagSet::think(), TagSet::scratchpad(), TagSet::ubik(), reading_modes::presets()];
    for set in sets {
        let spec = Spec::builder().format(Format::Text).tags(set).build().expect("they agree");
        for (at, recording) in recordings.iter().enumerate() {
            if !recording.text().contains('<') {
                let (text, held) = passed_through(&spec, recording);
                assert_eq!(text, recording.text(), "stream {at} ({})", recording.source);
                assert_eq!(held, 0, "stream {at} ({})", recording.source);
            }
        }
    }
}

/// The emitted text of a stream, and the most bytes held for a marker.
fn passed_through(spec: &Spec, recording: &Recording) -> (String, usize) {
    let (mut parser, mut text, mut most) = (spec.parser(), String::new(), 0);
    let mut take = |event: Event<'_>| {
        if let Event::Text(piece) = event {
            text.push_str(&piece.delta);
        }
    };
    for delta in &recording.deltas {
        parser.feed(delta, &mut take).expect("no limit is near");
        let held = parser.held().into_iter().find(|held| held.by == HeldBy::Marker);
        most = most.max(held.map_or(0, |held| held.bytes.len()));
    }
    parser.finish(take).expect("no limit is near");
    (text, most)
}

#[expect(clippy::print_stdout, reason = "counts that a person reads with --nocapture")]
fn report(counts: &Counts) {
    println!("{counts:?}");
}
