//! Reads an answer with the engine, and writes its events for the client. Nothing here waits.
//!
//! A long delta is given to the engine in parts, so that the events that wait in the engine are bounded.

use core::pin::Pin;
use core::task::{Context, Poll, Waker};
use core::time::Duration;
use std::collections::VecDeque;

use futures_util::Stream as _;
use patchwire::{Answer, Outcome, Spec};
use patchwire_async::{Attempt, Call, Error, Inputs, Response, ResponseEvent, ask};
use patchwire_wire::Failure;
use serde_json::{Map, Value as Json, json};

use crate::attempts::{Inbox, Item};
use crate::chat_request::Sending;
use crate::raw_events::RawEvents;
use crate::records::Record;
use crate::stream_record::{RecordSource, StreamRecord};
use crate::upstream::{Delta, UpstreamError};
use crate::wire::EventWriter;
use crate::wire_event::WireEvent;
use crate::work::LIGHT;

/// The most bytes of events that are made at once, or one event more.
pub(crate) const BATCH: usize = 8 << 10;

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

/// The engine, and what it has to read.
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
    pub(crate) fn is_behind(&self) -> bool {
        self.writer.is_behind()
    }

    /// Sends such a string in the next batch.
    pub(crate) const fn catch_up(&mut self) {
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
