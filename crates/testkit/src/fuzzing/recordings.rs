//! The target for recordings.

use std::time::Duration;

use patchwire_sources::{Recording, RecordingLine};

use super::{Job, SETUPS, sorted};
use crate::event_log::{run, run_whole};

/// The longest document whose events are compared.
const READ: usize = 512;

/// Asserts that a line is read, or an error says at which byte it fails; that what was read can be written and
/// read again; that a stream under any cuts becomes a line with its text; and that the line is complete after
/// each part.
///
/// The document is both the line that is read and the stream that is recorded.
///
/// # Panics
/// If one of these does not hold.
pub fn recordings(data: &[u8]) {
    let Some(job) = Job::read(data) else { return };
    let document = job.document;
    match Recording::from_line(document) {
        Ok(recording) => repeated(&recording),
        Err(error) => {
            assert!(error.offset <= document.len(), "{error:?}");
            assert!(!error.reason.is_empty() && !error.reason.contains('\n'), "{error:?}");
        }
    }
    let cuts = sorted(job.cuts);
    let starts = [0].into_iter().chain(cuts.iter().copied());
    let ends = cuts.iter().copied().chain([document.len()]);
    let chunks = starts.zip(ends).map(|(from, to)| &document[from..to]);
    let chunks: Vec<(&[u8], Duration)> =
        chunks.zip(0_u64..).map(|(chunk, at)| (chunk, Duration::from_millis(at * at))).collect();
    let recording = recorded(&chunks);
    assert_eq!(recording.deltas.concat(), String::from_utf8_lossy(document));
    assert_eq!(recording.deltas.len(), recording.times.len());
    assert!(recording.times.is_sorted());
    if document.len() <= READ {
        let setup = &SETUPS[job.setup % SETUPS.len()];
        let text = recording.deltas.concat();
        let played = run(&setup.spec, recording.deltas.iter().map(String::as_bytes));
        if let Some(found) = run_whole(&setup.spec, text.as_bytes()).difference(&played) {
            panic!("{}: uncut, {found}", setup.name);
        }
    }
}

/// A recording that is played into another one gives the same deltas. Empty ones are left out, and those
/// without a time have the last one.
fn repeated(recording: &Recording) {
    assert!(recording.times.is_sorted(), "{:?}", recording.times);
    let mut latest = Duration::ZERO;
    let mut times = recording.times.iter().copied();
    let mut chunks = Vec::new();
    for delta in &recording.deltas {
        latest = times.next().unwrap_or(latest);
        if !delta.is_empty() {
            chunks.push((delta.as_bytes(), latest));
        }
    }
    let again = recorded(&chunks);
    let deltas: Vec<&[u8]> = again.deltas.iter().map(String::as_bytes).collect();
    assert_eq!(deltas, chunks.iter().map(|(delta, _)| *delta).collect::<Vec<_>>());
    let whole = |at: &Duration| at.as_millis();
    // JSON's numbers have 53 bits.
    if chunks.iter().all(|(_, at)| at.as_millis() < 1 << 50) {
        let times: Vec<u128> = again.times.iter().map(whole).collect();
        assert_eq!(times, chunks.iter().map(|(_, at)| whole(at)).collect::<Vec<_>>());
    }
}

/// Records chunks as a file is written: part by part, each of which leaves a complete line.
fn recorded(chunks: &[(&[u8], Duration)]) -> Recording {
    let (mut line, text) = RecordingLine::begin(["a \"source\"", "unknown", "text"]);
    let mut file = text.into_bytes();
    let mut read = |line: &mut RecordingLine| {
        if let Some(part) = line.part() {
            assert!(part.offset + part.text.len() >= file.len(), "an end of the old line stays");
            file.truncate(part.offset);
            file.extend_from_slice(part.text.as_bytes());
        }
        assert_eq!(file.iter().filter(|byte| **byte == b'\n').count(), 1);
        let read = Recording::from_line(&file);
        let read = read.unwrap_or_else(|error| panic!("{error:?}: {}", file.escape_ascii()));
        assert_eq!(read.source.as_deref(), Some("a \"source\""));
        assert_eq!(read.deltas.is_empty(), line.is_empty());
        read
    };
    // Each part repeats the times, so that a long recording is read at few of them.
    let step = chunks.len() / 16 + 1;
    for (number, (chunk, at)) in chunks.iter().enumerate() {
        line.chunk(chunk, *at);
        if number % step == 0 {
            read(&mut line);
        }
    }
    line.finish(chunks.last().map_or(Duration::ZERO, |(_, at)| *at));
    read(&mut line)
}
