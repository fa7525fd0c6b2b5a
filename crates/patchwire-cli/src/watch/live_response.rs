//! A response that another thread reads: its messages through a channel, and what is shown of it.

use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::{Duration, Instant};

use patchwire_async::ResponseEvent;
use patchwire_async::sources::{Delta, Stop};
use serde_json::Value as Json;

use crate::settings::Settings;

use super::model::StreamEnd;
use super::timed_channel::{Timed, TimedReceiver};
use super::watched_stream::{ViewContent, WatchedStream};
use crate::pace::Pace;

/// What the reading thread sends to the view.
#[derive(Debug)]
pub(crate) enum LiveMessage {
    /// This many bytes arrived at once. Their events follow.
    Chunk(usize),
    /// Text of the answer, as it came.
    Written(String),
    /// A fact of the provider, such as token counts.
    Fact(&'static str, Json),
    /// Text in which the model refuses to answer.
    Refusal(String),
    Event(Box<ResponseEvent>),
    /// Why the model stopped before it was done.
    Stopped(Stop),
    /// No answer comes; with the last answer that was read, if there was one.
    Over(StreamEnd, Option<Box<patchwire::Answer>>),
}

impl LiveMessage {
    /// The messages for the parts of a delta that become no event.
    fn of(delta: &Delta) -> Vec<Self> {
        match delta {
            Delta::Text(text) => vec![Self::Chunk(text.len()), Self::Written(text.clone())],
            Delta::Reasoning(text) => vec![Self::Chunk(text.len())],
            Delta::Call(call) => vec![Self::Chunk(call.arguments.len())],
            Delta::Refusal(text) => vec![Self::Chunk(text.len()), Self::Refusal(text.clone())],
            Delta::Fact { name, value } => vec![Self::Fact(name, value.clone())],
            _ => Vec::new(),
        }
    }
}

/// The error of sending to a view that was closed.
#[derive(Debug)]
pub(crate) struct ViewClosed;

/// Sends messages to the view. It blocks while [`CAPACITY`] of them are pending.
#[derive(Clone)]
pub(crate) struct LiveSender {
    sender: SyncSender<Timed<LiveMessage>>,
    began: Instant,
}

/// How many messages may be pending.
const CAPACITY: usize = 4096;

/// A channel from a response to a view.
pub(crate) fn live_channel() -> (LiveSender, TimedReceiver<LiveMessage>) {
    let (sender, receiver) = sync_channel(CAPACITY);
    (LiveSender { sender, began: Instant::now() }, TimedReceiver::new(receiver, Pace::Live))
}

impl LiveSender {
    pub(crate) fn send(&self, message: LiveMessage) -> Result<(), ViewClosed> {
        self.sender.send(Timed::at_once(message, self.began.elapsed())).map_err(|_| ViewClosed)
    }

    /// Sends the parts of a delta that become no event.
    pub(crate) fn send_delta(&self, delta: &Delta) -> Result<(), ViewClosed> {
        LiveMessage::of(delta).into_iter().try_for_each(|message| self.send(message))
    }
}

/// A response that is being watched.
pub(crate) struct LiveResponse {
    content: ViewContent,
}

impl LiveResponse {
    pub(crate) fn new(name: String, settings: &Settings) -> Self {
        Self { content: ViewContent::new(name, settings) }
    }
}

impl WatchedStream for LiveResponse {
    type Message = LiveMessage;

    fn take(&mut self, message: LiveMessage, arrived: Duration) {
        let model = &mut self.content.model;
        model.counters.tick(arrived);
        match message {
            LiveMessage::Chunk(bytes) => model.chunk(bytes, arrived),
            LiveMessage::Written(text) => model.written.push(text.as_bytes()),
            LiveMessage::Fact(name, value) => model.facts.add(name, &value),
            LiveMessage::Refusal(text) => model.refusal(&text),
            LiveMessage::Event(event) => model.response_event(&event),
            LiveMessage::Stopped(stop) => model.stopped(&stop.to_string()),
            LiveMessage::Over(end, answer) => {
                if let Some(answer) = answer {
                    model.judge(&answer);
                }
                model.over(end);
            }
        }
    }

    fn close(&mut self) {
        self.content.model.over(StreamEnd::Source);
    }

    fn content(&self) -> &ViewContent {
        &self.content
    }

    fn content_mut(&mut self) -> &mut ViewContent {
        &mut self.content
    }

    fn is_over(&self) -> bool {
        self.content.model.end.is_some()
    }
}

#[cfg(test)]
mod tests;
