//! Elements: where their text goes, and the acts of markers, one at a time.

use super::machines::{Destination, OpenBody};
use super::mentions;
use super::reader::{Reader, RoutedText};
use super::text_parts::{ClosedBody, CutBody};
use crate::codes::Code;
use crate::error::Error;
use crate::event::{CloseReason, ElementId, ElementOpen, Params};
use crate::fold::EmissionKind;
use crate::format::body::{Body, BodyKind};
use crate::span::Span;
use crate::tags::{self, Act, Channel, Family};
use crate::transcript::{ElementRecord, Route};

impl Reader {
    /// Where text at the current position goes.
    #[inline]
    pub(super) fn destination(&self) -> Destination {
        match self.open_elements.last() {
            None => self.destination_outside(),
            Some(&id) => self.destination_inside(id),
        }
    }

    fn destination_inside(&self, id: u32) -> Destination {
        if self.machines.body_of(id).is_some() {
            return Destination::Body;
        }
        match self.collected.transcript.element(id).map(|record| (record.route, record.family)) {
            Some((_, family)) if self.is_comment(family) => {
                Destination::Text(EmissionKind::Comment)
            }
            Some((Route::Text, _)) => self.destination_outside(),
            Some((Route::Reasoning, _)) => Destination::Text(EmissionKind::Reasoning),
            _ => Destination::Text(EmissionKind::ElementText),
        }
    }

    /// Where text outside elements goes.
    fn destination_outside(&self) -> Destination {
        if self.reads_text() && self.router.is_some() {
            Destination::Text(EmissionKind::Text)
        } else {
            Destination::Format
        }
    }

    /// Whether the spec has no payload: the whole answer is text.
    pub(super) fn reads_text(&self) -> bool {
        self.spec.0.is_text
    }

    /// The innermost element.
    pub(super) fn element(&self) -> Option<ElementId> {
        self.open_elements.last().map(|&id| ElementId(id))
    }

    fn is_comment(&self, family: u16) -> bool {
        self.family(family).is_some_and(|family| family.comment)
    }

    pub(super) fn family(&self, number: u16) -> Option<&Family> {
        self.router.as_ref().map(|router| router.tags().family(number))
    }

    /// The route of an element of this family that opens here.
    fn route_of(&self, number: u16) -> Route {
        let around = || {
            let around =
                self.open_elements.last().and_then(|&id| self.collected.transcript.element(id));
            around.map_or(Route::Text, |record| record.route)
        };
        match self.family(number).map(Family::channel) {
            Some(Channel::Reasoning) => Route::Reasoning,
            Some(Channel::Answer) => Route::Answer,
            Some(Channel::Named(_)) => Route::Named(number),
            Some(Channel::Parent) => around(),
            _ => Route::Text,
        }
    }

    /// Begins the stream inside an element whose opener was in the prompt.
    pub(super) fn begin_inside(&mut self, number: u16) {
        self.record(0, number, Vec::new(), Span::at(0));
    }

    /// Executes the next act of a marker.
    pub(super) fn take_act(&mut self, start: u64) -> Result<(), Error> {
        let act = match self.act.take() {
            Some(act) => Some(act),
            None => self.router.as_mut().and_then(tags::Router::act),
        };
        match act {
            None => self.routed = RoutedText::None,
            Some(act) if self.interrupts(&act) && self.interrupt_body(start)? => {
                self.act = Some(act);
            }
            Some(Act::Notice(code, span)) => self.fold.notice(code, span),
            Some(Act::Open { parent, family, params, end, .. }) => {
                self.open_element(parent.unwrap_or(0), family, params, end)?;
            }
            Some(Act::Close { id, reason, end }) => {
                let inside = start.max(self.fold.outbox.last_end);
                if self.end_body(id, reason, inside)? {
                    self.act = Some(Act::Close { id, reason, end });
                } else {
                    self.close_element(id, reason, inside, end);
                }
            }
            Some(Act::Stray { family, end }) => {
                self.collected.transcript.interrupt();
                mentions::doubt(self, family);
                mentions::doubt_closer(self, family, Span::new(start, end));
                self.fold.outbox.emit(EmissionKind::Stray(family), end);
            }
            Some(Act::Reclassify { from, to, family }) => self.reclassify(from, to, family),
        }
        Ok(())
    }

    /// Whether text that the body holds must be emitted before this act, because the element continues
    /// after it.
    fn interrupts(&self, act: &Act) -> bool {
        match act {
            Act::Open { .. } | Act::Stray { .. } => true,
            Act::Notice(Code::StrayCloser | Code::RepeatedOpener, _) => {
                self.router.as_ref().is_some_and(tags::Router::is_stray)
            }
            Act::Notice(..) | Act::Close { .. } | Act::Reclassify { .. } => false,
        }
    }

    /// Starts to count payloads for the router. Called where text begins, or continues after an element.
    fn count_payloads(&mut self) {
        if let (Some(payloads), Some(router)) = (self.standing().payloads(), &mut self.router) {
            router.count_from(payloads.begun);
        }
    }

    /// Handles a marker inside a body that does not end the body: folds the next token of the bytes that
    /// the body holds. Whether there was one.
    fn interrupt_body(&mut self, at: u64) -> Result<bool, Error> {
        Ok(self.destination() == Destination::Body && self.fold_held(Destination::Body, at)?)
    }

    fn record(&mut self, parent: u32, number: u16, params: tags::MarkerParams, span: Span) {
        let route = self.route_of(number);
        let named_by = self.family(number).and_then(|family| family.named_by.as_ref());
        let tag = params.iter().find(|(name, _)| Some(name) == named_by);
        let tag = tag.map(|(_, value)| value.as_str().into());
        self.collected.transcript.open(ElementRecord {
            id: 0,
            family: number,
            tag,
            parent,
            params,
            route,
            reason: None,
            span,
            inside: Span::at(span.end),
            document: None,
            interrupted: core::mem::take(&mut self.interrupted),
            doubted_by: None,
            is_cut: false,
            ran_over: false,
            items: 0..0,
        });
        self.open_elements.push(self.collected.transcript.count());
    }

    fn open_element(
        &mut self,
        parent: u32,
        number: u16,
        params: tags::MarkerParams,
        end: u64,
    ) -> Result<(), Error> {
        self.fold.documents.count_value(end)?;
        self.record(parent, number, params, Span::new(self.fold.outbox.last_end, end));
        let id = self.collected.transcript.count();
        if self.is_comment(number) {
            // The opener's bytes belong to the comment event that comes next, or to the comment's end.
            return Ok(());
        }
        let params = self.collected.transcript.element(id).map_or(&[][..], |record| &record.params);
        let settings = &self.spec.0;
        let family = self.family(number);
        let fields = || settings.row.has_payload().then(|| settings.new_machine());
        if let Some(body) = family.and_then(|own| Body::of(own, params, &settings.json, fields)) {
            let shaped = body.kind == BodyKind::Fields;
            self.machines.canonicalize_body();
            self.machines.bodies.push(OpenBody { element: id, body });
            self.fold.documents.enter_body(ElementId(id), shaped);
            self.count_payloads();
        }
        self.fold.outbox.emit(EmissionKind::ElementOpen(id), end);
        Ok(())
    }

    /// Ends the body of an element that closes: emits what is left. Whether there may be more.
    fn end_body(&mut self, id: u32, reason: CloseReason, end: u64) -> Result<bool, Error> {
        if self.machines.bodies.is_empty() {
            return self.end_payload(end);
        }
        if self.machines.body_of(id).is_none() {
            return Ok(false);
        }
        let cut = reason == CloseReason::EndOfInput;
        if self.cut_body.is_none() {
            self.fold.note_input_end();
        }
        let made = self.fold_last_token(Destination::Body, &mut |machine| {
            if cut { machine.finish(end) } else { machine.close(end) }
        })?;
        if made {
            return Ok(true);
        }
        if self.cut_body.is_none() && self.fold.notice_of_cut(end) {
            self.cut_body = Some(CutBody { leaf: self.fold.open_string_node() });
            return Ok(true);
        }
        if self.fold.close_one(end)? {
            return Ok(true);
        }
        Ok(false)
    }

    /// Records the first document of the innermost element's body.
    pub(super) fn note_document(&mut self) {
        let Some(open) = self.machines.bodies.last() else { return };
        let record = self.collected.transcript.element_mut(open.element);
        if let (Some(record), Some(document)) = (record, self.fold.documents.of_body()) {
            record.document.get_or_insert(document);
        }
    }

    /// Ends a payload because its element ends: emits what is left. Whether there was anything.
    fn end_payload(&mut self, end: u64) -> Result<bool, Error> {
        let at = self.standing();
        if at.to != Destination::Format || !at.position.is_inside() {
            return Ok(false);
        }
        if self.fold_last_token(at.to, &mut |machine| machine.finish(end))?
            || self.fold.close_one(end)?
        {
            return Ok(true);
        }
        self.machines.format.get_mut().leave();
        Ok(false)
    }

    fn close_element(&mut self, id: u32, reason: CloseReason, start: u64, end: u64) {
        let Some(record) = self.collected.transcript.element(id) else { return };
        let (route, family) = (record.route, record.family);
        let span = Span::new(start, end);
        let cut = self.cut_body.take();
        if let Some(body) = self.machines.body_of(id) {
            let closed = ClosedBody { element: id, end: start, cut };
            self.collected.keep_part(closed, body, &self.fold);
            self.machines.bodies.pop();
            self.fold.documents.leave_body();
        }
        if let Some(record) = self.collected.transcript.element_mut(id) {
            record.is_cut = cut.is_some_and(|cut| cut.leaf.is_some());
        }
        self.collected.transcript.close(id, reason, span);
        self.open_elements.pop();
        self.count_payloads();
        if self.is_comment(family) {
            self.fold.outbox.emit(EmissionKind::CommentEnd, end);
            return;
        }
        self.fold.outbox.emit(EmissionKind::ElementClose(id, reason), end);
        if route == Route::Reasoning {
            if let CloseReason::Interrupted { .. } = reason {
                self.interrupted.push(family);
            }
            self.fold.outbox.emit(EmissionKind::ReasoningDone, end);
        }
    }

    fn reclassify(&mut self, from: u64, to: u64, number: u16) {
        let route = self.route_of(number);
        self.restore_payload(from, to);
        self.collected.transcript.reclassify(from, to, route);
        self.collected.reclassify(from, to);
        let here = Span::new(from, to);
        self.fold.notice(Code::Reclassified, here);
        self.fold.outbox.emit_marker(EmissionKind::Reclassify(from, to, number), here);
    }

    /// Gives the text of a discarded payload back to its channel.
    fn restore_payload(&mut self, from: u64, to: u64) {
        let Some(end) = self.machines.format.answer_end() else { return };
        let Some(raw) = &self.collected.raw else { return };
        if from < end && end <= to && self.fold.documents.keeps_values() {
            self.collected.transcript.restore(Span::new(from, end), raw);
        }
    }

    pub(super) fn element_open(&self, id: u32, span: Span) -> ElementOpen<'_> {
        let record = self.collected.transcript.element(id);
        ElementOpen {
            id: ElementId(id),
            parent: record.filter(|record| record.parent > 0).map(|r| ElementId(r.parent)),
            name: record.map_or("", |record| self.collected.transcript.name(record)),
            channel: record.map_or("", |record| self.collected.transcript.channel(record.route)),
            params: Params::new(record.map_or(&[], |record| &record.params)),
            span,
        }
    }
}
