//! A server that is told to stop, and the requests that it still has.

use std::net::SocketAddr;

use bytes::Bytes;
use futures_util::FutureExt as _;
use http_body_util::Full;
use hyper::Request;
use patchwire_web::upstream::{Chat, Opening, Passed, Passing, Upstream};
use patchwire_web::{Options, ServeError, Stopped, serve_until};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::support::{connect, problem};

type Running = JoinHandle<Result<Stopped, ServeError>>;

async fn start(options: Options) -> (SocketAddr, oneshot::Sender<()>, Running) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let server = tokio::spawn(serve_until(listener, options, stopped.map(|_| ())));
    (address, stop, server)
}

/// A request for an endpoint of the gateway.
fn asking(path: &str) -> Request<Full<Bytes>> {
    let request = Request::post(path).header("host", "localhost");
    let request = request.header("content-type", "application/json");
    request.body(Full::from("{\"patchwire\": {}}")).unwrap()
}

/// A model that says that it was asked, and does not begin.
struct Slow(mpsc::Sender<()>);

impl Slow {
    fn asked<T>(&self) -> impl Future<Output = T> + Send + use<T> {
        let asked = self.0.clone();
        async move {
            asked.send(()).await.unwrap();
            core::future::pending().await
        }
    }
}

impl Upstream for Slow {
    fn open(&self, _: Chat) -> Opening {
        self.asked().boxed()
    }

    fn pass(&self, _: Passed) -> Passing {
        self.asked().boxed()
    }
}

#[tokio::test]
async fn a_request_whose_model_has_not_begun_learns_that_the_server_stops() {
    for path in ["/v1/fields", "/v1/chat/completions", "/v1/messages"] {
        let (asked, mut was_asked) = mpsc::channel(1);
        let (address, stop, server) = start(Options::default().with_upstream(Slow(asked))).await;
        let waiting = tokio::spawn(connect(address, asking(path)));
        was_asked.recv().await.unwrap();
        stop.send(()).unwrap();
        let (status, code, _) = problem(waiting.await.unwrap()).await;
        assert_eq!((status, code.as_str()), (503, "shutting_down"), "{path}");
        assert_eq!(server.await.unwrap().unwrap().aborted, 0);
    }
}
