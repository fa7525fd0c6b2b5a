//! Reads a model's deltas with the engine, and gives out events for the client.
//!
//! A short delta is read where it arrives. A long one, and the end of a long answer, are read on the threads for
//! work, one batch of events at a time. A long delta is given to the engine in parts, so that the events that
//! wait in the engine are bounded, too.

use core::future::poll_fn;
use core::pin::Pin;
use core::task::{Context, Poll, Waker};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use futures_util::{Stream, stream};
use patchwire::Spec;
use patchwire_async::{Call, Error, Inputs, Once, Response, ResponseEvent, TokenStreamExt as _};
use serde_json::{Map, Value as Json, json};

use crate::budget::{Budget, OverBudget};
use crate::chat_request::GatewayRequest;
use crate::problem::Problem;
use crate::raw_events::RawEvents;
use crate::session::WireEvent;
use crate::upstream::{Delta, Deltas, UpstreamError};
use crate::work::{LIGHT, WorkPool};

/// The most bytes of events that are made at once, or one event more.
pub(crate) const BATCH: usize = 16 << 10;

/// What the events of an answer cost and where the cost is paid.
pub(crate) struct Costs {
    pub(crate) pool: Arc<WorkPool>,
    pub(crate) budget: Arc<Budget>,
    /// How many deltas without content may follow one another.
    pub(crate) empty_deltas: u64,
}

/// The events of an answer. With `raw`, each piece of its text comes before the events it makes.
/// The model is read only when the earlier events were taken.
pub(crate) fn events(
    deltas: Deltas,
    asked: GatewayRequest,
    costs: Costs,
) -> impl Stream<Item = WireEvent> + Send {
    let reader = Box::new(AnswerReader::new(asked.spec, asked.raw, asked.options_bytes));
    let answer = AnswerEvents {
        deltas: Some(deltas),
        reader: Some(reader),
        costs,
        ready: VecDeque::new(),
        is_hungry: true,
        empty: 0,
    };
    stream::unfold(answer, |mut answer| async move { Some((answer.next().await?, answer)) })
}

/// A model's answer and its reader.
struct AnswerEvents {
    /// None after the last delta.
    deltas: Option<Deltas>,
    /// None after the last event.
    reader: Option<Box<AnswerReader>>,
    costs: Costs,
    /// Events that were made in one batch.
    ready: VecDeque<WireEvent>,
    /// Whether all that came was read.
    is_hungry: bool,
    /// How many deltas without content came last.
    empty: u64,
}

/// A delta, or the end.
pub(crate) type Item = Option<Result<Delta, UpstreamError>>;

impl AnswerEvents {
    async fn next(&mut self) -> Option<WireEvent> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            if let Err(error) = self.costs.budget.check() {
                self.reader.take()?;
                self.deltas = None;
                return Some(error_event(OverBudget::CODE, &error.to_string()));
            }
            if core::mem::take(&mut self.is_hungry) {
                let item = self.receive().await;
                self.reader.as_mut()?.offer(item);
                continue;
            }
            let progress = self.turn().await?;
            self.is_hungry = progress == Progress::Hungry;
            if progress == Progress::Ended {
                self.reader = None;
            }
        }
    }

    /// The next batch of events from what has come.
    async fn turn(&mut self) -> Option<Progress> {
        let mut reader = self.reader.take()?;
        let Costs { pool, budget, .. } = &self.costs;
        if reader.is_light() {
            let progress = budget.measure(|_| reader.batch(&mut self.ready));
            self.reader = Some(reader);
            return Some(progress);
        }
        let mut ready = core::mem::take(&mut self.ready);
        let work = move || {
            let progress = reader.batch(&mut ready);
            // What has ended is freed here, too.
            let reader = (progress != Progress::Ended).then_some(reader);
            (reader, ready, progress)
        };
        let Some((reader, ready, progress)) = pool.turn(budget, work).await else {
            self.deltas = None;
            self.ready.push_back(work_failed());
            return Some(Progress::Ended);
        };
        (self.reader, self.ready) = (reader, ready);
        Some(progress)
    }

    /// The model's next delta. Facts and empty texts may come, but not without end.
    async fn receive(&mut self) -> Item {
        // Others have their turn, if the model is faster than its reader.
        tokio::task::coop::consume_budget().await;
        let deltas = self.deltas.as_mut()?;
        let budget = &self.costs.budget;
        let item = poll_fn(|cx| {
            let polled = budget.measure(|_| deltas.as_mut().poll_next(cx));
            // A model may also keep the gateway busy without a delta.
            if polled.is_pending() && budget.check().is_err() { Poll::Ready(None) } else { polled }
        });
        let item = item.await;
        let is_empty = matches!(&item, Some(Ok(delta)) if delta.bytes() == 0);
        self.empty = if is_empty { self.empty + 1 } else { 0 };
        if self.empty > self.costs.empty_deltas {
            let what = format!("{} deltas in a row had none", self.costs.empty_deltas);
            self.deltas = None;
            return Some(Err(UpstreamError::Empty(what)));
        }
        if !matches!(item, Some(Ok(_))) {
            self.deltas = None;
        }
        item
    }
}

/// What became of a batch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Progress {
    /// There are events, and maybe more.
    Events,
    /// All that came was read.
    Hungry,
    /// There are no more events after these.
    Ended,
}

/// The delta on its way to the engine.
#[derive(Clone)]
struct Inbox(Arc<Mutex<Poll<Item>>>);

impl Inbox {
    fn put(&self, item: Item) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Poll::Ready(item);
    }
}

impl Stream for Inbox {
    type Item = Result<Delta, UpstreamError>;

    fn poll_next(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Item> {
        core::mem::replace(
            &mut *self.0.lock().unwrap_or_else(PoisonError::into_inner),
            Poll::Pending,
        )
    }
}

type Split = fn(Delta, &mut Inputs);

/// The engine, and what it has to read. Nothing here waits.
pub(crate) struct AnswerReader {
    response: Response<Once<Inbox>, Split>,
    inbox: Inbox,
    /// What is left of a delta.
    rest: Option<Delta>,
    raw: Option<RawEvents>,
    /// A piece of text, to be sent before the events that it makes.
    raw_event: Option<WireEvent>,
    /// How many bytes the next batch may have to look at.
    weight: usize,
    /// The bytes of the answer so far, and of the options that the end is checked with.
    total: usize,
}

impl AnswerReader {
    /// `options_bytes` are the bytes of the options, by which the end is checked.
    pub(crate) fn new(spec: Spec, raw: bool, options_bytes: usize) -> Self {
        let inbox = Inbox(Arc::new(Mutex::new(Poll::Pending)));
        Self {
            response: inbox.clone().fields_with(spec, split as Split),
            inbox,
            rest: None,
            raw: raw.then(RawEvents::default),
            raw_event: None,
            weight: 0,
            total: options_bytes,
        }
    }

    /// Takes a delta or the end, after all before it was read.
    pub(crate) fn offer(&mut self, item: Item) {
        match item {
            Some(Ok(delta)) => {
                if let (Some(raw), Delta::Text(text)) = (&mut self.raw, &delta) {
                    self.raw_event = raw.read(text);
                }
                self.weight = delta.bytes();
                self.total = self.total.saturating_add(self.weight);
                self.rest = Some(delta);
            }
            // What remains is the end.
            item => {
                self.weight = self.total;
                self.inbox.put(item);
            }
        }
    }

    /// The tool calls, as JSON: a list of objects with `id`, `name`, `arguments` and `outcome`.
    pub(crate) fn calls(&self) -> Option<String> {
        let call = |call: &Call| {
            let (id, name) = (Json::from(call.id()), Json::from(call.name()));
            let (arguments, outcome) = (call.arguments(), call.answer().outcome().name());
            format!(
                "{{\"id\":{id},\"name\":{name},\"arguments\":{arguments},\"outcome\":\"{outcome}\"}}"
            )
        };
        let calls = self.response.calls();
        let calls: Vec<_> = calls.iter().map(call).collect();
        (!calls.is_empty()).then(|| format!("[{}]", calls.join(",")))
    }

    /// Whether the next batch takes far less than a millisecond.
    pub(crate) const fn is_light(&self) -> bool {
        self.weight <= LIGHT
    }

    /// Makes a batch of events.
    pub(crate) fn batch(&mut self, ready: &mut VecDeque<WireEvent>) -> Progress {
        let mut bytes = 0;
        let mut cx = Context::from_waker(Waker::noop());
        ready.extend(self.raw_event.take());
        while bytes < BATCH {
            match Pin::new(&mut self.response).poll_next(&mut cx) {
                Poll::Ready(Some(Ok(event))) => {
                    let is_last = event.as_final().is_some();
                    if is_last {
                        ready.extend(self.response.facts().last().and_then(facts));
                    }
                    let event = of(&event);
                    bytes += event.data.len();
                    ready.push_back(event);
                    if is_last {
                        return Progress::Ended;
                    }
                }
                Poll::Ready(Some(Err(error))) => {
                    ready.push_back(failed(&error));
                    return Progress::Ended;
                }
                Poll::Ready(None) => return Progress::Ended,
                Poll::Pending if self.feed() => {}
                Poll::Pending => return Progress::Hungry,
            }
        }
        Progress::Events
    }

    /// Gives the engine the next part of the delta. Whether there was one.
    fn feed(&mut self) -> bool {
        let Some(delta) = &mut self.rest else { return false };
        let part = delta.split_off(LIGHT);
        if delta.bytes() == 0 {
            self.rest = None;
        }
        self.inbox.put(Some(Ok(part)));
        true
    }
}

fn split(delta: Delta, out: &mut Inputs) {
    match delta {
        Delta::Text(text) => out.text(text),
        Delta::Reasoning(text) => out.reasoning(text),
        Delta::Call { key, id, name, arguments } => {
            out.tool(key, id.as_deref(), name.as_deref(), arguments);
        }
        Delta::Fact(name, fact) => out.fact(name, fact),
    }
}

fn of(event: &ResponseEvent) -> WireEvent {
    WireEvent { name: event.name(), data: event.to_string() }
}

/// The provider's facts, just before the last event.
fn facts(facts: &Map<String, Json>) -> Option<WireEvent> {
    let data = json!({"event": "facts", "facts": facts}).to_string();
    (!facts.is_empty()).then_some(WireEvent { name: "facts", data })
}

fn failed(error: &Error<UpstreamError>) -> WireEvent {
    match error {
        Error::Parse(error) => WireEvent { name: "error", data: error.wire().to_string() },
        error => {
            let source = error.as_source();
            let code = source.map_or("failed", UpstreamError::code);
            let message = source.map_or_else(|| error.to_string(), ToString::to_string);
            error_event(code, &message)
        }
    }
}

/// The last event of a stream whose work panicked.
pub(crate) fn work_failed() -> WireEvent {
    let problem = Problem::WorkFailed;
    error_event(problem.code(), &problem.to_string())
}

/// The last event of a stream that ends in an error.
pub(crate) fn error_event(code: &str, message: &str) -> WireEvent {
    let data = json!({"event": "error", "code": code, "message": message}).to_string();
    WireEvent { name: "error", data }
}
