//! Elements of the tag set: what markers did to them, emitted step by step.

use super::Parser;
use super::parts::CutBody;
use super::routing::Segment;
use crate::codes::Code;
use crate::error::Error;
use crate::event::{CloseReason, ElementId, ElementOpen, Params};
use crate::fold::EmissionKind;
use crate::format::body::{Body, BodyKind};
use crate::span::Span;
use crate::spec::Format;
use crate::tags::{self, Act, Channel, Family};
use crate::transcript::{ElementRecord, Route};

/// Where text goes that is read now.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Sink {
    /// To the format that looks for the payload.
    Format,
    /// It is emitted as it is.
    Text(EmissionKind),
    /// To the body of the open element.
    Body,
}

impl Parser {
    /// Where text goes that is read now.
    pub(super) fn sink(&self) -> Sink {
        let Some(&id) = self.open_elements.last() else { return self.format_sink() };
        if self.body.as_ref().is_some_and(|&(own, _)| own == id) {
            return Sink::Body;
        }
        match self.transcript.element(id).map(|record| (record.route, record.family)) {
            Some((_, family)) if self.is_comment(family) => Sink::Text(EmissionKind::Comment),
            Some((Route::Text, _)) => self.format_sink(),
            Some((Route::Reasoning, _)) => Sink::Text(EmissionKind::Reasoning),
            _ => Sink::Text(EmissionKind::ElementText),
        }
    }

    /// Where text goes that no element takes: where no payload is looked for, that is all of it.
    fn format_sink(&self) -> Sink {
        let settings = &self.spec.0;
        let plain = settings.format == Format::Text && settings.machine.is_none();
        if plain && self.router.is_some() { Sink::Text(EmissionKind::Text) } else { Sink::Format }
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

    /// Where the text of a family's elements goes, where it opens now.
    fn route_of(&self, number: u16) -> Route {
        let around = || {
            let around = self.open_elements.last().and_then(|&id| self.transcript.element(id));
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

    /// The stream begins inside an element: nobody saw its opener.
    pub(super) fn begin_inside(&mut self, number: u16) {
        self.record(0, number, Vec::new(), Span::at(0));
    }

    /// Does the next step of what a marker did.
    pub(super) fn take_act(&mut self, start: u64) -> Result<(), Error> {
        let act = match self.act.take() {
            Some(act) => Some(act),
            None => self.router.as_mut().and_then(tags::Router::act),
        };
        match act {
            None => self.segment = Segment::None,
            Some(act) if self.interrupts(&act) && self.interrupt_body(start)? => {
                self.act = Some(act);
            }
            Some(Act::Notice(code, span)) => self.fold.notice(code, span),
            Some(Act::Open { parent, family, params, end, .. }) => {
                self.open_element((parent.unwrap_or(0), family), params, end)?;
            }
            Some(Act::Close { id, reason, end }) => {
                let inside = start.max(self.fold.outbox.last_end);
                if self.end_body(id, reason, inside)? {
                    self.act = Some(Act::Close { id, reason, end });
                } else {
                    self.close_element(id, reason, (inside, end));
                }
            }
            Some(Act::Stray { family, end }) => {
                self.transcript.interrupt();
                self.fold.outbox.emit(EmissionKind::Stray(family), end);
            }
            Some(Act::Reclassify { from, to, family }) => self.reclassify(from, to, family),
        }
        Ok(())
    }

    /// Whether what the body of an element holds comes before this: the element goes on behind it.
    fn interrupts(&self, act: &Act) -> bool {
        match act {
            Act::Open { .. } | Act::Stray { .. } => true,
            Act::Notice(Code::StrayCloser, _) => {
                self.router.as_ref().is_some_and(tags::Router::is_stray)
            }
            Act::Notice(..) | Act::Close { .. } | Act::Reclassify { .. } => false,
        }
    }

    /// Text goes on where it was, or begins: payloads of others do not matter to it.
    fn count_payloads(&mut self) {
        if let (Some((payloads, _)), Some(router)) = (self.payloads(), &mut self.router) {
            router.count_from(payloads);
        }
    }

    /// A marker that does not end it stands in the body of an element: what the body held because of what might have
    /// followed. Whether there was anything.
    fn interrupt_body(&mut self, at: u64) -> Result<bool, Error> {
        let inside = self.sink() == Sink::Body;
        let Some((id, body)) = self.body.as_mut().filter(|_| inside) else { return Ok(false) };
        let id = *id;
        let Some(token) = body.machine.get_mut().interrupt(at) else { return Ok(false) };
        let text = body.machine.resolve(token.text, "");
        self.fold.apply(token, text)?;
        self.note_document(id);
        Ok(true)
    }

    fn record(&mut self, parent: u32, number: u16, params: tags::MarkerParams, span: Span) {
        let route = self.route_of(number);
        let named_by = self.family(number).and_then(|family| family.named_by.as_ref());
        let tag = params.iter().find(|(name, _)| Some(name) == named_by);
        let tag = tag.map(|(_, value)| value.as_str().into());
        self.transcript.open(ElementRecord {
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
            items: 0..0,
        });
        self.open_elements.push(self.transcript.count());
    }

    fn open_element(
        &mut self,
        (parent, number): (u32, u16),
        params: tags::MarkerParams,
        end: u64,
    ) -> Result<(), Error> {
        self.fold.documents.count_value(end)?;
        self.record(parent, number, params, Span::new(self.fold.outbox.last_end, end));
        let id = self.transcript.count();
        if self.is_comment(number) {
            // Its bytes are those of the comment that is emitted next, or of its end.
            return Ok(());
        }
        let params = self.transcript.element(id).map_or(&[][..], |record| &record.params);
        let settings = &self.spec.0;
        let family = self.family(number);
        let fields = || (settings.format != Format::Text).then(|| Self::format_of(settings));
        if let Some(body) = family.and_then(|own| Body::of(own, params, &settings.json, fields)) {
            let shaped = body.kind == BodyKind::Fields;
            if let Some((around, mut body)) = self.body.replace((id, body)) {
                body.machine.get_mut().canonicalize();
                self.bodies.push((around, body));
            }
            self.fold.documents.enter_body(ElementId(id), shaped);
            self.count_payloads();
        }
        self.fold.outbox.emit(EmissionKind::ElementOpen(id), end);
        Ok(())
    }

    /// The element ends: what its body has still to emit. Whether there is more.
    fn end_body(&mut self, id: u32, reason: CloseReason, end: u64) -> Result<bool, Error> {
        let Some((own, body)) = &mut self.body else { return self.end_payload(end) };
        if *own != id {
            return Ok(false);
        }
        if let Some(token) = {
            let machine = body.machine.get_mut();
            if reason == CloseReason::EndOfInput { machine.finish(end) } else { machine.close(end) }
        }? {
            let text = body.machine.resolve(token.text, "");
            self.fold.apply(token, text)?;
            self.note_document(id);
            return Ok(true);
        }
        if self.fold.has_open() && self.cut_body.is_none() {
            self.cut_body = Some(CutBody { leaf: self.fold.open_string_node() });
            self.fold.notice(Code::Truncated, Span::at(end));
            return Ok(true);
        }
        if self.fold.close_one(end)? {
            return Ok(true);
        }
        Ok(false)
    }

    /// The element's body has begun a document: the first is the element's.
    pub(super) fn note_document(&mut self, id: u32) {
        let document = self.fold.documents.of_body();
        if let (Some(record), Some(document)) = (self.transcript.element_mut(id), document) {
            record.document.get_or_insert(document);
        }
    }

    /// The element ends inside a payload: what the format has still to emit. Whether there is more.
    fn end_payload(&mut self, end: u64) -> Result<bool, Error> {
        if self.sink() != Sink::Format || !self.format.position().is_inside() {
            return Ok(false);
        }
        if let Some(token) = self.format.get_mut().finish(end)? {
            let text = self.format.resolve(token.text, "");
            self.token_log.add(token, text);
            self.fold.apply(token, text)?;
            return Ok(true);
        }
        if self.fold.close_one(end)? {
            return Ok(true);
        }
        self.format.get_mut().leave();
        Ok(false)
    }

    fn close_element(&mut self, id: u32, reason: CloseReason, (start, end): (u64, u64)) {
        let Some(record) = self.transcript.element(id) else { return };
        let (route, family) = (record.route, record.family);
        let span = Span::new(start, end);
        let cut = self.cut_body.take();
        if self.body.as_ref().is_some_and(|&(own, _)| own == id) {
            self.keep_part(id, start, cut);
            self.body = self.bodies.pop();
            self.fold.documents.leave_body();
        }
        self.transcript.close(id, reason, span);
        self.open_elements.pop();
        self.count_payloads();
        if self.is_comment(family) {
            self.fold.outbox.emit(EmissionKind::CommentEnd, end);
            return;
        }
        self.fold.outbox.emit(EmissionKind::ElementClose(id, reason), end);
        if route == Route::Reasoning {
            self.fold.outbox.emit(EmissionKind::ReasoningDone, end);
        }
    }

    fn reclassify(&mut self, from: u64, to: u64, number: u16) {
        let route = self.route_of(number);
        self.restore_payload(from, to);
        self.transcript.reclassify(from, to, route);
        match self.reclassified.last_mut().filter(|last| last.end >= from) {
            Some(last) => last.end = to,
            None => self.reclassified.push(Span::new(from, to)),
        }
        let here = Span::new(from, to);
        self.fold.notice(Code::Reclassified, here);
        self.fold.outbox.emit_marker(EmissionKind::Reclassify(from, to, number), here);
    }

    /// What was taken for the payload in a text of another channel is a part of that text.
    fn restore_payload(&mut self, from: u64, to: u64) {
        let (Some(end), Some(raw)) = (self.format.answer_end(), &self.raw) else { return };
        if from < end && end <= to && self.fold.documents.keeps_values() {
            self.transcript.restore(Span::new(from, end), raw);
        }
    }

    pub(super) fn element_open(&self, id: u32, span: Span) -> ElementOpen<'_> {
        let record = self.transcript.element(id);
        ElementOpen {
            id: ElementId(id),
            parent: record.filter(|record| record.parent > 0).map(|r| ElementId(r.parent)),
            name: record.map_or("", |record| self.transcript.name(record)),
            channel: record.map_or("", |record| self.transcript.channel(record.route)),
            params: Params::new(record.map_or(&[], |record| &record.params)),
            span,
        }
    }
}
