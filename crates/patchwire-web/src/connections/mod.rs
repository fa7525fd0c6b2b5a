//! Connections: how many, of whom, how long a request's head may take, and how they end.
//!
//! When all connections are taken, a new one takes the place of the one that has been idle longest. Idle is who
//! waits for a request, or for the rest of its head; so nobody can keep others out by doing nothing.

mod activity;
mod shares;

use core::pin::pin;
use std::io::{self, Write as _};
use std::sync::Arc;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use activity::Activities;
use shares::{Share, Shares};

use crate::options::{Limits, Options};
use crate::problem::Problem;

/// The open connections of a server.
pub(crate) struct Connections {
    tasks: JoinSet<()>,
    graceful: GracefulShutdown,
    slots: Arc<Semaphore>,
    shares: Shares,
    activities: Activities,
    http: http1::Builder,
    router: Router,
    send_bytes: usize,
}

/// What a connection holds while it is open.
struct Held {
    _slot: OwnedSemaphorePermit,
    _share: Share,
}

impl Connections {
    pub(crate) fn new(options: &Options, router: Router) -> Self {
        let limits = &options.limits;
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new())
            .header_read_timeout(limits.request_time)
            // What hyper takes at least.
            .max_buf_size(limits.head_bytes.max(8 << 10));
        Self {
            tasks: JoinSet::new(),
            graceful: GracefulShutdown::new(),
            slots: Arc::new(Semaphore::new(limits.connections.min(Semaphore::MAX_PERMITS))),
            shares: Shares::new(limits.per_address, options.proxies.clone(), options.loopback),
            activities: Activities::default(),
            http,
            router,
            send_bytes: limits.send_bytes,
        }
    }

    /// Accepts connections forever.
    pub(crate) async fn accept(&mut self, listener: TcpListener) {
        loop {
            match listener.accept().await {
                Ok((stream, peer)) => match self.shares.take(peer.ip()) {
                    Ok(share) => self.admit(stream, share).await,
                    Err(problem) => refuse(stream, &problem),
                },
                Err(error) => rest(&error).await,
            }
            while self.tasks.try_join_next().is_some() {}
        }
    }

    /// Begins a connection, as soon as there is a place for it.
    async fn admit(&mut self, stream: TcpStream, share: Share) {
        if self.slots.available_permits() == 0 {
            self.activities.end_longest_idle();
        }
        // The semaphore is never closed. If no connection is idle, this waits until one ends.
        let Ok(slot) = Arc::clone(&self.slots).acquire_owned().await else { return };
        self.begin(stream, Held { _slot: slot, _share: share });
    }

    fn begin(&mut self, stream: TcpStream, held: Held) {
        // Sends small events at once.
        let _ = stream.set_nodelay(true);
        // Systems grow this buffer to megabytes for each client that does not read.
        let _ = socket2::SockRef::from(&stream).set_send_buffer_size(self.send_bytes);
        let active = self.activities.begin();
        let service = active.service(self.router.clone());
        let connection = self.http.serve_connection(TokioIo::new(active.socket(stream)), service);
        let watched = self.graceful.watch(connection);
        self.tasks.spawn(async move {
            let _held = held;
            tokio::select! {
                // A broken connection has ended, whatever the reason.
                _ = watched => {}
                () = active.is_ended() => {}
            }
        });
    }

    /// Waits for the open connections, but not after `hurry`. Returns how many did not end in time.
    pub(crate) async fn drain(mut self, limits: &Limits, hurry: impl Future<Output = ()>) -> usize {
        let ended = pin!(self.graceful.shutdown());
        let have_ended = tokio::select! {
            ended = timeout(limits.drain_time, ended) => ended.is_ok(),
            () = hurry => false,
        };
        if have_ended {
            while self.tasks.join_next().await.is_some() {}
        }
        while self.tasks.try_join_next().is_some() {}
        let aborted = self.tasks.len();
        self.tasks.shutdown().await;
        aborted
    }
}

/// Answers without reading the request, as far as the system takes the answer at once.
fn refuse(stream: TcpStream, problem: &Problem) {
    let answer = problem.http();
    // Who does not get the answer sees that the connection is closed.
    let _ = stream.into_std().and_then(|mut stream| stream.write(answer.as_bytes()));
}

/// If the system has no more sockets, some may become free soon.
async fn rest(error: &io::Error) {
    let is_of_the_client =
        matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset);
    if !is_of_the_client {
        sleep(core::time::Duration::from_millis(50)).await;
    }
}

#[cfg(test)]
mod tests {
    use core::time::Duration;

    use tokio::time::Instant;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn after_an_error_of_the_system_nothing_is_accepted_for_a_while() {
        for (kind, millis) in [
            (io::ErrorKind::ConnectionAborted, 0),
            (io::ErrorKind::ConnectionReset, 0),
            (io::ErrorKind::OutOfMemory, 50),
            (io::ErrorKind::Other, 50),
        ] {
            let begun = Instant::now();
            rest(&kind.into()).await;
            assert_eq!(begun.elapsed(), Duration::from_millis(millis), "{kind}");
        }
    }
}
