//! What becomes of an attempt that has ended: the engine reads the stored answer, as it does for a client.

use core::time::Duration;
use std::collections::VecDeque;
use std::sync::Arc;

use patchwire_async::Attempt;

use super::kept::Kept;
use super::record_reader::{PAGE, read_onto};
use crate::answer_events::{Costs, turn};
use crate::answer_reader::{AnswerReader, Progress};
use crate::problem::Problem;
use crate::records::Record;
use crate::store::{Position, StoreError};
use crate::upstream::UpstreamError;

/// The attempt that follows, and the pause before it.
pub(super) type Next = Option<(Attempt, Duration)>;

/// Whether the model is asked again after an attempt that ended so. `last` is the number of the last entry of the attempt.
pub(super) async fn judge(
    kept: &Arc<Kept>,
    last: u64,
    error: Option<UpstreamError>,
) -> Result<Next, StoreError> {
    let costs = kept.durable.uncounted();
    let broken = |problem: Problem| StoreError::Broken(problem.to_string());
    let request = Arc::clone(&kept.known.request);
    let asked = kept.durable.around.pool.read(&costs.budget, move |meter| request.asked(meter));
    let asked = asked.await.map_err(broken)?;
    if asked.sending.max_retries.is_none_or(|most| most == 0) {
        return Ok(None);
    }
    let reader =
        AnswerReader::new(asked.spec, &asked.sending, asked.options_bytes, costs.record.clone());
    let mut judge = Judge { reader: Some(Box::new(reader.skipping(u64::MAX))), costs };
    let mut next = Position::FIRST;
    while next.seq <= last {
        let page = kept.durable.store.read(kept.name(), next, PAGE).await?;
        let from = core::mem::replace(&mut next, page.next);
        let entries = page.whole(from.seq)?;
        if entries.is_empty() {
            return Err(StoreError::Lost { last: from.seq - 1 });
        }
        let mut records = Vec::new();
        // The first entry is the request.
        for entry in entries.into_iter().filter(|entry| (2..=last).contains(&entry.seq)) {
            read_onto(entry.bytes, &mut records)?;
        }
        judge.read(records).await.map_err(broken)?;
    }
    judge.read(vec![Record::End { error, is_repeated: false }]).await.map_err(broken)?;
    Ok(judge.reader.and_then(|mut reader| reader.wanted()))
}

struct Judge {
    /// None after the last event.
    reader: Option<Box<AnswerReader>>,
    costs: Costs,
}

impl Judge {
    async fn read(&mut self, records: Vec<Record>) -> Result<(), Problem> {
        let Some(reader) = &mut self.reader else { return Ok(()) };
        reader.offer_records(records);
        loop {
            self.costs.budget.check()?;
            let mut none = VecDeque::new();
            let Some(turned) = turn(&mut self.reader, &mut none, &self.costs).await else {
                return Ok(());
            };
            match turned?.progress {
                Progress::Events => {}
                Progress::Hungry => return Ok(()),
                Progress::Ended => {
                    self.reader = None;
                    return Ok(());
                }
            }
        }
    }
}
