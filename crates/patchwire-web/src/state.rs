//! The state that all requests share.

use core::ops::Deref;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Arc;
use std::time::Instant;

use tokio_util::sync::CancellationToken;

use crate::answer_events::Costs;
use crate::budget::Budget;
use crate::durable::{Durable, Surroundings};
use crate::embedded::Embedded;
use crate::metrics::Metrics;
use crate::options::Options;
use crate::samples::SampleError;
use crate::session::Sessions;
use crate::stream_record::RecordSource;
use crate::streams::Streams;
use crate::upstream::Upstream;
use crate::work::WorkPool;

/// The state of a server. Cloning copies a pointer.
#[derive(Clone)]
pub(crate) struct Server(Arc<Shared>);

pub(crate) struct Shared {
    pub(crate) options: Options,
    pub(crate) streams: Streams,
    pub(crate) upstream: Arc<dyn Upstream>,
    pub(crate) sessions: Arc<Sessions>,
    /// The store of the answers, if there is one.
    pub(crate) durable: Option<Durable>,
    pub(crate) pool: Arc<WorkPool>,
    pub(crate) metrics: Arc<Metrics>,
    /// Whether no more streams may begin.
    pub(crate) is_draining: AtomicBool,
    /// How many requests have no response yet.
    unanswered: AtomicUsize,
    pub(crate) shutdown: CancellationToken,
}

impl Deref for Server {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl Server {
    pub(crate) fn new(options: Options, shutdown: CancellationToken) -> Result<Self, SampleError> {
        let streams = Streams::new()?;
        let upstream = options.upstream.clone();
        let upstream = upstream.unwrap_or_else(|| Arc::new(Embedded(streams.clone())));
        let sessions = Arc::new(Sessions::new(options.limits.clone(), shutdown.clone()));
        let pool = Arc::new(WorkPool::new(&options.limits));
        let metrics = Arc::new(Metrics::of(options.store.is_some()));
        let is_draining = AtomicBool::new(false);
        let store = options.store.clone();
        let around = || Surroundings {
            limits: options.limits.clone(),
            upstream: Arc::clone(&upstream),
            sessions: Arc::clone(&sessions),
            pool: Arc::clone(&pool),
            metrics: Arc::clone(&metrics),
            shutdown: shutdown.clone(),
        };
        let durable = store.map(|(store, settings)| Durable::new(store, settings, around()));
        let shared = Shared {
            options,
            streams,
            upstream,
            sessions,
            durable,
            pool,
            metrics,
            is_draining,
            unanswered: AtomicUsize::new(0),
            shutdown,
        };
        Ok(Self(Arc::new(shared)))
    }

    /// Counts a request until its response begins, or until it is dropped.
    pub(crate) fn unanswered(&self) -> UnansweredRequest {
        self.unanswered.fetch_add(1, Ordering::AcqRel);
        UnansweredRequest(self.clone())
    }

    /// Whether a request has no response yet, or a stream has not ended.
    pub(crate) fn is_busy(&self) -> bool {
        self.unanswered.load(Ordering::Acquire) > 0 || self.metrics.active() > 0
    }

    /// The costs of a new request at this endpoint.
    pub(crate) fn costs(&self, endpoint: &'static str) -> Costs {
        let limits = &self.options.limits;
        Costs {
            pool: Arc::clone(&self.pool),
            budget: Budget::new(limits.work_time),
            empty_deltas: limits.empty_deltas,
            record: RecordSource {
                metrics: Arc::clone(&self.metrics),
                endpoint,
                begun: Instant::now(),
                is_counted: true,
            },
        }
    }
}

/// A request that has no response yet.
pub(crate) struct UnansweredRequest(Server);

impl Drop for UnansweredRequest {
    fn drop(&mut self) {
        self.0.unanswered.fetch_sub(1, Ordering::AcqRel);
    }
}
