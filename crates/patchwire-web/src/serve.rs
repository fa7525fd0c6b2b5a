//! Connections: how many, how long a request's head may take, and how they end.

use core::future::pending;
use core::pin::pin;
use std::io;
use std::sync::Arc;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::options::{Limits, Options};
use crate::routes;
use crate::samples::SampleError;
use crate::state::Server;

/// Why a server cannot run.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// A built-in stream cannot be read.
    #[error(transparent)]
    Sample(#[from] SampleError),
}

/// How a server ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stopped {
    /// Connections that were still open after [`Limits::drain_time`].
    pub aborted: usize,
}

/// Serves the page and the gateway until it is dropped.
///
/// # Errors
/// If one of the streams that come along cannot be read. What goes wrong with a connection ends that
/// connection.
pub async fn serve(listener: TcpListener, options: Options) -> Result<Stopped, ServeError> {
    serve_until(listener, options, pending()).await
}

/// Serves until `stop`. Then no more connections are taken, every stream ends with an `error` event of the
/// code `shutting_down`, and connections have [`Limits::drain_time`] to end.
///
/// ```
/// use patchwire_web::{Options, serve_until};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
/// let stopped = serve_until(listener, Options::default(), async { /* until Ctrl-C, say */ }).await?;
/// assert_eq!(stopped.aborted, 0);
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`serve`].
pub async fn serve_until(
    listener: TcpListener,
    options: Options,
    stop: impl Future<Output = ()>,
) -> Result<Stopped, ServeError> {
    let shutdown = CancellationToken::new();
    // Dropping the server ends its streams, as stopping it does.
    let _ended = shutdown.clone().drop_guard();
    let server = Server::new(options, shutdown.clone())?;
    let mut connections = Connections::new(&server.options.limits, routes::router(&server));
    tokio::select! {
        () = stop => {}
        () = connections.accept(listener) => {}
    }
    shutdown.cancel();
    let aborted = connections.drain(&server.options.limits).await;
    server.sessions.stopped().await;
    Ok(Stopped { aborted })
}

/// The routes alone, to be served by something else. Nothing ends their streams but time and their clients.
///
/// # Errors
/// As [`serve`].
pub fn router(options: Options) -> Result<Router, ServeError> {
    Ok(routes::router(&Server::new(options, CancellationToken::new())?))
}

struct Connections {
    tasks: JoinSet<()>,
    graceful: GracefulShutdown,
    slots: Arc<Semaphore>,
    http: http1::Builder,
    router: Router,
}

/// Bytes of a request's head.
const HEAD: usize = 64 << 10;

impl Connections {
    fn new(limits: &Limits, router: Router) -> Self {
        let mut http = http1::Builder::new();
        http.timer(TokioTimer::new()).header_read_timeout(limits.request_time).max_buf_size(HEAD);
        let slots = Arc::new(Semaphore::new(limits.connections.min(Semaphore::MAX_PERMITS)));
        Self { tasks: JoinSet::new(), graceful: GracefulShutdown::new(), slots, http, router }
    }

    /// Accepts connections forever.
    async fn accept(&mut self, listener: TcpListener) {
        loop {
            // The semaphore is never closed.
            let Ok(slot) = Arc::clone(&self.slots).acquire_owned().await else { return };
            match listener.accept().await {
                Ok((stream, _)) => self.begin(stream, slot),
                Err(error) => rest(&error).await,
            }
            while self.tasks.try_join_next().is_some() {}
        }
    }

    fn begin(&mut self, stream: TcpStream, slot: OwnedSemaphorePermit) {
        // Sends small events at once.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(self.router.clone());
        let connection = self.http.serve_connection(TokioIo::new(stream), service);
        let watched = self.graceful.watch(connection);
        self.tasks.spawn(async move {
            // A broken connection has ended, whatever the reason.
            let _ = watched.await;
            drop(slot);
        });
    }

    /// Waits for the open connections. Returns how many did not end in time.
    async fn drain(mut self, limits: &Limits) -> usize {
        let ended = pin!(self.graceful.shutdown());
        if timeout(limits.drain_time, ended).await.is_ok() {
            while self.tasks.join_next().await.is_some() {}
        }
        while self.tasks.try_join_next().is_some() {}
        let aborted = self.tasks.len();
        self.tasks.shutdown().await;
        aborted
    }
}

/// If the system has no more sockets, some may become free soon.
async fn rest(error: &io::Error) {
    let is_of_the_client =
        matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset);
    if !is_of_the_client {
        sleep(core::time::Duration::from_millis(50)).await;
    }
}
