//! Plays a text: cut and timed as requested.

use core::ops::Range;
use core::time::Duration;
use std::collections::VecDeque;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{Stream, stream};
use patchwire::{Event, Parser, Spec, wire::IncludeValues};
use serde_json::json;
use tokio::time::{Instant, sleep_until};

use super::Cuts;
use crate::answer_events::{error_event, work_failed};
use crate::answer_reader::BATCH;
use crate::budget::{Budget, OverBudget};
use crate::wire_event::WireEvent;
use crate::work::{LIGHT, WorkPool};

/// Bytes per second at speed 1: forty tokens.
const RATE: f64 = 160.0;

/// A text that is played. Events are made one at a time, when they are taken: a single chunk of
/// four megabytes could make millions.
pub(crate) struct Playback {
    text: Bytes,
    cuts: Cuts,
    /// The rest of the current chunk.
    chunk: Range<usize>,
    /// Whether all chunks were read.
    is_ending: bool,
    /// `None` after the last event.
    parser: Option<Parser>,
    /// An event that comes before all others.
    first: Option<WireEvent>,
    pace: Pace,
    /// Whether an event is sent for each chunk.
    shows_chunks: bool,
    /// How many bytes the options have that the end is checked with.
    options_bytes: usize,
    /// Events that were made in one batch.
    ready: VecDeque<WireEvent>,
}

/// When each byte is due.
struct Pace {
    /// Bytes per second; `None` for no pauses.
    rate: Option<f64>,
    begun: Option<Instant>,
    /// Bytes before the first that is played.
    skipped: usize,
}

impl Playback {
    /// A playback without pauses.
    pub(crate) fn new(spec: &Spec, text: Bytes, cuts: Cuts) -> Self {
        Self {
            text,
            cuts,
            chunk: 0..0,
            is_ending: false,
            parser: Some(spec.parser()),
            first: None,
            pace: Pace { rate: None, begun: None, skipped: 0 },
            shows_chunks: false,
            options_bytes: 0,
            ready: VecDeque::new(),
        }
    }

    /// Sets how many bytes the options have: the end may take as long as they are.
    pub(crate) const fn with_options_bytes(mut self, bytes: usize) -> Self {
        self.options_bytes = bytes;
        self
    }

    /// Sets the speed as a multiple of a model's. At 0 there are no pauses.
    pub(crate) fn with_speed(mut self, speed: f64) -> Self {
        self.pace.rate = (speed > 0.0).then_some(RATE * speed);
        self
    }

    /// Adds an event for each chunk.
    pub(crate) const fn with_chunks(mut self, wanted: bool) -> Self {
        self.shows_chunks = wanted;
        self
    }

    /// Skips events. Returns whether more follow.
    pub(crate) fn skip(&mut self, events: u64) -> bool {
        for _ in 0..events {
            if self.next_now().is_none() {
                return false;
            }
        }
        self.first = self.next_now();
        self.first.is_some()
    }

    /// The events, each when it is due. Long chunks and the end of a long text are read on the threads for work.
    pub(crate) fn events(
        self,
        pool: Arc<WorkPool>,
        budget: Arc<Budget>,
    ) -> impl Stream<Item = WireEvent> + Send {
        stream::unfold(Some(Box::new(self)), move |play| {
            let (pool, budget) = (Arc::clone(&pool), Arc::clone(&budget));
            async move { play?.next(&pool, &budget).await }
        })
    }

    /// The next event; without the playback after the last one.
    async fn next(
        mut self: Box<Self>,
        pool: &WorkPool,
        budget: &Arc<Budget>,
    ) -> Option<(WireEvent, Option<Box<Self>>)> {
        loop {
            if let Some(emitted) = self.ready.pop_front() {
                return Some((emitted, Some(self)));
            }
            if let Err(error) = budget.check() {
                self.parser.take()?;
                return Some((error_event(OverBudget::CODE, &error.to_string()), None));
            }
            if self.is_light() {
                budget.measure_light(|| self.batch());
            } else {
                let work = move || {
                    self.batch();
                    self
                };
                let Some(play) = pool.turn(budget, work).await else {
                    return Some((work_failed(), None));
                };
                self = play;
            }
            if self.ready.is_empty()
                && let Some(chunk) = self.next_chunk()?
            {
                self.pace.wait(chunk.end).await;
                self.begin(chunk);
            }
        }
    }

    /// Whether the rest of the chunk, or the end, takes far less than a millisecond.
    fn is_light(&self) -> bool {
        let end =
            if self.is_ending { self.text.len().saturating_add(self.options_bytes) } else { 0 };
        self.chunk.len().max(end) <= LIGHT
    }

    /// Makes a batch of events.
    fn batch(&mut self) {
        let mut bytes = 0;
        while bytes < BATCH
            && let Some(emitted) = self.at_hand()
        {
            bytes += emitted.data.len();
            self.ready.push_back(emitted);
        }
    }

    /// The next event, without waiting.
    fn next_now(&mut self) -> Option<WireEvent> {
        loop {
            if let Some(emitted) = self.at_hand() {
                return Some(emitted);
            }
            if let Some(chunk) = self.next_chunk()? {
                self.pace.skipped = chunk.end;
                self.begin(chunk);
            }
        }
    }

    /// The next chunk, or `Some(None)` at the end of the text; `None` after the last event.
    fn next_chunk(&mut self) -> Option<Option<Range<usize>>> {
        self.parser.as_ref()?;
        let chunk = self.cuts.next();
        self.is_ending = chunk.is_none();
        Some(chunk)
    }

    fn begin(&mut self, chunk: Range<usize>) {
        if self.shows_chunks {
            let data = json!({"event": "chunk", "span": [chunk.start, chunk.end]}).to_string();
            self.first = Some(WireEvent { name: "chunk", data });
        }
        self.chunk = chunk;
    }

    /// The next event of the current chunk.
    fn at_hand(&mut self) -> Option<WireEvent> {
        if let Some(emitted) = self.first.take() {
            return Some(emitted);
        }
        let parser = self.parser.as_mut()?;
        let mut rest = &self.text[self.chunk.clone()];
        let event =
            if self.is_ending { parser.next_final_event() } else { parser.next_event(&mut rest) };
        let emitted = match event {
            Ok(event) => event.map(emitted).ok_or(self.is_ending),
            Err(error) => {
                self.parser = None;
                return Some(WireEvent { name: "error", data: error.wire().to_string() });
            }
        };
        self.chunk.start = self.chunk.end - rest.len();
        if emitted == Err(true) {
            self.parser = None;
        }
        emitted.ok()
    }
}

fn emitted(event: Event<'_>) -> WireEvent {
    WireEvent { name: event.name(), data: event.wire(IncludeValues::Leaf).to_string() }
}

impl Pace {
    /// Waits until a chunk that ends at `end` is due. The start is read once, so that delays do not
    /// add up.
    async fn wait(&mut self, end: usize) {
        let Some(rate) = self.rate else { return };
        let begun = *self.begun.get_or_insert_with(Instant::now);
        let seconds = end.saturating_sub(self.skipped) as f64 / rate;
        // A stream never takes longer than its time limit.
        let due = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
        if let Some(due) = begun.checked_add(due) {
            sleep_until(due).await;
        } else {
            core::future::pending().await
        }
    }
}
