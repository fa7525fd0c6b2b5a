//! The answer so far, collected while its end is unknown.

use std::io;

use patchwire::{
    Event, Limit, Limits, OwnedEvent, Span,
    event::{CloseReason, ElementId},
};
use patchwire_async::ResponseEvent;

use crate::sink::Sink;

/// What is shown of a stream that stops early.
#[derive(Default)]
pub(crate) struct PartialAnswer {
    text: String,
    answer: Option<String>,
    pub(crate) reasoning: String,
    /// The first notices, in their wire form.
    pub(crate) notices: Vec<String>,
    /// How many there were.
    pub(crate) notice_count: u64,
    /// Ordered by id.
    pub(crate) elements: Vec<PartialElement>,
}

/// An element that was opened, with its text so far.
pub(crate) struct PartialElement {
    pub(crate) id: ElementId,
    pub(crate) parent: Option<ElementId>,
    pub(crate) name: String,
    pub(crate) channel: String,
    pub(crate) params: Vec<(String, String)>,
    /// `None` while the element is open.
    pub(crate) reason: Option<CloseReason>,
    pub(crate) text: String,
    pub(crate) span: Span,
}

impl PartialAnswer {
    /// The text of the answer so far.
    pub(crate) fn text(&self) -> &str {
        self.answer.as_deref().unwrap_or(&self.text)
    }

    fn element(&mut self, id: ElementId) -> Option<&mut PartialElement> {
        let found = self.elements.binary_search_by_key(&id, |element| element.id);
        found.ok().map(|at| &mut self.elements[at])
    }

    fn grow(&mut self, id: Option<ElementId>, text: &str, span: Span) {
        if let Some(element) = id.and_then(|id| self.element(id)) {
            element.text.push_str(text);
            element.span.end = span.end;
        }
    }

    fn close(&mut self, id: ElementId, reason: CloseReason, span: Span) {
        if let Some(element) = self.element(id) {
            element.reason = Some(reason);
            element.span.end = span.end;
        }
    }

    /// Adds text outside any payload to its channel.
    fn say(&mut self, channel: &str, text: &str) {
        match (channel, &mut self.answer) {
            ("answer", Some(answer)) => answer.push_str(text),
            ("text", _) => self.text.push_str(text),
            _ => {}
        }
    }
}

impl Sink for PartialAnswer {
    fn event(&mut self, event: Event<'_>) -> io::Result<()> {
        match event {
            // Patches are not kept, and making them owned costs most.
            Event::Patch(_) => Ok(()),
            event => {
                self.take(&event.to_owned());
                Ok(())
            }
        }
    }

    fn owned(&mut self, event: &ResponseEvent) -> io::Result<()> {
        if let Some(event) = event.as_parsed() {
            self.take(event);
        }
        Ok(())
    }
}

impl PartialAnswer {
    /// Keeps what is needed of an event of the engine.
    pub(crate) fn take(&mut self, event: &OwnedEvent) {
        match event {
            OwnedEvent::Text { channel, element, delta, span, .. } => {
                self.grow(*element, delta, *span);
                self.say(channel, delta);
            }
            OwnedEvent::Reasoning { element, delta, span, .. } => {
                self.grow(*element, delta, *span);
                self.reasoning.push_str(delta);
            }
            OwnedEvent::ElementOpen { id, parent, name, channel, params, span, .. } => {
                if channel == "answer" {
                    self.answer.get_or_insert_default();
                }
                self.elements.push(PartialElement {
                    id: *id,
                    parent: *parent,
                    name: name.to_string(),
                    channel: channel.to_string(),
                    params: params.clone(),
                    reason: None,
                    text: String::new(),
                    span: *span,
                });
            }
            OwnedEvent::ElementClose { id, reason, span, .. } => self.close(*id, *reason, *span),
            OwnedEvent::Notice(_) => {
                self.notice_count += 1;
                if self.notice_count <= Limits::default().get(Limit::Notices) {
                    self.notices.push(event.to_string());
                }
            }
            _ => {}
        }
    }
}
