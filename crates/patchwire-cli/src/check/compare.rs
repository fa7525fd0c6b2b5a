//! Reading one stream in many cuttings, and comparing what is told.

use patchwire::{Error, Event, Spec, event::Recorder};
use patchwire_async::sources::Protocol;

use super::plan::{Cutting, Plan};
use super::told::{Step, Told};
use crate::body::Body;
use crate::settings::Settings;

/// Who reads: the engine, or in tests somebody who does it wrong.
pub(crate) trait Subject {
    fn read<'a>(&self, chunks: impl Iterator<Item = &'a [u8]>) -> Told;
}

/// The engine.
pub(crate) struct EngineSubject<'a>(pub(crate) &'a Spec);

impl Subject for EngineSubject<'_> {
    fn read<'a>(&self, mut chunks: impl Iterator<Item = &'a [u8]>) -> Told {
        let mut told = Told::default();
        let mut parser = self.0.parser();
        let mut recorder = Recorder::default();
        let mut tell = |event: Event<'_>| told.event(recorder.own(&event));
        let ended = chunks
            .try_for_each(|chunk| parser.feed(chunk, &mut tell))
            .and_then(|()| parser.finish(&mut tell));
        if let Err(error) = ended {
            told.stopped(error);
        }
        told
    }
}

/// The engine behind a decoder: what is cut is the body of a response.
pub(crate) struct BodySubject<'a> {
    pub(crate) settings: &'a Settings,
    pub(crate) protocol: Protocol,
}

impl Subject for BodySubject<'_> {
    fn read<'a>(&self, chunks: impl Iterator<Item = &'a [u8]>) -> Told {
        let mut told = Told::default();
        let mut body = Body::new(self.protocol, self.settings, None);
        if let Err(error) = read_body(&mut body, chunks, &mut told) {
            told.stopped(error);
        }
        told.ended(&body);
        told
    }
}

fn read_body<'a>(
    body: &mut Body,
    mut chunks: impl Iterator<Item = &'a [u8]>,
    told: &mut Told,
) -> Result<(), Error> {
    // What is kept in memory can be written.
    let kept = |failure| unreachable!("nothing is written: {failure}");
    chunks.try_for_each(|chunk| body.feed(chunk, told).unwrap_or_else(kept))?;
    body.finish(told).unwrap_or_else(|failure| unreachable!("nothing is written: {failure}"))?;
    Ok(())
}

/// The first thing that was told otherwise.
#[derive(Debug)]
pub(crate) struct Difference {
    pub(crate) cutting: Cutting,
    pub(crate) cuts: Vec<usize>,
    /// Of the whole; none where it had told all.
    pub(crate) whole: Option<Step>,
    /// Of the cutting.
    pub(crate) cut: Option<Step>,
}

/// Reads `bytes` in every cutting of the plan. What the whole told, or the first difference to it.
pub(crate) fn compare(
    subject: &impl Subject,
    bytes: &[u8],
    plan: &Plan,
) -> Result<Told, Box<Difference>> {
    let whole = subject.read([bytes].into_iter());
    for cutting in plan.cuttings() {
        let cuts = plan.cuts(&cutting);
        let told = subject.read(pieces(bytes, &cuts));
        if let Some((whole, cut)) = first_difference(&whole, &told) {
            return Err(Box::new(Difference { cutting, cuts, whole, cut }));
        }
    }
    Ok(whole)
}

/// The chunks that cuts make.
fn pieces<'a>(bytes: &'a [u8], cuts: &[usize]) -> impl Iterator<Item = &'a [u8]> {
    let ends = cuts.iter().copied().chain([bytes.len()]);
    let mut start = 0;
    ends.map(move |end| &bytes[core::mem::replace(&mut start, end)..end])
}

fn first_difference(whole: &Told, cut: &Told) -> Option<(Option<Step>, Option<Step>)> {
    if whole == cut {
        return None;
    }
    let both = whole.0.iter().zip(&cut.0);
    let same = both.take_while(|(whole, cut)| whole == cut).count();
    Some((whole.0.get(same).cloned(), cut.0.get(same).cloned()))
}

#[cfg(test)]
mod tests;
