//! Which connections are idle, and for how long.

use core::convert::Infallible;
use core::pin::Pin;
use core::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use core::task::{Context, Poll};
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use axum::body::Body;
use bytes::Bytes;
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::service::{Service, service_fn};
use hyper::{Request, Response};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Instant;
use tokio_util::sync::{CancellationToken, WaitForCancellationFuture};

/// All open connections.
#[derive(Default)]
pub(super) struct Activities {
    all: Arc<Mutex<All>>,
    next: u64,
}

type All = HashMap<u64, Arc<Activity>>;

fn lock(all: &Mutex<All>) -> MutexGuard<'_, All> {
    all.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What one connection does.
struct Activity {
    begun: Instant,
    /// Requests without a whole response: one or none, unless a client sends several ahead.
    requests: AtomicUsize,
    /// When it began, sent something or ended a response: nanoseconds since it began.
    last: AtomicU64,
    ended: CancellationToken,
}

/// An open connection. Dropping it forgets it.
pub(super) struct Active {
    number: u64,
    activity: Arc<Activity>,
    all: Arc<Mutex<All>>,
}

impl Activities {
    pub(super) fn begin(&mut self) -> Active {
        let number = self.next;
        self.next += 1;
        let activity = Arc::new(Activity {
            begun: Instant::now(),
            requests: AtomicUsize::new(0),
            last: AtomicU64::new(0),
            ended: CancellationToken::new(),
        });
        lock(&self.all).insert(number, Arc::clone(&activity));
        Active { number, activity, all: Arc::clone(&self.all) }
    }

    /// Ends the connection that has been idle longest, if one is idle.
    pub(super) fn end_longest_idle(&self) {
        let mut all = lock(&self.all);
        let idle = all.iter().filter_map(|(number, it)| Some((it.idle_since()?, *number)));
        if let Some((_, number)) = idle.min()
            && let Some(activity) = all.remove(&number)
        {
            activity.ended.cancel();
        }
    }
}

impl Activity {
    /// Sending counts as activity. Receiving does not: a head may come byte by byte.
    fn touch(&self) {
        let since = u64::try_from(self.begun.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.last.store(since, Ordering::Release);
    }

    fn idle_since(&self) -> Option<Instant> {
        let last = core::time::Duration::from_nanos(self.last.load(Ordering::Acquire));
        (self.requests.load(Ordering::Acquire) == 0).then(|| self.begun + last)
    }
}

impl Active {
    /// Completes when another connection takes the place of this one.
    pub(super) fn is_ended(&self) -> WaitForCancellationFuture<'_> {
        self.activity.ended.cancelled()
    }

    pub(super) fn socket(&self, stream: TcpStream) -> Socket {
        Socket { stream, activity: Arc::clone(&self.activity) }
    }

    /// The routes. They count the requests of this connection.
    pub(super) fn service(
        &self,
        router: Router,
    ) -> impl Service<
        Request<Incoming>,
        Response = Response<CountedBody>,
        Error = Infallible,
        Future: Send,
    > + use<> {
        let routes = TowerToHyperService::new(router);
        let activity = Arc::clone(&self.activity);
        service_fn(move |request| {
            let running = Running::new(&activity);
            let response = routes.call(request);
            async move {
                let response: Response<Body> = response.await?;
                Ok(response.map(|body| CountedBody { body, _running: running }))
            }
        })
    }
}

impl Drop for Active {
    fn drop(&mut self) {
        lock(&self.all).remove(&self.number);
    }
}

/// A request, until its response ends.
struct Running(Arc<Activity>);

impl Running {
    fn new(activity: &Arc<Activity>) -> Self {
        activity.requests.fetch_add(1, Ordering::AcqRel);
        Self(Arc::clone(activity))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.touch();
        self.0.requests.fetch_sub(1, Ordering::AcqRel);
    }
}

/// The body of a response, whose request counts until the body ends.
pub(super) struct CountedBody {
    body: Body,
    _running: Running,
}

impl hyper::body::Body for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A socket that notes when something is sent.
pub(super) struct Socket {
    stream: TcpStream,
    activity: Arc<Activity>,
}

impl AsyncRead for Socket {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl Socket {
    fn sent(&self, polled: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        if matches!(polled, Poll::Ready(Ok(1..))) {
            self.activity.touch();
        }
        polled
    }
}

impl AsyncWrite for Socket {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.sent(polled)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let polled = Pin::new(&mut self.stream).poll_write_vectored(cx, bytes);
        self.sent(polled)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use core::time::Duration;

    use tokio::time::advance;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_longest_idle_one_ends_and_none_that_answers_a_request() {
        let mut activities = Activities::default();
        let first = activities.begin();
        advance(Duration::from_secs(1)).await;
        let second = activities.begin();
        let third = activities.begin();
        advance(Duration::from_secs(1)).await;
        // The first has sent something since, the second answers a request.
        first.activity.touch();
        let running = Running::new(&second.activity);
        let ended = |all: [&Active; 3]| all.map(|one| one.activity.ended.is_cancelled());
        activities.end_longest_idle();
        assert_eq!(ended([&first, &second, &third]), [false, false, true]);
        activities.end_longest_idle();
        assert_eq!(ended([&first, &second, &third]), [true, false, true]);
        activities.end_longest_idle();
        assert_eq!(ended([&first, &second, &third]), [true, false, true]);
        drop(running);
        activities.end_longest_idle();
        assert_eq!(ended([&first, &second, &third]), [true, true, true]);
    }

    #[tokio::test]
    async fn what_was_dropped_is_forgotten() {
        let mut activities = Activities::default();
        drop(activities.begin());
        assert!(lock(&activities.all).is_empty());
        activities.end_longest_idle();
    }
}
