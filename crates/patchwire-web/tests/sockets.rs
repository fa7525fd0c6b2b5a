use std::net::SocketAddr;
use std::sync::Mutex;

use bytes::Bytes;
use futures_util::FutureExt as _;
use http_body_util::Full;
use hyper::Request;
use patchwire_web::upstream::{Chat, Opening, Upstream};
use patchwire_web::{Limits, Options, ServeError, Stopped, serve_until};
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::Duration;

use crate::support::{Events, chat, connect, once, problem, text};

struct Running {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    server: JoinHandle<Result<Stopped, ServeError>>,
}

async fn start(options: Options) -> Running {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel();
    let server = tokio::spawn(serve_until(listener, options, async {
        // A test that is over stops its server, too.
        let _ = stopped.await;
    }));
    Running { address, stop, server }
}

impl Running {
    async fn stop(self) -> Stopped {
        self.stop.send(()).unwrap();
        self.server.await.unwrap().unwrap()
    }
}

fn limits() -> Limits {
    Limits { resume_time: Duration::ZERO, ..Limits::default() }
}

#[tokio::test]
async fn a_client_that_vanishes_frees_its_stream() {
    let (says, model) = once();
    let running = start(Options::default().with_limits(limits()).with_upstream(model)).await;
    let mut events = Events::of(connect(running.address, chat("m")).await);
    says.send(text("[1")).await.unwrap();
    assert_eq!(events.next().await.unwrap().data["kind"], "open");
    drop(events);
    says.closed().await;
    assert_eq!(running.stop().await.aborted, 0);
}

/// Never answers; tells when it is asked, and when nobody waits for it any more.
struct Silent(Mutex<Option<(oneshot::Sender<()>, oneshot::Sender<()>)>>);

impl Upstream for Silent {
    fn open(&self, _: Chat) -> Opening {
        let (begun, waited_for) = self.0.lock().unwrap().take().unwrap();
        async move {
            begun.send(()).unwrap();
            let _waited_for = waited_for;
            core::future::pending().await
        }
        .boxed()
    }
}

#[tokio::test]
async fn a_client_that_vanishes_before_the_answer_begins_frees_the_request() {
    let ((begins, begun), (waits, gone)) = (oneshot::channel(), oneshot::channel());
    let model = Silent(Mutex::new(Some((begins, waits))));
    let running = start(Options::default().with_upstream(model)).await;
    let mut client = TcpStream::connect(running.address).await.unwrap();
    let head = "POST /v1/fields HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    client.write_all(format!("{head}Content-Length: 2\r\n\r\n{{}}").as_bytes()).await.unwrap();
    begun.await.unwrap();
    drop(client);
    assert!(gone.await.is_err(), "the future of the request was dropped");
    running.stop().await;
}

#[tokio::test]
async fn a_server_that_stops_tells_its_streams() {
    let (says, model) = once();
    let running = start(Options::default().with_upstream(model)).await;
    let mut events = Events::of(connect(running.address, chat("m")).await);
    says.send(text("[1")).await.unwrap();
    events.take(1).await;
    let address = running.address;
    let (stopped, emitted) = tokio::join!(running.stop(), events.rest());
    let last = emitted.last().unwrap();
    assert_eq!((last.name.as_str(), &last.data["code"]), ("error", &json!("shutting_down")));
    assert_eq!(stopped.aborted, 0);
    says.closed().await;
    assert!(TcpStream::connect(address).await.is_err());
}

#[tokio::test]
async fn who_does_not_end_in_time_is_ended() {
    let limits = Limits { drain_time: Duration::ZERO, ..limits() };
    let running = start(Options::default().with_limits(limits)).await;
    // A head that never ends.
    let mut half = TcpStream::connect(running.address).await.unwrap();
    half.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n").await.unwrap();
    // Another whose answer was read, so that the first was accepted as well.
    let whole = connect(running.address, request("/v1/streams")).await;
    assert_eq!(whole.status(), 200);
    running.stop().await;
    let mut rest = Vec::new();
    // Reset or closed: either way it is over.
    let _ = half.read_to_end(&mut rest).await;
    assert!(!rest.starts_with(b"HTTP/1.1 200"));
}

fn request(path: &str) -> Request<Full<Bytes>> {
    Request::get(path).header("host", "localhost").body(Full::default()).unwrap()
}

#[tokio::test]
async fn more_connections_than_there_may_be_wait() {
    let limits = Limits { connections: 1, ..limits() };
    let (says, model) = once();
    let running = start(Options::default().with_limits(limits).with_upstream(model)).await;
    let mut first = Events::of(connect(running.address, chat("m")).await);
    let second = tokio::spawn(connect(running.address, request("/v1/streams/none/text")));
    says.send(text("[1]")).await.unwrap();
    drop(says);
    assert_eq!(first.rest().await.last().unwrap().name, "final");
    assert!(!second.is_finished());
    drop(first);
    let (status, code, _) = problem(second.await.unwrap()).await;
    assert_eq!((status, code.as_str()), (404, "unknown_stream"));
    running.stop().await;
}

#[tokio::test]
async fn a_head_that_is_too_long_is_refused() {
    let running = start(Options::default()).await;
    let mut stream = TcpStream::connect(running.address).await.unwrap();
    let head =
        format!("GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: {}\r\n\r\n", "x".repeat(1 << 17));
    // The server may have answered and closed before all is written.
    let _ = stream.write_all(head.as_bytes()).await;
    let mut answer = vec![0; 12];
    stream.read_exact(&mut answer).await.unwrap();
    assert_eq!(answer, b"HTTP/1.1 431");
    running.stop().await;
}
