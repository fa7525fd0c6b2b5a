//! The body of a response: one client's reading of a session.

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
/// Events from this size on are sent without a copy: a client may be slow to take them, and the log has them anyway.
const LONG: usize = 2 << 10;
/// The bytes of events after which others have their turn.
const TURN: usize = 4 * BATCH;
/// A comment, which clients ignore and which keeps proxies from closing the connection.
const HEARTBEAT: &[u8] = b": still here\n\n";

/// The model's body broke off, and so does this one.
#[derive(Debug, thiserror::Error)]
#[error("the model's answer broke off")]
pub(crate) struct BrokenOff;

/// The events of a session from one number on, with heartbeats. Dropping it leaves the session.
pub(crate) struct Reader {
    session: Arc<Session>,
    reader: u64,
    next: u64,
    /// None for a body that is passed on as it is.
    every: Option<Duration>,
    heartbeat: Pin<Box<Sleep>>,
    ended: bool,
    /// Bytes that were given out since others had their turn.
    in_turn: usize,
    /// A long event, which is sent without a copy.
    long: Option<Bytes>,
}

impl Reader {
    /// Attaches to the session. The reader before it gets no more events.
    pub(super) fn attach(session: Arc<Session>, next: u64, every: Option<Duration>) -> Self {
        let reader = session.attach();
        let heartbeat = Box::pin(sleep(every.unwrap_or_default()));
        Self { session, reader, next, every, heartbeat, ended: false, in_turn: 0, long: None }
    }

    /// The available events, up to a batch.
    fn poll_batch(&mut self, cx: &mut Context<'_>) -> Poll<Option<Bytes>> {
        if let Some(long) = self.long.take() {
            return Poll::Ready(Some(long));
        }
        let mut batch = BytesMut::new();
        while !self.ended && batch.len() < BATCH {
            match self.session.poll_event(self.reader, self.next, cx) {
                Poll::Ready(Some(event)) => {
                    self.next += 1;
                    if event.len() >= LONG {
                        self.long = Some(event);
                        break;
                    }
                    batch.extend_from_slice(&event);
                }
                Poll::Ready(None) => self.ended = true,
                Poll::Pending => break,
            }
        }
        if batch.is_empty()
            && let Some(long) = self.long.take()
        {
            return Poll::Ready(Some(long));
        }
        match (batch.is_empty(), self.ended) {
            (false, _) => Poll::Ready(Some(batch.freeze())),
            (true, true) => Poll::Ready(None),
            (true, false) => Poll::Pending,
        }
    }
}

impl Stream for Reader {
    type Item = Result<Bytes, BrokenOff>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let this = self.get_mut();
        if this.in_turn >= TURN {
            // A client that reads as fast as the events are made does not keep the thread for itself.
            this.in_turn = 0;
            cx.waker().wake_by_ref();
            return Poll::Pending;
        }
        if let Poll::Ready(batch) = this.poll_batch(cx) {
            this.in_turn += batch.as_ref().map_or(0, Bytes::len);
            if let Some(every) = this.every {
                this.heartbeat.as_mut().reset(Instant::now() + every);
            }
            let is_broken = batch.is_none() && this.session.is_broken(this.reader);
            return Poll::Ready(if is_broken { Some(Err(BrokenOff)) } else { batch.map(Ok) });
        }
        this.in_turn = 0;
        let Some(every) = this.every else { return Poll::Pending };
        if this.heartbeat.as_mut().poll(cx).is_pending() {
            return Poll::Pending;
        }
        this.heartbeat.as_mut().reset(Instant::now() + every);
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

#[cfg(test)]
mod tests {
    use futures_util::{StreamExt as _, stream};

    use super::*;
    use crate::session::Emitted;
    use crate::session::event_log::EventLog;

    #[tokio::test]
    async fn a_long_event_comes_behind_the_short_one_before_it() {
        let long = Bytes::from(vec![b'x'; LONG]);
        let said = ["short".into(), long.clone(), "more".into()];
        let source = stream::iter(said).map(Emitted::Bytes);
        let session = Session::new(Box::pin(source), EventLog::new(1, 0), None);
        let reader = Reader::attach(Arc::new(session), 1, None);
        let read: Vec<_> =
            reader.map(|bytes| bytes.expect("it does not break off")).collect().await;
        assert!(read == ["short".into(), long, "more".into()], "{} parts", read.len());
    }

    #[tokio::test]
    async fn what_came_before_a_body_broke_off_is_read_first() {
        let source = stream::iter([Emitted::Bytes("part".into()), Emitted::Broken]);
        let session = Session::new(Box::pin(source), EventLog::new(1, 0), None);
        let reader = Reader::attach(Arc::new(session), 1, None);
        let read: Vec<_> = reader.take(2).map(Result::ok).collect().await;
        assert_eq!(read, [Some("part".into()), None]);
    }
}
