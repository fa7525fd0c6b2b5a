//! A response that is read aside: what it tells, through the channel, and what is shown of it.

use std::sync::mpsc::{SyncSender, sync_channel};
use std::time::{Duration, Instant};

use patchwire::OwnedEvent;
use patchwire_chat::sources::{Delta, Stop};
use serde_json::Value as Json;

use crate::settings::Settings;

use super::feed::{Feed, Pace, Timed};
use super::model::{Broken, End};
use super::watched::{Shown, Watched};

/// What a response tells.
#[derive(Debug)]
pub(crate) enum Told {
    /// So many bytes came at once. Their events follow.
    Chunk(usize),
    /// Something beside the answer.
    Fact(&'static str, Json),
    /// Why the model does not answer, in its words.
    Refusal(String),
    Event(Box<OwnedEvent>),
    /// Why the model stopped, if not because it was done.
    Stopped(Stop),
    /// There is no answer. With the last that was read, if there was one.
    Over(Ending, Option<Box<patchwire::Answer>>),
}

impl Told {
    /// What of a delta is no event.
    fn of(delta: &Delta) -> Vec<Self> {
        match delta {
            Delta::Text(text) | Delta::Reasoning(text) => vec![Self::Chunk(text.len())],
            Delta::Call(call) => vec![Self::Chunk(call.arguments.len())],
            Delta::Refusal(text) => vec![Self::Chunk(text.len()), Self::Refusal(text.clone())],
            Delta::Fact { name, value } => vec![Self::Fact(name, value.clone())],
            _ => Vec::new(),
        }
    }
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Ending {
    Refused(String),
    Failed(String),
    Cut(String),
    Rejected(String),
    Parse(patchwire::Error),
}

/// Nobody watches any more.
#[derive(Debug)]
pub(crate) struct Gone;

/// Where what a response tells is sent. It waits where much of it was not looked at yet.
#[derive(Clone)]
pub(crate) struct Teller {
    sender: SyncSender<Timed<Told>>,
    began: Instant,
}

/// So much waits for the view, at most.
const WAITING: usize = 4096;

/// A channel from a response to a view.
pub(crate) fn live() -> (Teller, Feed<Told>) {
    let (sender, receiver) = sync_channel(WAITING);
    (Teller { sender, began: Instant::now() }, Feed::new(receiver, Pace::Live))
}

impl Teller {
    pub(crate) fn tell(&self, told: Told) -> Result<(), Gone> {
        self.sender.send(Timed::at_once(told, self.began.elapsed())).map_err(|_| Gone)
    }

    /// Tells what of a delta is no event.
    pub(crate) fn hear(&self, delta: &Delta) -> Result<(), Gone> {
        Told::of(delta).into_iter().try_for_each(|told| self.tell(told))
    }
}

/// A response that is being watched.
pub(crate) struct Live {
    shown: Shown,
}

impl Live {
    pub(crate) fn new(name: String, settings: &Settings) -> Self {
        Self { shown: Shown::new(name, settings) }
    }
}

impl Watched for Live {
    type Fed = Told;

    fn take(&mut self, told: Told, came: Duration) {
        let model = &mut self.shown.model;
        model.counters.tick(came);
        match told {
            Told::Chunk(bytes) => model.chunk(bytes, came),
            Told::Fact(name, value) => model.facts.add(name, &value),
            Told::Refusal(text) => model.refusal(&text),
            Told::Event(event) => model.event(&event),
            Told::Stopped(stop) => model.stopped(&stop.to_string()),
            Told::Over(ending, answer) => {
                if let Some(answer) = answer {
                    model.judge(&answer);
                }
                model.over(ending.into());
            }
        }
    }

    fn close(&mut self) {
        self.shown.model.over(End::Source);
    }

    fn shown(&self) -> &Shown {
        &self.shown
    }

    fn shown_mut(&mut self) -> &mut Shown {
        &mut self.shown
    }

    fn is_over(&self) -> bool {
        self.shown.model.end.is_some()
    }
}

impl From<Ending> for End {
    fn from(ending: Ending) -> Self {
        let (broken, why) = match ending {
            Ending::Refused(why) => (Broken::Refused, why),
            Ending::Failed(why) => (Broken::Failed, why),
            Ending::Cut(why) => (Broken::Cut, why),
            Ending::Rejected(why) => (Broken::Rejected, why),
            Ending::Parse(error) => return Self::Error(error),
        };
        Self::Broken(broken, why)
    }
}

#[cfg(test)]
mod tests;
