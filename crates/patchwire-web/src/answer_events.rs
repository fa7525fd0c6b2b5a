//! Reads a model's deltas with the engine, and gives out events for the client.
//!
//! A short delta is read where it arrives. A long one, and the end of a long answer, are read on the threads for
//! work, one batch of events at a time. A long delta is given to the engine in parts, so that the events that
//! wait in the engine are bounded, too.

use core::future::poll_fn;
use core::pin::Pin;
use core::task::{Context, Poll, Waker};
use core::time::Duration;
use std::collections::VecDeque;
use std::sync::Arc;

use futures_util::{Stream, stream};
use patchwire::{Answer, Outcome, Spec};
use patchwire_async::{Attempt, Call, Error, Inputs, Response, ResponseEvent, ask};
use patchwire_wire::Failure;
use serde_json::{Map, Value as Json, json};
use tokio::time::{Instant, timeout_at};

use crate::attempts::{Asker, Inbox, Item};
use crate::budget::{Budget, OverBudget};
use crate::chat_request::{GatewayRequest, Sending};
use crate::model_stream::ModelStream;
use crate::problem::Problem;
use crate::raw_events::RawEvents;
use crate::records::Record;
use crate::stream_record::{RecordSource, StreamRecord};
use crate::upstream::{Delta, Deltas, UpstreamError};
use crate::wire::{EventWriter, Wire};
use crate::wire_event::WireEvent;
use crate::work::{LIGHT, WorkPool};

/// The most bytes of events that are made at once, or one event more.
pub(crate) const BATCH: usize = 8 << 10;

/// What the events of an answer cost and where the cost is paid.
#[derive(Clone)]
pub(crate) struct Costs {
    pub(crate) pool: Arc<WorkPool>,
    pub(crate) budget: Arc<Budget>,
    /// How many deltas without content may follow one another.
    pub(crate) empty_deltas: u64,
    pub(crate) record: RecordSource,
}

impl Costs {
    /// The deltas of an attempt of this asker.
    fn model(&self, deltas: Deltas, asker: &Asker) -> ModelStream {
        let (pool, budget) = (Arc::clone(&self.pool), Arc::clone(&self.budget));
        ModelStream::new(deltas, asker.backlog.clone(), pool, budget)
    }

    /// The costs of reading an answer that was counted before.
    pub(crate) fn uncounted(self) -> Self {
        let record = RecordSource { is_counted: false, ..self.record };
        Self { record, ..self }
    }
}

/// The events of an answer. With `raw`, each piece of its text comes before the events it makes.
/// The model is read only when the earlier events were taken.
pub(crate) fn events(
    deltas: Deltas,
    asker: Arc<Asker>,
    asked: GatewayRequest,
    costs: Costs,
) -> impl Stream<Item = WireEvent> + Send {
    let reader = Box::new(AnswerReader::new(
        asked.spec,
        &asked.sending,
        asked.options_bytes,
        costs.record.clone(),
    ));
    let answer = AnswerEvents {
        model: Some(costs.model(deltas, &asker)),
        asker,
        reader: Some(reader),
        costs,
        ready: VecDeque::new(),
        wire: asked.sending.choice.wire,
        is_hungry: true,
        behind: None,
        resend: asked.sending.resend,
        empty: 0,
    };
    stream::unfold(answer, |mut answer| async move { Some((answer.next().await?, answer)) })
}

/// A model's answer and its reader.
struct AnswerEvents {
    /// None after the last delta of an attempt.
    model: Option<ModelStream>,
    /// Sends the requests of further attempts.
    asker: Arc<Asker>,
    /// None after the last event.
    reader: Option<Box<AnswerReader>>,
    costs: Costs,
    /// Events that were made in one batch.
    ready: VecDeque<WireEvent>,
    wire: Wire,
    /// Whether all that came was read.
    is_hungry: bool,
    /// The time of the first growth that was not sent.
    behind: Option<Instant>,
    /// How long growth may wait before the string is sent.
    resend: Duration,
    /// How many deltas without content came last.
    empty: u64,
}

impl AnswerEvents {
    async fn next(&mut self) -> Option<WireEvent> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event);
            }
            if let Err(error) = self.costs.budget.check() {
                self.reader.take()?.record.failed(OverBudget::CODE);
                self.model = None;
                return Some(self.wire.error(OverBudget::CODE, &error.to_string()));
            }
            if core::mem::take(&mut self.is_hungry) {
                if let Some((attempt, pause)) = self.reader.as_mut()?.wanted() {
                    let deltas = self.asker.again(&attempt, pause);
                    self.model = Some(self.costs.model(deltas, &self.asker));
                    self.empty = 0;
                }
                let due = self.behind.map(|since| since + self.resend);
                let next = match due {
                    Some(due) => timeout_at(due, self.receive()).await,
                    None => Ok(self.receive().await),
                };
                match next {
                    Ok(item) => self.reader.as_mut()?.offer(item),
                    Err(_) => self.reader.as_mut()?.catch_up(),
                }
                continue;
            }
            let progress = self.turn().await?;
            self.behind = match self.reader.as_ref().is_some_and(|reader| reader.is_behind()) {
                true => self.behind.or_else(|| Some(Instant::now())),
                false => None,
            };
            let is_due = self.behind.is_some_and(|since| since.elapsed() >= self.resend);
            if let (true, Progress::Hungry, Some(reader)) = (is_due, progress, &mut self.reader) {
                reader.catch_up();
                continue;
            }
            self.is_hungry = progress == Progress::Hungry;
            if progress == Progress::Ended {
                self.reader = None;
            }
        }
    }

    /// The next batch of events from what has come.
    async fn turn(&mut self) -> Option<Progress> {
        let turned = turn(&mut self.reader, &mut self.ready, &self.costs).await?;
        Some(match turned {
            Ok(turned) => turned.progress,
            Err(problem) => {
                self.model = None;
                self.ready.push_back(self.wire.error(problem.code(), &problem.to_string()));
                Progress::Ended
            }
        })
    }

    /// The model's next delta. Facts and empty texts may come, but not without end.
    async fn receive(&mut self) -> Item {
        // Others have their turn, if the model is faster than its reader.
        tokio::task::coop::consume_budget().await;
        let model = self.model.as_mut()?;
        let budget = &self.costs.budget;
        let item = poll_fn(|cx| {
            let polled = model.poll_next(cx);
            // A model may also keep the gateway busy without a delta.
            if polled.is_pending() && budget.check().is_err() { Poll::Ready(None) } else { polled }
        });
        let item = item.await;
        let is_empty = matches!(&item, Some(Ok(delta)) if delta.bytes() == 0);
        self.empty = if is_empty { self.empty + 1 } else { 0 };
        if self.empty > self.costs.empty_deltas {
            let what = format!("{} deltas in a row had none", self.costs.empty_deltas);
            self.model = None;
            return Some(Err(UpstreamError::Empty(what)));
        }
        if !matches!(item, Some(Ok(_))) {
            self.model = None;
        }
        item
    }
}

/// A batch that was made.
pub(crate) struct Turned {
    pub(crate) progress: Progress,
    /// How many events are still left out.
    pub(crate) skipped: u64,
}

/// Makes a batch of events: here if that is little work, and on a thread for work if not. `None` without a reader.
pub(crate) async fn turn(
    held: &mut Option<Box<AnswerReader>>,
    ready: &mut VecDeque<WireEvent>,
    costs: &Costs,
) -> Option<Result<Turned, Problem>> {
    let mut reader = held.take()?;
    let Costs { pool, budget, .. } = costs;
    if reader.is_light() {
        let progress = budget.measure_light(|| reader.batch(ready));
        let skipped = reader.skipped();
        *held = Some(reader);
        return Some(Ok(Turned { progress, skipped }));
    }
    let mut events = core::mem::take(ready);
    let work = move || {
        let progress = reader.batch(&mut events);
        let turned = Turned { progress, skipped: reader.skipped() };
        // What has ended is freed here, too.
        let reader = (progress != Progress::Ended).then_some(reader);
        (reader, events, turned)
    };
    let Some((reader, events, turned)) = pool.turn(budget, work).await else {
        return Some(Err(Problem::WorkFailed));
    };
    (*held, *ready) = (reader, events);
    Some(Ok(turned))
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

/// What a record of a store costs beside its bytes, in bytes.
const RECORD_WEIGHT: usize = 16;

/// What became of the next record of a store.
enum Fed {
    Some,
    None,
    /// The answer was ended from outside.
    Closed,
}

type Split = fn(Delta, &mut Inputs);

/// The engine, and what it has to read. Nothing here waits.
pub(crate) struct AnswerReader {
    response: Response<Inbox, Split>,
    inbox: Inbox,
    /// What is left of a delta.
    rest: Option<Delta>,
    /// What follows it, of an answer that is read from a store.
    records: VecDeque<Record>,
    raw: Option<RawEvents>,
    /// A piece of text, to be sent before the events that it makes.
    raw_event: Option<WireEvent>,
    writer: EventWriter,
    record: StreamRecord,
    /// Whether a string that has grown is sent in the next batch.
    is_catching_up: bool,
    /// How many bytes the next batch may have to look at.
    weight: usize,
    /// The bytes of the answer so far, and of the options that the end is checked with.
    total: usize,
}

impl AnswerReader {
    /// `options_bytes` are the bytes of the options, by which the end is checked.
    pub(crate) fn new(
        spec: Spec,
        sending: &Sending,
        options_bytes: usize,
        record: RecordSource,
    ) -> Self {
        let inbox = Inbox::default();
        let response = match sending.max_retries {
            None => Response::of_split(inbox.clone(), spec, split as Split),
            Some(retries) => ask(spec, inbox.clone())
                .split(split as Split)
                .max_retries(retries)
                .calls_are_answers(sending.calls_are_answers)
                .send(),
        };
        Self {
            response,
            inbox,
            rest: None,
            records: VecDeque::new(),
            raw: sending.raw.then(RawEvents::default),
            raw_event: None,
            writer: EventWriter::new(&sending.choice),
            is_catching_up: false,
            record: StreamRecord::new(record),
            weight: 0,
            total: options_bytes,
        }
    }

    /// Leaves out so many events, which the client has.
    pub(crate) fn skipping(mut self, events: u64) -> Self {
        self.writer.skip(events);
        self
    }

    /// How many events are still left out.
    pub(crate) const fn skipped(&self) -> u64 {
        self.writer.skipped()
    }

    /// Takes a delta or the end, after all before it was read.
    pub(crate) fn offer(&mut self, item: Item) {
        self.weight = self.take(item);
    }

    /// Takes records of a store, after all before them were read.
    pub(crate) fn offer_records(&mut self, records: Vec<Record>) {
        let bytes = |record: &Record| match record {
            Record::Delta(delta) => delta.bytes() + RECORD_WEIGHT,
            Record::Request(_) | Record::Closed(_) => RECORD_WEIGHT,
            // The whole is looked at.
            Record::CatchUp | Record::End { .. } => self.total,
        };
        self.weight = records.iter().map(bytes).sum();
        self.records.extend(records);
    }

    /// Returns how many bytes may have to be looked at.
    fn take(&mut self, item: Item) -> usize {
        match item {
            Some(Ok(delta)) => {
                if let (Some(raw), Delta::Text(text)) = (&mut self.raw, &delta) {
                    self.raw_event = raw.read(text);
                }
                let bytes = delta.bytes();
                self.total = self.total.saturating_add(bytes);
                self.rest = Some(delta);
                bytes
            }
            // What remains is the end.
            item => {
                self.inbox.put(item);
                self.total
            }
        }
    }

    /// The tool calls, as JSON: a list of objects with `id`, `name`, `arguments` and `outcome`.
    fn calls(&self) -> Option<String> {
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

    /// Adds the tool calls to the event `final`, with the outcome that they are if there is nothing else.
    fn add_calls(&self, answer: &Answer, events: &mut VecDeque<WireEvent>) {
        let last = events.back_mut().filter(|event| event.name == "final");
        let (Some(last), Some(calls)) = (last.filter(|_| self.writer.is_own()), self.calls())
        else {
            return;
        };
        let [own, said] = [answer.outcome(), self.outcome(answer)]
            .map(|outcome| format!("\"outcome\":\"{}\"", outcome.name()));
        // It stands before all that a model wrote.
        let mut data = last.data.replacen(&own, &said, 1);
        data.truncate(data.len() - 1);
        last.data = format!("{data},\"calls\":{calls}}}");
    }

    /// The outcome of the whole answer: the engine's own is of its text, which has no calls.
    fn outcome(&self, answer: &Answer) -> Outcome {
        match answer.outcome() {
            Outcome::Empty | Outcome::NoAnswer if !self.response.calls().is_empty() => {
                Outcome::ToolCalls
            }
            outcome => outcome,
        }
    }

    /// Returns the attempt to send next, and drops what was read of the attempt before.
    pub(crate) fn wanted(&mut self) -> Option<(Attempt, Duration)> {
        let wanted = self.inbox.wanted()?;
        self.rest = None;
        self.raw = self.raw.take().map(|_| RawEvents::default());
        Some(wanted)
    }

    pub(crate) const fn record(&mut self) -> &mut StreamRecord {
        &mut self.record
    }

    /// Whether a string has grown that was not sent.
    fn is_behind(&self) -> bool {
        self.writer.is_behind()
    }

    /// Sends such a string in the next batch.
    const fn catch_up(&mut self) {
        self.is_catching_up = true;
        self.weight = self.total;
    }

    /// Whether the next batch takes far less than a millisecond.
    pub(crate) const fn is_light(&self) -> bool {
        self.weight <= LIGHT
    }

    /// Makes a batch of events.
    pub(crate) fn batch(&mut self, ready: &mut VecDeque<WireEvent>) -> Progress {
        let mut bytes = 0;
        let mut cx = Context::from_waker(Waker::noop());
        self.writer.own(self.raw_event.take(), ready);
        if core::mem::take(&mut self.is_catching_up) {
            self.writer.catch_up(ready);
        }
        while bytes < BATCH {
            match self.poll_response(&mut cx) {
                Poll::Ready(Some(Ok(event))) => {
                    if let Some(answer) = event.as_final() {
                        self.count_usage();
                        self.writer.own(self.response.facts().last().and_then(facts), ready);
                        self.record.answer(answer, self.outcome(answer));
                        self.writer.event(&event, ready);
                        self.add_calls(answer, ready);
                        return Progress::Ended;
                    }
                    self.record.event(&event);
                    bytes += self.writer.event(&event, ready);
                }
                Poll::Ready(Some(Err(error))) => {
                    self.fail(&error, ready);
                    return Progress::Ended;
                }
                Poll::Ready(None) => return Progress::Ended,
                Poll::Pending if self.feed() => {}
                Poll::Pending => match self.record_from_store(ready) {
                    Fed::Some => {}
                    Fed::None => return Progress::Hungry,
                    Fed::Closed => return Progress::Ended,
                },
            }
        }
        Progress::Events
    }

    /// The next event of the engine. Where each event of the engine is one for the client, the engine leaves out those that the
    /// client has.
    fn poll_response(
        &mut self,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<ResponseEvent, Error<UpstreamError>>>> {
        let skips = self.writer.skipped() > 0 && self.writer.is_own() && self.raw.is_none();
        if !skips {
            return Pin::new(&mut self.response).poll_next(cx);
        }
        self.response.skip_events(self.writer.skipped());
        let polled = Pin::new(&mut self.response).poll_next(cx);
        self.writer.skip(self.response.events_to_skip());
        polled
    }

    /// Gives the engine the next record of a store, and short deltas together with those that follow.
    fn record_from_store(&mut self, ready: &mut VecDeque<WireEvent>) -> Fed {
        let Some(record) = self.records.pop_front() else { return Fed::None };
        // Whoever writes the answer has sent the request that the engine wants.
        let _ = self.wanted();
        match record {
            Record::Delta(delta) if self.raw.is_none() && delta.bytes() <= LIGHT => {
                self.put_short_deltas(delta);
            }
            Record::Delta(delta) => {
                self.take(Some(Ok(delta)));
                self.writer.own(self.raw_event.take(), ready);
            }
            Record::End { error, .. } => {
                self.take(error.map(Err));
            }
            Record::CatchUp if self.writer.is_behind() => self.writer.catch_up(ready),
            Record::CatchUp | Record::Request(_) => {}
            Record::Closed(closing) => {
                self.record.failed(closing.code());
                self.writer.stop(closing.code(), &closing.to_string(), ready);
                return Fed::Closed;
            }
        }
        Fed::Some
    }

    fn put_short_deltas(&mut self, first: Delta) {
        let Self { records, total, .. } = self;
        let more = core::iter::from_fn(|| {
            let is_short =
                |record: &&Record| matches!(record, Record::Delta(delta) if delta.bytes() <= LIGHT);
            records.front().filter(is_short)?;
            match records.pop_front() {
                Some(Record::Delta(delta)) => Some(delta),
                _ => None,
            }
        });
        let deltas = core::iter::once(first).chain(more);
        self.inbox.put_deltas(deltas.inspect(|delta| *total = total.saturating_add(delta.bytes())));
    }

    /// Each attempt costs.
    fn count_usage(&mut self) {
        for facts in self.response.facts() {
            if let Some(usage) = facts.get("usage") {
                self.record.more_usage(usage);
            }
        }
    }

    fn fail(&mut self, error: &Error<UpstreamError>, ready: &mut VecDeque<WireEvent>) {
        let failure = match error {
            Error::Parse(error) => {
                self.record.failed(error.kind.name());
                if self.writer.is_own() {
                    let data = error.wire().to_string();
                    self.writer.push(WireEvent { name: "error", data }, ready);
                    return;
                }
                (*error).into()
            }
            error => {
                self.count_usage();
                let source = error.as_source();
                let unasked =
                    if matches!(error, Error::Rejected { .. }) { "rejected" } else { "failed" };
                let code = source.map_or(unasked, UpstreamError::code);
                self.record.failed(code);
                let message = match source {
                    Some(source) => source.to_string(),
                    None if has_only_calls(error) => ONLY_CALLS.to_owned(),
                    None => error.to_string(),
                };
                Failure::new(code, message)
            }
        };
        self.writer.fail(&failure, ready);
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

/// The error for an answer of calls where a value has to be.
const ONLY_CALLS: &str = "no value: only tool calls, and the model waits for their results; remove `schema` and the paths of \
                          `ensure`, or the tools";

fn has_only_calls(error: &Error<UpstreamError>) -> bool {
    error.rejected().is_some_and(|answer| !answer.calls().is_empty() && !answer.value().exists())
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

/// The provider's facts, just before the last event.
fn facts(facts: &Map<String, Json>) -> Option<WireEvent> {
    let data = json!({"event": "facts", "facts": facts}).to_string();
    (!facts.is_empty()).then_some(WireEvent { name: "facts", data })
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
