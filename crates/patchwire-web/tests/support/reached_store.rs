//! A store that one instance may be cut off from, for tests.

use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use core::time::Duration;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use patchwire_web::store::{
    Append, Feed, MemoryStore, Page, Position, Standing, Store, StoreError, StreamName, Taking,
    Times, Working,
};
use tokio::sync::Semaphore;
use tokio::time::Instant;

/// A store that this instance reaches only while the switch is on: for the others, the instance is gone.
#[derive(Clone)]
pub(crate) struct Reached {
    store: MemoryStore,
    is_on: Arc<AtomicBool>,
    /// What it says while the switch is off; without it, nothing.
    says: Option<StoreError>,
    /// The feeds that this instance follows, or followed.
    pub(crate) feeds: Arc<Mutex<Vec<Arc<Feed>>>>,
    /// When leases were renewed.
    pub(crate) renewals: Arc<Mutex<Vec<Instant>>>,
    /// How many takeovers fail because an entry came in between.
    pub(crate) outrun: Arc<AtomicUsize>,
    /// Each entry waits for a permit.
    pub(crate) appends: Arc<Semaphore>,
}

impl Reached {
    pub(crate) fn new(store: &MemoryStore) -> Self {
        let is_on = Arc::new(AtomicBool::new(true));
        let (feeds, renewals, outrun) = (Arc::default(), Arc::default(), Arc::default());
        // More than any test has entries.
        let appends = Arc::new(Semaphore::new(Semaphore::MAX_PERMITS));
        Self { store: store.clone(), is_on, says: None, feeds, renewals, outrun, appends }
    }

    /// A store that takes no entry without a permit.
    pub(crate) fn slow(store: &MemoryStore) -> Self {
        Self { appends: Arc::new(Semaphore::new(0)), ..Self::new(store) }
    }

    pub(crate) fn says(self, error: StoreError) -> Self {
        Self { says: Some(error), ..self }
    }

    pub(crate) fn set(&self, is_on: bool) {
        self.is_on.store(is_on, Ordering::Release);
    }

    fn reach<'s, T: Send + 's>(&'s self, work: Working<'s, T>) -> Working<'s, T> {
        Box::pin(async move {
            while !self.is_on.load(Ordering::Acquire) {
                if let Some(error) = &self.says {
                    return Err(error.clone());
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            work.await
        })
    }
}

/// The work of a future that is not begun before it is polled.
fn later<'s, T, F>(work: F) -> Working<'s, T>
where
    F: Future<Output = Result<T, StoreError>> + Send + 's,
{
    Box::pin(work)
}

impl Store for Reached {
    fn create<'s>(&'s self, name: &'s StreamName, first: Bytes, times: Times) -> Working<'s, ()> {
        self.reach(later(async move { self.store.create(name, first, times).await }))
    }
    fn append<'s>(&'s self, name: &'s StreamName, append: Append) -> Working<'s, ()> {
        self.reach(later(async move {
            self.appends.acquire().await.expect("it is open").forget();
            self.store.append(name, append).await
        }))
    }
    fn renew<'s>(&'s self, name: &'s StreamName, epoch: u64, times: Times) -> Working<'s, ()> {
        self.renewals.lock().unwrap().push(Instant::now());
        self.reach(later(async move { self.store.renew(name, epoch, times).await }))
    }
    fn standing<'s>(&'s self, name: &'s StreamName) -> Working<'s, Standing> {
        self.reach(later(async move { self.store.standing(name).await }))
    }
    fn take<'s>(&'s self, name: &'s StreamName, taking: Taking) -> Working<'s, Option<u64>> {
        let left = self.outrun.load(Ordering::Acquire);
        self.outrun.store(left.saturating_sub(1), Ordering::Release);
        self.reach(later(async move {
            match left {
                0 => self.store.take(name, taking).await,
                _ => Ok(None),
            }
        }))
    }
    fn read<'s>(&'s self, name: &'s StreamName, from: Position, most: usize) -> Working<'s, Page> {
        self.reach(later(async move { self.store.read(name, from, most).await }))
    }
    fn follow(&self, feed: &Arc<Feed>) {
        self.feeds.lock().unwrap().push(Arc::clone(feed));
        self.store.follow(feed);
    }
    fn remove<'s>(&'s self, name: &'s StreamName) -> Working<'s, ()> {
        self.reach(later(async move { self.store.remove(name).await }))
    }
}
