//! The documents of a response, numbered across its parsers.

use patchwire::{
    Event, OwnedEvent,
    document::DocId,
    event::{Origin, Recorder},
};

use crate::event::ResponseEvent;
use crate::event_queue::EventQueue;

/// A document of a response.
#[derive(Debug, Clone, Copy)]
pub(crate) struct DocumentEntry {
    /// The parser that reads it: 0 for the answer, `n` for the tool call with number `n`.
    pub(crate) parser: u32,
    /// The number that the parser gives it.
    pub(crate) local: DocId,
    /// Known after the first patch of the document.
    pub(crate) origin: Option<Origin>,
}

/// Turns the events of one parser into events of the response.
pub(crate) struct EventConverter {
    parser: usize,
    attempt: u32,
    recorder: Recorder,
    /// The response's number of each document of the parser.
    numbers: Vec<DocId>,
}

impl EventConverter {
    /// Numbers the first document of the parser at once, so that every parser has one.
    pub(crate) fn new(parser: usize, attempt: u32, documents: &mut Vec<DocumentEntry>) -> Self {
        let recorder = Recorder::default();
        let mut converter = Self { parser, attempt, recorder, numbers: Vec::new() };
        converter.number(DocId::ANSWER, documents);
        converter
    }

    /// A converter for a parser that had one document before, with this number.
    pub(crate) fn again(call: u32, attempt: u32, document: DocId) -> Self {
        let (parser, recorder) = (call as usize, Recorder::default());
        Self { parser, attempt, recorder, numbers: vec![document] }
    }

    /// Notes an event that was emitted before.
    pub(crate) fn note(&mut self, event: &Event<'_>) {
        self.recorder.observe(event);
    }

    /// Whether the parser had no document but the first.
    pub(crate) const fn has_one_document(&self) -> bool {
        self.numbers.len() == 1
    }

    /// The response's number of the parser's first document.
    pub(crate) fn first_document(&self) -> DocId {
        self.numbers[0]
    }

    /// The number of the tool call; none for the answer.
    pub(crate) fn call(&self) -> Option<u32> {
        u32::try_from(self.parser).ok().filter(|number| *number > 0)
    }

    /// Adds the event to the queue, with the response's numbers. Of a tool call, only the events of its document are
    /// events of the response; [`Call::answer`](crate::Call::answer) has the rest.
    pub(crate) fn convert(
        &mut self,
        event: &Event<'_>,
        documents: &mut Vec<DocumentEntry>,
        queue: &mut EventQueue,
    ) {
        if queue.skips(event) {
            return self.leave_out(event, documents, queue);
        }
        let mut owned = self.recorder.own(event);
        match &mut owned {
            OwnedEvent::Patch(patch) => {
                patch.document = self.number(patch.document, documents);
                patch.origin = self.origin(patch.origin);
                documents[patch.document.index()].origin.get_or_insert(patch.origin);
            }
            OwnedEvent::RootComplete { document, .. } => {
                *document = self.number(*document, documents);
            }
            _ if self.call().is_some() => return,
            _ => {}
        }
        queue.push_back(ResponseEvent::Parsed(owned));
    }

    /// The origin of a patch in the response.
    fn origin(&self, mut origin: Origin) -> Origin {
        origin.attempt = self.attempt;
        origin.call = self.call();
        origin
    }

    /// Numbers the document of an event that is left out.
    fn leave_out(
        &mut self,
        event: &Event<'_>,
        documents: &mut Vec<DocumentEntry>,
        queue: &mut EventQueue,
    ) {
        match event {
            Event::Patch(patch) => {
                self.recorder.observe(event);
                let document = self.number(patch.document, documents);
                let origin = self.origin(*patch.origin);
                documents[document.index()].origin.get_or_insert(origin);
            }
            Event::RootComplete { document, .. } => drop(self.number(*document, documents)),
            _ if self.call().is_some() => return,
            _ => {}
        }
        queue.skip_one();
    }

    fn number(&mut self, local: DocId, documents: &mut Vec<DocumentEntry>) -> DocId {
        while self.numbers.len() <= local.index() {
            let local = DocId::from_number(self.numbers.len() as u32);
            self.numbers.push(DocId::from_number(documents.len() as u32));
            let parser = self.parser as u32;
            documents.push(DocumentEntry { parser, local, origin: None });
        }
        self.numbers[local.index()]
    }
}
