//! What is watched, as the loop sees it: something that takes what comes, and is shown.

use std::time::Duration;

use clap::ValueEnum as _;

use crate::args::Format;
use crate::settings::Settings;

use super::model::Model;
use super::view::About;

/// A stream that is being watched.
pub(crate) trait Watched {
    /// What comes through the channel.
    type Fed;

    /// Something came, so long after the stream began.
    fn take(&mut self, fed: Self::Fed, came: Duration);

    /// Nobody sends any more.
    fn close(&mut self);

    /// What a drawing shows beside what came, such as what is held back: not worth a look at each
    /// piece.
    fn look(&mut self) {}

    /// What is drawn.
    fn shown(&self) -> &Shown;

    fn shown_mut(&mut self) -> &mut Shown;

    /// Whether nothing more is read.
    fn is_over(&self) -> bool;
}

/// All that is drawn of a stream.
pub(crate) struct Shown {
    pub(super) model: Model,
    pub(super) about: About,
}

impl Shown {
    /// Of a stream of this name, before anything came.
    pub(super) fn new(name: String, settings: &Settings) -> Self {
        let format = settings.format.to_possible_value();
        let format = format.map(|format| format.get_name().to_owned()).unwrap_or_default();
        let model = Model::new(settings.spec.schema());
        let model = if settings.format == Format::Text { model.of_text() } else { model };
        let model = if settings.expects { model } else { model.of_calls() };
        Self { model, about: About { name, format, held: None } }
    }
}
