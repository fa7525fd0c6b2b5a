//! Answers that any instance goes on with, in a [`Store`].
//!
//! ```text
//! model ──▶ writer ──▶ store ──▶ feed ──▶ record reader ──▶ engine ──▶ events      on the instance that asked
//!                        └─────▶ feed ──▶ record reader ──▶ engine ──▶ events      on any other
//! ```
//!
//! - A [`writer`] reads the model, appends its deltas as records, and renews the lease. It does not wait for a client.
//! - A feed has the last entries of an answer on one instance: those that its writer appended, or those that the store pushes.
//! - A [`record_reader`] reads from the store up to where the feed begins, and then the feed. So a slow client costs no memory: it reads
//!   from the store what the feed holds no longer.
//! - [`stored_events`] makes the events. They depend on the records alone, so they have the same numbers on every instance.
//! - A [`tender`] is the one task that an answer has on an instance: it writes, or watches whether somebody does. If nobody does, it
//!   takes the answer over.
//! - A [`judge`] finds out whether an attempt is repeated, by reading the records as a client would.

mod judge;
mod kept;
mod record_reader;
mod registry;
mod stored_events;
mod stored_request;
mod tender;
mod writer;

use std::sync::Arc;

use bytes::Bytes;
use tokio_util::sync::CancellationToken;

use crate::answer_events::Costs;
use crate::attempts::Asker;
use crate::budget::Budget;
use crate::chat_request::GatewayRequest;
use crate::metrics::Metrics;
use crate::options::Limits;
use crate::problem::Problem;
use crate::records::{self, Closing, Record};
use crate::session::{self, Emitted, EventStream, Reader, Sessions, Slot};
use crate::sse;
use crate::store::{Feed, Position, Store, StoreError, StoreSettings, StreamName, Taking};
use crate::stream_record::RecordSource;
use crate::upstream::{Backlog, Credentials, Deltas, Upstream};
use crate::wire::Wire;
use crate::work::WorkPool;

use kept::{Kept, Known};
use record_reader::RecordReader;
use registry::Registry;
use stored_events::{Ahead, StoredEvents};
use stored_request::StoredRequest;
use writer::Writer;

/// The answers of a store on this instance. Cloning copies a pointer.
#[derive(Clone)]
pub(crate) struct Durable(Arc<OfInstance>);

/// What the answers of one instance have in common.
pub(crate) struct OfInstance {
    pub(crate) store: Arc<dyn Store>,
    pub(crate) settings: StoreSettings,
    pub(crate) around: Surroundings,
    registry: Registry,
}

/// The parts of the server that answers need.
pub(crate) struct Surroundings {
    pub(crate) limits: Limits,
    pub(crate) upstream: Arc<dyn Upstream>,
    pub(crate) sessions: Arc<Sessions>,
    pub(crate) pool: Arc<WorkPool>,
    pub(crate) metrics: Arc<Metrics>,
    pub(crate) shutdown: CancellationToken,
}

impl core::ops::Deref for Durable {
    type Target = OfInstance;

    fn deref(&self) -> &OfInstance {
        &self.0
    }
}

/// The right to a stream, which the writer and the first reader share.
type SharedSlot = Arc<Slot>;

impl Durable {
    pub(crate) fn new(
        store: Arc<dyn Store>,
        settings: StoreSettings,
        around: Surroundings,
    ) -> Self {
        Self(Arc::new(OfInstance { store, settings, around, registry: Registry::default() }))
    }

    /// Begins an answer: its request is stored while the model is asked.
    pub(crate) async fn begin(
        &self,
        asked: GatewayRequest,
        asker: Arc<Asker>,
        opening: impl Future<Output = Result<Deltas, Problem>>,
        (slot, costs): (Slot, Costs),
    ) -> Result<(StreamName, Reader), Problem> {
        let slot = Arc::new(slot);
        let name = StreamName::random().ok_or(Problem::NoRandomness)?;
        let request = StoredRequest::of(&asked, &asker, self.around.limits.answer_bytes);
        let first = request.entry().map_err(|error| Problem::BadBody(error.to_string()))?;
        let creating = async {
            let created = self.store.create(&name, first, self.settings.times()).await;
            created.map_err(|error| self.failed(error))
        };
        let deltas = match tokio::try_join!(creating, opening) {
            Ok(((), deltas)) => deltas,
            Err(problem) => {
                self.forget(name);
                return Err(problem);
            }
        };
        let feed = Feed::new(name.clone(), 1);
        feed.write_here(true);
        let known = Known::of(request.into(), &asked.sending);
        let kept = Arc::new(Kept::new(self.clone(), feed, known));
        let reading = self.registry.begin(&kept);
        let writer = Writer::new(Arc::clone(&kept), asker, deltas, (1, 2));
        let guard = (Arc::clone(&slot), self.around.metrics.begin(costs.record.endpoint));
        let tending = tender::tend(kept, tender::Role::Writes(Box::new(writer)));
        self.around.sessions.spawn(async move {
            tending.await;
            drop(guard);
        });
        let wire = asked.sending.choice.wire;
        let records = RecordReader::live(self.clone(), reading, 2);
        let events = StoredEvents::new(asked, costs, records, 0).events();
        Ok((name, self.reader(events, (slot, wire), 1)))
    }

    /// Goes on with an answer after an event; `None` if no event follows.
    pub(crate) async fn resume(
        &self,
        name: &str,
        after: u64,
        (credentials, costs): (Credentials, Costs),
    ) -> Result<Option<Reader>, Problem> {
        let name = StreamName::read(name).ok_or(Problem::StreamGone)?;
        let slot = Arc::new(self.around.sessions.slot()?);
        let (first, next) = self.first_entry(&name).await?;
        let request = StoredRequest::read(first)
            .map_err(|error| self.failed(StoreError::Broken(error.to_string())))?;
        if let Some(version) = request.other_version() {
            return Err(Problem::OtherVersion { version: version.to_owned() });
        }
        let request = Arc::new(request);
        let stored = Arc::clone(&request);
        let asked = self.around.pool.read(&costs.budget, move |meter| stored.asked(meter)).await?;
        let wire = asked.sending.choice.wire;
        let known = Known::of(request, &asked.sending);
        let records = RecordReader::stored(self.clone(), name, next, known, credentials);
        let mut events = StoredEvents::new(asked, costs.uncounted(), records, after);
        match events.look_ahead().await? {
            Ahead::More => {}
            Ahead::Nothing => return Ok(None),
            Ahead::NeverEmitted => return Err(Problem::BadEventId),
        }
        Ok(Some(self.reader(events.events(), (slot, wire), after.saturating_add(1))))
    }

    /// The request's entry, and where the next one begins. An instance that has the answer still asks the store, because the answer may
    /// have been cancelled.
    async fn first_entry(&self, name: &StreamName) -> Result<(Bytes, Position), Problem> {
        let read = self.store.read(name, Position::FIRST, 1).await;
        let page = read.map_err(|error| self.failed(error))?;
        let first = page.entries.into_iter().next().filter(|entry| entry.seq == 1);
        first.map(|entry| (entry.bytes, page.next)).ok_or(Problem::StreamGone)
    }

    /// Ends an answer on every instance.
    pub(crate) async fn cancel(&self, name: &str) -> Result<(), Problem> {
        let name = StreamName::read(name).ok_or(Problem::StreamGone)?;
        let wrong = |error| self.failed(error);
        let mut times = self.settings.times();
        // Long enough for those who read it to learn why it ended.
        times.keep = 4 * times.lease;
        let bytes = records::entry(&Record::Closed(Closing::Cancelled));
        // Its writer appends in between.
        for _ in 0..CANCEL_TRIES {
            let seen = self.store.standing(&name).await.map_err(wrong)?;
            if seen.has_ended {
                return self.store.remove(&name).await.map_err(wrong);
            }
            let bytes = bytes.clone();
            let taking = Taking { seen, bytes, times, ends: true, by_force: true };
            if self.store.take(&name, taking).await.map_err(wrong)?.is_some() {
                return Ok(());
            }
        }
        Err(wrong(StoreError::Unreachable("its writer is too fast to be stopped".to_owned())))
    }

    /// Forgets an answer that did not begin.
    fn forget(&self, name: StreamName) {
        let store = Arc::clone(&self.store);
        tokio::spawn(async move {
            // It is forgotten by itself, later.
            let _ = store.remove(&name).await;
        });
    }

    fn reader(&self, events: EventStream, (slot, wire): (SharedSlot, Wire), first: u64) -> Reader {
        let events = session::counted(events, slot);
        self.around.sessions.stored(events, last_words(wire), first)
    }

    /// The costs of reading an answer that is counted elsewhere.
    fn uncounted(&self) -> Costs {
        let around = &self.around;
        let record = RecordSource {
            metrics: Arc::clone(&around.metrics),
            endpoint: "",
            begun: std::time::Instant::now(),
            is_counted: false,
        };
        Costs {
            pool: Arc::clone(&around.pool),
            budget: Budget::new(around.limits.work_time),
            empty_deltas: around.limits.empty_deltas,
            record,
        }
    }

    /// Counts and logs a failure of the store.
    fn failed(&self, error: StoreError) -> Problem {
        self.noted(&error);
        Problem::Store(error)
    }

    fn noted(&self, error: &StoreError) {
        self.around.metrics.store.error(error.code());
        if !matches!(error, StoreError::Gone | StoreError::Fenced) {
            tracing::error!(code = error.code(), error = %error, "the store of the answers failed");
        }
    }

    /// Who asks the model for an answer that was taken over.
    fn asker(&self, request: &StoredRequest, credentials: Credentials) -> Asker {
        Asker {
            upstream: Arc::clone(&self.around.upstream),
            body: request.body.clone(),
            credentials,
            open_time: self.around.limits.open_time,
            backlog: Backlog::default(),
        }
    }
}

/// How often a stream is tried to be cancelled.
const CANCEL_TRIES: usize = 100;

/// An error that is not part of the answer has no number: a client that comes back, to any instance, gets the rest.
fn unnumbered(wire: Wire, code: &str, message: &str) -> Emitted {
    Emitted::Bytes(sse::unnumbered(&wire.error(code, message)))
}

/// How a stream says that it was ended from outside.
fn last_words(wire: Wire) -> session::LastWords {
    fn said(wire: Wire, stop: session::Stop) -> Emitted {
        unnumbered(wire, stop.code(), &stop.to_string())
    }
    match wire {
        Wire::Own | Wire::Compact | Wire::Ops | Wire::JsonPatch => |stop| said(Wire::Own, stop),
        Wire::AgUi => |stop| said(Wire::AgUi, stop),
        Wire::UiMessage => |stop| said(Wire::UiMessage, stop),
    }
}

#[cfg(test)]
mod tests;
