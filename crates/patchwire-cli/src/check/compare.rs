//! Reads one stream in many cuttings, and compares the events.

use patchwire::{Error, Event, Spec, event::Recorder};
use patchwire_async::sources::Protocol;

use super::cut_plan::{CutPlan, Cutting};
use super::event_log::{EventLog, LogEntry};
use crate::body::Body;
use crate::settings::Settings;

/// A reader of chunks: the engine, or in tests a reader with an error.
pub(crate) trait Subject {
    fn read<'a>(&self, chunks: impl Iterator<Item = &'a [u8]>) -> EventLog;
}

/// Reads text with the engine.
pub(crate) struct EngineSubject<'a>(pub(crate) &'a Spec);

impl Subject for EngineSubject<'_> {
    fn read<'a>(&self, mut chunks: impl Iterator<Item = &'a [u8]>) -> EventLog {
        let mut log = EventLog::default();
        let mut parser = self.0.parser();
        let mut recorder = Recorder::default();
        let mut record = |event: Event<'_>| log.event(recorder.own(&event).into());
        let ended = chunks
            .try_for_each(|chunk| parser.feed(chunk, &mut record))
            .and_then(|()| parser.finish(&mut record));
        if let Err(error) = ended {
            log.stopped(error);
        }
        log
    }
}

/// Reads a response body with a decoder and the engine.
pub(crate) struct BodySubject<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) protocol: Protocol,
}

impl Subject for BodySubject<'_> {
    fn read<'a>(&self, chunks: impl Iterator<Item = &'a [u8]>) -> EventLog {
        let mut log = EventLog::default();
        let mut body = Body::new(self.protocol, self.settings, None);
        if let Err(error) = read_body(&mut body, chunks, &mut log) {
            log.stopped(error);
        }
        log.ended(&body);
        log
    }
}

fn read_body<'a>(
    body: &mut Body,
    mut chunks: impl Iterator<Item = &'a [u8]>,
    log: &mut EventLog,
) -> Result<(), Error> {
    // Writing to memory cannot fail.
    let kept = |failure| unreachable!("nothing is written: {failure}");
    chunks.try_for_each(|chunk| body.feed(chunk, log).unwrap_or_else(kept))?;
    body.finish(log).unwrap_or_else(|failure| unreachable!("nothing is written: {failure}"))?;
    Ok(())
}

/// The first entry that differs.
#[derive(Debug)]
pub(crate) struct Difference {
    pub(crate) cutting: Cutting,
    pub(crate) cuts: Vec<usize>,
    /// The entry of the whole stream; `None` if it had ended.
    pub(crate) whole: Option<LogEntry>,
    /// The entry of the cutting; `None` if it had ended.
    pub(crate) cut: Option<LogEntry>,
}

/// Reads `bytes` in every cutting of the plan. Returns the log of the whole stream, or the first
/// difference. `begins` is called with the number of each cutting before it is read.
pub(crate) fn compare(
    subject: &impl Subject,
    bytes: &[u8],
    plan: &CutPlan,
    begins: &mut dyn FnMut(usize),
) -> Result<EventLog, Box<Difference>> {
    let whole = subject.read([bytes].into_iter());
    for (number, cutting) in plan.cuttings().enumerate() {
        begins(number);
        let cuts = plan.cuts(&cutting);
        let log = subject.read(pieces(bytes, &cuts));
        if let Some((whole, cut)) = first_difference(&whole, &log) {
            return Err(Box::new(Difference { cutting, cuts, whole, cut }));
        }
    }
    Ok(whole)
}

/// The chunks between the cuts.
fn pieces<'a>(bytes: &'a [u8], cuts: &[usize]) -> impl Iterator<Item = &'a [u8]> {
    let ends = cuts.iter().copied().chain([bytes.len()]);
    let mut start = 0;
    ends.map(move |end| &bytes[core::mem::replace(&mut start, end)..end])
}

fn first_difference(
    whole: &EventLog,
    cut: &EventLog,
) -> Option<(Option<LogEntry>, Option<LogEntry>)> {
    if whole == cut {
        return None;
    }
    let both = whole.0.iter().zip(&cut.0);
    let same = both.take_while(|(whole, cut)| whole == cut).count();
    Some((whole.0.get(same).cloned(), cut.0.get(same).cloned()))
}

#[cfg(test)]
mod tests;
