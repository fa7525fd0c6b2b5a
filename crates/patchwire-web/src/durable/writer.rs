//! Reads the model and appends what it says. It does not wait for clients: whoever comes, to any instance, finds the answer.

use core::future::poll_fn;
use core::pin::pin;
use core::task::Poll;
use core::time::Duration;
use std::sync::Arc;

use tokio::time::{Instant, MissedTickBehavior, interval_at, sleep_until, timeout};

use super::judge::judge;
use super::kept::Kept;
use crate::attempts::Asker;
use crate::budget::Budget;
use crate::model_stream::ModelStream;
use crate::records::{Closing, EntryWriter, Record};
use crate::store::{Append, Entry, Held, StoreError, Times};
use crate::upstream::{Deltas, UpstreamError};

/// Bytes of records that are gathered before they are appended.
const GATHERED: usize = 32 << 10;

/// The one who asks the model.
pub(super) struct Writer {
    kept: Arc<Kept>,
    asker: Arc<Asker>,
    model: ModelStream,
    epoch: u64,
    /// The number of the next entry.
    next: u64,
    gathered: EntryWriter,
    /// Bytes of all entries that were written here, and how many there may be.
    bytes: u64,
    most: u64,
    /// Deltas without content that came last.
    empty: u64,
    deadline: Instant,
    budget: Arc<Budget>,
    /// When strings that have grown are to be sent again.
    catch_up: Option<Instant>,
    resend: Option<Duration>,
}

/// Why a writer stops before the answer's end.
enum Stop {
    /// The answer is closed for all.
    Closed(Closing),
    /// This server is being stopped.
    ShuttingDown,
    Failed(StoreError),
}

impl From<StoreError> for Stop {
    fn from(error: StoreError) -> Self {
        Self::Failed(error)
    }
}

/// How an attempt ended.
type AttemptEnd = Option<UpstreamError>;

impl Writer {
    /// A writer with its epoch and the number of the next entry.
    pub(super) fn new(
        kept: Arc<Kept>,
        asker: Arc<Asker>,
        deltas: Deltas,
        (epoch, next): (u64, u64),
    ) -> Self {
        let limits = &kept.durable.around.limits;
        let (deadline, budget) =
            (Instant::now() + limits.stream_time, Budget::new(limits.work_time));
        let most = kept.durable.settings.answer_bytes;
        let resend = kept.known.resend;
        let model = model(&kept, &asker, &budget, deltas);
        Self {
            kept,
            asker,
            model,
            epoch,
            next,
            gathered: EntryWriter::default(),
            bytes: 0,
            most,
            empty: 0,
            deadline,
            budget,
            catch_up: None,
            resend,
        }
    }

    /// Writes the answer to its end.
    ///
    /// # Errors
    /// If the store fails, or another instance has taken the answer over.
    pub(super) async fn run(mut self) -> Result<(), StoreError> {
        match self.attempts().await {
            Ok(()) => Ok(()),
            Err(Stop::Closed(closing)) => {
                // The model's request is cancelled first.
                self.read_from(crate::attempts::ended());
                self.gathered.record(&Record::Closed(closing));
                self.append(true).await
            }
            Err(Stop::ShuttingDown) => {
                // Others need not wait for the lease to end.
                let times = Times { lease: Duration::ZERO, ..self.times() };
                let (kept, most) = (&self.kept, self.kept.durable.around.limits.drain_time);
                let _ =
                    timeout(most, kept.durable.store.renew(kept.name(), self.epoch, times)).await;
                Ok(())
            }
            Err(Stop::Failed(error)) => Err(error),
        }
    }

    async fn attempts(&mut self) -> Result<(), Stop> {
        loop {
            let error = self.attempt().await?;
            self.read_from(crate::attempts::ended());
            let next = judge(&self.kept, self.next - 1, error.clone()).await?;
            self.gathered.record(&Record::End { error, is_repeated: next.is_some() });
            self.append(next.is_none()).await?;
            let Some((attempt, pause)) = next else { return Ok(()) };
            self.empty = 0;
            self.catch_up = None;
            self.read_from(self.asker.again(&attempt, pause));
        }
    }

    /// Drops the deltas before and reads these.
    fn read_from(&mut self, deltas: Deltas) {
        self.model = model(&self.kept, &self.asker, &self.budget, deltas);
    }

    /// Appends the deltas of one attempt.
    async fn attempt(&mut self) -> Result<AttemptEnd, Stop> {
        let every = self.times().lease / 4;
        let mut renew = interval_at(Instant::now() + every, every);
        renew.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let shutdown = self.kept.durable.around.shutdown.clone();
        let mut shutdown = pin!(shutdown.cancelled());
        let mut late = pin!(sleep_until(self.deadline));
        loop {
            let catch_up = self.catch_up;
            let mut end = None;
            tokio::select! {
                biased;
                () = &mut shutdown => return Err(Stop::ShuttingDown),
                () = &mut late => {
                    let seconds = self.kept.durable.around.limits.stream_time.as_secs();
                    return Err(Stop::Closed(Closing::TimeLimit { seconds }));
                }
                _ = renew.tick() => renewed(&self.kept, self.epoch).await?,
                () = sleep_until(catch_up.unwrap_or(self.deadline)), if catch_up.is_some() => {
                    self.catch_up = None;
                    self.gathered.record(&Record::CatchUp);
                }
                ended = self.gather() => end = ended,
            }
            if self.budget.check().is_err() {
                return Err(Stop::Closed(Closing::WorkLimit));
            }
            let most = self.most;
            if self.bytes + self.gathered.len() as u64 > most {
                return Err(Stop::Closed(Closing::TooLong { most }));
            }
            if !self.gathered.is_empty() {
                self.append(false).await?;
            }
            if let Some(end) = end {
                return Ok(end);
            }
        }
    }

    /// Waits for the model, and gathers everything that it has said. Returns how the attempt ended, if it did.
    async fn gather(&mut self) -> Option<AttemptEnd> {
        tokio::task::coop::consume_budget().await;
        let most_empty = self.kept.durable.around.limits.empty_deltas;
        let Self { model, gathered, empty, budget, .. } = self;
        let gathering = poll_fn(|cx| {
            loop {
                match model.poll_next(cx) {
                    Poll::Ready(Some(Ok(delta))) => {
                        *empty = if delta.bytes() == 0 { *empty + 1 } else { 0 };
                        if *empty > most_empty {
                            return Poll::Ready(Some(Some(too_empty(most_empty))));
                        }
                        gathered.delta(&delta);
                        if gathered.len() >= GATHERED {
                            return Poll::Ready(None);
                        }
                    }
                    Poll::Ready(Some(Err(error))) => return Poll::Ready(Some(Some(error))),
                    Poll::Ready(None) => return Poll::Ready(Some(None)),
                    Poll::Pending if gathered.is_empty() && budget.check().is_ok() => {
                        return Poll::Pending;
                    }
                    Poll::Pending => return Poll::Ready(None),
                }
            }
        });
        let end = gathering.await;
        if let (Some(resend), false) = (self.resend, self.gathered.is_empty()) {
            self.catch_up.get_or_insert_with(|| Instant::now() + resend);
        }
        end
    }

    /// Appends what was gathered, and only then gives it to the readers.
    async fn append(&mut self, is_last: bool) -> Result<(), StoreError> {
        let bytes = self.gathered.take();
        let append = Append {
            epoch: self.epoch,
            seq: self.next,
            bytes: bytes.clone(),
            keep: is_last.then(|| self.times().keep),
        };
        send(&self.kept, append).await?;
        self.bytes += bytes.len() as u64;
        self.kept.feed.push(Entry { seq: self.next, bytes });
        self.next += 1;
        Ok(())
    }

    fn times(&self) -> Times {
        self.kept.durable.settings.times()
    }
}

fn model(kept: &Kept, asker: &Asker, budget: &Arc<Budget>, deltas: Deltas) -> ModelStream {
    let pool = Arc::clone(&kept.durable.around.pool);
    ModelStream::new(deltas, asker.backlog.clone(), pool, Arc::clone(budget))
}

fn too_empty(most: u64) -> UpstreamError {
    UpstreamError::Empty(format!("{most} deltas in a row had none"))
}

/// Sends an entry. A store that lost the last entries gets them again, if they are still held here.
async fn send(kept: &Kept, append: Append) -> Result<(), StoreError> {
    let begun = std::time::Instant::now();
    let (store, name) = (&kept.durable.store, kept.name());
    match store.append(name, append.clone()).await {
        Err(StoreError::Lost { last }) if last > 0 => {
            for seq in last + 1..append.seq {
                let Held::Entry(bytes) = kept.feed.find(seq) else {
                    return Err(StoreError::Lost { last });
                };
                let again = Append { epoch: append.epoch, seq, bytes, keep: None };
                store.append(name, again).await?;
            }
            store.append(name, append).await?;
        }
        sent => sent?,
    }
    kept.durable.around.metrics.store.appended(begun.elapsed());
    Ok(())
}

async fn renewed(kept: &Kept, epoch: u64) -> Result<(), StoreError> {
    kept.durable.store.renew(kept.name(), epoch, kept.durable.settings.times()).await
}
