//! One stream: its parser, what is shown of it, and what is said of it at the end.

use std::io;
use std::time::Duration;

use clap::ValueEnum as _;
use patchwire::{Answer, Error, Event, Parser};

use crate::args::Format;
use crate::heard::Heard;
use crate::reading::{Ended, Sink as _};
use crate::settings::Settings;
use crate::source::{Name, SourceError};

use super::model::{End, Model};
use super::view::About;

/// A stream that is being read.
pub(crate) struct Session {
    name: Name,
    parser: Parser,
    pub(super) model: Model,
    pub(super) about: About,
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
    /// Whether the person left before the stream ended.
    pub(crate) early: bool,
}

impl Session {
    pub(crate) fn new(name: Name, settings: &Settings) -> Self {
        let format = settings.format.to_possible_value();
        let format = format.map(|format| format.get_name().to_owned()).unwrap_or_default();
        let model = Model::new(settings.spec.schema());
        let model = if settings.format == Format::Text { model.of_text() } else { model };
        let about = About { name: name.to_string(), format, held: None };
        Self {
            name,
            parser: settings.spec.parser(),
            model,
            about,
            heard: Heard::default(),
            result: None,
            broken: None,
        }
    }

    /// Whether nothing more is read.
    pub(super) const fn is_over(&self) -> bool {
        self.result.is_some()
    }

    /// A piece came.
    pub(super) fn feed(&mut self, bytes: &[u8], came: Duration) {
        let Self { parser, model, heard, .. } = self;
        model.chunk(bytes.len(), came);
        if let Err(error) = parser.feed(bytes, |event| tell(model, heard, event)) {
            self.fail(error);
        }
    }

    /// What is held back now. Looked at for a drawing, not for each piece.
    pub(super) fn look(&mut self) {
        let held = self.parser.held();
        let bytes = held.iter().map(|held| held.bytes.len()).sum();
        self.about.held = Some((bytes, held.first().map_or("", |held| held.by.what())));
    }

    /// Nothing more comes.
    pub(super) fn finish(&mut self, broken: Option<SourceError>) {
        if self.is_over() {
            return;
        }
        let is_broken = broken.is_some();
        self.broken = broken;
        let Self { parser, model, heard, .. } = self;
        match parser.finish(|event| tell(model, heard, event)) {
            Ok(answer) => self.result = Some(Ok(answer)),
            Err(error) => self.fail(error),
        }
        if is_broken {
            self.model.over(End::Source);
        }
    }

    fn fail(&mut self, error: Error) {
        self.model.over(End::Error(error));
        self.result = Some(Err(error));
    }

    /// What it came to. Where it was left early, that is what came until then.
    pub(super) fn leave(mut self) -> Left {
        let early = !self.is_over();
        self.finish(None);
        let Self { name, parser, heard, result, broken, .. } = self;
        let result = result.unwrap_or_else(|| parser.answer());
        Left { ended: Ended::new(name, parser, result), heard, broken, early }
    }
}

fn tell(model: &mut Model, heard: &mut Heard, event: Event<'_>) {
    // What is kept in memory can be written.
    let _: io::Result<()> = heard.event(event);
    model.event(event);
}
