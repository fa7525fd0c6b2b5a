//! The trait between the loop of the view and a stream.

use std::time::Duration;

use patchwire::Format;

use crate::settings::Settings;

use super::model::Model;
use super::view::StreamInfo;

/// A stream that is being watched: it takes messages, and has something to draw.
pub(crate) trait WatchedStream {
    /// What arrives through the channel.
    type Message;

    /// Takes a message that arrived this long after the stream began.
    fn take(&mut self, message: Self::Message, arrived: Duration);

    /// Called when the sender is gone: no message will arrive any more.
    fn close(&mut self);

    /// Called before each drawing, to refresh what would cost too much to keep up to date for each
    /// chunk, such as what is held back.
    fn refresh(&mut self) {}

    /// What is drawn.
    fn content(&self) -> &ViewContent;

    fn content_mut(&mut self) -> &mut ViewContent;

    /// Whether the stream takes no more messages.
    fn is_over(&self) -> bool;
}

/// Everything that is drawn of a stream.
pub(crate) struct ViewContent {
    pub(super) model: Model,
    pub(super) info: StreamInfo,
}

impl ViewContent {
    /// The content of a stream of which nothing has arrived yet.
    pub(super) fn new(name: String, settings: &Settings) -> Self {
        let format = settings.format.name().to_owned();
        let model = Model::new(settings.spec.schema());
        let model = if settings.format == Format::Text { model.of_text() } else { model };
        let model = if settings.has_expectations { model } else { model.of_calls() };
        Self { model, info: StreamInfo { name, format, held: None } }
    }
}
