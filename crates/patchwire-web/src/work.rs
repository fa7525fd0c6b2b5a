//! Work that may take more than about a millisecond. It runs on threads of its own, so that the threads that
//! accept connections and send events stay free. Their number is bounded, and so is the number of requests that
//! wait for one. The time of the processor is counted for each request.

use core::sync::atomic::{AtomicUsize, Ordering};
use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio_util::task::AbortOnDropHandle;

use crate::budget::{Budget, Meter};
use crate::options::Limits;
use crate::problem::Problem;

/// Bytes of input that are read at once on the thread of a connection: far less than a millisecond of work.
pub(crate) const LIGHT: usize = 4 << 10;

/// The threads for work. Requests that are read and streams that run have their own, so that neither waits for
/// the other.
pub(crate) struct WorkPool {
    for_requests: Arc<Semaphore>,
    for_streams: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
    most_waiting: usize,
}

/// A request's place among those that wait; given back when it is dropped.
struct Place(Arc<AtomicUsize>);

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl WorkPool {
    pub(crate) fn new(limits: &Limits) -> Self {
        let threads = limits.workers.clamp(1, Semaphore::MAX_PERMITS);
        Self {
            for_requests: Arc::new(Semaphore::new(threads)),
            for_streams: Arc::new(Semaphore::new(threads)),
            waiting: Arc::default(),
            most_waiting: limits.waiting,
        }
    }

    /// Reads a request. The work asks the meter between its parts whether it may go on.
    ///
    /// # Errors
    /// Too many requests wait, or what the work itself refuses.
    pub(crate) async fn read<T, E, F>(&self, budget: &Arc<Budget>, work: F) -> Result<T, Problem>
    where
        T: Send + 'static,
        E: Into<Problem> + Send + 'static,
        F: FnOnce(&Meter<'_>) -> Result<T, E> + Send + 'static,
    {
        let threads = Arc::clone(&self.for_requests);
        let permit = match Arc::clone(&threads).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => {
                let _place = self.place()?;
                // The semaphore is never closed.
                threads.acquire_owned().await.map_err(|_| Problem::WorkFailed)?
            }
        };
        run(permit, budget, work).await.ok_or(Problem::WorkFailed)?.map_err(Into::into)
    }

    /// Does a part of the work of a stream. Streams are limited in number, so all of them may wait. `None` if the
    /// work panicked, or the runtime ends.
    ///
    /// A stream is polled only while its client reads. So a task of its own waits for the thread: what waits gets the
    /// next thread that is free, and a stream that is not polled would keep it from all others.
    pub(crate) async fn turn<T, F>(&self, budget: &Arc<Budget>, work: F) -> Option<T>
    where
        T: Send + 'static,
        F: FnOnce() -> T + Send + 'static,
    {
        let threads = Arc::clone(&self.for_streams);
        if let Ok(permit) = Arc::clone(&threads).try_acquire_owned() {
            return run(permit, budget, |_| work()).await;
        }
        let budget = Arc::clone(budget);
        let waits = tokio::spawn(async move {
            let permit = threads.acquire_owned().await.ok()?;
            run(permit, &budget, |_| work()).await
        });
        AbortOnDropHandle::new(waits).await.ok()?
    }

    fn place(&self) -> Result<Place, Problem> {
        let place = Place(Arc::clone(&self.waiting));
        let before = self.waiting.fetch_add(1, Ordering::AcqRel);
        if before < self.most_waiting {
            return Ok(place);
        }
        Err(Problem::Overloaded { most: self.most_waiting })
    }
}

async fn run<T, F>(permit: OwnedSemaphorePermit, budget: &Arc<Budget>, work: F) -> Option<T>
where
    T: Send + 'static,
    F: FnOnce(&Meter<'_>) -> T + Send + 'static,
{
    let budget = Arc::clone(budget);
    let job = spawn_blocking(move || {
        // Given back when the work ends, even if nobody waits for it any more.
        let _permit = permit;
        budget.measure(work)
    });
    job.await.ok()
}

#[cfg(test)]
mod tests {
    use core::time::Duration;
    use std::sync::mpsc;

    use super::*;

    fn pool(workers: usize, waiting: usize) -> Arc<WorkPool> {
        Arc::new(WorkPool::new(&Limits { workers, waiting, ..Limits::default() }))
    }

    fn budget() -> Arc<Budget> {
        Budget::new(Duration::from_secs(10))
    }

    fn one(_: &Meter<'_>) -> Result<u8, Problem> {
        Ok(1)
    }

    /// Work that ends when the sender is used or dropped.
    fn until(ended: mpsc::Receiver<()>) -> impl FnOnce(&Meter<'_>) -> Result<u8, Problem> + Send {
        move |_| {
            let _ = ended.recv();
            Ok(7)
        }
    }

    #[tokio::test]
    async fn of_more_requests_than_threads_so_many_wait_and_the_next_is_refused() {
        let pool = pool(1, 1);
        let (end_first, first) = mpsc::channel();
        let (end_second, second) = mpsc::channel();
        let begin = |work| {
            let pool = Arc::clone(&pool);
            tokio::spawn(async move { pool.read(&budget(), until(work)).await })
        };
        let (first, second) = (begin(first), begin(second));
        while pool.waiting.load(Ordering::Acquire) == 0 {
            tokio::task::yield_now().await;
        }
        let third = pool.read(&budget(), one).await;
        assert_eq!(third, Err(Problem::Overloaded { most: 1 }));
        // A stream does not wait for requests.
        assert_eq!(pool.turn(&budget(), || 3).await, Some(3));
        drop(end_first);
        drop(end_second);
        assert_eq!((first.await.unwrap(), second.await.unwrap()), (Ok(7), Ok(7)));
        assert_eq!(pool.waiting.load(Ordering::Acquire), 0);
        assert_eq!(pool.read(&budget(), one).await, Ok(1));
    }

    #[tokio::test]
    async fn who_leaves_while_waiting_gives_the_place_back() {
        let pool = pool(1, 1);
        let (end, ended) = mpsc::channel();
        let (first, second) = (budget(), budget());
        let mut running = Box::pin(pool.read(&first, until(ended)));
        assert!(futures_util::poll!(&mut running).is_pending());
        let mut waiting = Box::pin(pool.read(&second, one));
        assert!(futures_util::poll!(&mut waiting).is_pending());
        assert_eq!(pool.waiting.load(Ordering::Acquire), 1);
        drop(waiting);
        assert_eq!(pool.waiting.load(Ordering::Acquire), 0);
        drop(end);
        assert_eq!(running.await, Ok(7));
    }

    #[tokio::test]
    async fn a_stream_that_is_not_polled_keeps_no_thread_from_others() {
        let pool = pool(1, 1);
        let (end, ended) = mpsc::channel::<()>();
        let (first, second, third) = (budget(), budget(), budget());
        let mut running = Box::pin(pool.turn(&first, move || ended.recv().is_err()));
        assert!(futures_util::poll!(&mut running).is_pending());
        let mut unread = Box::pin(pool.turn(&second, || 2));
        assert!(futures_util::poll!(&mut unread).is_pending());
        drop(end);
        assert_eq!(running.await, Some(true));
        let read = tokio::time::timeout(Duration::from_secs(10), pool.turn(&third, || 3)).await;
        assert_eq!(read, Ok(Some(3)));
        assert_eq!(unread.await, Some(2));
    }

    #[tokio::test]
    async fn a_stream_that_ends_while_it_waits_gives_its_place_back() {
        let pool = pool(1, 1);
        let (end, ended) = mpsc::channel::<()>();
        let (first, second, third) = (budget(), budget(), budget());
        let mut running = Box::pin(pool.turn(&first, move || ended.recv().is_err()));
        assert!(futures_util::poll!(&mut running).is_pending());
        let done = Arc::new(AtomicUsize::new(0));
        let ours = Arc::clone(&done);
        let mut waiting = Box::pin(pool.turn(&second, move || ours.fetch_add(1, Ordering::SeqCst)));
        assert!(futures_util::poll!(&mut waiting).is_pending());
        drop(waiting);
        drop(end);
        assert_eq!(running.await, Some(true));
        assert_eq!(pool.turn(&third, || 3).await, Some(3));
        assert_eq!(done.load(Ordering::SeqCst), 0);
    }

    #[tokio::test]
    async fn work_that_panics_is_an_error_and_its_thread_is_free_again() {
        let pool = pool(1, 0);
        let panics = |_: &Meter<'_>| -> Result<u8, Problem> { panic!("a test") };
        assert_eq!(pool.read(&budget(), panics).await, Err(Problem::WorkFailed));
        assert_eq!(pool.read(&budget(), one).await, Ok(1));
        assert_eq!(pool.turn(&budget(), || -> u8 { panic!("a test") }).await, None);
        assert_eq!(pool.turn(&budget(), || 1).await, Some(1));
    }
}
