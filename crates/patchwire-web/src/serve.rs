//! Serves until it is told to stop.

use core::future::pending;
use core::sync::atomic::Ordering;
use core::time::Duration;

use axum::Router;
use futures_util::FutureExt as _;
use tokio::net::TcpListener;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;

use crate::connections::Connections;
use crate::options::Options;
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
    /// Connections that were still open after [`Limits::drain_time`](crate::Limits::drain_time).
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

/// Serves until `stop`. Then streams have [`Limits::grace_time`](crate::Limits::grace_time) to end, during which no other
/// requests are taken and `/healthz` is 503. After that no more connections are taken, every stream ends with an `error` event of the
/// code `shutting_down`, and connections have [`Limits::drain_time`](crate::Limits::drain_time) to end.
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
    serve_until_or_abort(listener, options, stop, pending()).await
}

/// Serves until `stop`, as [`serve_until`] does. With `abort`, before it or after it, all ends at once: neither the grace time
/// nor the drain time is waited for. Streams still get their last event, if their clients take it at once.
///
/// # Errors
/// As [`serve`].
pub async fn serve_until_or_abort(
    listener: TcpListener,
    options: Options,
    stop: impl Future<Output = ()>,
    abort: impl Future<Output = ()>,
) -> Result<Stopped, ServeError> {
    let abort = abort.shared();
    let shutdown = CancellationToken::new();
    // Dropping the server ends its streams, as stopping it does.
    let _ended = shutdown.clone().drop_guard();
    let server = Server::new(options, shutdown.clone())?;
    let mut connections = Connections::new(&server.options, routes::router(&server));
    let ending = async {
        stop.await;
        grace(&server).await;
    };
    tokio::select! {
        () = ending => {}
        () = connections.accept(listener) => {}
        () = abort.clone() => {}
    }
    shutdown.cancel();
    let hurry = || abort.clone().then(|()| sleep(LAST_WORDS));
    let aborted = connections.drain(&server.options.limits, hurry()).await;
    tokio::select! {
        () = server.sessions.stopped() => {}
        () = hurry() => {}
    }
    Ok(Stopped { aborted })
}

/// Waits for running streams to end and for requests whose model has not begun, up to the grace time.
async fn grace(server: &Server) {
    let time = server.options.limits.grace_time;
    if time.is_zero() {
        return;
    }
    server.is_draining.store(true, Ordering::Release);
    tracing::info!(streams = server.metrics.active(), "the server stops when these have ended");
    let ended = async {
        while server.is_busy() {
            sleep(LOOK).await;
        }
    };
    // The server ends the streams that still run.
    let _ = timeout(time, ended).await;
}

/// How long a server that is aborted waits for clients to take the last events.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// How often a stopping server checks whether its streams have ended.
const LOOK: Duration = Duration::from_millis(50);

/// The routes alone, to be served by something else. Nothing ends their streams but time and their clients.
///
/// # Errors
/// As [`serve`].
pub fn router(options: Options) -> Result<Router, ServeError> {
    Ok(routes::router(&Server::new(options, CancellationToken::new())?))
}
