//! Turns emissions into events, which borrow their text.

use bytestring::ByteString;

use super::reader::Reader;
use crate::codes::Code;
use crate::event::{CommentEvent, ElementId, Event, ReasoningEvent, Text, TextEvent};
use crate::fold::{Emission, EmissionKind};
use crate::notice::{Notice, RepairCost};
use crate::span::Span;
use crate::tags::Family;
use crate::transcript::Route;

impl Reader {
    #[inline(never)]
    pub(super) fn event<'a>(
        &'a self,
        emission: &Emission,
        input: &'a str,
        buffer: Option<&'a ByteString>,
    ) -> Event<'a> {
        let span = emission.span;
        let delta = || Text::new(self.text_of(emission.text, input), buffer);
        let element = self.element();
        match emission.kind {
            EmissionKind::Patch(change) => Event::Patch(self.fold.patch(&change, delta(), span)),
            EmissionKind::Text | EmissionKind::ElementText => {
                let channel = self.collected.transcript.channel(self.route());
                Event::Text(TextEvent { channel, element, delta: delta(), span })
            }
            EmissionKind::Reasoning => {
                Event::Reasoning(ReasoningEvent { element, delta: delta(), span })
            }
            EmissionKind::ReasoningDone => Event::ReasoningDone { span },
            EmissionKind::Comment | EmissionKind::CommentEnd => Event::Comment(CommentEvent {
                element: self.around_comment(),
                delta: delta(),
                is_complete: emission.kind == EmissionKind::CommentEnd,
                span,
            }),
            EmissionKind::ElementOpen(id) => Event::ElementOpen(self.element_open(id, span)),
            EmissionKind::ElementClose(id, reason) => {
                Event::ElementClose { id: ElementId(id), reason, span }
            }
            EmissionKind::Stray(number) => {
                Event::Stray { name: self.family(number).map_or("", Family::name), span }
            }
            EmissionKind::Reclassify(from, to, number) => {
                let channel = self.family(number).map_or("", |family| family.channel().name());
                Event::Reclassify { from, to, channel }
            }
            EmissionKind::Skipped(reason) => Event::Skipped { reason, span },
            EmissionKind::Notice(code, depth) => self.notice(code, depth, span, None),
            EmissionKind::Repair(code, depth, cost) => self.notice(code, depth, span, Some(cost)),
            EmissionKind::Verdict(at) => Event::Verdict(self.fold.verdict(at)),
            EmissionKind::RootComplete => {
                Event::RootComplete { document: self.fold.documents.current_id(), offset: span.end }
            }
        }
    }

    fn notice(&self, code: Code, depth: u32, span: Span, cost: Option<RepairCost>) -> Event<'_> {
        let path = self.fold.cursor.path.path(depth as usize);
        Event::Notice(Notice { code, path, span, cost })
    }

    /// The route of the text that is being emitted.
    pub(super) fn route(&self) -> Route {
        let record =
            self.open_elements.last().and_then(|&id| self.collected.transcript.element(id));
        record.map_or(Route::Text, |record| record.route)
    }

    /// The element around a comment. A comment is an element internally, but its id is never emitted.
    fn around_comment(&self) -> Option<ElementId> {
        let open = self.open_elements.iter().rev();
        open.copied().find(|&id| !self.is_comment_element(id)).map(ElementId)
    }

    fn is_comment_element(&self, id: u32) -> bool {
        let family =
            self.collected.transcript.element(id).and_then(|record| self.family(record.family));
        family.is_some_and(|family| family.comment)
    }

    /// Keeps the parts of an event that the answer needs.
    pub(super) fn keep(&mut self, emission: &Emission, input: &str) {
        let route = match emission.kind {
            EmissionKind::Text | EmissionKind::ElementText => self.route(),
            EmissionKind::Reasoning => Route::Reasoning,
            EmissionKind::Comment => return self.keep_comment(emission, input),
            EmissionKind::CommentEnd => return self.collected.transcript.interrupt(),
            EmissionKind::Notice(code, depth) => {
                return self.keep_notice(code, depth, emission.span, None);
            }
            EmissionKind::Repair(code, depth, cost) => {
                return self.keep_notice(code, depth, emission.span, Some(cost));
            }
            _ => return,
        };
        let mut transcript = core::mem::take(&mut self.collected.transcript);
        let element = self.open_elements.last().copied().unwrap_or(0);
        transcript.emit(element, route, self.text_of(emission.text, input), emission.span);
        self.collected.transcript = transcript;
    }

    fn keep_notice(&mut self, code: Code, depth: u32, span: Span, cost: Option<RepairCost>) {
        let path = &self.fold.cursor.path;
        let notice = Notice { code, path: path.path(depth as usize), span, cost };
        self.collected.notices.add(&notice, path.size());
    }

    fn keep_comment(&mut self, emission: &Emission, input: &str) {
        let element = self.around_comment().map_or(0, ElementId::get);
        let mut transcript = core::mem::take(&mut self.collected.transcript);
        transcript.comment(element, self.text_of(emission.text, input));
        self.collected.transcript = transcript;
    }
}
