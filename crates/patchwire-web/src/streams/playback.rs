//! A recorded stream while it is played: cut as asked, as fast as asked.

use core::time::Duration;
use std::collections::VecDeque;

use futures_util::{Stream, stream};
use patchwire::{Event, Parser, Values};
use serde_json::json;
use tokio::time::{Instant, sleep_until};

use super::{Cuts, Recorded};
use crate::session::Told;

/// Bytes a second at speed 1: forty tokens.
const RATE: f64 = 160.0;

/// A stream that is played.
pub(crate) struct Playback {
    recorded: Recorded,
    cuts: Cuts,
    /// None when all was told.
    parser: Option<Parser>,
    waiting: VecDeque<Told>,
    pace: Pace,
    /// The chunks are told as well.
    shows_chunks: bool,
}

/// When a byte is due.
struct Pace {
    /// Bytes a second; none is as fast as it is asked.
    rate: Option<f64>,
    begun: Option<Instant>,
    /// Bytes that were due before it began.
    skipped: usize,
}

impl Playback {
    /// At a speed of 0 nothing waits.
    pub(crate) fn new(recorded: Recorded, cuts: Cuts, speed: f64, shows_chunks: bool) -> Self {
        let rate = (speed > 0.0).then_some(RATE * speed);
        let parser = Some(recorded.spec.parser());
        let pace = Pace { rate, begun: None, skipped: 0 };
        Self { recorded, cuts, parser, waiting: VecDeque::new(), pace, shows_chunks }
    }

    /// Passes over so many events at once. False if there are no more after them.
    pub(crate) fn skip(&mut self, events: u64) -> bool {
        let mut left = usize::try_from(events).unwrap_or(usize::MAX);
        loop {
            let passed = left.min(self.waiting.len());
            self.waiting.drain(..passed);
            left -= passed;
            if !self.waiting.is_empty() {
                return true;
            }
            match self.cuts.next() {
                Some(chunk) => {
                    self.pace.skipped = chunk.end;
                    self.read(chunk);
                }
                None if self.parser.is_some() => self.finish(),
                None => return false,
            }
        }
    }

    /// The events, told when they are due.
    pub(crate) fn events(self) -> impl Stream<Item = Told> + Send {
        stream::unfold(self, |mut play| async move {
            loop {
                if let Some(told) = play.waiting.pop_front() {
                    return Some((told, play));
                }
                play.parser.as_ref()?;
                match play.cuts.next() {
                    Some(chunk) => {
                        play.pace.wait(chunk.end).await;
                        play.read(chunk);
                    }
                    None => play.finish(),
                }
            }
        })
    }

    fn read(&mut self, chunk: core::ops::Range<usize>) {
        let Some(parser) = &mut self.parser else { return };
        if self.shows_chunks {
            let data = json!({"event": "chunk", "span": [chunk.start, chunk.end]}).to_string();
            self.waiting.push_back(Told { name: "chunk", data });
        }
        let waiting = &mut self.waiting;
        let fed = parser.feed(&self.recorded.text[chunk], |event| waiting.push_back(told(event)));
        if let Err(error) = fed {
            self.waiting.push_back(Told { name: "error", data: error.wire().to_string() });
            self.parser = None;
        }
    }

    fn finish(&mut self) {
        let Some(mut parser) = self.parser.take() else { return };
        let waiting = &mut self.waiting;
        if let Err(error) = parser.finish(|event| waiting.push_back(told(event))) {
            self.waiting.push_back(Told { name: "error", data: error.wire().to_string() });
        }
    }
}

fn told(event: Event<'_>) -> Told {
    Told { name: event.name(), data: event.wire(Values::Leaf).to_string() }
}

impl Pace {
    /// Until a chunk is due that ends there. The clock is read once, so that no delay adds up.
    async fn wait(&mut self, end: usize) {
        let Some(rate) = self.rate else { return };
        let begun = *self.begun.get_or_insert_with(Instant::now);
        let seconds = end.saturating_sub(self.skipped) as f64 / rate;
        // Nobody waits for longer than a stream may take.
        let due = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        if let Some(due) = begun.checked_add(due) {
            sleep_until(due).await;
        } else {
            core::future::pending().await
        }
    }
}
