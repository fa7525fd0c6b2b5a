use core::num::NonZeroUsize;
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
async fn more_connections_than_there_may_be_wait_until_one_is_idle() {
    let limits = Limits { connections: 1, ..limits() };
    let (says, model) = once();
    let running = start(Options::default().with_limits(limits).with_upstream(model)).await;
    let mut first = Events::of(connect(running.address, chat("m")).await);
    let second = tokio::spawn(connect(running.address, request("/v1/streams/none/text")));
    says.send(text("[1")).await.unwrap();
    first.take(1).await;
    tokio::time::sleep(Duration::from_millis(50)).await;
    assert!(!second.is_finished());
    says.send(text("]")).await.unwrap();
    drop(says);
    assert_eq!(first.rest().await.last().unwrap().name, "final");
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

async fn open(address: SocketAddr) -> TcpStream {
    TcpStream::connect(address).await.unwrap()
}

/// Whether the server has closed the connection; waits for what is on its way.
async fn is_closed(stream: &mut TcpStream) -> bool {
    let mut byte = [0];
    let read = tokio::time::timeout(Duration::from_millis(200), stream.read(&mut byte)).await;
    matches!(read, Ok(Ok(0) | Err(_)))
}

#[tokio::test]
async fn idle_connections_give_way_to_new_ones_and_streams_do_not() {
    let limits = Limits { connections: 3, ..limits() };
    let (says, model) = once();
    let running = start(Options::default().with_limits(limits).with_upstream(model)).await;
    let mut stream = Events::of(connect(running.address, chat("m")).await);
    // One that sends nothing, and one whose head comes slowly.
    let mut silent = open(running.address).await;
    let mut slow = open(running.address).await;
    slow.write_all(b"GET / HTTP/1.1\r\nHost: loc").await.unwrap();
    for _ in 0..20 {
        let answer = connect(running.address, request("/v1/streams")).await;
        assert_eq!(answer.status(), 200);
    }
    assert!(is_closed(&mut silent).await);
    assert!(is_closed(&mut slow).await);
    says.send(text("[1]")).await.unwrap();
    drop(says);
    assert_eq!(stream.rest().await.last().unwrap().name, "final");
    running.stop().await;
}

#[tokio::test]
async fn one_address_does_not_have_all_connections_unless_it_is_trusted() {
    let limits = || Limits { per_address: NonZeroUsize::new(2), ..limits() };
    let running = start(Options::default().with_limits(limits())).await;
    let first = open(running.address).await;
    let _second = open(running.address).await;
    let mut third = open(running.address).await;
    let mut answer = String::new();
    third.read_to_string(&mut answer).await.unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 429 Too Many Requests\r\n"), "{head}");
    assert!(head.contains(&format!("content-length: {}", body.len())), "{head}");
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    assert_eq!(body["error"]["code"], "too_many_connections");
    drop(first);
    // The place is free as soon as the server has seen that.
    let mut status = 429;
    for _ in 0..200 {
        let mut next = open(running.address).await;
        next.write_all(b"GET /v1/streams HTTP/1.1\r\nHost: localhost\r\n\r\n").await.unwrap();
        let mut begin = [0; 12];
        next.read_exact(&mut begin).await.unwrap();
        status = str::from_utf8(&begin[9..]).unwrap().parse().unwrap();
        if status == 200 {
            break;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    assert_eq!(status, 200);
    running.stop().await;
    let trusted = [
        Options::default().trust_loopback(),
        Options::default().trust_proxy("127.0.0.1".parse().unwrap()),
    ];
    for options in trusted {
        let running = start(options.with_limits(limits())).await;
        let _open = [open(running.address).await, open(running.address).await];
        let answer = connect(running.address, request("/v1/streams")).await;
        assert_eq!(answer.status(), 200);
        running.stop().await;
    }
}
