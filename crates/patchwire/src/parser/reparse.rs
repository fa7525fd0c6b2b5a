//! Second readings. If an unclosed fence, comment or string hid markers to the end of the input, the text is
//! parsed again as if it hid none. If a closer without an opener made everything reasoning, the text is parsed
//! again as if the closer were dropped. If a second closer follows reasoning, the text is parsed again as if the
//! first were a mention.

use super::reader::Reader;
use crate::answer::{Answer, Outcome};
use crate::codes::Code;
use crate::event::CloseReason;
use crate::order;
use crate::span::Span;
use crate::spec::Spec;
use crate::tags::{BodyFormat, Router, TokenRun};
use crate::transcript::ElementRecord;

/// A construct that hid markers.
struct Cover {
    code: Code,
    /// Where it began.
    from: u64,
    /// Where the first hidden marker is.
    marker: u64,
}

/// At the end of the input: notes a construct that hid markers, and returns where it began.
pub(super) fn note_cover(reader: &mut Reader) -> Option<u64> {
    if reader.spec.0.bare_from.is_some() {
        return None;
    }
    let cover = find_cover(reader)?;
    reader.fold.notice(cover.code, Span::at(cover.marker));
    Some(cover.from)
}

fn find_cover(reader: &Reader) -> Option<Cover> {
    let (router, raw) = (reader.router.as_ref()?, reader.collected.raw.as_deref()?);
    let cover = router.open_cover()?;
    let string = || reader.machines.bodies.last().and_then(|open| open.body.open_string());
    let from = if cover.code == Code::StringHidCloser { string()? } else { cover.from };
    let text = raw.get(usize::try_from(from).ok()?..)?;
    // The opener of a comment is not a marker that the comment hid.
    let skip = usize::from(cover.code == Code::CommentHidMarkers);
    let at = skip + router.first_of(&cover.markers, text.get(skip..)?)?;
    Some(Cover { code: cover.code, from, marker: from + at as u64 })
}

/// At the end of the input: notes the bodies in which a string ran over markers to a quote of the next element. Returns
/// where the first of these markers is. `known` is where a construct begins that the end of the input left open: it has
/// its notice already.
pub(super) fn note_swallowed(reader: &mut Reader, known: Option<u64>) -> Option<u64> {
    let (router, raw) = (reader.router.as_ref()?, reader.collected.raw.as_deref()?);
    if reader.spec.0.bare_from.is_some() || !reader.fold.documents.keeps_values() {
        return None;
    }
    let tags = router.tags();
    let elements = &reader.collected.transcript.elements;
    let text = |Span { start, end }: Span| {
        raw.get(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
    };
    let merged = elements.iter().filter_map(|record| {
        let around = reader.collected.transcript.element(record.parent)?;
        let is_raw = tags.family(record.family).body() == BodyFormat::Raw;
        let is_open = record.reason != Some(CloseReason::Observed);
        let holds = |body| tags.holds_opener(around.family, body);
        (is_raw && is_open && holds(text(record.inside)?)).then_some(around.id)
    });
    let merged: Vec<u32> = merged.collect();
    let swallowed = |record: &ElementRecord| {
        let Span { start, end } = record.inside;
        let is_json = tags.family(record.family).body() == BodyFormat::Json;
        let body = text(record.inside).filter(|_| is_json)?;
        let at = tags.swallowed_in(record.family, body)?;
        let is_known = known.is_some_and(|known| start <= known && known <= end);
        Some((record.id, start + at as u64, is_known))
    };
    let all: Vec<(u32, u64, bool)> = elements.iter().filter_map(swallowed).collect();
    for id in merged {
        if let Some(record) = reader.collected.transcript.element_mut(id) {
            record.ran_over = true;
        }
    }
    for &(id, at, is_known) in &all {
        if let Some(record) = reader.collected.transcript.element_mut(id) {
            record.ran_over = true;
        }
        if !is_known {
            reader.fold.notice(Code::StringHidCloser, Span::at(at));
        }
    }
    all.first().map(|&(_, at, _)| at)
}

/// The answer of the second reading, in which nothing hides markers after `from`.
pub(super) fn answer(reader: &Reader, from: u64) -> Option<Answer> {
    read_again(reader, &reader.spec.bare_from(from), &[])
}

/// The answer of the reading in which closers without an opener are dropped. None if no text was reclassified, or
/// if there is no answer in it either.
pub(super) fn unclassified(reader: &Reader) -> Option<Answer> {
    let tags = reader.spec.0.tags.as_ref().filter(|_| !reader.collected.reclassified.is_empty())?;
    let answer = read_again(reader, &reader.spec.with_tags(tags.dropping_strays()?), &[])?;
    has_answer(&answer).then_some(answer)
}

/// The answer of the reading in which closers of reasoning are text if another closer follows. None if there are
/// no such closers, or if there is no answer in it.
pub(super) fn mentioned(reader: &Reader) -> Option<Answer> {
    let mentions = reader.collected.closers.mentions();
    if mentions.is_empty() || reader.spec.0.bare_from.is_some() {
        return None;
    }
    // A second reading has none of its own: readings of readings could be many.
    let spec = reader.spec.bare_from(u64::MAX);
    read_again(reader, &spec, mentions).filter(has_answer)
}

fn has_answer(answer: &Answer) -> bool {
    !matches!(answer.outcome(), Outcome::NoAnswer | Outcome::Empty)
}

/// The answer of the same bytes, read with other settings, or with some markers as plain text.
fn read_again(reader: &Reader, spec: &Spec, plain: &[Span]) -> Option<Answer> {
    let (mut parser, raw) = (spec.parser(), reader.collected.raw.as_deref()?);
    let mut fed = 0;
    for (at, run) in runs_with(reader.router.as_ref().map_or(&[], Router::runs), plain) {
        let at = usize::try_from(at).ok()?;
        parser.read_silently(raw.get(fed..at)?).ok()?;
        parser.set_run(run);
        fed = at;
    }
    parser.read_silently(raw.get(fed..)?).ok()?;
    parser.end_silently().ok()
}

/// The runs, with some spans as plain text. Spans that the source knows more about stay as they are.
fn runs_with(runs: &[(u64, TokenRun)], plain: &[Span]) -> Vec<(u64, TokenRun)> {
    let at = |offset: u64| {
        let after = runs.partition_point(|&(from, _)| from <= offset);
        after.checked_sub(1).map_or(TokenRun::Text, |last| runs[last].1)
    };
    let is_unknown = |span: &&Span| {
        at(span.start) == TokenRun::Text && at(span.end.saturating_sub(1)) == TokenRun::Text
    };
    let spans = plain.iter().filter(is_unknown);
    let added = spans.flat_map(|span| [(span.start, TokenRun::Plain), (span.end, at(span.end))]);
    let mut all: Vec<(u64, TokenRun)> = runs.iter().copied().chain(added).collect();
    order::sort_by_key(&mut all, |&(from, _)| from);
    all
}
