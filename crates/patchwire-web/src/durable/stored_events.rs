//! The events of a stored answer. They follow from its records alone.

use std::collections::VecDeque;

use futures_util::stream;

use super::record_reader::RecordReader;
use super::{Durable, unnumbered};
use crate::answer_events::{Costs, Turned, turn};
use crate::answer_reader::{AnswerReader, Progress};
use crate::chat_request::GatewayRequest;
use crate::problem::Problem;
use crate::session::{Emitted, EventStream};
use crate::wire::Wire;
use crate::wire_event::WireEvent;

/// A stored answer and its reader.
pub(crate) struct StoredEvents {
    durable: Durable,
    records: RecordReader,
    /// None after the last event.
    reader: Option<Box<AnswerReader>>,
    costs: Costs,
    wire: Wire,
    ready: VecDeque<WireEvent>,
    is_hungry: bool,
    /// How many events were left out at the end.
    skipped: u64,
}

/// What a client finds that comes back.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Ahead {
    /// There is an event, or one may follow.
    More,
    /// The client has every event.
    Nothing,
    /// The event that the client has last does not exist.
    NeverEmitted,
}

impl StoredEvents {
    /// The events after so many.
    pub(super) fn new(
        asked: GatewayRequest,
        costs: Costs,
        records: RecordReader,
        after: u64,
    ) -> Self {
        let wire = asked.sending.choice.wire;
        let record = costs.record.clone();
        let reader = AnswerReader::new(asked.spec, &asked.sending, asked.options_bytes, record);
        Self {
            durable: records.durable(),
            records,
            reader: Some(Box::new(reader.skipping(after))),
            costs,
            wire,
            ready: VecDeque::new(),
            is_hungry: true,
            skipped: 0,
        }
    }

    /// Reads what is stored, up to the first event for the client.
    pub(super) async fn look_ahead(&mut self) -> Result<Ahead, Problem> {
        loop {
            if !self.ready.is_empty() {
                return Ok(Ahead::More);
            }
            self.costs.budget.check()?;
            let Some(reader) = &mut self.reader else {
                let has_all = self.skipped == 0;
                return Ok(if has_all { Ahead::Nothing } else { Ahead::NeverEmitted });
            };
            if core::mem::take(&mut self.is_hungry) {
                let has_all = reader.skipped() == 0;
                let records = self.records.stored_records().await;
                let records = records.map_err(|error| self.durable.failed(error))?;
                if records.is_empty() {
                    self.is_hungry = true;
                    return Ok(if has_all { Ahead::More } else { Ahead::NeverEmitted });
                }
                reader.offer_records(records);
            }
            self.turn().await?;
        }
    }

    /// The events as a source of a session.
    pub(super) fn events(self) -> EventStream {
        Box::pin(stream::unfold(self, |mut events| async move {
            let event = events.next().await?;
            Some((event, events))
        }))
    }

    async fn next(&mut self) -> Option<Emitted> {
        loop {
            if let Some(event) = self.ready.pop_front() {
                return Some(event.into());
            }
            let reader = self.reader.as_mut()?;
            if let Err(error) = self.costs.budget.check() {
                return Some(self.fail(&error.into()));
            }
            if core::mem::take(&mut self.is_hungry) {
                // Others have their turn, if the store is faster than its reader.
                tokio::task::coop::consume_budget().await;
                match self.records.records().await {
                    Ok(records) => reader.offer_records(records),
                    Err(error) => {
                        let problem = self.durable.failed(error);
                        return Some(self.fail(&problem));
                    }
                }
            }
            if let Err(problem) = self.turn().await {
                return Some(self.fail(&problem));
            }
        }
    }

    /// Ends the stream here. The answer may go on elsewhere.
    fn fail(&mut self, problem: &Problem) -> Emitted {
        if let Some(mut reader) = self.reader.take() {
            reader.record().failed(problem.code());
        }
        unnumbered(self.wire, problem.code(), &problem.to_string())
    }

    /// Makes a batch of events.
    async fn turn(&mut self) -> Result<(), Problem> {
        let Some(turned) = turn(&mut self.reader, &mut self.ready, &self.costs).await else {
            return Ok(());
        };
        let Turned { progress, skipped } = turned?;
        self.is_hungry = progress == Progress::Hungry;
        if progress == Progress::Ended {
            (self.reader, self.skipped) = (None, skipped);
        }
        Ok(())
    }
}
