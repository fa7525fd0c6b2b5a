//! The body of a response: one client's reading of a session.

use core::convert::Infallible;
use core::pin::Pin;
use core::task::{Context, Poll};
use core::time::Duration;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use futures_util::Stream;
use tokio::time::{Instant, Sleep, sleep};

use super::Session;

/// The most bytes of events that are sent at once.
const BATCH: usize = 16 << 10;
/// A comment, which clients ignore and which keeps proxies from closing the connection.
const HEARTBEAT: &[u8] = b": still here\n\n";

/// The events of a session from one number on, with heartbeats. Dropping it leaves the session.
pub(crate) struct Reader {
    session: Arc<Session>,
    reader: u64,
    next: u64,
    every: Duration,
    heartbeat: Pin<Box<Sleep>>,
    ended: bool,
}

impl Reader {
    /// Attaches to the session. The reader before it gets no more events.
    pub(super) fn attach(session: Arc<Session>, next: u64, every: Duration) -> Self {
        let reader = session.attach();
        Self { session, reader, next, every, heartbeat: Box::pin(sleep(every)), ended: false }
    }

    /// The available events, up to a batch.
    fn poll_batch(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        let mut batch = BytesMut::new();
        while !self.ended && batch.len() < BATCH {
            match self.session.poll_event(self.reader, self.next, cx) {
                Poll::Ready(Some(event)) => {
                    self.next += 1;
                    batch.extend_from_slice(&event);
                }
                Poll::Ready(None) => self.ended = true,
                Poll::Pending => break,
            }
        }
        match (batch.is_empty(), self.ended) {
            (false, _) => Poll::Ready(Some(batch.freeze())),
            (true, true) => Poll::Ready(None),
            (true, false) => Poll::Pending,
        }
    }
}

impl Stream for Reader {
    type Item = Result<Bytes, Infallible>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        if let Poll::Ready(batch) = this.poll_batch(cx) {
            this.heartbeat.as_mut().reset(Instant::now() + this.every);
            return Poll::Ready(batch.map(Ok));
        }
        if this.heartbeat.as_mut().poll(cx).is_pending() {
            return Poll::Pending;
        }
        this.heartbeat.as_mut().reset(Instant::now() + this.every);
        // Registers for the next one.
        cx.waker().wake_by_ref();
        Poll::Ready(Some(Ok(Bytes::from_static(HEARTBEAT))))
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        self.session.leave(self.reader);
    }
}
