//! The parts of a response: the answer, and each tool call. A call that others follow is kept as its text, which
//! takes a few hundred bytes, and not as a parser, which takes some thousands.

use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use bytestring::ByteString;
use patchwire::{Parser, Spec, ValueRef, document::DocId};
use patchwire_sources::CallState;

use crate::argument_specs::{arguments_spec, no_arguments};
use crate::documents::{DocumentEntry, EventConverter};
use crate::event::ResponseEvent;
use crate::event_queue::EventQueue;

/// A call is read again from its beginning at most this often, if its parts alternate with those of many others.
/// After that its parser stays.
const REVIVALS: u8 = 8;

/// One tool call.
pub(crate) enum CallPart {
    /// It is read.
    Live(Box<LivePart>),
    /// Others follow it. If more of it comes, it is read again.
    Kept(Arc<KeptCall>),
}

/// The answer or a call, with its parser.
pub(crate) struct LivePart {
    pub(crate) parser: Parser,
    pub(crate) converter: EventConverter,
    spec: Spec,
    /// What is known of the call.
    pub(crate) state: CallState,
    /// The arguments of a call so far.
    text: Vec<u8>,
    /// Whether the arguments are the text that a custom tool takes.
    pub(crate) is_text: bool,
    /// Whether bytes were fed.
    pub(crate) has_begun: bool,
    /// How often the call was read again.
    revivals: u8,
}

/// A call as its text.
pub(crate) struct KeptCall {
    pub(crate) state: CallState,
    text: Box<[u8]>,
    spec: Spec,
    /// Its document in the response.
    pub(crate) document: DocId,
    /// Its number in the response; the answer has 0.
    number: u32,
    pub(crate) is_text: bool,
    revivals: u8,
    answer: OnceLock<patchwire::Answer>,
}

impl LivePart {
    pub(crate) fn new(spec: Spec, converter: EventConverter) -> Self {
        Self {
            parser: spec.parser(),
            converter,
            spec,
            state: CallState::default(),
            text: Vec::new(),
            is_text: false,
            has_begun: false,
            revivals: 0,
        }
    }

    /// Reads the arguments by another spec. Nothing was fed before.
    pub(crate) fn set_spec(&mut self, spec: Spec) {
        self.parser = spec.parser();
        self.spec = spec;
    }

    /// Parses the next bytes. The text of a call is kept.
    pub(crate) fn feed(
        &mut self,
        bytes: Bytes,
        documents: &mut Vec<DocumentEntry>,
        queue: &mut EventQueue,
    ) -> Result<(), patchwire::Error> {
        let Self { parser, converter, text, .. } = self;
        if converter.call().is_some() {
            text.extend_from_slice(&bytes);
        }
        parser.feed_bytes(bytes, |event| converter.convert(&event, documents, queue))
    }

    /// Ends the parser.
    pub(crate) fn finish(
        &mut self,
        documents: &mut Vec<DocumentEntry>,
        queue: &mut EventQueue,
    ) -> Result<patchwire::Answer, patchwire::Error> {
        let Self { parser, converter, .. } = self;
        parser.finish(|event| converter.convert(&event, documents, queue))
    }

    /// Whether the call may be kept as its text: it can be read again, with the same documents.
    pub(crate) fn may_be_kept(&self) -> bool {
        self.converter.has_one_document() && self.revivals < REVIVALS
    }

    /// The call as its text, with its answer if it is known.
    pub(crate) fn keep(&mut self, answer: Option<patchwire::Answer>) -> KeptCall {
        KeptCall {
            state: core::mem::take(&mut self.state),
            text: core::mem::take(&mut self.text).into(),
            spec: self.spec.clone(),
            document: self.converter.first_document(),
            number: self.converter.call().unwrap_or_default(),
            is_text: self.is_text,
            revivals: self.revivals,
            answer: answer.map(OnceLock::from).unwrap_or_default(),
        }
    }

    /// The call with the arguments that have arrived. Arguments that strict reading refuses if they are cut are not
    /// known before their end.
    pub(crate) fn so_far(&self, none: impl FnOnce() -> patchwire::Answer) -> KeptCall {
        let answer = self.parser.clone().finish(|_| {}).unwrap_or_else(|_| none());
        KeptCall {
            state: self.state.clone(),
            text: Box::default(),
            spec: self.spec.clone(),
            document: self.converter.first_document(),
            number: self.converter.call().unwrap_or_default(),
            is_text: self.is_text,
            revivals: self.revivals,
            answer: OnceLock::from(answer),
        }
    }
}

impl KeptCall {
    /// A call that the model wrote as text.
    pub(crate) fn written(call: &patchwire::answer::Call) -> Self {
        let mut state = CallState::default();
        state.take(call.id(), Some(call.name()), b"");
        Self {
            state,
            text: Box::default(),
            spec: arguments_spec(),
            document: call.document().unwrap_or(DocId::ANSWER),
            number: 0,
            is_text: call.is_text(),
            revivals: 0,
            answer: OnceLock::from(call.answer().clone()),
        }
    }

    /// The answer for the arguments, read when it is first asked for.
    pub(crate) fn answer(&self) -> &patchwire::Answer {
        self.answer.get_or_init(|| {
            let read = self.spec.parse(&*self.text);
            read.unwrap_or_else(|_| no_arguments())
        })
    }

    /// The call with a parser that has read its text. The events were emitted before.
    pub(crate) fn revived(&self, attempt: u32) -> Result<LivePart, patchwire::Error> {
        let converter = EventConverter::again(self.number, attempt, self.document);
        let mut part = LivePart::new(self.spec.clone(), converter);
        part.state = self.state.clone();
        part.text = self.text.to_vec();
        part.is_text = self.is_text;
        part.has_begun = !self.text.is_empty();
        part.revivals = self.revivals + 1;
        let LivePart { parser, converter, text, .. } = &mut part;
        parser.feed(&*text, |event| converter.note(&event))?;
        Ok(part)
    }
}

impl CallPart {
    /// The call with its parser.
    pub(crate) fn revive(&mut self, attempt: u32) -> Result<&mut LivePart, patchwire::Error> {
        if let Self::Kept(call) = self {
            let part = call.revived(attempt)?;
            *self = Self::Live(Box::new(part));
        }
        match self {
            Self::Live(part) => Ok(part),
            Self::Kept(_) => {
                Err(patchwire::Error { kind: patchwire::ErrorKind::Finished, offset: 0 })
            }
        }
    }

    pub(crate) fn state(&self) -> &CallState {
        match self {
            Self::Live(part) => &part.state,
            Self::Kept(call) => &call.state,
        }
    }

    /// A document of the part.
    pub(crate) fn document(&self, local: DocId) -> Option<ValueRef<'_>> {
        match self {
            Self::Live(part) => part.parser.document(local),
            Self::Kept(call) => call.answer().document(local),
        }
    }

    /// The event that describes the call; none for the answer.
    pub(crate) fn call(&self) -> Option<ResponseEvent> {
        let (document, number) = match self {
            Self::Live(part) => (part.converter.first_document(), part.converter.call()?),
            Self::Kept(call) => (call.document, call.number),
        };
        let state = self.state();
        let text = |text: Option<&str>| text.map(ByteString::from);
        let (id, name) = (text(state.id()), text(state.name()));
        Some(ResponseEvent::ToolCall { document, call: number, id, name })
    }
}

#[cfg(test)]
mod tests {
    use patchwire::path::Segment;

    use super::*;

    /// A long argument costs its text alone, although its call was put aside in the middle of it.
    #[test]
    fn the_patches_of_a_field_that_is_read_again_share_its_path() {
        let (mut documents, mut events) = (Vec::new(), EventQueue::default());
        let converter = EventConverter::new(1, 1, &mut documents);
        let mut part = LivePart::new(arguments_spec(), converter);
        part.feed(r#"{"a": {"b": "one"#.into(), &mut documents, &mut events).unwrap();
        let mut part = part.keep(None).revived(1).unwrap();
        events.clear();
        for more in [" two", " three"] {
            part.feed(more.into(), &mut documents, &mut events).unwrap();
        }
        let patches: Vec<_> = events.iter().filter_map(ResponseEvent::as_patch).collect();
        let deltas: Vec<_> = patches.iter().map(|patch| &*patch.delta).collect();
        assert_eq!(deltas, [" two", " three"]);
        let names = patches.iter().map(|patch| match patch.path.last() {
            Some(Segment::Key(name)) => (name, name.as_ptr()),
            other => panic!("{other:?} is no name"),
        });
        let names: Vec<_> = names.collect();
        assert_eq!((names[0].0, names[0]), ("b", names[1]));
    }
}
