//! Adds the events of the readers to the deltas of a provider's stream, and leaves every other byte as it is.

use core::mem;
use std::collections::{BTreeMap, VecDeque};

use bytes::Bytes;
use patchwire_async::sources::Opening;

use super::choice::{Choice, Reading};
use super::document::Document;
use super::frames::{Frame, RawEvent};
use super::own_events::OwnEvents;
use super::places::{Content, Dialect, Place};
use crate::upstream::UpstreamError;

/// Events of a reader that are put into one delta. More come in deltas of their own before it.
const SPILL: usize = 64 << 10;

/// The readers of a stream, and the event that is worked on. Nothing here waits.
pub(super) struct Editor {
    reading: Reading,
    choices: BTreeMap<u32, Choice>,
    own: OwnEvents,
    /// The beginning of the body, until a choice was found.
    opening: Option<Opening>,
    /// How many bytes the answers may still have.
    room: u64,
    work: Option<Work>,
    /// Whether the last event is a JSON object, or more than one.
    is_whole: bool,
    /// Whether the answers were emitted.
    has_ended: bool,
}

/// An event that is worked on.
struct Work {
    raw: RawEvent,
    documents: Vec<Document>,
    /// The document that is read, and the place in it.
    document: usize,
    place: usize,
    /// Whether the place was given to its reader.
    is_offered: bool,
    /// The texts to insert, and their offsets in the event.
    edits: Vec<(usize, String)>,
}

impl Editor {
    pub(super) fn new(reading: Reading, answer_bytes: u64) -> Self {
        Self {
            opening: Some(Opening::new(reading.dialect.protocol())),
            reading,
            choices: BTreeMap::new(),
            own: OwnEvents::default(),
            room: answer_bytes,
            work: None,
            is_whole: true,
            has_ended: false,
        }
    }

    /// Looks at the bytes of the body, to know what it is if it is no stream.
    pub(super) fn see(&mut self, chunk: &[u8]) {
        if let Some(opening) = &mut self.opening {
            opening.feed(chunk);
        }
    }

    /// Takes the next frame, after the work on the one before.
    pub(super) fn offer(&mut self, frame: Frame, out: &mut VecDeque<Bytes>) {
        match frame {
            Frame::Other(bytes) => out.push_back(bytes),
            Frame::Event(raw) if self.has_ended => out.push_back(raw.bytes),
            Frame::TooLong(bytes) => {
                let what = "an event has more bytes than are read".to_owned();
                self.fail(&UpstreamError::Broken(what), out);
                out.push_back(bytes);
            }
            Frame::Event(raw) => {
                let documents = Document::all(&raw, self.reading.dialect);
                self.is_whole = documents.iter().all(Document::is_object);
                self.work = Some(Work {
                    raw,
                    documents,
                    document: 0,
                    place: 0,
                    is_offered: false,
                    edits: Vec::new(),
                });
            }
        }
    }

    /// How many bytes the next turn has to process.
    pub(super) fn weight(&self) -> usize {
        let Some(work) = &self.work else { return 0 };
        let ends = |place: &Place| if place.ends { self.weight_of(place.choice) } else { 0 };
        let end = work.documents.iter().map(|document| match &document.content {
            Content::Deltas(places) => places.iter().map(ends).sum::<usize>(),
            Content::Failed | Content::Done => self.end_weight(),
        });
        work.raw.bytes.len() + end.sum::<usize>()
    }

    /// How many answers were begun, and how many of them were emitted.
    pub(super) fn answered(&self) -> (usize, usize) {
        let answered = self.choices.values().filter(|choice| choice.is_answered());
        (self.choices.len(), answered.count())
    }

    /// The choices whose answers were not emitted. Before the first delta, that is the first one.
    pub(super) fn unanswered(&self) -> Vec<u32> {
        if self.choices.is_empty() {
            return vec![0];
        }
        let open = self.choices.iter().filter(|(_, choice)| !choice.is_answered());
        open.map(|(index, _)| *index).collect()
    }

    /// What events of the gateway's own have in common with the stream.
    pub(super) const fn own(&self) -> &OwnEvents {
        &self.own
    }

    /// How many bytes the end of all answers has to process.
    pub(super) fn end_weight(&self) -> usize {
        let open = self.choices.values().filter(|choice| !choice.has_ended());
        open.map(Choice::weight).sum()
    }

    fn weight_of(&self, choice: u32) -> usize {
        self.choices.get(&choice).map_or(0, Choice::weight)
    }

    /// Works on the event until it is edited, or until there is a batch for the client. Whether it is done.
    pub(super) fn turn(&mut self, out: &mut VecDeque<Bytes>) -> bool {
        let Some(mut work) = self.work.take() else { return true };
        while let Some(document) = work.documents.get(work.document) {
            self.own.see(document);
            match &document.content {
                Content::Deltas(places) => {
                    let Some(place) = places.get(work.place) else {
                        (work.document, work.place) = (work.document + 1, 0);
                        continue;
                    };
                    self.opening = None;
                    let is_offered = mem::replace(&mut work.is_offered, true);
                    if !self.read(document, place, is_offered, out) {
                        self.work = Some(work);
                        return false;
                    }
                    work.edits.extend(self.edit(document, place));
                    work.is_offered = false;
                    work.place += 1;
                }
                Content::Failed | Content::Done => {
                    self.close(Some(&document.line(0..document.text.len())), out);
                    // Nothing is read behind the end, as in later events.
                    break;
                }
            }
        }
        out.push_back(work.edited());
        true
    }

    /// Lets the reader of a place read. Whether it has read all.
    fn read(
        &mut self,
        document: &Document,
        place: &Place,
        is_offered: bool,
        out: &mut VecDeque<Bytes>,
    ) -> bool {
        let Self { reading, choices, room, own, .. } = self;
        let choice =
            choices.entry(place.choice).or_insert_with(|| Choice::new(place.choice, reading));
        if !is_offered && !choice.has_ended() {
            choice.offer(reading.dialect.event(&document.line(place.reads.clone())));
            if let Some(usage) = document.usage() {
                choice.usage(&usage);
            }
            if place.ends {
                choice.end();
            }
        }
        while !choice.batch(room) {
            if choice.waiting() >= SPILL && place.target.is_some() {
                let event =
                    own.event(reading.dialect, place.choice, &choice.members(), Some(document));
                out.push_back(event.into());
                return false;
            }
        }
        true
    }

    /// The members for the delta of a place, and where they go.
    fn edit(&mut self, document: &Document, place: &Place) -> Option<(usize, String)> {
        let target = place.target?;
        let members = self.choices.get_mut(&place.choice)?.members();
        if members.is_empty() {
            return None;
        }
        let comma = if target.is_empty { "" } else { "," };
        Some((document.offset(target.end), format!("{comma}{members}")))
    }

    /// Emits the pending events of all readers, before an event that ends the stream.
    fn close(&mut self, event: Option<&[u8]>, out: &mut VecDeque<Bytes>) {
        if mem::replace(&mut self.has_ended, true) {
            return;
        }
        let Self { reading, choices, room, own, .. } = self;
        if choices.is_empty() {
            choices.insert(0, Choice::new(0, reading));
        }
        for (index, choice) in choices {
            if !choice.has_ended() {
                if let Some(event) = event {
                    choice.offer(Dialect::closing(event));
                }
                choice.end();
            }
            loop {
                let is_done = choice.batch(room);
                if is_done || choice.waiting() >= SPILL {
                    let members = choice.members();
                    if !members.is_empty() {
                        out.push_back(own.event(reading.dialect, *index, &members, None).into());
                    }
                }
                if is_done {
                    break;
                }
            }
        }
    }

    /// The end of the body. `lacks_blank_line` says that the last event may have been cut.
    pub(super) fn finish(&mut self, lacks_blank_line: bool, out: &mut VecDeque<Bytes>) {
        let opening = self.opening.as_ref().filter(|_| !self.has_ended);
        let protocol = self.reading.dialect.protocol();
        let what = match (opening, opening.and_then(Opening::foreign)) {
            (_, Some(foreign)) => {
                format!("the response is not of the protocol {protocol}: it is {foreign}")
            }
            (Some(_), None) if self.is_whole || !lacks_blank_line => {
                UpstreamError::no_answer(protocol.name())
            }
            _ => return self.close(None, out),
        };
        self.fail(&UpstreamError::Foreign(what), out);
    }

    /// Ends all readers with an error, which they emit at once.
    pub(super) fn fail(&mut self, error: &UpstreamError, out: &mut VecDeque<Bytes>) {
        self.fail_with(error.code(), &error.to_string(), out);
    }

    pub(super) fn fail_with(
        &mut self,
        code: &'static str,
        message: &str,
        out: &mut VecDeque<Bytes>,
    ) {
        if self.has_ended {
            return;
        }
        if self.choices.is_empty() {
            self.choices.insert(0, Choice::new(0, &self.reading));
        }
        self.choices.values_mut().for_each(|choice| choice.fail_with(code, message));
        self.close(None, out);
        if let Some(work) = self.work.take() {
            out.push_back(work.edited());
        }
    }
}

impl Work {
    /// The event with the inserted texts.
    fn edited(mut self) -> Bytes {
        if self.edits.is_empty() {
            return self.raw.bytes;
        }
        self.edits.sort_by_key(|(at, _)| *at);
        let added: usize = self.edits.iter().map(|(_, text)| text.len()).sum();
        let mut bytes = Vec::with_capacity(self.raw.bytes.len() + added);
        let mut kept = 0;
        for (at, text) in self.edits {
            bytes.extend_from_slice(&self.raw.bytes[kept..at]);
            bytes.extend_from_slice(text.as_bytes());
            kept = at;
        }
        bytes.extend_from_slice(&self.raw.bytes[kept..]);
        bytes.into()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::time::Instant;

    use patchwire::Spec;

    use super::*;
    use crate::chat_request::FieldOptions;
    use crate::stream_record::RecordSource;

    const DELTA: &str = "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"{}\"}}]}\n\n";

    fn editor() -> Editor {
        let record = RecordSource {
            metrics: Arc::default(),
            endpoint: "",
            begun: Instant::now(),
            is_counted: false,
        };
        let options = FieldOptions { spec: Spec::json(), bytes: 10 };
        Editor::new(Reading { dialect: Dialect::OpenAi, options, record }, 1 << 20)
    }

    /// An event with one line of data.
    fn event(text: &'static str) -> Frame {
        let line = "data: ".len()..text.len() - "\n\n".len();
        Frame::Event(RawEvent { bytes: text.into(), data: vec![line] })
    }

    #[test]
    fn an_event_weighs_its_bytes_and_the_answers_that_it_ends() {
        let (mut editor, mut out) = (editor(), VecDeque::new());
        assert_eq!(editor.weight(), 0);
        editor.offer(event(DELTA), &mut out);
        assert_eq!(editor.weight(), DELTA.len());
        assert!(editor.turn(&mut out));
        assert_eq!(editor.weight(), 0);
        let done = "data: [DONE]\n\n";
        editor.offer(event(done), &mut out);
        // The options have ten bytes, and the answer has two.
        assert_eq!(editor.weight(), done.len() + 12);
    }

    #[test]
    fn an_event_that_is_too_long_ends_the_answers_with_an_error() {
        let (mut editor, mut out) = (editor(), VecDeque::new());
        editor.offer(event(DELTA), &mut out);
        assert!(editor.turn(&mut out));
        out.clear();
        editor.offer(Frame::TooLong("data: long".into()), &mut out);
        let error = concat!(
            "data: {\"choices\":[{\"index\":0,\"delta\":{\"answer\":",
            "{\"code\":\"upstream_broken\",\"event\":\"error\",\"message\":\"the model's stream broke off: ",
            "an event has more bytes than are read; send the request again\"}},\"finish_reason\":null}]}\n\n",
        );
        assert_eq!(out, [error, "data: long"]);
        assert_eq!(editor.answered(), (1, 1));
        // What follows is as it came.
        out.clear();
        editor.offer(event(DELTA), &mut out);
        assert_eq!(out, [DELTA]);
    }
}
