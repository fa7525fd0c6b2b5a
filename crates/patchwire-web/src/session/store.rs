//! The sessions of a server by name, and their number.

use core::time::Duration;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::event_log::EventLog;
use super::keeper::{SessionTimes, keep};
use super::{Ahead, Emitted, EventStream, LastWords, Reader, Session, Stop};
use crate::options::Limits;
use crate::problem::Problem;

/// The right to one stream.
pub(crate) struct Slot(OwnedSemaphorePermit);

/// All sessions of a server.
pub(crate) struct Sessions {
    named: Arc<Mutex<Named>>,
    slots: Arc<Semaphore>,
    limits: Limits,
    shutdown: CancellationToken,
    keepers: TaskTracker,
}

type Named = HashMap<String, Arc<Session>>;

fn lock(named: &Mutex<Named>) -> MutexGuard<'_, Named> {
    named.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Sessions {
    pub(crate) fn new(limits: Limits, shutdown: CancellationToken) -> Self {
        Self {
            named: Arc::default(),
            slots: Arc::new(Semaphore::new(limits.streams.min(Semaphore::MAX_PERMITS))),
            limits,
            shutdown,
            keepers: TaskTracker::new(),
        }
    }

    /// Reserves a place for a stream. If none is free, ends the session whose client has been away
    /// longest, preferring those with no more events.
    pub(crate) fn slot(&self) -> Result<Slot, Problem> {
        let take = || Arc::clone(&self.slots).try_acquire_owned();
        take()
            .or_else(|error| if self.evict() { take() } else { Err(error) })
            .map(Slot)
            .map_err(|_| Problem::Busy { most: self.limits.streams })
    }

    fn evict(&self) -> bool {
        let mut named = lock(&self.named);
        let away = named.iter().filter_map(|(name, session)| Some((session.away()?, name)));
        let Some(name) = away.min().map(|(_, name)| name.clone()) else { return false };
        named.remove(&name).inspect(|session| session.close()).is_some()
    }

    /// A stream without a name, which cannot be resumed. `first` is the number of its first event.
    pub(crate) fn unnamed(&self, source: EventStream, first: u64, slot: Slot) -> Reader {
        let session = Session::new(source, EventLog::new(first, 0), slot.0);
        self.for_one_reader(session, first, Some(self.limits.heartbeat))
    }

    /// A body that is passed on as it is, without heartbeats.
    pub(crate) fn passed(
        &self,
        source: EventStream,
        last_words: impl Fn(Stop) -> Emitted + Send + 'static,
        slot: Slot,
    ) -> Reader {
        let session = Session::new(source, EventLog::new(1, 0), slot.0);
        self.for_one_reader(session.with_last_words(last_words), 1, None)
    }

    /// The events of an answer that any instance goes on with. Its slot is held by the source.
    pub(crate) fn stored(&self, source: EventStream, last_words: LastWords, first: u64) -> Reader {
        let session = Session::new(source, EventLog::new(first, 0), None);
        let session = session.with_last_words(last_words);
        self.for_one_reader(session, first, Some(self.limits.heartbeat))
    }

    /// Runs a task that a stopping server waits for.
    pub(crate) fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        self.keepers.spawn(task);
    }

    /// A session without a name, whose only reader begins with this event.
    fn for_one_reader(&self, session: Session, first: u64, heartbeat: Option<Duration>) -> Reader {
        let session = Arc::new(session.for_one_reader());
        let reader = Reader::attach(Arc::clone(&session), first, heartbeat);
        self.keepers.spawn(keep(session, self.times(), self.shutdown.clone()));
        reader
    }

    /// A stream that can be resumed by its name.
    pub(crate) fn named(
        &self,
        name: String,
        source: EventStream,
        last_words: LastWords,
        slot: Slot,
    ) -> Reader {
        let session = Session::new(source, EventLog::new(1, self.limits.resume_bytes), slot.0);
        let session = Arc::new(session.with_last_words(last_words));
        let reader = Reader::attach(Arc::clone(&session), 1, Some(self.limits.heartbeat));
        lock(&self.named).insert(name.clone(), Arc::clone(&session));
        let (all, times, shutdown) =
            (Arc::downgrade(&self.named), self.times(), self.shutdown.clone());
        self.keepers.spawn(async move {
            keep(Arc::clone(&session), times, shutdown).await;
            let Some(all) = all.upgrade() else { return };
            let mut named = lock(&all);
            if named.get(&name).is_some_and(|own| Arc::ptr_eq(own, &session)) {
                named.remove(&name);
            }
        });
        reader
    }

    const fn times(&self) -> SessionTimes {
        SessionTimes { stream: self.limits.stream_time, away: self.limits.resume_time }
    }

    /// Resumes a stream after an event; `None` if no event follows.
    pub(crate) fn resume(&self, name: &str, after: u64) -> Result<Option<Reader>, Problem> {
        let session = lock(&self.named).get(name).cloned().ok_or(Problem::StreamGone)?;
        let next = after.saturating_add(1);
        match session.ahead(next) {
            Ahead::More => Ok(Some(Reader::attach(session, next, Some(self.limits.heartbeat)))),
            Ahead::Nothing => Ok(None),
            Ahead::Passed(last) => Err(Problem::WindowPassed { last }),
            Ahead::NeverEmitted => Err(Problem::BadEventId),
        }
    }

    /// Ends a stream.
    pub(crate) fn cancel(&self, name: &str) -> Result<(), Problem> {
        let session = lock(&self.named).remove(name).ok_or(Problem::StreamGone)?;
        session.close();
        Ok(())
    }

    /// Waits until all sessions that are being stopped are freed.
    pub(crate) async fn stopped(&self) {
        self.keepers.close();
        self.keepers.wait().await;
    }
}
