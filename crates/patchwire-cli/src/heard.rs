//! What was told of an answer before it was known how the stream ends.

use std::io;

use patchwire::{CloseReason, ElementId, ElementOpen, Event, Span, Values};

use crate::reading::Sink;

/// All that is shown of a stream that stops early.
#[derive(Default)]
pub(crate) struct Heard {
    text: String,
    answer: Option<String>,
    pub(crate) reasoning: String,
    /// Their wire form.
    pub(crate) notices: Vec<String>,
    /// In the order of their numbers.
    pub(crate) elements: Vec<HeardElement>,
}

/// An element that was opened.
pub(crate) struct HeardElement {
    pub(crate) id: ElementId,
    pub(crate) parent: Option<ElementId>,
    pub(crate) name: String,
    pub(crate) channel: String,
    pub(crate) params: Vec<(String, String)>,
    /// None while it is open.
    pub(crate) reason: Option<CloseReason>,
    pub(crate) text: String,
    pub(crate) span: Span,
}

impl Heard {
    /// The answer as text, as far as it came.
    pub(crate) fn text(&self) -> &str {
        self.answer.as_deref().unwrap_or(&self.text)
    }

    fn open(&mut self, open: ElementOpen<'_>) {
        if open.channel == "answer" {
            self.answer.get_or_insert_default();
        }
        let params = open.params.iter();
        self.elements.push(HeardElement {
            id: open.id,
            parent: open.parent,
            name: open.name.to_owned(),
            channel: open.channel.to_owned(),
            params: params.map(|(name, value)| (name.to_owned(), value.to_owned())).collect(),
            reason: None,
            text: String::new(),
            span: open.span,
        });
    }

    fn element(&mut self, id: ElementId) -> Option<&mut HeardElement> {
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
}

impl Sink for Heard {
    fn event(&mut self, event: Event<'_>) -> io::Result<()> {
        match event {
            Event::Text(text) => {
                self.grow(text.element, &text.delta, text.span);
                match (text.channel, &mut self.answer) {
                    ("answer", Some(answer)) => answer.push_str(&text.delta),
                    ("text", _) => self.text.push_str(&text.delta),
                    _ => {}
                }
            }
            Event::Reasoning(text) => {
                self.grow(text.element, &text.delta, text.span);
                self.reasoning.push_str(&text.delta);
            }
            Event::ElementOpen(open) => self.open(open),
            Event::ElementClose { id, reason, span } => self.close(id, reason, span),
            Event::Notice(_) => self.notices.push(event.wire(Values::Leaf).to_string()),
            _ => {}
        }
        Ok(())
    }
}
