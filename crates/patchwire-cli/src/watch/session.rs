//! A watched stream of bytes: its reader, its model, and its result.

use std::io;
use std::time::Duration;

use patchwire::{Answer, Error, Event, OwnedEvent, event::Recorder};
use patchwire_async::ResponseEvent;
use patchwire_async::sources::Stop;
use serde_json::{Map, Value as Json};

use crate::body::{Body, Fault};
use crate::exit::Failure;
use crate::partial_answer::PartialAnswer;
use crate::settings::Settings;
use crate::source::{Name, Stream};
use crate::stream_reader::StreamReader;
use crate::{sink::Sink, stream_result::StreamResult};

use super::model::{Model, NoAnswerCause, StreamEnd};
use super::timed_channel::ByteMessage;
use super::watched_stream::{ViewContent, WatchedStream};

/// A stream that is being watched and read.
pub(crate) struct Session {
    name: Name,
    reader: StreamReader,
    recorder: Recorder,
    content: ViewContent,
    partial: PartialAnswer,
    result: Option<Result<Answer, Error>>,
    /// Why reading stopped: the source broke off, or the recording cannot be written.
    broken: Option<Failure>,
}

/// The result of a session.
pub(crate) struct SessionResult {
    pub(crate) ended: StreamResult,
    pub(crate) partial: PartialAnswer,
    pub(crate) broken: Option<Failure>,
}

impl Session {
    /// The session of a stream that another thread reads. It takes the stream's recording as
    /// [`StreamReader::of`] does.
    pub(crate) fn new(stream: &mut Stream, settings: &Settings) -> Self {
        Self {
            name: stream.name.clone(),
            reader: StreamReader::of(settings, stream),
            recorder: Recorder::default(),
            content: ViewContent::new(stream.name.to_string(), settings),
            partial: PartialAnswer::default(),
            result: None,
            broken: None,
        }
    }

    /// Reads a chunk.
    fn feed(&mut self, bytes: &[u8], arrived: Duration) {
        // For a body, only the bytes of the answer count.
        let is_body = self.reader.body().is_some();
        self.content.model.chunk(if is_body { 0 } else { bytes.len() }, arrived);
        if !is_body {
            self.content.model.written.push(bytes);
        }
        let Self { reader, recorder, content, partial, .. } = self;
        let model = &mut content.model;
        match reader.feed(bytes, &mut Showing { model, recorder, partial }) {
            Ok(Ok(())) => {
                // Facts are passed on after each event of the body, because it keeps only the last
                // of each name.
                if let Some(body) = reader.body_mut() {
                    content.model.written.push(body.take_text().as_bytes());
                    content.model.learn(&body.facts());
                }
                if reader.is_over() {
                    self.finish();
                }
            }
            Ok(Err(error)) => self.fail(error),
            Err(failure) => self.break_off(failure),
        }
    }

    /// Ends the stream.
    fn finish(&mut self) {
        if self.is_over() {
            return;
        }
        let Self { reader, recorder, content, partial, .. } = self;
        let model = &mut content.model;
        match reader.finish(&mut Showing { model, recorder, partial }) {
            Ok(Ok(answer)) => {
                self.show_end(&answer);
                self.result = Some(Ok(answer));
            }
            Ok(Err(error)) => self.fail(error),
            Err(failure) => self.break_off(failure),
        }
    }

    /// Shows how a body ended.
    fn show_end(&mut self, answer: &Answer) {
        let model = &mut self.content.model;
        if let Some(fault) = self.reader.fault() {
            let broken = match fault {
                Fault::Refused { .. } => NoAnswerCause::Refused,
                Fault::Cut { .. } => NoAnswerCause::Cut,
                _ => NoAnswerCause::Failed,
            };
            model.judge(answer);
            model.over(StreamEnd::NoAnswer(broken, fault.to_string()));
        } else if let Some(stop) =
            self.reader.body().and_then(Body::stop).filter(|it| Stop::is_cut(it))
        {
            model.stopped(&stop.to_string());
        }
    }

    fn fail(&mut self, error: Error) {
        self.content.model.over(StreamEnd::Error(error));
        self.result = Some(Err(error));
    }

    fn break_off(&mut self, failure: Failure) {
        self.content.model.over(StreamEnd::Source);
        self.broken = Some(failure);
    }

    /// The result. A session that was left early has the result of what was read until then.
    pub(crate) fn leave(mut self) -> Result<SessionResult, Failure> {
        self.finish();
        let Self { name, reader, partial, result, broken, .. } = self;
        match (result, broken) {
            (Some(result), broken) => Ok(SessionResult {
                ended: StreamResult::new(name, reader, result),
                partial,
                broken,
            }),
            (None, Some(failure)) => Err(failure),
            (None, None) => unreachable!("what is finished has a result, or broke off"),
        }
    }
}

impl WatchedStream for Session {
    type Message = ByteMessage;

    fn take(&mut self, message: ByteMessage, arrived: Duration) {
        match message {
            ByteMessage::Chunk(bytes) => self.feed(&bytes, arrived),
            ByteMessage::End => self.finish(),
            ByteMessage::Failed(error) => {
                self.finish();
                self.break_off(error.into());
            }
        }
    }

    fn close(&mut self) {
        self.finish();
    }

    fn refresh(&mut self) {
        if let StreamReader::Text(parser) = &self.reader {
            let held = parser.held();
            let bytes = held.iter().map(|held| held.bytes.len()).sum();
            let why = held.first().map_or("", |held| held.by.what());
            self.content.info.held = Some((bytes, why));
        }
    }

    fn content(&self) -> &ViewContent {
        &self.content
    }

    fn content_mut(&mut self) -> &mut ViewContent {
        &mut self.content
    }

    fn is_over(&self) -> bool {
        self.result.is_some() || self.broken.is_some()
    }
}

/// Passes events to the model and to what is printed at the end. Writing to memory cannot fail.
struct Showing<'s> {
    model: &'s mut Model,
    recorder: &'s mut Recorder,
    partial: &'s mut PartialAnswer,
}

impl Sink for Showing<'_> {
    fn event(&mut self, event: Event<'_>) -> io::Result<()> {
        let event = self.recorder.own(&event);
        self.model.event(&event);
        self.partial.take(&event);
        Ok(())
    }

    fn owned(&mut self, event: &ResponseEvent) -> io::Result<()> {
        let bytes = match event.as_parsed() {
            Some(OwnedEvent::Reasoning { element: None, delta, .. }) => delta.len() as u64,
            _ => event.span().map_or(0, |span| span.end - span.start),
        };
        self.model.counters.more(bytes);
        self.model.response_event(event);
        self.partial.owned(event)
    }

    fn facts(&mut self, facts: &Map<String, Json>) -> io::Result<()> {
        self.model.learn(facts);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
