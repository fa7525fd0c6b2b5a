//! Markers that were mentions.
//!
//! In `<pad>I will fill the <output> next.</pad><output>4</output>` the first `<output>` interrupts the pad, but
//! the closer of the pad shows that the pad went on. Only another answer makes that certain, so it is decided at
//! the end. In `<pad>I will write </pad> next.</pad>4` the first closer may have been a mention, too. Nothing
//! makes that certain: the alternative reading of the answer has it.

use super::reader::Reader;
use crate::codes::Code;
use crate::event::CloseReason;
use crate::fold::EmissionKind;
use crate::span::Span;
use crate::tags::Channel;
use crate::transcript::{ElementRecord, Route, TranscriptItem};

/// How many elements before a closer may have been mentions, and how many pieces of text are looked at. Bounds the
/// search of each closer.
const MOST_MENTIONS: usize = 64;

/// Notes that a closer with nothing to close is of the reasoning that an answer interrupted. The answer may have ended:
/// then it, and each answer since, may have been an example in the reasoning.
pub(super) fn doubt(reader: &mut Reader, stray: u16) {
    let Some(tags) = reader.router.as_ref().map(|router| router.tags().clone()) else { return };
    let elements = &reader.collected.transcript.elements;
    let innermost = reader.open_elements.last().map(|&id| id as usize);
    // An answer right before the closer is one that the reasoning encloses.
    if innermost.is_none() && !has_text_behind(reader) {
        return;
    }
    let until = innermost.unwrap_or(elements.len()).min(elements.len());
    let mut doubted = Vec::new();
    for record in elements[..until].iter().rev().take(MOST_MENTIONS) {
        if record.parent > 0 {
            continue;
        }
        if record.route != Route::Answer || record.doubted_by.is_some() {
            return;
        }
        doubted.push(record.id);
        let mut families = record.interrupted.iter().copied();
        if let Some(family) = families.find(|family| tags.is_grouped(stray, *family)) {
            return mark(reader, &doubted, family);
        }
        if innermost.is_some() {
            return;
        }
    }
}

/// Notes that a closer with nothing to close follows text behind reasoning of its family: the closer of the
/// reasoning may have been a mention.
pub(super) fn doubt_closer(reader: &mut Reader, family: u16, stray: Span) {
    let Some(router) = reader.router.as_ref().filter(|_| reader.open_elements.is_empty()) else {
        return;
    };
    let elements = reader.collected.transcript.elements.iter().rev().take(MOST_MENTIONS);
    let Some(record) = elements.into_iter().find(|record| record.parent == 0) else { return };
    let is_closed = record.reason == Some(CloseReason::Observed);
    if record.route == Route::Reasoning
        && is_closed
        && router.tags().is_grouped(family, record.family)
        && has_text_behind(reader)
    {
        let closer = Span::new(record.inside.end, record.span.end);
        let id = record.id;
        reader.collected.closers.add(id, closer, stray);
    }
}

/// Whether there is visible text behind the last element.
fn has_text_behind(reader: &Reader) -> bool {
    let transcript = &reader.collected.transcript;
    let behind = transcript.items.iter().rev().take(MOST_MENTIONS);
    let mut behind = behind.take_while(|item| !matches!(item, TranscriptItem::Close(_)));
    behind.any(|item| match item {
        TranscriptItem::Text { text, .. } => !transcript.slice(text).trim().is_empty(),
        _ => false,
    })
}

fn mark(reader: &mut Reader, elements: &[u32], family: u16) {
    for &id in elements {
        if let Some(record) = reader.collected.transcript.element_mut(id) {
            record.doubted_by = Some(family);
        }
    }
}

/// Moves the text of each doubted answer to the reasoning, if another answer follows it.
pub(super) fn disown_mentions(reader: &mut Reader) {
    let elements = &reader.collected.transcript.elements;
    // Elements inside an answer may share its channel.
    let is_answer = |it: &&ElementRecord| {
        reader.family(it.family).is_some_and(|family| *family.channel() == Channel::Answer)
    };
    let last = elements.iter().rev().filter(is_answer).find(|it| it.doubted_by.is_none());
    let Some(last) = last.map(|it| it.id) else { return };
    let doubted = elements.iter().take_while(|it| it.id < last).filter(is_answer);
    let doubted = doubted.filter(|it| reader.collected.transcript.has_visible_text(it.id));
    let doubted = doubted.filter_map(|it| Some((it.id, it.doubted_by?, it.inside)));
    let doubted: Vec<(u32, u16, Span)> = doubted.collect();
    for (id, family, Span { start, end }) in doubted {
        let here = Span::new(start, end);
        reader.collected.transcript.reroute(id, Route::Reasoning);
        reader.fold.notice(Code::Reclassified, here);
        reader.fold.outbox.emit_marker(EmissionKind::Reclassify(start, end, family), here);
    }
}
