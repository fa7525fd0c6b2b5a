//! The model's deltas. An event of the model's server that takes long to decode is decoded on the threads for work.

use core::pin::Pin;
use core::sync::atomic::{AtomicBool, Ordering};
use core::task::{Context, Poll, Waker};
use std::sync::Arc;
use std::task::Wake;

use futures_util::task::AtomicWaker;

use crate::attempts::Item;
use crate::budget::Budget;
use crate::upstream::{Backlog, Deltas, UpstreamError};
use crate::work::WorkPool;

/// Bytes that are decoded at once on the thread of a connection: far less than a millisecond of work.
const HEAVY: u64 = 64 << 10;

/// The deltas of an attempt.
pub(crate) struct ModelStream {
    state: State,
    backlog: Backlog,
    pool: Arc<WorkPool>,
    budget: Arc<Budget>,
    bell: Arc<Bell>,
}

/// The deltas after a poll, and what it returned.
type Polled = (Deltas, Poll<Item>);

enum State {
    Here(Deltas),
    /// On a thread for work.
    Away(Pin<Box<dyn Future<Output = Option<Polled>> + Send>>),
    /// Back from a thread for work, without a delta.
    Waiting(Deltas),
    Ended,
}

/// Wakes the task that waits for deltas. It remembers whether it was rung, because the task may be waiting for a
/// thread at that time.
#[derive(Default)]
struct Bell {
    is_rung: AtomicBool,
    task: AtomicWaker,
}

impl Wake for Bell {
    fn wake(self: Arc<Self>) {
        self.is_rung.store(true, Ordering::Release);
        self.task.wake();
    }
}

impl ModelStream {
    pub(crate) fn new(
        deltas: Deltas,
        backlog: Backlog,
        pool: Arc<WorkPool>,
        budget: Arc<Budget>,
    ) -> Self {
        Self { state: State::Here(deltas), backlog, pool, budget, bell: Arc::default() }
    }

    /// The next delta. May be dropped and called again at any time: nothing is lost.
    pub(crate) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Item> {
        loop {
            match core::mem::replace(&mut self.state, State::Ended) {
                State::Here(mut deltas) if self.backlog.get() <= HEAVY => {
                    let polled = self.budget.measure_light(|| deltas.as_mut().poll_next(cx));
                    if !matches!(polled, Poll::Ready(None)) {
                        self.state = State::Here(deltas);
                    }
                    return polled;
                }
                State::Here(deltas) => self.state = self.sent_away(deltas),
                State::Away(mut work) => match work.as_mut().poll(cx) {
                    Poll::Ready(Some((deltas, Poll::Ready(item)))) => {
                        if item.is_some() {
                            self.state = State::Here(deltas);
                        }
                        return Poll::Ready(item);
                    }
                    Poll::Ready(Some((deltas, Poll::Pending))) => {
                        self.state = State::Waiting(deltas);
                    }
                    Poll::Ready(None) => {
                        let what = "its stream cannot be decoded".to_owned();
                        return Poll::Ready(Some(Err(UpstreamError::Broken(what))));
                    }
                    Poll::Pending => {
                        self.state = State::Away(work);
                        return Poll::Pending;
                    }
                },
                State::Waiting(deltas) => {
                    self.bell.task.register(cx.waker());
                    if !self.bell.is_rung.swap(false, Ordering::AcqRel) {
                        self.state = State::Waiting(deltas);
                        return Poll::Pending;
                    }
                    self.state = State::Here(deltas);
                }
                State::Ended => return Poll::Ready(None),
            }
        }
    }

    /// Polls the deltas once on a thread for work.
    fn sent_away(&self, mut deltas: Deltas) -> State {
        let (pool, budget) = (Arc::clone(&self.pool), Arc::clone(&self.budget));
        let bell = Arc::clone(&self.bell);
        State::Away(Box::pin(async move {
            let work = move || {
                bell.is_rung.store(false, Ordering::Release);
                let waker = Waker::from(bell);
                let polled = deltas.as_mut().poll_next(&mut Context::from_waker(&waker));
                (deltas, polled)
            };
            pool.turn(&budget, work).await
        }))
    }
}

#[cfg(test)]
mod tests {
    use core::future::poll_fn;
    use core::time::Duration;
    use std::thread;

    use futures_util::{FutureExt as _, StreamExt as _, stream};
    use tokio::sync::mpsc;

    use super::*;
    use crate::options::Limits;
    use crate::upstream::Delta;

    fn model(deltas: Deltas, backlog: &Backlog) -> ModelStream {
        let pool = Arc::new(WorkPool::new(&Limits::default()));
        ModelStream::new(deltas, backlog.clone(), pool, Budget::new(Duration::from_secs(10)))
    }

    fn text(item: Item) -> String {
        match item {
            Some(Ok(Delta::Text(text))) => String::from_utf8(text.to_vec()).unwrap(),
            Some(Err(error)) => error.to_string(),
            item => format!("{item:?}"),
        }
    }

    #[tokio::test]
    async fn a_long_event_is_decoded_on_another_thread_and_a_short_one_here() {
        let backlog = Backlog::default();
        let sizes = [0, HEAVY, HEAVY + 1, 8 << 20, 7];
        let told = backlog.clone();
        let polled = stream::iter(sizes.into_iter().skip(1).chain([0])).map(move |next| {
            let here = format!("{:?}", thread::current().id());
            told.set(next);
            Ok(Delta::Text(here.into()))
        });
        let mut model = model(polled.boxed(), &backlog);
        let own = format!("{:?}", thread::current().id());
        for bytes in sizes {
            let found = text(poll_fn(|cx| model.poll_next(cx)).await);
            assert_eq!(found == own, bytes <= HEAVY, "{bytes} bytes on {found}");
        }
        for _ in 0..2 {
            assert!(poll_fn(|cx| model.poll_next(cx)).await.is_none());
        }
    }

    #[tokio::test]
    async fn who_leaves_while_the_stream_is_away_loses_no_delta() {
        let backlog = Backlog::default();
        backlog.set(u64::MAX);
        let (say, mut said) = mpsc::unbounded_channel::<u32>();
        let deltas = poll_fn_stream(move |cx| said.poll_recv(cx));
        let mut model = model(deltas, &backlog);
        for round in 0..200 {
            // The future is dropped at once, and in later rounds after a while.
            let waiting = poll_fn(|cx| model.poll_next(cx));
            if round % 2 == 0 {
                assert!(waiting.now_or_never().is_none());
            } else {
                let wait = Duration::from_micros(round * 7);
                assert!(tokio::time::timeout(wait, waiting).await.is_err());
            }
            say.send(round as u32).unwrap();
            assert_eq!(text(poll_fn(|cx| model.poll_next(cx)).await), round.to_string());
        }
        drop(say);
        assert!(poll_fn(|cx| model.poll_next(cx)).await.is_none());
    }

    fn poll_fn_stream(
        mut poll: impl FnMut(&mut Context<'_>) -> Poll<Option<u32>> + Send + 'static,
    ) -> Deltas {
        stream::poll_fn(move |cx| poll(cx))
            .map(|number| Ok(Delta::Text(number.to_string().into())))
            .boxed()
    }

    #[tokio::test]
    async fn a_panic_of_the_upstream_is_an_error_and_the_end() {
        let backlog = Backlog::default();
        backlog.set(HEAVY + 1);
        let mut model = model(stream::poll_fn(|_| panic!("a test")).boxed(), &backlog);
        let found = text(poll_fn(|cx| model.poll_next(cx)).await);
        assert!(found.contains("cannot be decoded"), "{found}");
        assert!(poll_fn(|cx| model.poll_next(cx)).await.is_none());
    }
}
