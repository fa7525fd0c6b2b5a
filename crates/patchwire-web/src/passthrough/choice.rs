//! Reads one choice of a model's answer.

use core::convert::Infallible;
use core::pin::Pin;
use core::task::{Context, Poll, Waker};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use futures_util::Stream;
use patchwire_async::sources::{DecodeErrorKind, Decoder};
use patchwire_async::{Deltas, DeltasError};

use serde_json::Value as Json;

use super::places::Dialect;
use crate::answer_events::error_event;
use crate::answer_reader::{AnswerReader, Progress};
use crate::chat_request::{FieldOptions, Sending};
use crate::stream_record::RecordSource;
use crate::upstream::{Delta, UpstreamError};
use crate::wire_event::WireEvent;

/// The most bytes of an event for a reader.
const MOST: usize = 64 << 20;

/// How the choices of an answer are read.
pub(super) struct Reading {
    pub(super) dialect: Dialect,
    pub(super) options: FieldOptions,
    pub(super) record: RecordSource,
}

/// A choice, its decoder and its parser. Nothing here waits.
pub(super) struct Choice {
    inbox: Inbox,
    deltas: Deltas<Inbox>,
    /// None after the end.
    reader: Option<Box<AnswerReader>>,
    kept: Kept,
    /// The bytes of the answer so far, as the end costs as much.
    bytes: usize,
}

impl Choice {
    pub(super) fn new(index: u32, reading: &Reading) -> Self {
        let Reading { dialect, options, record } = reading;
        let sending = Sending::default();
        let inbox = Inbox::default();
        let decoder = Decoder::with_limit(dialect.protocol(), MOST).with_choice(index);
        Self {
            deltas: Deltas::decoding(inbox.clone(), decoder),
            inbox,
            reader: Some(Box::new(AnswerReader::new(
                options.spec.clone(),
                &sending,
                options.bytes,
                record.clone(),
            ))),
            kept: Kept::default(),
            bytes: options.bytes,
        }
    }

    /// Takes bytes of the model's body, after all before them were read.
    pub(super) fn offer(&self, chunk: Vec<u8>) {
        self.inbox.put(Some(chunk));
    }

    /// Ends the answer.
    pub(super) fn end(&self) {
        self.inbox.put(None);
    }

    /// Ends the answer with an error.
    pub(super) fn fail(&mut self, error: &UpstreamError) {
        self.fail_with(error.code(), &error.to_string());
    }

    /// Ends the answer with an error of this code.
    pub(super) fn fail_with(&mut self, code: &'static str, message: &str) {
        if let Some(mut reader) = self.reader.take() {
            reader.record().failed(code);
            self.kept.answer = Some(error_event(code, message).data);
        }
    }

    /// Notes what the provider says about usage.
    pub(super) fn usage(&mut self, usage: &Json) {
        if let Some(reader) = &mut self.reader {
            reader.record().usage(usage);
        }
    }

    pub(super) const fn has_ended(&self) -> bool {
        self.reader.is_none()
    }

    /// Whether the answer was emitted.
    pub(super) const fn is_answered(&self) -> bool {
        self.reader.is_none() && self.kept.answer.is_none()
    }

    /// How many bytes the end of the answer has to process.
    pub(super) const fn weight(&self) -> usize {
        self.bytes
    }

    /// Reads on until there is a batch of events. Whether all that came was read. `room` is how many bytes the answers
    /// may have.
    pub(super) fn batch(&mut self, room: &mut u64) -> bool {
        let mut events = VecDeque::new();
        loop {
            let Some(reader) = &mut self.reader else { return true };
            let progress = reader.batch(&mut events);
            events.drain(..).for_each(|event| self.kept.keep(event));
            match progress {
                Progress::Events => return false,
                Progress::Ended => {
                    self.reader = None;
                    return true;
                }
                Progress::Hungry => {}
            }
            let mut cx = Context::from_waker(Waker::noop());
            let Poll::Ready(next) = Pin::new(&mut self.deltas).poll_next(&mut cx) else {
                // A decoder also waits to give others their turn.
                return self.inbox.lock().is_empty();
            };
            let Some(item) = item(next) else { continue };
            if let Some(Ok(delta)) = &item {
                self.bytes = self.bytes.saturating_add(delta.bytes());
                let Some(left) = room.checked_sub(delta.bytes() as u64) else {
                    let what = "its choices have more bytes than the limit of an answer".to_owned();
                    self.fail(&UpstreamError::Broken(what));
                    return true;
                };
                *room = left;
            }
            reader.offer(item);
        }
    }

    /// How many bytes of events wait.
    pub(super) const fn waiting(&self) -> usize {
        self.kept.patches.len()
    }

    /// The members for a delta: `patches`, and at the end `answer`. Empty if there is nothing new.
    pub(super) fn members(&mut self) -> String {
        let mut members = String::new();
        if !self.kept.patches.is_empty() {
            members = format!("\"patches\":[{}]", core::mem::take(&mut self.kept.patches));
        }
        if let Some(answer) = self.answer() {
            let comma = if members.is_empty() { "" } else { "," };
            members = format!("{members}{comma}{answer}");
        }
        members
    }

    /// The member `answer`, once it is known and only once.
    pub(super) fn answer(&mut self) -> Option<String> {
        Some(format!("\"answer\":{}", self.kept.answer.take()?))
    }

    /// Drops the events that wait.
    pub(super) fn drop_patches(&mut self) {
        self.kept.patches.clear();
    }
}

/// What was read and is in no delta of the stream yet.
#[derive(Default)]
struct Kept {
    /// Events, with commas between them.
    patches: String,
    /// How many events there were.
    count: u64,
    answer: Option<String>,
}

impl Kept {
    fn keep(&mut self, event: WireEvent) {
        match event.name {
            // The provider's facts are in its own members.
            "facts" => {}
            _ if event.is_last() => self.answer = Some(event.data),
            _ => {
                let comma = if self.patches.is_empty() { "" } else { "," };
                let members = event.data.trim_start_matches('{');
                // OpenAI's own clients join the lists of deltas by this member.
                self.patches += &format!("{comma}{{\"index\":{},{members}", self.count);
                self.count += 1;
            }
        }
    }
}

/// What the reader takes; `None` if it has no use for it.
fn item(
    next: Option<Result<patchwire_async::sources::Delta, DeltasError<Infallible>>>,
) -> Option<crate::attempts::Item> {
    Some(match next {
        None => None,
        Some(Ok(delta)) => Some(Ok(Delta::of_source(delta)?)),
        // A refusal is an answer, not an error of the stream.
        Some(Err(DeltasError::Refused(why))) => {
            Some(Ok(Delta::Fact("refusal".to_owned(), why.into())))
        }
        Some(Err(DeltasError::Decode(error)))
            if matches!(error.kind, DecodeErrorKind::Empty { .. }) =>
        {
            Some(Err(UpstreamError::Empty(error.to_string())))
        }
        Some(Err(DeltasError::Provider(_))) => {
            // The event is passed on too. Here its text is decoded, so a key in it has no known form.
            let what = "the provider reports an error, which its own event describes".to_owned();
            Some(Err(UpstreamError::Broken(what)))
        }
        Some(Err(error)) => Some(Err(UpstreamError::Broken(error.to_string()))),
    })
}

/// Chunks on their way to the decoder, and the end.
#[derive(Debug, Clone, Default)]
struct Inbox(Arc<Mutex<VecDeque<Option<Vec<u8>>>>>);

impl Inbox {
    fn lock(&self) -> MutexGuard<'_, VecDeque<Option<Vec<u8>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn put(&self, chunk: Option<Vec<u8>>) {
        self.lock().push_back(chunk);
    }
}

impl Stream for Inbox {
    type Item = Result<Vec<u8>, Infallible>;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.lock().pop_front().map_or(Poll::Pending, |chunk| Poll::Ready(chunk.map(Ok)))
    }
}
