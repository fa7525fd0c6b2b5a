//! A stream of bytes: its reader, what is shown of it, and what is said of it at the end.

use std::io;
use std::time::Duration;

use patchwire::{Answer, Error, Event, OwnedEvent, event::Recorder};
use patchwire_chat::sources::Stop;
use serde_json::{Map, Value as Json};

use crate::body::{Body, Fault};
use crate::exit::Failure;
use crate::heard::Heard;
use crate::reader::Reader;
use crate::reading::{Ended, Sink};
use crate::settings::Settings;
use crate::source::{Name, Stream};

use super::feed::Fed;
use super::model::{Broken, End, Model};
use super::watched::{Shown, Watched};

/// A stream that is being read.
pub(crate) struct Session {
    name: Name,
    reader: Reader,
    recorder: Recorder,
    shown: Shown,
    heard: Heard,
    result: Option<Result<Answer, Error>>,
    /// Why no more is read: the source broke off, or the recording cannot be written.
    broken: Option<Failure>,
}

/// What a stream came to.
pub(crate) struct Left {
    pub(crate) ended: Ended,
    pub(crate) heard: Heard,
    pub(crate) broken: Option<Failure>,
}

impl Session {
    /// Of a stream that is read elsewhere; see [`Reader::of`] for what becomes of its tape.
    pub(crate) fn new(stream: &mut Stream, settings: &Settings) -> Self {
        Self {
            name: stream.name.clone(),
            reader: Reader::of(settings, stream),
            recorder: Recorder::default(),
            shown: Shown::new(stream.name.to_string(), settings),
            heard: Heard::default(),
            result: None,
            broken: None,
        }
    }

    /// A piece came.
    fn feed(&mut self, bytes: &[u8], came: Duration) {
        // Of a body the bytes of the answer count, and not those around them.
        let is_body = self.reader.body().is_some();
        self.shown.model.chunk(if is_body { 0 } else { bytes.len() }, came);
        let Self { reader, recorder, shown, heard, .. } = self;
        let model = &mut shown.model;
        match reader.feed(bytes, &mut Showing { model, recorder, heard }) {
            Ok(Ok(())) => {
                // One at a time: of several of a name the body keeps the last.
                if let Some(body) = reader.body() {
                    shown.model.learn(&body.facts());
                }
                if reader.is_over() {
                    self.finish();
                }
            }
            Ok(Err(error)) => self.fail(error),
            Err(failure) => self.break_off(failure),
        }
    }

    /// Nothing more comes.
    fn finish(&mut self) {
        if self.is_over() {
            return;
        }
        let Self { reader, recorder, shown, heard, .. } = self;
        let model = &mut shown.model;
        match reader.finish(&mut Showing { model, recorder, heard }) {
            Ok(Ok(answer)) => {
                self.settle(&answer);
                self.result = Some(Ok(answer));
            }
            Ok(Err(error)) => self.fail(error),
            Err(failure) => self.break_off(failure),
        }
    }

    /// What a body says of its end.
    fn settle(&mut self, answer: &Answer) {
        let model = &mut self.shown.model;
        if let Some(fault) = self.reader.fault() {
            let broken = match fault {
                Fault::Refused { .. } => Broken::Refused,
                Fault::Cut { .. } => Broken::Cut,
                _ => Broken::Failed,
            };
            model.judge(answer);
            model.over(End::Broken(broken, fault.to_string()));
        } else if let Some(stop) =
            self.reader.body().and_then(Body::stop).filter(|it| Stop::is_cut(it))
        {
            model.stopped(&stop.to_string());
        }
    }

    fn fail(&mut self, error: Error) {
        self.shown.model.over(End::Error(error));
        self.result = Some(Err(error));
    }

    fn break_off(&mut self, failure: Failure) {
        self.shown.model.over(End::Source);
        self.broken = Some(failure);
    }

    /// What it came to. Where it was left early, that is what came until then.
    pub(crate) fn leave(mut self) -> Result<Left, Failure> {
        self.finish();
        let Self { name, reader, heard, result, broken, .. } = self;
        match (result, broken) {
            (Some(result), broken) => {
                Ok(Left { ended: Ended::new(name, reader, result), heard, broken })
            }
            (None, Some(failure)) => Err(failure),
            (None, None) => unreachable!("what is finished has a result, or broke off"),
        }
    }
}

impl Watched for Session {
    type Fed = Fed;

    fn take(&mut self, fed: Fed, came: Duration) {
        match fed {
            Fed::Piece(bytes) => self.feed(&bytes, came),
            Fed::End => self.finish(),
            Fed::Failed(error) => {
                self.finish();
                self.break_off(error.into());
            }
        }
    }

    fn close(&mut self) {
        self.finish();
    }

    fn look(&mut self) {
        if let Reader::Text(parser) = &self.reader {
            let held = parser.held();
            let bytes = held.iter().map(|held| held.bytes.len()).sum();
            let why = held.first().map_or("", |held| held.by.what());
            self.shown.about.held = Some((bytes, why));
        }
    }

    fn shown(&self) -> &Shown {
        &self.shown
    }

    fn shown_mut(&mut self) -> &mut Shown {
        &mut self.shown
    }

    fn is_over(&self) -> bool {
        self.result.is_some() || self.broken.is_some()
    }
}

/// Tells the model, and what is printed at the end. What is kept in memory can be written.
struct Showing<'s> {
    model: &'s mut Model,
    recorder: &'s mut Recorder,
    heard: &'s mut Heard,
}

impl Sink for Showing<'_> {
    fn event(&mut self, event: Event<'_>) -> io::Result<()> {
        let event = self.recorder.own(&event);
        self.model.event(&event);
        self.heard.owned(&event)
    }

    fn owned(&mut self, event: &OwnedEvent) -> io::Result<()> {
        let bytes = match event {
            OwnedEvent::Reasoning { element: None, delta, .. } => delta.len() as u64,
            event => event.span().map_or(0, |span| span.end - span.start),
        };
        self.model.counters.more(bytes);
        self.model.event(event);
        self.heard.owned(event)
    }

    fn facts(&mut self, facts: &Map<String, Json>) -> io::Result<()> {
        self.model.learn(facts);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
