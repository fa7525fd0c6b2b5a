//! A stream of bytes: its parser, what is shown of it, and what is said of it at the end.

use std::io;
use std::time::Duration;

use bytes::Bytes;
use patchwire::{Answer, Error, Event, Parser, Recorder};

use crate::heard::Heard;
use crate::reading::{Ended, Sink as _};
use crate::settings::Settings;
use crate::source::{Name, SourceError};

use super::feed::Fed;
use super::model::{End, Model};
use super::watched::{Shown, Watched};

/// A stream that is being read.
pub(crate) struct Session {
    name: Name,
    parser: Parser,
    recorder: Recorder,
    shown: Shown,
    heard: Heard,
    result: Option<Result<Answer, Error>>,
    /// Why the source broke off.
    broken: Option<SourceError>,
}

/// What a stream came to.
pub(crate) struct Left {
    pub(crate) ended: Ended,
    pub(crate) heard: Heard,
    pub(crate) broken: Option<SourceError>,
}

impl Session {
    pub(crate) fn new(name: Name, settings: &Settings) -> Self {
        let shown = Shown::new(name.to_string(), settings);
        Self {
            name,
            parser: settings.spec.parser(),
            recorder: Recorder::default(),
            shown,
            heard: Heard::default(),
            result: None,
            broken: None,
        }
    }

    /// A piece came. It is fed as one buffer, of which what the model takes in are slices.
    fn feed(&mut self, bytes: Vec<u8>, came: Duration) {
        let Self { parser, recorder, shown, heard, .. } = self;
        shown.model.chunk(bytes.len(), came);
        let model = &mut shown.model;
        let tell = |event: Event<'_>| tell(model, recorder, heard, event);
        if let Err(error) = parser.feed_bytes(Bytes::from(bytes), tell) {
            self.fail(error);
        }
    }

    /// Nothing more comes.
    fn finish(&mut self, broken: Option<SourceError>) {
        if self.result.is_some() {
            return;
        }
        let is_broken = broken.is_some();
        self.broken = broken;
        let Self { parser, recorder, shown, heard, .. } = self;
        match parser.finish(|event| tell(&mut shown.model, recorder, heard, event)) {
            Ok(answer) => self.result = Some(Ok(answer)),
            Err(error) => self.fail(error),
        }
        if is_broken {
            self.shown.model.over(End::Source);
        }
    }

    fn fail(&mut self, error: Error) {
        self.shown.model.over(End::Error(error));
        self.result = Some(Err(error));
    }

    /// What it came to. Where it was left early, that is what came until then.
    pub(crate) fn leave(mut self) -> Left {
        self.finish(None);
        let Self { name, parser, heard, result, broken, .. } = self;
        let result = result.unwrap_or_else(|| parser.answer());
        Left { ended: Ended::new(name, parser, result), heard, broken }
    }
}

impl Watched for Session {
    type Fed = Fed;

    fn take(&mut self, fed: Fed, came: Duration) {
        match fed {
            Fed::Piece(bytes) => self.feed(bytes, came),
            Fed::End => self.finish(None),
            Fed::Failed(error) => self.finish(Some(error)),
        }
    }

    fn close(&mut self) {
        self.finish(None);
    }

    fn look(&mut self) {
        let held = self.parser.held();
        let bytes = held.iter().map(|held| held.bytes.len()).sum();
        self.shown.about.held = Some((bytes, held.first().map_or("", |held| held.by.what())));
    }

    fn shown(&self) -> &Shown {
        &self.shown
    }

    fn shown_mut(&mut self) -> &mut Shown {
        &mut self.shown
    }

    fn is_over(&self) -> bool {
        self.result.is_some()
    }
}

fn tell(model: &mut Model, recorder: &mut Recorder, heard: &mut Heard, event: Event<'_>) {
    // What is kept in memory can be written.
    let _: io::Result<()> = heard.event(event);
    model.event(&recorder.own(&event));
}
