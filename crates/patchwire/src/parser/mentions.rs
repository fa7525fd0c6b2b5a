//! Openers that were mentions. In `<pad>I will fill the <output> next.</pad><output>4</output>` the first
//! `<output>` interrupts the pad, but the closer of the pad shows that the pad went on. Only another answer
//! makes that certain, so it is decided at the end.

use super::reader::Reader;
use crate::codes::Code;
use crate::fold::EmissionKind;
use crate::span::Span;
use crate::tags::Channel;
use crate::transcript::{ElementRecord, Route};

/// Notes that a closer with nothing to close is of the reasoning that the innermost element interrupted.
pub(super) fn doubt(reader: &mut Reader, stray: u16) {
    let Some(&id) = reader.open_elements.last() else { return };
    let Some(open) = reader.collected.transcript.element(id) else { return };
    let Some(router) = reader.router.as_ref().filter(|_| open.route == Route::Answer) else {
        return;
    };
    let mut families = open.interrupted.iter().copied();
    let family = families.find(|family| router.tags().is_grouped(stray, *family));
    if let (Some(family), Some(open)) = (family, reader.collected.transcript.element_mut(id)) {
        open.doubted_by = Some(family);
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
    let has_text = |id: u32| !reader.collected.transcript.texts_in(&[id]).trim().is_empty();
    let doubted = doubted.filter(|it| has_text(it.id));
    let doubted = doubted.filter_map(|it| Some((it.id, it.doubted_by?, it.inside)));
    let doubted: Vec<(u32, u16, Span)> = doubted.collect();
    for (id, family, Span { start, end }) in doubted {
        let here = Span::new(start, end);
        reader.collected.transcript.reroute(id, Route::Reasoning);
        reader.fold.notice(Code::Reclassified, here);
        reader.fold.outbox.emit_marker(EmissionKind::Reclassify(start, end, family), here);
    }
}
