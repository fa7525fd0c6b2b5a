//! The events of an answer: the model's deltas, read by the engine.
//!
//! A short delta is read where it arrives. A long one, and the end of a long answer, are read on the threads for
//! work, one batch of events at a time.

use core::future::poll_fn;
use core::task::Poll;
use core::time::Duration;
use std::collections::VecDeque;
use std::sync::Arc;

use futures_util::{Stream, stream};
use serde_json::json;
use tokio::time::{Instant, timeout_at};

use crate::answer_reader::{AnswerReader, Progress};
use crate::attempts::{Asker, Item};
use crate::budget::{Budget, OverBudget};
use crate::chat_request::GatewayRequest;
use crate::model_stream::ModelStream;
use crate::problem::Problem;
use crate::stream_record::RecordSource;
use crate::upstream::{Deltas, UpstreamError};
use crate::wire::Wire;
use crate::wire_event::WireEvent;
use crate::work::WorkPool;

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
                self.reader.take()?.record().failed(OverBudget::CODE);
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
